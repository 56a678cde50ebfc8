package sir

import "strings"

// Span is a range of bytes [Start, End) in a turn's content.
type Span struct{ Start, End int }

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the span's text.
func (s Span) Of(content string) string { return content[s.Start:s.End] }

// Covers reports whether o lies within s.
func (s Span) Covers(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Overlaps reports whether the two share a byte.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// Scope is how a clause is meant. A clause may be in several.
type Scope uint16

// The scopes.
const (
	Question Scope = 1 << iota
	Hypothetical
	Proposal
	Reported
	Negated
	Hedged
	Past
	Retracted
	QuotedOther
	Conditional
)

var scopeNames = []string{"question", "hypothetical", "proposal", "reported", "negated", "hedged", "past", "retracted", "quoted", "conditional"}

// Has reports whether any of the scopes in x is in s.
func (s Scope) Has(x Scope) bool { return s&x != 0 }

// Names lists the scopes in s.
func (s Scope) Names() []string {
	var out []string
	for i, n := range scopeNames {
		if s&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// String joins the names with commas.
func (s Scope) String() string { return strings.Join(s.Names(), ",") }

// ParseScope finds a scope by name; ok is false for an unknown one.
func ParseScope(name string) (s Scope, ok bool) {
	for i, n := range scopeNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Block is a part of a turn that is not prose: a fenced block, or text that
// a marker introduces.
type Block struct {
	// Marker is the registered marker ("spec:"); empty for a fence.
	Marker string
	// Language is the fence's tag; empty for a marker.
	Language string
	// Span is all that the block takes; Body is its content.
	Span, Body Span
}
