package store

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// ErrName is wrapped by errors about names and ids that no store can keep.
var ErrName = errors.New("bad name")

// MaxName is how many bytes the name of a document, an organisation or a
// speaker, and the id of a turn, may have: what is looked up by must fit into
// an index of every database.
const MaxName = 1024

// NameError says what is wrong with a name or an id. It wraps [ErrName] and
// [ErrBroken].
type NameError struct {
	// What has the name: "the name of a document".
	What string
	Name string
	// Reason says what is wrong with it.
	Reason string
}

func (e *NameError) Error() string {
	name := e.Name
	if len(name) > 40 {
		name = name[:40] + "…"
	}
	return fmt.Sprintf("%s, %q: %s", e.What, name, e.Reason)
}

// Unwrap returns the two sentinels.
func (e *NameError) Unwrap() []error { return []error{ErrName, ErrBroken} }

// CheckName refuses a name that no store can keep; what says whose it is.
// Engines call it where a document gets its name.
// It returns a [*NameError].
func CheckName(what, name string) error {
	if !utf8.ValidString(name) || strings.IndexByte(name, 0) >= 0 {
		return &NameError{what, name, "it is not UTF-8, or holds U+0000"}
	}
	return short(what, name)
}

// short refuses a name that is too long.
func short(what, name string) error {
	if n := len(name); n > MaxName {
		return &NameError{what, name, fmt.Sprintf("it has %d bytes, and %d are the most", n, MaxName)}
	}
	return nil
}

// CheckTurn refuses a turn that no engine can keep: engines call it in Append.
// It returns an error that wraps [ErrBroken].
func CheckTurn(t *sir.Turn) error {
	switch {
	case t == nil:
		return fmt.Errorf("append: %w: no turn", ErrBroken)
	case t.ID == "":
		return fmt.Errorf("append turn: %w: it has no id", ErrBroken)
	case !t.Speaker.Valid():
		return fmt.Errorf("append turn %q: %w: speaker is %q", t.ID, ErrBroken, t.Speaker)
	case strings.IndexByte(t.Content, 0) >= 0, strings.IndexByte(t.ID+t.SessionID+t.Name()+t.AgentID+t.ParentTurnID, 0) >= 0:
		return fmt.Errorf("append turn %q: %w: it holds U+0000", t.ID, ErrBroken)
	}
	return cmp.Or(short("the id of a turn", t.ID), short("the name of a speaker", t.Name()), short("the id of an agent", t.AgentID))
}
