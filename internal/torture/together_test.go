package torture

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// processes is how many work at once.
const processes = 8

// together launches workers, lets them begin at the same moment and waits
// for all: none may fail.
func together(tb testing.TB, jobs []job) []*worker {
	tb.Helper()
	all := make([]*worker, len(jobs))
	for i, j := range jobs {
		j.Wait = true
		all[i] = launch(tb, j, nil)
	}
	for _, w := range all {
		w.until("ready")
	}
	for _, w := range all {
		if err := w.word.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	for _, w := range all {
		w.finish()
	}
	return all
}

// committed are the turns in the order in which the log has them.
func (l *library) committed() []sir.Turn {
	l.tb.Helper()
	ctx := context.Background()
	ref, err := l.store.Find(ctx, "local", docName)
	if err != nil {
		l.tb.Fatal(err)
	}
	var out []sir.Turn
	err = l.store.View(ctx, ref, func(r store.Reader) error {
		for m, err := range r.Log(0) {
			if err != nil {
				return err
			}
			if m.Kind == sir.TurnKind {
				out = append(out, *m.Body.Turn)
			}
		}
		return nil
	})
	if err != nil {
		l.tb.Fatal(err)
	}
	return out
}

// inOrder stops the test unless the document is what one process makes of
// the turns of its log, in that order.
func (l *library) inOrder(way string) {
	l.tb.Helper()
	got, list := l.image(), l.committed()
	got.same(l.tb, "the document of several processes", undisturbed(l.tb, way, list))
}

// TestTogether: eight processes post turns that overlap, each in its own
// order and some twice.
func TestTogether(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			dsn := e.empty(t)(t)
			var jobs []job
			n := len(conversation)
			for p := range processes {
				j := job{Do: "post", DSN: dsn, Again: p%2 == 0}
				for i := range n * 2 / 3 { // each turn by five processes or more
					j.Turns = append(j.Turns, (p*n/processes+i)%n)
				}
				jobs = append(jobs, j)
			}
			var acks []string
			for _, w := range together(t, jobs) {
				acks = append(acks, w.acks...)
			}
			look(t, dsn, func(l *library) {
				l.stands(acks)
				if got := len(l.committed()); got != n {
					t.Errorf("%d turns are in the log, want each of the %d once", got, n)
				}
				l.inOrder("post")
			})
		})
	}
}

// TestOneProcess: eight goroutines share a store and a client.
func TestOneProcess(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s, err := sqlstore.Open(t.Context(), e.empty(t)(t), sqlstore.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			l := on(t, s)
			var all sync.WaitGroup
			for p := range processes {
				all.Go(func() {
					list := turns()
					list = slices.Concat(list[p*5:], list[:p*5])
					if err := reading["post"](t.Context(), l.Client, list, func(string) {}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			l.inOrder("post")
		})
	}
}

// TestAnyOrder: eight processes post a session each, about things of its
// own, and it makes no difference who comes first: elements and data are
// those of one session after the other.
//
// Of sessions about the same things that does not hold, and neither does it
// of one session whose turns are posted in another order, whatever their seq:
// a turn is read when it is committed, behind all that were before. The
// smallest example is "The idle state has a timeout of 30s." and "The idle
// state has a timeout of 45s.": the one that is read first stands, the other
// one contradicts it.
func TestAnyOrder(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			dsn := e.empty(t)(t)
			var jobs []job
			var inTurn []sir.Turn
			for p := range processes {
				jobs = append(jobs, job{Do: "post", DSN: dsn, Session: p + 1})
				inTurn = append(inTurn, session(p+1)...)
			}
			together(t, jobs)
			var got, want []string
			look(t, dsn, func(l *library) {
				l.inOrder("post")
				got = l.data()
			})
			l := on(t, store.NewMemory(store.Config{}))
			if err := reading["post"](t.Context(), l.Client, inTurn, func(string) {}); err != nil {
				t.Fatal(err)
			}
			if want = l.data(); len(want) < 5*processes {
				t.Errorf("the sessions give %d elements only", len(want))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("elements (-one after the other +at once):\n%s", d)
			}
		})
	}
}

// data are the elements' ids, types, states and data.
func (l *library) data() []string {
	l.tb.Helper()
	doc, err := l.Elements(l.tb.Context(), docName)
	if err != nil {
		l.tb.Fatal(err)
	}
	var out []string
	for _, e := range doc.Elements {
		data, err := sir.Canonical(e.Data)
		if err != nil {
			l.tb.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", e.ID, e.ElementType, e.Status, data))
	}
	slices.Sort(out)
	return out
}

// TestSameDocument: eight processes read the same conversation into a
// document that none of them finds, in an empty database: they migrate it,
// make the document and post the turns together, and it is as if one had.
func TestSameDocument(t *testing.T) {
	for _, e := range engines {
		for _, way := range []string{"post", "ingest", "batches"} {
			t.Run(e.name+"/"+way, func(t *testing.T) {
				dsn := e.empty(t)(t)
				var jobs []job
				for range processes {
					jobs = append(jobs, job{Do: way, DSN: dsn})
				}
				together(t, jobs)
				look(t, dsn, func(l *library) {
					l.image().same(t, "the document", undisturbed(t, way, turns()))
				})
			})
		}
	}
}

// TestMigrateTogether: eight processes migrate an empty database, and again.
func TestMigrateTogether(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			empty := e.empty(t)
			for range 3 {
				dsn := empty(t)
				jobs := slices.Repeat([]job{{Do: "migrate", DSN: dsn}}, processes)
				first := 0
				for _, w := range together(t, jobs) {
					if slices.Contains(w.said, "migrated 0 1") {
						first++
					}
				}
				if first != 1 {
					t.Errorf("%d processes say that they have made the schema, want one", first)
				}
				from, to, err := sqlstore.Migrate(t.Context(), dsn, sqlstore.Config{})
				if from != to || err != nil {
					t.Errorf("migrated again from %d to %d: %v", from, to, err)
				}
			}
		})
	}
}
