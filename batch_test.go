package speckl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// configured is a document of a client of its own.
func configured(t *testing.T, cfg speckl.Config, domains ...string) *talk {
	t.Helper()
	cfg.Store = store.NewMemory(store.Config{})
	c, err := speckl.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	d := &talk{t: t, client: c, store: cfg.Store, name: docName}
	if len(domains) > 0 {
		if err := c.Create(t.Context(), d.name, domains...); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// conversation gives turns ids and times.
func conversation(turns ...sir.Turn) []sir.Turn {
	for i := range turns {
		if turns[i].ID == "" {
			turns[i].ID = fmt.Sprintf("b%d", i+1)
		}
		at := int64(i+1) * 1000
		turns[i].Timestamp = &at
	}
	return turns
}

// ingest reads a conversation and returns its results.
func (d *talk) ingest(o speckl.IngestOptions, turns ...sir.Turn) ([]*sir.Result, error) {
	var out []*sir.Result
	o.OnResult = func(r *sir.Result) error { out = append(out, r); return nil }
	_, err := d.client.Ingest(d.t.Context(), d.name, inOrder(conversation(turns...)), o)
	d.results = append(d.results, out...)
	return out, err
}

// batch reads a conversation in mode batch.
func (d *talk) batch(o speckl.BatchOptions, turns ...sir.Turn) []*sir.Result {
	d.t.Helper()
	out, err := d.ingest(speckl.IngestOptions{Mode: sir.Batch, Batch: o}, turns...)
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// changesOf prints changes: "created state name=idle | 0.55 …".
func changesOf(changes []sir.Change) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, string(c.Action)+" "+describe(c.Element))
	}
	return out
}

