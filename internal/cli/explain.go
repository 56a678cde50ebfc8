package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// explanation says in words why an element is what it is.
type explanation struct {
	doc   *export.Document
	e     *sir.Element
	turns map[string]*sir.Turn
	b     strings.Builder
}

// anID is the id of an element.
var anID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// namesIn returns what puts the names of a document's elements into a text
// that has their ids: a history speaks of others by these alone.
func namesIn(doc *export.Document) func(string) string {
	names := map[string]string{}
	for _, e := range doc.Elements {
		names[e.ID] = e.ElementType + " " + doc.Labels(e)
	}
	return func(text string) string {
		return anID.ReplaceAllStringFunc(text, func(id string) string { return or(names[id], id) })
	}
}

// look finds the turns that the element speaks of.
func (x *explanation) look() error {
	want := map[string]bool{}
	for _, ev := range x.e.Evidence {
		want[ev.TurnID] = true
	}
	for _, p := range x.e.Provenance.Entries {
		want[p.TurnID] = true
	}
	for t, err := range x.doc.Turns {
		if err != nil {
			return err
		}
		if want[t.ID] {
			x.turns[t.ID] = t
		}
	}
	return nil
}

func (x *explanation) who(turnID string) string {
	if t := x.turns[turnID]; t != nil {
		return who(t, len(x.doc.Sessions))
	}
	return "turn " + turnID
}

func (x *explanation) printf(format string, args ...any) { fmt.Fprintf(&x.b, format, args...) }

func (x *explanation) text() string {
	e := x.e
	x.printf("%s  %s\n", e.ElementType, safe(x.doc.Labels(e)))
	x.printf("  %s\n  %s, version %d\n", e.ID, strings.Join(marks(e), ", "), e.Version)
	x.printf("\nWords\n")
	for i, ev := range e.Evidence {
		x.printf("  %d. “%s”\n     %s, %s, bytes %d–%d\n", i+1, safe(ev.Quote), safe(x.who(ev.TurnID)), ev.Match, ev.Bytes[0], ev.Bytes[1])
	}
	x.confidence()
	x.fields()
	x.readings()
	x.links()
	x.history()
	return x.b.String()
}

// marks are the status and the flags that are set, as words.
func marks(e *sir.Element) []string {
	out := []string{string(e.Status)}
	for _, f := range []struct {
		on   bool
		word string
	}{
		{e.Flags.IsTentative, "tentative"}, {e.Flags.IsAmbiguous, "ambiguous"}, {e.Flags.IsContradicted, "contradicted"},
		{e.Flags.NeedsReview, "needs review"}, {e.Flags.SourceIsExplicit, "written explicitly"},
	} {
		if f.on {
			out = append(out, f.word)
		}
	}
	return out
}

// triggers say in words what set the base of a score.
var triggers = map[string]string{
	"marker":     "an explicit marker",
	"block":      "a fenced block",
	"correction": "a person's correction",
	"specBlock":  "a list that looks like a specification",
	"pattern":    "a pattern that the words fit",
	"model":      "a model's own number",
	"act":        "a person's act",
}

// modifiers say in words what is added to a score.
var modifiers = map[string]string{
	"hedge":        "the words are hedged or a proposal",
	"agent":        "an agent said it, or reports it",
	"consistency":  "how well it fits what stood before",
	"repetition":   "further people's turns that say the same",
	"completeness": "a revision may have left a field stale",
}

