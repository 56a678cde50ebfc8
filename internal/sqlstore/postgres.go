package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/speckl/speckl/store"
)

// postgresEngine is a database on a server.
type postgresEngine struct {
	name  string // the URL without its password
	pool  *pgxpool.Pool
	db    *sql.DB
	busy  time.Duration
	texts sync.Map // query → as PostgreSQL reads it; there are a few dozen
}

func openPostgres(ctx context.Context, dsn string, busy time.Duration) (*postgresEngine, error) {
	name := Redacted(dsn)
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil { // its text holds the URL, the password blanked
		return nil, describe("open database", name, store.ErrUnreachable, "check the URL", err)
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = max(busy, defaultBusy) // a server that recovers is slow to answer
	}
	config.ConnConfig.RuntimeParams["lock_timeout"] = strconv.FormatInt(busy.Milliseconds(), 10)
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "speckl"
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, describe("open database", name, store.ErrUnreachable, "check the URL", err)
	}
	e := &postgresEngine{name: name, pool: pool, db: stdlib.OpenDBFromPool(pool), busy: busy}
	if err := e.db.PingContext(ctx); err != nil {
		_ = e.close()
		hint, kind := e.sentinel(err)
		if kind == nil {
			kind = store.ErrUnreachable
		}
		return nil, describe("open database", name, kind, hint, err)
	}
	return e, nil
}

func (e *postgresEngine) writer(ctx context.Context) (*conn, error) { return e.begin(ctx, "begin") }

func (e *postgresEngine) reader(ctx context.Context) (*conn, error) {
	return e.begin(ctx, "begin isolation level repeatable read read only")
}

// begin begins a transaction. Connections may have been lost while nobody used
// them: nothing was done on one that fails to begin, and there may be as many
// of them as the pool holds.
func (e *postgresEngine) begin(ctx context.Context, how string) (*conn, error) {
	for n := e.pool.Config().MaxConns; ; n-- {
		c, lost, err := e.tryBegin(ctx, how)
		if !lost || n == 0 || ctx.Err() != nil {
			return c, err
		}
	}
}

// tryBegin reports as lost that a connection was had, and is good no more.
func (e *postgresEngine) tryBegin(ctx context.Context, how string) (_ *conn, lost bool, _ error) {
	sc, err := e.db.Conn(ctx)
	if err != nil {
		if errors.Is(err, sql.ErrConnDone) || strings.Contains(err.Error(), "database is closed") {
			err = store.ErrClosed
		}
		return nil, false, err
	}
	c := &conn{dialect: postgresDialect{&e.texts}, c: sc, background: func(ctx context.Context) context.Context { return ctx }}
	if _, err := sc.ExecContext(ctx, how); err != nil {
		_, kind := e.sentinel(err)
		if lost = errors.Is(kind, store.ErrUnreachable); lost {
			_ = sc.Raw(func(any) error { return errBadConn }) // not to be used again
		}
		_ = sc.Close()
		return nil, lost, err
	}
	c.release = func(commit bool) error {
		defer sc.Close()
		ctx := context.WithoutCancel(ctx)
		if commit && !failedIn(sc) {
			_, err := sc.ExecContext(ctx, "commit")
			return err
		}
		if _, err := sc.ExecContext(ctx, "rollback"); err != nil {
			_ = sc.Raw(func(any) error { return errBadConn }) // not to be used again
		}
		if commit {
			return errAborted
		}
		return nil
	}
	return c, false, nil
}

// failedIn reports whether a statement of the transaction has failed, which
// somebody passed over: PostgreSQL takes "commit" for "rollback" then, and
// does not call that an error.
func failedIn(sc *sql.Conn) (failed bool) {
	_ = sc.Raw(func(driver any) error {
		if c, ok := driver.(*stdlib.Conn); ok {
			failed = c.Conn().PgConn().TxStatus() == 'E'
		}
		return nil
	})
	return failed
}

func (e *postgresEngine) close() error {
	err := e.db.Close()
	e.pool.Close()
	return err
}

// lostRace: another transaction was faster with the same document or turn,
// or the server ended one of several that waited for each other.
func (e *postgresEngine) lostRace(err error) bool {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		switch pe.Code {
		case "40001", "40P01", "23505": // serialization, deadlock, unique
			return true
		}
	}
	return errors.Is(err, store.ErrStale)
}

