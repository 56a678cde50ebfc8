package speckl_test

import (
	"strings"
	"testing"

	"github.com/speckl/speckl/sir"
)

// The table of the design, "Conflicts", row by row. Ann's word first, then
// what contradicts it.

func TestGapsAreFilledAndTheHigherNumberKept(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("spec: state idle {}"), ben("the idle state has a timeout of 30s"))
	d.wants("state name=idle timeout=30s | 0.98 confirmed v2 explicit")
	same(t, "history", actions(d.one("state idle")), []string{"extracted t1 by a human", "refined t2"})
	same(t, "the field's own number", d.one("state idle").Fields["timeout"].Confidence, 7000)
	same(t, "diff", d.one("state idle").Provenance.Entries[1].Diff, &sir.Diff{
		FromVersion: 1, ToVersion: 2, TriggerTurnID: "t2",
		Changes: []sir.FieldChange{{Field: "state.timeout", NewValue: "30s", Reason: "the idle state has a timeout of 30s"}},
	})
}

func TestARevisionBelowReviewIsHeld(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ann("hmm, the idle timeout is maybe more like a minute, not sure"))
	d.wants("state name=idle timeout=30s | 0.7 proposed v1 needsReview tentative") // it needed review before
	same(t, "flagged", pooled(d.last()), []string{"state name=idle timeout=a minute 0.45 conflicts"})
	same(t, "diff", d.last().Flagged[0].Diff.Changes[0].NewValue, any("a minute"))
	same(t, "conflicts", len(d.last().Conflicts), 0)
}

func TestAHeldRevisionDoesNotContradict(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("spec: state idle { timeout: 30s }"), bot("I think the idle timeout is 60s"))
	e := d.one("state idle")
	same(t, "flags", e.Flags, sir.Flags{NeedsReview: true, SourceIsExplicit: true})
	same(t, "timeout", e.Data["timeout"], any("30s"))
	same(t, "history", actions(e), []string{"extracted t1 by a human", "flagged t2"})
}

func TestASpeakersExplicitWordRefinesHisOwn(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("spec: state idle { timeout: 30s }"), ann("spec: state idle { timeout: 60s }"))
	d.wants("state name=idle timeout=60s | 0.98 confirmed v2 explicit")

	d = machines(t, ann("spec: state idle { timeout: 30s }"), ann("actually, make that 60 seconds"))
	d.wants("state name=idle timeout=60 seconds | 0.95 proposed v2 needsReview explicit")
	same(t, "history", actions(d.one("state idle")), []string{"extracted t1 by a human", "refined t2"})
}

func TestAnothersExplicitWordAgainstTheConfirmedIsFlagged(t *testing.T) {
	t.Parallel()
	for _, against := range []sir.Turn{ben("spec: state idle { timeout: 60s }"), ben("Actually, the idle state has a timeout of 60s.")} {
		d := machines(t, ann("spec: state idle { timeout: 30s }"), against)
		d.wants("state name=idle timeout=30s | 0.98 confirmed v2 needsReview contradicted explicit")
		r := d.last()
		same(t, "conflicts", len(r.Conflicts), 1)
		for _, quote := range []string{"state idle { timeout: 30s }", "60s"} {
			if !strings.Contains(r.Conflicts[0].Question, quote) {
				t.Errorf("the question %q does not quote %q", r.Conflicts[0].Question, quote)
			}
		}
		same(t, "waits", len(d.document().Conflicts), 1)
		same(t, "flagged", r.Flagged[0].Reason, sir.Conflicts)
	}
}

func TestTalkAgainstTheConfirmedIsFlagged(t *testing.T) {
	t.Parallel()
	for _, turn := range []sir.Turn{ann("the idle state has a timeout of 60s"), ben("the idle state has a timeout of 60s"), bot("the idle state has a timeout of 60s")} {
		d := machines(t, ann("spec: state idle { timeout: 30s }"), turn)
		d.wants("state name=idle timeout=30s | 0.98 confirmed v2 needsReview contradicted explicit")
		same(t, "conflicts", len(d.last().Conflicts), 1)
	}
}

func TestAMuchSurerWordReplaces(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s. When in idle, the lamp is off."), ben("spec: state idle { timeout: 60s }"))
	old, now := "", ""
	for _, e := range d.document().Elements {
		switch {
		case e.Status == sir.Replaced:
			old = e.ID
			same(t, "old", describe(e), "state name=idle timeout=30s | 0.7 replaced v2")
			now = e.ReplacedByID
			same(t, "old history", actions(e), []string{"extracted t1", "replaced t2"})
		case e.ElementType == "state":
			same(t, "new", describe(e), "state name=idle timeout=60s | 0.98 confirmed v1 explicit")
			same(t, "link", e.ReplacesID, old)
			same(t, "link", e.ID, now)
		}
	}
	if old == "" || old == now {
		t.Errorf("old %q, new %q", old, now)
	}
}

func TestTheReplacementTakesOverWhatIsUnknown(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("idle is the initial state."), ann("the idle state has a timeout of 30s"),
		ben("spec: state idle { timeout: 60s }"))
	e := d.one("state idle")
	same(t, "new", describe(e), "state isInitial name=idle timeout=60s | 0.98 confirmed v1 explicit")
	from := map[string]bool{}
	for _, i := range e.Fields["isInitial"].Evidence {
		from[e.Evidence[i].TurnID] = true
	}
	if !from["t1"] {
		t.Errorf("isInitial rests on %v of %v, want the first turn", e.Fields["isInitial"].Evidence, e.Evidence)
	}
}

