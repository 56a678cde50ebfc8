package syntax

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// name reads tokens [lo, hi) as a name: words, a quotation, calls. It reports
// what is wrong and says whether there was a name.
func (p *parser) name(lo, hi int, what string) (string, sir.Span, bool) {
	if lo >= hi {
		p.expectedEnd(what, hi)
		return "", sir.Span{}, false
	}
	for i := lo; i < hi; i++ {
		switch t := p.toks[i]; t.kind {
		case word, quoted, slash, rparen:
		case lparen:
			if t.match > i {
				i = t.match
			}
		case colon:
			if i == lo || i == hi-1 || p.spaced(i+1) {
				p.expected(what+" without a colon (or in quotes)", i)
				return "", sir.Span{}, false
			}
		default:
			if i > lo && t.kind != badQuote {
				what = "the end of " + what + " (or quotes around it)"
			}
			p.expected(what, i)
			return "", sir.Span{}, false
		}
	}
	return p.words(lo, hi, what, true)
}

// spaced reports whether white space stands before token i.
func (p *parser) spaced(i int) bool { return p.toks[i].start > p.toks[i-1].end }

// words is the text of tokens [lo, hi): unquoted where it is one quotation,
// else as written; with stop, a full stop at the end is not part of it.
func (p *parser) words(lo, hi int, what string, stop bool) (string, sir.Span, bool) {
	if lo >= hi {
		p.expectedEnd(what, hi)
		return "", sir.Span{}, false
	}
	s := p.span(lo, hi)
	if hi == lo+1 && p.toks[lo].kind == quoted {
		return p.unquoted(lo, what)
	}
	if hi == lo+2 && stop && p.toks[lo].kind == quoted && p.text[p.toks[lo+1].start:p.toks[lo+1].end] == "." {
		return p.unquoted(lo, what)
	}
	v := s.Of(p.text)
	if before, ok := strings.CutSuffix(v, "."); ok && stop {
		r, _ := utf8.DecodeLastRuneInString(before)
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ')' {
			v, s.End = before, s.End-1
		}
	}
	return oneLine(v), s, true
}

func (p *parser) unquoted(i int, what string) (string, sir.Span, bool) {
	t := p.toks[i]
	_, n := utf8.DecodeRuneInString(p.text[t.start:])
	_, m := utf8.DecodeLastRuneInString(p.text[:t.end])
	s := sir.Span{Start: t.start + n, End: t.end - m}
	v := s.Of(p.text)
	if q := p.text[t.start]; q == '"' || q == '\'' {
		v = unescape(v)
	}
	if strings.TrimSpace(v) == "" {
		p.expected(what, i)
		return "", s, false
	}
	return v, s, true
}

