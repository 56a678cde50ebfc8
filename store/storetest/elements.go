package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// pending makes a mutation with a clarification.
func pending(id string, number int, closed ...string) sir.Mutation {
	c := &sir.PendingChange{Closed: closed}
	if id != "" {
		c.Clarifications = []sir.Clarification{{ID: id, Number: number, Question: "Which?", Options: []string{}, ElementIDs: []string{}}}
	}
	return sir.Mutation{Kind: sir.PendingKind, Body: &sir.Payload{Pending: c}}
}

// add commits a turn with one new element.
func (b *bench) add(speaker, domain, key string, terms ...string) (*sir.Turn, *sir.Element) {
	b.Helper()
	turn := b.turn(speaker)
	e := element(b.ref.Document, domain, key, turn, terms...)
	b.commit(store.Commit{Turn: turn, Domain: domain, Mutations: []sir.Mutation{created(e)}})
	return turn, e
}

func testElements(t *testing.T, b *bench) {
	_, a := b.add("Ann", "general", "a")
	_, c := b.add("Bob", "general", "c")
	turn := b.turn("Ann")
	change, next := refined(b, a, turn, int64(30))
	b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{change}})
	b.view(func(r store.Reader) {
		b.equal("elements", collect(b, r.Elements()), []*sir.Element{next, c})
		got, err := r.Element(a.ID)
		b.want(nil, err)
		b.equal("element", got, next)
		_, err = r.Element("none")
		b.want(store.ErrNotFound, err)
	})
	b.verify()
}

// testReviews: what needs a look is listed while it holds.
func testReviews(t *testing.T, b *bench) {
	reviews := func(want ...*sir.Element) {
		b.Helper()
		b.view(func(r store.Reader) {
			got, err := store.Reviews(r)
			b.want(nil, err)
			got = append([]string{}, slices.Sorted(slices.Values(got))...)
			list := ids(want...)
			slices.Sort(list)
			b.equal("reviews", got, list)
		})
	}
	change := func(old *sir.Element, kind sir.MutationKind, edit func(*sir.Element)) *sir.Element {
		turn, next := b.turn("Ann"), *old
		edit(&next)
		next.Version, next.UpdatedAt = old.Version+1, turn.Timestamp
		b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{updated(b, kind, old, &next)}})
		return &next
	}
	_, a := b.add("Ann", "general", "a")
	_, c := b.add("Bob", "general", `c "needsReview":true`)
	reviews()
	a = change(a, sir.Updated, func(e *sir.Element) { e.Flags.NeedsReview = true })
	reviews(a)
	c = change(c, sir.Updated, func(e *sir.Element) { e.Flags.NeedsReview = true })
	reviews(a, c)
	change(a, sir.DeprecatedKind, func(e *sir.Element) { e.Status = sir.Deprecated })
	reviews(c)
	b.verify()
}

func testReadOnly(t *testing.T, b *bench) {
	_, e := b.add("Ann", "general", "a")
	var old *sir.Element
	b.view(func(r store.Reader) { old, _ = r.Element(e.ID) })
	was, err := sir.Canonical(old)
	b.want(nil, err)
	// A caller who appends to what he was handed does not reach the store.
	_ = append(old.Evidence, sir.Evidence{TurnID: "mine"})
	_ = append(old.Terms, "mine")
	for range 3 {
		turn := b.turn("Bob")
		b.update(func(tx store.Tx) {
			now, err := tx.Element(e.ID)
			b.want(nil, err)
			change, _ := refined(b, now, turn, turn.Content)
			_, err = tx.Append(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{change}})
			b.want(nil, err)
		})
	}
	is, err := sir.Canonical(old)
	b.want(nil, err)
	b.equal("the element handed out", string(is), string(was))
	b.verify()
}

