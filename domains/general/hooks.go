package general

import (
	"slices"
	"strings"
	"unicode"

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
	if src, ok := c.Fields["subject"]; ok && src.Rule == "" {
		owned(c, content, src.Span)
	}
	for _, field := range [...]string{"subject", "object"} {
		src, ok := c.Fields[field]
		if !ok || src.Rule != "" || field == "object" && isHas(c) {
			continue
		}
		src.Span = trim(content, src.Span)
		c.Fields[field] = src
		c.Data[field] = src.Span.Of(content)
	}
	return true
}

// owned leaves the owner out of a subject: "the exhibit's label" is about a
// label.
func owned(c *domain.Candidate, content string, span sir.Span) {
	text := span.Of(content)
	for _, mark := range [...]string{"'s ", "’s "} {
		if i := strings.LastIndex(text, mark); i > 0 {
			span.Start += i + len(mark)
			c.Data["subject"], c.Fields["subject"] = span.Of(content), domain.FieldSource{Span: span}
			return
		}
	}
}

// withCondition takes the condition behind a constraint into its text.
func withCondition(c *domain.Candidate, content string) {
	rest := content[c.Span.End:]
	word := strings.TrimLeft(rest, " \n")
	if n := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); n >= 0 {
		word = word[:n]
	}
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

// possessive takes the mark off "Loan's"; a name without one owns nothing.
func possessive(c *domain.Candidate, content string) bool {
	span := c.Fields["subject"].Span
	text := span.Of(content)
	for _, mark := range [...]string{"'s", "’s", "s'", "s’"} {
		if strings.HasSuffix(text, mark) {
			span.End -= len(strings.TrimPrefix(mark, "s"))
			c.Data["subject"], c.Fields["subject"] = span.Of(content), domain.FieldSource{Span: span}
			return true
		}
	}
	return false
}

// Normalize drops statements about nothing in general: a single thing that
// nobody has introduced. Of the two things that "has" can say it keeps the
// one that fits.
// A model has judged by the meaning what the rules can only judge by the form.
func (h hooks) Normalize(c *domain.Candidate, view domain.View) (keep bool, reason string) {
	if c.Trigger == domain.TriggerModel {
		return true, ""
	}
	field := subjectOf(c)
	if c.Rule == "term" {
		name, _ := c.Data["name"].(string)
		return allCapitals(name) && strings.Count(name, " ") < 4, "unproven_name"
	}
	if !h.about(c, field, view) {
		return false, "unproven_name"
	}
	if kind, _ := c.Data["kind"].(string); kind != "" && h.fold(kind) == h.fold(c.Data["name"].(string)) {
		return false, "says_nothing" // "an hour is an hour"
	}
	if src, ok := c.Fields["object"]; ok && !isHas(c) && counted(view.Turn.Content, src.Span) && !marked(view.Turn.Content, src.Span) && !h.introduced(c, "object", view) {
		return false, "unproven_name" // "costs four quid"
	}
	if c.Rule == "relates-bare" {
		object, _ := c.Data["object"].(string)
		verb, _ := c.Data["verb"].(string)
		noun := strings.HasSuffix(verb, " of") && verb != "consist of" // "a series of"
		if w := lastWord(object); !marked(view.Turn.Content, c.Fields["object"].Span) && (w == domain.Singular(w) || noun) {
			return false, "unproven_name"
		}
	}
	if isHas(c) && h.isEntity(c, view) != (c.Type == "relationship") {
		return false, "other_reading"
	}
	return true, ""
}

// plural ends the rules about plural names without a determiner.
const plural = "-plural"

// isHas reports whether a candidate comes from what something "has", which
// can be a thing or a property.
func isHas(c *domain.Candidate) bool { return strings.TrimSuffix(c.Rule, plural) == "has" }

// lastWord is the last word of a name, folded.
func lastWord(name string) string {
	return strings.ToLower(name[strings.LastIndexByte(name, ' ')+1:])
}

