package speckl_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// ingested reads turns into a state machine document and returns the results.
func ingested(t *testing.T, c *speckl.Client, name string, turns ...sir.Turn) []*sir.Result {
	t.Helper()
	var results []*sir.Result
	n, err := c.Ingest(t.Context(), name, inOrder(turns), speckl.IngestOptions{
		Domains:  []string{"state-machine"},
		OnResult: func(r *sir.Result) error { results = append(results, r); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "turns read", n, len(turns))
	return results
}

func TestALongerExportAddsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	c := opened(t)
	first := []sir.Turn{ann("state: idle"), ben("ok"), ben("ok"), ann("idle goes to loading")}
	ingested(t, c, "x", first...)
	before, err := c.Document(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	again := ingested(t, c, "x", append(slices.Clone(first), ann("state: done"))...)
	after, err := c.Document(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range again[:4] {
		same(t, "duplicates", len(r.Duplicates), 1)
	}
	same(t, "added", len(again[4].Added), 1)
	same(t, "elements", len(after.Elements), len(before.Elements)+1)
	same(t, "version", after.Header.Version, before.Header.Version+1)
	same(t, "turns", after.Stats.TotalTurns, 5)
}

func TestReadingTurnByTurnIsReadingAtOnce(t *testing.T) {
	t.Parallel()
	c := opened(t)
	turns := []sir.Turn{ann("state: idle"), ann("idle goes to loading"), ben("Actually, idle goes to ready.")}
	ingested(t, c, "once", turns...)
	for i := range turns {
		ingested(t, c, "each", turns[:i+1]...)
	}
	var got [2][]string
	for i, name := range []string{"once", "each"} {
		doc, err := c.Document(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = lines(doc.Elements)
		slices.Sort(got[i]) // ids differ, and with them the order
	}
	same(t, "elements", got[1], got[0])
}

func TestAKnownIDWithOtherWordsIsAnError(t *testing.T) {
	t.Parallel()
	d := machines(t)
	turn := ann("state: idle")
	turn.ID = "m1"
	d.say(turn)
	turn.Content = "state: busy"
	if _, err := d.client.Post(t.Context(), d.name, turn, ""); !errors.Is(err, store.ErrTurn) {
		t.Errorf("got %v", err)
	}
	d.wants("state name=idle | 0.98 confirmed v1 explicit")

	turn.SessionID = "other" // another conversation may use the id
	if _, err := d.client.Post(t.Context(), d.name, turn, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "its id", d.one("state busy").Evidence[0].TurnID, "other/m1")
}

func TestThresholdsAreSettings(t *testing.T) {
	t.Parallel()
	c, err := speckl.Open(speckl.Config{Thresholds: map[string]map[string]sir.Confidence{"state-machine": {"review": 4000}, "": {"autoAccept": 5000}}})
	if err != nil {
		t.Fatal(err)
	}
	ingested(t, c, "x", bot("loading transitions to ready"), ann("idle is the initial state"))
	doc, err := c.Document(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "elements", lines(doc.Elements)[len(doc.Elements)-1], "state isInitial name=idle | 0.55 proposed v1")
	same(t, "count", len(doc.Elements), 4)

	if _, err := speckl.Open(speckl.Config{Thresholds: map[string]map[string]sir.Confidence{"": {"autoExcept": 1}}}); err == nil {
		t.Error("a threshold that does not exist is taken")
	}
}

func TestASyntaxErrorIsReportedAndTheRestKept(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("Here:\n```speckl\nstate idle {}\ntransition idle -> \nstate busy {}\n```"))
	d.wants("state name=busy | 0.95 confirmed v1 explicit", "state name=idle | 0.95 confirmed v1 explicit")
	r := d.last()
	same(t, "dropped", reasons(r), []string{"syntax"})
	if !strings.Contains(r.Dropped[0].Detail, "4") {
		t.Errorf("%q does not name the line", r.Dropped[0].Detail)
	}
}

func TestMarkersStandAtTheStartOfALine(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("In the docs it says state: idle somewhere."))
	for _, e := range d.document().Elements {
		same(t, describe(e), e.Flags.SourceIsExplicit, false)
	}
	machines(t, ann("Some words first.\n  State: idle\nand after.")).wants("state name=idle | 0.98 confirmed v1 explicit")
}

func TestAMarkersWordsAreNotReadAgain(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("event: idle goes to loading"))
	same(t, "elements", len(d.document().Elements), 1)
	same(t, "type", d.document().Elements[0].ElementType, "event")
}

func TestABlockHintThatIsNotInTheTurn(t *testing.T) {
	t.Parallel()
	turn := ann("see the block")
	turn.Metadata = &sir.Metadata{StructuredBlock: &sir.StructuredBlock{Type: "spec", Language: "speckl", Content: "state idle {}"}}
	d := machines(t, turn)
	d.wants()
	same(t, "dropped", reasons(d.last()), []string{"block_not_in_turn"})
}

func TestASourceFromFocusIsLessSure(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("The system starts in an idle state. When the user clicks 'Search', it goes to a loading state."))
	e := d.one("transition idle->loading")
	rule := "focus"
	same(t, "from", e.Fields["from"], sir.Field{Confidence: 4500, Evidence: []int{1}, Rule: &rule})
	same(t, "to", e.Fields["to"], sir.Field{Confidence: 5500, Evidence: []int{0}})
	same(t, "evidence", e.Evidence[1].Quote, "The system starts in an idle state")
	same(t, "where", e.Evidence[0].Bytes, [2]int{36, 93})
	same(t, "attribution", e.Attribution, sir.Attribution{Type: sir.BySystem, Component: "pattern:goes-to+when"})
}

// TestNobodyForgesAnAct: a conversation that calls a turn an act is read as
// what it is, talk.
func TestNobodyForgesAnAct(t *testing.T) {
	client := opened(t)
	ctx := context.Background()
	if err := client.Create(ctx, "m", "state-machine"); err != nil {
		t.Fatal(err)
	}
	turn := sir.Turn{ID: "t1", SessionID: "acts", Speaker: sir.Human, Content: "spec: state idle", Metadata: &sir.Metadata{Kind: "act"}}
	if _, err := client.Post(ctx, "m", turn, ""); err != nil {
		t.Fatal(err)
	}
	doc, err := client.Document(ctx, "m")
	if err != nil {
		t.Fatal(err)
	}
	if doc.Stats.TotalTurns != 1 || len(doc.Elements) != 1 || turn.Metadata.Kind != "act" {
		t.Errorf("%d turns said, %d elements; the caller's turn is %+v", doc.Stats.TotalTurns, len(doc.Elements), turn.Metadata)
	}
}
