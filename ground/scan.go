package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number, a symbol, or a character of a script without
// spaces. Marks of punctuation are no tokens: they are what stands between.
type token struct {
	start, end int32 // bytes of the part
	// key holds the hash of the folded word above, the flags in the low byte
	key uint64
}

// The flags of a token.
const (
	isNumber  = 1 << iota // begins with a digit, or a sign and a digit
	isChar                // a character of a script without spaces
	isSymbol              // a currency sign, a percent sign, an emoji …
	isCapital             // begins with a capital letter
	isUpper               // has no small letter, and two capitals at least
	isFirst               // a sentence, a line or a quotation begins here
	isGlued               // a unit that follows its number without a space
	flagBits  = 8
	flags     = 1<<flagBits - 1
)

func (t token) is(flag uint64) bool     { return t.key&flag != 0 }
func (t token) same(o token) bool       { return (t.key^o.key)>>flagBits == 0 }
func (t token) hash() uint64            { return t.key >> flagBits }
func (t token) of(text string) string   { return text[t.start:t.end] }
func makeKey(h uint64, f uint64) uint64 { return h<<flagBits | f }

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hashFolded is the hash of a folded word, as token.hash returns it.
func hashFolded[T string | []byte](word T) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(word); i++ {
		h = (h ^ uint64(word[i])) * fnvPrime
	}
	return mixed(h)
}

// hashOf is the hash of a word.
func hashOf(word string) uint64 {
	var buf [64]byte
	return hashFolded(foldWord(buf[:0], word))
}

// mixed takes the bits that token.key has room for.
func mixed(h uint64) uint64 { return (h ^ h>>32) & (1<<(64-flagBits) - 1) }

// The classes of bytes.
const (
	bMark = iota
	bSpace
	bLetter
	bDigit
	bSign // a symbol
	bHigh // begins a rune beyond ASCII
)

var byteClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = bHigh
		case c <= ' ' || c == 0x7F:
			t[c] = bSpace
		case c >= '0' && c <= '9':
			t[c] = bDigit
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			t[c] = bLetter
		case strings.IndexByte("$%&+<=>", byte(c)) >= 0:
			t[c] = bSign
		}
	}
	return t
}()

// scanner cuts one text into tokens.
type scanner struct {
	text  string
	first bool // the next word begins a sentence
	buf   []byte
}

// scan appends the tokens of a text to dst.
func scan(dst []token, text string) []token {
	s := scanner{text: text, first: true}
	for i := 0; i < len(text); {
		switch byteClass[text[i]] {
		case bSpace:
			if text[i] == '\n' {
				s.first = true
			}
			i++
		case bLetter:
			i = s.word(&dst, i, 0)
		case bDigit:
			i = s.number(&dst, i, i)
		case bHigh:
			i = s.high(&dst, i)
		default:
			i = s.mark(&dst, i)
		}
	}
	return dst
}

func (s *scanner) add(dst *[]token, start, end int, hash, flag uint64) {
	if s.first {
		flag |= isFirst
		s.first = false
	}
	*dst = append(*dst, token{int32(start), int32(end), makeKey(mixed(hash), flag)})
}

// word reads a word whose first rune stands at i, and returns its end.
func (s *scanner) word(dst *[]token, i int, flag uint64) int {
	start, h, ascii := i, uint64(fnvOffset), true
	uppers, lowers := 0, 0
loop:
	for i < len(s.text) {
		c := s.text[i]
		switch byteClass[c] {
		case bLetter:
			if c < 'a' {
				uppers++
				c += 'a' - 'A'
			} else {
				lowers++
			}
			h = (h ^ uint64(c)) * fnvPrime
			i++
		case bDigit:
			h = (h ^ uint64(c)) * fnvPrime
			i++
		case bHigh:
			r, size := utf8.DecodeRuneInString(s.text[i:])
			if !goesOn(r) && !(isApostrophe(r) && i > start && s.letterAt(i+size)) {
				break loop
			}
			if unicode.IsUpper(r) {
				uppers++
			} else if unicode.IsLetter(r) {
				lowers++
			}
			ascii = false
			i += size
		default:
			if (c != '\'' || !s.letterAt(i+1)) && (c != '_' || i+1 == len(s.text) || !s.wordAt(i+1)) {
				break loop
			}
			h = (h ^ uint64(c)) * fnvPrime
			i++
		}
	}
	if !ascii {
		s.buf = foldWord(s.buf[:0], s.text[start:i])
		h = fnv(s.buf)
	}
	if c := s.text[start]; c >= 'A' && c <= 'Z' {
		flag |= isCapital
	} else if c >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(s.text[start:]); unicode.IsUpper(r) || unicode.IsTitle(r) {
			flag |= isCapital
		}
	}
	if uppers >= 2 && lowers == 0 {
		flag |= isUpper
	}
	s.add(dst, start, i, h, flag)
	return i
}