// tryAgain holds for a commit of which nobody knows whether it was carried
// out, too.
const tryAgain = "check the URL and the server, and try again: what was acknowledged is stored, and no turn is stored twice"

// sentinel reads SQLSTATE (PostgreSQL manual, appendix A).
func (e *postgresEngine) sentinel(err error) (string, error) {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		switch {
		case pe.Code == "55P03":
			return fmt.Sprintf("somebody holds it for more than %s: end that, and try again", e.busy), store.ErrBusy
		case pe.Code == "40001", pe.Code == "40P01":
			return "others are always faster: try again when there are fewer", store.ErrBusy
		case pe.Code == "57014":
			return "the server ended a statement that took too long: see its statement_timeout, and try again", store.ErrBusy
		case pe.Code == "53100":
			return "make room on the server's disk; nothing was stored", store.ErrFull
		case pe.Code == "25006":
			return "name the primary server, not a standby", store.ErrReadOnly
		case pe.Code == "42501":
			return "the user may not do this: grant it the schema and its tables", store.ErrReadOnly
		case pe.Code == "42P01", pe.Code == "42703": // our statements are right
			return "its tables are not as they should be: see to the schema, or restore a backup", store.ErrCorrupt
		case strings.HasPrefix(pe.Code, "XX"):
			return "the server reports damage: see its log", store.ErrCorrupt
		case strings.HasPrefix(pe.Code, "08"), strings.HasPrefix(pe.Code, "57P"), strings.HasPrefix(pe.Code, "53"), strings.HasPrefix(pe.Code, "58"), pe.Code == "25P03",
			strings.HasPrefix(pe.Code, "28"), pe.Code == "3D000":
			return tryAgain, store.ErrUnreachable
		}
		return "", nil
	}
	var ne net.Error
	var ce *pgconn.ConnectError
	if errors.As(err, &ce) || errors.As(err, &ne) || errors.Is(err, errBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || isConnLost(err) {
		return tryAgain, store.ErrUnreachable
	}
	return "", nil
}

// isConnLost: pgx says so in words alone.
func isConnLost(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "conn closed") || pgconn.SafeToRetry(err))
}

func (e *postgresEngine) where() string      { return e.name }
func (e *postgresEngine) migrations() string { return "postgres" }

func (e *postgresEngine) lockSchema(ctx context.Context, c *conn) error {
	_, err := c.exec(ctx, "select pg_advisory_xact_lock(?)", schemaLock)
	return err
}

// schemaLock is a number that nobody else is likely to lock: "SPCKL".
const schemaLock = 0x5350434B4C

// versioned reads the catalogue as any table. A name that the server looks up
// itself (to_regclass) is not of the transaction's snapshot: it may be seen
// before its row, or not yet after the lock was waited for.
func (e *postgresEngine) versioned(ctx context.Context, c *conn) (there bool, err error) {
	err = c.one(ctx, `select exists (select from pg_catalog.pg_class where relname = 'speckl_schema' and pg_table_is_visible(oid))`, nil, &there)
	return there, err
}

// foreign: a database may have other tables beside ours.
func (e *postgresEngine) foreign(context.Context, *conn) (bool, error) { return false, nil }

// postgresDialect is PostgreSQL's own way of writing.
type postgresDialect struct{ texts *sync.Map }

func (d postgresDialect) text(query string) string {
	if t, ok := d.texts.Load(query); ok {
		return t.(string)
	}
	var b strings.Builder
	n := 0
	rest := query
	for {
		i := strings.IndexByte(rest, '?')
		if i < 0 {
			break
		}
		n++
		many := strings.HasPrefix(rest[i:], "?…)") && strings.HasSuffix(rest[:i], " in (")
		if many {
			b.WriteString(strings.TrimSuffix(rest[:i], " in ("))
			fmt.Fprintf(&b, " = any($%d)", n)
			rest = rest[i+len("?…)"):]
			continue
		}
		b.WriteString(rest[:i])
		fmt.Fprintf(&b, "$%d", n)
		rest = rest[i+1:]
	}
	b.WriteString(rest)
	d.texts.Store(query, b.String())
	return b.String()
}

func (postgresDialect) many(list any) any { return list }

// batch: fewer ways to the server, and statements of a bounded size.
func (postgresDialect) batch() int { return 64 }

func (postgresDialect) setScope(ctx context.Context, c *conn, organization string) error {
	_, err := c.exec(ctx, "select set_config('speckl.org', ?, true)", organization)
	return err
}
