package syntax

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// builder gathers the fields of one statement.
type builder struct {
	p      *parser
	kind   Kind
	schema *schema
	fields []Field
}

// add keeps a field. A list grows; of two different values the first stays.
func (b *builder) add(name string, v any, s sir.Span, items []sir.Span) {
	i := slices.IndexFunc(b.fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		b.fields = append(b.fields, Field{name, v, s, items})
		return
	}
	f := &b.fields[i]
	if list, ok := v.([]any); ok {
		if len(list) > 0 {
			if len(f.Items) == 0 {
				f.Span = s
			}
			f.Span = sir.Span{Start: min(f.Span.Start, s.Start), End: max(f.Span.End, s.End)}
		}
		f.Value, f.Items = append(f.Value.([]any), list...), append(f.Items, items...)
		return
	}
	if f.Value != v {
		b.p.report(codeDuplicate, diag.Warning, s, b.schema.byName(name).keys[0]+" is given twice; the first is kept: "+f.Span.Of(b.p.text))
	}
}

func (b *builder) has(name string) bool { return has(b.fields, name) }

func has(fields []Field, name string) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name })
}

// sorted is the fields in the order of the design.
func (b *builder) sorted() []Field {
	slices.SortStableFunc(b.fields, func(x, y Field) int { return b.schema.order(x.Name) - b.schema.order(y.Name) })
	return b.fields
}

// statement reads what follows the keyword, tokens [lo, hi), and reports
// whether it parses.
func (b *builder) statement(lo, hi int) bool {
	if i := b.p.findBad(lo, hi, lbrace); i >= 0 {
		b.p.unclosed(i)
		return false
	}
	switch b.kind {
	case State, Event:
		return b.declaration(lo, hi)
	case Transition:
		return b.transition(lo, hi)
	}
	return b.free(lo, hi)
}

// complete reports what the statement lacks.
func (b *builder) complete(lo, hi int) bool {
	switch b.kind {
	case Transition:
		if !b.has("from") && !b.has("to") && !b.has("event") {
			b.p.expectedEnd("from, to or event", hi)
			return false
		}
	case State, Event:
		if !b.has("name") {
			b.p.expectedEnd(b.schema.what, min(lo, hi))
			return false
		}
	default:
		if !b.has(b.schema.text) {
			b.p.expectedEnd(b.schema.what, min(lo, hi))
			return false
		}
	}
	if b.kind == Constraint {
		b.readConstraint()
	}
	return true
}

// declaration reads NAME [with TEXT] [: DESCRIPTION] [{ … }].
func (b *builder) declaration(lo, hi int) bool {
	p := b.p
	brace := p.find(lo, hi, lbrace)
	if brace < 0 {
		brace = hi
	}
	end := lo
	for end < brace && !(end > lo && b.kind == Event && p.is(end, "with")) && !p.isLabel(end, hi) {
		if m := p.toks[end].match; m > end {
			end = m
		}
		end++
	}
	if end > lo || brace == hi {
		v, s, ok := p.name(lo, end, b.schema.what)
		if !ok {
			return false
		}
		b.add("name", v, s, nil)
	}
	switch {
	case end == brace:
	case p.toks[end].kind == colon:
		v, s, ok := p.freeText(end+1, brace, "a description")
		if !ok {
			return false
		}
		b.add("description", v, s, nil)
	case end+1 == brace && brace < hi:
		m := p.toks[brace].match
		v, s, ok := p.inner(brace, m+1, "a payload")
		if !ok {
			return false
		}
		b.add("payload", v, s, nil)
		if brace = m + 1; brace < hi && p.toks[brace].kind != lbrace {
			p.expected("the end of the statement after }", brace)
			return false
		}
	default:
		v, s, ok := p.freeText(end+1, brace, "a payload")
		if !ok {
			return false
		}
		b.add("payload", v, s, nil)
	}
	return b.tail(brace, hi)
}

// isLabel reports whether token i is a colon that ends a name: white space or
// nothing follows.
func (p *parser) isLabel(i, hi int) bool {
	return p.toks[i].kind == colon && (i+1 >= hi || p.spaced(i+1))
}

// tail reads the body at token i, where there is one; the statement ends with
// it.
func (b *builder) tail(i, hi int) bool {
	if i >= hi {
		return true
	}
	m := b.p.toks[i].match
	if m != hi-1 {
		b.p.expected("the end of the statement after }", m+1)
		return false
	}
	if b.kind == Event && !b.keyed(i+1, m) {
		if m == i+1 {
			return true
		}
		v, s, ok := b.p.inner(i, hi, "a payload")
		if ok {
			b.add("payload", v, s, nil)
		}
		return ok
	}
	b.body(i+1, m)
	return true
}

