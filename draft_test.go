package speckl_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

var dry = speckl.BatchOptions{ConfirmBeforeApply: true}

// apply applies a dry run.
func (d *talk) apply(token string) *sir.Result {
	d.t.Helper()
	r, err := d.client.Apply(d.t.Context(), d.name, token)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// wherever ignores what tells a dry run from its application.
var wherever = cmp.Options{cmpopts.IgnoreFields(sir.Result{}, "Status", "Token", "Summary"), cmpopts.EquateEmpty()}

func TestADryRunChangesNothingUntilItIsApplied(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{}, "state-machine")
	d.say(ann("state: idle"))
	before := d.stored()
	shown := d.batch(dry, planning()...)
	same(t, "results", len(shown), 1)
	same(t, "status", shown[0].Status, sir.ConfirmationNeeded)
	same(t, "added", len(shown[0].Added), 2)
	same(t, "the document", d.stored(), before)

	again := d.batch(dry, planning()...)
	same(t, "the same dry run", again[0], shown[0])
	same(t, "the document", d.stored(), before)

	done := d.apply(shown[0].Token)
	if diff := cmp.Diff(shown[0], done, wherever); diff != "" {
		t.Errorf("what was shown is not what was applied (-shown +applied):\n%s", diff)
	}
	same(t, "status", done.Status, "")
	other := configured(t, speckl.Config{}, "state-machine")
	other.say(ann("state: idle"))
	other.batch(speckl.BatchOptions{}, planning()...)
	same(t, "as if read at once", d.stored(), other.stored())

	_, err := d.client.Apply(t.Context(), d.name, shown[0].Token)
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("applied twice: %v", err)
	}
	if r := d.batch(dry, planning()...)[0]; r.Token != "" || r.Status != "" || len(r.Duplicates) != 8 {
		t.Errorf("a dry run of what is known: %+v", r)
	}
}

func TestADryRunOfANewDocumentMakesItEmpty(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{})
	token := d.batch(dry, planning()...)[0].Token
	doc := d.document()
	same(t, "domains", doc.Header.Domains, []string{"state-machine"})
	same(t, "version", doc.Header.Version, 0)
	same(t, "elements", len(doc.Elements), 0)
	same(t, "turns", doc.Stats.TotalTurns, 0)
	d.apply(token)
	same(t, "turns", d.document().Stats.TotalTurns, 8)
}

func TestADryRunIsStaleOnceTheDocumentMovedOn(t *testing.T) {
	t.Parallel()
	for _, move := range []func(d *talk){
		func(d *talk) { d.say(ann("ok")) },
		func(d *talk) { d.answer(1, 2) },
		func(d *talk) {
			d.apply(d.batch(dry, sir.Turn{ID: "x", SessionID: "talk", Content: "state: x"})[0].Token)
		},
	} {
		d := configured(t, speckl.Config{}, "state-machine")
		d.say(ann(login))
		token := d.batch(dry, planning()...)[0].Token
		move(d)
		before := d.stored()
		_, err := d.client.Apply(t.Context(), d.name, token)
		if !errors.Is(err, store.ErrStale) {
			t.Errorf("applied to another document: %v", err)
		}
		same(t, "nothing changed", d.stored(), before)
		if r := d.batch(dry, planning()...)[0]; r.Token == token {
			t.Error("another dry run has the same token")
		} else if len(r.SourceTurnIDs) > 0 {
			d.apply(r.Token)
		}
	}
}

func TestWhoAppliesADryRunNeedsNoneOfItsSettings(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{Thresholds: map[string]map[string]sir.Confidence{"": {"review": 3000, "candidate": 2000}}}, "state-machine")
	shown := d.batch(dry, planning()...)[0]
	same(t, "added", len(shown.Added), 6)
	other, err := speckl.Open(speckl.Config{Store: d.store})
	if err != nil {
		t.Fatal(err)
	}
	d.client = other
	done := d.apply(shown.Token)
	same(t, "applied", changesOf(done.Added), changesOf(shown.Added))
	for _, c := range done.Added {
		d.one(nameOf(c.Element))
	}
}

func TestWhatThereIsNoDryRunOf(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{}, "state-machine")
	for _, mode := range []sir.Mode{"", sir.Realtime, sir.Interactive, sir.Deliberative} {
		_, err := d.ingest(speckl.IngestOptions{Mode: mode, Batch: dry}, planning()...)
		if !errors.Is(err, speckl.ErrDryRun) {
			t.Errorf("mode %q: %v", mode, err)
		}
	}
	same(t, "turns", d.document().Stats.TotalTurns, 0)
	for _, name := range []string{d.name, "no such document"} {
		if _, err := d.client.Apply(t.Context(), name, "0123456789abcdef"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("an unknown token of %q: %v", name, err)
		}
	}
}

func TestADryRunOfFewTurnsAndOtherModes(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{}, "state-machine", "general")
	turns := append(planning()[:2], ann(login), ben("2"))
	turns[2].Metadata = &sir.Metadata{Mode: sir.Interactive}
	turns[3].Metadata = &sir.Metadata{Mode: sir.Interactive}
	before := d.stored()
	shown := d.batch(dry, turns...)
	same(t, "results", len(shown), 8)
	for _, r := range shown {
		same(t, "token", r.Token, shown[0].Token)
		same(t, "status", r.Status, sir.ConfirmationNeeded)
	}
	same(t, "notes", len(shown[0].Metadata.Notes), 1)
	same(t, "the document", d.stored(), before)
	done := d.apply(shown[0].Token)
	same(t, "all turns", done.SourceTurnIDs, []string{"b1", "b2", "b3", "b4"})
	same(t, "questions", len(d.document().Clarifications), 0)
	other := configured(t, speckl.Config{}, "state-machine", "general")
	other.batch(speckl.BatchOptions{}, turns...)
	same(t, "as if read at once", d.stored(), other.stored())
}

// TestAppliedIsRead: whatever is said, a dry run that is applied leaves what
// reading leaves, and one that is not leaves nothing.
func TestAppliedIsRead(t *testing.T) {
	t.Parallel()
	dryly, atOnce := configured(t, speckl.Config{}), configured(t, speckl.Config{})
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		before := rapid.SliceOfN(rapid.Custom(drawTurn), 1, 3).Draw(r, "before")
		turns := rapid.SliceOfN(rapid.Custom(drawTurn), 1, 6).Draw(r, "turns")
		for i := range turns {
			turns[i].ID = fmt.Sprintf("x%d", i+1)
		}
		var documents []string
		for _, d := range []*talk{dryly, atOnce} {
			d := *d
			d.name = fmt.Sprintf("applied-%d", n)
			if err := d.client.Create(t.Context(), d.name, "state-machine"); err != nil {
				r.Fatal(err)
			}
			if _, err := d.ingest(speckl.IngestOptions{}, before...); err != nil {
				r.Fatal(err)
			}
			stood := d.stored()
			o := speckl.IngestOptions{Mode: sir.Batch}
			o.Batch.ConfirmBeforeApply = d.client == dryly.client
			results, err := d.ingest(o, turns...)
			if err != nil {
				r.Fatal(err)
			}
			if o.Batch.ConfirmBeforeApply {
				if d.stored() != stood {
					r.Fatal("a dry run changed the document")
				}
				d.apply(results[0].Token)
			}
			documents = append(documents, d.stored())
		}
		if documents[0] != documents[1] {
			r.Fatal(cmp.Diff(documents[0], documents[1]))
		}
	})
}
