package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// seqs are the numbers of the records that a turn or an element has.
func (b *bench) seqs(has func(m *sir.Mutation) bool) (out []int64) {
	b.Helper()
	b.view(func(r store.Reader) {
		for m, err := range r.Log(0) {
			b.want(nil, err)
			if has(&m) {
				out = append(out, m.Seq)
			}
		}
	})
	return out
}

// testErase: what is erased is gone from all that can be read, the rest
// stays, and the log still verifies.
func testErase(t *testing.T, b *bench) {
	turn, secret := b.add("Ann", "general", "the secret")
	robot := b.turn("Bot")
	robot.Speaker = sir.Agent
	b.commit(store.Commit{Turn: robot, Domain: "general"})
	b.commit(store.Commit{Turn: b.turn("Ann"), Domain: "general", Mutations: []sir.Mutation{pending("kept", 1)}})
	other := b.turn("Bob")
	change, _ := refined(b, secret, other, "secret, too")
	safe := element(b.ref.Document, "general", "safe", other)
	b.commit(store.Commit{Turn: other, Domain: "general", Mutations: []sir.Mutation{change, created(safe), pending("asked", 2)}})
	b.update(func(tx store.Tx) { b.want(nil, tx.KeepDraft("token", []byte("secret"))) })

	records := b.seqs(func(m *sir.Mutation) bool {
		return m.TurnID == turn.ID || m.TurnID == robot.ID || m.ElementID == secret.ID || m.TurnID == other.ID && m.Kind == sir.PendingKind
	})
	erase := func(seqs ...int64) store.Commit { return store.Commit{Turn: b.act("erase"), Erase: seqs} }
	b.fails(store.ErrBroken, erase(1))
	b.fails(store.ErrBroken, erase(1000))
	b.fails(store.ErrBroken, erase(b.seqs(func(m *sir.Mutation) bool { return m.Kind == sir.Created && m.ElementID == secret.ID })...))
	var before, after snapshot
	b.view(func(r store.Reader) { before = b.snapshot(r) })
	b.want(errAbort, b.store.Update(context.Background(), b.ref, func(tx store.Tx) error {
		_, err := tx.Append(erase(records...))
		b.want(nil, err)
		_, err = tx.Element(secret.ID)
		b.want(store.ErrNotFound, err)
		return errAbort
	}))
	b.view(func(r store.Reader) { after = b.snapshot(r) })
	b.equal("the document after an erasure that was given up", after, before)

	b.commit(erase(records...))
	b.verify()
	b.view(func(r store.Reader) {
		s := b.snapshot(r)
		b.equal("elements", s.Elements, []*sir.Element{safe})
		b.equal("turn", s.Turns[0], sir.ErasedTurn(&sir.Mutation{Kind: sir.TurnKind, TurnID: turn.ID, At: turn.Timestamp}))
		b.equal("open", len(s.Pending.Clarifications), 1)
		_, err := r.Element(secret.ID)
		b.want(store.ErrNotFound, err)
		_, err = r.Draft("token")
		b.want(store.ErrNotFound, err)
		if text := fmt.Sprintf("%+v", s.Log); strings.Contains(text, "secret, too") || strings.Contains(text, turn.Content) {
			t.Error("the log still has the words")
		}
	})
	hits, err := b.store.Search(context.Background(), "local", store.Query{Text: "secret", All: true})
	b.want(nil, err)
	b.equal("found", hitIDs(hits), []string{})

	b.fails(store.ErrDone, store.Commit{Turn: turn, Domain: "general"}) // its words do not come back
	b.view(func(r store.Reader) {
		known, err := store.Admit(r, turn)
		b.want(nil, err)
		b.equal("an erased turn is known", known, true)
	})
	b.add("Ann", "general", "more")                   // it goes on
	_, again := b.add("Ann", "general", "the secret") // and what is said anew is there anew
	b.equal("the element's id", again.ID, secret.ID)
	b.slice(sir.Ask{Terms: []string{"the secret"}}, again)
	b.verify()
	b.fails(store.ErrBroken, erase(b.seqs(func(m *sir.Mutation) bool { return m.Kind == sir.Erased })...))
	act := b.seqs(func(m *sir.Mutation) bool { return m.Kind == sir.Act })
	b.commit(erase(act...))
	b.verify()
	b.testErasedRestores()
}

// testErasedRestores: an exported log with erased payloads is restored.
func (b *bench) testErasedRestores() {
	b.Helper()
	var want, got snapshot
	b.view(func(r store.Reader) { want = b.snapshot(r) })
	b.want(nil, b.store.Delete(context.Background(), b.ref))
	b.want(nil, b.store.Update(context.Background(), b.ref, func(tx store.Tx) error {
		for _, m := range want.Log {
			if err := tx.Restore(m); err != nil {
				return err
			}
		}
		return tx.Resume("general", want.Done)
	}))
	b.verify()
	b.view(func(r store.Reader) { got = b.snapshot(r) })
	b.equal("the document restored", got, want)
}
