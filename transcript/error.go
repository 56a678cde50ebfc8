package transcript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/speckl/speckl/diag"
)

// Sentinels of the package.
var (
	// ErrBadInput is what every [*Error] is: the conversation is at fault.
	ErrBadInput = errors.New("bad input")
	// ErrUnknownFormat is a format id that no reader has.
	ErrUnknownFormat = errors.New("unknown format")
)

// Code says what is wrong with a record; codes are stable.
type Code string

// The codes.
const (
	CodeUTF8     Code = "invalid-utf8"
	CodeNUL      Code = "nul"
	CodeSyntax   Code = "syntax"
	CodeField    Code = "field"
	CodeTorn     Code = "torn"
	CodeTooLong  Code = "turn-too-long"
	CodeTooBig   Code = "file-too-big"
	CodeTooDeep  Code = "too-deep"
	CodeNoSpeech Code = "no-speech"
)

// Error is a mistake in a conversation. It is an [ErrBadInput].
type Error struct {
	Code Code
	// File is the base name.
	File string
	// Record counts the file's records from 1: lines, or cues.
	Record int
	// Line and Col count from 1, columns in code points; 0 is unknown.
	Line, Col int
	// Offset is in bytes from the start of the file.
	Offset int64
	// Text says what is wrong; Hint what to do.
	Text, Hint string
}

// Error is one line: where, what, what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.where().String())
	fmt.Fprintf(&b, ": %s (byte %d)", e.Text, e.Offset)
	if e.Hint != "" {
		b.WriteString(": " + e.Hint)
	}
	return b.String()
}

// Is makes every Error an [ErrBadInput].
func (e *Error) Is(target error) bool { return target == ErrBadInput }

// Diagnostic gives the mistake as data.
func (e *Error) Diagnostic() diag.Diagnostic {
	d := diag.Diagnostic{Code: string(e.Code), Severity: diag.Error, Text: e.Text, Where: e.where()}
	if e.Hint != "" {
		d.Text += ": " + e.Hint
	}
	return d
}

func (e *Error) where() diag.Where {
	w := diag.Where{File: e.File, Line: e.Line, Col: e.Col}
	if w.Line > 0 && w.Col == 0 {
		w.Col = 1
	}
	return w
}

// SkipKind says why a record gave no turn.
type SkipKind string

// The kinds.
const (
	// SkipBad is a bad record, skipped because of [Options].Lenient.
	SkipBad SkipKind = "bad"
	// SkipTorn is a last line that was cut off while it was written.
	SkipTorn SkipKind = "torn"
	// SkipNoSpeech is a record that is nobody's words: a title, "[laughs]".
	SkipNoSpeech SkipKind = "no-speech"
)

// Skip is a record that gave no turn, and why.
type Skip struct {
	Kind SkipKind
	// Err says what it was and where.
	Err *Error
}

// Report counts what was skipped. Its zero value is ready; give Report.Add to
// [Options].OnSkip.
type Report struct {
	// Bad, Torn and NoSpeech count the kinds.
	Bad, Torn, NoSpeech int
	// First holds the first skips, at most ten; titles and the like are only
	// counted.
	First []Skip
}

// Add counts one skip.
func (r *Report) Add(s Skip) {
	switch s.Kind {
	case SkipBad:
		r.Bad++
	case SkipTorn:
		r.Torn++
	default:
		r.NoSpeech++
		return
	}
	if len(r.First) < 10 {
		r.First = append(r.First, s)
	}
}

// Total is how many records gave no turn.
func (r *Report) Total() int { return r.Bad + r.Torn + r.NoSpeech }

// nearest says which ids a mistyped one may mean.
func nearest(id string, formats []Format) string {
	var near, all []string
	for _, f := range formats {
		all = append(all, f.ID)
		d := distance(strings.ToLower(id), f.ID)
		if d <= 2 || len(id) >= 2 && strings.HasPrefix(f.ID, strings.ToLower(id)) {
			near = append(near, f.ID)
		}
	}
	if len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "? (formats: " + strings.Join(all, " ") + ")"
	}
	return "formats are " + strings.Join(all, " ")
}

// distance is Levenshtein's, over bytes; ids are ASCII and short.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := prev
			if a[i-1] != b[j-1] {
				cost = 1 + min(prev, row[j], row[j-1])
			}
			prev, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
