package engine

import (
	"maps"
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// Fix is a correction without a statement of its own: "actually, make that
// 60 seconds". What "that" is, the document tells.
type Fix struct {
	// Kind is the kind of value, such as "duration".
	Kind string
	// Value is the new value as said; Span its words with the cue.
	Value    string
	Span     sir.Span
	Sentence int
	Scope    sir.Scope
}

// fixes finds bare corrections of the kinds of value that a domain names.
type fixes struct{ kinds []string }

func newFixes(d *domain.Domain) *fixes {
	return &fixes{kinds: slices.Sorted(maps.Keys(d.Lexicon.Corrections))}
}

// worth reports whether the turn could correct or take something back.
func (f *fixes) worth(tokens []clause.Token) bool {
	return slices.ContainsFunc(tokens, func(t clause.Token) bool { return clause.OpensRevision(t.Hash) })
}

// find returns the values that a correcting sentence names, the first of
// each kind.
func (f *fixes) find(text *clause.Text, s clause.Sentence, i int) []Fix {
	if s.Scope.Has(sir.Question | sir.Hypothetical) {
		return nil
	}
	var out []Fix
	for _, kind := range f.kinds {
		for at := s.Body; at < s.To; at++ {
			if n := f.value(kind, text, at, s.To); n > 0 {
				span := text.TokenSpan(at, at+n)
				out = append(out, Fix{Kind: kind, Value: span.Of(text.Content), Span: text.Span(s), Sentence: i, Scope: s.Scope})
				break
			}
		}
	}
	return out
}

// value returns how many tokens at i are a value of the kind; 0 for none.
func (f *fixes) value(kind string, text *clause.Text, i, to int) int {
	switch kind {
	case "duration":
		for n := 3; n >= 1; n-- {
			if i+n <= to {
				if _, ok := domain.ParseDuration(text.TokenSpan(i, i+n).Of(text.Content)); ok {
					return n
				}
			}
		}
	case "number":
		if text.Tokens[i].Kind == clause.Number && (i+1 == to || !domain.IsDurationUnit(clause.Fold(text.Tokens[i+1].Of(text.Content)))) {
			return 1
		}
	}
	return 0
}

// kindsOf are the kinds of value that a field takes part in, so that later
// words can correct it: the lexicon's, and the field itself.
func (d *Domain) kindsOf(typ, field string) []string {
	path := typ + "." + field
	kinds := []string{path}
	for _, kind := range d.fixes.kinds {
		if slices.Contains(d.Lexicon.Corrections[kind], path) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// valueFields are the fields of a type that hold the value of its slot: what
// a correction can change though the slot's own fields are not said again.
func valueFields(t *domain.Type) []string {
	var out []string
	for _, k := range t.Key {
		if !slices.Contains(t.Slot, k) && len(t.Slot) > 0 {
			out = append(out, k)
		}
	}
	return out
}

// antecedent finds what a correction corrects when its own words do not
// name it: the newest value of the same field that the same speaker set.
func (s *settling) antecedent(t *domain.Type, c *domain.Candidate) (e *sir.Element, contradicts bool) {
	for _, f := range valueFields(t) {
		if !domain.Known(t.FieldNamed(f), c.Data[f]) {
			continue
		}
		for _, at := range s.newest(t.Name + "." + f) {
			e := s.element(at.ElementID)
			if e == nil || !e.Status.Live() || e.ElementType != t.Name {
				continue
			}
			rest := sir.Data{}
			for k, v := range c.Data {
				if k != f {
					rest[k] = v
				}
			}
			if !s.d.contradicts(t.Name, e.Data, rest) {
				return e, !s.d.Equal(t.FieldNamed(f), e.Data[f], c.Data[f])
			}
		}
	}
	return nil, false
}

// newest is where the speaker last set values of a kind: in this turn, else
// in an earlier one.
func (s *settling) newest(kind string) []sir.ValueAt {
	var out []sir.ValueAt
	for _, id := range s.order {
		for _, v := range s.values[id] {
			if v.Kind == kind {
				out = append(out, sir.ValueAt{ElementID: id, Field: v.Field})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	return s.slice.Newest[sir.ValueKey{Speaker: s.turn.SpeakerKey(), Kind: kind}].Values
}

// fix settles a bare correction: the newest value of its kind takes the new
// one; of several it asks; of none it makes nothing.
func (s *settling) fix(f Fix) {
	at := s.newest(f.Kind)
	switch len(at) {
	case 0:
		s.drop("no_antecedent", f.Span, "nothing of the kind was said before")
		return
	case 1:
	default:
		s.askWhich(f, at)
		return
	}
	e := s.element(at[0].ElementID)
	if e == nil || !e.Status.Live() {
		s.drop("no_antecedent", f.Span, "what it corrects no longer holds")
		return
	}
	t := s.d.TypeNamed(e.ElementType)
	c := &domain.Candidate{
		Type: t.Name, Data: t.Blank(), Span: f.Span, Trigger: domain.TriggerCorrection, Rule: "correction", Scope: f.Scope,
		Fields: map[string]domain.FieldSource{at[0].Field: {Span: f.Span}}, Correction: true, Sentence: f.Sentence,
	}
	for _, k := range slices.Concat(t.Key, t.Slot) {
		c.Data[k] = e.Data[k]
	}
	c.Data[at[0].Field] = f.Value
	confidence, scores := s.d.score(c, s.turn, nil)
	s.conflict(t, e, c, confidence, scores)
}
