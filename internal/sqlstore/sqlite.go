package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/speckl/speckl/store"
)

// sqliteEngine is a file. It has one connection that writes and a few that
// read; other processes have theirs.
type sqliteEngine struct {
	path    string
	busy    time.Duration
	db      *sql.DB
	write   chan *conn // holds the one that writes while it is free
	readers chan *conn // the free ones that read
	limit   chan struct{}
	closing sync.Once
	closed  chan struct{}
}

// sqliteReaders is how many read at once.
const sqliteReaders = 4

func openSQLite(ctx context.Context, path string, busy time.Duration) (*sqliteEngine, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, fmt.Errorf("open database %q: %w: name a file", path, store.ErrUnreachable)
	}
	switch info, err := os.Stat(path); {
	case err != nil:
	case info.IsDir():
		return nil, fmt.Errorf("open database %s: %w: it is a directory: name a file in it", path, store.ErrUnreachable)
	case info.Size() == 1: // which SQLite takes for an empty one, and overwrites
		return nil, fmt.Errorf("open database: %s: %w: %s", path, store.ErrCorrupt, notOurs)
	}
	if dir := filepath.Dir(path); dir != "." {
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("open database %s: %w: there is no folder %s: make it first", Redacted(path), store.ErrUnreachable, Redacted(dir))
		}
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	dsn.RawQuery = url.Values{
		"_pragma": {
			fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()), "synchronous(NORMAL)", "foreign_keys(1)", "secure_delete(1)", "cache_size(-32768)",
		},
	}.Encode()
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w: %w", path, store.ErrUnreachable, err)
	}
	e := &sqliteEngine{
		path: path, busy: busy, db: db, closed: make(chan struct{}),
		write: make(chan *conn, 1), readers: make(chan *conn, sqliteReaders), limit: make(chan struct{}, sqliteReaders),
	}
	e.write <- nil // made when it is first asked for
	if err := e.try(ctx); err != nil {
		_ = db.Close()
		hint, kind := e.sentinel(err)
		if kind == nil {
			kind = store.ErrUnreachable
		}
		return nil, describe("open database", path, kind, hint, err)
	}
	return e, nil
}

