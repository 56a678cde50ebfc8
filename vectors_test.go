package speckl_test

import (
	"testing"

	"github.com/speckl/speckl/sir"
)

// The vectors of the design, "Confidence": integers, exact.

func TestVectorsOfTheUsageExample(t *testing.T) {
	t.Parallel()
	d := machines(t,
		someone("The system starts in an idle state. When the user clicks 'Search', it goes to a loading state."),
		someone("spec: state idle { isInitial: true, entry: [hideSpinner] }"))
	d.wants(
		"state entryActions=[hideSpinner] isInitial name=idle | 0.98 confirmed v2 explicit",
		"state name=loading | 0.55 proposed v1 needsReview tentative",
		"transition event=the user clicks 'Search' from=idle to=loading | 0.55 proposed v1 needsReview tentative")
	d.asks(someone("After authentication, go to the dashboard. But what about failed auth?"))
	stats, err := d.client.Stats(t.Context(), d.name)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "stats", stats, sir.Stats{
		TotalElements: 3, ConfirmedElements: 1, TentativeElements: 2, PendingAmbiguities: 1, TotalTurns: 3, AvgConfidence: 6933,
	})
}

func TestVectorsOfARefinedTimeout(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"))
	same(t, "pattern", d.one("state idle").Confidence, 7000)
	d.say(ann("actually, make that 60 seconds"))
	same(t, "correction", d.one("state idle").Confidence, 9500)
	d.say(ann("spec: state idle { timeout: 120s, onTimeout: → error }"))
	same(t, "marker", d.one("state idle").Confidence, 9800)
	same(t, "history", actions(d.one("state idle")), []string{"extracted t1", "refined t2", "refined t3 by a human"})
	same(t, "scores", d.one("state idle").Scores, sir.Scores{Trigger: "marker", Base: 9800, Modifiers: []sir.Modifier{}, Cap: 9800})
}

func TestTriggers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, words, want string
	}{
		{"marker", "state: idle", "state name=idle | 0.98 confirmed v1 explicit"},
		{"marker in upper case after white space", "  STATE: idle", "state name=idle | 0.98 confirmed v1 explicit"},
		{"fenced block", "```speckl\nstate idle {}\n```", "state name=idle | 0.95 confirmed v1 explicit"},
		{"spec block without a marker", "States:\n- IDLE: waiting\n- BUSY: working", "state description=waiting name=IDLE | 0.8 proposed v1 needsReview explicit"},
		{"pattern", "idle is the starting state", "state isInitial name=idle | 0.55 proposed v1 needsReview tentative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := machines(t, ann(c.words))
			if got := describe(d.document().Elements[0]); got != c.want {
				t.Errorf("%q gives\n%s, want\n%s", c.words, got, c.want)
			}
		})
	}
}

func TestAnAgentIsBelievedLess(t *testing.T) {
	t.Parallel()
	d := machines(t, bot("loading transitions to ready"))
	d.wants()
	same(t, "pool", pooled(d.last()), []string{"transition from=loading to=ready 0.45 low_confidence"})

	d = machines(t, bot("state: idle"))
	d.wants("state name=idle | 0.88 proposed v1 explicit")
	same(t, "history", actions(d.one("state idle")), []string{"extracted t1"})
}

func TestAHedgeIsTentative(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"I think idle is the starting state.",
		"Maybe idle is the starting state.",
		"idle is probably the starting state",
	} {
		d := machines(t, ann(words))
		d.wants("state isInitial name=idle | 0.5 proposed v1 needsReview tentative")
		same(t, words, d.one("state idle").Scores.Modifiers, []sir.Modifier{{Name: "hedge", Value: -500}})
	}
}

func TestAGuardAloneStaysInThePool(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("if the balance is zero, show an error"))
	d.wants()
	same(t, "pool", pooled(d.last()), []string{"guard condition=the balance is zero 0.45 low_confidence"})
	same(t, "stored pool", len(d.document().Candidates), 1)
}

func TestRepetition(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("loading transitions to ready"))
	e := func() *sir.Element { return d.one("transition loading->ready") }
	for i, want := range []sir.Confidence{6000, 6500, 7000, 7000, 7000} {
		r := d.say([]sir.Turn{ann("loading transitions to ready"), ben("so loading transitions to ready")}[i%2])
		same(t, "confidence", e().Confidence, want)
		same(t, "refined", r.Refined[0].ElementID, e().ID)
	}
	same(t, "version", e().Version, 6)
	same(t, "evidence", len(e().Evidence), 6)
	same(t, "changes at the cap", e().Provenance.Entries[5].Diff.Changes, []sir.FieldChange{})
	same(t, "scores", e().Scores.Modifiers, []sir.Modifier{{Name: "repetition", Value: 1500}})
	if len(d.document().Elements) != 3 {
		t.Errorf("an end of a repeated transition is no repetition: %v", lines(d.document().Elements))
	}
	for _, s := range []string{"state loading", "state ready"} {
		same(t, s+" version", d.one(s).Version, 1)
	}
}

