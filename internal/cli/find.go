package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// idPrefix is a prefix of an element's id: at least six hex digits.
var idPrefix = regexp.MustCompile(`^[0-9a-f]{6}[0-9a-f-]*$`)

// arrows divide a transition's name.
var arrows = regexp.MustCompile(`-->|->|=>|→`)

// elementForms says how an element is named.
const elementForms = "ELEMENT is an id, at least six digits of one, or TYPE:NAME."

// element returns the element of a document that a name means. Where it may
// mean several they are listed beside the error, for they are no result.
func (a *app) element(s *subject, name string) (*sir.Element, error) {
	found := find(s.doc, name)
	switch len(found) {
	case 0:
		return nil, inputf("not found: no element %q in %s: %s", name, s.arg, near(s.doc, name))
	case 1:
		return found[0], nil
	}
	for _, e := range found {
		fmt.Fprintf(a.stderr, "%s  %s  %s  %s\n", e.ID, e.ElementType, safe(s.doc.Labels(e)), e.Status)
	}
	return nil, usagef("%q is %s: choose one by its id", name, count(len(found), "element"))
}

// find returns the elements that a name may mean: an id, a prefix of one, or
// TYPE:NAME. One that is live wins over those that are not.
func find(doc *export.Document, name string) []*sir.Element {
	var found []*sir.Element
	typ, rest, typed := strings.Cut(name, ":")
	for _, e := range doc.Elements {
		switch {
		case e.ID == name:
			return []*sir.Element{e}
		case idPrefix.MatchString(strings.ToLower(name)) && strings.HasPrefix(e.ID, strings.ToLower(name)):
			found = append(found, e)
		case typed && e.ElementType == strings.TrimSpace(typ) && called(doc, e, strings.TrimSpace(rest)):
			found = append(found, e)
		}
	}
	live := slices.DeleteFunc(slices.Clone(found), func(e *sir.Element) bool { return !e.Status.Live() })
	if len(live) == 1 {
		return live
	}
	return found
}

// called reports whether an element goes by a name.
func called(doc *export.Document, e *sir.Element, name string) bool {
	_, from := e.Data["from"]
	_, to := e.Data["to"]
	if at := arrows.FindStringIndex(name); at != nil && from && to {
		target, event, withEvent := strings.Cut(name[at[1]:], " on ")
		return folded(e.Data["from"]) == folded(name[:at[0]]) && folded(e.Data["to"]) == folded(target) &&
			(!withEvent || domain.FoldLabel(text(e.Data["event"])) == domain.FoldLabel(event))
	}
	names := []any{doc.Labels(e), export.Label(e)}
	for _, key := range []string{"name", "condition", "text", "title", "subject"} {
		if v := e.Data[key]; v != nil {
			names = append(names, v)
			break
		}
	}
	if aliases, ok := e.Data["aliases"].([]any); ok {
		names = append(names, aliases...)
	}
	return slices.ContainsFunc(names, func(v any) bool { return folded(v) == folded(name) })
}

// folded is a name as it is compared.
func folded(v any) string {
	s := strings.TrimSpace(text(v))
	if s == "*" || s == "(history)" {
		return s
	}
	return articles.ReplaceAllString(domain.FoldText(s), "")
}

var articles = regexp.MustCompile(`^(the|an?) | (state|status|mode|phase)$`)

func text(v any) string {
	s, _ := v.(string)
	return s
}

// near are the names of live elements of the type that name may have meant.
func near(doc *export.Document, name string) string {
	typ, rest, typed := strings.Cut(name, ":")
	var names, labels, types []string
	for _, e := range doc.Elements {
		if !slices.Contains(types, e.ElementType) {
			types = append(types, e.ElementType)
		}
		if typed && e.ElementType == typ && e.Status.Live() {
			labels = append(labels, doc.Labels(e))
			names = append(names, or(text(e.Data["name"]), doc.Labels(e)))
		}
	}
	switch {
	case len(doc.Elements) == 0:
		return "the document has no elements"
	case !typed || len(names) == 0:
		return "name an id, six digits of one, or TYPE:NAME, where TYPE is one of " + strings.Join(types, ", ")
	}
	if close := nearest(rest, names); len(close) > 0 {
		return "did you mean " + typ + ":" + strings.Join(close, " or "+typ+":") + "?"
	}
	if len(labels) > 8 {
		labels = append(labels[:8], "…")
	}
	return "there are: " + strings.Join(labels, "; ")
}
