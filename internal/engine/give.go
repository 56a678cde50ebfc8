package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
)

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
	for _, field := range slices.Sorted(maps.Keys(c.Fields)) {
		src := c.Fields[field]
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
