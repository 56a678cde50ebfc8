package store

import (
	"errors"
	"fmt"

	"github.com/speckl/speckl/sir"
)

// errOtherSession: the id belongs to a turn of another session.
var errOtherSession = errors.New("id of another session")

// admitAs looks for a turn of that id and tells whether it is this one.
func admitAs(r TurnReader, turn *sir.Turn, id string) (known bool, err error) {
	old, err := r.Turn(id)
	switch {
	case errors.Is(err, ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	case old.IsErased(): // whoever brings its words again is told that it is known
		return true, nil
	case old.SessionID != turn.SessionID:
		return false, fmt.Errorf("admit turn %q: %w", id, errOtherSession)
	case old.Content != turn.Content:
		return false, fmt.Errorf("admit turn %q of session %q: %w", id, turn.SessionID, ErrTurn)
	}
	return true, nil
}
