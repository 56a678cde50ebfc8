package ground

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldWord appends the folded form of one word to dst: composed, lower case,
// without marks that nobody reads, digits as ASCII.
func foldWord(dst []byte, word string) []byte {
	if isASCII(word) {
		for i := 0; i < len(word); i++ {
			dst = append(dst, lower[word[i]])
		}
		return dst
	}
	if !norm.NFC.IsNormalString(word) {
		word = norm.NFC.String(word)
	}
	from := len(dst)
	for _, r := range word {
		if r == 0x307 && len(dst) > from && dst[len(dst)-1] == 'i' {
			continue // the dot of a small İ
		}
		dst = foldRune(dst, r)
	}
	return moveTone(dst, from)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower is the lower case of ASCII.
var lower = func() (t [256]byte) {
	for c := range 256 {
		t[c] = byte(c)
		if c >= 'A' && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

func foldRune(dst []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(dst, lower[r])
	case isIgnorable(r):
		return dst
	case isCompatible(r):
		for _, c := range norm.NFKC.String(string(r)) {
			if c == r {
				return utf8.AppendRune(dst, c)
			}
			dst = foldRune(dst, c)
		}
		return dst
	}
	switch r {
	case 'ß', 'ẞ':
		return append(dst, "ss"...)
	case 'İ', 'ı':
		return append(dst, 'i')
	case 'ſ':
		return append(dst, 's')
	case 'ς':
		return append(dst, "σ"...)
	case 'أ', 'إ', 'آ', 'ٱ':
		return append(dst, "ا"...)
	case 'ک':
		return append(dst, "ك"...)
	case 'ی':
		return append(dst, "ي"...)
	case '’', 'ʼ', '‘', 'ʻ':
		return append(dst, '\'')
	}
	if d, ok := digit(r); ok {
		return append(dst, byte('0'+d))
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// isIgnorable reports whether a rune is never read: controls of direction
// and joining, soft hyphens, variation selectors, tatweel, the points of
// Arabic and Hebrew.
func isIgnorable(r rune) bool {
	switch {
	case r == 0xAD || r == 0x34F || r == 0x640 || r == 0x670 || r == 0xFEFF:
		return true
	case r < 0x591:
		return false
	case r <= 0x5C7:
		return r != 0x5BE && unicode.Is(unicode.Mn, r)
	case r >= 0x610 && r <= 0x61A, r == 0x61C, r >= 0x64B && r <= 0x65F, r >= 0x6D6 && r <= 0x6ED:
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != 0x6DD && r != 0x6DE && r != 0x6E9
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// isCompatible reports whether a rune is another form of ordinary letters:
// Latin ligatures, Arabic presentation forms, full and half width.
func isCompatible(r rune) bool {
	return r >= 0xFB00 && r <= 0xFB06 || r >= 0xFB50 && r <= 0xFDFB || r >= 0xFE70 && r <= 0xFEFC || r >= 0xFF01 && r <= 0xFFEF || r >= 0x132 && r <= 0x133 || r >= 0x1C4 && r <= 0x1CC
}

// digit returns the value of a decimal digit of any script.
func digit(r rune) (int, bool) {
	if r >= '0' && r <= '9' {
		return int(r - '0'), true
	}
	if r < 0x660 {
		return 0, false
	}
	for _, rg := range unicode.Nd.R16 {
		if r <= rune(rg.Hi) {
			if r < rune(rg.Lo) {
				return 0, false
			}
			return int(r-rune(rg.Lo)) % 10, true
		}
	}
	for _, rg := range unicode.Nd.R32 {
		if r <= rune(rg.Hi) {
			if r < rune(rg.Lo) {
				return 0, false
			}
			return int(r-rune(rg.Lo)) % 10, true
		}
	}
	return 0, false
}

// tones are the Vietnamese vowels a, e and y with a tone mark, and the mark's
// column in onsets.
var tones = map[rune]struct {
	plain byte
	tone  int
}{
	'à': {'a', 0}, 'á': {'a', 1}, 'ả': {'a', 2}, 'ã': {'a', 3}, 'ạ': {'a', 4},
	'è': {'e', 0}, 'é': {'e', 1}, 'ẻ': {'e', 2}, 'ẽ': {'e', 3}, 'ẹ': {'e', 4},
	'ỳ': {'y', 0}, 'ý': {'y', 1}, 'ỷ': {'y', 2}, 'ỹ': {'y', 3}, 'ỵ': {'y', 4},
}

var onsets = map[byte][5]rune{
	'o': {'ò', 'ó', 'ỏ', 'õ', 'ọ'},
	'u': {'ù', 'ú', 'ủ', 'ũ', 'ụ'},
}

// moveTone writes a word-final oà, oè or uỳ the older way, òa, òe and ùy: both
// spellings are current and are one word. The word begins at from.
func moveTone(word []byte, from int) []byte {
	r, size := utf8.DecodeLastRune(word[from:])
	last, ok := tones[r]
	i := len(word) - size - 1
	if !ok || i < from || i > from && word[i] == 'u' && word[i-1] == 'q' {
		return word
	}
	onset, ok := onsets[word[i]]
	if !ok || (word[i] == 'u') != (last.plain == 'y') {
		return word
	}
	return append(utf8.AppendRune(word[:i], onset[last.tone]), last.plain)
}
