package storetest

import (
	"context"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// rename makes the mutation that gives the document another name.
func (b *bench) rename(name string) sir.Mutation {
	b.Helper()
	var h sir.Header
	b.view(func(r store.Reader) {
		var err error
		h, err = r.Header()
		b.want(nil, err)
	})
	h.Name = name
	return sir.Mutation{Kind: sir.DocumentKind, Body: &sir.Payload{Document: &h}}
}

func (b *bench) named(name string) (string, error) {
	ref, err := b.store.Find(context.Background(), b.ref.Organization, name)
	return ref.Document, err
}

// testNames: a name finds one document; renaming is a record like others.
func testNames(t *testing.T, b *bench) {
	ctx := context.Background()
	id, err := b.named("conversation")
	b.want(nil, err)
	b.equal("found", id, b.ref.Document)
	_, err = b.named("another")
	b.want(store.ErrNotFound, err)

	twin := store.Ref{Organization: "local", Document: sir.DocumentID("local", "twin")}
	b.want(store.ErrExists, b.store.Update(ctx, twin, func(tx store.Tx) error {
		return tx.Create(sir.Header{Name: "conversation", Domains: []string{"general"}})
	}))
	b.create(twin, "twin")
	b.fails(store.ErrExists, store.Commit{Turn: b.act("rename twin"), Mutations: []sir.Mutation{b.rename("twin")}})
	gone := store.Commit{Turn: b.act("rename gone"), Mutations: []sir.Mutation{b.rename("gone")}}
	aborted := b.store.Update(ctx, b.ref, func(tx store.Tx) error {
		_, err := tx.Append(gone)
		b.want(nil, err)
		return errAbort
	})
	b.want(errAbort, aborted)
	_, err = b.named("gone")
	b.want(store.ErrNotFound, err)

	b.commit(store.Commit{Turn: b.act("rename minutes"), Mutations: []sir.Mutation{b.rename("minutes")}})
	id, err = b.named("minutes")
	b.want(nil, err)
	b.equal("found by the new name", id, b.ref.Document)
	_, err = b.named("conversation")
	b.want(store.ErrNotFound, err)
	b.verify()

	b.want(nil, b.store.Delete(ctx, b.ref))
	b.want(store.ErrNotFound, b.store.Delete(ctx, b.ref))
	b.want(store.ErrNotFound, b.store.View(ctx, b.ref, func(store.Reader) error { return nil }))
	_, err = b.named("minutes")
	b.want(store.ErrNotFound, err)
	b.create(b.ref, "minutes") // begins anew
	b.verify()
}

// testSearch: the words of data and evidence find an element, in this
// organisation, while they are its words.
func testSearch(t *testing.T, b *bench) {
	ctx := context.Background()
	find := func(q store.Query, want ...*sir.Element) {
		b.Helper()
		hits, err := b.store.Search(ctx, "local", q)
		b.want(nil, err)
		b.equal("found for "+q.Text, hitIDs(hits), ids(want...))
	}
	_, idle := b.add("Ann", "general", "idle screen")
	turn := b.turn("Bob")
	turn.Content = "検索画面 shows Crème brûlée"
	loading := element(b.ref.Document, "general", "loading", turn)
	loading.Evidence[0].Bytes, loading.Evidence[0].Chars = [2]int{0, 12}, [2]int{0, 4}
	loading.Evidence[0].Quote = turn.Content[:12]
	b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{created(loading)}})

	find(store.Query{Text: "IDLE screens"}, idle)
	find(store.Query{Text: "states"}, idle, loading)
	find(store.Query{Text: "the idle"}, idle) // "the" is among the words that were said
	find(store.Query{Text: "画面"}, loading)
	find(store.Query{Text: "索画"}, loading)
	find(store.Query{Text: "screen loading"})
	find(store.Query{Text: "?!"})
	find(store.Query{Text: "states", Limit: 1}, idle)
	find(store.Query{Text: "states", Document: b.ref.Document}, idle, loading)
	find(store.Query{Text: "states", Document: "none"})

	// A word goes with the data that had it, but not where it was said, too.
	again := b.turn("Ann")
	change, next := refined(b, idle, again, "spinner idle")
	b.commit(store.Commit{Turn: again, Domain: "general", Mutations: []sir.Mutation{change}})
	find(store.Query{Text: "spinner"}, next)
	last := b.turn("Ann")
	next.Evidence = append(next.Evidence[:0:0], next.Evidence...)
	change, next = refined(b, next, last, "wheel")
	b.commit(store.Commit{Turn: last, Domain: "general", Mutations: []sir.Mutation{change}})
	find(store.Query{Text: "spinner"})
	find(store.Query{Text: "wheel idle"}, next)

	end := b.turn("Ann")
	dead := *loading
	dead.Status, dead.Version = sir.Deprecated, 2
	b.commit(store.Commit{Turn: end, Domain: "general", Mutations: []sir.Mutation{updated(b, sir.DeprecatedKind, loading, &dead)}})
	find(store.Query{Text: "loading"})
	find(store.Query{Text: "loading", All: true}, loading)
	b.verify()
}

// testDrafts: a draft waits beside the document, not in it.
func testDrafts(t *testing.T, b *bench) {
	var before sir.Head
	b.view(func(r store.Reader) { before, _ = r.Head() })
	draft := func(token string) (body []byte, err error) {
		b.view(func(r store.Reader) { body, err = r.Draft(token) })
		return body, err
	}
	_, err := draft("one")
	b.want(store.ErrNotFound, err)
	b.update(func(tx store.Tx) { b.want(nil, tx.KeepDraft("one", []byte{0, 255})) })
	b.update(func(tx store.Tx) { b.want(nil, tx.KeepDraft("one", []byte{1, 254})) })
	b.want(errAbort, b.store.Update(context.Background(), b.ref, func(tx store.Tx) error {
		b.want(nil, tx.DropDraft("one"))
		return errAbort
	}))
	body, err := draft("one")
	b.want(nil, err)
	b.equal("draft", body, []byte{1, 254})
	b.update(func(tx store.Tx) { b.want(nil, tx.DropDraft("one")); b.want(nil, tx.DropDraft("none")) })
	_, err = draft("one")
	b.want(store.ErrNotFound, err)
	b.view(func(r store.Reader) {
		head, err := r.Head()
		b.want(nil, err)
		b.equal("head", head, before)
	})
}
