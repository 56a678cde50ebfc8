// Package storetest holds the tests that every engine of [store.Store] must
// pass.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Open returns a new, empty store, and closes it when the test ends.
type Open func(tb testing.TB, c store.Config) store.Store

// Trait is what an engine may do otherwise than the contract wishes.
type Trait int

// OneWriter: documents of one database wait for each other.
const OneWriter Trait = 1

// Exercise runs the conformance suite.
func Exercise(t *testing.T, open Open, traits ...Trait) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, *bench)
	}{
		{"Documents", testDocuments},
		{"Organizations", testOrganizations},
		{"Names", testNames},
		{"LongNames", testLongNames},
		{"Search", testSearch},
		{"Drafts", testDrafts},
		{"Restore", testRestore},
		{"Erase", testErase},
		{"Abort", testAbort},
		{"FailedAppend", testFailedAppend},
		{"Closed", testClosed},
		{"Log", testLog},
		{"RecordedAt", testRecordedAt},
		{"Turns", testTurns},
		{"Duplicates", testDuplicates},
		{"Cursors", testCursors},
		{"Elements", testElements},
		{"Reviews", testReviews},
		{"ReadOnly", testReadOnly},
		{"Stale", testStale},
		{"SliceTerms", testSliceTerms},
		{"SliceSpeakers", testSliceSpeakers},
		{"SliceFlat", testSliceFlat},
		{"Pending", testPending},
		{"Serial", testSerial},
		{"Independent", testIndependent},
		{"Model", testModel},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "Independent" && slices.Contains(traits, OneWriter) {
				return // it promises less, and says so in its documentation
			}
			t.Parallel()
			c.run(t, newBench(t, open))
		})
	}
}

// clock is the time at which every bench records.
var clock = time.UnixMilli(1_900_000_000_000)

// counting is a source of bytes that are never the same and always the same.
type counting byte

func (c *counting) Read(b []byte) (int, error) {
	for i := range b {
		*c++
		b[i] = byte(*c)
	}
	return len(b), nil
}

// bench is a store with one document and the helpers to work on it.
type bench struct {
	testing.TB
	store store.Store
	ref   store.Ref
	said  int
}

func newBench(tb testing.TB, open Open) *bench {
	tb.Helper()
	b := &bench{TB: tb, ref: store.RefTo("local", "conversation")}
	b.store = open(tb, store.Config{Now: func() time.Time { return clock }, Random: new(counting)})
	b.create(b.ref, "conversation")
	return b
}

func (b *bench) create(ref store.Ref, name string) {
	b.Helper()
	b.want(nil, b.store.Update(context.Background(), ref, func(tx store.Tx) error {
		return tx.Create(sir.Header{Name: name, Domains: []string{"general"}})
	}))
}

// update runs a transaction that must succeed.
func (b *bench) update(fn func(tx store.Tx)) {
	b.Helper()
	b.want(nil, b.store.Update(context.Background(), b.ref, func(tx store.Tx) error { fn(tx); return nil }))
}

// view reads.
func (b *bench) view(fn func(r store.Reader)) {
	b.Helper()
	b.want(nil, b.store.View(context.Background(), b.ref, func(r store.Reader) error { fn(r); return nil }))
}

// commit appends one turn in a transaction of its own and returns the
// document's version.
func (b *bench) commit(c store.Commit) (version int) {
	b.Helper()
	b.update(func(tx store.Tx) {
		v, err := tx.Append(c)
		b.want(nil, err)
		version = v
	})
	return version
}

// fails appends one turn and wants the error.
func (b *bench) fails(want error, c store.Commit) {
	b.Helper()
	err := b.store.Update(context.Background(), b.ref, func(tx store.Tx) error {
		_, err := tx.Append(c)
		return err
	})
	b.want(want, err)
}

// want stops the test unless err wraps the sentinel, or is nil for nil.
func (b *bench) want(sentinel, err error) {
	b.Helper()
	if !errors.Is(err, sentinel) {
		b.Fatalf("error is %v, want %v", err, sentinel)
	}
}

