package speckl_test

import (
	"slices"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// The acts that change what an element says: correct and split; and reopen,
// which brings one back.

// correct is a correction of one element.
func correct(e *sir.Element, data map[string]any) speckl.Act {
	a := on(speckl.Correct, e)
	a.Data = data
	return a
}

func TestCorrect(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("the idle state has a timeout of 60s"))
	a := correct(d.one("state idle"), map[string]any{"timeout": "90s", "isFinal": "true", "entryActions": []any{"beep"}})
	a.Reason = "measured"
	r := d.act(a)
	e := d.one("state idle")
	same(t, "element", describe(e), "state entryActions=[beep] isFinal name=idle timeout=90s | 0.99 confirmed v3")
	same(t, "evidence stays", len(e.Evidence), 1)
	rule := "correct"
	same(t, "the field's source", e.Fields["timeout"], sir.Field{Confidence: 9900, Evidence: []int{}, Rule: &rule})
	same(t, "attribution", e.Attribution, sir.Attribution{Type: sir.ByHuman, SpeakerID: "Ann"})
	entry := lastEntry(e)
	same(t, "action", string(entry.Action), "refined")
	same(t, "by a human", entry.HumanConfirmed, true)
	same(t, "diff", entry.Diff, &sir.Diff{FromVersion: 2, ToVersion: 3, TriggerTurnID: r.SourceTurnIDs[0], Changes: []sir.FieldChange{
		{Field: "state.entryActions", OldValue: []any{}, NewValue: []any{"beep"}, Reason: "measured"},
		{Field: "state.isFinal", OldValue: false, NewValue: true, Reason: "measured"},
		{Field: "state.timeout", OldValue: "30s", NewValue: "90s", Reason: "measured"},
	}})
	same(t, "conflicts", len(d.document().Conflicts)+len(d.document().Candidates), 0)
	same(t, "summary", r.Summary, "Corrected: state idle (final), times out after 90s, on entry beep. 1 open question settled with it.")

	d.say(ben("the idle state has a timeout of 60s"))
	same(t, "talk against it is flagged", describe(d.one("state idle")), "state entryActions=[beep] isFinal name=idle timeout=90s | 0.99 confirmed v4 needsReview contradicted")
}

func TestCorrectToUnknown(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("spec: state idle { timeout: 30s, entryActions: [beep], isInitial: true }"))
	d.act(correct(d.one("state idle"), map[string]any{"timeout": nil, "entryActions": nil, "isInitial": nil}))
	d.wants("state name=idle | 0.99 confirmed v2 explicit")
	same(t, "no source is left", len(d.one("state idle").Fields), 1)
}

func TestACorrectionThatChangesNothingConfirms(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"))
	a := correct(d.one("state idle"), map[string]any{"timeout": "30s"})
	d.act(a)
	d.wants("state name=idle timeout=30s | 0.99 confirmed v2")
	same(t, "action", lastEntry(d.one("state idle")).Action, sir.ActionConfirmed)
	d.act(on(speckl.Confirm, d.one("state idle")))
	d.act(a)
	same(t, "certain stays certain", describe(d.one("state idle")), "state name=idle timeout=30s | 1 confirmed v4")
	a.Data = map[string]any{"timeout": "31s"}
	d.act(a)
	same(t, "a change is scored afresh", describe(d.one("state idle")), "state name=idle timeout=31s | 0.99 confirmed v5")
}

func TestACorrectionLinksAndIsFound(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle -> loading on SEARCH"), ann("state: results"))
	id := d.one("transition idle->loading").ID
	d.act(correct(d.one("transition idle->loading"), map[string]any{"to": "results", "from": "ready"}))
	e := d.one("transition ready->results")
	same(t, "id", e.ID, id)
	same(t, "keys", len(e.Keys), 2)
	same(t, "refs", e.Refs, []sir.Ref{{Rel: "from", ID: d.one("state ready").ID}, {Rel: "to", ID: d.one("state results").ID}})
	same(t, "what it names anew is implied", describe(d.one("state ready")), "state name=ready | 0.55 proposed v1 needsReview tentative")
	d.say(ann("transition: ready -> results on SEARCH"))
	same(t, "said again", d.one("transition ready->results").ID, id)
	same(t, "summary", d.last().Added, []sir.Change{})
}

