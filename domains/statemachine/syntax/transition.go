package syntax

import (
	"strings"

	"github.com/speckl/speckl/sir"
)

// transition reads FROM -> TO [on EVENT] [[GUARD]] [/ ACTION, …] [{ … }], or a
// body alone.
func (b *builder) transition(lo, hi int) bool {
	p := b.p
	if lo < hi && p.toks[lo].kind == lbrace {
		return b.tail(lo, hi)
	}
	a := p.find(lo, hi, arrow)
	if a < 0 {
		if lo == hi {
			p.expectedEnd("a state name", hi)
		} else {
			p.expectedEnd("-> after the source state", hi)
		}
		return false
	}
	if lo == a {
		p.expected("a state name before "+p.text[p.toks[a].start:p.toks[a].end], a)
		return false
	}
	from, s, ok := p.name(lo, a, "a state name")
	if !ok {
		return false
	}
	if p.toks[lo].kind != quoted {
		from = anyState(from)
	}
	b.add("from", from, s, nil)

	end := p.targetEnd(a+1, hi)
	what := "a state name after " + p.text[p.toks[a].start:p.toks[a].end]
	if a+1 == end && end < hi {
		p.expected(what, end)
		return false
	}
	to, s, ok := p.name(a+1, end, what)
	if !ok {
		return false
	}
	b.add("to", to, s, nil)
	return b.clauses(end, hi)
}

// anyState is "*" for the ways to say any state.
func anyState(name string) string {
	switch strings.ToLower(name) {
	case "any", "any state", "every state", "all states":
		return "*"
	}
	return name
}

var connectors = []string{"on", "when", "after", "if", "unless"}

// targetEnd is the token after the target's name, which begins at i. A
// connector is a part of the name where another one follows it, or where it is
// all that there is: "-> on on TOGGLE", "-> off".
func (p *parser) targetEnd(i, hi int) int {
	lo := i
	for i < hi {
		switch t := p.toks[i]; {
		case t.kind == lbrack || t.kind == lbrace || t.kind == slash || t.kind == comma || t.kind == arrow || p.isLabel(i, hi):
			return i
		case t.match > i:
			i = t.match + 1
			continue
		case p.is(i, connectors...):
			follows := i+1 < hi && p.is(i+1, connectors...)
			alone := i == lo && (i+1 == hi || p.toks[i+1].kind != word && p.toks[i+1].kind != quoted)
			if !follows && !alone {
				return i
			}
		}
		i++
	}
	return hi
}

// clauses reads what follows the target.
func (b *builder) clauses(i, hi int) bool {
	p := b.p
	for i < hi {
		t, end := p.toks[i], 0
		switch {
		case t.kind == comma && i+1 < hi && p.is(i+1, connectors...):
			i++
			continue
		case t.kind == lbrace:
			return b.tail(i, hi)
		case t.kind == lbrack:
			if t.match < i {
				p.unclosed(i)
				return false
			}
			if !b.clause("guard", i+1, t.match, "a condition after [") {
				return false
			}
			end = t.match + 1
		case t.kind == slash:
			if end = p.clauseEnd(i+1, hi, false); !b.actions(i+1, end) {
				return false
			}
		case p.isLabel(i, hi) || p.is(i, "on", "when"):
			end = p.clauseEnd(i+1, hi, true)
			if !b.clause("event", i+1, end, "an event after "+p.text[t.start:t.end]) {
				return false
			}
		case p.is(i, "if"):
			end = p.clauseEnd(i+1, hi, true)
			if !b.clause("guard", i+1, end, "a condition after if") {
				return false
			}
		case p.is(i, "after") && i+1 < hi && startsDuration(p.text[p.toks[i+1].start:]):
			end = p.clauseEnd(i+1, hi, true)
			for j := i + 2; j < end; j++ { // a duration holds no connector
				if p.is(j, connectors...) || p.toks[j].kind == comma {
					end = j
				}
			}
			if !b.clause("after", i+1, end, "a duration") {
				return false
			}
		case p.is(i, "after"):
			p.expectedEnd("a duration such as 5s after \"after\" (an event stands after on)", i+1)
			return false
		case p.is(i, "unless"):
			p.expected("on, when, [guard], / actions or a body (unless is written [not …])", i)
			return false
		default:
			p.expected("on, when, [guard], / actions, a body or the end of the statement", i)
			return false
		}
		i = end
	}
	return true
}

func startsDuration(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// clauseEnd is where an event or condition that begins at i ends: at a guard,
// actions or a body.
func (p *parser) clauseEnd(i, hi int, guard bool) int {
	for i < hi {
		switch t := p.toks[i]; {
		case t.kind == lbrace || t.kind == slash || (t.kind == lbrack && guard):
			return i
		case t.match > i:
			i = t.match + 1
		default:
			i++
		}
	}
	return hi
}

// clause reads one text of a transition.
func (b *builder) clause(name string, lo, hi int, what string) bool {
	p := b.p
	if b.has(name) {
		p.expected("one "+name+" only", lo-1)
		return false
	}
	if lo >= hi && p.toks[hi].kind != newline && p.toks[hi].kind != eof {
		p.expected(what, hi)
		return false
	}
	if i := p.find(lo, hi, arrow); i >= 0 && name == "event" {
		p.expected("the end of the event (or quotes around it)", i)
		return false
	}
	var v string
	var s sir.Span
	var ok bool
	if v, s, ok = p.freeText(lo, hi, what); !ok {
		return false
	}
	if name != "guard" {
		v, s, _ = p.words(lo, hi, what, true)
	}
	b.add(name, v, s, nil)
	return true
}

// actions reads actions with commas between.
func (b *builder) actions(lo, hi int) bool {
	p := b.p
	if lo >= hi {
		p.expectedEnd("an action after /", hi)
		return false
	}
	for i := lo; i <= hi; {
		end := p.segment(i, hi)
		if i == end {
			p.expectedEnd("an action", end)
			return false
		}
		v, s, ok := p.call(i, end)
		if !ok {
			return false
		}
		b.add("actions", []any{v}, s, []sir.Span{s})
		i = end + 1
	}
	return true
}