// about reports whether a field names something in general, or something
// that was introduced before.
func (h hooks) about(c *domain.Candidate, field string, view domain.View) bool {
	src, ok := c.Fields[field]
	if !ok {
		return false
	}
	if src.Rule != "" { // from the sentence before
		return h.introduced(c, field, view)
	}
	name, _ := c.Data[field].(string)
	last := lastWord(name)
	if domain.IsNumeral(last) {
		return false // "two million units"
	}
	if strings.HasSuffix(c.Rule, plural) {
		verb, _ := c.Data["verb"].(string)
		return last != domain.Singular(last) && h.introduced(c, field, view) &&
			(c.Rule != "relates"+plural || strings.HasPrefix(verb, "be "))
	}
	content := view.Turn.Content
	switch before(content, src.Span) {
	case generic:
		return true
	case definite:
		return c.Rule == "property-of" || h.introduced(c, field, view) || marked(content, src.Span) && h.isTerm(c, src.Span, view)
	}
	return last != domain.Singular(last) && h.introduced(c, field, view)
}

// subjectOf is the field that a candidate is about.
func subjectOf(c *domain.Candidate) string {
	if c.Type == "entity" {
		return "name"
	}
	return "subject"
}

// isTerm reports whether a single thing with a capital ("the Zone") is a term
// of the conversation and not a proper name ("the BBC"): it is quoted, or its
// statement has another term or says what must be.
func (h hooks) isTerm(c *domain.Candidate, span sir.Span, view domain.View) bool {
	content := view.Turn.Content
	if c.Type == "constraint" || quoted(content, span) {
		return true
	}
	for _, field := range [...]string{"object", "kind"} {
		name, _ := c.Data[field].(string)
		if src, ok := c.Fields[field]; ok && (marked(content, src.Span) || h.inDocument(name, view)) {
			return true
		}
	}
	return false
}

// introduced reports whether the document or an earlier statement of the
// turn names the same, in general or by a mark.
func (h hooks) introduced(c *domain.Candidate, field string, view domain.View) bool {
	name, _ := c.Data[field].(string)
	if h.inDocument(name, view) {
		return true
	}
	content := view.Turn.Content
	byForm := func(src domain.FieldSource) bool {
		return before(content, src.Span) == generic || marked(content, src.Span)
	}
	return h.said(c, name, view, func(o *domain.Candidate, _ string, src domain.FieldSource) bool {
		if o.Span.Start >= c.Span.Start || !byForm(src) {
			return false
		}
		subject, _ := o.Data[subjectOf(o)].(string)
		return o.Rule == "property-of" || byForm(o.Fields[subjectOf(o)]) || h.inDocument(subject, view)
	})
}

func (h hooks) fold(name string) string { return h.d.Lexicon.FoldName(name) }

// inDocument reports whether an entity of the document has the name.
func (h hooks) inDocument(name string, view domain.View) bool {
	key := h.fold(name)
	for _, e := range view.Slice.Elements {
		if e.ElementType == "entity" && e.Domain == ID && e.Status.Live() && h.named(e.Data["name"], name, key) {
			return true
		}
	}
	return false
}

// named reports whether a value is the name whose key is given. Most values
// differ in their first letter, which is cheap to see.
func (h hooks) named(value any, name, key string) bool {
	n, _ := value.(string)
	return n != "" && name != "" && (n[0]|0x20 == name[0]|0x20 || n[0] >= 0x80) && h.fold(n) == key
}

// nearby is how many of the turn's statements on either side are looked at.
const nearby = 100

// said reports whether some field of the turn's statements near the candidate
// names the same and passes the test.
func (h hooks) said(c *domain.Candidate, name string, view domain.View, test func(*domain.Candidate, string, domain.FieldSource) bool) bool {
	key := h.fold(name)
	at, _ := slices.BinarySearchFunc(view.Said, c.Span.Start, func(o domain.Candidate, start int) int { return o.Span.Start - start })
	for i := max(0, at-nearby); i < min(len(view.Said), at+nearby); i++ {
		o := &view.Said[i]
		for field, src := range o.Fields {
			if field == "verb" || field == "text" || field == "value" {
				continue
			}
			if h.named(o.Data[field], name, key) && test(o, field, src) {
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
	return allCapitals(name) || h.inDocument(name, view) || h.said(c, name, view, func(o *domain.Candidate, field string, _ domain.FieldSource) bool {
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
	single := !strings.Contains(name, " ")
	general := before(content, src.Span) == generic
	switch {
	case field == "subject" && (general || !single && c.Rule == "property-of"):
		return true
	case field == "object" && general && single && !isHas(c):
		return true
	}
	return h.said(c, name, view, func(o *domain.Candidate, field string, _ domain.FieldSource) bool {
		if isHas(o) && !h.isEntity(o, view) {
			return false
		}
		return o.Span.Start != c.Span.Start && (field == "subject" || field == "object" || field == "kind" || o.Type == "entity")
	})
}
