package clause

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Kind is what a token is.
type Kind uint8

// The kinds of token.
const (
	Word Kind = iota
	Number
	Punct
	Arrow
	Quoted
	Code
)

// Shape is what a word looks like.
type Shape uint8

// The shapes; a word may have several.
const (
	Capital Shape = 1 << iota // begins with a capital letter
	Upper                     // all letters are capitals, two at least
	Camel                     // a capital after a small letter
	Joined                    // has an inner hyphen or underscore
	Digits                    // has a digit
)

// Token is a word, a number, a mark or a quoted stretch of a text.
type Token struct {
	// Start and End are byte offsets.
	Start, End int32
	// Hash is the [Hash] of the folded token; 0 for quoted stretches.
	Hash  uint64
	Kind  Kind
	Shape Shape
	// Class is what the closed classes know about the word.
	Class Class
}

// Of returns the token's text.
func (t Token) Of(text string) string { return text[t.Start:t.End] }

// Inner returns the token's text without the quotes or back-ticks of a
// quoted stretch.
func (t Token) Inner(text string) string {
	start, end := t.InnerSpan(text)
	return text[start:end]
}

// InnerSpan returns the offsets of Inner.
func (t Token) InnerSpan(text string) (start, end int) {
	start, end = int(t.Start), int(t.End)
	if t.Kind != Quoted && t.Kind != Code {
		return start, end
	}
	_, open := utf8.DecodeRuneInString(text[start:end])
	_, shut := utf8.DecodeLastRuneInString(text[start:end])
	return start + open, end - shut
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Hash is the 64-bit FNV-1a hash of a folded word; every token's Hash is
// that of [Fold] of its text.
func Hash(folded string) uint64 {
	h := uint64(fnvOffset)
	for i := 0; i < len(folded); i++ {
		h = (h ^ uint64(folded[i])) * fnvPrime
	}
	return h
}

// Fold lower-cases a word, composes it (NFC) and straightens apostrophes.
func Fold(word string) string {
	ascii := true
	for i := 0; i < len(word); i++ {
		if word[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(word)
	}
	return strings.ToLower(strings.ReplaceAll(norm.NFC.String(word), "’", "'"))
}

// byte classes of the scanner
const (
	bOther = iota
	bSpace
	bLetter
	bDigit
	bHigh
)

var byteClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = bHigh
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f':
			t[c] = bSpace
		case c >= '0' && c <= '9':
			t[c] = bDigit
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
			t[c] = bLetter
		}
	}
	return t
}()

// Scan splits text[from:to] into tokens and appends them to dst.
func Scan(dst []Token, text string, from, to int) []Token {
	for i := from; i < to; {
		switch c := text[i]; byteClass[c] {
		case bSpace:
			i++
		case bLetter, bDigit:
			var t Token
			t, i = scanWord(text, i, to)
			dst = append(dst, t)
		case bHigh:
			r, size := utf8.DecodeRuneInString(text[i:to])
			switch {
			case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
				i += size
			case isWordRune(r):
				var t Token
				t, i = scanWord(text, i, to)
				dst = append(dst, t)
			default:
				var t Token
				t, i = scanMark(text, i, to)
				dst = append(dst, t)
			}
		default:
			var t Token
			t, i = scanMark(text, i, to)
			dst = append(dst, t)
		}
	}
	return dst
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// isUnspaced reports whether the rune's script is written without spaces, so
// that each rune is a token.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func scanWord(text string, i, to int) (Token, int) {
	start, h := i, uint64(fnvOffset)
	var shape Shape
	letters, uppers, plain, lower := 0, 0, true, false
	first := text[i]
	for i < to {
		c := text[i]
		switch byteClass[c] {
		case bLetter:
			if c >= 'A' && c <= 'Z' {
				letters++
				uppers++
				if lower {
					shape |= Camel
				}
				c += 'a' - 'A'
			} else if c == '_' {
				if i > start {
					shape |= Joined
				}
			} else {
				letters++
				lower = true
			}
			h = (h ^ uint64(c)) * fnvPrime
			i++
			continue
		case bDigit:
			shape |= Digits
			h = (h ^ uint64(c)) * fnvPrime
			i++
			continue
		case bHigh:
			r, size := utf8.DecodeRuneInString(text[i:to])
			if r == '’' && i+size < to && i > start && joins(text, i+size) {
				plain = false
				i += size
				continue
			}
			if isUnspaced(r) {
				if i > start {
					break
				}
				return Token{Start: int32(start), End: int32(i + size), Hash: Hash(Fold(text[i : i+size]))}, i + size
			}
			if !isWordRune(r) && !(unicode.Is(unicode.Cf, r) && i > start && i+size < to && joins(text, i+size)) {
				break
			}
			plain = false
			if unicode.IsUpper(r) {
				letters++
				uppers++
				if lower {
					shape |= Camel
				}
			} else if unicode.IsLetter(r) {
				letters++
				lower = true
			}
			i += size
			continue
		default:
			if c == '-' && i > start && i+1 < to && joins(text, i+1) {
				shape |= Joined
				h = (h ^ uint64(c)) * fnvPrime
				i++
				continue
			}
			if (c == '\'' || c == '.' || c == ':' && text[i-1] >= '0' && text[i-1] <= '9') && i > start && i+1 < to && joins(text, i+1) && (c != ':' || byteClass[text[i+1]] == bDigit) {
				h = (h ^ uint64(c)) * fnvPrime
				i++
				continue
			}
		}
		break
	}
	t := Token{Start: int32(start), End: int32(i), Hash: h}
	if !plain {
		t.Hash = Hash(Fold(text[start:i]))
	}
	if first >= '0' && first <= '9' {
		t.Kind = Number
	}
	if r, _ := utf8.DecodeRuneInString(text[start:i]); unicode.IsUpper(r) {
		shape |= Capital
	}
	if uppers == letters && uppers >= 2 {
		shape |= Upper
	}
	t.Shape = shape
	return t, i
}

