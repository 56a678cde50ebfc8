package syntax

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Print writes statements in canonical form: one a line, fields in the order
// of the design, lists in [ ], -> for every arrow, and quotes only where the
// words would else be read otherwise.
//
// Parse reads the same kinds and fields back, where the statements came from
// Parse or [New]. A transition without a source or a target is written with
// its fields in braces; an empty string is not written.
func Print(stmts []Statement) string {
	var b strings.Builder
	for _, s := range stmts {
		b.WriteString(s.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// New makes a statement of an element's data. Keys that the kind does not
// have, nulls and blank strings are left out; []string, int and whole float64
// values take the form that Parse gives. The statement has no spans.
func New(kind Kind, data map[string]any) Statement {
	st := Statement{Kind: kind}
	if !kind.Valid() {
		return st
	}
	for _, f := range schemas[kind].fields {
		v, ok := data[f.name]
		if s, text := v.(string); !ok || v == nil || text && strings.TrimSpace(s) == "" {
			continue
		}
		switch x := v.(type) {
		case []string:
			list := []any{}
			for _, s := range x {
				list = append(list, s)
			}
			v = list
		case int:
			v = int64(x)
		case float64:
			v = int64(x)
		}
		st.Fields = append(st.Fields, Field{Name: f.name, Value: v})
	}
	return st
}

// String is the statement in canonical form, without a line's end.
func (s Statement) String() string {
	if !s.Kind.Valid() {
		return ""
	}
	w := &writer{kind: s.Kind, schema: schemas[s.Kind]}
	_, w.stated = s.Field("state")
	w.WriteString(string(s.Kind))
	fields := slices.DeleteFunc(slices.Clone(s.Fields), func(f Field) bool { return f.Value == "" || w.schema.order(f.Name) < 0 })
	rest := w.head(Statement{Kind: s.Kind, Fields: fields})
	for i, f := range rest {
		w.WriteString([]string{" { ", ", "}[min(i, 1)])
		w.entry(f)
	}
	if len(rest) > 0 {
		w.WriteString(" }")
	}
	return w.String()
}

type writer struct {
	strings.Builder
	kind   Kind
	schema *schema
	// stated is set where the statement has a state.
	stated bool
}

// head writes what stands before the body and returns the other fields.
func (w *writer) head(s Statement) []Field {
	written := map[string]bool{}
	part := func(name, before, after string) bool {
		f, ok := s.Field(name)
		if !ok {
			return false
		}
		written[name] = true
		w.WriteString(before + w.value(f, fmt.Sprint(f.Value)) + after)
		return true
	}
	switch s.Kind {
	case State, Event:
		part("name", " ", "")
	case Transition:
		_, from := s.Field("from")
		_, to := s.Field("to")
		if !from || !to {
			break
		}
		part("from", " ", "")
		part("to", " -> ", "")
		part("event", " on ", "")
		part("guard", " [", "]")
		if f, ok := s.Field("actions"); ok && len(list(f.Value)) > 0 {
			written["actions"] = true
			w.WriteString(" / " + w.items(f))
		}
	case Invariant:
		part("state", " ", ":")
		part("text", " ", "")
	case Constraint:
		part("text", " ", "")
		f, _ := s.Field("text")
		for _, d := range derive(fmt.Sprint(f.Value)) {
			if g, ok := s.Field(d.Name); ok && g.Value == d.Value {
				written[d.Name] = true
			}
		}
	default:
		part(w.schema.text, " ", "")
	}
	return slices.DeleteFunc(slices.Clone(s.Fields), func(f Field) bool { return written[f.Name] })
}

// entry writes a key and its value in a body.
func (w *writer) entry(f Field) {
	spec := w.schema.byName(f.Name)
	w.WriteString(spec.keys[0] + ": ")
	switch v := f.Value.(type) {
	case bool:
		w.WriteString(strconv.FormatBool(v))
	case string:
		switch {
		case f.Name == "onTimeout":
			w.WriteString("-> " + w.value(f, v))
		case f.Name == "payload" && w.reads(f, v, "{ "+v+" }"):
			w.WriteString("{ " + v + " }")
		default:
			w.WriteString(w.value(f, v))
		}
	default:
		if spec.typ.isList() {
			w.WriteString("[" + w.items(f) + "]")
			return
		}
		fmt.Fprint(w, v)
	}
}

func (w *writer) items(f Field) string {
	var out []string
	for _, v := range list(f.Value) {
		s := fmt.Sprint(v)
		out = append(out, w.value(f, s))
	}
	return strings.Join(out, ", ")
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// value writes a text plain where it reads back as it is, else quoted.
func (w *writer) value(f Field, v string) string {
	if w.simple(v) || w.reads(f, v, v) {
		return v
	}
	return quote(v)
}

// simple reports whether v is an identifier that means nothing to the syntax.
func (w *writer) simple(v string) bool {
	for i, r := range v {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	fold := strings.ToLower(v)
	return v != "" && !slices.Contains(connectors, fold) && fold != "any"
}

// trials are the ways in which a field's words may stand, with % for them;
// inBody has those of the other fields.
var trials = map[Kind]map[string][]string{
	State:      {"name": {"%", "% { isFinal: true }"}},
	Event:      {"name": {"%", "% { description: d }"}},
	Guard:      {"condition": {"%", "% { negated: true }"}},
	Action:     {"name": {"%", "% { when: entry }"}},
	Constraint: {"text": {"%", "% { kind: only, state: s, event: e }"}},
	Invariant:  {"state": {"%: t"}, "text": {"s: %"}},
	Transition: {
		"from":    {"% -> b", "{ from: %, after: 1s }"},
		"to":      {"a -> %", "a -> % on E", "a -> % [g]", "a -> % / x", "a -> % { priority: 1 }", "{ to: %, after: 1s }"},
		"event":   {"a -> b on %", "a -> b on % [g]", "a -> b on % / x", "a -> b on % { priority: 1 }", "{ event: %, after: 1s }"},
		"guard":   {"a -> b [%]", "{ guard: %, after: 1s }"},
		"actions": {"a -> b / %, %", "a -> b / % { priority: 1 }", "{ event: e, actions: [%, %], after: 1s }"},
	},
}

// inBody is how a field's words stand in a body.
func (w *writer) inBody(f Field) []string {
	spec := w.schema.byName(f.Name)
	key, v := spec.keys[0], "%"
	if spec.typ.isList() {
		v = "[%, %]"
	}
	other := key + ": " + v
	switch w.kind {
	case Transition:
		head := "{ event: e, " + key + ": " + v
		return []string{head + " }", head + ", unwanted: true }"}
	case State:
		other = "isFinal: true"
	}
	head := "x { " + key + ": " + v
	return []string{head + " }", head + ", " + other + " }"}
}

// reads reports whether words stand for v wherever the field may be written.
func (w *writer) reads(f Field, v, words string) bool {
	if strings.ContainsRune(v, '\n') || isOpen(v) {
		return false
	}
	forms := trials[w.kind][f.Name]
	switch {
	case forms == nil:
		forms = w.inBody(f)
	case w.kind == Invariant && f.Name == "text":
		if !w.stated {
			forms = []string{"%"}
		}
	}
	for _, form := range forms {
		stmts, diags := Parse(string(w.kind)+" "+strings.ReplaceAll(form, "%", words), Options{})
		if len(diags) > 0 || len(stmts) != 1 {
			return false
		}
		g, _ := stmts[0].Field(f.Name)
		if l, ok := g.Value.([]any); ok {
			if len(l) != strings.Count(form, "%") || slices.ContainsFunc(l, func(x any) bool { return x != v }) {
				return false
			}
		} else if g.Value != v {
			return false
		}
		if w.kind != Constraint && len(stmts[0].Fields) != w.count(form) {
			return false
		}
	}
	return true
}

// count is the number of fields that the form has with quoted words in it.
func (w *writer) count(form string) int {
	stmts, _ := Parse(string(w.kind)+" "+strings.ReplaceAll(form, "%", `"q"`), Options{})
	if len(stmts) != 1 {
		return -1
	}
	return len(stmts[0].Fields)
}
