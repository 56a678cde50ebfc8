package engine

import (
	"maps"
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
)

// allowed leaves out the matches whose scope their rule does not want.
func (m *matching) allowed(i int, s clause.Sentence, found []pattern.Match) []pattern.Match {
	var kept []pattern.Match
	for k := range found {
		f := &found[k]
		scope := s.Scope | m.localScope(s, f)
		if f.Rule.Require != 0 && !scope.Has(f.Rule.Require) {
			continue
		}
		refused := scope & (m.d.Refuse&^f.Rule.Accept | f.Rule.Refuse)
		if refused == 0 {
			kept = append(kept, *f)
			continue
		}
		m.p.drop(sir.DropReason(refused.Names()[0]), f.SpanIn(m.p.Text), "rule "+f.Rule.ID)
		if refused&^(sir.Negated|sir.Conditional) == 0 {
			m.namesIn(i, f, scope)
		}
	}
	return kept
}

// namesIn keeps the marked names of a statement that is negated or only a
// condition: it does not hold, but what it names exists.
func (m *matching) namesIn(i int, f *pattern.Match, scope sir.Scope) {
	for _, g := range f.Rule.Gives {
		t := m.d.TypeNamed(g.Type)
		for _, c := range m.give(domain.Candidate{Span: f.SpanIn(m.p.Text), Trigger: domain.TriggerPattern, Rule: f.Rule.ID, Base: m.d.Thresholds.Review, Scope: scope &^ (sir.Negated | sir.Conditional), Sentence: i}, g, f) {
			for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
				src := c.Fields[name]
				ref := t.FieldNamed(name).Ref
				if ref == "" || !markedPart(f, src.Span) {
					continue
				}
				named := c
				named.Type, named.Data = ref, m.d.TypeNamed(ref).Blank()
				key := m.d.TypeNamed(ref).Key[0]
				named.Data[key] = c.Data[name]
				named.Fields = map[string]domain.FieldSource{key: {Span: src.Span}}
				named.Rule = f.Rule.ID + "-names"
				m.p.Candidates = append(m.p.Candidates, named)
			}
		}
	}
}

func markedPart(f *pattern.Match, span sir.Span) bool {
	for i := range f.Slots {
		for _, p := range f.Slots[i].Parts {
			if p.Span == span {
				return p.Marked
			}
		}
	}
	return false
}

// localScope is what holds for the match's own clause: negation before or
// within it, and the tense of its verb.
func (m *matching) localScope(s clause.Sentence, f *pattern.Match) sir.Scope {
	var scope sir.Scope
	if f.Past {
		scope |= sir.Past
	}
	tokens := m.p.Text.Tokens
	if m.conditional(s, f) {
		scope |= sir.Conditional
	}
	from := f.From
	for from > s.Body && f.From-from < negationReach {
		t := tokens[from-1]
		if t.Class&(clause.Bound|clause.Sub) != 0 && t.Class&clause.Neg == 0 || t.Kind == clause.Arrow {
			break
		}
		from--
	}
	for i := from; i < f.To; i++ {
		if tokens[i].Class&clause.Neg != 0 && !inClause(f, i) {
			scope |= sir.Negated
		}
	}
	return scope
}

// negationReach is how many tokens before a match a negation still negates
// it: "does not", "will never be".
const negationReach = 3

// inClause reports whether token i stands in a clause that the match quotes:
// what holds there does not hold for the match.
func inClause(f *pattern.Match, i int) bool {
	for _, s := range f.Slots {
		if (s.Kind == pattern.SlotClause || s.Kind == pattern.SlotAction) && s.From <= i && i < s.To {
			return true
		}
	}
	return false
}

// conditional reports whether the match is itself the condition of another
// clause: its words, or the noun phrase that they complete, follow directly
// on "if", "when" or the like.
func (m *matching) conditional(s clause.Sentence, f *pattern.Match) bool {
	tokens := m.p.Text.Tokens
	i := f.Head - 1
	if i >= s.Body && tokens[i].Class&clause.Prep != 0 && tokens[i].Class&clause.Cond == 0 || i >= s.Body && tokens[i].Class&clause.Det != 0 && tokens[i].Class&clause.Cond == 0 {
		for i >= s.Body && tokens[i].Class&(clause.Bound|clause.Cond) == 0 && f.Head-i < 8 {
			i--
		}
	}
	return i >= s.Body && tokens[i].Class&clause.Cond != 0 && tokens[i].Class&clause.Bound == 0
}

// aboutPerson reports whether the match is about what people do: its subject
// is a person, named by a pronoun.
func (m *matching) aboutPerson(f *pattern.Match) bool {
	subj := f.Slot("subject")
	return subj != nil && subj.Pronoun && m.p.Text.Tokens[subj.From].Class&clause.Person != 0
}