// stored is the document with its whole log, as it is compared.
func (d *talk) stored() (text string) {
	d.t.Helper()
	err := d.store.View(d.t.Context(), store.RefTo("local", d.name), func(r store.Reader) error {
		head, err := store.Verify(r)
		text = fmt.Sprintf("%s%d %s", d.json(), head.Seq, head.Hash)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

func planning() []sir.Turn {
	return []sir.Turn{
		ann("The idle state has a timeout of 30s."), ann("actually, make that 60 seconds"),
		ben("Closed is a final state."), ben("Scratch that."),
		by("Cy", "On START, idle goes to running."), by("Dan", "On START, idle goes to running."),
		bot("loading transitions to ready"), bot("Loading transitions to READY."),
	}
}

func TestABatchTellsTheNetChange(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{}, "state-machine")
	d.say(ann("state: idle"))
	results := d.batch(speckl.BatchOptions{}, planning()...)
	same(t, "results", len(results), 1)
	r := results[0]
	same(t, "mode", r.Mode, sir.Batch)
	same(t, "turns", r.SourceTurnIDs, []string{"b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"})
	same(t, "time", *r.Timestamp, 8000)
	same(t, "added", changesOf(r.Added), []string{
		"created transition event=START from=idle to=running | 0.75 proposed v2 needsReview tentative",
		"created state name=running | 0.55 proposed v1 needsReview tentative"})
	same(t, "refined", changesOf(r.Refined), []string{"updated state name=idle timeout=60 seconds | 0.95 proposed v3 needsReview explicit"})
	same(t, "net difference", *r.Refined[0].Diff, sir.Diff{FromVersion: 1, ToVersion: 3, TriggerTurnID: "b2", Changes: []sir.FieldChange{
		{Field: "state.timeout", NewValue: "60 seconds", Reason: "actually, make that 60 seconds"}}})
	same(t, "deprecated", changesOf(r.Deprecated), []string{})
	same(t, "why one is not there", reasons(r), []string{"retracted"})
	same(t, "its words", r.Dropped[0].Text, "Closed is a final state")
	if !strings.Contains(r.Dropped[0].Detail, "Scratch that") {
		t.Errorf("the detail does not say why: %s", r.Dropped[0].Detail)
	}
	same(t, "one candidate for two that say the same", len(r.Flagged), 1)
	same(t, "with the words of both", len(r.Flagged[0].Evidence), 2)
	same(t, "summary", r.Summary, "Added 1 state (running) and 1 transition (idle → running  on START) with low confidence. "+
		"Refined state 'idle, times out after 60 seconds': timeout 60 seconds. Confidence: 0.95. 1 candidate held back. "+
		"Said, and no longer so at the end: state Closed (final).")
	same(t, "history", actions(d.one("state idle")), []string{"extracted t1 by a human", "refined b1", "refined b2"})
	same(t, "history of what passed", actions(d.one("state Closed")), []string{"extracted b3", "deprecated b4"})
}

func TestABatchListsEachChangeIfAsked(t *testing.T) {
	t.Parallel()
	d := configured(t, speckl.Config{}, "state-machine")
	r := d.batch(speckl.BatchOptions{NoDeduplicate: true, NoSummarize: true}, planning()...)[0]
	same(t, "added", len(r.Added), 4)
	same(t, "refined", len(r.Refined), 2)
	same(t, "deprecated", len(r.Deprecated), 1)
	same(t, "flagged", len(r.Flagged), 2)
	same(t, "summary", r.Summary, "8 turns read as a batch.")
}

func TestWhatIsReplacedWithinABatch(t *testing.T) {
	t.Parallel()
	d := settings(t, 0.60, 0.90)
	r := d.batch(speckl.BatchOptions{}, ann("Color means red."), ben("Color is now blue."), ben("ok"))[0]
	same(t, "added", changesOf(r.Added), []string{"created setting name=Color value=blue | 0.9 proposed v1"})
	same(t, "dropped", reasons(r), []string{"superseded"})
}

func TestAValueThatComesBackIsNoChange(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("The idle state has a timeout of 30s."))
	r := d.batch(speckl.BatchOptions{}, ann("actually, make that 60 seconds"), ann("actually, make that 30s"), ben("ok"))[0]
	same(t, "refined", changesOf(r.Refined), []string{"updated state name=idle timeout=30s | 0.95 proposed v3"})
	same(t, "fields", len(r.Refined[0].Diff.Changes), 0)
}

func TestABatchOfOneThing(t *testing.T) {
	t.Parallel()
	d := machines(t)
	r := d.batch(speckl.BatchOptions{}, ann("state: main screen"), ann("state: Main-Screen"), ann("state: MAIN_SCREEN"))[0]
	same(t, "added", changesOf(r.Added), []string{"created state name=main screen | 0.98 confirmed v3 explicit"})
	same(t, "refined", len(r.Refined), 0)
}

func TestKnownTurnsAreNoPartOfABatch(t *testing.T) {
	t.Parallel()
	d := machines(t)
	d.batch(speckl.BatchOptions{}, planning()[:4]...)
	before := d.stored()
	r := d.batch(speckl.BatchOptions{}, planning()[:4]...)[0]
	same(t, "duplicates", r.Duplicates, []sir.Duplicate{{TurnID: "b1"}, {TurnID: "b2"}, {TurnID: "b3"}, {TurnID: "b4"}})
	same(t, "turns", r.SourceTurnIDs, []string{})
	same(t, "nothing changed", d.stored(), before)

	results := d.batch(speckl.BatchOptions{}, planning()...)
	same(t, "results", len(results), 1)
	same(t, "new turns", results[0].SourceTurnIDs, []string{"b5", "b6", "b7", "b8"})
	same(t, "known turns", len(results[0].Duplicates), 4)

	results = d.batch(speckl.BatchOptions{}, append(planning(), ann("state: done"))...)
	same(t, "one new turn is no batch", results[8].Metadata.Notes, []string{"read turn by turn: a batch needs 3 turns (minBatchSize), and got 1"})
	same(t, "the known ones say nothing of it", len(results[0].Metadata.Notes), 0)
}

func TestFewTurnsAreReadOneByOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		min, turns int
		batch      bool
	}{{0, 2, false}, {0, 3, true}, {1, 1, true}, {5, 4, false}, {5, 5, true}} {
		d := configured(t, speckl.Config{MinBatchSize: c.min}, "state-machine")
		results := d.batch(speckl.BatchOptions{}, planning()[:c.turns]...)
		want := c.turns
		if c.batch {
			want = 1
		}
		same(t, fmt.Sprintf("results of %d turns", c.turns), len(results), want)
		for _, r := range results {
			same(t, "batch", r.Mode == sir.Batch, c.batch)
			same(t, "says so", len(r.Metadata.Notes) > 0, !c.batch)
		}
	}
	d := machines(t)
	r := d.sayIn(ann("state: idle"), sir.Batch)
	same(t, "a posted turn", r.Metadata.Notes, []string{"read turn by turn: a batch needs 3 turns (minBatchSize), and got 1"})
}