// try connects for the first time. Two processes that make a file at once
// find it busy for a moment, which SQLite does not wait out by itself.
func (e *sqliteEngine) try(ctx context.Context) error {
	for wait, until := time.Millisecond, time.Now().Add(e.busy); ; wait *= 2 {
		err := e.keepJournal(ctx)
		if _, kind := e.sentinel(err); !errors.Is(kind, store.ErrBusy) || time.Now().Add(wait).After(until) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// keepJournal makes the file one that is read while it is written (WAL), which
// it stays. That of another program is left as it is, and so is one that may
// only be read.
func (e *sqliteEngine) keepJournal(ctx context.Context) error {
	c, err := e.reader(ctx)
	if err != nil {
		return err
	}
	ours, err := e.versioned(ctx, c)
	if err == nil && !ours {
		ours, err = e.foreign(ctx, c)
		ours = !ours
	}
	if err := errors.Join(err, c.end(false)); err != nil || !ours {
		return err
	}
	sc, err := e.db.Conn(ctx) // outside a transaction
	if err != nil {
		return err
	}
	_, err = sc.ExecContext(ctx, "pragma journal_mode = wal")
	if _, kind := e.sentinel(err); errors.Is(kind, store.ErrReadOnly) {
		err = nil
	}
	return errors.Join(err, sc.Close())
}

// connect makes a connection with the statements that it will prepare.
func (e *sqliteEngine) connect(ctx context.Context) (*conn, error) {
	c, err := e.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{dialect: sqliteDialect{}, c: c, stmts: map[string]*sql.Stmt{}, background: context.WithoutCancel}, nil
}

func (e *sqliteEngine) writer(ctx context.Context) (*conn, error) {
	var c *conn
	select {
	case c = <-e.write:
	case <-e.closed:
		return nil, store.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return e.begin(ctx, c, "begin immediate", func(c *conn) { e.write <- c })
}

func (e *sqliteEngine) reader(ctx context.Context) (*conn, error) {
	select {
	case e.limit <- struct{}{}:
	case <-e.closed:
		return nil, store.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var c *conn
	select {
	case c = <-e.readers:
	default:
	}
	return e.begin(ctx, c, "begin", func(c *conn) {
		if c != nil {
			e.readers <- c
		}
		<-e.limit
	})
}

// begin begins a transaction on a connection, made where it is nil. free
// takes it back: nil where it is of no use any more.
func (e *sqliteEngine) begin(ctx context.Context, c *conn, how string, free func(*conn)) (*conn, error) {
	select {
	case <-e.closed:
		free(c)
		return nil, store.ErrClosed
	default:
	}
	if c == nil {
		var err error
		if c, err = e.connect(ctx); err != nil {
			free(nil)
			return nil, err
		}
	}
	if _, err := c.c.ExecContext(ctx, how); err != nil {
		_, _ = c.c.ExecContext(context.WithoutCancel(ctx), "rollback") // it may have begun
		free(c)
		return nil, err
	}
	c.release = func(commit bool) error {
		defer free(c)
		ctx := context.WithoutCancel(ctx)
		if commit {
			_, err := c.c.ExecContext(ctx, "commit")
			if err == nil {
				e.forget(ctx, c)
				return nil
			}
			_, _ = c.c.ExecContext(ctx, "rollback")
			return err
		}
		_, _ = c.c.ExecContext(ctx, "rollback") // a failed statement may have done it
		return nil
	}
	return c, nil
}

// forget takes what was erased out of the journal, too: SQLite overwrites it
// in the file (secure_delete), but the journal holds the pages as they were.
// What keeps it from doing so, such as a reader, is no failure of the commit;
// the journal is then overwritten when it is next used from its beginning.
func (e *sqliteEngine) forget(ctx context.Context, c *conn) {
	if c.erased {
		c.erased = false
		_, _ = c.c.ExecContext(ctx, "pragma wal_checkpoint(truncate)")
	}
}

func (e *sqliteEngine) close() (err error) {
	e.closing.Do(func() {
		close(e.closed)
		if c := <-e.write; c != nil { // whoever writes ends first
			err = c.close()
		}
		for range sqliteReaders {
			e.limit <- struct{}{}
		}
		close(e.readers)
		for c := range e.readers {
			err = errors.Join(err, c.close())
		}
		err = errors.Join(err, e.db.Close())
	})
	return err
}

func (e *sqliteEngine) lostRace(err error) bool { return errors.Is(err, store.ErrStale) }

const notOurs = "it is no database of ours, or damaged: restore a backup, or name another file"

// sentinel reads the result codes of sqlite.org/rescode.html.
func (e *sqliteEngine) sentinel(err error) (string, error) {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return "", nil
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Sprintf("somebody holds it for more than %s: end that, and try again", e.busy), store.ErrBusy
	case sqlite3.SQLITE_FULL:
		return "make room on the disk; nothing was stored", store.ErrFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return "check the permissions of the file and its folder", store.ErrReadOnly
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return notOurs, store.ErrCorrupt
	case sqlite3.SQLITE_ERROR: // our statements are right
		if strings.Contains(se.Error(), "no such ") {
			return "its tables are not as they should be: restore a backup", store.ErrCorrupt
		}
	case sqlite3.SQLITE_CANTOPEN:
		return "check the path and the permissions", store.ErrUnreachable
	case sqlite3.SQLITE_IOERR:
		return "the disk failed to read or write; nothing was stored", store.ErrUnreachable
	}
	return "", nil
}

func (e *sqliteEngine) where() string      { return Redacted(e.path) }
func (e *sqliteEngine) migrations() string { return "sqlite" }

// lockSchema has nothing to do: "begin immediate" locks the file.
func (e *sqliteEngine) lockSchema(context.Context, *conn) error { return nil }

func (e *sqliteEngine) versioned(ctx context.Context, c *conn) (bool, error) {
	n := 0
	err := c.one(ctx, "select count(*) from sqlite_master where name = 'speckl_schema'", nil, &n)
	return n > 0, err
}

func (e *sqliteEngine) foreign(ctx context.Context, c *conn) (bool, error) {
	n := 0
	err := c.one(ctx, "select count(*) from sqlite_master", nil, &n)
	return n > 0, err
}

// sqliteDialect is SQLite's own way of writing.
type sqliteDialect struct{}

func (sqliteDialect) text(query string) string {
	return strings.ReplaceAll(strings.ReplaceAll(query, "(?…)", "(select value from json_each(?))"), " for update", "")
}

func (sqliteDialect) many(list any) any {
	b, err := json.Marshal(list)
	if err != nil {
		panic(fmt.Sprintf("encode a list of ids: %v", err)) // strings and numbers only
	}
	return string(b)
}

// batch: a statement costs no way to a server.
func (sqliteDialect) batch() int { return 1 }

func (sqliteDialect) setScope(context.Context, *conn, string) error { return nil }