func testStale(t *testing.T, b *bench) {
	_, e := b.add("Ann", "general", "a")
	one, two := b.turn("Ann"), b.turn("Ann")
	change, next := refined(b, e, one, 1)
	b.commit(store.Commit{Turn: one, Domain: "general", Mutations: []sir.Mutation{change}})
	stale, _ := refined(b, e, two, 2)
	b.fails(store.ErrStale, store.Commit{Turn: two, Domain: "general", Mutations: []sir.Mutation{stale}})
	ahead, _ := refined(b, next, two, 2)
	ahead.Version++
	b.fails(store.ErrBroken, store.Commit{Turn: two, Domain: "general", Mutations: []sir.Mutation{ahead}})
	b.fails(store.ErrBroken, store.Commit{Turn: two, Domain: "general", Mutations: []sir.Mutation{created(e)}})
	b.fails(store.ErrBroken, store.Commit{Turn: two, Domain: "general", Mutations: []sir.Mutation{{Kind: sir.TurnKind, Body: &sir.Payload{Turn: two}}}})
	b.verify()
}

// ids are the ids of a slice's elements.
func ids(elements ...*sir.Element) []string {
	out := []string{}
	for _, e := range elements {
		out = append(out, e.ID)
	}
	return out
}

// slice asks and wants these elements.
func (b *bench) slice(ask sir.Ask, want ...*sir.Element) (s *sir.Slice) {
	b.Helper()
	b.view(func(r store.Reader) {
		b.Helper()
		var err error
		s, err = r.Slice(ask)
		b.want(nil, err)
		b.equal("elements of the slice", ids(s.Elements...), ids(want...))
	})
	return s
}

func testSliceTerms(t *testing.T, b *bench) {
	_, a := b.add("Ann", "general", "a", "shared")
	_, c := b.add("Ann", "general", "c", "shared")
	turn := b.turn("Ann")
	d := element(b.ref.Document, "general", "d", turn, "d")
	d.Refs = []sir.Ref{{Rel: "from", ID: a.ID}, {Rel: "to", ID: "gone"}}
	x := element(b.ref.Document, "general", "x", turn)
	b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{created(d), created(x)}})
	b.slice(sir.Ask{})
	b.slice(sir.Ask{Terms: []string{"none"}})
	b.slice(sir.Ask{Terms: []string{"shared", "name:c"}}, a, c)
	b.slice(sir.Ask{Terms: []string{"d"}}, a, d)
	s := b.slice(sir.Ask{Terms: []string{"a"}}, a) // a key is a term, too
	b.equal("generation", []int{s.Generation("general", "state", "a"), s.Generations["a"], s.Generation("general", "event", "a")}, []int{1, 1, 0})

	// a is replaced by c, c by x: both are found with a, and with d.
	turn = b.turn("Ann")
	old, other := *a, *c
	old.Status, old.ReplacedByID, old.Version = sir.Replaced, c.ID, 2
	other.Status, other.ReplacedByID, other.Version = sir.Replaced, x.ID, 2
	other.Terms = []string{"changed"}
	b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{
		updated(b, sir.ReplacedKind, a, &old), updated(b, sir.ReplacedKind, c, &other),
	}})
	b.slice(sir.Ask{Terms: []string{"d"}}, a, c, d, x)
	b.slice(sir.Ask{Terms: []string{"shared"}}, a, c, x)
	b.slice(sir.Ask{Terms: []string{"name:c"}})
	b.slice(sir.Ask{Terms: []string{"changed"}}, c, x)
	b.slice(sir.Ask{Terms: []string{"c"}}, c, x)
	b.verify()
}

