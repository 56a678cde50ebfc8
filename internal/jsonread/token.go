package jsonread

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// gap goes over white space and comments, and mends what JSON has not.
func (p *parser) gap(at int) int {
	end := p.space(at)
	for i := at; i < end; i++ {
		if c := p.src[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			p.patch(at, end, " ")
			break
		}
	}
	return end
}

// space goes over white space and comments.
func (p *parser) space(at int) int {
	for at < p.end {
		rest := p.src[at:p.end]
		switch {
		case rest[0] <= ' ':
			at++
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			at = p.after(at, "\n")
		case strings.HasPrefix(rest, "/*"):
			at = p.after(at+2, "*/")
		case rest[0] >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
				return at
			}
			at += size
		default:
			return at
		}
	}
	return p.end
}

// after returns where the next mark ends.
func (p *parser) after(at int, mark string) int {
	if n := strings.Index(p.src[at:p.end], mark); n >= 0 {
		return at + n + len(mark)
	}
	return p.end
}

// blank goes over white space in a line of sight: it must cost nothing where
// it is tried often, so it knows no comments.
func (p *parser) blank(at int) int {
	for at < p.end && (p.src[at] == ' ' || p.src[at] == '\n' || p.src[at] == '\t' || p.src[at] == '\r') {
		at++
	}
	return at
}

// word goes over a key without quotes.
func (p *parser) word(at int) int {
	for i, r := range p.src[at:p.end] {
		if r != '_' && r != '$' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return at + i
		}
	}
	return p.end
}

// literals are the values that are words, in small letters, and what JSON has
// for them.
var literals = map[string]string{
	"true": "true", "false": "false", "null": "null", "none": "null", "undefined": "null",
	"nan": "null", "-nan": "null", "+nan": "null",
	"infinity": "null", "-infinity": "null", "+infinity": "null", "inf": "null", "-inf": "null", "+inf": "null",
}

// scalar reads a number or a literal.
func (p *parser) scalar(at int) (int, state) {
	end := at
	for end < p.end && isScalar(p.src[end]) {
		end++
	}
	token := p.src[at:end]
	switch {
	case end == p.end:
		return end, cut
	case token == "":
		return at, broken
	case isNumber(token) || token == "null" || token == "true" || token == "false":
		return end, whole
	}
	if with, ok := literals[strings.ToLower(token)]; ok {
		p.patch(at, end, with)
		return end, whole
	}
	with, ok := number(token)
	if !ok {
		return at, broken
	}
	p.patch(at, end, with)
	return end, whole
}

func isScalar(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
		c == '+' || c == '-' || c == '.' || c == '_' || c == ':' || c == '%'
}

// number gives a token that begins like a number the form that JSON has: the
// number, where only a sign or a zero is too many or too few, else a string,
// so that nothing is lost (007, 1.2.3, 2026-03-01, 85%).
func number(token string) (string, bool) {
	n := strings.TrimPrefix(token, "+")
	switch {
	case strings.HasPrefix(n, "."):
		n = "0" + n
	case strings.HasPrefix(n, "-."):
		n = "-0" + n[1:]
	case strings.HasSuffix(n, "."):
		n += "0"
	}
	if isNumber(n) {
		return n, true
	}
	if c := token[0]; c < '0' || c > '9' {
		return "", false
	}
	return `"` + token + `"`, true
}

// isNumber reports whether s is a number as JSON writes it.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	n := digits(s)
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	if s = s[n:]; s != "" && s[0] == '.' {
		if n = digits(s[1:]); n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digits(s) == len(s)
}

// digits counts the digits that s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
