package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	eof tokenKind = iota
	newline
	word
	quoted   // a closed quotation: "…", '…', `…`, “…”, ‘…’
	badQuote // a " that its line does not close, with the rest of the line
	arrow
	lbrace
	rbrace
	lbrack
	rbrack
	lparen
	rparen
	comma
	semi
	colon
	slash // a / that begins actions: white space follows, or a ] precedes
)

var marks = map[byte]tokenKind{
	'{': lbrace, '}': rbrace, '[': lbrack, ']': rbrack, '(': lparen, ')': rparen,
	',': comma, ';': semi, ':': colon,
}

// token is a piece of the text. Free text is the bytes from its first token's
// start to its last token's end, so that it is kept as written.
type token struct {
	kind       tokenKind
	start, end int
	// match is the index of the other bracket of a pair; unmatched or tooDeep.
	match int
}

const (
	unmatched = -1
	tooDeep   = -2
	maxDepth  = 200
)

type lexer struct {
	text     string
	i        int
	toks     []token
	comments []sir.Span
	// noClose says for an opening quote up to where no closing one stands.
	noClose map[rune]int
}

// lex cuts a text into tokens, the last of which is eof, and pairs brackets.
// Every byte is looked at a bounded number of times.
func lex(text string) ([]token, []sir.Span) {
	l := cut(text)
	pair(l.toks)
	return l.toks, l.comments
}

func cut(text string) *lexer {
	l := &lexer{text: text, noClose: map[rune]int{}}
	for l.i < len(text) {
		l.next()
	}
	l.add(eof, len(text))
	return l
}

// isOpen reports whether a quote or bracket in text may pair with one outside.
func isOpen(text string) bool {
	l := cut(text)
	pair(l.toks)
	for _, t := range l.toks {
		if t.kind >= lbrace && t.kind <= rparen && t.match < 0 {
			return true
		}
	}
	return len(l.noClose) > 0
}

func (l *lexer) add(k tokenKind, end int) {
	l.toks = append(l.toks, token{kind: k, start: l.i, end: end, match: unmatched})
	l.i = end
}

func (l *lexer) next() {
	c := l.text[l.i]
	if c == '\n' {
		l.add(newline, l.i+1)
		return
	}
	r, size := utf8.DecodeRuneInString(l.text[l.i:])
	if unicode.IsSpace(r) {
		l.i += size
		return
	}
	if k, ok := marks[c]; ok {
		l.add(k, l.i+1)
		return
	}
	if n := arrowAt(l.text, l.i); n > 0 {
		l.add(arrow, l.i+n)
		return
	}
	if l.isComment() {
		end := l.lineEnd()
		l.comments = append(l.comments, sir.Span{Start: l.i, End: l.i + len(strings.TrimRightFunc(l.text[l.i:end], unicode.IsSpace))})
		l.i = end
		return
	}
	if l.isSlash(l.i) {
		l.add(slash, l.i+1)
		return
	}
	if end := l.quoteEnd(r, size); end > 0 {
		l.add(quoted, end)
		return
	}
	if r == '"' {
		end := l.lineEnd()
		l.add(badQuote, l.i+len(strings.TrimRightFunc(l.text[l.i:end], unicode.IsSpace)))
		l.i = end
		return
	}
	l.word()
}

// word takes characters up to white space, a mark or an arrow; a quotation
// within it hides them.
func (l *lexer) word() {
	i := l.i
	for i < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		if _, mark := marks[l.text[i]]; mark || unicode.IsSpace(r) {
			break
		}
		if i > l.i && (arrowAt(l.text, i) > 0 || l.isSlash(i)) {
			break
		}
		switch r {
		case '"':
			if end := l.closing(i, '"', '"', 1); end > 0 {
				size = end - i
			}
		case '-', '=': // a run that is no arrow is passed in one step
			for i+size < len(l.text) && l.text[i+size] == l.text[i] {
				size++
			}
		}
		i += size
	}
	l.add(word, i)
}

// arrowAt is the length of the arrow at offset i, or 0. The mark of a run is
// seen from its first character only.
func arrowAt(s string, i int) int {
	switch c := s[i]; c {
	case '-', '=':
		j := i
		for j < len(s) && s[j] == c {
			j++
		}
		if j < len(s) && s[j] == '>' {
			return j + 1 - i
		}
	case 0xE2:
		for _, a := range [...]string{"→", "⇒", "⟶"} {
			if strings.HasPrefix(s[i:], a) {
				return len(a)
			}
		}
	}
	return 0
}

