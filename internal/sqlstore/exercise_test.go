package sqlstore_test

import (
	"path/filepath"
	"testing"

	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
	"github.com/speckl/speckl/store/storetest"
)

func TestSQLite(t *testing.T) {
	storetest.Exercise(t, func(tb testing.TB, c store.Config) store.Store {
		return open(tb, filepath.Join(tb.TempDir(), "speckl.db"), c)
	}, storetest.OneWriter)
}

func TestPostgres(t *testing.T) {
	storetest.Exercise(t, func(tb testing.TB, c store.Config) store.Store { return open(tb, pgtest.URL(tb), c) })
}

// TestSecondWall: row-level security alone keeps organisations apart.
func TestSecondWall(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: short")
	}
	storetest.Exercise(t, func(tb testing.TB, c store.Config) store.Store {
		return sqlstore.Unscoped(open(tb, pgtest.URL(tb), c))
	})
}
