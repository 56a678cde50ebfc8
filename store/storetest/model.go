package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// errAbort ends a transaction of the model on purpose.
var errAbort = errors.New("abort")

// testModel runs random transactions, some of which fail, and checks that the
// log verifies, that folding it gives the state, and that every version is
// found again as it was.
func testModel(t *testing.T, b *bench) {
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		name := fmt.Sprintf("model %d", n)
		m := &model{T: rt, bench: &bench{TB: b.TB, store: b.store, ref: store.RefTo("local", name)}, at: map[int]string{}}
		m.create(m.ref, name)
		for range rapid.IntRange(1, 8).Draw(rt, "transactions") {
			m.transaction()
		}
		m.bench.verify()
		m.travel()
	})
}

type model struct {
	*rapid.T
	*bench
	at map[int]string // the elements at a version, canonical
}

// transaction commits, or aborts, a few turns.
func (m *model) transaction() {
	abort := rapid.IntRange(0, 3).Draw(m.T, "abort") == 0
	var seen map[int]string
	err := m.store.Update(context.Background(), m.ref, func(tx store.Tx) error {
		seen = map[int]string{}
		for range rapid.IntRange(1, 4).Draw(m.T, "turns") {
			version, err := tx.Append(m.commitment(tx))
			m.want(nil, err)
			seen[version] = m.elements(collect(m.bench, tx.Elements()))
		}
		if abort {
			return errAbort
		}
		return nil
	})
	if abort {
		m.want(errAbort, err)
		return
	}
	m.want(nil, err)
	for v, s := range seen {
		m.at[v] = s
	}
}

// commitment draws a turn and what it does.
func (m *model) commitment(tx store.Tx) store.Commit {
	turn := m.turn(rapid.SampledFrom([]string{"Ann", "Bob"}).Draw(m.T, "speaker"))
	c := store.Commit{Turn: turn, Domain: "general"}
	touched := map[string]bool{}
	for range rapid.IntRange(0, 3).Draw(m.T, "mutations") {
		key := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(m.T, "key")
		if touched[key] {
			continue
		}
		touched[key] = true
		s, err := tx.Slice(sir.Ask{Terms: []string{"name:" + key}})
		m.want(nil, err)
		if len(s.Elements) == 0 {
			c.Mutations = append(c.Mutations, created(element(m.ref.Document, "general", key, turn)))
			continue
		}
		value := rapid.SampledFrom([]any{nil, int64(7), "x", true, []any{"y", int64(1)}, map[string]any{"z": nil}, 1.5}).Draw(m.T, "value")
		change, next := refined(m.TB, s.Elements[0], turn, value)
		if rapid.Bool().Draw(m.T, "deprecate") {
			next.Status, next.Flags.NeedsReview = sir.Deprecated, true
			change = updated(m.TB, sir.DeprecatedKind, s.Elements[0], next)
		}
		c.Mutations = append(c.Mutations, change)
	}
	return c
}

func (m *model) elements(list []*sir.Element) string {
	b, err := sir.Canonical(append([]*sir.Element{}, list...))
	m.want(nil, err)
	return string(b)
}

// travel looks at every version again.
func (m *model) travel() {
	m.view(func(r store.Reader) {
		for version, want := range m.at {
			d, err := sir.At(r.Log(0), sir.Point{Version: &version})
			m.want(nil, err)
			list := slices.Collect(d.Elements())
			if got := m.elements(list); got != want {
				m.T.Fatalf("version %d\n got %s\nwant %s", version, got, want)
			}
			for _, then := range list {
				m.history(r, then)
			}
		}
	})
}

// history checks that undoing an element's diffs gives its data at a version.
func (m *model) history(r store.Reader, then *sir.Element) {
	now, err := r.Element(then.ID)
	m.want(nil, err)
	got, err := sir.ElementAtVersion(now, then.Version)
	m.want(nil, err)
	m.equal("data by diffs", got.Data, then.Data)
	m.equal("evidence by history", got.Evidence, then.Evidence)
	m.equal("entries by history", got.Provenance, then.Provenance)
	m.equal("updated by history", got.UpdatedAt, then.UpdatedAt)
}
