package engine

import (
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
)

// adjuncts fills a candidate's unknown fields from the adjunct clauses of
// its sentence: those after it up to the next match, and those before it
// that belong to no earlier match.
func (m *matching) adjuncts(c *domain.Candidate, s clause.Sentence, found []pattern.Match, k int) {
	text := m.p.Text
	before, after := s.Body, s.To
	for j := range found {
		if found[j].Rule.Weak != found[k].Rule.Weak || !gives(found[j].Rule, c.Type) {
			continue
		}
		if found[j].To <= found[k].From {
			before = max(before, found[j].To)
		}
		if found[j].From >= found[k].To {
			after = min(after, found[j].From)
		}
	}
	if after < s.To {
		after = m.borders(found[k].To, after)
	}
	for _, a := range m.d.matcher.Adjuncts(text, s, found[k].To, after, &m.buf.match) {
		if !taken(found, k, &a) {
			m.attach(c, &a)
		}
	}
	from := before
	if before > s.Body {
		from = m.borders(before, found[k].From)
	}
	leading := m.d.matcher.Adjuncts(text, s, from, found[k].From, &m.buf.match)
	for i := len(leading) - 1; i >= 0; i-- { // the nearest first
		if !leading[i].Rule.After && !taken(found, k, &leading[i]) {
			m.attach(c, &leading[i])
		}
	}
}

// taken reports whether an adjunct's words belong to another strong match.
func taken(found []pattern.Match, k int, a *pattern.Match) bool {
	for j := range found {
		if j != k && !found[j].Rule.Weak && a.From < found[j].To && found[j].From < a.To {
			return true
		}
	}
	return false
}

func gives(r *domain.Rule, typ string) bool {
	return slices.ContainsFunc(r.Gives, func(g domain.Give) bool { return g.Type == typ })
}

// borders is where, between two matches, the words of the first end and
// those of the second begin: at a semicolon, at a bound that opens a new
// condition, else at the last bound.
func (m *matching) borders(from, to int) int {
	tokens := m.p.Text.Tokens
	last := to
	for i := from; i < to; i++ {
		if tokens[i].Class&clause.Bound == 0 {
			continue
		}
		if tokens[i].Of(m.p.Text.Content) == ";" {
			return i
		}
		next := i + 1
		for next < to && tokens[next].Class&(clause.Conj|clause.Adv|clause.Bound) != 0 && tokens[next].Class&clause.Cond == 0 {
			next++
		}
		if next < to && tokens[next].Class&clause.Cond != 0 {
			return i
		}
		last = i
	}
	return last
}

// attach fills the candidate's unknown fields from one adjunct.
func (m *matching) attach(c *domain.Candidate, a *pattern.Match) {
	t := m.d.TypeNamed(c.Type)
	for _, g := range a.Rule.Gives {
		if g.Type != c.Type {
			continue
		}
		filled := false
		for name, from := range g.Fields {
			field := t.FieldNamed(name)
			if field.Kind == domain.List && domain.Known(field, c.Data[name]) {
				filled = m.more(c, field, from, a) || filled
				continue
			}
			if domain.Known(field, c.Data[name]) && !slices.Contains(c.Doubtful, name) {
				continue
			}
			if from == "$otherwise" {
				filled = m.otherwise(c, field) || filled
				continue
			}
			was, had := c.Fields[name], c.Data[name]
			delete(c.Fields, name)
			m.fill(c, field, from, a, 0)
			if src, ok := c.Fields[name]; ok {
				src.Rule = a.Rule.Source
				c.Fields[name] = src
				c.Doubtful = slices.DeleteFunc(c.Doubtful, func(d string) bool { return d == name })
				filled = true
			} else if had != nil {
				c.Fields[name] = was
			} else if domain.Known(field, c.Data[name]) {
				filled = true
			}
		}
		if filled {
			c.Span = cover(c.Span, a.SpanIn(m.p.Text))
			c.Base = max(c.Base, a.Rule.Base)
			if c.Base == a.Rule.Base && a.Rule.Base > 0 {
				c.Rule = c.Rule + "+" + a.Rule.ID
			}
			c.Doubtful = append(c.Doubtful, m.unprovenIn(c, a)...)
		}
	}
}