// isComment reports whether a comment begins here: after white space or a
// mark that ends something, and # not before a digit.
func (l *lexer) isComment() bool {
	s := l.text[l.i:]
	switch {
	case strings.HasPrefix(s, "//"):
	case s[0] == '#' && (len(s) == 1 || s[1] < '0' || s[1] > '9'):
	default:
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(l.text[:l.i])
	return l.i == 0 || unicode.IsSpace(r) || strings.ContainsRune("{},;", r)
}

func (l *lexer) isSlash(i int) bool {
	if l.text[i] != '/' {
		return false
	}
	if i > 0 && l.text[i-1] == ']' {
		return true
	}
	r, _ := utf8.DecodeRuneInString(l.text[i+1:])
	return i+1 == len(l.text) || unicode.IsSpace(r)
}

// closers are the quotes and what closes them.
var closers = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '‘': '’'}

// quoteEnd is the end of the quotation that begins here, or 0.
func (l *lexer) quoteEnd(r rune, size int) int {
	c, ok := closers[r]
	if !ok {
		return 0
	}
	return l.closing(l.i, r, c, size)
}

// closing finds the end of the quotation at i within its line, or 0. Only
// "…" and '…' know escapes; an apostrophe closes only at a word's end.
func (l *lexer) closing(i int, open, c rune, size int) int {
	if i < l.noClose[open] {
		return 0
	}
	escapes := open == '"' || open == '\''
	for j := i + size; j < len(l.text) && l.text[j] != '\n'; {
		r, n := utf8.DecodeRuneInString(l.text[j:])
		if r == '\\' && escapes && j+1 < len(l.text) && l.text[j+1] != '\n' {
			j += 2
			continue
		}
		j += n
		if r == c {
			after, _ := utf8.DecodeRuneInString(l.text[j:])
			apostrophe := (c == '\'' || c == '’') && j < len(l.text) && (unicode.IsLetter(after) || unicode.IsDigit(after))
			if !apostrophe {
				return j
			}
		}
	}
	l.noClose[open] = l.lineEndFrom(i)
	return 0
}

func (l *lexer) lineEnd() int { return l.lineEndFrom(l.i) }

func (l *lexer) lineEndFrom(i int) int {
	if n := strings.IndexByte(l.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.text)
}

// pair matches the brackets. Braces are matched first; the others live within
// one brace, and ( ) within a line, [ ] within a line outside braces.
func pair(toks []token) {
	var open []int
	for i := range toks {
		switch toks[i].kind {
		case lbrace:
			open = append(open, i)
		case rbrace:
			if n := len(open); n > 0 {
				join(toks, open[n-1], i)
				open = open[:n-1]
			}
		}
	}
	var stack []int // ( and [ and matched {
	var braces, bracks int
	drop := func(all bool) { // takes off what the line or brace leaves open
		for n := len(stack); n > 0; n = len(stack) {
			k := toks[stack[n-1]].kind
			if k == lbrace || (k == lbrack && !all) {
				return
			}
			if k == lbrack {
				bracks--
			}
			stack = stack[:n-1]
		}
	}
	var saved []int // bracks outside each open brace
	for i := range toks {
		switch toks[i].kind {
		case lbrace:
			if toks[i].match >= 0 {
				stack, saved = append(stack, i), append(saved, bracks)
				braces, bracks = braces+1, 0
			}
		case rbrace:
			if toks[i].match >= 0 {
				drop(true)
				stack = stack[:len(stack)-1]
				bracks, saved = saved[len(saved)-1], saved[:len(saved)-1]
				braces--
			}
		case newline:
			drop(braces == 0)
		case lparen, lbrack:
			stack = append(stack, i)
			if toks[i].kind == lbrack {
				bracks++
			}
		case rparen:
			if n := len(stack); n > 0 && toks[stack[n-1]].kind == lparen {
				join(toks, stack[n-1], i)
				stack = stack[:n-1]
			}
		case rbrack:
			if bracks > 0 {
				drop(false)
				join(toks, stack[len(stack)-1], i)
				stack = stack[:len(stack)-1]
				bracks--
			}
		}
	}
	limit(toks)
}

func join(toks []token, a, b int) { toks[a].match, toks[b].match = b, a }

// limit marks the outermost bracket of a nest that is too deep.
func limit(toks []token) {
	depth, outer := 0, 0
	for i := range toks {
		m := toks[i].match
		switch {
		case m > i:
			if depth == 0 {
				outer = i
			}
			if depth++; depth > maxDepth {
				toks[outer].match = tooDeep
			}
		case m >= 0:
			depth--
		}
	}
}
