package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"sync"
)

// engine is what differs between SQLite and PostgreSQL.
type engine interface {
	// writer begins a transaction that may write; reader one that sees one
	// state and may not. Each ends with conn.end.
	writer(ctx context.Context) (*conn, error)
	reader(ctx context.Context) (*conn, error)
	// lostRace reports whether a transaction failed only because another was
	// faster, so that it may run again.
	lostRace(err error) bool
	// sentinel returns the sentinel for an error of the driver's, and what to
	// do about it; nil for one that it does not know.
	sentinel(err error) (hint string, kind error)
	// where names the database in messages, without a password.
	where() string
	// migrations is the folder of the engine's migrations.
	migrations() string
	// lockSchema keeps other processes from migrating until the transaction
	// ends.
	lockSchema(ctx context.Context, c *conn) error
	// versioned reports whether there is a table of the schema's version.
	versioned(ctx context.Context, c *conn) (bool, error)
	// foreign reports whether there are tables, but none of ours.
	foreign(ctx context.Context, c *conn) (bool, error)
	// backup copies the database into a new file.
	backup(ctx context.Context, path string) error
	// checks looks at the database's health.
	checks(ctx context.Context) ([]Check, error)
	close() error
}

// dialect is how statements are written for an engine.
type dialect interface {
	// text is a statement, written with "?", as the engine reads it.
	text(query string) string
	// many encodes a list for a "(?…)" in a query.
	many(list any) any
	// batch is how many rows one insert takes.
	batch() int
	// setScope makes the organisation known to row-level security, where
	// there is such a thing.
	setScope(ctx context.Context, c *conn, organization string) error
}

// conn is a connection in a transaction. Statements are prepared once for a
// connection, unless the driver does that itself.
type conn struct {
	dialect
	c     *sql.Conn
	stmts map[string]*sql.Stmt // nil: the driver keeps them
	// background is what statements run under: a driver may need a goroutine
	// for each that can be cancelled.
	background func(context.Context) context.Context
	release    func(commit bool) error
	erased     bool // the transaction has taken words out for good
}

// end commits, or gives up, the transaction and returns the connection.
func (c *conn) end(commit bool) error { return c.release(commit) }

// close gives the connection up. Statements that are still prepared would
// keep it open in the driver, and SQLite from putting its journal away.
func (c *conn) close() (err error) {
	for _, s := range c.stmts {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, c.c.Close())
}

func (c *conn) scope(ctx context.Context, organization string) error {
	return c.setScope(ctx, c, organization)
}

func (c *conn) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := c.stmts[query]; s != nil {
		return s, nil
	}
	s, err := c.c.PrepareContext(ctx, c.text(query))
	if err != nil {
		return nil, err
	}
	c.stmts[query] = s
	return s, nil
}

// query runs a query of queries.go; the caller closes the rows.
func (c *conn) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx = c.background(ctx)
	if c.stmts == nil {
		return c.c.QueryContext(ctx, c.text(query), args...)
	}
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// one runs a query for one row. It returns [sql.ErrNoRows] for none.
func (c *conn) one(ctx context.Context, query string, args []any, into ...any) error {
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	return rows.Close()
}

// each runs a query and hands over its rows, one after the other.
func (c *conn) each(ctx context.Context, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// exec runs a statement and returns how many rows it changed.
func (c *conn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	ctx = c.background(ctx)
	var done sql.Result
	var err error
	if c.stmts == nil {
		done, err = c.c.ExecContext(ctx, c.text(query), args...)
	} else {
		var s *sql.Stmt
		if s, err = c.prepared(ctx, query); err == nil {
			done, err = s.ExecContext(ctx, args...)
		}
	}
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// lockedReader is a source of randomness for several at once.
type lockedReader struct {
	mu sync.Mutex
	r  io.Reader
}

func (l *lockedReader) Read(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return io.ReadFull(l.r, b)
}
