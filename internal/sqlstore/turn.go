package sqlstore

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// storedTurn is a row of turns.
type storedTurn struct {
	n    int
	turn *sir.Turn
}

// scanTurn reads turnColumns.
func scanTurn(scan func(...any) error) (storedTurn, int, error) {
	t := storedTurn{turn: new(sir.Turn)}
	var metadata []byte
	err := scan(&t.n, &t.turn.ID, &t.turn.SessionID, &t.turn.Seq, &t.turn.Timestamp, &t.turn.Speaker, &t.turn.SpeakerName,
		&t.turn.AgentID, &t.turn.ParentTurnID, &t.turn.Content, &metadata)
	if err == nil {
		err = readMetadata(t.turn, metadata)
	}
	return t, len(t.turn.Content) + len(metadata), err
}

func readMetadata(t *sir.Turn, b []byte) error {
	if b == nil {
		return nil
	}
	t.Metadata = new(sir.Metadata)
	if err := json.Unmarshal(b, t.Metadata); err != nil {
		return fmt.Errorf("read metadata of turn %q: %w: %w", t.ID, store.ErrBroken, err)
	}
	return nil
}

// find returns a turn and its ordinal, or sql.ErrNoRows.
func (s *session) find(id string) (storedTurn, error) {
	if !holdable(id) {
		return storedTurn{}, sql.ErrNoRows
	}
	got, err := page(s, qTurn, s.args(id), scanTurn)
	switch {
	case err != nil:
		return storedTurn{}, err
	case len(got) == 0:
		return storedTurn{}, sql.ErrNoRows
	}
	return got[0], nil
}

// Turn returns a turn.
func (r *reader) Turn(id string) (*sir.Turn, error) {
	if err := r.usable("turn"); err != nil {
		return nil, err
	}
	t, err := r.find(id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("read turn %q: %w", id, store.ErrNotFound)
	case err != nil:
		return nil, r.failed("read turn", err)
	}
	return t.turn, nil
}

// Turns yields the turns behind the first after.
func (r *reader) Turns(after int) iter.Seq2[*sir.Turn, error] {
	return func(yield func(*sir.Turn, error) bool) {
		if err := r.usable("turns"); err != nil {
			yield(nil, err)
			return
		}
		rows := 1 // whoever asks for the next turn often wants no more
		for at := max(after, 0); at < r.doc.turns; rows = pageRows {
			if err := r.usable("turns"); err != nil {
				yield(nil, err)
				return
			}
			turns, err := page(&r.session, qTurnsAfter, r.args(at, rows), scanTurn)
			if err == nil && len(turns) == 0 {
				err = fmt.Errorf("%w: turn %d is missing", store.ErrBroken, at+1)
			}
			if err != nil {
				yield(nil, r.failed("read turns", err))
				return
			}
			for _, t := range turns {
				at = t.n
				if !yield(t.turn, nil) {
					return
				}
			}
		}
	}
}

// turnRow are the values of intoTurns.
func (s *session) turnRow(n int, t *sir.Turn) ([]any, error) {
	var metadata []byte
	if t.Metadata != nil {
		var err error
		if metadata, err = sir.Canonical(t.Metadata); err != nil {
			return nil, fmt.Errorf("store metadata of turn %q: %w", t.ID, err)
		}
	}
	return []any{
		s.ref.Organization, s.doc.key, n, t.ID, t.SessionID, t.Seq, t.Timestamp, string(t.Speaker), t.SpeakerName,
		t.AgentID, t.ParentTurnID, t.Content, metadata, t.IsAct(), t.SpeakerKey(),
	}, nil
}

// lastSaid returns the ordinal and id of a speaker's last turn before the one
// at hand; 0 for none.
func (s *session) lastSaid(speaker, atHand string) (n int, id string, err error) {
	before := s.doc.turns + 1
	if atHand != "" {
		t, err := s.find(atHand)
		if err == nil {
			before = t.n
		} else if !errors.Is(err, sql.ErrNoRows) {
			return 0, "", err
		}
	}
	if !holdable(speaker) {
		return 0, "", nil
	}
	err = s.conn.one(s.ctx, qLastSaid, s.args(speaker, before), &n, &id)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return n, id, err
}