func TestACorrectionKeepsTheOtherRefs(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle -> loading on SEARCH"), ann("state: waiting"))
	d.act(on(speckl.Replace, d.one("state idle"), d.one("state waiting")))
	before := d.one("transition waiting->loading").Refs
	d.act(correct(d.one("transition waiting->loading"), map[string]any{"event": "FIND"}))
	same(t, "refs", d.one("transition waiting->loading").Refs, before)
}

// What refers to an element by name says the name of what stands there now,
// so that talk under the new name is no second statement.
func TestNamesFollow(t *testing.T) {
	t.Parallel()
	turns := []sir.Turn{ann("transition: idle -> loading on SEARCH"), ann("spec: state napping { parent: idle }"), ann("state: waiting"), ann("transition: paid -> idle on RESET")}
	for name, c := range map[string]struct {
		act func(d *talk) speckl.Act
		now string
		// kept: the refs name the same element as before
		kept bool
	}{
		"correct":                {func(d *talk) speckl.Act { return correct(d.one("state idle"), map[string]any{"name": "asleep"}) }, "asleep", true},
		"spelling":               {func(d *talk) speckl.Act { return correct(d.one("state idle"), map[string]any{"name": "Idle"}) }, "Idle", true},
		"correct to what stands": {func(d *talk) speckl.Act { return correct(d.one("state waiting"), map[string]any{"name": "idle"}) }, "idle", true},
		"correct to another":     {func(d *talk) speckl.Act { return correct(d.one("state idle"), map[string]any{"name": "waiting"}) }, "waiting", true},
		"replace":                {func(d *talk) speckl.Act { return on(speckl.Replace, d.one("state idle"), d.one("state waiting")) }, "waiting", false},
		"merge":                  {func(d *talk) speckl.Act { return on(speckl.Merge, d.one("state waiting"), d.one("state idle")) }, "waiting", false},
		"merge into it":          {func(d *talk) speckl.Act { return on(speckl.Merge, d.one("state idle"), d.one("state waiting")) }, "idle", true},
		"split": {func(d *talk) speckl.Act {
			a := on(speckl.Split, d.one("state idle"))
			a.Parts = []map[string]any{{"name": "dozing"}, {"name": "resting"}}
			return a
		}, "dozing", false},
	} {
		d := machines(t, turns...)
		was := d.one("transition idle->loading").Refs
		d.act(c.act(d))
		for _, x := range []string{"transition " + c.now + "->loading", "transition paid->" + c.now} {
			e := d.one(x)
			same(t, name+": refs of "+x, slices.Contains(e.Refs, sir.Ref{Rel: map[bool]string{true: "from", false: "to"}[e.Data["from"] == c.now], ID: d.one("state " + c.now).ID}), true)
			same(t, name+": still confirmed", e.Status, sir.Confirmed)
			same(t, name+": to be looked at", e.Flags.NeedsReview, name == "split")
		}
		if c.kept {
			same(t, name+": the ref", d.one("transition "+c.now+"->loading").Refs, was)
		}
		same(t, name+": of a part", d.one("state napping").Data["parent"], any(c.now))
		elements := len(d.document().Elements)
		d.say(ben("transition: " + c.now + " -> loading on SEARCH"))
		same(t, name+": said under the new name", len(d.document().Elements), elements)
	}
}

// Undone, the old names are back.
func TestNamesComeBack(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle -> loading on SEARCH"), ann("state: waiting"))
	was := d.one("transition idle->loading")
	d.act(on(speckl.Replace, d.one("state idle"), d.one("state waiting")))
	d.one("transition waiting->loading")
	d.act(speckl.Act{Kind: speckl.Undo})
	e := d.one("transition idle->loading")
	same(t, "data", e.Data, was.Data)
	same(t, "refs", e.Refs, was.Refs)
}