func testSliceSpeakers(t *testing.T, b *bench) {
	ann, bob := "human|Ann", "human|Bob"
	key := sir.ValueKey{Speaker: ann, Kind: "duration"}
	set := func(field string) sir.ValueSet { return sir.ValueSet{Speaker: ann, Kind: "duration", Field: field} }
	turn := b.turn("Ann")
	a, c := element(b.ref.Document, "general", "a", turn), element(b.ref.Document, "general", "c", turn)
	b.commit(store.Commit{Turn: turn, Domain: "general", Mutations: []sir.Mutation{
		created(a, set("timeout"), set("after")), created(c, set("timeout")),
	}})
	_, d := b.add("Bob", "general", "d")
	quiet := b.turn("Ann")
	b.commit(store.Commit{Turn: quiet, Domain: "general"})
	act := b.act("confirm d")
	change, _ := refined(b, d, act, 5)
	b.commit(store.Commit{Turn: act, Mutations: []sir.Mutation{change}})

	s := b.slice(sir.Ask{Domain: "general", Values: []sir.ValueKey{key, {Speaker: bob, Kind: "duration"}}}, a, c)
	b.equal("newest", s.Newest[key], sir.Newest{TurnID: turn.ID, Values: []sir.ValueAt{
		{ElementID: a.ID, Field: "timeout"}, {ElementID: a.ID, Field: "after"}, {ElementID: c.ID, Field: "timeout"},
	}})
	b.equal("values found", len(s.Newest), 1)
	b.slice(sir.Ask{Domain: "general", LastTurnOf: []string{ann}}) // her last turn touched nothing
	s = b.slice(sir.Ask{Domain: "general", Turn: quiet.ID, LastTurnOf: []string{ann, "human|Eve"}}, a, c)
	b.equal("last turn", s.LastTurn, map[string]string{ann: turn.ID})
	b.slice(sir.Ask{LastTurnOf: []string{bob}}, d)
	b.slice(sir.Ask{Domain: "memory", LastTurnOf: []string{ann}, Values: []sir.ValueKey{key}})

	// A domain that runs late sees the turn before the one it is at.
	m := element(b.ref.Document, "memory", "m", turn)
	b.commit(store.Commit{Turn: turn, Domain: "memory", Mutations: []sir.Mutation{created(m)}})
	_, e := b.add("Ann", "general", "e")
	b.slice(sir.Ask{Domain: "memory", Turn: quiet.ID, LastTurnOf: []string{ann}}, m)
	b.slice(sir.Ask{Domain: "general", LastTurnOf: []string{ann}}, e)
}

// testSliceFlat: what a turn loads does not grow with the document.
func testSliceFlat(t *testing.T, b *bench) {
	_, a := b.add("Ann", "general", "a")
	b.update(func(tx store.Tx) {
		for i := range 200 {
			turn := b.turn("Bob")
			c := store.Commit{Turn: turn, Domain: "general"}
			for j := range 10 {
				c.Mutations = append(c.Mutations, created(element(b.ref.Document, "general", fmt.Sprintf("k%d-%d", i, j), turn)))
			}
			_, err := tx.Append(c)
			b.want(nil, err)
		}
	})
	b.slice(sir.Ask{Terms: []string{"name:a"}, LastTurnOf: []string{"human|Ann"}}, a)
	b.verify()
}

func testPending(t *testing.T, b *bench) {
	commit := func(m ...sir.Mutation) {
		b.Helper()
		b.commit(store.Commit{Turn: b.turn("Ann"), Domain: "general", Mutations: m})
	}
	open := func(next int, want ...string) {
		b.Helper()
		s := b.slice(sir.Ask{})
		got := []string{}
		for _, c := range s.Open {
			got = append(got, c.ID)
		}
		b.equal("open", got, append([]string{}, want...))
		b.equal("next number", s.NextClarification, next)
	}
	open(1)
	commit(pending("one", 1), pending("two", 2))
	open(3, "one", "two")
	b.fails(store.ErrBroken, store.Commit{Turn: b.turn("Ann"), Domain: "general", Mutations: []sir.Mutation{pending("x", 2)}})
	commit(pending("three", 3, "one"))
	open(4, "two", "three")
	commit(pending("two", 2)) // again: it keeps its place
	commit(pending("one", 1)) // its number is free: an undo brings it back
	open(4, "two", "three", "one")
	b.fails(store.ErrBroken, store.Commit{Turn: b.turn("Ann"), Domain: "general", Mutations: []sir.Mutation{pending("zero", 0)}})
	commit(pending("again", 3, "three")) // freed by the same change
	open(4, "two", "one", "again")
	commit(pending("three", 4, "again", "one"))
	open(5, "two", "three")
	commit(pending("", 0, "three", "unknown"))
	open(5, "two")
	commit(sir.Mutation{Kind: sir.PendingKind, Body: &sir.Payload{Pending: &sir.PendingChange{
		Candidates: []sir.Candidate{{CandidateID: "c1", Data: sir.Data{"n": 1}}, {CandidateID: "c2"}},
		Conflicts:  []sir.Conflict{{ID: "f1"}},
	}}})
	b.view(func(r store.Reader) {
		p, err := r.Pending()
		b.want(nil, err)
		b.equal("pending", []int{len(p.Candidates), len(p.Clarifications), len(p.Conflicts)}, []int{2, 1, 1})
	})
	b.verify()
}
