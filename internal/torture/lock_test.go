package torture

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// holder is another process that holds the lock until its word is closed.
// Rows of another organisation's are not there for it: it is a superuser.
func holder(t *testing.T, engine, dsn string) (release func()) {
	t.Helper()
	if engine == "postgres" {
		dsn = asSuperuser(t, dsn)
	}
	w := launch(t, job{Do: "hold", DSN: dsn, Wait: true}, nil)
	w.until("ready")
	return func() {
		_ = w.word.Close()
		w.finish()
	}
}

// TestLocked: another process holds the document for longer than Busy.
func TestLocked(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			dsn := e.empty(t)(t)
			s := openScene(t, dsn)
			release := holder(t, e.name, dsn)
			began := time.Now()
			s.fails(store.ErrBusy)
			if took := time.Since(began); took < impatient || took > impatient+10*time.Second {
				t.Errorf("it gave up after %v, want %v", took, impatient)
			}
			s.same() // who reads need not wait
			release()
			s.ends()
		})
	}
}

// TestLockedFromTheBeginning: another process holds a file that is new.
func TestLockedFromTheBeginning(t *testing.T) {
	dsn := filepath.Join(t.TempDir(), "speckl.db")
	release := holder(t, "sqlite", dsn)
	_, err := sqlstore.Open(t.Context(), dsn, sqlstore.Config{Busy: impatient})
	s := &scene{library: &library{tb: t}, where: "speckl.db"}
	s.named(err, store.ErrBusy)
	release()
	openScene(t, dsn).ends()
}

// TestCanceled: a caller gives up inside a transaction, and while he waits
// for the lock, which another process holds, or another transaction of this
// one.
func TestCanceled(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			dsn := e.empty(t)(t)
			s := openScene(t, dsn)
			list := turns()
			canceled := func(what string, err error) {
				t.Helper()
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v, want %v", what, err, context.Canceled)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			canceled("inside", s.store.Update(ctx, s.ref, func(tx store.Tx) error {
				if err := whole(tx, list[s.at]); err != nil {
					t.Error(err)
				}
				cancel()
				return whole(tx, list[s.at+1])
			}))
			ctx, cancel = context.WithCancel(t.Context())
			canceled("at the end", s.store.Update(ctx, s.ref, func(tx store.Tx) error {
				defer cancel()
				return whole(tx, list[s.at])
			}))
			s.same()

			patient, err := sqlstore.Open(t.Context(), dsn, sqlstore.Config{Busy: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			defer patient.Close()
			waits := func(what string) {
				t.Helper()
				ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, context.Canceled)
				defer cancel()
				began := time.Now()
				err := patient.Update(ctx, s.ref, func(store.Tx) error {
					t.Errorf("%s: it did not wait", what)
					return nil
				})
				if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v, want that of the context", what, err)
				}
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("%s: it gave up after %v", what, took)
				}
			}
			release := holder(t, e.name, dsn)
			waits("another process holds it")
			release()
			err = patient.Update(t.Context(), s.ref, func(store.Tx) error {
				waits("another transaction holds it")
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			s.ends()
		})
	}
}