// sameStart gives "otherwise" the surroundings of what it is the opposite
// of: the fields that context fills are those of the first alternative.
func (m *matching) sameStart(c, first *domain.Candidate) {
	m.noFocus = true
	t := m.d.TypeNamed(c.Type)
	for i := range t.Fields {
		f := &t.Fields[i]
		if len(f.Context) == 0 || domain.Known(f, c.Data[f.Name]) && !slices.Contains(c.Doubtful, f.Name) || !domain.Known(f, first.Data[f.Name]) || slices.Contains(first.Doubtful, f.Name) {
			continue
		}
		c.Data[f.Name] = first.Data[f.Name]
		c.Fields[f.Name] = domain.FieldSource{Span: first.Fields[f.Name].Span, Rule: "otherwise"}
		c.Doubtful = slices.DeleteFunc(c.Doubtful, func(d string) bool { return d == f.Name })
	}
}

// more adds a further value to a list.
func (m *matching) more(c *domain.Candidate, field *domain.Field, from string, a *pattern.Match) bool {
	s := a.Slot(from)
	if s == nil || len(s.Parts) == 0 {
		return false
	}
	list := append([]any(nil), c.Data[field.Name].([]any)...)
	c.Data[field.Name] = append(list, s.Parts[0].Span.Of(m.p.Turn.Content))
	return true
}

// unprovenIn lists the fields that an adjunct filled with no name by its
// form: they become unknown unless the name is known.
func (m *matching) unprovenIn(c *domain.Candidate, a *pattern.Match) []string {
	trial := *c
	trial.Unproven, trial.Doubtful = nil, nil
	m.unproven(&trial, a, false)
	return append(trial.Unproven, trial.Doubtful...)
}

func cover(a, b sir.Span) sir.Span {
	return sir.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// otherwise takes the opposite of the last candidate's value of the field.
func (m *matching) otherwise(c *domain.Candidate, field *domain.Field) bool {
	for i := len(m.p.Candidates) - 1; i >= 0; i-- {
		last := &m.p.Candidates[i]
		if last.Type != c.Type {
			continue
		}
		v, ok := last.Data[field.Name].(string)
		if !ok {
			return false
		}
		c.Data[field.Name] = "not: " + v
		c.Fields[field.Name] = domain.FieldSource{Span: last.Fields[field.Name].Span, Rule: "otherwise"}
		m.sameStart(c, last)
		return true
	}
	return false
}

// context fills the fields that may come from what stands around the
// sentence: a heading, the list item above, the focus.
func (m *matching) context(c *domain.Candidate, s clause.Sentence, inline *source, pronoun bool) {
	t := m.d.TypeNamed(c.Type)
	for i := range t.Fields {
		field := &t.Fields[i]
		known := domain.Known(field, c.Data[field.Name]) && !slices.Contains(c.Doubtful, field.Name)
		if rule := c.Fields[field.Name].Rule; known && (rule == "" || rule == "otherwise") {
			continue
		}
		for _, where := range field.Context {
			var src *source
			switch {
			case where == "heading" && inline != nil:
				src = inline
			case where == "heading" && s.Above >= 0:
				src = m.heading
			case where == "item" && s.Parent >= 0:
				src = m.items[s.Parent]
			case where == "focus" && !known && m.focus != nil && !m.noFocus && (pronoun || c.Subject == m.focus.subject):
				src = m.focus
			}
			if src == nil {
				continue
			}
			c.Doubtful = slices.DeleteFunc(c.Doubtful, func(d string) bool { return d == field.Name })
			c.Data[field.Name] = src.name
			c.Fields[field.Name] = domain.FieldSource{Span: src.span, Rule: where}
			if where == "focus" {
				c.More = append(c.More, src.span)
			} else if !src.proven {
				c.Doubtful = append(c.Doubtful, field.Name)
			}
			break
		}
	}
}

// setFocus makes the rule's focus slot what the next sentences are about. A
// sentence about another subject leaves the focus as it is.
func (m *matching) setFocus(f *pattern.Match, base domain.Candidate, pronoun bool) {
	slot := f.Slot(f.Rule.Focus)
	if f.Rule.Focus == "" || slot == nil || len(slot.Parts) != 1 {
		return
	}
	if m.focus != nil && !pronoun && base.Subject != m.focus.subject {
		return
	}
	next := &source{name: slot.Parts[0].Span.Of(m.p.Turn.Content), span: f.SpanIn(m.p.Text), subject: base.Subject}
	if m.focus != nil && pronoun {
		next.subject = m.focus.subject
	}
	m.focus = next
}
