package storetest

import (
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

func testTurns(t *testing.T, b *bench) {
	name, at := "Zoë", int64(-5)
	turns := []*sir.Turn{
		{ID: "a1", SessionID: "s", Seq: 1, Speaker: sir.Human},
		{ID: "018f7a6e-0000-7000-8000-00000000000A", SessionID: "s", Seq: 2, Speaker: sir.Agent, AgentID: "bot", Content: "capital\n\t\"\\\u2028😀"},
		{ID: "018f7a6e-0000-7000-8000-00000000000a", SessionID: "s", Speaker: sir.Human, SpeakerName: &name, Timestamp: &at, ParentTurnID: "a1"},
		{ID: "a2", SessionID: "", Seq: -1, Speaker: sir.Human, Metadata: &sir.Metadata{}},
		{ID: "a3", SessionID: "s", Speaker: sir.Human, Metadata: &sir.Metadata{Kind: "media", Source: &sir.Source{File: "f", Record: 9}}},
		{ID: "a4", SessionID: "s", Speaker: sir.Human, Metadata: &sir.Metadata{
			Kind: "message", TZ: "Asia/Saigon", Edits: []string{"before"}, Mode: sir.Batch, Quoted: [][2]int{{0, 1}},
			StructuredBlock: &sir.StructuredBlock{Type: "spec", Content: "x"}, ExplicitMarkers: []string{"spec:"},
		}},
	}
	for i, turn := range turns {
		if v := b.commit(store.Commit{Turn: turn, Domain: "general"}); v != i+1 {
			t.Fatalf("version is %d after turn %d", v, i+1)
		}
	}
	b.view(func(r store.Reader) {
		b.equal("turns", collect(b, r.Turns(0)), turns)
		b.equal("later turns", collect(b, r.Turns(4)), turns[4:])
		for _, turn := range turns {
			got, err := r.Turn(turn.ID)
			b.want(nil, err)
			b.equal("turn", got, turn)
		}
		_, err := r.Turn("a5")
		b.want(store.ErrNotFound, err)
	})
	b.verify()
	for _, bad := range []*sir.Turn{
		nil,
		{SessionID: "s", Speaker: sir.Human},
		{ID: "x", SessionID: "s", Speaker: "cat"},
		{ID: "x", SessionID: "s", Speaker: sir.Human, Content: "a\x00b"},
	} {
		b.fails(store.ErrBroken, store.Commit{Turn: bad, Domain: "general"})
	}
	b.fails(sir.ErrValue, store.Commit{Turn: &sir.Turn{ID: "x", SessionID: "s", Speaker: sir.Human, Content: "\xff"}, Domain: "general"})
	b.verify()
}

func testDuplicates(t *testing.T, b *bench) {
	turn := b.turn("Ann")
	b.commit(store.Commit{Turn: turn, Domain: "general"})
	b.fails(store.ErrDone, store.Commit{Turn: turn, Domain: "general"})
	b.fails(store.ErrDone, store.Commit{Turn: turn})
	changed := *turn
	changed.Content = "other words"
	b.fails(store.ErrTurn, store.Commit{Turn: &changed, Domain: "general"})
	b.update(func(tx store.Tx) {
		admit := func(t sir.Turn, wantID string, wantKnown bool, want error) {
			b.Helper()
			known, err := store.Admit(tx, &t)
			b.want(want, err)
			if known != wantKnown || t.ID != wantID {
				b.Fatalf("admit gives %v, id %q; want %v, %q", known, t.ID, wantKnown, wantID)
			}
		}
		admit(*turn, turn.ID, true, nil)
		admit(changed, turn.ID, false, store.ErrTurn)
		elsewhere := *turn
		elsewhere.SessionID = "mail"
		admit(elsewhere, "mail/"+turn.ID, false, nil)
		moved := elsewhere
		moved.ID = "mail/" + turn.ID
		_, err := tx.Append(store.Commit{Turn: &moved, Domain: "general"})
		b.want(nil, err)
		admit(elsewhere, "mail/"+turn.ID, true, nil)
		elsewhere.Content = "other words"
		admit(elsewhere, turn.ID, false, store.ErrTurn)
	})
}

func testCursors(t *testing.T, b *bench) {
	cursor := func(domain string, want int) {
		b.Helper()
		b.view(func(r store.Reader) {
			b.Helper()
			n, err := r.Cursor(domain)
			b.want(nil, err)
			b.equal("cursor of "+domain, n, want)
		})
	}
	one, two, three := b.turn("Ann"), b.turn("Bob"), b.turn("Ann")
	b.commit(store.Commit{Turn: one, Domain: "general"})
	b.commit(store.Commit{Turn: two})
	cursor("general", 1)
	cursor("memory", 0)
	cursor("", 2)
	b.fails(store.ErrOrder, store.Commit{Turn: three, Domain: "general"})
	b.commit(store.Commit{Turn: b.act("confirm x")})
	b.fails(store.ErrOrder, store.Commit{Turn: two, Domain: "memory"})
	// The same turn for a second domain is no duplicate; without an effect
	// it adds no record.
	if v := b.commit(store.Commit{Turn: one, Domain: "memory"}); v != 3 {
		t.Fatalf("version is %d", v)
	}
	e := element(b.ref.Document, "memory", "a", two)
	if v := b.commit(store.Commit{Turn: two, Domain: "memory", Mutations: []sir.Mutation{created(e)}}); v != 4 {
		t.Fatalf("version is %d", v)
	}
	cursor("memory", 3) // the act behind it does not wait
	b.commit(store.Commit{Turn: three, Domain: "memory"})
	cursor("memory", 4)
	cursor("general", 1)
	b.commit(store.Commit{Turn: two, Domain: "general"})
	b.commit(store.Commit{Turn: three, Domain: "general"})
	cursor("general", 4)
	b.verify()
}