// keyed reports whether what begins at i is a key of the kind, perhaps
// misspelt.
func (b *builder) keyed(i, hi int) bool {
	for i < hi && b.p.toks[i].kind == newline {
		i++
	}
	key, _, ok := b.key(i)
	return ok && (b.schema.byKey(key) != nil || len(b.schema.near(key)) > 0) || b.flag(i, hi) != nil
}

// free reads TEXT [{ … }]; an invariant's text may have its state before it:
// STATE: TEXT. A brace begins a body only where it is last and a key follows.
func (b *builder) free(lo, hi int) bool {
	p, end := b.p, hi
	if hi > lo && p.toks[hi-1].kind == rbrace {
		if m := p.toks[hi-1].match; m >= lo && b.keyed(m+1, hi-1) {
			end = m
		}
	}
	if end > lo || end == hi {
		at := lo
		if b.kind == Invariant {
			i := p.find(lo, end, colon)
			if i > lo && p.isLabel(i, end) {
				v, s, ok := p.name(lo, i, "a state name")
				if !ok {
					return false
				}
				b.add("state", v, s, nil)
				at = i + 1
			}
		}
		v, s, ok := p.freeText(at, end, b.schema.what)
		if !ok {
			return false
		}
		b.add(b.schema.text, v, s, nil)
	}
	return b.tail(end, hi)
}

// body reads keys and values, tokens [lo, hi), separated by ",", ";" or lines.
func (b *builder) body(lo, hi int) {
	p := b.p
	for i := lo; i < hi; {
		if k := p.toks[i].kind; k == comma || k == semi || k == newline {
			i++
			continue
		}
		end := p.segment(i, hi)
		if f := b.flag(i, hi); f != nil {
			b.add(f.name, true, p.span(i, end), nil)
			i = end
			continue
		}
		key, at, ok := b.key(i)
		if !ok {
			p.expected("a key such as "+quoteList(b.schema.keys()), i)
			i = end
			continue
		}
		f := b.schema.byKey(key)
		for at < hi && p.toks[at].kind == newline && !b.keyed(at, hi) {
			at++
		}
		end = p.segment(at, hi)
		if f == nil || f.typ.isList() || f.typ == typeText {
			for end < hi && p.toks[end].kind == comma && !b.starts(end+1, hi) {
				end = p.segment(end+1, hi)
			}
		}
		if f == nil {
			b.unknown(key, p.span(i, at))
		} else {
			b.value(f, at, end)
		}
		i = end
	}
}

// starts reports whether a key, known or not, or the body's end is at i.
func (b *builder) starts(i, hi int) bool {
	if i >= hi || b.p.toks[i].kind == newline {
		return true
	}
	key, _, ok := b.key(i)
	return ok && (!strings.Contains(key, " ") || b.schema.byKey(key) != nil) || b.flag(i, hi) != nil
}

// key reads up to three words and a colon at i, and returns the token after.
func (b *builder) key(i int) (string, int, bool) {
	p := b.p
	for j := i; j < i+4 && j < len(p.toks); j++ {
		switch t := p.toks[j]; {
		case t.kind == colon && j > i:
			return p.span(i, j).Of(p.text), j + 1, true
		case t.kind != word:
			return "", i, false
		}
	}
	return "", i, false
}

// flag is the field of a key that stands alone at i and means true, or nil.
func (b *builder) flag(i, hi int) *field {
	if i >= hi || b.p.toks[i].kind != word {
		return nil
	}
	if end := b.p.segment(i, hi); end == i+1 {
		if f := b.schema.byKey(b.p.span(i, end).Of(b.p.text)); f != nil && (f.typ == typeBool || f.typ == typeHistory) {
			return f
		}
	}
	return nil
}

func (b *builder) unknown(key string, s sir.Span) {
	text := "unknown key " + key + " of " + article(b.kind)
	if near := b.schema.near(key); len(near) > 0 {
		text += "; did you mean " + quoteList(near) + "?"
	} else {
		text += "; the keys are " + strings.Join(b.schema.keys(), ", ")
	}
	b.p.report(codeUnknownKey, diag.Warning, s, text)
}

func article(k Kind) string {
	if strings.ContainsRune("aeiou", rune(k[0])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}
