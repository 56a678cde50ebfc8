package syntax

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
)

// readArrow reads "A → B when event [guard] / actions".
func readArrow(text string, s sir.Span) (Statement, bool) {
	p := newParser(s.Of(text), Options{})
	hi := len(p.toks) - 1
	for i := range hi { // a wrapped line goes on
		if p.toks[i].kind == semi {
			return Statement{}, false
		}
	}
	p.toks = slices.DeleteFunc(p.toks, func(t token) bool { return t.kind == newline })
	for i := range p.toks {
		p.toks[i].match = unmatched
	}
	pair(p.toks)
	hi = len(p.toks) - 1
	b := &builder{p: p, kind: Transition, schema: schemas[Transition]}
	if !b.statement(0, hi) || len(p.diags) > 0 || len(p.comments) > 0 {
		return Statement{}, false
	}
	st := Statement{Kind: Transition, Fields: b.sorted(), Span: sir.Span{End: s.Len()}}
	st.shift(s.Start)
	for i := range st.Fields {
		f := &st.Fields[i]
		if f.Name == "from" || f.Name == "to" {
			v, at, ok := itemName(text, f.Span)
			if !ok {
				return Statement{}, false
			}
			if f.Value != "*" {
				f.Value = v
			}
			f.Span = at
		}
	}
	if !has(st.Fields, "from") || !has(st.Fields, "to") {
		return Statement{}, false
	}
	return st, true
}

// tells are the fields of a state that nothing but a machine has.
var tells = []string{"entryActions", "exitActions", "timeout", "onTimeout", "isInitial", "isFinal", "isParallel", "history", "invariants"}

// readPairs reads a line of pairs: "state: idle; entry: hideSpinner", or with
// from and to for a transition. Every key must be known.
func readPairs(text string, s sir.Span) (Spec, bool) {
	words := s.Of(text)
	if !strings.Contains(words, ";") || strings.ContainsAny(words, "{}") || doubtful(words) {
		return Spec{}, false
	}
	p := newParser(words, Options{})
	hi := p.stmtEnd(0)
	first, _, ok := (&builder{p: p}).key(0)
	if !ok || p.toks[hi].kind != semi {
		return Spec{}, false
	}
	var st Statement
	switch strings.ToLower(first) {
	case "from", "name":
		kind := State
		if strings.EqualFold(first, "from") {
			kind = Transition
		}
		b := &builder{p: p, kind: kind, schema: schemas[kind]}
		b.body(0, len(p.toks)-1)
		st = Statement{Kind: kind, Fields: b.sorted()}
	default:
		items := p.items()
		if len(items) != 1 || !items[0].ok {
			return Spec{}, false
		}
		st = items[0].stmt
	}
	if len(p.diags) > 0 || len(p.comments) > 0 {
		return Spec{}, false
	}
	switch st.Kind {
	case State:
		ok = has(st.Fields, "name") && slices.ContainsFunc(tells, func(n string) bool { return has(st.Fields, n) })
	case Transition:
		ok = has(st.Fields, "from") && has(st.Fields, "to") && len(st.Fields) > 2
	case Event:
		ok = has(st.Fields, "payload")
	default:
		ok = false
	}
	st.Span = sir.Span{End: s.Len()}
	st.shift(s.Start)
	return Spec{Span: s, Statements: []Statement{st}}, ok
}
