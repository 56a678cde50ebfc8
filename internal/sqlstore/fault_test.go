package sqlstore_test

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// withPassword is a URL with a password that the server does not ask for.
func withPassword(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), "s3cret")
	return u.String()
}

// talk appends a turn that gives nothing, of some length.
func (v *victim) talk(s *sqlstore.Store, n, size int) error {
	at := int64(n)
	t := &sir.Turn{ID: fmt.Sprintf("talk%d", n), SessionID: "s", Seq: n, Timestamp: &at, Speaker: sir.Human, Content: strings.Repeat("word ", size/5)}
	return s.Update(v.Context(), v.ref, func(tx store.Tx) error {
		for _, domain := range []string{"state-machine", "general"} {
			if _, err := tx.Append(store.Commit{Turn: t, Domain: domain}); err != nil {
				return err
			}
		}
		return nil
	})
}

// unharmed stops the test unless the document verifies and has this head.
func (v *victim) unharmed(want sir.Head) {
	v.Helper()
	if err := v.verify(); err != nil {
		v.Fatal(err)
	}
	if got := v.head(); got != want {
		v.Fatalf("the head is %v, was %v", got, want)
	}
}

// TestFullFile: SQLite may not make the file larger, for a while. That of a
// real disk is in internal/torture, where disks can be made small.
func TestFullFile(t *testing.T) {
	v := newVictim(t, filepath.Join(t.TempDir(), "speckl.db"))
	pages, err := sqlstore.Limit(t.Context(), v.store, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for err == nil && n < 1000 {
		n++
		err = v.talk(v.store, n, 5000)
	}
	named(t, err, store.ErrFull, "speckl.db")
	full := v.head()
	for range 3 {
		named(t, v.talk(v.store, n, 50_000), store.ErrFull, "speckl.db")
		v.unharmed(full)
	}
	if _, err := sqlstore.Limit(t.Context(), v.store, 1_000_000); err != nil {
		t.Fatal(err)
	}
	if err := v.talk(v.store, n, 50_000); err != nil {
		t.Fatalf("with room again (%d pages before): %v", pages, err)
	}
	if err := v.verify(); err != nil {
		t.Fatal(err)
	}
}

// TestServerErrors lets the server refuse a row with each error that there
// may be, when all but that row is written.
func TestServerErrors(t *testing.T) {
	dsn := withPassword(t, pgtest.URL(t))
	v := newVictim(t, dsn)
	where := dsn[strings.LastIndex(dsn, "/"):]
	must := func(statement string) {
		t.Helper()
		if _, err := v.raw.try(statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		code string
		want error
	}{
		{"53100", store.ErrFull}, {"53200", store.ErrUnreachable}, {"53300", store.ErrUnreachable},
		{"25006", store.ErrReadOnly}, {"42501", store.ErrReadOnly}, {"XX001", store.ErrCorrupt}, {"58030", store.ErrUnreachable},
		{"57P01", store.ErrUnreachable}, {"57P03", store.ErrUnreachable}, {"08006", store.ErrUnreachable}, {"25P03", store.ErrUnreachable},
		{"40001", store.ErrBusy}, {"40P01", store.ErrBusy}, {"55P03", store.ErrBusy}, {"57014", store.ErrBusy},
		{"42P01", store.ErrCorrupt}, {"42703", store.ErrCorrupt},
	} {
		t.Run(c.code, func(t *testing.T) {
			before := v.head()
			must(fmt.Sprintf(`create or replace function refuse() returns trigger language plpgsql as
				$$ begin if new.org = 'local' then raise exception using errcode = '%s', message = E'no\nway'; end if; return new; end $$`, c.code))
			must("create trigger refuse before update on documents for each row execute function refuse()")
			must("alter table documents enable always trigger refuse") // for the session of these statements, too
			named(t, v.talk(v.store, 1, 50), c.want, where)
			must("drop trigger refuse on documents")
			v.unharmed(before)
		})
	}
	if err := v.talk(v.store, 1, 50); err != nil {
		t.Fatal(err)
	}
}

// TestServerRefuses: the server takes no writes, or not from this user, or
// not this user at all.
func TestServerRefuses(t *testing.T) {
	dsn := withPassword(t, pgtest.URL(t))
	v := newVictim(t, dsn)
	where := dsn[strings.LastIndex(dsn, "/"):strings.Index(dsn, "?")]
	before := v.head()
	s := open(t, dsn+"&default_transaction_read_only=on", store.Config{})
	named(t, v.talk(s, 1, 50), store.ErrReadOnly, where)
	if err := s.View(t.Context(), v.ref, func(r store.Reader) error { _, err := store.Verify(r); return err }); err != nil {
		t.Errorf("reading: %v", err)
	}
	if _, err := v.raw.try("create role guest login"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := v.raw.try("drop role guest"); err != nil {
			t.Error(err)
		}
	})
	guest := strings.Replace(dsn, "speckl:", "guest:", 1)
	_, err := sqlstore.Open(t.Context(), guest, sqlstore.Config{})
	named(t, err, store.ErrReadOnly, where)
	for _, changed := range []string{
		strings.Replace(dsn, "speckl:", "stranger:", 1),                                              // no such user
		strings.Replace(dsn, where, "/nowhere", 1),                                                   // no such database
		dsn + "&sslmode=require",                                                                     // no TLS there
		strings.Replace(dsn, "127.0.0.1:", "127.0.0.1:1", 1),                                         // nobody there
		strings.Replace(strings.Replace(dsn, "s3cret@", "@", 1), "?", "?password=s3cret&port=1&", 1), // a password elsewhere
		"postgres://speckl:s3cret@localhost:1/t1",                                                    // two addresses, neither there
		"postgres://speckl:s3cret@[::1/t1",                                                           // no URL
		"postgres://speckl:s3 cret@127.0.0.1/t1",
	} {
		_, err := sqlstore.Open(t.Context(), changed, sqlstore.Config{Busy: 2 * time.Second})
		named(t, err, store.ErrUnreachable, "postgres://")
	}
	v.unharmed(before)
}

// TestPassedOver: a transaction whose caller does not look at an error of a
// read does not seem to commit.
func TestPassedOver(t *testing.T) {
	v := newVictim(t, pgtest.URL(t))
	before := v.head()
	err := v.store.Update(t.Context(), v.ref, func(tx store.Tx) error {
		if err := tx.KeepDraft("another", []byte("draft")); err != nil {
			return err
		}
		v.rename("said", "gone")
		if _, err := tx.Slice(sir.Ask{Values: []sir.ValueKey{{Speaker: "x", Kind: "y"}}}); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("a table is missing: %v, want %v", err, store.ErrCorrupt)
		}
		return nil
	})
	v.rename("gone", "said")
	kept := v.store.View(t.Context(), v.ref, func(r store.Reader) error { _, err := r.Draft("another"); return err })
	if (err == nil) != (kept == nil) {
		t.Errorf("the transaction ends with %v, and the draft is there: %v", err, kept)
	}
	v.unharmed(before)
}

