package domain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/speckl/speckl/sir"
)

// Canonical is a field's value as it is compared; "" is unknown.
func (d *Domain) Canonical(f *Field, value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = FoldText(fmt.Sprint(x))
		}
		return strings.Join(parts, "\x1f")
	case string:
		for _, free := range f.Free {
			if v == free {
				return v
			}
		}
		switch f.Kind {
		case Name:
			return d.Lexicon.FoldName(v)
		case Label:
			return FoldLabel(v)
		case Duration:
			if length, ok := ParseDuration(v); ok {
				return length.String()
			}
		}
		return FoldText(v)
	}
	return fmt.Sprint(value)
}

// Equal reports whether two values of a field are the same.
func (d *Domain) Equal(f *Field, a, b any) bool { return d.Canonical(f, a) == d.Canonical(f, b) }

// Known reports whether a field's value says something: it is neither nil,
// nor an empty list, nor the field's default.
func Known(f *Field, value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case []any:
		return len(v) > 0
	}
	return f.Default == nil || value != f.Default
}

// Says reports whether data says what an element of the type must: one of
// the fields that it needs is known.
func (t *Type) Says(data sir.Data) bool {
	need := t.Need
	if len(need) == 0 {
		need = t.Key
	}
	return slices.ContainsFunc(need, func(name string) bool { return Known(t.FieldNamed(name), data[name]) })
}

// Key is what makes two statements of a type the same. Fields that are
// unknown stand empty in it.
func (d *Domain) Key(t *Type, data sir.Data) string { return d.join(t, t.Key, data) }

// Slot is what holds one value at a time; "" where a field of it is unknown.
func (d *Domain) Slot(t *Type, data sir.Data) string {
	if len(t.Slot) == 0 {
		return ""
	}
	for _, name := range t.Slot {
		if f := t.FieldNamed(name); !Known(f, data[name]) && !slices.Contains(t.SlotOptional, name) {
			return ""
		}
	}
	return d.join(t, t.Slot, data)
}

// Unify returns the look-up keys of the sets of fields that are all known.
func (d *Domain) Unify(t *Type, data sir.Data) []string {
	var out []string
	for i, set := range t.UnifyOn {
		all := true
		for _, name := range set {
			all = all && Known(t.FieldNamed(name), data[name])
		}
		if all {
			out = append(out, strconv.Itoa(i)+"|"+d.join(t, set, data))
		}
	}
	return out
}

func (d *Domain) join(t *Type, names []string, data sir.Data) string {
	var b strings.Builder
	b.WriteString(t.Name)
	for _, name := range names {
		b.WriteByte('|')
		b.WriteString(strings.ReplaceAll(d.Canonical(t.FieldNamed(name), data[name]), "|", "\\|"))
	}
	return b.String()
}
