package engine

import (
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
)

// matching walks a turn's sentences and keeps what one sentence tells the
// next: the heading above, the state of affairs in focus.
type matching struct {
	d        *Domain
	p        *Proposal
	buf      *Buffer
	consumed []sir.Span

	heading *source
	line    int // where the line of the inline heading begins
	inline  *source
	noFocus bool // the candidate at hand has its surroundings from another
	items   map[int]*source
	focus   *source
}

// source is a name that later sentences may take a value from.
type source struct {
	name    string
	span    sir.Span
	subject string // folded noun that it is about; "" for none
	proven  bool   // marked as a name by its form
}

func (m *matching) run() {
	m.items = map[int]*source{}
	for i := range m.p.Text.Sentences {
		m.sentence(i)
	}
}

func (m *matching) sentence(i int) {
	text, s := m.p.Text, m.p.Text.Sentences[i]
	for _, c := range m.consumed {
		if c.Overlaps(text.Span(s)) {
			return
		}
	}
	switch s.Kind {
	case clause.Heading:
		m.focus = nil
		m.heading = m.title(s.From, s.To)
	case clause.Item:
		m.items[i] = m.title(s.From, s.To)
	}
	if s.Scope.Has(sir.Question) {
		defer func() { m.focus = nil }()
	}
	inline := m.inlineHeading(s)
	found, losers := m.d.matcher.Rules(text, s, s.Body, &m.buf.match)
	if s.Retracts {
		found = m.retract(s, found)
	}
	before := len(m.p.Candidates)
	found = m.allowed(i, s, found)
	for k := range found {
		if !found[k].Rule.Weak {
			m.match(i, s, found, k, inline)
		}
	}
	strong := m.p.Candidates[before:len(m.p.Candidates):len(m.p.Candidates)]
	for k := range found {
		if f := &found[k]; f.Rule.Weak && (f.Rule.Mention || !overlapsAny(strong, f.SpanIn(text))) {
			m.match(i, s, found, k, inline)
		}
	}
	m.secondReadings(i, losers)
	if s.Correction {
		for k := before; k < len(m.p.Candidates); k++ {
			m.p.Candidates[k].Correction = true
		}
		if len(m.p.Candidates) == before {
			m.p.Fixes = append(m.p.Fixes, m.d.fixes.find(text, s, i)...)
		}
	}
}

func overlapsAny(cands []domain.Candidate, span sir.Span) bool {
	return slices.ContainsFunc(cands, func(c domain.Candidate) bool { return c.Span.Overlaps(span) })
}

// title reads a heading or an item as one name; nil where it is more.
func (m *matching) title(from, to int) *source {
	part, ok := m.d.matcher.Name(m.p.Text, from, to)
	if !ok {
		return nil
	}
	return &source{name: part.Span.Of(m.p.Text.Content), span: part.Span, proven: part.Marked || m.condition(part.Span)}
}

// inlineHeading reads the heading within the sentence's own line; it holds
// to the line's end.
func (m *matching) inlineHeading(s clause.Sentence) *source {
	if s.Line != m.line {
		m.inline, m.line = nil, s.Line
	}
	if s.Body > s.From {
		m.inline = m.title(s.From, s.Body-1)
	}
	return m.inline
}

// retract withdraws what was said just before: earlier in the sentence, else
// in the turn's previous statement, else in the speaker's last turn. It
// returns the matches that stand after the retraction.
func (m *matching) retract(s clause.Sentence, found []pattern.Match) []pattern.Match {
	text := m.p.Text
	var kept []pattern.Match
	withdrawn := false
	for _, f := range found {
		if f.From >= s.CueEnd {
			kept = append(kept, f)
		} else {
			withdrawn = true
			m.p.drop("retracted", f.SpanIn(text), "the speaker took it back in the same breath")
		}
	}
	if withdrawn {
		return kept
	}
	if n := len(m.p.Candidates); n > 0 {
		last := m.p.Candidates[n-1].Sentence
		for n > 0 && m.p.Candidates[n-1].Sentence == last {
			m.p.drop("retracted", m.p.Candidates[n-1].Span, "the speaker took it back in the next sentence")
			n--
		}
		m.p.Candidates = m.p.Candidates[:n]
		m.focus = nil
		return kept
	}
	m.p.Retracts = true
	m.p.RetractSpan = text.Span(s)
	return kept
}

// match turns one match into candidates.
func (m *matching) match(i int, s clause.Sentence, found []pattern.Match, k int, inline *source) {
	text, f := m.p.Text, &found[k]
	scope := s.Scope | m.localScope(s, f)
	base := domain.Candidate{
		Span: f.SpanIn(text), Trigger: domain.TriggerPattern, Rule: f.Rule.ID, Base: f.Rule.Base, Weak: f.Rule.Weak,
		Scope: scope, ReportedBy: s.ReportedBy, Sentence: i,
	}
	pronoun := true
	if subj := f.Slot("subject"); subj != nil && !subj.Pronoun {
		base.Subject = domain.FoldText(subj.Parts[0].Span.Of(text.Content))
		pronoun = false
	}
	person := m.aboutPerson(f)
	for _, g := range f.Rule.Gives {
		for _, c := range m.give(base, g, f) {
			m.unproven(&c, f, person)
			m.noFocus = false
			m.adjuncts(&c, s, found, k)
			m.context(&c, s, inline, pronoun)
			if t := m.d.TypeNamed(c.Type); !t.Says(c.Data) {
				continue
			}
			m.p.Candidates = append(m.p.Candidates, c)
		}
	}
	m.setFocus(f, base, pronoun)
}

// secondReadings keeps the losers of an overlap that contradict the winner
// as further readings of the same words, where their rule says so.
func (m *matching) secondReadings(i int, losers []pattern.Match) {
	for k := range losers {
		l := &losers[k]
		if !l.Rule.Contrary {
			continue
		}
		span := l.SpanIn(m.p.Text)
		for _, g := range l.Rule.Gives {
			for _, other := range m.give(domain.Candidate{Span: span, Rule: l.Rule.ID, Base: l.Rule.Base, Sentence: i}, g, l) {
				for j := range m.p.Candidates {
					c := &m.p.Candidates[j]
					if c.Sentence == i && c.Type == other.Type && c.Span.Overlaps(span) && m.d.contradicts(c.Type, c.Data, other.Data) {
						m.d.addReadings(c, other)
					}
				}
			}
		}
	}
}
