package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/speckl/speckl/store"
)

var errBadConn = driver.ErrBadConn

// isNone reports whether a query for one row found none.
func isNone(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// failed names what failed, where, and what to do. An error that wraps one
// of the store's sentinels already is passed on.
func (s *Store) failed(what string, err error) error {
	if err == nil {
		return nil
	}
	for _, known := range sentinels {
		if errors.Is(err, known) {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	if kind, hint := s.engine.sentinel(err); kind != nil {
		return describe(what, s.engine.where(), kind, hint, err)
	}
	return fmt.Errorf("%s in %s: %w", what, s.engine.where(), err)
}

func describe(what, where string, kind error, hint string, err error) error {
	if hint == "" {
		return fmt.Errorf("%s %s: %w: %w", what, where, kind, err)
	}
	return fmt.Errorf("%s: %s: %w: %s (%w)", what, where, kind, hint, err)
}

var sentinels = []error{
	store.ErrNotFound, store.ErrExists, store.ErrTurn, store.ErrDone, store.ErrOrder, store.ErrStale, store.ErrBroken,
	store.ErrClosed, store.ErrBusy, store.ErrFull, store.ErrReadOnly, store.ErrCorrupt, store.ErrNewer, store.ErrUnreachable,
}
