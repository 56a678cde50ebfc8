package speckl_test

import (
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// Undo: what an act changed is as it was before, what grows stays, and what
// was said since stands in the way.

func undo() speckl.Act { return speckl.Act{Kind: speckl.Undo} }

func TestUndo(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("the idle state has a timeout of 60s"))
	before := d.document()
	a := on(speckl.Confirm, d.one("state idle"))
	a.Command = "confirm state:idle"
	d.act(a)
	r := d.act(undo())
	e := d.one("state idle")
	same(t, "element", describe(e), "state name=idle timeout=30s | 0.7 proposed v4 needsReview tentative contradicted")
	same(t, "entry", string(lastEntry(e).Action)+": "+lastEntry(e).ExtractionRationale, "refined: undoes: confirm state:idle")
	same(t, "an undo confirms nothing", lastEntry(e).HumanConfirmed, false)
	same(t, "conflicts wait again", d.document().Conflicts, before.Conflicts)
	same(t, "candidates wait again", d.document().Candidates, before.Candidates)
	same(t, "summary", r.Summary, "Undone: confirm state:idle. As before: state idle, times out after 30s.")
	d.refused(undo(), speckl.ErrNothingToUndo, "nothing to undo")
}

func TestUndoOfACorrection(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle -> loading on SEARCH"))
	before := d.one("transition idle->loading")
	d.act(correct(before, map[string]any{"to": "results", "guard": "x"}))
	results := d.one("state results")
	d.act(undo())
	e := d.one("transition idle->loading")
	same(t, "data", e.Data, before.Data)
	same(t, "refs", e.Refs, before.Refs)
	same(t, "terms", e.Terms, before.Terms)
	same(t, "keys only grow", len(e.Keys), 2)
	same(t, "diff", lastEntry(e).Diff.Changes, []sir.FieldChange{
		{Field: "transition.guard", OldValue: "x", NewValue: nil, Reason: "undo"},
		{Field: "transition.to", OldValue: "results", NewValue: "loading", Reason: "undo"},
	})
	for _, x := range d.document().Elements {
		if x.ID == results.ID {
			same(t, "what it made no longer holds", string(x.Status), "deprecated")
		}
	}
}

func TestUndoTakesOneActAfterTheOther(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"))
	e := d.one("state idle")
	d.act(on(speckl.Confirm, e))
	d.act(correct(e, map[string]any{"timeout": "60s"}))
	d.act(undo())
	same(t, "the correction", describe(d.one("state idle")), "state name=idle timeout=30s | 1 confirmed v4")
	d.act(on(speckl.Reject, e))
	d.act(undo())
	same(t, "the rejection", describe(d.one("state idle")), "state name=idle timeout=30s | 1 confirmed v6")
	same(t, "action", string(lastEntry(d.one("state idle")).Action), "reopened")
	d.act(undo())
	same(t, "the confirmation", describe(d.one("state idle")), "state name=idle timeout=30s | 0.7 proposed v7 needsReview tentative")
	d.refused(undo(), speckl.ErrNothingToUndo)
}

func TestUndoOfAnAnswer(t *testing.T) {
	t.Parallel()
	d := machines(t)
	d.asks(ann(login))
	d.asks(bot("loading transitions to ready"))
	before := d.document()
	d.answer(1, 2)
	d.act(undo())
	doc := d.document()
	same(t, "the question has its number and place", doc.Clarifications, before.Clarifications)
	same(t, "candidates", doc.Candidates, before.Candidates)
	same(t, "what it made no longer holds", d.one("transition *->main screen").Status, sir.Deprecated)
	d.answer(1, 1)
	same(t, "answered otherwise", d.one("transition login->main screen").Status, sir.Confirmed)
	r := d.asks(ann("After authentication, go to the dashboard."))
	same(t, "numbers go on", r.Clarifications[0].Number, 3)
}

func TestUndoOfAMerge(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ann("spec: state waiting { isInitial: true }"))
	d.act(on(speckl.Merge, d.one("state idle"), d.one("state waiting")))
	d.act(undo())
	d.wants(
		"state name=idle timeout=30s | 0.7 proposed v3 needsReview tentative",
		"state isInitial name=waiting | 0.98 confirmed v3 explicit")
	same(t, "evidence only grows", len(d.one("state idle").Evidence), 2)
}

func TestUndoIsRefusedOverLaterWords(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"))
	e := d.one("state idle")
	d.act(on(speckl.Confirm, e))
	d.say(ann("idle is the initial state"))
	d.refused(undo(), speckl.ErrAct, "the turn t2", "state "+e.ID)

	d = machines(t, ann("the idle state has a timeout of 30s"))
	d.act(on(speckl.Confirm, d.one("state idle")))
	d.say(ann("idle goes to loading"))
	d.act(undo())
	same(t, "words on others do not matter", d.one("state idle").Status, sir.Proposed)
}

func TestUndoIsRefusedWhereSomethingHoldsInItsPlace(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	old := d.one("state idle").ID
	d.act(on(speckl.Deprecate, d.one("state idle")))
	d.say(ann("state: idle"))
	d.refused(undo(), speckl.ErrAct, "the turn t2", "state idle", "deprecate it first")
	now := d.one("state idle")
	d.act(on(speckl.Deprecate, now))
	d.refused(on(speckl.Confirm, now), speckl.ErrAct)
	d.act(undo())
	d.refused(undo(), speckl.ErrAct, "the turn t2")
	same(t, "the new one holds", d.one("state idle").ID == old, false)
}

func TestNothingToUndo(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	d.refused(undo(), speckl.ErrNothingToUndo)
	a := undo()
	a.Elements = []string{"ignored"}
	d.refused(a, speckl.ErrNothingToUndo)
}

func TestTalkNeverMeansWhatAnActChanged(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("The idle state has a timeout of 30s."), ann("The busy state has a timeout of 40s."))
	d.act(correct(d.one("state idle"), map[string]any{"timeout": "35s"}))
	d.say(ann("Actually, make that 50 seconds."))
	same(t, "the one talked about last", d.one("state busy").Data["timeout"], any("50 seconds"))
	same(t, "the corrected one", d.one("state idle").Data["timeout"], any("35s"))
}

func TestWhatWasErasedStaysSo(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"), ann("state: busy"))
	d.act(on(speckl.Confirm, d.one("state idle")))
	if _, err := d.client.Erase(t.Context(), d.name, speckl.Erasure{Elements: []string{d.one("state busy").ID}}); err != nil {
		t.Fatal(err)
	}
	d.refused(undo(), speckl.ErrAct, "erased", "gone for good")
	d.act(on(speckl.Reject, d.one("state idle")))
	d.act(undo())
	same(t, "later acts are undone", describe(d.one("state idle")), "state name=idle | 1 confirmed v4 explicit")
}
