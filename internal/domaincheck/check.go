// Package domaincheck runs the examples that a domain carries: each rule's
// sentences must give what they promise, its counter-examples nothing, and
// the examples for a model must quote their text. [Check] is handed the way
// from a sentence to elements, so that it stands below the whole.
package domaincheck

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Found is an element that a sentence gave.
type Found struct {
	Type string
	Data sir.Data
	// Rule is the id of the rule that found it; empty for none.
	Rule string
}

// Extract reads a sentence with a domain, as the first turn of a new
// document.
type Extract func(d *domain.Domain, text string) ([]Found, error)

// Failure is an example that does not hold.
type Failure struct {
	// Rule is the rule that carries the example, or "shots".
	Rule string
	// Text is the sentence; Problem says what is wrong with it.
	Text, Problem string
	// Found is what the sentence gave.
	Found []Found
}

// String is the failure in one line.
func (f Failure) String() string {
	s := fmt.Sprintf("%q: %s", f.Text, f.Problem)
	if len(f.Found) > 0 {
		var parts []string
		for _, x := range f.Found {
			parts = append(parts, x.String())
		}
		s += "; found " + strings.Join(parts, ", ")
	}
	return s
}

// String is an element in one line: its known fields by name.
func (f Found) String() string {
	s := f.Type + " " + known(f.Data)
	if f.Rule != "" {
		s += " by " + f.Rule
	}
	return s
}

// Result is what a check counted and found.
type Result struct {
	// Rules counts the domain's rules, WithExamples those that carry any.
	Rules, WithExamples int
	// Examples and Counters count the sentences that were run.
	Examples, Counters int
	Failures           []Failure
}

// Check runs a domain's examples. It returns the first error of extract.
func Check(d *domain.Domain, extract Extract) (*Result, error) {
	c := checker{d: d, extract: extract}
	for _, rules := range [][]domain.Rule{d.Rules, d.Adjuncts} {
		for i := range rules {
			if err := c.rule(&rules[i]); err != nil {
				return nil, fmt.Errorf("check domain %s: rule %s: %w", d.ID, rules[i].ID, err)
			}
		}
	}
	for i := range d.Shots {
		c.shot(&d.Shots[i])
	}
	return &c.Result, nil
}

type checker struct {
	Result
	d       *domain.Domain
	extract Extract
}

func (c *checker) fail(rule, text string, found []Found, format string, args ...any) {
	c.Failures = append(c.Failures, Failure{Rule: rule, Text: text, Problem: fmt.Sprintf(format, args...), Found: found})
}

func (c *checker) rule(r *domain.Rule) error {
	c.Rules++
	if len(r.Examples)+len(r.Counter) > 0 {
		c.WithExamples++
	}
	for _, x := range r.Examples {
		c.Examples++
		found, err := c.extract(c.d, x.Text)
		if err != nil {
			return err
		}
		for _, want := range x.Gives {
			c.expect(r.ID, x.Text, want, found)
		}
		if len(x.Gives) == 0 && !slices.ContainsFunc(found, func(f Found) bool { return f.Rule == r.ID }) {
			c.fail(r.ID, x.Text, found, "the rule found nothing")
		}
		for _, f := range found {
			if problem := c.misfit(f.Type, f.Data, true); problem != "" {
				c.fail(r.ID, x.Text, nil, "%s does not fit the schema: %s", f, problem)
			}
		}
	}
	for _, text := range r.Counter {
		c.Counters++
		found, err := c.extract(c.d, text)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(f Found) bool { return f.Rule != r.ID })
		if len(found) > 0 {
			c.fail(r.ID, text, found, "a counter-example gave something")
		}
	}
	return nil
}

// expect looks for an element of the type with the fields that matter.
func (c *checker) expect(rule, text string, want domain.Expect, found []Found) {
	data, err := sir.NormalData(want.Data)
	if err != nil {
		c.fail(rule, text, nil, "expects data that have no JSON form: %v", err)
		return
	}
	if problem := c.misfit(want.Type, data, false); problem != "" {
		c.fail(rule, text, nil, "expects what the schema does not have: %s", problem)
		return
	}
	typ := c.d.TypeNamed(want.Type)
	fits := func(f Found) bool {
		if f.Type != want.Type {
			return false
		}
		for name, value := range data {
			if !c.d.Equal(typ.FieldNamed(name), value, f.Data[name]) {
				return false
			}
		}
		return true
	}
	if !slices.ContainsFunc(found, fits) {
		c.fail(rule, text, found, "gave no %s %s", want.Type, expected(data))
	}
}

// misfit says how data do not fit the schema of their type; empty where they
// do. whole: all fields must be there.
func (c *checker) misfit(typ string, data sir.Data, whole bool) string {
	t := c.d.TypeNamed(typ)
	if t == nil {
		return fmt.Sprintf("no type is named %q", typ)
	}
	for name, v := range data {
		f := t.FieldNamed(name)
		if f == nil {
			return fmt.Sprintf("type %s has no field %q", typ, name)
		}
		if s, ok := v.(string); ok && len(f.Enum) > 0 && !slices.Contains(f.Enum, s) {
			return fmt.Sprintf("%s.%s is %q: want %s", typ, name, s, strings.Join(f.Enum, ", "))
		}
	}
	for _, f := range t.Fields {
		if _, ok := data[f.Name]; whole && !ok {
			return fmt.Sprintf("%s.%s is not there", typ, f.Name)
		}
	}
	return ""
}

// shot checks an example for a model: its quotes stand in the text, its data
// fit.
func (c *checker) shot(s *domain.Shot) {
	c.Examples++
	for _, item := range s.Items {
		if problem := c.misfit(item.Type, item.Data, false); problem != "" {
			c.fail("shots", s.Text, nil, "%s", problem)
		}
		if item.Quote == "" || !strings.Contains(s.Text, item.Quote) {
			c.fail("shots", s.Text, nil, "the quote %q does not stand in the text", item.Quote)
		}
	}
}

func known(data sir.Data) string {
	return print(data, func(v any) bool {
		list, isList := v.([]any)
		return v == nil || v == false || isList && len(list) == 0
	})
}

func expected(data sir.Data) string { return print(data, func(any) bool { return false }) }

func print(data sir.Data, skip func(any) bool) string {
	var keys []string
	for k, v := range data {
		if !skip(v) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	for i, k := range keys {
		switch v := data[k].(type) {
		case nil:
			keys[i] = k + ": null"
		case string:
			keys[i] = fmt.Sprintf("%s: %q", k, v)
		default:
			keys[i] = fmt.Sprintf("%s: %v", k, v)
		}
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
