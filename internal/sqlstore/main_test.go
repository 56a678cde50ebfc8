package sqlstore_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// engines are the databases that the tests run on: each gives the DSN of a
// new, empty one.
var engines = []struct {
	name string
	dsn  func(testing.TB) string
}{
	{"sqlite", func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "speckl.db") }},
	{"postgres", pgtest.URL},
}

// onEach runs a test on each engine.
func onEach(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			test(t, e.dsn(t))
		})
	}
}

// open opens a database until the test ends.
func open(tb testing.TB, dsn string, c store.Config) *sqlstore.Store {
	tb.Helper()
	s, err := sqlstore.Open(context.Background(), dsn, sqlstore.Config{Config: c})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}
