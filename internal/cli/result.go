package cli

import (
	"fmt"
	"strings"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// resultText prints a result's changes, a line each, and its summary where
// there are none. refined is the word for what was refined, where there is a
// better one.
func (a *app) resultText(doc *export.Document, r *sir.Result, refined string) error {
	n := 0
	for _, part := range []struct {
		what    string
		changes []sir.Change
	}{{"added", r.Added}, {"changed", r.Refined}, {"ended", r.Deprecated}} {
		for _, c := range part.changes {
			if c.Element == nil {
				continue
			}
			n++
			if _, err := fmt.Fprintln(a.stdout, changeLine(doc, part.what, refined, &c)); err != nil {
				return err
			}
		}
	}
	for _, q := range r.Clarifications {
		fmt.Fprintf(a.stdout, "asked %d. %s\n", q.Number, safe(q.Question))
	}
	if n == 0 && r.Summary != "" {
		fmt.Fprintln(a.stdout, oneLine(r.Summary))
	}
	return nil
}

// changeLine says in a line what happened to an element.
func changeLine(doc *export.Document, what, refined string, c *sir.Change) string {
	if c.Provenance.Action != "" {
		what = string(c.Provenance.Action)
	}
	e := c.Element
	switch {
	case what == string(sir.ActionExtracted):
		what = "added"
	case what == string(sir.ActionRefined) && refined != "":
		what = refined
	case what == string(sir.ActionDeprecated) && e.Status == sir.Error:
		what = "rejected"
	}
	line := fmt.Sprintf("%s %s  %s  %s, %s, version %d", what, e.ElementType, doc.Labels(e), e.Status, e.Confidence, e.Version)
	if c.Diff != nil {
		for _, f := range c.Diff.Changes {
			line += fmt.Sprintf("; %s: %s → %s", fieldOf(f.Field), show(f.OldValue), show(f.NewValue))
		}
	}
	return safe(line)
}

// fieldOf strips the element's type from the name of a changed field.
func fieldOf(name string) string {
	if _, field, ok := strings.Cut(name, "."); ok {
		return field
	}
	return name
}