func TestTwiceInOneTurnIsNoRepetition(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("loading transitions to ready. As I said, loading transitions to ready."))
	same(t, "confidence", d.one("transition loading->ready").Confidence, 5500)
	same(t, "version", d.one("transition loading->ready").Version, 1)
}

func TestAnAgentsRepetitionIsADuplicate(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("loading transitions to ready"))
	before := d.one("transition loading->ready")
	r := d.say(bot("Understood: loading transitions to ready."))
	same(t, "element", d.one("transition loading->ready"), before)
	same(t, "duplicates", r.Duplicates, []sir.Duplicate{{ElementID: before.ID, TurnID: "t2"}})
	same(t, "refined", len(r.Refined), 0)
}

func TestTheSameTurnTwice(t *testing.T) {
	t.Parallel()
	d := machines(t)
	turn := ann("state: idle")
	turn.ID = "m1"
	d.say(turn)
	version := d.document().Header.Version
	r := d.say(turn)
	same(t, "duplicates", r.Duplicates, []sir.Duplicate{{TurnID: "m1"}})
	same(t, "version", d.document().Header.Version, version)
	d.wants("state name=idle | 0.98 confirmed v1 explicit")
}

func TestConsistency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		turns []sir.Turn
		want  sir.Confidence
		mods  []sir.Modifier
	}{
		{"nothing related stood before", []sir.Turn{ann("idle goes to loading")}, 5500, []sir.Modifier{}},
		{"related in this turn only", []sir.Turn{ann("idle is the initial state. From idle it goes to loading.")}, 5500, []sir.Modifier{}},
		{"its source stood before", []sir.Turn{ann("idle is the initial state"), ann("idle goes to loading")},
			7000, []sir.Modifier{{Name: "consistency", Value: 1500}}},
		{"its source did not stand, its target did: half the checks pass", []sir.Turn{ann("loading is the initial state"), ann("idle goes to loading")},
			5500, []sir.Modifier{}},
		{"a constraint forbids it: two of three", []sir.Turn{ann("constraint: no transition from idle to any state"), ann("When it rains, idle goes to loading.")},
			6000, []sir.Modifier{{Name: "consistency", Value: 500}}},
		{"a hedge and a source that stood", []sir.Turn{ann("idle is the initial state"), ann("I think idle goes to loading")},
			6500, []sir.Modifier{{Name: "hedge", Value: -500}, {Name: "consistency", Value: 1500}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := machines(t, c.turns...)
			e := d.one("transition idle->loading")
			same(t, "confidence", e.Confidence, c.want)
			same(t, "modifiers", e.Scores.Modifiers, c.mods)
		})
	}
}

// A transition that the same event leads elsewhere from the same source is
// weighed with two checks of three, and then is a conflict.
func TestConsistencyOfAContradiction(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("On SEARCH, idle goes to loading."), ben("On SEARCH, idle goes to results."))
	same(t, "incoming", d.last().Conflicts[0].IncomingCandidate.Confidence, 6000)
}

func TestReportedSpeechIsTheOthers(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("Ben says that the idle state has a timeout of 30s."))
	e := d.one("state idle")
	same(t, "confidence", e.Confidence, 6000)
	same(t, "attribution", e.Attribution, sir.Attribution{Type: sir.ByHuman, SpeakerID: "Ben"})
}

func TestCompleteness(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("transition: idle -> loading on SEARCH / showSpinner"),
		ann("transition: idle -> results on SEARCH"))
	e := d.one("transition idle->results")
	same(t, "confidence: its actions may be stale", e.Confidence, 9300)
	same(t, "actions are kept", e.Data["actions"], any([]any{"showSpinner"}))
	same(t, "modifiers", e.Scores.Modifiers, []sir.Modifier{{Name: "completeness", Value: -500}})
}

// pooled lists what did not enter.
func pooled(r *sir.Result) []string {
	out := []string{}
	for _, c := range r.Flagged {
		out = append(out, c.ElementType+values(c.Data)+" "+c.Confidence.String()+" "+string(c.Reason))
	}
	return out
}
