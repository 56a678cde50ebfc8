// Package diag holds users' mistakes as data: what is wrong, where, and what
// else bears on it. A stage returns diagnostics and goes on; printing them is
// another's work.
package diag

import "fmt"

// Severity is how bad a mistake is.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Valid reports whether s is a known severity.
func (s Severity) Valid() bool { return s == Error || s == Warning || s == Info }

// Where is a place in a text; lines and columns count from 1, columns in
// Unicode code points. Zero values are unknown.
type Where struct {
	// File is a base name or a turn's id.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
	// Bytes are offsets [start, end) into the text.
	Bytes [2]int `json:"bytes,omitempty"`
}

// String prints file:line:column, leaving out what is unknown.
func (w Where) String() string {
	s := w.File
	if w.Line > 0 {
		if s != "" {
			s += ":"
		}
		s += fmt.Sprintf("%d:%d", w.Line, w.Col)
	}
	return s
}

// Diagnostic is one mistake.
type Diagnostic struct {
	// Code is stable and fit for a machine: "unexpected-token".
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Text says what is wrong and what to do, in one line.
	Text  string `json:"text"`
	Where Where  `json:"where"`
	// Notes point to other places.
	Notes []Note `json:"notes,omitempty"`
}

// Note points to another place that bears on a diagnostic.
type Note struct {
	Text  string `json:"text"`
	Where Where  `json:"where"`
}

// String prints the diagnostic as "place: text".
func (d Diagnostic) String() string {
	if at := d.Where.String(); at != "" {
		return at + ": " + d.Text
	}
	return d.Text
}
