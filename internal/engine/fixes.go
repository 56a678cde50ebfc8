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
