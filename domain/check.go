package domain

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var idForm = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Check reports what is wrong with a domain's data: names that refer to
// nothing, values outside their range. Phrases are checked where they are
// compiled. It joins all errors it finds.
func (d *Domain) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !idForm.MatchString(d.ID) {
		bad("id %q: want lower-case letters, digits and hyphens", d.ID)
	}
	if len(d.Types) == 0 {
		bad("types: a domain needs at least one element type")
	}
	seen := map[string]bool{}
	for i := range d.Types {
		t := &d.Types[i]
		if t.Name == "" || seen[t.Name] {
			bad("types: name %q is empty or stands twice", t.Name)
		}
		seen[t.Name] = true
		errs = append(errs, d.checkType(t)...)
	}
	for _, m := range d.Markers {
		if !strings.HasSuffix(m.Prefix, ":") || len(m.Prefix) < 2 {
			bad("marker %q: must end in a colon", m.Prefix)
		}
		if m.Type != "" && d.TypeNamed(m.Type) == nil {
			bad("marker %q: no type is named %q", m.Prefix, m.Type)
		}
	}
	ids := map[string]bool{}
	for _, r := range slices.Concat(d.Rules, d.Adjuncts) {
		if r.ID == "" || ids[r.ID] {
			bad("rules: id %q is empty or stands twice", r.ID)
		}
		ids[r.ID] = true
		errs = append(errs, d.checkRule(&r)...)
	}
	for _, fields := range d.Lexicon.Corrections {
		for _, path := range fields {
			typ, field, _ := strings.Cut(path, ".")
			if t := d.TypeNamed(typ); t == nil || t.FieldNamed(field) == nil {
				bad("lexicon.corrections: no field %q", path)
			}
		}
	}
	if t := d.Thresholds; t.Candidate > t.Review || t.Review > t.AutoAccept {
		bad("thresholds: want candidate ≤ review ≤ autoAccept")
	}
	return errors.Join(errs...)
}

func (d *Domain) checkType(t *Type) []error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("type %q: "+format, append([]any{t.Name}, args...)...))
	}
	for _, f := range t.Fields {
		if !f.Kind.Valid() {
			bad("field %q: unknown kind %q", f.Name, f.Kind)
		}
		if f.Ref != "" && d.TypeNamed(f.Ref) == nil {
			bad("field %q: no type is named %q", f.Name, f.Ref)
		}
	}
	for _, name := range t.Bearing {
		if d.TypeNamed(name) == nil {
			bad("bearing: no type is named %q", name)
		}
	}
	if len(t.Key) == 0 {
		bad("key: name at least one field")
	}
	for _, name := range slices.Concat(t.Key, t.Slot, t.SlotOptional, t.Need, slices.Concat(t.UnifyOn...)) {
		if t.FieldNamed(name) == nil {
			bad("no field is named %q", name)
		}
	}
	return errs
}

func (d *Domain) checkRule(r *Rule) []error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("rule %q: "+format, append([]any{r.ID}, args...)...))
	}
	if (len(r.Phrases) == 0) == (r.Regex == "") {
		bad("want either phrases or a regex")
	}
	if r.Base < 0 || r.Base > 10000 {
		bad("base %s: want a number between 0 and 1", r.Base)
	}
	if len(r.Gives) == 0 && r.Focus == "" {
		bad("gives nothing")
	}
	for _, g := range r.Gives {
		t := d.TypeNamed(g.Type)
		if t == nil {
			bad("gives an unknown type %q", g.Type)
			continue
		}
		for name := range g.Fields {
			if t.FieldNamed(name) == nil {
				bad("type %q has no field %q", g.Type, name)
			}
		}
	}
	return errs
}
