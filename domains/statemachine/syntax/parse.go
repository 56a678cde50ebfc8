package syntax

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// Parse reads the statements of a text, one a line or separated by ";".
//
// It returns the statements that parse, in the order of the text, and a
// diagnostic for each mistake. A mistake drops its statement, and reading goes
// on at the next line or ";". Within braces a mistake drops one key only: an
// unknown or repeated key is a warning, a value that does not fit an error.
// After a brace that nothing closes, the lines up to the next statement
// keyword are passed over.
//
// Where a statement begins with its kind and a colon, or o.Kind gives its
// kind, keys may follow on the line: "state: idle; entry: hideSpinner".
func Parse(text string, o Options) ([]Statement, []diag.Diagnostic) {
	p := newParser(text, o)
	var out []Statement
	for _, it := range p.items() {
		if it.ok {
			it.stmt.shift(o.At.Bytes[0])
			out = append(out, it.stmt)
		}
	}
	return out, p.diags
}

type parser struct {
	text     string
	opt      Options
	toks     []token
	comments []sir.Span
	places   *places
	diags    []diag.Diagnostic
}

func newParser(text string, o Options) *parser {
	p := &parser{text: text, opt: o}
	p.toks, p.comments = lex(text)
	return p
}

// item is a stretch of the text between separators.
type item struct {
	lo, hi int // tokens [lo, hi)
	ok     bool
	stmt   Statement
	// clean is set where nothing was reported.
	clean bool
}

func (p *parser) items() []item {
	var out []item
	kind, lost := p.opt.Kind, false
	for i := 0; p.toks[i].kind != eof; {
		if k := p.toks[i].kind; k == newline || k == semi {
			i++
			continue
		}
		hi := p.stmtEnd(i)
		_, keyed := p.keyword(i)
		if lost && !keyed { // the rest of an unclosed brace
			out, i = append(out, item{lo: i, hi: hi}), hi
			continue
		}
		before := len(p.diags)
		it := p.item(i, hi, kind)
		it.clean = it.ok && len(p.diags) == before
		lost = p.loose(i, it.hi)
		out, i, kind = append(out, it), it.hi, ""
	}
	if kind.Valid() {
		p.expectedEnd(schemas[kind].what, len(p.toks)-1)
	}
	return out
}

// stmtEnd is the token that ends the statement at i: a newline, ";" or eof
// outside brackets.
func (p *parser) stmtEnd(i int) int {
	for {
		switch t := p.toks[i]; {
		case t.kind == newline || t.kind == semi || t.kind == eof:
			return i
		case t.match > i:
			i = t.match + 1
		default:
			i++
		}
	}
}

// loose reports whether a brace opens in [lo, hi) that nothing closes.
func (p *parser) loose(lo, hi int) bool {
	return p.findBad(lo, hi, lbrace) >= 0
}

// findBad finds an opening bracket of kind k without its pair, or -1.
func (p *parser) findBad(lo, hi int, k tokenKind) int {
	for i := lo; i < hi; i++ {
		if p.toks[i].kind == k && p.toks[i].match < 0 {
			return i
		}
		if p.toks[i].match > i {
			i = p.toks[i].match
		}
	}
	return -1
}

// keyword reads token i as the word that begins a statement.
func (p *parser) keyword(i int) (Kind, bool) {
	if t := p.toks[i]; t.kind == word && t.end-t.start <= len(Transition) {
		k := Kind(strings.ToLower(p.text[t.start:t.end]))
		return k, k.Valid()
	}
	return "", false
}

// item reads the statement of tokens [lo, hi); kind is set where a marker has
// taken its keyword.
func (p *parser) item(lo, hi int, kind Kind) item {
	it, at := item{lo: lo, hi: hi}, lo
	pairs := kind != ""
	if !kind.Valid() {
		k, ok := p.keyword(lo)
		if !ok {
			p.noKeyword(lo, hi)
			return it
		}
		kind, at = k, lo+1
		if p.toks[at].kind == colon {
			pairs, at = true, at+1
		}
	}
	b := &builder{p: p, kind: kind, schema: schemas[kind]}
	it.ok = b.statement(at, hi)
	if pairs {
		end := hi
		for p.toks[end].kind == semi && b.isPair(end+1) {
			end = p.stmtEnd(end + 1)
		}
		if end > hi {
			b.body(hi+1, end)
			it.hi = end
		}
	}
	it.ok = it.ok && b.complete(at, hi)
	it.stmt = Statement{Kind: kind, Fields: b.sorted(), Span: sir.Span{Start: p.toks[lo].start, End: p.toks[it.hi-1].end}}
	return it
}

// isPair reports whether "key:" stands at token i, and the kind has the key.
func (b *builder) isPair(i int) bool {
	key, _, ok := b.key(i)
	return ok && b.schema.byKey(key) != nil
}

func (p *parser) noKeyword(lo, hi int) {
	t := p.toks[lo]
	what := "a statement keyword (state, transition, event, guard, action, invariant or constraint)"
	if p.find(lo, hi, arrow) >= 0 {
		what = "transition before the source state"
	}
	if t.kind == word && t.end-t.start > 2 {
		w := strings.ToLower(p.text[t.start:min(t.end, t.start+20)])
		for _, k := range Kinds() {
			if distance(w, string(k)) <= 2 {
				what = "a statement keyword such as " + string(k)
			}
		}
	}
	p.report(codeKeyword, diag.Error, sir.Span{Start: t.start, End: t.end}, "expected "+what+", found "+p.describe(t))
}

// find finds a token of kind k in [lo, hi) outside brackets, or -1.
func (p *parser) find(lo, hi int, k tokenKind) int {
	for i := lo; i < hi; i++ {
		if p.toks[i].kind == k {
			return i
		}
		if p.toks[i].match > i {
			i = p.toks[i].match
		}
	}
	return -1
}

// span is the bytes of tokens [lo, hi).
func (p *parser) span(lo, hi int) sir.Span {
	return sir.Span{Start: p.toks[lo].start, End: p.toks[hi-1].end}
}

// is reports whether token i is one of the words, in any case.
func (p *parser) is(i int, words ...string) bool {
	t := p.toks[i]
	if t.kind != word {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, p.text[t.start:t.end]) })
}
