package sqlstore

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/speckl/speckl/store"
)

// Migrations are numbered from 1 without gaps and never change once they
// are released; they go forward only.
//
//go:embed migrations
var migrations embed.FS

// newest is the version of the schema that this program works with.
func (s *Store) newest() (int, error) {
	files, err := fs.ReadDir(migrations, path.Join("migrations", s.engine.migrations()))
	return len(files), err
}

// Schema returns the version that the database has, 0 for none, and the one
// that the program works with.
func (s *Store) Schema(ctx context.Context) (have, want int, err error) {
	if want, err = s.newest(); err != nil {
		return 0, 0, err
	}
	c, err := s.engine.reader(ctx)
	if err != nil {
		return 0, want, s.failed("read the schema", err)
	}
	defer func() { _ = c.end(false) }()
	have, err = s.version(ctx, c)
	return have, want, err
}

// version reads the schema's version. Whether the table of versions is there
// is asked first: a failed statement would end PostgreSQL's transaction.
func (s *Store) version(ctx context.Context, c *conn) (int, error) {
	there, err := s.engine.versioned(ctx, c)
	if err != nil {
		return 0, s.failed("read the schema", err)
	}
	if !there {
		foreign, err := s.engine.foreign(ctx, c)
		if err != nil {
			return 0, s.failed("read the schema", err)
		}
		if foreign {
			return 0, fmt.Errorf("open database %s: %w: it is a database of another program: name another file", s.engine.where(), store.ErrCorrupt)
		}
		return 0, nil
	}
	version := 0
	switch err := c.one(ctx, "select version from speckl_schema", nil, &version); {
	case isNone(err):
		return 0, fmt.Errorf("open database %s: %w: its schema has no version: restore a backup", s.engine.where(), store.ErrCorrupt)
	case err != nil:
		return 0, s.failed("read the schema", err)
	}
	return version, nil
}

// current returns an error unless the schema is up to date.
func (s *Store) current(ctx context.Context) error {
	have, want, err := s.Schema(ctx)
	switch {
	case err != nil:
		return err
	case have > want:
		return s.tooNew(have, want)
	case have < want:
		return fmt.Errorf("open database %s: %w: its schema has version %d, not %d: run speckl migrate", s.engine.where(), store.ErrUnreachable, have, want)
	}
	return nil
}

func (s *Store) tooNew(have, want int) error {
	return fmt.Errorf("open database %s: %w: its schema has version %d, this program knows %d: use a newer speckl", s.engine.where(), store.ErrNewer, have, want)
}

// migrate brings the schema up to date, all in one transaction that keeps
// other processes waiting. One that is up to date is only read.
func (s *Store) migrate(ctx context.Context) (from, to int, err error) {
	have, want, err := s.Schema(ctx)
	switch {
	case err != nil:
		return 0, 0, err
	case have > want:
		return have, have, s.tooNew(have, want)
	case have == want:
		return have, have, nil
	}
	c, err := s.engine.writer(ctx)
	if err != nil {
		return have, have, s.failed("migrate", err)
	}
	done := false
	defer func() {
		if end := c.end(done); end != nil && err == nil {
			err = s.failed("migrate", end)
		}
	}()
	if err := s.engine.lockSchema(ctx, c); err != nil {
		return have, have, s.failed("migrate", err)
	}
	if have, err = s.version(ctx, c); err != nil { // another process may have been faster
		return 0, 0, err
	}
	for v := have + 1; v <= want; v++ {
		if err := s.step(ctx, c, v); err != nil {
			return have, have, s.failed(fmt.Sprintf("migrate to version %d", v), err)
		}
	}
	done = true
	return have, max(have, want), nil
}

// step takes the schema to a version.
func (s *Store) step(ctx context.Context, c *conn, version int) error {
	text, err := migrations.ReadFile(fmt.Sprintf("migrations/%s/%04d.sql", s.engine.migrations(), version))
	if err != nil {
		return err
	}
	if version == 1 {
		if _, err := c.c.ExecContext(ctx, "create table speckl_schema (version integer not null)"); err != nil {
			return err
		}
		if _, err := c.c.ExecContext(ctx, "insert into speckl_schema (version) values (0)"); err != nil {
			return err
		}
	}
	for _, statement := range statements(string(text)) {
		if _, err := c.c.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err = c.exec(ctx, "update speckl_schema set version = ?", version)
	return err
}

// statements cuts a migration at the semicolons that end a line.
func statements(text string) []string {
	var out []string
	for _, s := range strings.SplitAfter(text, ";\n") {
		code := false
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
				code = true
			}
		}
		if code {
			out = append(out, s)
		}
	}
	return out
}
