package torture

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// engines are the databases. empty returns what gives an empty one each time,
// perhaps the same again.
var engines = []struct {
	name  string
	empty func(testing.TB) func(testing.TB) (dsn string)
}{
	{"sqlite", func(testing.TB) func(testing.TB) string {
		return func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "speckl.db") }
	}},
	{"postgres", func(tb testing.TB) func(testing.TB) string { return emptied(pgtest.URL(tb)) }},
}

// emptied takes all that is ours out of a database of PostgreSQL, which is
// much faster than a new one.
func emptied(url string) func(testing.TB) string {
	return func(tb testing.TB) string {
		tb.Helper()
		raw(tb, url, "drop schema public cascade", "create schema public")
		return url
	}
}

// raw runs statements on a database, past the store.
func raw(tb testing.TB, dsn string, statements ...string) {
	tb.Helper()
	driver := "pgx"
	if !strings.HasPrefix(dsn, "postgres:") {
		driver = "sqlite"
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
	}
}

// library is a database as the parent looks at it.
type library struct {
	tb testing.TB
	*speckl.Client
	store store.Store
}

// shelf lets one client, whose domains take their time, work on one store
// after the other.
type shelf struct{ store.Store }

var reader = sync.OnceValues(func() (*speckl.Client, *shelf) {
	s := &shelf{}
	c, err := speckl.Open(speckl.Config{Store: s})
	if err != nil {
		panic(err)
	}
	return c, s
})

// on is the library in a store. One at a time is of use.
func on(tb testing.TB, s store.Store) *library {
	c, shelf := reader()
	shelf.Store = s
	return &library{tb, c, s}
}

// look opens a database, and closes it behind fn.
func look(tb testing.TB, dsn string, fn func(l *library)) {
	tb.Helper()
	s, err := sqlstore.Open(context.Background(), dsn, sqlstore.Config{})
	if err != nil {
		tb.Fatalf("open again: %v", err)
	}
	fn(on(tb, s))
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
}

// image is what must be the same however it came about: the document as it
// is printed, and the records of its log without salts, hashes and times of
// recording.
type image struct {
	printed string
	records []string // the first is the archive's head
}

// image is that of the document, which must verify.
func (l *library) image() image {
	l.tb.Helper()
	ctx := context.Background()
	if _, err := l.Verify(ctx, docName); err != nil {
		l.tb.Fatalf("the document does not verify: %v", err)
	}
	doc, err := l.Document(ctx, docName)
	if err != nil {
		l.tb.Fatal(err)
	}
	var printed, log bytes.Buffer
	if err := errors.Join(export.JSON(&printed, doc), l.Export(ctx, &log, docName, false)); err != nil {
		l.tb.Fatal(err)
	}
	out := image{printed: printed.String()}
	for line := range bytes.Lines(log.Bytes()) {
		out.records = append(out.records, string(line))
	}
	return out
}

// same stops the test unless both are the same bytes.
func (i image) same(tb testing.TB, what string, want image) {
	tb.Helper()
	if i.printed != want.printed {
		tb.Fatalf("%s (-want +got):\n%s", what, cmp.Diff(want.printed, i.printed))
	}
	if d := cmp.Diff(want.records, i.records); d != "" {
		tb.Fatalf("%s, the log (-want +got):\n%s", what, d)
	}
}

// beginningOf stops the test unless the log is the beginning of another, up
// to the end of a turn.
func (i image) beginningOf(tb testing.TB, whole image) {
	tb.Helper()
	n := len(i.records)
	if n > len(whole.records) {
		tb.Fatalf("the log has %d records, more than the %d of the whole", n-1, len(whole.records)-1)
	}
	if d := cmp.Diff(whole.records[1:n], i.records[1:]); d != "" {
		tb.Fatalf("the log is no beginning of the whole one (-whole +got):\n%s", d)
	}
	if n < len(whole.records) && !bytes.Contains([]byte(whole.records[n]), []byte(`"kind":"turn"`)) &&
		!bytes.Contains([]byte(whole.records[n]), []byte(`"kind":"act"`)) {
		tb.Fatalf("the log ends amid a turn: the whole one goes on with %s", whole.records[n])
	}
}

// stands reports whether the document was made, and stops the test where
// something that was acknowledged is not in it.
func (l *library) stands(acknowledged []string) bool {
	l.tb.Helper()
	_, err := l.Header(context.Background(), docName)
	if errors.Is(err, store.ErrNotFound) && len(acknowledged) == 0 {
		return false
	}
	if err != nil {
		l.tb.Fatal(err)
	}
	l.holds(acknowledged)
	return true
}

// holds stops the test unless each turn of a list is there, and each turn
// that is there is read for all domains, once.
func (l *library) holds(acknowledged []string) {
	l.tb.Helper()
	ctx := context.Background()
	ref, err := l.store.Find(ctx, "local", docName)
	if err != nil {
		l.tb.Fatal(err)
	}
	err = l.store.View(ctx, ref, func(r store.Reader) error {
		var ids []string
		for t, err := range r.Turns(0) {
			if err != nil {
				return err
			}
			if slices.Contains(ids, t.ID) {
				return fmt.Errorf("turn %s is there twice", t.ID)
			}
			ids = append(ids, t.ID)
		}
		for _, id := range acknowledged {
			if !slices.Contains(ids, id) {
				return fmt.Errorf("turn %s was acknowledged and is lost; there are %v", id, ids)
			}
		}
		for _, domain := range docDomains {
			if n, err := r.Cursor(domain); err != nil || n != len(ids) {
				return fmt.Errorf("%d of %d turns are read for %s (%v)", n, len(ids), domain, err)
			}
		}
		return nil
	})
	if err != nil {
		l.tb.Fatal(err)
	}
}

// undisturbed is the image of a document that has read turns in a way, in
// memory, and that nobody has disturbed.
func undisturbed(tb testing.TB, way string, list []sir.Turn) image {
	tb.Helper()
	l := on(tb, store.NewMemory(store.Config{}))
	if err := reading[way](context.Background(), l.Client, list, func(string) {}); err != nil {
		tb.Fatal(err)
	}
	return l.image()
}
