package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

func testDocuments(t *testing.T, b *bench) {
	ctx, other := context.Background(), store.RefTo("local", "another")
	b.want(store.ErrNotFound, b.store.View(ctx, other, func(store.Reader) error { return nil }))
	b.want(nil, b.store.Update(ctx, other, func(tx store.Tx) error {
		_, err := tx.Header()
		b.want(store.ErrNotFound, err)
		_, err = tx.Append(store.Commit{Turn: b.turn("Ann")})
		b.want(store.ErrNotFound, err)
		return nil
	}))
	b.want(store.ErrNotFound, b.store.View(ctx, other, func(store.Reader) error { return nil }))
	b.create(other, "another")
	b.want(store.ErrExists, b.store.Update(ctx, other, func(tx store.Tx) error { return tx.Create(sir.Header{}) }))
	var names []string
	for h, err := range b.store.List(ctx, "local") {
		b.want(nil, err)
		names = append(names, h.Name)
	}
	b.equal("names", names, []string{"another", "conversation"})
	b.view(func(r store.Reader) {
		h, err := r.Header()
		b.want(nil, err)
		b.equal("header", h, sir.Header{ID: b.ref.Document, Name: "conversation", OrganizationID: "local", Domains: []string{"general"}})
	})
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	b.want(context.Canceled, b.store.Update(canceled, other, func(store.Tx) error { return nil }))
}

// snapshot is all that can be read of a document.
type snapshot struct {
	Header   sir.Header
	Head     sir.Head
	Turns    []*sir.Turn
	Elements []*sir.Element
	Pending  sir.Pending
	Done     int
	Slice    []any
	Log      []sir.Mutation
}

func (b *bench) snapshot(r store.Reader) (s snapshot) {
	b.Helper()
	var errs [6]error
	s.Header, errs[0] = r.Header()
	s.Head, errs[1] = r.Head()
	s.Pending, errs[2] = r.Pending()
	s.Done, errs[3] = r.Cursor("general")
	var slice *sir.Slice
	slice, errs[4] = r.Slice(sir.Ask{Terms: []string{"name:a", "name:b"}, LastTurnOf: []string{"human|Ann"}})
	if slice != nil {
		s.Slice = []any{slice.Elements, slice.LastTurn, slice.Generations, slice.NextClarification, slice.Open}
	}
	s.Turns = collect(b, r.Turns(0))
	s.Elements = collect(b, r.Elements())
	s.Log = collect(b, r.Log(0))
	b.want(nil, errors.Join(errs[:]...))
	return s
}

// collect reads an iterator to its end, twice: it begins anew each time.
func collect[T any](b *bench, seq func(func(T, error) bool)) []T {
	b.Helper()
	n := 0
	for _, err := range seq {
		b.want(nil, err)
		n++
	}
	out := []T{}
	for x, err := range seq {
		b.want(nil, err)
		out = append(out, x)
	}
	b.equal("items in the second run", len(out), n)
	return out
}

func testAbort(t *testing.T, b *bench) {
	first := b.turn("Ann")
	e := element(b.ref.Document, "general", "a", first)
	b.commit(store.Commit{Turn: first, Domain: "general", Mutations: []sir.Mutation{created(e)}})
	var before, after snapshot
	b.view(func(r store.Reader) { before = b.snapshot(r) })
	work := func(tx store.Tx) {
		for range 1500 { // past a page of any engine
			_, err := tx.Append(store.Commit{Turn: b.turn("Bob"), Domain: "general"})
			b.want(nil, err)
		}
		turn := b.turn("Ann")
		change, _ := refined(b, e, turn, 30)
		_, err := tx.Append(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{
			created(element(b.ref.Document, "general", "b", turn)), change, pending("c1", 1),
		}})
		b.want(nil, err)
	}
	boom := errors.New("boom")
	err := b.store.Update(context.Background(), b.ref, func(tx store.Tx) error { work(tx); return boom })
	b.want(boom, err)
	b.view(func(r store.Reader) { after = b.snapshot(r) })
	b.equal("document after an error", after, before)
	func() {
		defer func() {
			if recover() == nil {
				t.Fatal("the panic did not come through")
			}
		}()
		_ = b.store.Update(context.Background(), b.ref, func(tx store.Tx) error { work(tx); panic(boom) })
	}()
	b.view(func(r store.Reader) { after = b.snapshot(r) })
	b.equal("document after a panic", after, before)
	b.update(work)
	b.verify()
}

func testFailedAppend(t *testing.T, b *bench) {
	b.update(func(tx store.Tx) {
		before := b.snapshot(tx)
		turn := b.turn("Ann")
		e := element(b.ref.Document, "general", "a", turn)
		broken := sir.Mutation{Kind: sir.Updated, ElementID: "nobody", Version: 2, Body: &sir.Payload{Patch: &sir.Patch{}}}
		_, err := tx.Append(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{created(e), pending("c1", 1), broken}})
		b.want(store.ErrBroken, err)
		b.equal("document after a failed append", b.snapshot(tx), before)
		_, err = tx.Append(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{created(e)}})
		b.want(nil, err)
	})
	b.verify()
}