func TestComparableWordsAreFlagged(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("the idle state has a timeout of 60s"))
	d.wants("state name=idle timeout=30s | 0.7 proposed v2 needsReview tentative contradicted")
	r := d.last()
	same(t, "question", r.Conflicts[0].Question,
		`Earlier: "the idle state has a timeout of 30s". Now: "the idle state has a timeout of 60s". Which one holds?`)
	same(t, "suggestion", r.Conflicts[0].SuggestedResolution, sir.ResolveAskHuman)
	same(t, "type", r.Conflicts[0].ConflictType, sir.ValueMismatch)
	same(t, "element", r.Conflicts[0].ExistingElementID, d.one("state idle").ID)
	same(t, "held", pooled(r), []string{"state name=idle timeout=60s 0.7 conflicts"})
}

func TestTheLineBetweenReplaceFlagAndReject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second float64
		want          []string
		conflicts     int
		dropped       []string
	}{
		{0.7, 0.9001, []string{"setting name=Color value=blue | 0.9001 proposed v1", "setting name=Color value=red | 0.7 replaced v2"}, 0, []string{}},
		{0.7, 0.9, []string{"setting name=Color value=red | 0.7 proposed v2 needsReview tentative contradicted"}, 1, []string{}},
		{0.85, 0.65, []string{"setting name=Color value=red | 0.85 proposed v2 needsReview contradicted"}, 1, []string{}},
		{0.85, 0.6499, []string{"setting name=Color value=red | 0.85 proposed v1"}, 1, []string{"rejected"}},
	} {
		d := settings(t, c.first, c.second, ann("Color means red."), ben("Color is now blue."))
		d.wants(c.want...)
		same(t, "conflicts", len(d.last().Conflicts), c.conflicts)
		same(t, "dropped", reasons(d.last()), c.dropped)
	}
}

func TestAPersonsWeakerWordNeverVanishes(t *testing.T) {
	t.Parallel()
	d := settings(t, 0.9, 0.65, ann("Color means red."), ben("Color is now blue."))
	same(t, "asked", d.document().Conflicts[0].Question, `Earlier: "Color means red". Now: "Color is now blue". Which one holds?`)
	same(t, "suggestion", d.last().Conflicts[0].SuggestedResolution, sir.ResolveReject)

	d = settings(t, 0.9, 0.75, ann("Color means red."), bot("Color is now blue."))
	d.wants("setting name=Color value=red | 0.9 proposed v1")
	same(t, "an agent is not asked about", len(d.last().Conflicts), 0)
	same(t, "but the reason is there", reasons(d.last()), []string{"rejected"})
}

func TestASpeakersOwnTalkIsNoCorrection(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ann("the idle state has a timeout of 60s"))
	d.wants("state name=idle timeout=30s | 0.7 proposed v2 needsReview tentative contradicted")
}

func TestACorrectionReachesBackOverTurns(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("ok"), ann("Lunch?"), ann("Actually, make that 60 seconds."))
	d.wants("state name=idle timeout=60 seconds | 0.95 proposed v2")
}

func TestACorrectionWithinATurn(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("The idle state has a timeout of 30s. Actually, make that 60 seconds."))
	d.wants("state name=idle timeout=60 seconds | 0.95 proposed v1")
}

func TestACorrectionIsTheSpeakersOwn(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("actually, make that 60 seconds"))
	d.wants("state name=idle timeout=30s | 0.7 proposed v1 needsReview tentative")
	same(t, "dropped", reasons(d.last()), []string{"no_antecedent"})
}

func TestACorrectionOfNothingGivesNothing(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("Actually, make that 60 seconds."))
	d.wants()
	same(t, "dropped", reasons(d.last()), []string{"no_antecedent"})
}

func TestACorrectionOfTwoValuesAsks(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("The idle state has a timeout of 30s. The busy state has a timeout of 40s."),
		ann("Actually, make that 60 seconds."))
	same(t, "idle", d.one("state idle").Data["timeout"], any("30s"))
	same(t, "busy", d.one("state busy").Data["timeout"], any("40s"))
	q := d.last().Clarifications
	if len(q) != 1 || len(q[0].Options) != 2 || !strings.Contains(q[0].Options[0], "idle") || !strings.Contains(q[0].Options[1], "busy") {
		t.Fatalf("asks %+v", q)
	}
	d.answer(q[0].Number, 2)
	same(t, "idle", d.one("state idle").Data["timeout"], any("30s"))
	same(t, "busy", describe(d.one("state busy")), "state name=busy timeout=60 seconds | 1 confirmed v3")
}

func TestTheNewestValueIsCorrected(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("The idle state has a timeout of 30s."), ann("The busy state has a timeout of 40s."),
		ann("Actually, make that 60 seconds."))
	same(t, "idle", d.one("state idle").Data["timeout"], any("30s"))
	same(t, "busy", d.one("state busy").Data["timeout"], any("60 seconds"))
}

func TestTurnsWithoutANameAreOneSpeaker(t *testing.T) {
	t.Parallel()
	d := machines(t, someone("the idle state has a timeout of 30s"), someone("actually, make that 60 seconds"))
	d.wants("state name=idle timeout=60 seconds | 0.95 proposed v2")
}

func TestATalkedCorrectionConfirmsNothing(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ann("actually, make that 60 seconds"))
	same(t, "history", actions(d.one("state idle")), []string{"extracted t1", "refined t2"})
	same(t, "status", d.one("state idle").Status, sir.Proposed)
}

func TestSilenceConfirmsNothing(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("idle is the initial state"), ben("ok"), ben("nice"), bot("Great!"), ann("lunch?"), ann("👍"))
	d.wants("state isInitial name=idle | 0.55 proposed v1 needsReview tentative")
}