func TestATurnOfAnotherModeEndsABatch(t *testing.T) {
	t.Parallel()
	d := machines(t)
	turns := append(planning()[:3], ann(login))
	turns[3].Metadata = &sir.Metadata{Mode: sir.Interactive}
	var got []string
	for _, r := range d.batch(speckl.BatchOptions{}, append(turns, planning()[3:7]...)...) {
		got = append(got, fmt.Sprint(r.Mode, " ", r.SourceTurnIDs))
	}
	same(t, "results", got, []string{"batch [b1 b2 b3]", "interactive [b4]", "batch [b5 b6 b7 b8]"})
	same(t, "it asks", len(d.document().Clarifications), 1)
}

func TestALongConversationIsSeveralBatches(t *testing.T) {
	t.Parallel()
	d := machines(t)
	turns := make([]sir.Turn, 1025)
	for i := range turns {
		turns[i] = ann("ok")
	}
	turns[1024].Content = "state: idle"
	results := d.batch(speckl.BatchOptions{}, turns...)
	same(t, "results", len(results), 2)
	same(t, "first", len(results[0].SourceTurnIDs), 1024)
	same(t, "the rest is a batch however few they are", results[1].Mode, sir.Batch)

	_, err := d.ingest(speckl.IngestOptions{Mode: sir.Batch, Batch: speckl.BatchOptions{ConfirmBeforeApply: true}}, turns...)
	if !errors.Is(err, speckl.ErrTooLong) {
		t.Errorf("a dry run of too much: %v", err)
	}
}

func TestABatchIsAllOrNothing(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	before := d.stored()
	bad := errors.New("bad record")
	n, err := d.client.Ingest(t.Context(), d.name, func(yield func(sir.Turn, error) bool) {
		_ = yield(ann("state: a"), nil) && yield(ann("state: b"), nil) && yield(ann("state: c"), nil) && yield(sir.Turn{}, bad)
	}, speckl.IngestOptions{Mode: sir.Batch})
	if !errors.Is(err, bad) || n != 0 {
		t.Errorf("got %d, %v", n, err)
	}
	turns := conversation(planning()...)
	turns[6].ID, turns[6].SessionID = "t1", "talk" // other words under a known id
	if _, err = d.ingest(speckl.IngestOptions{Mode: sir.Batch}, turns...); !errors.Is(err, store.ErrTurn) {
		t.Errorf("a turn that differs: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = d.client.Ingest(ctx, d.name, func(yield func(sir.Turn, error) bool) {
		for _, turn := range planning() {
			yield(turn, nil)
		}
		cancel()
	}, speckl.IngestOptions{Mode: sir.Batch})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	same(t, "nothing changed", d.stored(), before)
}