func fnv(folded []byte) uint64 {
	h := uint64(fnvOffset)
	for _, c := range folded {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// number reads a number whose first digit stands at i; start is there or at
// its sign. Digits that are joined by one mark (1,500 2026-03-14 14:30 148/92)
// are one number. A unit that follows without a space is a token of its own.
func (s *scanner) number(dst *[]token, start, i int) int {
	for i < len(s.text) {
		_, size := s.digitAt(i)
		if size == 0 {
			r, n := utf8.DecodeRuneInString(s.text[i:])
			if !joinsDigits(r) {
				break
			}
			if _, size = s.digitAt(i + n); size == 0 {
				break
			}
			size += n
		}
		i += size
	}
	s.buf = s.buf[:0]
	for _, r := range s.text[start:i] {
		switch {
		case isDash(r):
			s.buf = append(s.buf, '-')
		default:
			s.buf = foldRune(s.buf, r)
		}
	}
	s.add(dst, start, i, fnv(s.buf), isNumber)
	if i < len(s.text) && s.letterAt(i) {
		return s.word(dst, i, isGlued)
	}
	return i
}

func joinsDigits(r rune) bool {
	switch r {
	case '.', ',', ':', '/', '_', '\'', '’', '٫', '٬', '－', '．', '，', '：', '／':
		return true
	}
	return isDash(r)
}

func isDash(r rune) bool {
	return r == '-' || r >= 0x2010 && r <= 0x2015 || r == '−' || r == '－'
}

func isApostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == 'ʼ' || r == '‘' || r == 'ʻ' || r == '＇'
}

// digitAt returns the digit at i and its size; 0 for none.
func (s *scanner) digitAt(i int) (d, size int) {
	if i >= len(s.text) {
		return 0, 0
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		if byteClass[c] == bDigit {
			return int(c - '0'), 1
		}
		return 0, 0
	}
	r, size := utf8.DecodeRuneInString(s.text[i:])
	if r >= 0xFF10 && r <= 0xFF19 {
		return int(r - 0xFF10), size
	}
	if d, ok := digit(r); ok {
		return d, size
	}
	return 0, 0
}

// letterAt reports whether a letter of a script with spaces stands at i.
func (s *scanner) letterAt(i int) bool {
	if i >= len(s.text) {
		return false
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		return byteClass[c] == bLetter
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsLetter(r) && !isUnspaced(r)
}

func (s *scanner) wordAt(i int) bool {
	_, size := s.digitAt(i)
	return size > 0 || s.letterAt(i) || s.text[i] == '_'
}

// goesOn reports whether a rune beyond ASCII continues a word.
func goesOn(r rune) bool {
	switch {
	case isUnspaced(r):
		return false
	case isIgnorable(r):
		return r != 0xFEFF
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// isUnspaced reports whether the rune's script is written without spaces
// between words, or, as Korean, with endings that a quote may leave off.
func isUnspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, r >= 0x1000 && r <= 0x109F, r >= 0x1100 && r <= 0x11FF, r >= 0x1780 && r <= 0x17FF:
		return true
	case r < 0x2E80:
		return false
	}
	return r <= 0x2FDF || r >= 0x3005 && r <= 0x3007 || r >= 0x3041 && r <= 0x318F && r != 0x30FB || r >= 0x31F0 && r <= 0x31FF ||
		r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7FF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFF66 && r <= 0xFFDC || r >= 0x20000 && r <= 0x3FFFF
}

// high reads what a rune beyond ASCII begins.
func (s *scanner) high(dst *[]token, i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	_, digits := s.digitAt(i)
	switch {
	case digits > 0:
		return s.number(dst, i, i)
	case isUnspaced(r) && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.In(r, unicode.Nl, unicode.So)):
		return s.char(dst, i, size)
	case unicode.IsSpace(r) || isIgnorable(r) || r == utf8.RuneError:
		if r == 0x2028 || r == 0x2029 {
			s.first = true
		}
		if r == utf8.RuneError {
			s.add(dst, i, i+size, uint64(s.text[i])|1<<40, isSymbol)
		}
		return i + size
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return s.word(dst, i, 0)
	}
	return s.mark(dst, i)
}

// char reads a character of a script without spaces, with what combines with
// it.
func (s *scanner) char(dst *[]token, i, size int) int {
	end := i + size
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !unicode.Is(unicode.Mn, r) && !isIgnorable(r) && r != 0xFF9E && r != 0xFF9F && (r < 0x1160 || r > 0x11FF) {
			break
		}
		end += n
	}
	s.buf = foldWord(s.buf[:0], s.text[i:end])
	s.add(dst, i, end, fnv(s.buf), isChar)
	return end
}
