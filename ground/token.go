package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word of a text. Words of scripts without spaces are characters.
type token struct {
	start, end uint32
	// hash is that of the folded word, the same for equal ones.
	hash uint64
	// capital: it begins with a capital letter; first: it is the first of a
	// sentence or a line.
	capital, first bool
}

func (t token) of(text string) string { return text[t.start:t.end] }

// tokens cuts a text into words. A contraction gives its two words, with the
// span of both.
func tokens(text string, out []token) []token {
	first := true
	l := words()
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c < utf8.RuneSelf && asciiWord[c]:
			if end, hash := plainWord(text, i); end > 0 {
				if w := l.full(hash); w == nil {
					out = append(out, token{start: uint32(i), end: uint32(end), hash: hash, capital: c < 'a', first: first})
					i, first = end, false
					continue
				}
			}
			end, next := wordEnd(text, i)
			out = l.appendWord(out, text, i, end, first)
			i, first = next, false
		case c < utf8.RuneSelf:
			if c == '.' || c == '!' || c == '?' || c == '\n' || c == ':' || c == ']' {
				first = true
			}
			i++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			switch {
			case unspaced(r):
				end := i + size
				for end < len(text) {
					m, n := utf8.DecodeRuneInString(text[end:])
					if !unicode.Is(unicode.M, m) {
						break
					}
					end += n
				}
				out = append(out, token{start: uint32(i), end: uint32(end), hash: hashOf(fold(text[i:end]))})
				i, first = end, false
			case inWord(r) && r != utf8.RuneError:
				end, next := wordEnd(text, i)
				out = l.appendWord(out, text, i, end, first)
				i, first = next, false
			default:
				if r == '。' || r == '！' || r == '？' || r == '؟' {
					first = true
				}
				i += size
			}
		}
	}
	return out
}

// plainWord is where a word of ASCII letters alone ends, and its hash; 0 where
// the word at i is none. It is [wordEnd] and [fold] for most words there are.
func plainWord(text string, i int) (end int, hash uint64) {
	hash = fnvOffset
	j := i
	for ; j < len(text); j++ {
		c := text[j]
		if c-'a' > 'z'-'a' {
			if c-'A' > 'Z'-'A' {
				break
			}
			c += 'a' - 'A'
		}
		hash = (hash ^ uint64(c)) * fnvPrime
	}
	if j == i || j < len(text) && (text[j] >= utf8.RuneSelf || text[j] == '\'' || isDigit(text[j])) {
		return 0, 0
	}
	return j, hash
}

// asciiWord are the ASCII characters of words.
var asciiWord = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return t
}()

// wordEnd is where the word that begins at i ends, and where the next may
// begin. A number ends where its unit begins.
func wordEnd(text string, i int) (end, next int) {
	digits := isDigit(text[i])
	j := i
	for j < len(text) {
		c := text[j]
		if c < utf8.RuneSelf {
			switch {
			case digits && isDigit(c), !digits && asciiWord[c]:
				j++
				continue
			case digits && (c == '.' || c == ',') && j+1 < len(text) && isDigit(text[j+1]):
				j++
				continue
			case !digits && c == '\'' && j+1 < len(text) && startsWord(text[j+1:]):
				j++
				continue
			}
			return j, j
		}
		r, size := utf8.DecodeRuneInString(text[j:])
		switch {
		case unspaced(r):
			return j, j
		case ignorable(r), !digits && inWord(r) && r != utf8.RuneError, digits && unicode.IsDigit(r):
			j += size
		case !digits && (r == '’' || r == 'ʼ') && startsWord(text[j+size:]):
			j += size
		default:
			return j, j
		}
	}
	return j, j
}

func startsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) && !unspaced(r)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ignorable are characters that nobody sees: soft hyphens, zero-width and
// bidirectional marks, variation selectors, Arabic stretching and vowel signs.
func ignorable(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069,
		r == 0xFEFF, r >= 0xFE00 && r <= 0xFE0F, r == 0x0640, r >= 0x064B && r <= 0x0652, r == 0x0670:
		return true
	}
	return false
}

