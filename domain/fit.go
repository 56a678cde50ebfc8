package domain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/speckl/speckl/sir"
)

// Misfit is a value that the schema does not have.
type Misfit struct {
	// Field is the name under which it was given; Problem says what is wrong.
	Field, Problem string
}

// Fit puts data from elsewhere, such as a model's reply, into the form of a
// type: all fields are there, a value that is spelled otherwise ("TRUE" for
// true, one text for a list of one) is put right, and blank ones are unknown.
// What does not fit is left out and listed, by field. Values are those of
// [sir.Normal].
func (d *Domain) Fit(t *Type, given map[string]any) (sir.Data, []Misfit) {
	data := t.Blank()
	var out []Misfit
	for i := range t.Fields {
		f := &t.Fields[i]
		v, ok := given[f.Name]
		if !ok || v == nil {
			continue
		}
		fitted, problem := d.fit(f, v)
		if problem != "" {
			out = append(out, Misfit{f.Name, problem})
			continue
		}
		if fitted != nil {
			data[f.Name] = fitted
		}
	}
	for name := range given {
		if t.FieldNamed(name) == nil {
			out = append(out, Misfit{name, fmt.Sprintf("type %s has no field %q", t.Name, name)})
		}
	}
	slices.SortFunc(out, func(a, b Misfit) int { return strings.Compare(a.Field, b.Field) })
	return data, out
}

// fit is one value in its field's form; nil is unknown.
func (d *Domain) fit(f *Field, v any) (fitted any, problem string) {
	switch f.Kind {
	case Any:
		return v, ""
	case Bool:
		switch x := v.(type) {
		case bool:
			return x, ""
		case string:
			if b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(x))); err == nil {
				return b, ""
			}
		}
		return nil, fmt.Sprintf("%v: want true or false", v)
	case Number:
		switch x := v.(type) {
		case int64, float64:
			return x, ""
		case string:
			if n, err := strconv.ParseInt(strings.TrimSpace(x), 10, 64); err == nil {
				return n, ""
			}
		}
		return nil, fmt.Sprintf("%v: want a number", v)
	case List:
		items, ok := v.([]any)
		if !ok {
			items = []any{v}
		}
		list := []any{}
		for _, x := range items {
			s, ok := text(x)
			if !ok {
				return nil, fmt.Sprintf("%v: want a list of texts", v)
			}
			if s != "" {
				list = append(list, s)
			}
		}
		return list, ""
	}
	s, ok := text(v)
	switch {
	case !ok:
		return nil, fmt.Sprintf("%v: want a text", v)
	case s == "":
		return nil, ""
	case f.Kind == Name && !slices.Contains(f.Free, s):
		s = d.Lexicon.DisplayName(s)
	}
	if len(f.Enum) == 0 {
		return s, ""
	}
	for _, e := range f.Enum {
		if strings.EqualFold(e, s) {
			return e, ""
		}
	}
	return nil, fmt.Sprintf("%q: want %s", s, strings.Join(f.Enum, ", "))
}

// text is a value as a text without white space around it.
func text(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return strings.TrimSpace(x), true
	case int64:
		return strconv.FormatInt(x, 10), true
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64), true
	}
	return "", false
}

// DisplayName is a name as it is shown: without quotes around it, an article
// before it, and the lexicon's hidden cue nouns at its ends ("the idle state"
// is "idle"). A name that is nothing else stays as it is.
func (l *Lexicon) DisplayName(name string) string {
	words := strings.Fields(strings.Trim(name, "\"'`“”‘’ \t\n"))
	hidden := func(w string) bool { return slices.Contains(l.HiddenCueNouns, strings.ToLower(w)) }
	if len(words) > 1 && articles[strings.ToLower(words[0])] {
		words = words[1:]
	}
	if n := len(words); n > 1 && hidden(words[n-1]) {
		words = words[:n-1]
	} else if n > 1 && hidden(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return name
	}
	return strings.Join(words, " ")
}
