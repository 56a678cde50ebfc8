package speckl

import (
	"context"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// Database opens a store that lasts: a SQLite file, which is made where there
// is none, or the PostgreSQL database of a postgres:// URL. Its schema is
// brought up to date. The caller closes it.
//
// It returns an error that wraps [store.ErrUnreachable], [store.ErrCorrupt]
// for what is no database of Speckl's, [store.ErrNewer] for one of a newer
// version, or another of the store's sentinels.
func Database(ctx context.Context, dsn string) (store.Store, error) {
	s, err := sqlstore.Open(ctx, dsn, sqlstore.Config{})
	if err != nil {
		return nil, err
	}
	return s, nil
}
