package jsonread

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// place says where a string stands: what may follow it depends on that.
type place uint8

const (
	key      place = iota
	member         // the value of a key
	element        // in a list
	alone          // the whole of a text
	anywhere       // between the ruins of a broken value
)

// closers returns the quotes that may end a string, by the one that opens it;
// "" if that is no quote. Straight double quotes are closed by their like
// alone: typographic ones inside belong to the words.
func closers(open rune) string {
	switch open {
	case '"':
		return `"`
	case '\'':
		return `'`
	case '“', '”', '„', '‟':
		return `“”‟"`
	case '‘', '’', '‚', '‛':
		return `‘’‛'`
	case '«':
		return `»`
	case '»':
		return `«`
	}
	return ""
}

// quote returns the quote at at and its size, or 0.
func (p *parser) quote(at int) (rune, int) {
	if at >= p.end {
		return 0, 0
	}
	switch c := p.src[at]; {
	case c == '"' || c == '\'':
		return rune(c), 1
	case c < utf8.RuneSelf:
		return 0, 0
	}
	r, size := utf8.DecodeRuneInString(p.src[at:p.end])
	if closers(r) == "" {
		return 0, 0
	}
	return r, size
}

// plain are the bytes that strings hold as they are.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\'' && c != '\\'
	}
	return t
}()

// text reads the string whose opening quote is at at.
func (p *parser) text(at int, in place) (int, state) {
	open, size := p.quote(at)
	if open != '"' {
		p.patch(at, at+size, `"`)
	}
	for at += size; at < p.end; {
		c := p.src[at]
		switch {
		case plain[c]:
			for at++; at < p.end && plain[p.src[at]]; {
				at++
			}
		case c == '\\':
			n, with := escape(p.src[at:p.end])
			if n == 0 {
				return at, cut
			}
			if with != "" {
				p.patch(at, at+n, with)
			}
			at += n
		case c < ' ':
			p.patch(at, at+1, control(rune(c)))
			at++
		default:
			r, n := utf8.DecodeRuneInString(p.src[at:p.end])
			if r == utf8.RuneError && n == 1 {
				p.patch(at, at+1, "\uFFFD")
			} else if closers(r) != "" {
				closed := strings.ContainsRune(closers(open), r) && p.closes(at+n, in)
				switch {
				case closed && r != '"':
					p.patch(at, at+n, `"`)
				case !closed && r == '"':
					p.patch(at, at+n, `\"`)
				}
				if closed {
					return at + n, whole
				}
			}
			at += n
		}
	}
	return p.end, cut
}

// control writes a control character as JSON does.
func control(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escape reads the escape that s begins with: how long it is, and what it
// must be replaced by, "" if it may stay. A length of 0 says that s ends
// inside it.
func escape(s string) (int, string) {
	if len(s) < 2 {
		return 0, ""
	}
	switch c := s[1]; {
	case strings.IndexByte(`"\/bfnrt`, c) >= 0:
		return 2, ""
	case c == 'u':
		return unicodeEscape(s)
	case c == 'x':
		if n, err := strconv.ParseUint(s[2:min(4, len(s))], 16, 8); err == nil && len(s) >= 4 {
			return 4, fmt.Sprintf(`\u%04x`, n)
		}
		return 1, `\\`
	case c < ' ':
		return 2, control(rune(c))
	}
	r, size := utf8.DecodeRuneInString(s[1:])
	if r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r) {
		return 1, `\\` // a path, an expression: the backslash was meant
	}
	return 1 + size, s[1 : 1+size]
}

// unicodeEscape is escape for `\u`.
func unicodeEscape(s string) (int, string) {
	first, n := hex4(s)
	switch {
	case n == 0 && len(s) < 6:
		return 0, ""
	case n == 0:
		return 1, `\\`
	case !utf16.IsSurrogate(first):
		return n, ""
	}
	if second, m := hex4(s[n:]); m > 0 && utf16.DecodeRune(first, second) != utf8.RuneError {
		return n + m, ""
	}
	return n, "\uFFFD"
}

// hex4 reads `\uXXXX`; the length is 0 if s does not begin so.
func hex4(s string) (rune, int) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), 6
}

// sight is how far closes looks for the end of a key.
const sight = 256

// closes reports whether a quote that ends at at ends its string: whether
// what follows is what follows a string. Whatever follows one in valid JSON,
// or in a piece of it, passes.
func (p *parser) closes(at int, in place) bool {
	then := p.blank(at)
	if then >= p.end {
		return true
	}
	c := p.src[then]
	switch in {
	case alone:
		return false
	case anywhere:
		return c == ',' || c == ':' || c == '}' || c == ']'
	case key:
		return c == ':' || c == ',' || c == '}'
	}
	switch {
	case c == '}' || c == ']' || p.comment(then):
		return true
	case c == ',':
		then = p.blank(then + 1)
	case then == at || !p.quoted(then):
		return false // not even a comma was forgotten
	}
	if in == member {
		return p.keyFollows(then)
	}
	return p.valueFollows(then)
}

// comment reports whether a comment begins at at.
func (p *parser) comment(at int) bool {
	rest := p.src[at:p.end]
	return strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "# ")
}

func (p *parser) quoted(at int) bool {
	quote, _ := p.quote(at)
	return quote != 0
}

// keyFollows reports whether a key with its colon may stand at at, or the end
// of an object, as far as can be seen.
func (p *parser) keyFollows(at int) bool {
	if at >= p.end {
		return true
	}
	switch c := p.src[at]; {
	case c == '}' || c == '{' || c == ',' || p.comment(at):
		return true
	case !p.quoted(at):
		end := p.word(at)
		return end > at && p.colonFollows(end)
	}
	open, size := p.quote(at)
	for i := at + size; i < p.end; {
		r, n := utf8.DecodeRuneInString(p.src[i:p.end])
		switch {
		case i-at > sight:
			return true
		case r == '\n':
			return false
		case r == '\\':
			n = min(2, p.end-i)
		case strings.ContainsRune(closers(open), r):
			return p.colonFollows(i + n)
		}
		i += n
	}
	return true
}

func (p *parser) colonFollows(at int) bool {
	at = p.blank(at)
	return at >= p.end || p.src[at] == ':'
}

// valueFollows reports whether a value may stand at at, or the end of a list,
// as far as can be seen.
func (p *parser) valueFollows(at int) bool {
	if at >= p.end {
		return true
	}
	c := p.src[at]
	if c == ']' || c == '{' || c == '[' || c == ',' || c >= '0' && c <= '9' || c == '-' || p.quoted(at) || p.comment(at) {
		return true
	}
	end := at
	for end < p.end && end-at < sight && isScalar(p.src[end]) {
		end++
	}
	return end == p.end || literals[strings.ToLower(p.src[at:end])] != ""
}