func testClosed(t *testing.T, b *bench) {
	var leaked store.Tx
	b.update(func(tx store.Tx) { leaked = tx })
	_, err := leaked.Append(store.Commit{Turn: b.turn("Ann")})
	b.want(store.ErrClosed, err)
	var reader store.Reader
	b.view(func(r store.Reader) { reader = r })
	_, err = reader.Header()
	b.want(store.ErrClosed, err)
}

// verify checks the chain, and that what is stored is what the log gives.
func (b *bench) verify() {
	b.Helper()
	b.view(func(r store.Reader) {
		b.Helper()
		head, err := store.Verify(r)
		b.want(nil, err)
		d, err := sir.Fold(r.Log(0))
		b.want(nil, err)
		b.equal("seq", d.Seq(), head.Seq)
	})
}

func testLog(t *testing.T, b *bench) {
	for range 600 {
		turn := b.turn("Ann")
		b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{
			created(element(b.ref.Document, "general", turn.ID, turn)),
		}})
	}
	b.verify()
	b.view(func(r store.Reader) {
		all := collect(b, r.Log(0))
		for _, after := range []int{1, 1023, 1024, 1025, len(all)} {
			b.equal("log behind a record", collect(b, r.Log(int64(after))), all[after:])
		}
		head, err := r.Head()
		b.want(nil, err)
		b.equal("head", head, sir.Head{Seq: all[len(all)-1].Seq, Hash: all[len(all)-1].Hash})
		for m, err := range r.Log(5) { // leaving early is fine
			b.want(nil, err)
			b.equal("seq", m.Seq, 6)
			break
		}
	})
}

func testRecordedAt(t *testing.T, b *bench) {
	turn := b.turn("Ann")
	turn.Timestamp = nil
	c := store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{created(element(b.ref.Document, "general", "a", turn))}}
	b.commit(c)
	b.view(func(r store.Reader) {
		log := collect(b, r.Log(0))
		b.equal("records", len(log), 3)
		for _, m := range log {
			b.equal("recordedAt", m.RecordedAt, clock.UnixMilli())
			b.equal("at", m.At, nil)
		}
		b.equal("the mutation that was handed in", c.Mutations[0], log[2])
	})
}

func testSerial(t *testing.T, b *bench) {
	const writers, each = 8, 25
	var wait sync.WaitGroup
	turns := make([]*sir.Turn, writers*each)
	for i := range turns {
		turns[i] = b.turn("Ann")
	}
	for w := range writers {
		wait.Go(func() {
			for i := range each {
				err := b.store.Update(context.Background(), b.ref, func(tx store.Tx) error {
					s, err := tx.Slice(sir.Ask{Terms: []string{"name:a"}})
					if err != nil {
						return err
					}
					turn := turns[w*each+i]
					m := created(element(b.ref.Document, "general", "a", turn))
					if len(s.Elements) > 0 {
						m, _ = refined(b, s.Elements[0], turn, int64(w))
					}
					_, err = tx.Append(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{m}})
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
		wait.Go(func() {
			for range each {
				_ = b.store.View(context.Background(), b.ref, func(r store.Reader) error {
					if _, err := r.Pending(); err != nil {
						t.Error(err)
					}
					head, _ := r.Head()
					if err := sir.Verify(r.Log(0), head); err != nil {
						t.Error(err)
					}
					return nil
				})
			}
		})
	}
	wait.Wait()
	b.view(func(r store.Reader) {
		elements := collect(b, r.Elements())
		b.equal("elements", len(elements), 1)
		b.equal("version", elements[0].Version, writers*each)
	})
	b.verify()
}

func testIndependent(t *testing.T, b *bench) {
	other := store.RefTo("local", "another")
	b.create(other, "another")
	var wait sync.WaitGroup
	inside, leave := make(chan struct{}), make(chan struct{})
	wait.Go(func() {
		_ = b.store.Update(context.Background(), b.ref, func(store.Tx) error { close(inside); <-leave; return nil })
	})
	defer wait.Wait()
	defer close(leave)
	<-inside
	free := make(chan error, 1)
	go func() {
		free <- b.store.Update(context.Background(), other, func(tx store.Tx) error {
			_, err := tx.Append(store.Commit{Turn: b.turn("Ann"), Domain: "general"})
			return err
		})
	}()
	select {
	case err := <-free:
		b.want(nil, err)
	case <-time.After(10 * time.Second):
		t.Fatal("one document waits for another")
	}
}
