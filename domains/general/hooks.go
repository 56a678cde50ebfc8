package general

import (
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// hooks are what the domain's data cannot say: which names are spoken of in
// general, and which are worth an entity.
type hooks struct{ d *domain.Domain }

var (
	_ domain.Shaper     = hooks{}
	_ domain.Normalizer = hooks{}
	_ domain.Implier    = hooks{}
)

// Shape puts verbs in their base form and cuts names down to what they name.
func (h hooks) Shape(c *domain.Candidate, turn *sir.Turn) bool {
	content := turn.Content
	if verb, ok := c.Data["verb"].(string); ok {
		c.Data["verb"] = base(verb)
	}
	if c.Rule == "possessive" && !possessive(c, content) {
		return false
	}
	if c.Type == "constraint" {
		withCondition(c, content)
	}
	for _, field := range [...]string{"subject", "object"} {
		src, ok := c.Fields[field]
		if !ok || field == "object" && c.Rule == "has" {
			continue
		}
		src.Span = trim(content, src.Span)
		c.Fields[field] = src
		c.Data[field] = src.Span.Of(content)
	}
	return true
}

// withCondition takes the condition behind a constraint into its text.
func withCondition(c *domain.Candidate, content string) {
	rest := content[c.Span.End:]
	word, _, _ := strings.Cut(strings.TrimLeft(rest, " \n"), " ")
	if !conditions[strings.ToLower(word)] {
		return
	}
	if n := strings.IndexAny(rest, ",;.!?\n"); n >= 0 {
		rest = rest[:n]
	}
	c.Span.End += len(strings.TrimRight(rest, " \t\r"))
	c.Data["text"] = c.Span.Of(content)
	c.Fields["text"] = domain.FieldSource{Span: c.Span}
}

// conditions are the words that begin one.
var conditions = map[string]bool{"once": true, "if": true, "unless": true, "when": true, "while": true, "where": true, "whenever": true}

// possessive splits "Loan's length" into what it is of and what it is.
func possessive(c *domain.Candidate, content string) bool {
	span := c.Fields["name"].Span
	text := span.Of(content)
	for _, mark := range [...]string{"'s ", "’s "} {
		if i := strings.Index(text, mark); i > 0 {
			owner := sir.Span{Start: span.Start, End: span.Start + i}
			owned := sir.Span{Start: span.Start + i + len(mark), End: span.End}
			c.Data["subject"], c.Fields["subject"] = owner.Of(content), domain.FieldSource{Span: owner}
			c.Data["name"], c.Fields["name"] = owned.Of(content), domain.FieldSource{Span: owned}
			return true
		}
	}
	return false
}

// Normalize drops statements about nothing in general: a single thing that
// nobody has introduced. Of the two things that "has" can say it keeps the
// one that fits.
func (h hooks) Normalize(c *domain.Candidate, view domain.View) (keep bool, reason string) {
	field := "subject"
	if c.Type == "entity" {
		field = "name"
	}
	if !h.about(c, field, view) {
		return false, "unproven_name"
	}
	if c.Rule == "has" && h.isEntity(c, view) != (c.Type == "relationship") {
		return false, "other_reading"
	}
	return true, ""
}

// about reports whether a field names something in general, or something
// that was introduced before.
func (h hooks) about(c *domain.Candidate, field string, view domain.View) bool {
	src, ok := c.Fields[field]
	if !ok {
		return true
	}
	content := view.Turn.Content
	switch before(content, src.Span) {
	case generic:
		return true
	case definite:
		return marked(content, src.Span) || c.Rule == "property-of" || h.introduced(c, field, view)
	}
	name, _ := c.Data[field].(string)
	return h.inDocument(name, view) && domain.Singular(strings.ToLower(name)) != strings.ToLower(name)
}

// introduced reports whether the document or an earlier statement of the
// turn names the same, in general or by a mark.
func (h hooks) introduced(c *domain.Candidate, field string, view domain.View) bool {
	name, _ := c.Data[field].(string)
	if h.inDocument(name, view) {
		return true
	}
	content := view.Turn.Content
	return h.said(name, view, func(o *domain.Candidate, _ string, src domain.FieldSource) bool {
		return o.Span.Start < c.Span.Start && (before(content, src.Span) == generic || marked(content, src.Span))
	})
}

// inDocument reports whether an entity of the document has the name.
func (h hooks) inDocument(name string, view domain.View) bool {
	key := h.d.Lexicon.FoldName(name)
	for _, e := range view.Slice.Elements {
		if e.ElementType == "entity" && e.Domain == ID && e.Status.Live() {
			if n, _ := e.Data["name"].(string); h.d.Lexicon.FoldName(n) == key {
				return true
			}
		}
	}
	return false
}

// said reports whether some field of the turn's statements names the same
// and passes the test.
func (h hooks) said(name string, view domain.View, test func(*domain.Candidate, string, domain.FieldSource) bool) bool {
	key := h.d.Lexicon.FoldName(name)
	for i := range view.Said {
		o := &view.Said[i]
		for field, src := range o.Fields {
			if field == "verb" || field == "text" || field == "value" {
				continue
			}
			if n, _ := o.Data[field].(string); h.d.Lexicon.FoldName(n) == key && test(o, field, src) {
				return true
			}
		}
	}
	return false
}

// isEntity reports whether what something "has" is a thing of its own: a
// term in capitals, a known entity, or what does something itself.
func (h hooks) isEntity(c *domain.Candidate, view domain.View) bool {
	field := "object"
	if c.Type == "property" {
		field = "name"
	}
	name, _ := c.Data[field].(string)
	return allCapitals(name) || h.inDocument(name, view) || h.said(name, view, func(o *domain.Candidate, field string, _ domain.FieldSource) bool {
		return o.Type == "relationship" && field == "subject" || o.Type == "entity"
	})
}

// Implies makes an entity of a name that two things speak for: its place in
// a statement, and its form or a second statement.
func (h hooks) Implies(c *domain.Candidate, field string, view domain.View) bool {
	src, ok := c.Fields[field]
	if !ok {
		return false
	}
	content := view.Turn.Content
	if marked(content, src.Span) {
		return true
	}
	name, _ := c.Data[field].(string)
	if field == "subject" && (before(content, src.Span) == generic || strings.Contains(name, " ")) {
		return true
	}
	return h.said(name, view, func(o *domain.Candidate, field string, _ domain.FieldSource) bool {
		if o.Rule == "has" && !h.isEntity(o, view) {
			return false
		}
		return o.Span.Start != c.Span.Start && (field == "subject" || field == "object" || field == "kind" || o.Type == "entity")
	})
}
