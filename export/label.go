package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/speckl/speckl/sir"
)

// headlines are the fields that name a thing best, the best first.
var headlines = []string{"name", "title", "text", "condition", "question", "label", "value", "description"}

// Label is an element in one line, told from the shape of its data alone:
//
//	idle (initial)  {timeout: 120s}
//	idle → loading  on SEARCH  [query is not empty]  / showSpinner
//	a patient has an insurer
//	waiting list: maximum size = 25
//
// A part that a sentence of such a shape needs and nobody said is "?".
func Label(e *sir.Element) string {
	d := e.Data
	used := map[string]bool{}
	take := func(k string) string { used[k] = true; return valueText(d[k]) }
	has := func(ks ...string) bool {
		return !slices.ContainsFunc(ks, func(k string) bool { _, ok := d[k]; return !ok })
	}
	or := func(s string) string {
		if s == "" {
			return "?"
		}
		return s
	}
	var b strings.Builder
	switch {
	case has("from", "to"):
		b.WriteString(or(take("from")) + " → " + or(take("to")))
		part := func(key, before, after string) {
			if s := take(key); s != "" {
				b.WriteString("  " + before + s + after)
			}
		}
		part("event", "on ", "")
		part("after", "after ", "")
		part("guard", "[", "]")
		part("actions", "/ ", "")
		if d["kind"] == "external" {
			used["kind"] = true
		}
	case has("subject", "verb", "object"):
		b.WriteString(or(take("subject")) + " " + or(take("verb")) + " " + or(take("object")))
	case has("subject", "name", "value"):
		b.WriteString(or(take("subject")) + ": " + or(take("name")) + " = " + or(take("value")))
	default:
		b.WriteString(or(headline(d, used)))
	}
	b.WriteString(rest(d, used))
	return oneLine(b.String())
}

// headline picks the text that names a thing, and marks it used.
func headline(d sir.Data, used map[string]bool) string {
	for _, k := range append(slices.Clone(headlines), sortedKeys(d)...) {
		if s, ok := d[k].(string); ok && strings.TrimSpace(s) != "" {
			used[k] = true
			return s
		}
	}
	return ""
}

// rest prints the other known fields: what is true in parentheses, the values
// in braces.
func rest(d sir.Data, used map[string]bool) string {
	var is, has []string
	for _, k := range sortedKeys(d) {
		if used[k] {
			continue
		}
		if yes, ok := d[k].(bool); ok {
			if yes {
				is = append(is, strings.TrimPrefix(words(k), "is "))
			}
			continue
		}
		if s := valueText(d[k]); s != "" {
			has = append(has, words(k)+": "+s)
		}
	}
	out := ""
	if len(is) > 0 {
		out = " (" + strings.Join(is, ", ") + ")"
	}
	if len(has) > 0 {
		out += "  {" + strings.Join(has, "; ") + "}"
	}
	return out
}

// Gaps lists the questions that an element leaves open, told from the shape
// of its data alone: a change whose source or target nobody has said.
func Gaps(e *sir.Element) []string {
	from, ok1 := e.Data["from"]
	to, ok2 := e.Data["to"]
	if !ok1 || !ok2 {
		return nil
	}
	named := func(before string, v any) string {
		if s := valueText(v); s != "" {
			return before + "“" + s + "”"
		}
		return ""
	}
	when := named(" on ", e.Data["event"])
	source, target := named(" from ", from), named(" to ", to)
	switch {
	case source == "" && target == "":
		return []string{oneLine("From where, and to where, does it go" + when + "?")}
	case source == "":
		return []string{oneLine("From where does it go" + target + when + "?")}
	case target == "":
		return []string{oneLine("Where does it go" + source + when + "?")}
	}
	return nil
}

// valueText is a data value as a person reads it; unknown and empty are "".
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts := make([]string, 0, len(v))
		for _, x := range v {
			if s := valueText(x); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case []string:
		return strings.Join(v, ", ")
	case map[string]any:
		var parts []string
		for _, k := range sortedKeys(v) {
			if s := valueText(v[k]); s != "" {
				parts = append(parts, k+" "+s)
			}
		}
		if len(parts) == 0 {
			return ""
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// words spells a name of a field or a code: entryActions is "entry actions",
// no_span is "no span".
func words(name string) string {
	var b strings.Builder
	prev := rune(0)
	for _, r := range name {
		switch {
		case r == '_' || r == '-':
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

// plural is the heading over elements of a type: "spell-cast" is "Spell
// casts".
func plural(elementType string) string {
	s := words(elementType)
	switch {
	case s == "":
		return "Others"
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay") && !strings.HasSuffix(s, "ey") && !strings.HasSuffix(s, "oy"):
		s = s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		s += "es"
	default:
		s += "s"
	}
	return upperFirst(s)
}

func upperFirst(s string) string {
	for i, r := range s {
		if i == 0 {
			return string(unicode.ToUpper(r)) + s[len(string(r)):]
		}
	}
	return s
}

// oneLine folds line breaks and tabs into spaces and trims; runs of plain
// spaces stay, since they part the pieces of a label.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "\n\r\t\v\f\u0085\u2028\u2029") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) && r != ' ' || r == '\u2028' || r == '\u2029'
	}), " ")
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
