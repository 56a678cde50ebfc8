package torture

import (
	"context"
	"net/url"
	"sync"
	"testing"

	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/store"
)

// asSuperuser is the URL for somebody who may do everything.
func asSuperuser(tb testing.TB, dsn string) string {
	tb.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		tb.Fatal(err)
	}
	u.User = url.User("postgres")
	return u.String()
}

// dropped ends all connections to the database but the one that says so.
const dropped = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"

// TestDroppedConnection: the connection goes away inside a transaction, and
// between two.
func TestDroppedConnection(t *testing.T) {
	dsn := pgtest.URL(t)
	s := openScene(t, dsn)
	drop := func() { raw(t, asSuperuser(t, dsn), dropped) }
	s.inside(t.Context(), store.ErrUnreachable, drop)
	s.crowd(drop)
	s.ends()
}

// crowd lets the store have several connections, which are then lost while
// nobody uses them: nobody is to notice.
func (s *scene) crowd(lost func()) {
	s.tb.Helper()
	var inside, all sync.WaitGroup
	inside.Add(4)
	for range 4 {
		all.Go(func() {
			_ = s.store.View(context.Background(), s.ref, func(store.Reader) error {
				inside.Done()
				inside.Wait()
				return nil
			})
		})
	}
	all.Wait()
	lost()
	for range 6 {
		s.works()
	}
}

// TestLostServer: the server dies inside a transaction, and comes back.
func TestLostServer(t *testing.T) {
	unhurried(t)
	server := pgtest.Start(t, true)
	s := openScene(t, server.URL(t))
	kill := func() {
		if err := server.Kill(); err != nil {
			t.Error(err)
		}
	}
	run := func() {
		if err := server.Run(true); err != nil {
			t.Fatal(err)
		}
	}
	ctx, ref, list := t.Context(), s.ref, turns()
	s.named(s.store.Update(ctx, ref, func(tx store.Tx) error {
		if err := whole(tx, list[s.at]); err != nil {
			return err
		}
		kill()
		return whole(tx, list[s.at+1])
	}), store.ErrUnreachable)
	s.fails(store.ErrUnreachable) // nobody answers
	run()
	s.same()
	s.named(s.store.Update(ctx, ref, func(tx store.Tx) error { // when all is said but the commit
		err := whole(tx, list[s.at])
		kill()
		return err
	}), store.ErrUnreachable)
	run()
	s.crowd(func() { kill(); run() })
	s.ends()
}