// Two statements that another name brings into one place are for a person to
// look at; two that it makes equal are one.
func TestNamesThatMeet(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: cart -> paid on PAY"), ann("transition: basket -> shipped on PAY"))
	d.act(on(speckl.Merge, d.one("state cart"), d.one("state basket")))
	for _, x := range []string{"transition cart->paid", "transition cart->shipped"} {
		same(t, x, d.one(x).Flags.NeedsReview, true)
	}
	d = machines(t, ann("transition: cart -> paid on PAY"), ann("transition: basket -> paid on PAY"))
	d.act(on(speckl.Merge, d.one("state cart"), d.one("state basket")))
	same(t, "one with both words", len(d.one("transition cart->paid").Evidence), 2)
}

func TestACorrectionThatMakesTwoEqualMerges(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ann("state: waiting"))
	older, younger := d.one("state idle"), d.one("state waiting")
	d.act(correct(younger, map[string]any{"name": "idle", "timeout": "45s"}))
	e := d.one("state idle")
	same(t, "the older survives with the person's word", describe(e), "state name=idle timeout=45s | 0.99 confirmed v2 explicit")
	same(t, "id", e.ID, older.ID)
	same(t, "evidence", len(e.Evidence), 2)
	for _, x := range d.document().Elements {
		if x.ID == younger.ID {
			same(t, "the younger", string(x.Status)+" by "+x.ReplacedByID, "replaced by "+older.ID)
		}
	}

	d = machines(t, ann("state: waiting"), ann("the idle state has a timeout of 30s"))
	older = d.one("state waiting")
	d.act(correct(older, map[string]any{"name": "idle"}))
	e = d.one("state idle")
	same(t, "the older keeps what the younger knew", describe(e), "state name=idle timeout=30s | 0.99 confirmed v2 explicit")
	same(t, "id", e.ID, older.ID)
}

// TestANameMayBeANumber: a command line gives 404 as a number.
func TestANameMayBeANumber(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: missing"))
	d.act(correct(d.one("state missing"), map[string]any{"name": 404}))
	same(t, "the state", describe(d.one("state 404")), "state name=404 | 0.99 confirmed v2 explicit")
}

func TestCorrectIsRefused(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle -> loading on SEARCH"), ann("transition: idle -> results on FIND"), ann("the idle state has a timeout of 30s"))
	e := d.one("state idle")
	for _, c := range []struct {
		data  map[string]any
		words []string
	}{
		{map[string]any{"tiemout": "60s", "x": 1}, []string{"state idle", `"tiemout", "x"`, "timeout, onTimeout"}},
		{map[string]any{"timeout": "-5s"}, []string{"timeout", "-5s", "30s"}},
		{map[string]any{"timeout": "soon"}, []string{"timeout", "soon", "30s"}},
		{map[string]any{"timeout": 60}, []string{"timeout", "60", "30s"}},
		{map[string]any{"timeout": ""}, []string{"timeout", "null for unknown"}},
		{map[string]any{"isFinal": "maybe"}, []string{"isFinal", "true or false"}},
		{map[string]any{"entryActions": "beep"}, []string{"entryActions", "beep", "a list of texts"}},
		{map[string]any{"entryActions": []any{1}}, []string{"entryActions", "a list of texts"}},
		{map[string]any{"description": "a\x00b"}, []string{"description", "U+0000"}},
		{map[string]any{"name": nil}, []string{"say nothing", "needs name"}},
		{map[string]any{"name": func() {}}, []string{"name"}},
		{nil, []string{"no field"}},
	} {
		d.refused(correct(e, c.data), speckl.ErrAct, c.words...)
	}
	d.refused(correct(d.one("transition idle->loading"), map[string]any{"kind": "wild"}), speckl.ErrAct, "external, internal")
	d.refused(correct(d.one("transition idle->loading"), map[string]any{"priority": 1.5}), speckl.ErrAct, "whole number")
	d.refused(correct(d.one("transition idle->loading"), map[string]any{"event": "FIND"}), speckl.ErrAct, "transition idle → results on FIND", "in its place")
	d.act(on(speckl.Deprecate, e))
	d.refused(correct(e, map[string]any{"timeout": "60s"}), speckl.ErrAct, "deprecated", "reopen it first")
}

