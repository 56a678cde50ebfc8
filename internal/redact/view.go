package redact

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// view is a text as the reader sees it: without invisible characters and
// combining marks, with ASCII for full-width forms, for the digits of other
// scripts, and for the many dashes and spaces. Text that was written as JSON is
// seen as it was before.
type view struct {
	text string
	// s is the text, folded, but for case; low is s in small letters, byte for
	// byte in the same place.
	s, low string
	// from are the offsets in text of the bytes of s; nil where they are the
	// same.
	from []int32
}

// escapes are what JSON writes for characters that part words, replaced by
// those in the same number of bytes.
var escapes = strings.NewReplacer(`\n`, " \n", `\r`, "  ", `\t`, "  ", `\"`, ` "`, `\u003c`, "     <", `\u003e`, "     >", `\u0027`, "     '")

func newView(text string) *view {
	unescaped := text
	if strings.IndexByte(text, '\\') >= 0 {
		unescaped = escapes.Replace(text)
	}
	ascii := true
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return &view{text: text, s: unescaped, low: strings.ToLower(unescaped)}
	}
	v := &view{text: text, from: make([]int32, 0, len(text))}
	s, low := make([]byte, 0, len(text)), make([]byte, 0, len(text))
	for i, r := range unescaped {
		small := r
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				small += 'a' - 'A'
			}
			s, low, v.from = append(s, byte(r)), append(low, byte(small)), append(v.from, int32(i))
			continue
		}
		if r = fold(r); r < 0 {
			continue
		}
		before := len(s)
		s = utf8.AppendRune(s, r)
		if small = unicode.ToLower(r); utf8.RuneLen(small) != len(s)-before {
			small = r
		}
		low = utf8.AppendRune(low, small)
		for range len(s) - before {
			v.from = append(v.from, int32(i))
		}
	}
	v.s, v.low = string(s), string(low)
	return v
}

// fold returns what stands for a character that is not ASCII; -1 for one that
// is not seen.
func fold(r rune) rune {
	switch {
	case r < 0xA0:
		return r
	case r >= 0x300 && r <= 0x36F, r >= 0x64B && r <= 0x652, r >= 0xFE00 && r <= 0xFE0F, r == 0x20E3, r == 0x640:
		return -1 // marks on letters, variants, keycaps, the Arabic stretch
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xFE58, r == 0xFE63:
		return '-'
	case r == 0xB7, r == 0x2022, r == 0x2024, r == 0x30FB, r == 0xFE52:
		return '.'
	case r == 0xFE6B:
		return '@'
	case unicode.Is(unicode.Cf, r), r == 0x34F, r == 0x115F, r == 0x3164:
		return -1
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Nd, r):
		return digit(r)
	}
	return r
}

// digit returns the ASCII digit for one of another script. Unicode has them in
// rows of ten.
func digit(r rune) rune {
	if r <= 0xFFFF {
		rows := unicode.Nd.R16
		i := sort.Search(len(rows), func(i int) bool { return rune(rows[i].Hi) >= r })
		return '0' + (r-rune(rows[i].Lo))%10
	}
	rows := unicode.Nd.R32
	i := sort.Search(len(rows), func(i int) bool { return rune(rows[i].Hi) >= r })
	return '0' + (r-rune(rows[i].Lo))%10
}

// span returns where s[start:end] stands in the text. Marks on its last
// letter belong to it.
func (v *view) span(start, end int) (int, int) {
	first, last := start, end-1
	if v.from != nil {
		first, last = int(v.from[start]), int(v.from[end-1])
	}
	if first > 0 && v.text[first-1:first+1] == `\"` {
		first-- // or what stays would escape what follows
	}
	_, size := utf8.DecodeRuneInString(v.text[last:])
	at := last + size
	for at < len(v.text) {
		r, size := utf8.DecodeRuneInString(v.text[at:])
		if !unicode.IsMark(r) {
			break
		}
		at += size
	}
	return first, at
}

// before returns the character of s that ends at at; 0 at the beginning.
func (v *view) before(at int) rune {
	if at == 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(v.s[:at])
	return r
}

// after returns the character of s that begins at at; 0 at the end.
func (v *view) after(at int) rune {
	if at >= len(v.s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(v.s[at:])
	return r
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// unspaced reports whether a letter is of a script that puts no spaces between
// words.
func unspaced(r rune) bool {
	return r >= 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
