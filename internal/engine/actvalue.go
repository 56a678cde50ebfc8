package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// edited lays the fields that a person gives over an element's data, and
// returns the names of those that are other than before, in the type's order.
// The error says which field is not the type's, or what one wants.
func (d *Domain) edited(t *domain.Type, e *sir.Element, given map[string]any) (sir.Data, []string, error) {
	data := complete(t, e.Data)
	for name := range given {
		if t.FieldNamed(name) == nil {
			return nil, nil, unknownField(t, given)
		}
	}
	var changed []string
	for i := range t.Fields {
		f := &t.Fields[i]
		v, ok := given[f.Name]
		if !ok {
			continue
		}
		v, err := value(t, f, v)
		if err != nil {
			return nil, nil, err
		}
		if !same(data[f.Name], v) {
			changed = append(changed, f.Name)
		}
		data[f.Name] = v
	}
	if len(changed) > 0 && !t.Says(data) {
		need := t.Need
		if len(need) == 0 {
			need = t.Key
		}
		return nil, nil, fmt.Errorf("it would say nothing: a %s needs %s", t.Name, strings.Join(need, " or "))
	}
	return data, changed, nil
}

// unknownField names the fields that the type lacks, and those that it has.
func unknownField(t *domain.Type, given map[string]any) error {
	var bad, known []string
	for name := range given {
		if t.FieldNamed(name) == nil {
			bad = append(bad, strconv.Quote(name))
		}
	}
	slices.Sort(bad)
	for _, f := range t.Fields {
		known = append(known, f.Name)
	}
	return fmt.Errorf("a %s has no field %s: it has %s", t.Name, strings.Join(bad, ", "), strings.Join(known, ", "))
}

// value is what a person gives for a field in the form in which data hold
// it; nil is unknown. A command line has words only: "true" and "3" will do
// for the kinds that mean them.
func value(t *domain.Type, f *domain.Field, given any) (any, error) {
	wants := func(what string) error {
		return fmt.Errorf("%s of a %s is %s: want %s", f.Name, t.Name, show(given), what)
	}
	v, err := sir.Normal(given)
	if err != nil {
		return nil, wants("a value of JSON")
	}
	if v == nil {
		return t.Blank()[f.Name], nil
	}
	if text, ok := v.(string); ok {
		v = strings.TrimSpace(text)
		if v == "" {
			return nil, wants("some text, or null for unknown")
		}
	}
	if !storable(v) {
		return nil, wants("UTF-8 text without U+0000, and whole numbers")
	}
	switch f.Kind {
	case domain.Bool:
		v, ok := asBool(v)
		if !ok {
			return nil, wants("true or false")
		}
		return v, nil
	case domain.Number:
		v, ok := asNumber(v)
		if !ok {
			return nil, wants("a whole number")
		}
		return v, nil
	case domain.List:
		list, ok := v.([]any)
		if !ok || slices.ContainsFunc(list, func(x any) bool { s, ok := x.(string); return !ok || strings.TrimSpace(s) == "" }) {
			return nil, wants("a list of texts")
		}
		return list, nil
	case domain.Any:
		return v, nil
	}
	text, ok := v.(string)
	if n, whole := v.(int64); whole { // a name such as 404
		text, ok = strconv.FormatInt(n, 10), true
	}
	switch {
	case !ok:
		return nil, wants("text")
	case f.Kind == domain.Duration && !isDuration(text):
		return nil, wants("a duration such as 30s or 5 minutes")
	case f.Kind == domain.Date && !isDate(text):
		return nil, wants("a date such as 2026-03-31")
	case len(f.Enum) > 0:
		if text, ok = oneOf(f.Enum, text); !ok {
			return nil, wants("one of " + strings.Join(f.Enum, ", "))
		}
	}
	return text, nil
}

// storable reports whether the log can hold a value.
func storable(v any) bool {
	if _, err := sir.Canonical(v); err != nil {
		return false
	}
	switch x := v.(type) {
	case string:
		return utf8.ValidString(x) && strings.IndexByte(x, 0) < 0
	case []any:
		return !slices.ContainsFunc(x, func(v any) bool { return !storable(v) })
	case map[string]any:
		for k, v := range x {
			if !storable(k) || !storable(v) {
				return false
			}
		}
	}
	return true
}

func asBool(v any) (b, ok bool) {
	switch x := v.(type) {
	case bool:
		return x, true
	case string:
		return x == "true", x == "true" || x == "false"
	}
	return false, false
}

func asNumber(v any) (n int64, ok bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case string:
		n, err := strconv.ParseInt(x, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// isDuration reports whether a text is a span of time; none is negative.
func isDuration(text string) bool {
	if _, ok := domain.ParseDuration(text); ok {
		return true
	}
	_, err := time.ParseDuration(text)
	return err == nil && !strings.HasPrefix(text, "-")
}

func isDate(text string) bool {
	for _, layout := range [...]string{time.DateOnly, time.RFC3339} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

// oneOf is the value of an enumeration that a text means, whatever its case.
func oneOf(enum []string, text string) (string, bool) {
	for _, v := range enum {
		if strings.EqualFold(v, text) {
			return v, true
		}
	}
	return "", false
}