func (v *victim) rename(from, to string) {
	v.Helper()
	if _, err := v.raw.try("alter table " + from + " rename to " + to); err != nil {
		v.Fatal(err)
	}
}

// TestNames: names and ids that no database can hold are those of nothing.
func TestNames(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		before := v.head()
		ctx := t.Context()
		for _, bad := range []string{"\x00", "talk\x00", "talk\xff", "\xed\xa0\x80"} {
			want := func(what string, want, err error) {
				t.Helper()
				if !errors.Is(err, want) {
					t.Errorf("%s %q: %v, want %v", what, bad, err, want)
				}
			}
			update := func(what string, sentinel error, fn func(store.Tx) error) {
				t.Helper()
				want(what, sentinel, v.store.Update(ctx, v.ref, fn))
			}
			ref, nothing := store.Ref{Organization: "local", Document: bad}, func(store.Reader) error { return nil }
			_, err := v.store.Find(ctx, "local", bad)
			want("find", store.ErrNotFound, err)
			_, err = v.store.Find(ctx, bad, "talk")
			want("find for", store.ErrNotFound, err)
			want("view", store.ErrNotFound, v.store.View(ctx, ref, nothing))
			want("view for", store.ErrNotFound, v.store.View(ctx, store.Ref{Organization: bad, Document: v.ref.Document}, nothing))
			want("delete", store.ErrNotFound, v.store.Delete(ctx, ref))
			want("update", store.ErrBroken, v.store.Update(ctx, ref, func(store.Tx) error { return nil }))
			want("create", store.ErrBroken, v.store.Update(ctx, store.RefTo("local", bad), func(tx store.Tx) error {
				return tx.Create(sir.Header{Name: bad, Domains: []string{"general"}})
			}))
			hits, err := v.store.Search(ctx, "local", store.Query{Text: "idle", Document: bad})
			want("search", nil, err)
			if len(hits) > 0 {
				t.Errorf("search in %q finds something", bad)
			}
			for range v.store.List(ctx, bad) {
				t.Errorf("%q has documents", bad)
			}
			update("turn", store.ErrNotFound, func(tx store.Tx) error { _, err := tx.Turn(bad); return err })
			update("element", store.ErrNotFound, func(tx store.Tx) error { _, err := tx.Element(bad); return err })
			update("draft", store.ErrNotFound, func(tx store.Tx) error { _, err := tx.Draft(bad); return err })
			update("drop draft", nil, func(tx store.Tx) error { return tx.DropDraft(bad) })
			update("keep draft", store.ErrBroken, func(tx store.Tx) error { return tx.KeepDraft(bad, nil) })
			update("slice", nil, func(tx store.Tx) error {
				_, err := tx.Slice(sir.Ask{Terms: []string{bad}, LastTurnOf: []string{bad}, Turn: bad, Domain: bad, Values: []sir.ValueKey{{Speaker: bad, Kind: bad}}})
				return err
			})
			for i, turn := range []sir.Turn{
				{ID: bad, SessionID: "s"}, {ID: "x", SessionID: bad}, {ID: "x", SessionID: "s", SpeakerName: &bad},
				{ID: "x", SessionID: "s", AgentID: bad}, {ID: "x", SessionID: "s", ParentTurnID: bad}, {ID: "x", SessionID: "s", Content: bad},
			} {
				turn.Speaker = sir.Human
				sentinel := store.ErrBroken
				if !strings.Contains(bad, "\x00") {
					sentinel = sir.ErrValue
				}
				update(fmt.Sprintf("turn %d with", i), sentinel, func(tx store.Tx) error { _, err := tx.Append(store.Commit{Turn: &turn}); return err })
			}
		}
		v.unharmed(before)
	})
}
