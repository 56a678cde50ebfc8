package sqlstore_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// named stops the test unless an error has the name: its text is one line
// that says where, and shows no password.
func named(t *testing.T, err, want error, where string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
	if text := err.Error(); strings.Contains(text, "\n") || strings.Contains(text, "s3cret") || !strings.Contains(text, where) {
		t.Errorf("want one line that names %s, without a password: %q", where, text)
	}
}

// foreign is a database of another program.
func foreign(t *testing.T, statements ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "foreign.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestFiles opens what is no database of ours: it is an error with a name,
// and the file stays as it was, with none beside it.
func TestFiles(t *testing.T) {
	write := func(content []byte) string {
		path := filepath.Join(t.TempDir(), "file.db")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"text", write([]byte(strings.Repeat("Ann: the idle state has a timeout of 30s.\n", 100))), store.ErrCorrupt},
		{"short text", write([]byte("hello")), store.ErrCorrupt},
		{"a byte", write([]byte("x")), store.ErrCorrupt},
		{"a line", write([]byte("\n")), store.ErrCorrupt},
		{"header alone", write([]byte("SQLite format 3\x00")), store.ErrCorrupt},
		{"zeros", write(make([]byte, 8192)), store.ErrCorrupt},
		{"another program's", foreign(t, "create table notes (id integer)", "insert into notes values (1)"), store.ErrCorrupt},
		{"another program's, with a journal of our kind", foreign(t, "pragma journal_mode=wal", "create table notes (id integer)"), store.ErrCorrupt},
		{"a folder", t.TempDir(), store.ErrUnreachable},
		{"in no folder", filepath.Join(t.TempDir(), "none", "file.db"), store.ErrUnreachable},
		{"in a file", filepath.Join(write([]byte("hello")), "file.db"), store.ErrUnreachable},
		{"none", "", store.ErrUnreachable},
		{"in memory", ":memory:", store.ErrUnreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _ := os.ReadFile(c.path)
			_, err := sqlstore.Open(t.Context(), c.path, sqlstore.Config{})
			named(t, err, c.want, c.path)
			t.Log(err)
			if after, _ := os.ReadFile(c.path); !bytes.Equal(after, before) {
				t.Errorf("the file was changed")
			}
			if beside, _ := filepath.Glob(c.path + "-*"); len(beside) > 0 {
				t.Errorf("beside it are now %v", beside)
			}
		})
	}
}

// TestEmptyFile: an empty file is a new database.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a #?%20 'b'.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := newVictim(t, path).verify(); err != nil {
		t.Fatal(err)
	}
}

// TestOneFile: a store that was closed has left one file, and has none open.
func TestOneFile(t *testing.T) {
	dir := t.TempDir()
	t.Run("work", func(t *testing.T) { newVictim(t, filepath.Join(dir, "speckl.db")) })
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(all) != 1 {
		t.Errorf("the store has left %v (%v)", all, err)
	}
	open, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range open {
		if path, err := os.Readlink(fd); err == nil && strings.HasPrefix(path, dir) {
			t.Errorf("%s is still open", path)
		}
	}
}

// TestDeletedWordsAreGone: what was deleted is in none of the files, while the
// database is in use.
func TestDeletedWordsAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "speckl.db")
	v := newVictim(t, path)
	var words []byte
	err := v.store.View(t.Context(), v.ref, func(r store.Reader) error {
		for turn, err := range r.Turns(0) {
			if err != nil {
				return err
			}
			words = []byte(turn.Content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := func() (in []string) {
		files, err := filepath.Glob(path + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(b, words) {
				in = append(in, filepath.Base(f))
			}
		}
		return in
	}
	if len(words) == 0 || len(found()) == 0 {
		t.Fatalf("%q is nowhere: there is nothing to delete", words)
	}
	if err := v.store.Delete(t.Context(), v.ref); err != nil {
		t.Fatal(err)
	}
	if in := found(); len(in) > 0 {
		t.Errorf("%q is still in %v", words, in)
	}
}

// TestCorruptFile overwrites bytes in the middle: whatever is read there is
// an error with a name, and nothing else is.
func TestCorruptFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "speckl.db")
	var v *victim
	t.Run("work", func(t *testing.T) { v = newVictim(t, path) })
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	found, passed := 0, 0
	for at := 0; at+page <= len(whole); at += page {
		for _, damage := range [][]byte{bytes.Repeat([]byte{0xa5}, 64), make([]byte, page)} {
			b := bytes.Clone(whole)
			copy(b[at+(page-len(damage))/2:], damage)
			if bytes.Equal(b, whole) {
				continue
			}
			path := filepath.Join(t.TempDir(), "damaged.db")
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			err := checked(path, v.ref)
			switch {
			case err == nil:
				passed++ // a page that is free, or read by no check
			case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrBroken), errors.Is(err, store.ErrNotFound):
				found++
			default:
				t.Errorf("%d bytes damaged in page %d: %v, which has no name", len(damage), at/page, err)
			}
		}
	}
	t.Logf("%d kinds of damage found, %d in what nobody reads", found, passed)
	if found < passed {
		t.Errorf("most of the damage is not found")
	}
	short := filepath.Join(t.TempDir(), "short.db")
	if err := os.WriteFile(short, whole[:len(whole)/2/page*page], 0o600); err != nil {
		t.Fatal(err)
	}
	named(t, checked(short, v.ref), store.ErrCorrupt, "short.db")
}

// checked opens a database, verifies a document and closes.
func checked(path string, ref store.Ref) error {
	ctx := context.Background()
	s, err := sqlstore.Open(ctx, path, sqlstore.Config{})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.View(ctx, ref, func(r store.Reader) error { _, err := store.Verify(r); return err }); err != nil {
		return err
	}
	checks, err := s.Checks(ctx)
	for _, c := range checks {
		if !c.OK {
			return errors.Join(store.ErrCorrupt, errors.New(c.Detail))
		}
	}
	return err
}

// TestNewerSchema: a database of a newer version is left alone.
func TestNewerSchema(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		v.raw.one("update speckl_schema set version = version + 1")
		where := dsn[strings.LastIndex(dsn, "/"):]
		_, err := sqlstore.Open(t.Context(), dsn, sqlstore.Config{})
		named(t, err, store.ErrNewer, where)
		_, err = sqlstore.Open(t.Context(), dsn, sqlstore.Config{NoMigrate: true})
		named(t, err, store.ErrNewer, where)
		_, _, err = sqlstore.Migrate(t.Context(), dsn, sqlstore.Config{})
		named(t, err, store.ErrNewer, where)
		v.raw.one("update speckl_schema set version = version - 1")
		if err := open(t, dsn, store.Config{}).View(t.Context(), v.ref, func(store.Reader) error { return nil }); err != nil {
			t.Error(err)
		}
		v.raw.one("delete from speckl_schema")
		_, err = sqlstore.Open(t.Context(), dsn, sqlstore.Config{})
		named(t, err, store.ErrCorrupt, where)
	})
}
