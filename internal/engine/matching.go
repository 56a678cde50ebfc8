package engine

import (
	"slices"
	"strings"

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
			if t := m.d.TypeNamed(c.Type); !says(t, c.Data) {
				continue
			}
			m.p.Candidates = append(m.p.Candidates, c)
		}
	}
	m.setFocus(f, base, pronoun)
}

// namesIn keeps the marked names of a statement that is negated or only a
// condition: it does not hold, but what it names exists.
func (m *matching) namesIn(i int, f *pattern.Match, scope sir.Scope) {
	for _, g := range f.Rule.Gives {
		t := m.d.TypeNamed(g.Type)
		for _, c := range m.give(domain.Candidate{Span: f.SpanIn(m.p.Text), Trigger: domain.TriggerPattern, Rule: f.Rule.ID, Base: m.d.Thresholds.Review, Scope: scope &^ (sir.Negated | sir.Conditional), Sentence: i}, g, f) {
			for name, src := range c.Fields {
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

// says reports whether data says what an element of the type must.
func says(t *domain.Type, data sir.Data) bool {
	need := t.Need
	if len(need) == 0 {
		need = t.Key
	}
	return slices.ContainsFunc(need, func(name string) bool { return domain.Known(t.FieldNamed(name), data[name]) })
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

// give makes the candidates of one template: one for each value of a slot
// that took several names.
func (m *matching) give(base domain.Candidate, g domain.Give, f *pattern.Match) []domain.Candidate {
	t := m.d.TypeNamed(g.Type)
	n := 1
	for _, slot := range g.Fields {
		if s := f.Slot(slot); s != nil && isNames(s) && t.FieldNamed(fieldOf(g, slot)).Kind != domain.List {
			n = max(n, len(s.Parts))
		}
	}
	var out []domain.Candidate
	for i := range n {
		c := base
		c.Type = t.Name
		c.Data = t.Blank()
		c.Fields = map[string]domain.FieldSource{}
		for name, from := range g.Fields {
			m.fill(&c, t.FieldNamed(name), from, f, i)
		}
		out = append(out, c)
	}
	return out
}

func fieldOf(g domain.Give, slot string) string {
	for name, s := range g.Fields {
		if s == slot {
			return name
		}
	}
	return ""
}

// fill sets one field from a slot or a constant.
func (m *matching) fill(c *domain.Candidate, field *domain.Field, from string, f *pattern.Match, i int) {
	if strings.HasPrefix(from, `"`) {
		c.Data[field.Name] = constantOf(field, strings.Trim(from, `"`))
		c.Fields[field.Name] = domain.FieldSource{Span: c.Span}
		return
	}
	if from == "$match" {
		c.Data[field.Name] = c.Span.Of(m.p.Turn.Content)
		c.Fields[field.Name] = domain.FieldSource{Span: c.Span}
		return
	}
	negate := strings.HasPrefix(from, "!")
	s := f.Slot(strings.TrimPrefix(from, "!"))
	if s == nil || len(s.Parts) == 0 {
		return
	}
	part := s.Parts[0]
	if isNames(s) {
		part = s.Parts[min(i, len(s.Parts)-1)]
	}
	value := part.Span.Of(m.p.Turn.Content)
	if negate {
		value = "not: " + value
	}
	if field.Kind == domain.List {
		var list []any
		for _, p := range s.Parts {
			list = append(list, p.Span.Of(m.p.Turn.Content))
		}
		c.Data[field.Name] = list
	} else {
		c.Data[field.Name] = value
	}
	c.Fields[field.Name] = domain.FieldSource{Span: part.Span}
}

func constantOf(field *domain.Field, text string) any {
	switch {
	case field.Kind == domain.Bool:
		return text == "true"
	case field.Kind == domain.List:
		return []any{text}
	}
	return text
}

func isNames(s *pattern.Slot) bool {
	return s.Kind == pattern.SlotNames || s.Kind == pattern.SlotChoice || s.Kind == pattern.SlotList
}

// unproven notes the fields whose value is no name by its form alone, where
// the rule, or a sentence about people, wants proof.
func (m *matching) unproven(c *domain.Candidate, f *pattern.Match, person bool) {
	for field, src := range c.Fields {
		for i := range f.Slots {
			s := &f.Slots[i]
			for _, p := range s.Parts {
				if p.Span != src.Span || p.Marked {
					continue
				}
				c.Plain = c.Plain || isName(s) && !p.Bare
				bare := p.Bare && !person && slices.Contains(f.Rule.Bare, s.Name)
				switch {
				case slices.Contains(f.Rule.Doubtful, s.Name):
					if !p.Bare || !m.condition(p.Span) {
						c.Doubtful = append(c.Doubtful, field)
					}
				case f.Rule.Edge && m.condition(p.Span):
				case p.Bare && !person && slices.Contains(f.Rule.Condition, s.Name) && slices.Contains(m.d.Lexicon.Conditions, domain.FoldText(p.Span.Of(m.p.Turn.Content))):
				case !bare && (slices.Contains(f.Rule.Marked, s.Name) || slices.Contains(f.Rule.Bare, s.Name) || person && !p.Bare && isName(s)):
					c.Unproven = append(c.Unproven, field)
				}
			}
		}
	}
	slices.Sort(c.Unproven)
	slices.Sort(c.Doubtful)
}

// condition reports whether a name is one word that names a condition: the
// lexicon's, or a participle.
func (m *matching) condition(span sir.Span) bool {
	word := domain.FoldText(span.Of(m.p.Turn.Content))
	return slices.Contains(m.d.Lexicon.Conditions, word) ||
		len(word) > 5 && !strings.Contains(word, " ") && (strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed"))
}

func isName(s *pattern.Slot) bool { return s.Kind == pattern.SlotName || isNames(s) }

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