// joins reports whether a word goes on at i after a hyphen or apostrophe.
func joins(text string, i int) bool {
	switch byteClass[text[i]] {
	case bLetter, bDigit:
		return true
	case bHigh:
		r, _ := utf8.DecodeRuneInString(text[i:])
		return isWordRune(r) && !isUnspaced(r)
	}
	return false
}

var closers = map[rune]rune{'"': '"', '“': '”', '«': '»', '„': '“', '‘': '’', '\'': '\'', '`': '`', '「': '」', '”': '”'}

// maxQuote bounds a quoted stretch, in bytes.
const maxQuote = 200

func scanMark(text string, i, to int) (Token, int) {
	r, size := utf8.DecodeRuneInString(text[i:to])
	if shut, ok := closers[r]; ok {
		if end := quoteEnd(text, i, size, to, r, shut); end > 0 {
			kind := Quoted
			if r == '`' {
				kind = Code
			}
			return Token{Start: int32(i), End: int32(end), Kind: kind}, end
		}
	}
	if n := arrowLen(text[i:to]); n > 0 {
		return Token{Start: int32(i), End: int32(i + n), Kind: Arrow, Hash: arrowHash}, i + n
	}
	return Token{Start: int32(i), End: int32(i + size), Kind: Punct, Hash: Hash(text[i : i+size])}, i + size
}

// arrowHash is the one hash of every arrow.
var arrowHash = Hash("→")

func arrowLen(s string) int {
	for _, a := range [...]string{"→", "⇒", "⟶", "➔", "➜"} {
		if strings.HasPrefix(s, a) {
			return len(a)
		}
	}
	n := 0
	for n < len(s) && n < 3 && (s[n] == '-' || s[n] == '=') && s[n] == s[0] {
		n++
	}
	if n > 0 && n < len(s) && s[n] == '>' {
		return n + 1
	}
	return 0
}

// quoteEnd returns the end of the quotation that opens at i, or 0.
func quoteEnd(text string, i, size, to int, open, shut rune) int {
	if open == '\'' || open == '‘' {
		if i > 0 {
			if p, _ := utf8.DecodeLastRuneInString(text[:i]); isWordRune(p) {
				return 0
			}
		}
	}
	for j := i + size; j < to && j-i <= maxQuote; {
		r, n := utf8.DecodeRuneInString(text[j:to])
		if r == '\n' {
			return 0
		}
		if r == shut || open == '‘' && r == '\'' {
			if j == i+size {
				return 0
			}
			if shut == '\'' || shut == '’' {
				if j+n < to {
					if next, _ := utf8.DecodeRuneInString(text[j+n : to]); isWordRune(next) {
						j += n
						continue
					}
				}
			}
			return j + n
		}
		j += n
	}
	return 0
}
