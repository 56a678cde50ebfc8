package torture

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// impatient is how long a store of a scene waits for locks.
const impatient = 400 * time.Millisecond

// secret is the password in URLs, which no message may show.
const secret = "s3cret"

// scene is a document in the middle of its conversation. Something is taken
// from its store; afterwards, the conversation goes on and ends as if nothing
// had happened.
type scene struct {
	*library
	store *sqlstore.Store
	where string // what messages name
	at    int    // the next turn
	ref   store.Ref
}

// openScene opens a database and reads the first turns.
func openScene(tb testing.TB, dsn string) *scene {
	tb.Helper()
	s := &scene{ref: store.RefTo("local", docName), where: filepath.Base(dsn)}
	if u, err := url.Parse(dsn); err == nil && u.Scheme == "postgres" {
		u.User = url.UserPassword(u.User.Username(), secret) // which the server does not ask for
		dsn, s.where = u.String(), u.Host+u.Path
	}
	var err error
	if s.store, err = sqlstore.Open(context.Background(), dsn, sqlstore.Config{Busy: impatient}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.store.Close(); err != nil {
			tb.Error(err)
		}
	})
	s.library = on(tb, s.store)
	if err := s.Create(context.Background(), docName, docDomains...); err != nil {
		tb.Fatal(err)
	}
	for range 12 {
		s.works()
	}
	return s
}

// post reads the next turn.
func (s *scene) post() error {
	_, err := s.Post(context.Background(), docName, turns()[s.at], "")
	if err == nil {
		s.at++
	}
	return err
}

func (s *scene) works() {
	s.tb.Helper()
	if err := s.post(); err != nil {
		s.tb.Fatalf("turn %d: %v", s.at+1, err)
	}
}

// fails wants that posting fails, and says how.
func (s *scene) fails(want error) {
	s.tb.Helper()
	s.named(s.post(), want)
}

// inside runs a transaction with two turns, between which something happens:
// it must fail as a whole.
func (s *scene) inside(ctx context.Context, want error, happens func()) {
	s.tb.Helper()
	ref, list := s.ref, turns()
	s.named(s.store.Update(ctx, ref, func(tx store.Tx) error {
		if err := whole(tx, list[s.at]); err != nil {
			return err
		}
		happens()
		return whole(tx, list[s.at+1])
	}), want)
	s.named(s.store.Update(ctx, ref, func(tx store.Tx) error { // and one that does not look
		_ = whole(tx, list[s.at])
		happens()
		_ = whole(tx, list[s.at+1])
		return nil
	}), want)
}

// whole commits a turn that gives nothing.
func whole(tx store.Tx, t sir.Turn) error {
	for _, domain := range docDomains {
		if _, err := tx.Append(store.Commit{Turn: &t, Domain: domain}); err != nil {
			return err
		}
	}
	return nil
}

// named wants an error of that name: one line that says where, and no
// password.
func (s *scene) named(err, want error) {
	s.tb.Helper()
	if !errors.Is(err, want) {
		s.tb.Errorf("error is %v, want %v", err, want)
		return
	}
	s.tb.Log(err)
	tells(s.tb, err.Error(), s.where)
}

// tells checks a message.
func tells(tb testing.TB, message, where string) {
	tb.Helper()
	if strings.ContainsAny(message, "\n⏎") || strings.Contains(message, secret) || !strings.Contains(message, where) {
		tb.Errorf("want one line that names %s, without a password: %q", where, message)
	}
}

// head is the newest link, as a store that is opened anew tells it.
func head(tb testing.TB, dsn string) (h sir.Head) {
	tb.Helper()
	look(tb, dsn, func(l *library) {
		var err error
		if h, err = l.Verify(context.Background(), docName); err != nil {
			tb.Fatal(err)
		}
	})
	return h
}

// same stops the test unless the document is where it was before the turn
// that failed.
func (s *scene) same() {
	s.tb.Helper()
	i := s.image()
	i.same(s.tb, "after the fault", undisturbed(s.tb, "post", turns()[:s.at]))
	on(s.tb, s.store)
}

// ends reads the rest of the conversation, and wants what it gives when
// nothing happens.
func (s *scene) ends() {
	s.tb.Helper()
	s.same()
	for s.at < len(conversation) {
		s.works()
	}
	s.same()
}

// unhurried skips a test that takes its time where that is not wanted.
func unhurried(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: short")
	}
}
