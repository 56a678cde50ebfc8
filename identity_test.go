package speckl_test

import (
	"strings"
	"testing"

	"github.com/speckl/speckl/sir"
)

// Identity: an id is minted once; null is unknown; what unifies is one.

func TestAGapIsFilledInPlace(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("At time T1 the client moves to RENEWING."))
	half := d.one("transition ->RENEWING")
	same(t, "from", half.Data["from"], nil)
	d.say(ann("At time T1 the client moves from BOUND to RENEWING."))
	d.say(ann("At time T1 the client moves to RENEWING."))
	var transitions []*sir.Element
	for _, e := range d.document().Elements {
		if e.ElementType == "transition" {
			transitions = append(transitions, e)
		}
	}
	if len(transitions) != 1 {
		t.Fatalf("there are %v", lines(d.document().Elements))
	}
	e := transitions[0]
	same(t, "id", e.ID, half.ID)
	same(t, "version", e.Version, 3)
	same(t, "from", e.Data["from"], any("BOUND"))
	same(t, "keys", len(e.Keys), 2)
}

func TestNeverTwoLiveTransitionsOfOneSlot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		turns []sir.Turn
		want  string
	}{
		{"talked", []sir.Turn{ann("On SEARCH, idle goes to loading."), ann("Actually, on SEARCH idle goes to results.")}, "results"},
		{"without a source", []sir.Turn{ann("On SEARCH it goes to loading."), ann("Actually, it goes to results on SEARCH.")}, "results"},
		{"the rest is said by 'actually' alone", []sir.Turn{ann("On SEARCH it goes to loading."), ann("Actually, to results on SEARCH.")}, "results"},
		{"in one turn", []sir.Turn{ann("On SEARCH it goes to loading. Actually, it goes to results on SEARCH.")}, "results"},
		{"marked", []sir.Turn{ann("transition: idle -> loading on SEARCH"), ann("transition: idle -> results on SEARCH")}, "results"},
		{"from another person", []sir.Turn{ann("On SEARCH, idle goes to loading."), ben("transition: idle -> results on SEARCH")}, "results"},
		{"comparable", []sir.Turn{ann("On SEARCH, idle goes to loading."), ben("On SEARCH, idle goes to results.")}, "loading"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := machines(t, c.turns...)
			var live []string
			for _, e := range d.document().Elements {
				if e.ElementType == "transition" && e.Status.Live() {
					live = append(live, e.Data["to"].(string))
				}
			}
			same(t, "live transitions lead to", live, []string{c.want})
		})
	}
}

func TestSeveralUnifyAsksWhich(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("transition: idle -> loading on SEARCH"),
		ann("transition: results -> loading on SEARCH"),
		ann("On SEARCH it moves to loading."))
	e := d.one("transition ->loading")
	same(t, "review", e.Flags.NeedsReview, true)
	q := d.last().Clarifications
	if len(q) != 1 || len(q[0].Options) != 3 || !strings.Contains(q[0].Options[0], "idle → loading") || !strings.Contains(q[0].Options[1], "results → loading") {
		t.Fatalf("asks %+v", q)
	}
	d.answer(q[0].Number, 1)
	same(t, "merged", d.one("transition idle->loading").Status, sir.Confirmed)
	if got := d.one("transition ->loading"); got.Status != sir.Replaced || got.ReplacedByID != d.one("transition idle->loading").ID {
		t.Errorf("the new one is %s", describe(got))
	}
}

func TestJoinedAlternativesAreAllKept(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("When the bank answers it moves to either paid or refused."))
	for _, to := range []string{"paid", "refused"} {
		e := d.one("transition ->" + to)
		same(t, to, e.Flags.IsContradicted || e.Flags.IsAmbiguous, false)
	}
	same(t, "conflicts", len(d.last().Conflicts), 0)
}

func TestSpellingsAreOneState(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: main screen"), ann("state: Main-Screen"), ann("state: MAIN_SCREEN"), ben("MainScreen is the initial state"))
	e := d.one("state main screen")
	if len(d.document().Elements) != 1 {
		t.Fatalf("there are %v", lines(d.document().Elements))
	}
	same(t, "isInitial", e.Data["isInitial"], any(true))
}

func TestEventLabelsAreOneEvent(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("When the user clicks 'Search', idle goes to loading."), ann("transition: idle -> loading on SEARCH"))
	e := d.one("transition idle->loading")
	same(t, "element", describe(e), "transition event=the user clicks 'Search' from=idle to=loading | 0.98 confirmed v2 explicit")
}

func TestDurationsAreComparedByValue(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 60s"), ben("the idle state has a timeout of one minute"))
	e := d.one("state idle")
	same(t, "version", e.Version, 2)
	same(t, "as first said", e.Data["timeout"], any("60s"))
	same(t, "confidence", e.Confidence, 7500)
}

func TestAMentionedStateIsTentativeAlsoUnderAMarker(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle → loading on START"))
	d.wants(
		"state name=idle | 0.55 proposed v1 needsReview tentative",
		"state name=loading | 0.55 proposed v1 needsReview tentative",
		"transition event=START from=idle to=loading | 0.98 confirmed v1 explicit")
	e := d.one("transition idle->loading")
	same(t, "refs", e.Refs, []sir.Ref{{Rel: "from", ID: d.one("state idle").ID}, {Rel: "to", ID: d.one("state loading").ID}})
}

func TestAPooledStatementNamesNothing(t *testing.T) {
	t.Parallel()
	d := machines(t, bot("loading transitions to ready"))
	d.wants()
}

func TestAFilledGapThatMakesTwoEqualMerges(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("After authentication, go to the dashboard."),
		ann("transition: authentication -> dashboard"))
	older, younger := d.one("transition ->dashboard"), d.one("transition authentication->dashboard")
	d.answer(1, 1)
	survivor := d.one("transition authentication->dashboard")
	same(t, "survivor", survivor.ID, older.ID)
	same(t, "confidence", survivor.Confidence, sir.Certain)
	for _, e := range d.document().Elements {
		if e.ID == younger.ID {
			same(t, "the younger", string(e.Status)+" by "+e.ReplacedByID, "replaced by "+older.ID)
			same(t, "evidence is united", len(survivor.Evidence) > len(older.Evidence), true)
		}
	}
}

func TestOneBirthKeyTwice(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("the idle state has a timeout of 30s"),
		ben("spec: state idle { timeout: 60s }"))
	ids := map[string]bool{}
	for _, e := range d.document().Elements {
		ids[e.ID] = true
	}
	same(t, "ids", len(ids), len(d.document().Elements))
}
