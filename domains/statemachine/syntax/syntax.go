package syntax

import (
	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// Kind is what a statement declares; it is the element type and the keyword.
type Kind string

// The kinds.
const (
	State      Kind = "state"
	Transition Kind = "transition"
	Event      Kind = "event"
	Guard      Kind = "guard"
	Action     Kind = "action"
	Invariant  Kind = "invariant"
	Constraint Kind = "constraint"
)

// Kinds lists the kinds in the order of the design.
func Kinds() []Kind {
	return []Kind{State, Transition, Event, Guard, Action, Invariant, Constraint}
}

// Valid reports whether k is a known kind.
func (k Kind) Valid() bool { return schemas[k] != nil }

// Statement is one declaration.
type Statement struct {
	Kind Kind
	// Fields are what the statement says, in the order of the design, each
	// name at most once.
	Fields []Field
	// Span is the whole statement, the keyword included.
	Span sir.Span
}

// Field returns the field of that name; ok is false where the statement does
// not say it.
func (s Statement) Field(name string) (f Field, ok bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Data returns the fields as an element's data; lists are shared with s.
func (s Statement) Data() map[string]any {
	m := make(map[string]any, len(s.Fields))
	for _, f := range s.Fields {
		m[f.Name] = f.Value
	}
	return m
}

// Field is one thing that a statement says.
type Field struct {
	// Name is a key of the element's data ("entryActions").
	Name string
	// Value is a string, a bool, an int64, or an []any of strings.
	Value any
	// Span holds the words that say it, without quotes, arrows or brackets;
	// for a list, from its first item to its last.
	Span sir.Span
	// Items are the spans of a list's items; nil for anything else.
	Items []sir.Span
}

// Options says how a text is read. The zero value reads a block.
type Options struct {
	// Kind is the kind of the first statement where a type marker has taken
	// its keyword ("state:"); empty where every statement has its keyword.
	Kind Kind
	// At is where the text begins in a larger one: line and column count from
	// it, and Bytes[0] is added to every span and offset. The zero value is the
	// beginning; Options.File wins over At.File.
	At diag.Where
	// File stands in the diagnostics' Where.File: a file's base name or a
	// turn's id. May be empty.
	File string
}

// Spec is a specification block without a marker.
type Spec struct {
	// Span is what the block takes of the text; the first block of a list
	// takes its header. An item that was left out is in no block.
	Span       sir.Span
	Statements []Statement
}

// shift moves the statement's spans by n.
func (s *Statement) shift(n int) {
	s.Span = shift(s.Span, n)
	for i := range s.Fields {
		f := &s.Fields[i]
		f.Span = shift(f.Span, n)
		for j := range f.Items {
			f.Items[j] = shift(f.Items[j], n)
		}
	}
}

func shift(s sir.Span, n int) sir.Span { return sir.Span{Start: s.Start + n, End: s.End + n} }
