package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// testRestore: an exported log is restored as it was, or sealed anew; one
// that was changed is refused and leaves nothing.
func testRestore(t *testing.T, b *bench) {
	_, a := b.add("Ann", "general", "a")
	turn := b.turn("Bob")
	change, _ := refined(b, a, turn, int64(30))
	b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{change, pending("q", 1)}})
	b.commit(store.Commit{Turn: b.act("note"), Mutations: []sir.Mutation{b.rename("minutes")}})
	b.commit(store.Commit{Turn: b.turn("Ann"), Domain: "general"})
	var want snapshot
	var done int
	b.view(func(r store.Reader) {
		want = b.snapshot(r)
		done, _ = r.Cursor("general")
	})
	restore := func(log []sir.Mutation) error {
		return b.store.Update(context.Background(), b.ref, func(tx store.Tx) error {
			for _, m := range log {
				if err := tx.Restore(m); err != nil {
					return err
				}
			}
			b.want(store.ErrBroken, tx.Resume("general", 100))
			return tx.Resume("general", done)
		})
	}
	b.want(store.ErrBroken, restore(want.Log[:1])) // it stands
	b.want(nil, b.store.Delete(context.Background(), b.ref))

	for i := range want.Log { // each record, changed a little
		log := slices.Clone(want.Log)
		log[i].Version++
		err := restore(log)
		if !errors.Is(err, store.ErrBroken) && !errors.Is(err, store.ErrStale) {
			t.Fatalf("record %d was changed: %v", i+1, err)
		}
		b.want(store.ErrNotFound, b.store.View(context.Background(), b.ref, func(store.Reader) error { return nil }))
	}
	b.want(store.ErrBroken, restore(want.Log[1:]))
	b.want(nil, restore(want.Log))
	var got snapshot
	b.view(func(r store.Reader) { got = b.snapshot(r) })
	b.equal("the document restored", got, want)
	b.verify()
	b.add("Ann", "general", "c") // it goes on
	b.verify()

	b.want(nil, b.store.Delete(context.Background(), b.ref))
	bare := slices.Clone(want.Log)
	for i := range bare {
		bare[i].Salt, bare[i].Hash, bare[i].PrevHash, bare[i].PayloadHash, bare[i].RecordedAt = nil, "", "", "", nil
	}
	b.want(nil, restore(bare))
	b.view(func(r store.Reader) { got = b.snapshot(r) })
	b.equal("elements sealed anew", got.Elements, want.Elements)
	b.equal("turns sealed anew", got.Turns, want.Turns)
	b.verify()
}
