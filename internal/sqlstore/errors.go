package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/speckl/speckl/store"
)

var errBadConn = driver.ErrBadConn

// isNone reports whether a query for one row found none.
func isNone(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// holdable reports whether a database can hold texts: what it cannot hold, it
// need not be asked for.
func holdable(texts ...string) bool {
	for _, t := range texts {
		if !utf8.ValidString(t) || strings.IndexByte(t, 0) >= 0 {
			return false
		}
	}
	return true
}

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
	if hint, kind := s.engine.sentinel(err); kind != nil {
		return describe(what, s.engine.where(), kind, hint, err)
	}
	return fmt.Errorf("%s in %s: %w", what, s.engine.where(), onOneLine{err})
}

// describe is an error of the driver's with its name, and what to do. A socket
// that is not there is no file that somebody has named: that is in the text
// alone.
func describe(what, where string, kind error, hint string, err error) error {
	err = onOneLine{err}
	if kind == store.ErrUnreachable && errors.Is(err, fs.ErrNotExist) {
		err = errors.New(err.Error())
	}
	if hint == "" {
		return fmt.Errorf("%s %s: %w: %w", what, where, kind, err)
	}
	return fmt.Errorf("%s: %s: %w: %s (%w)", what, where, kind, hint, err)
}

// onOneLine is an error whose text may have several lines: a driver lists
// there what it has tried.
type onOneLine struct{ error }

func (e onOneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }
func (e onOneLine) Unwrap() error { return e.error }

var sentinels = []error{
	store.ErrNotFound, store.ErrExists, store.ErrTurn, store.ErrDone, store.ErrOrder, store.ErrStale, store.ErrBroken,
	store.ErrClosed, store.ErrBusy, store.ErrFull, store.ErrReadOnly, store.ErrCorrupt, store.ErrNewer, store.ErrUnreachable,
}
