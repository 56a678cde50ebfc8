package syntax

import (
	"slices"
	"strings"
	"unicode"
)

// valueType is how a value is read.
type valueType uint8

const (
	typeName valueType = iota // a name; an arrow before it is dropped
	typeText                  // free text; { … } and [ … ] stand for what they hold
	typeBool
	typeInt
	typeHistory // true, false, shallow or deep
	typeWord    // one of words
	typeNames   // lists: one value, or several with commas or in [ ]
	typeTexts
	typeCalls // actions as written
)

func (t valueType) isList() bool { return t >= typeNames }

// field is one key of a kind's data.
type field struct {
	name string
	typ  valueType
	// keys are how a body names it, the canonical one first.
	keys  []string
	words []string
}

type schema struct {
	fields []field
	// what names the kind's first part in messages.
	what string
	// text is the field that the free text after the keyword fills; empty for
	// the kinds with a grammar of their own.
	text string
}

var schemas = map[Kind]*schema{
	State: {what: "a state name", fields: []field{
		{"name", typeName, []string{"name"}, nil},
		{"aliases", typeNames, []string{"aliases", "alias"}, nil},
		{"parent", typeName, []string{"parent"}, nil},
		{"isInitial", typeBool, []string{"isInitial", "initial"}, nil},
		{"isFinal", typeBool, []string{"isFinal", "final"}, nil},
		{"isParallel", typeBool, []string{"isParallel", "parallel"}, nil},
		{"history", typeHistory, []string{"history"}, nil},
		{"entryActions", typeCalls, []string{"entry", "entryActions", "entryAction", "onEntry"}, nil},
		{"exitActions", typeCalls, []string{"exit", "exitActions", "exitAction", "onExit"}, nil},
		{"invariants", typeTexts, []string{"invariants", "invariant"}, nil},
		{"timeout", typeText, []string{"timeout"}, nil},
		{"onTimeout", typeName, []string{"onTimeout"}, nil},
		{"description", typeText, []string{"description"}, nil},
	}},
	Transition: {what: "a state name", fields: []field{
		{"from", typeName, []string{"from", "source"}, nil},
		{"to", typeName, []string{"to", "target"}, nil},
		{"event", typeText, []string{"event", "on", "when"}, nil},
		{"guard", typeText, []string{"guard", "if"}, nil},
		{"actions", typeCalls, []string{"actions", "action"}, nil},
		{"priority", typeInt, []string{"priority"}, nil},
		{"after", typeText, []string{"after"}, nil},
		{"kind", typeWord, []string{"kind"}, []string{"external", "internal"}},
		{"unwanted", typeBool, []string{"unwanted"}, nil},
	}},
	Event: {what: "an event name", fields: []field{
		{"name", typeName, []string{"name"}, nil},
		{"payload", typeText, []string{"payload"}, nil},
		{"description", typeText, []string{"description"}, nil},
	}},
	Guard: {what: "a condition", text: "condition", fields: []field{
		{"condition", typeText, []string{"condition"}, nil},
		{"negated", typeBool, []string{"negated"}, nil},
	}},
	Action: {what: "an action", text: "name", fields: []field{
		{"name", typeText, []string{"name"}, nil},
		{"when", typeWord, []string{"when"}, []string{"entry", "exit", "transition", "on-event", "always"}},
		{"state", typeName, []string{"state"}, nil},
		{"event", typeText, []string{"event", "on"}, nil},
		{"guard", typeText, []string{"guard", "if"}, nil},
	}},
	Invariant: {what: "a text", text: "text", fields: []field{
		{"state", typeName, []string{"state"}, nil},
		{"text", typeText, []string{"text"}, nil},
	}},
	Constraint: {what: "a text", text: "text", fields: []field{
		{"kind", typeWord, []string{"kind"}, constraintKinds},
		{"state", typeName, []string{"state"}, nil},
		{"event", typeText, []string{"event"}, nil},
		{"text", typeText, []string{"text"}, nil},
	}},
}

var constraintKinds = []string{"forbid", "require", "ignore", "only"}

// byKey finds the field that a body's key names; case, spaces, - and _ do not
// matter.
func (s *schema) byKey(key string) *field {
	key = foldKey(key)
	for i := range s.fields {
		for _, k := range s.fields[i].keys {
			if foldKey(k) == key {
				return &s.fields[i]
			}
		}
	}
	return nil
}

func (s *schema) byName(name string) *field {
	i := slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
	return &s.fields[i]
}

func (s *schema) order(name string) int {
	return slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
}

func foldKey(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// near lists the known keys that a reader may have meant.
func (s *schema) near(key string) []string {
	key = foldKey(key)
	best, found := 1+len(key)/3, []string(nil)
	if len(key) > 40 { // no key is so long
		return nil
	}
	for _, f := range s.fields {
		if len(key) >= 3 && strings.HasPrefix(foldKey(f.keys[0]), key) {
			return f.keys[:1]
		}
	}
	for _, f := range s.fields {
		for _, k := range f.keys {
			switch d := distance(key, foldKey(k)); {
			case d < best:
				best, found = d, []string{k}
			case d == best:
				found = append(found, k)
			}
		}
	}
	return found
}

// keys lists the canonical keys that a body may hold.
func (s *schema) keys() []string {
	var out []string
	for _, f := range s.fields {
		out = append(out, f.keys[0])
	}
	return out
}

// distance is the number of characters to insert, remove or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// quoteList joins words as `a, b or c`.
func quoteList(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