// equal stops the test unless both have the same canonical form.
func (b *bench) equal(what string, got, want any) {
	b.Helper()
	g, err := sir.Canonical(got)
	b.want(nil, err)
	w, err := sir.Canonical(want)
	b.want(nil, err)
	if string(g) != string(w) {
		b.Fatalf("%s\n got %s\nwant %s", what, g, w)
	}
}

// turn makes the next turn of a speaker.
func (b *bench) turn(name string) *sir.Turn {
	b.said++
	at := int64(1_773_187_200_000 + 1000*b.said)
	t := &sir.Turn{
		SessionID: "chat", Seq: b.said, Timestamp: &at, Speaker: sir.Human, SpeakerName: &name,
		Content: fmt.Sprintf("the timeout is %d s", b.said), Metadata: &sir.Metadata{Source: &sir.Source{File: "chat.txt", Record: b.said}},
	}
	t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, 0)
	return t
}

// act makes a turn that records an act.
func (b *bench) act(command string) *sir.Turn {
	t := b.turn("Ann")
	t.Content, t.Metadata = command, &sir.Metadata{Kind: "act"}
	return t
}

// element makes an element that rests on a turn.
func element(document, domain, key string, t *sir.Turn, terms ...string) *sir.Element {
	return &sir.Element{
		ID:          sir.ElementID(document, domain, "state", key, 0),
		ElementType: "state", Domain: domain, Confidence: 5500, Status: sir.Proposed, Version: 1,
		CreatedAt: t.Timestamp, UpdatedAt: t.Timestamp,
		Data:     sir.Data{"name": key, "timeout": nil, "tags": []any{}},
		Fields:   map[string]sir.Field{},
		Evidence: []sir.Evidence{evidence(t)},
		Scores:   sir.Scores{Trigger: "pattern", Base: 5500, Modifiers: []sir.Modifier{}, Cap: 9000},
		Provenance: sir.Provenance{Entries: []sir.Entry{{
			TurnID: t.ID, Action: sir.ActionExtracted, Version: 1, Timestamp: t.Timestamp, ConfidenceAtTime: 5500,
			Attribution: sir.Attribution{Type: sir.BySystem, Component: "pattern:test"},
		}}},
		Keys: []string{key}, Terms: append([]string{"name:" + key}, terms...),
	}
}

func evidence(t *sir.Turn) sir.Evidence {
	return sir.Evidence{TurnID: t.ID, Bytes: [2]int{0, 3}, Chars: [2]int{0, 3}, Quote: t.Content[:3], Match: sir.Verbatim}
}

func created(e *sir.Element, values ...sir.ValueSet) sir.Mutation {
	return sir.Mutation{Kind: sir.Created, ElementID: e.ID, Version: 1, Body: &sir.Payload{Element: e, Values: values}}
}

// refined makes the mutation that sets the timeout of an element, and the
// element that it gives.
func refined(tb testing.TB, old *sir.Element, t *sir.Turn, timeout any) (sir.Mutation, *sir.Element) {
	tb.Helper()
	e := *old
	e.Data = sir.Data{}
	for k, v := range old.Data {
		e.Data[k] = v
	}
	e.Data["timeout"] = timeout
	e.Version++
	e.UpdatedAt = t.Timestamp
	e.Evidence = append(e.Evidence, evidence(t))
	e.Provenance.Entries = append(e.Provenance.Entries, sir.Entry{
		TurnID: t.ID, Action: sir.ActionRefined, Version: e.Version, Timestamp: t.Timestamp, ConfidenceAtTime: e.Confidence,
		Diff: &sir.Diff{
			FromVersion: old.Version, ToVersion: e.Version, TriggerTurnID: t.ID,
			Changes: sir.Changes(old.Data, e.Data, e.ElementType, t.Content),
		},
	})
	return updated(tb, sir.Updated, old, &e), &e
}

func updated(tb testing.TB, kind sir.MutationKind, old, e *sir.Element, values ...sir.ValueSet) sir.Mutation {
	tb.Helper()
	p, err := sir.DiffElements(old, e)
	if err != nil {
		tb.Fatal(err)
	}
	return sir.Mutation{Kind: kind, ElementID: e.ID, Version: e.Version, Body: &sir.Payload{Patch: &p, Values: values}}
}