// oneLine joins a text that spans lines with single spaces.
func oneLine(s string) string {
	if strings.Contains(s, "\n") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`, `\"`, `"`, `\'`, `'`)

// unescape undoes quote; a backslash before anything else stays.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escapes.Replace(s)
}

// quote writes s as a quotation that reads back as s.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
}

// freeText reads tokens [lo, hi) as text; brackets must pair, as braces could
// else not be told from a body.
func (p *parser) freeText(lo, hi int, what string) (string, sir.Span, bool) {
	for i := lo; i < hi; i++ {
		switch t := p.toks[i]; {
		case t.kind == badQuote:
			p.expected(what, i)
			return "", sir.Span{}, false
		case t.kind == lbrace && t.match < 0:
			p.unclosed(i)
			return "", sir.Span{}, false
		case t.kind == rbrace && t.match < 0:
			p.expected(what+" without a brace (or in quotes)", i)
			return "", sir.Span{}, false
		}
	}
	return p.words(lo, hi, what, false)
}

// inner reads a text that may stand in { } or [ ].
func (p *parser) inner(lo, hi int, what string) (string, sir.Span, bool) {
	if lo < hi && p.toks[lo].match == hi-1 && (p.toks[lo].kind == lbrace || p.toks[lo].kind == lbrack) {
		lo, hi = lo+1, hi-1
		for lo < hi && p.toks[lo].kind == newline {
			lo++
		}
		for lo < hi && p.toks[hi-1].kind == newline {
			hi--
		}
	}
	return p.freeText(lo, hi, what)
}

// call reads tokens [lo, hi) as an action as written: brackets pair, braces
// stand only within them.
func (p *parser) call(lo, hi int) (string, sir.Span, bool) {
	const what = "an action"
	for i := lo; i < hi; i++ {
		switch t := p.toks[i]; t.kind {
		case lparen, lbrack:
			if t.match < i {
				p.unclosed(i)
				return "", sir.Span{}, false
			}
			i = t.match
		case lbrace, rbrace, arrow, badQuote, newline:
			p.expected(what, i)
			return "", sir.Span{}, false
		}
	}
	return p.words(lo, hi, what, true)
}

// value reads tokens [lo, hi) as field f and adds it.
func (b *builder) value(f *field, lo, hi int) {
	p, what := b.p, "a value for "+f.keys[0]
	if lo >= hi {
		p.expectedEnd(what, hi)
		return
	}
	if f.typ.isList() {
		b.list(f, lo, hi)
		return
	}
	var v any
	var s sir.Span
	var ok bool
	switch f.typ {
	case typeName:
		if p.toks[lo].kind == arrow {
			lo++
		}
		var name string
		name, s, ok = p.name(lo, hi, "a name for "+f.keys[0])
		if f.name == "from" && ok && p.toks[lo].kind != quoted {
			name = anyState(name)
		}
		v = name
	case typeText:
		v, s, ok = p.inner(lo, hi, what)
	default:
		var w string
		if w, s, ok = p.name(lo, hi, what); ok {
			if v, ok = f.scalar(w); !ok {
				p.report(codeValue, diag.Error, s, "expected "+f.wants()+" for "+f.keys[0]+`, found "`+w+`"`)
			}
		}
	}
	if ok {
		b.add(f.name, v, s, nil)
	}
}

// scalar reads the word of a type that is no text.
func (f *field) scalar(w string) (any, bool) {
	fold := strings.ToLower(w)
	switch f.typ {
	case typeInt:
		n, err := strconv.ParseInt(w, 10, 64)
		return n, err == nil
	case typeBool, typeHistory:
		switch fold {
		case "true", "yes":
			return true, true
		case "false", "no":
			return false, true
		}
		return fold, f.typ == typeHistory && (fold == "shallow" || fold == "deep")
	}
	for _, known := range f.words {
		if foldKey(known) == foldKey(w) {
			return known, true
		}
	}
	return nil, false
}

// wants names the values of a type that is no text.
func (f *field) wants() string {
	switch f.typ {
	case typeInt:
		return "a whole number"
	case typeBool:
		return "true or false"
	case typeHistory:
		return "true, false, shallow or deep"
	}
	return quoteList(f.words)
}

// list reads one value, several with commas, or either in [ ].
func (b *builder) list(f *field, lo, hi int) {
	p := b.p
	if p.toks[lo].kind == lbrack {
		switch m := p.toks[lo].match; {
		case m < 0:
			p.unclosed(lo)
			return
		case m == hi-1:
			lo, hi = lo+1, hi-1
		}
	}
	items, spans := []any{}, []sir.Span{}
	for i := lo; i < hi; {
		end := p.segment(i, hi)
		if end > i {
			v, s, ok := b.element(f, i, end)
			if ok {
				items, spans = append(items, v), append(spans, s)
			}
		}
		i = end + 1
	}
	at := sir.Span{Start: p.toks[lo].start, End: p.toks[lo].start}
	if n := len(spans); n > 0 {
		at = sir.Span{Start: spans[0].Start, End: spans[n-1].End}
	} else if lo < hi {
		return // each was wrong, and reported
	}
	b.add(f.name, items, at, spans)
}

func (b *builder) element(f *field, lo, hi int) (string, sir.Span, bool) {
	switch f.typ {
	case typeCalls:
		return b.p.call(lo, hi)
	case typeTexts:
		return b.p.freeText(lo, hi, "a text")
	}
	return b.p.name(lo, hi, "a name")
}

// segment is the end of what starts at i: a comma, ";" or newline outside
// brackets, at most hi.
func (p *parser) segment(i, hi int) int {
	for i < hi {
		switch t := p.toks[i]; {
		case t.kind == comma || t.kind == semi || t.kind == newline:
			return i
		case t.match > i:
			i = t.match + 1
		default:
			i++
		}
	}
	return hi
}