func TestABatchHasAResultForEachDomain(t *testing.T) {
	t.Parallel()
	d := about(t, "state-machine", "general")
	results := d.batch(speckl.BatchOptions{}, ann("state: idle"), ann("A Member has a Library Card."), ann("On START, idle goes to running."))
	same(t, "results", len(results), 2)
	same(t, "first", results[0].Metadata.Domain, "state-machine")
	same(t, "second", results[1].Metadata.Domain, "general")
	if len(results[1].Added) == 0 || results[1].Added[0].Element.Domain != "general" {
		t.Errorf("added: %v", changesOf(results[1].Added))
	}
}

func TestTurnsThatWaitAreReadBeforeABatch(t *testing.T) {
	t.Parallel()
	d := machines(t)
	waiting := conversation(append([]sir.Turn{{ID: "old", SessionID: "talk", Speaker: sir.Human, Content: "state: idle"}}, planning()[:4]...)...)
	err := d.store.Update(t.Context(), store.RefTo("local", d.name), func(tx store.Tx) error {
		for i := range waiting[:3] {
			if _, err := tx.Append(store.Commit{Turn: &waiting[i]}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range d.batch(speckl.BatchOptions{}, waiting[1:]...) {
		got = append(got, fmt.Sprint(r.Mode, " ", r.SourceTurnIDs, len(r.Duplicates), len(r.Metadata.Notes)))
	}
	same(t, "results", got, []string{"realtime [old] 0 1", "batch [b2 b3 b4 b5] 0 0"})
	d.stored()
}

// TestABatchLeavesWhatRealtimeLeaves: the same document, byte for byte, the
// log included.
func TestABatchLeavesWhatRealtimeLeaves(t *testing.T) {
	t.Parallel()
	clients := map[sir.Mode]*talk{sir.Realtime: configured(t, speckl.Config{}), sir.Batch: configured(t, speckl.Config{MinBatchSize: 1})}
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		turns := rapid.SliceOfN(rapid.Custom(drawTurn), 1, 10).Draw(r, "turns")
		for i := range turns {
			turns[i].Metadata = nil
		}
		domains := rapid.SampledFrom([][]string{{"state-machine"}, {"state-machine", "general"}}).Draw(r, "domains")
		var documents []string
		for _, mode := range []sir.Mode{sir.Realtime, sir.Batch} {
			d := *clients[mode]
			d.name = fmt.Sprintf("same-%d", n)
			if err := d.client.Create(t.Context(), d.name, domains...); err != nil {
				r.Fatal(err)
			}
			results, err := d.ingest(speckl.IngestOptions{Mode: mode}, turns...)
			if err != nil {
				r.Fatal(err)
			}
			documents = append(documents, d.stored())
			if mode == sir.Batch {
				for _, x := range results {
					if err := settled(x, turns); err != nil {
						r.Fatal(err)
					}
				}
			}
		}
		if documents[0] != documents[1] {
			r.Fatal(cmp.Diff(documents[0], documents[1]))
		}
	})
}

// settled tells whether a batch's result shows each element once, as it
// stands, and quotes what was said.
func settled(r *sir.Result, turns []sir.Turn) error {
	content := map[string]string{}
	for _, t := range turns {
		content[t.ID] = t.Content
	}
	seen := map[string]bool{}
	for _, list := range [][]sir.Change{r.Added, r.Refined, r.Deprecated} {
		for _, c := range list {
			if seen[c.ElementID] {
				return fmt.Errorf("%s is listed twice", describe(c.Element))
			}
			seen[c.ElementID] = true
		}
	}
	for _, c := range r.Added {
		if !c.Element.Status.Live() || c.Action != sir.Created {
			return fmt.Errorf("added: %s %s", c.Action, describe(c.Element))
		}
	}
	for _, x := range r.Dropped {
		if !strings.Contains(content[x.TurnID], x.Text) {
			return fmt.Errorf("dropped %q, which is not in turn %s", x.Text, x.TurnID)
		}
	}
	return nil
}
