package storetest

import (
	"context"
	"math/rand/v2"
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

// testLongNames: names and ids as long as may be are kept and found; longer
// ones are an error with a name, and change nothing.
func testLongNames(t *testing.T, b *bench) {
	ctx := context.Background()
	name := func(n int) string { // that no engine can make shorter
		r := rand.New(rand.NewPCG(uint64(n), 1))
		out := make([]byte, n)
		for i := range out {
			out[i] = byte('!' + r.IntN('~'-'!'))
		}
		return string(out)
	}
	longest, longer := name(store.MaxName), name(store.MaxName+1)

	far := store.Ref{Organization: longest, Document: sir.DocumentID(longest, "talk")}
	b.create(far, longest)
	found, err := b.store.Find(ctx, longest, longest)
	b.want(nil, err)
	b.equal("found", found, far)
	b.commit(store.Commit{Turn: b.act("rename"), Mutations: []sir.Mutation{b.rename(longest)}})
	said := b.turn(longest)
	said.ID, said.AgentID = longest, longest
	e := element(b.ref.Document, "general", "idle", said, "by:"+longest)
	set := sir.ValueSet{Speaker: said.SpeakerKey(), Kind: "state.name", Field: "name"}
	b.commit(store.Commit{Turn: said, Domain: "general", Mutations: []sir.Mutation{created(e, set)}})
	b.view(func(r store.Reader) {
		_, err := r.Turn(longest)
		b.want(nil, err)
		slice, err := r.Slice(sir.Ask{Domain: "general", Values: []sir.ValueKey{{Speaker: said.SpeakerKey(), Kind: "state.name"}}})
		b.want(nil, err)
		b.equal("found by its speaker", ids(slice.Elements...), ids(e))
	})
	b.verify()

	for _, change := range []func(*sir.Turn){
		func(t *sir.Turn) { t.ID = longer },
		func(t *sir.Turn) { t.SpeakerName = &longer },
		func(t *sir.Turn) { t.AgentID = longer },
	} {
		turn := b.turn("Ann")
		change(turn)
		b.fails(store.ErrName, store.Commit{Turn: turn, Domain: "general"})
	}
	b.fails(store.ErrName, store.Commit{Turn: b.act("rename"), Mutations: []sir.Mutation{b.rename(longer)}})
	for _, ref := range []store.Ref{store.RefTo("local", "other"), {Organization: longer, Document: "other"}} {
		b.want(store.ErrName, b.store.Update(ctx, ref, func(tx store.Tx) error {
			return tx.Create(sir.Header{Name: longer, Domains: []string{"general"}})
		}))
	}
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