// appendWord adds a word, or the words of a contraction.
func (l *lexicon) appendWord(out []token, text string, start, end int, first bool) []token {
	raw := text[start:end]
	t := token{start: uint32(start), end: uint32(end), first: first}
	simple := true
	h := uint64(fnvOffset)
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c >= utf8.RuneSelf || c == '\'' || c == ',' {
			simple = false
			break
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = (h ^ uint64(c)) * fnvPrime
	}
	if c := raw[0]; c < utf8.RuneSelf {
		t.capital = 'A' <= c && c <= 'Z'
	} else {
		r, _ := utf8.DecodeRuneInString(raw)
		t.capital = unicode.IsUpper(r)
	}
	if simple {
		t.hash = h
		if w := l.full(h); w != nil { // "two" is "2", "gonna" is "going to"
			return appendAll(out, t, w)
		}
		return append(out, t)
	}
	folded := fold(raw)
	if folded == "" {
		return out
	}
	if w := l.expand(folded); w != nil {
		return appendAll(out, t, w)
	}
	t.hash = hashOf(folded)
	return append(out, t)
}

func appendAll(out []token, t token, hashes []uint64) []token {
	for i, h := range hashes {
		t.hash = h
		if i > 0 {
			t.capital, t.first = false, false
		}
		out = append(out, t)
	}
	return out
}

// expand is a contraction as its words; nil for what is none.
func (l *lexicon) expand(word string) []uint64 {
	if w := l.full(hashOf(word)); w != nil {
		return w
	}
	if stem, ok := strings.CutSuffix(word, "n't"); ok && stem != "" {
		return []uint64{hashOf(stem), hashOf("not")}
	}
	at := strings.LastIndexByte(word, '\'')
	if at <= 0 {
		return nil
	}
	if full, ok := endings[word[at+1:]]; ok {
		return []uint64{hashOf(word[:at]), hashOf(full)}
	}
	return nil
}

// endings are what stands behind an apostrophe, in full; "s" is "is", "has",
// "us" or an owner's.
var endings = map[string]string{"re": "are", "ll": "will", "ve": "have", "m": "am", "d": "would", "s": "'s"}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hashOf is FNV-1a, 64 bits.
func hashOf(s string) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// fold is a word as it is compared: lower case, compatible characters as one
// (full width, ligatures, composed and decomposed), apostrophes straight,
// digits as 0 to 9, without what nobody sees and without the marks between
// thousands.
func fold(word string) string {
	var b strings.Builder
	for _, r := range norm.NFKC.String(word) {
		switch {
		case ignorable(r):
			continue
		case r == '’' || r == 'ʼ' || r == '‘':
			r = '\''
		case r >= 0x0622 && r <= 0x0625 && r != 0x0624:
			r = 0x0627 // alef with its marks
		case r > unicode.MaxASCII && unicode.IsDigit(r):
			if n := digitValue(r); n >= 0 {
				r = '0' + n
			}
		default:
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	out := oneSpelling.Replace(b.String())
	if out != "" && isDigit(out[0]) {
		out = withoutThousands(out)
	}
	return out
}

// oneSpelling puts what case folding leaves apart into one form: the sharp s
// and its capitals, the small and the dotted capital i.
var oneSpelling = strings.NewReplacer("ß", "ss", "i\u0307", "i")

// digitValue is the value of a decimal digit of any script: they stand in
// runs of ten that begin at a zero.
func digitValue(r rune) rune {
	n := rune(0)
	for unicode.IsDigit(r-1) && n < 9 {
		r--
		n++
	}
	return n
}

// withoutThousands takes the commas out of "1,598,000".
func withoutThousands(n string) string {
	groups := strings.Split(n, ",")
	for i, g := range groups {
		whole, _, _ := strings.Cut(g, ".")
		if i > 0 && len(whole) != 3 {
			return n
		}
	}
	return strings.Join(groups, "")
}
