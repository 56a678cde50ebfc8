package engine

import (
	"fmt"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Describe says in a few words what data of a type state, by the type's
// label; fields that are unknown stand as "?".
func (d *Domain) Describe(typ string, data sir.Data) string {
	t := d.TypeNamed(typ)
	if t == nil {
		return typ
	}
	text := t.Label
	if text == "" {
		text = "{" + t.Fields[0].Name + "}"
	}
	return t.Name + " " + strings.TrimSpace(expand(t, text, data))
}

// Label is Describe without the type's name.
func (d *Domain) Label(typ string, data sir.Data) string {
	return strings.TrimPrefix(d.Describe(typ, data), typ+" ")
}

// expand fills a template: "{field}" is the value, "[…]" is left out where a
// field in it is unknown, "{field?word}" is the word where the field is true.
func expand(t *domain.Type, text string, data sir.Data) string {
	var b strings.Builder
	for text != "" {
		switch {
		case text[0] == '[':
			end := strings.IndexByte(text, ']')
			if end < 0 {
				return b.String() + text
			}
			if inner := text[1:end]; allKnown(t, inner, data) {
				b.WriteString(expand(t, inner, data))
			}
			text = text[end+1:]
		case text[0] == '{':
			end := strings.IndexByte(text, '}')
			if end < 0 {
				return b.String() + text
			}
			name, word, flag := strings.Cut(text[1:end], "?")
			switch v := data[name]; {
			case flag && v == true:
				b.WriteString(word)
			case flag:
			case v == nil:
				b.WriteByte('?')
			default:
				b.WriteString(show(v))
			}
			text = text[end+1:]
		default:
			next := strings.IndexAny(text, "[{")
			if next < 0 {
				next = len(text)
			}
			b.WriteString(text[:next])
			text = text[next:]
		}
	}
	return b.String()
}

func allKnown(t *domain.Type, text string, data sir.Data) bool {
	for {
		_, rest, ok := strings.Cut(text, "{")
		if !ok {
			return true
		}
		name, after, _ := strings.Cut(rest, "}")
		name, _, _ = strings.Cut(name, "?")
		if f := t.FieldNamed(name); f == nil || !domain.Known(f, data[name]) {
			return false
		}
		text = after
	}
}

// nothing is the summary of a turn that says nothing (seed §10.1).
const nothing = "No formal elements detected"

// summarize says what a result did in a sentence or two.
func (d *Domain) summarize(r *sir.Result) string {
	var parts []string
	if n := len(r.Added); n > 0 {
		parts = append(parts, "Added "+d.counted(r.Added)+level(r.Added)+".")
	}
	for i, c := range r.Refined {
		if i == 3 {
			parts = append(parts, fmt.Sprintf("%d more refined.", len(r.Refined)-3))
			break
		}
		parts = append(parts, d.refined(c))
	}
	if n := len(r.Deprecated); n > 0 {
		parts = append(parts, "No longer holds: "+list(r.Deprecated, d)+".")
	}
	if n := len(r.Conflicts); n > 0 {
		parts = append(parts, plural(n, "contradiction")+" to settle.")
	}
	if n := len(r.Clarifications); n > 0 {
		parts = append(parts, plural(n, "question")+" to answer.")
	} else if n := len(r.Flagged); n > 0 && len(r.Conflicts) == 0 {
		parts = append(parts, plural(n, "candidate")+" held back.")
	}
	if len(parts) == 0 && len(r.Duplicates) > 0 {
		return "Nothing new: it was known."
	}
	if len(parts) == 0 {
		return nothing
	}
	return strings.Join(parts, " ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// counted is "2 states (idle, loading) and 1 transition (idle → loading)".
func (d *Domain) counted(changes []sir.Change) string {
	var groups []string
	for _, t := range d.Types {
		var names []string
		for _, c := range changes {
			if c.Element.ElementType == t.Name {
				names = append(names, d.Label(t.Name, c.Element.Data))
			}
		}
		if len(names) == 0 {
			continue
		}
		shown := names
		if len(shown) > 4 {
			shown = append(append([]string(nil), shown[:4]...), "…")
		}
		groups = append(groups, plural(len(names), t.Name)+" ("+strings.Join(shown, ", ")+")")
	}
	switch n := len(groups); {
	case n == 0:
		return plural(len(changes), "element")
	case n == 1:
		return groups[0]
	default:
		return strings.Join(groups[:n-1], ", ") + " and " + groups[n-1]
	}
}

func level(changes []sir.Change) string {
	lowest := sir.Certain
	for _, c := range changes {
		lowest = min(lowest, c.Element.Confidence)
	}
	if lowest < 6000 {
		return " with low confidence"
	}
	return ""
}

func (d *Domain) refined(c sir.Change) string {
	e := c.Element
	what := "confirmed again"
	if c.Diff != nil && len(c.Diff.Changes) > 0 {
		var fields []string
		for _, x := range c.Diff.Changes {
			_, name, _ := strings.Cut(x.Field, ".")
			fields = append(fields, fmt.Sprintf("%s %s", name, show(x.NewValue)))
		}
		what = strings.Join(fields, ", ")
	} else if c.Provenance.Action == sir.ActionFlagged {
		what = "needs review"
	} else if !c.Provenance.HumanConfirmed {
		what = "said again"
	}
	return fmt.Sprintf("Refined %s '%s': %s. Confidence: %s.", e.ElementType, d.Label(e.ElementType, e.Data), what, e.Confidence)
}

func list(changes []sir.Change, d *Domain) string {
	var names []string
	for _, c := range changes {
		names = append(names, d.Describe(c.Element.ElementType, c.Element.Data))
	}
	return strings.Join(names, ", ")
}
