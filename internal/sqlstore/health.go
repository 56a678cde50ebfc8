package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/speckl/speckl/store"
)

// Check is one thing that was looked at.
type Check struct {
	// Name says what, in a few words.
	Name string
	OK   bool
	// Detail says what was found, and what to do where it is not OK.
	Detail string
}

// Checks looks at the database's health: the connection, the schema, and
// what the engine can tell of itself. It returns an error only where nothing
// could be looked at.
func (s *Store) Checks(ctx context.Context) ([]Check, error) {
	have, want, err := s.Schema(ctx)
	if err != nil {
		return nil, err
	}
	checks := []Check{{
		Name: "schema", OK: have == want, Detail: fmt.Sprintf("version %d of %d in %s", have, want, s.engine.where()),
	}}
	more, err := s.engine.checks(ctx)
	if err != nil {
		return checks, s.failed("check the database", err)
	}
	return append(checks, more...), nil
}

// Backup copies the database into a new file while it is in use.
// It returns an error if the file exists, or the engine has tools of its own
// for that.
func (s *Store) Backup(ctx context.Context, path string) error {
	if err := s.engine.backup(ctx, path); err != nil {
		return s.failed("back up to "+path, err)
	}
	return nil
}

func (e *sqliteEngine) backup(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%w: %s exists: name a new file", store.ErrExists, path)
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	c, err := e.db.Conn(ctx) // outside a transaction
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err = c.ExecContext(ctx, "vacuum into ?", path); err != nil {
		_ = os.Remove(path)
	}
	return err
}

func (e *sqliteEngine) checks(ctx context.Context) ([]Check, error) {
	c, err := e.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.end(false) }()
	found := ""
	if err := c.one(ctx, "pragma quick_check(1)", nil, &found); err != nil {
		return nil, err
	}
	version, mode := "", ""
	if err := c.one(ctx, "select sqlite_version()", nil, &version); err != nil {
		return nil, err
	}
	if err := c.one(ctx, "pragma journal_mode", nil, &mode); err != nil {
		return nil, err
	}
	return []Check{
		{"engine", mode == "wal", "SQLite " + version + ", journal " + mode},
		{"file", found == "ok", "quick_check says " + found},
	}, nil
}

// ErrBackup: the engine has tools of its own for backups.
var ErrBackup = errors.New("not a file")

func (e *postgresEngine) backup(context.Context, string) error {
	return fmt.Errorf("%w: use pg_dump for %s, or speckl export for a document", ErrBackup, e.name)
}

func (e *postgresEngine) checks(ctx context.Context) ([]Check, error) {
	c, err := e.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.end(false) }()
	version, user := "", ""
	walls, passes := 0, false
	if err := c.one(ctx, "select current_setting('server_version'), current_user", nil, &version, &user); err != nil {
		return nil, err
	}
	if err := c.one(ctx, "select rolsuper or rolbypassrls from pg_roles where rolname = current_user", nil, &passes); err != nil {
		return nil, err
	}
	if err := c.one(ctx, `select count(*) from pg_class where relname = 'documents' and relrowsecurity and relforcerowsecurity`, nil, &walls); err != nil {
		return nil, err
	}
	detail := "holds for " + user
	switch {
	case walls == 0:
		detail = "is off: run speckl migrate"
	case passes:
		detail = user + " passes it: connect as a user that is no superuser, so that the second wall stands"
	}
	return []Check{
		{"engine", true, "PostgreSQL " + version + ", as " + user},
		{"row-level security", walls > 0 && !passes, detail},
	}, nil
}
