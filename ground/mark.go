package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark reads what is neither letter nor digit at i: a symbol becomes a token,
// a sign before a digit belongs to the number, and the rest is passed over.
func (s *scanner) mark(dst *[]token, i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	if (r == '-' || r == '−') && s.isSign(i, size) {
		return s.number(dst, i, i+size)
	}
	m, end := readMark(s.text, i)
	if m != symbol {
		s.first = s.first || opens(m)
		return end
	}
	s.buf = foldSymbol(s.buf[:0], s.text[i:end])
	s.add(dst, i, end, fnv(s.buf), isSymbol)
	return end
}

// isSign reports whether the dash at i is the sign of a number.
func (s *scanner) isSign(i, size int) bool {
	if _, n := s.digitAt(i + size); n == 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s.text[:i])
	return i == 0 || unicode.IsSpace(r) || strings.ContainsRune("([{=<>,;:$€£¥", r)
}

// opens reports whether a word after the mark begins a sentence or the like.
func opens(m rune) bool {
	switch m {
	case '.', '!', '?', ':', '"', '(', '[', '{', '…', '#', '|', ';':
		return true
	}
	return false
}

func foldSymbol(dst []byte, s string) []byte {
	for _, r := range s {
		if !unicode.Is(unicode.Sk, r) { // tones of skin
			dst = foldRune(dst, r)
		}
	}
	return dst
}

// symbol is what readMark returns for a symbol, and dropped for a mark that
// is nobody's word: one of Markdown.
const (
	symbol  rune = -1
	dropped rune = 0
)

// readMark reads the mark at i, which is neither letter, digit nor space. It
// returns its canonical form and where it ends.
func readMark(text string, i int) (m rune, end int) {
	c := text[i]
	if c >= utf8.RuneSelf {
		return readHighMark(text, i)
	}
	switch c {
	case '*', '`', '_':
		return dropped, i + 1
	case '~':
		if strings.HasPrefix(text[i:], "~~") {
			return dropped, i + 2
		}
		if i+1 < len(text) && byteClass[text[i+1]] == bDigit {
			return symbol, i + 1
		}
	case '#':
		end := i
		for end < len(text) && end < i+6 && text[end] == '#' {
			end++
		}
		if opensLine(text, i) && end < len(text) && byteClass[text[end]] == bSpace {
			return dropped, end
		}
	case '>':
		if opensLine(text, i) {
			return dropped, i + 1
		}
		return symbol, i + 1
	case '=', '-':
		end := i
		for end < len(text) && text[end] == c {
			end++
		}
		switch {
		case end < len(text) && text[end] == '>':
			return '→', end + 1
		case c == '=':
			return symbol, i + 1
		case end == i+1 && opensLine(text, i) && end < len(text) && text[end] == ' ':
			return dropped, end
		}
		return '-', end
	case '+':
		if opensLine(text, i) && i+1 < len(text) && text[i+1] == ' ' {
			return dropped, i + 1
		}
		return symbol, i + 1
	case '$', '%', '&', '<':
		return symbol, i + 1
	case '.':
		end := i
		for end < len(text) && text[end] == '.' {
			end++
		}
		if end > i+1 {
			return '…', end
		}
	case '!':
		if i+1 < len(text) && text[i+1] == '[' && linkEnd(text, i+1) > 0 {
			return dropped, i + 2
		}
	case '[':
		if linkEnd(text, i) > 0 {
			return dropped, i + 1
		}
	case ']':
		if end := targetEnd(text, i); end > 0 {
			return dropped, end
		}
	}
	return rune(c), i + 1
}

// readHighMark is readMark for marks beyond ASCII.
func readHighMark(text string, i int) (rune, int) {
	r, size := utf8.DecodeRuneInString(text[i:])
	end := i + size
	switch r {
	case '“', '”', '„', '‟', '«', '»', '″', '「', '」', '『', '』', '《', '》', '〝', '〞':
		return '"', end
	case '‘', '’', '‚', '‛', '′', '‹', '›', '´':
		return '\'', end
	case '。', '｡':
		return '.', end
	case '、', '､', '،':
		return ',', end
	case '؛':
		return ';', end
	case '؟':
		return '?', end
	case '…', '→':
		return r, end
	case '•', '◦', '▪', '‣', '·':
		return dropped, end
	}
	switch {
	case isDash(r):
		return '-', end
	case r >= 0xFF01 && r <= 0xFF5E:
		if m := r - 0xFF01 + '!'; byteClass[m] != bSign {
			return m, end
		}
		return symbol, end
	case r >= 0x2190 && r <= 0x21FF, r >= 0x27F0 && r <= 0x27FF:
		return '→', end
	case unicode.IsSpace(r) || isIgnorable(r):
		return dropped, end
	case r == utf8.RuneError:
		return symbol, end
	case unicode.IsSymbol(r) || unicode.In(r, unicode.No, unicode.Nl) || r == '‰':
		return symbol, emojiEnd(text, r, end)
	}
	return r, end
}

// emojiEnd returns where the emoji r ends that has been read up to end: with
// its tone of skin, and all that is joined to it.
func emojiEnd(text string, r rune, end int) int {
	flag := r >= 0x1F1E6 && r <= 0x1F1FF
	for end < len(text) {
		next, n := utf8.DecodeRuneInString(text[end:])
		switch {
		case next == 0x200D:
			joined, m := utf8.DecodeRuneInString(text[end+n:])
			if !unicode.IsSymbol(joined) {
				return end
			}
			n += m
		case flag && next >= 0x1F1E6 && next <= 0x1F1FF:
			flag = false
		case next >= 0x1F3FB && next <= 0x1F3FF, next >= 0xFE00 && next <= 0xFE0F, next == 0x20E3, unicode.Is(unicode.Mn, next):
		default:
			return end
		}
		end += n
	}
	return end
}

// opensLine reports whether nothing but indentation, quotation marks of mail
// and emphasis stand before i in its line. It looks back a few bytes only.
func opensLine(text string, i int) bool {
	for n := 0; n < 12; n++ {
		i--
		if i < 0 || text[i] == '\n' {
			return true
		}
		if strings.IndexByte(" \t>*_", text[i]) < 0 {
			return false
		}
	}
	return false
}

// maxLink bounds the text and the target of a link, in bytes.
const maxLink = 300

// linkEnd returns the end of the Markdown link whose "[" stands at i, or 0.
func linkEnd(text string, i int) int {
	for j := i + 1; j < len(text) && j-i < maxLink; j++ {
		switch text[j] {
		case '[', '\n':
			return 0
		case ']':
			return targetEnd(text, j)
		}
	}
	return 0
}

// targetEnd returns the end of the target of a link that is named before the
// "]" at i, or 0.
func targetEnd(text string, i int) int {
	if i+1 >= len(text) || text[i+1] != '(' {
		return 0
	}
	for j := i + 2; j < len(text) && j-i < maxLink; j++ {
		switch text[j] {
		case ')':
			return j + 1
		case '\n', '(':
			return 0
		}
	}
	return 0
}

// marks appends the canonical marks of a gap between tokens to dst.
func marks(dst []rune, text string, from, to int) []rune {
	for i := from; i < to; {
		if byteClass[text[i]] == bSpace {
			i++
			continue
		}
		m, end := readMark(text, i)
		if m > 0 {
			dst = append(dst, m)
		}
		i = max(end, i+1)
	}
	return dst
}