func TestSplit(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: checking -> done on DONE"))
	e := d.one("transition checking->done")
	a := on(speckl.Split, e)
	a.Parts = []map[string]any{{"guard": "all is paid"}, {"to": "failed", "guard": "something is open"}}
	a.Reason = "two cases"
	r := d.act(a)
	first, second := d.one("transition checking->failed"), (*sir.Element)(nil)
	for _, x := range d.document().Elements {
		if x.Data["guard"] == "all is paid" {
			first, second = x, first
		}
	}
	same(t, "first", describe(first), "transition event=DONE from=checking guard=all is paid to=done | 0.98 confirmed v1 explicit")
	same(t, "second", describe(second), "transition event=DONE from=checking guard=something is open to=failed | 0.98 confirmed v1 explicit")
	rule := "split"
	for _, x := range []*sir.Element{first, second} {
		same(t, "the same evidence", x.Evidence, e.Evidence)
		same(t, "linked", x.ReplacesID, e.ID)
		same(t, "history", actions(x), []string{"split " + r.SourceTurnIDs[0] + " by a human"})
		same(t, "attribution", x.Attribution, sir.Attribution{Type: sir.ByHuman, SpeakerID: "Ann"})
		same(t, "the field's source", x.Fields["guard"], sir.Field{Confidence: 9900, Evidence: []int{}, Rule: &rule})
		same(t, "what it keeps", x.Fields["event"], e.Fields["event"])
	}
	same(t, "refs", second.Refs, []sir.Ref{{Rel: "from", ID: d.one("state checking").ID}, {Rel: "to", ID: d.one("state failed").ID}})
	for _, x := range d.document().Elements {
		if x.ID == e.ID {
			same(t, "the whole", string(x.Status)+" by "+x.ReplacedByID, "replaced by "+first.ID)
			same(t, "its history", actions(x)[1], "split "+r.SourceTurnIDs[0]+" by a human")
		}
	}
	same(t, "added", len(r.Added), 3) // with the state failed
	same(t, "why", lastEntry(first).ExtractionRationale, "a person splits "+e.ID+": two cases")
}

func TestSplitIsRefused(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("transition: idle -> loading on SEARCH"), ann("transition: idle -> results on FIND"))
	a := on(speckl.Split, d.one("transition idle->loading"))
	for _, c := range []struct {
		parts []map[string]any
		words []string
	}{
		{[]map[string]any{{"to": "a"}}, []string{"at least two"}},
		{[]map[string]any{{"to": "a"}, {"to": "A"}}, []string{"part 2", "the same as part 1"}},
		{[]map[string]any{{}, {"nosuch": "A"}}, []string{"part 2", "nosuch"}},
		{[]map[string]any{{}, {"event": "FIND", "to": "results"}}, []string{"part 2", "idle → results", "already"}},
		{[]map[string]any{{}, {"to": nil, "from": nil, "event": nil}}, []string{"part 2", "say nothing"}},
	} {
		a.Parts = c.parts
		d.refused(a, speckl.ErrAct, c.words...)
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	for _, end := range []speckl.ActKind{speckl.Reject, speckl.Deprecate} {
		d := machines(t, ann("the idle state has a timeout of 30s"), ann("idle times out after 30s. The idle state has a timeout of 30s."))
		before := d.one("state idle")
		d.act(on(speckl.Confirm, before))
		d.act(on(end, before))
		r := d.act(on(speckl.Reopen, before))
		e := d.one("state idle")
		same(t, "scored again", e.Confidence, before.Confidence)
		same(t, "scores", e.Scores, before.Scores)
		same(t, "flags", e.Flags, before.Flags)
		same(t, "status", e.Status, sir.Proposed)
		same(t, "action", string(lastEntry(e).Action), "reopened")
		same(t, "summary", r.Summary, "Reopened: state idle, times out after 30s, with confidence "+e.Confidence.String()+".")
		d.refused(on(speckl.Reopen, e), speckl.ErrAct, "not closed")
	}
}

func TestReopenWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("idle goes to loading"))
	before := d.one("state idle")
	d.act(on(speckl.Confirm, before))
	d.act(on(speckl.Reopen, before))
	e := d.one("state idle")
	same(t, "element", describe(e), "state name=idle | 0.55 proposed v3 needsReview tentative")
	same(t, "scores", e.Scores, before.Scores)
	same(t, "entry", string(lastEntry(e).Action), "reopened")
	d.act(on(speckl.Confirm, e))
	same(t, "and confirmed anew", describe(d.one("state idle")), "state name=idle | 1 confirmed v4")

	d = machines(t, ann("the idle state has a timeout of 30s"))
	d.act(correct(d.one("state idle"), map[string]any{"timeout": "90s"}))
	d.act(on(speckl.Reopen, d.one("state idle")))
	e = d.one("state idle")
	same(t, "the corrected value stays", e.Data["timeout"], any("90s"))
	same(t, "status", e.Status, sir.Proposed)
}

func TestReopenWhatWasReplaced(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"), ann("state: waiting"))
	old, now := d.one("state idle"), d.one("state waiting")
	d.act(on(speckl.Replace, old, now))
	d.act(on(speckl.Reopen, old))
	d.wants("state name=idle | 0.98 proposed v3 explicit", "state name=waiting | 0.98 confirmed v3 explicit")
	same(t, "links", d.one("state idle").ReplacedByID+d.one("state waiting").ReplacesID, "")
}

func TestReopenAsksForTheReadingAgain(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login))
	e := d.one("transition ->main screen")
	d.act(on(speckl.Reject, e))
	same(t, "questions", len(d.document().Clarifications), 0)
	r := d.act(on(speckl.Reopen, e))
	same(t, "element", describe(d.one("transition ->main screen")), "transition to=main screen | 0.55 proposed v3 needsReview tentative ambiguous")
	same(t, "asked", len(r.Clarifications), 1)
	same(t, "number", r.Clarifications[0].Number, 2)
	d.answer(2, 2)
	same(t, "chosen", d.one("transition *->main screen").Status, sir.Confirmed)
}

func TestReopenIsRefusedWhereSomethingHoldsInItsPlace(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	e := d.one("state idle")
	d.act(on(speckl.Deprecate, e))
	d.say(ann("state: idle"))
	d.refused(on(speckl.Reopen, e), speckl.ErrAct, "state idle", d.one("state idle").ID, "deprecate it first")
	d.act(on(speckl.Deprecate, d.one("state idle")))
	d.act(on(speckl.Reopen, e))
	same(t, "the first again", d.one("state idle").ID, e.ID)

	d = machines(t, ann("transition: idle -> loading on SEARCH"))
	e = d.one("transition idle->loading")
	d.act(on(speckl.Reject, e))
	d.say(ann("transition: idle -> results on SEARCH"))
	d.refused(on(speckl.Reopen, e), speckl.ErrAct, "idle → results")
}

// A document may hold elements of a domain that this program does not have.
func TestActsWithoutTheDomain(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("the idle state has a timeout of 60s"), ann("state: waiting"))
	all, err := speckl.Open(speckl.Config{Store: d.store, Domains: []*domain.Domain{general(t)}})
	if err != nil {
		t.Fatal(err)
	}
	d.client = all
	idle, waiting := d.one("state idle"), d.one("state waiting")
	d.refused(correct(idle, map[string]any{"timeout": "60s"}), domain.ErrUnknown, "state-machine")
	split := on(speckl.Split, idle)
	split.Parts = []map[string]any{{}, {}}
	d.refused(split, domain.ErrUnknown, "state-machine")
	d.refused(on(speckl.Reopen, idle), domain.ErrUnknown, "state-machine")
	d.act(on(speckl.Confirm, idle))
	same(t, "confirmed", describe(d.one("state idle")), "state name=idle timeout=30s | 1 confirmed v3")
	same(t, "conflicts", len(d.document().Conflicts), 0)
	d.act(on(speckl.Replace, idle, waiting))
	d.act(on(speckl.Deprecate, waiting))
	for range 3 {
		d.act(speckl.Act{Kind: speckl.Undo})
	}
	same(t, "all undone", describe(d.one("state idle")), "state name=idle timeout=30s | 0.7 proposed v6 needsReview tentative contradicted")
	d.act(on(speckl.Reject, waiting))
	same(t, "rejected", d.one("state waiting").Status, sir.Error)
}

func general(t *testing.T) *domain.Domain {
	t.Helper()
	c, _ := shared()
	g, err := c.Domain("general")
	if err != nil {
		t.Fatal(err)
	}
	return g
}