// confidence prints the sum.
func (x *explanation) confidence() {
	e, s := x.e, x.e.Scores
	x.printf("\nConfidence %s (%s)\n", e.Confidence, e.Confidence.Word())
	what := or(triggers[s.Trigger], s.Trigger)
	if c := e.Attribution.Component; c != "" {
		what += " (" + safe(c) + ")"
	}
	x.printf("  %7s  %s\n", s.Base, what)
	sum := s.Base
	for _, m := range s.Modifiers {
		sum += m.Value
		sign := "+"
		if m.Value < 0 {
			sign = "−"
		}
		x.printf("  %7s  %s\n", sign+max(m.Value, -m.Value).String(), or(modifiers[m.Name], m.Name))
	}
	x.printf("  %7s  the most that it can reach\n", "≤ "+s.Cap.String())
	switch {
	case e.Confidence == sir.Certain:
		x.printf("  a person has confirmed it\n")
	case e.Confidence > min(sum, s.Cap):
		x.printf("  it keeps the higher number that it had before\n")
	case e.Confidence < min(sum, s.Cap):
		x.printf("  it is held at the most that an element of its kind can have\n")
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// rules say in words where a field came from that is not named.
var rules = map[string]string{
	"focus":   "from what the talk was about",
	"heading": "from the heading above",
	"item":    "from the list item above",
	"scope":   "from the condition in the same sentence",
}

// fields prints what is known of each field.
func (x *explanation) fields() {
	e := x.e
	names := x.doc.Fields(e.Domain, e.ElementType)
	for k := range e.Data {
		if !slices.Contains(names, k) {
			names = append(names, k)
		}
	}
	slices.Sort(names[len(x.doc.Fields(e.Domain, e.ElementType)):])
	x.printf("\nFields\n")
	var unknown []string
	for _, k := range names {
		v := e.Data[k]
		if list, ok := v.([]any); v == nil || v == false || ok && len(list) == 0 {
			if v == nil {
				unknown = append(unknown, k)
			}
			continue
		}
		x.printf("  %s: %s", k, safe(show(v)))
		f, own := e.Fields[k]
		if own {
			x.printf("  %s", f.Confidence)
			if f.Rule != nil {
				x.printf(", %s", or(rules[*f.Rule], or(x.decided(*f.Rule, k), "by "+*f.Rule)))
			}
			if len(f.Evidence) > 0 {
				x.printf(", words %s", numbers(f.Evidence))
			}
		}
		x.printf("\n")
	}
	if len(unknown) > 0 {
		x.printf("  nobody said: %s\n", strings.Join(unknown, ", "))
	}
}

// decided says which person's act gave a field its value, whose words are
// then not among those above; "" where none did.
func (x *explanation) decided(rule, field string) string {
	for _, p := range slices.Backward(x.e.Provenance.Entries) {
		given := p.Diff != nil && slices.ContainsFunc(p.Diff.Changes, func(c sir.FieldChange) bool { return fieldOf(c.Field) == field })
		if t := x.turns[p.TurnID]; t != nil && t.IsAct() && (given || p.Action == sir.ActionSplit) {
			return "by " + safe(x.who(p.TurnID)) + " (" + rule + "), not by the words above"
		}
	}
	return ""
}

func show(v any) string {
	if v == nil {
		return "nothing"
	}
	if list, ok := v.([]any); ok {
		var parts []string
		for _, x := range list {
			parts = append(parts, show(x))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// numbers are evidence indexes as people count, at most five.
func numbers(at []int) string {
	var parts []string
	for i, n := range at {
		if i == 5 && len(at) > 6 {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more", len(at)-5)
		}
		parts = append(parts, fmt.Sprint(n+1))
	}
	return strings.Join(parts, ", ")
}

// readings prints what an ambiguous element may mean.
func (x *explanation) readings() {
	if len(x.e.Interpretations) == 0 {
		return
	}
	x.printf("\nIt could mean\n")
	for i, r := range x.e.Interpretations {
		chosen := ""
		if r.ID == x.e.ResolvedInterpretationID {
			chosen = "  (chosen)"
		}
		x.printf("  %d. %s  %s%s\n", i+1, safe(or(r.Rationale, data(r.Data))), r.Confidence, chosen)
	}
}

// links prints the elements that it refers to.
func (x *explanation) links() {
	e := x.e
	if len(e.Refs) == 0 && e.ReplacesID == "" && e.ReplacedByID == "" {
		return
	}
	x.printf("\nLinks\n")
	line := func(rel, id string) {
		name := ""
		for _, o := range x.doc.Elements {
			if o.ID == id {
				name = "  " + o.ElementType + " " + safe(x.doc.Labels(o))
			}
		}
		x.printf("  %s  %s%s\n", rel, id, name)
	}
	for _, r := range e.Refs {
		line(r.Rel, r.ID)
	}
	if e.ReplacesID != "" {
		line("replaces", e.ReplacesID)
	}
	if e.ReplacedByID != "" {
		line("replaced by", e.ReplacedByID)
	}
}

// history prints the entries of the provenance.
func (x *explanation) history() {
	x.printf("\nHistory\n")
	named := namesIn(x.doc)
	for _, p := range x.e.Provenance.Entries {
		how := by(p.Attribution) + ", "
		if t := x.turns[p.TurnID]; t != nil && t.IsAct() {
			how = "" // the act says who
		}
		x.printf("  %d. %s by %s, confidence %s", p.Version, p.Action, safe(how+x.who(p.TurnID)), p.ConfidenceAtTime)
		if p.HumanConfirmed {
			x.printf(", a person's own word")
		}
		x.printf("\n")
		if p.ExtractionRationale != "" {
			x.printf("     %s\n", safe(named(p.ExtractionRationale)))
		}
		if p.Diff != nil {
			for _, c := range p.Diff.Changes {
				x.printf("     %s: %s → %s\n", c.Field, safe(show(c.OldValue)), safe(show(c.NewValue)))
			}
		}
	}
}

func by(a sir.Attribution) string {
	for _, s := range []string{a.Component, a.Model, a.AgentID, a.SpeakerID, strings.Join(a.Agents, ", ")} {
		if s != "" {
			return s
		}
	}
	return string(a.Type)
}

// safe keeps words to one line that cannot rewrite the screen.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u200e' || r == '\u200f' || r == '\u061c':
			return '\ufffd'
		}
		return r
	}, s)
}
