package speckl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// The acts of a person, one after the other: what each does to an element,
// its history and what waits, and when it is refused.

// act carries out an act of Ann's.
func (d *talk) act(a speckl.Act) *sir.Result {
	d.t.Helper()
	if a.By == "" {
		a.By = "Ann"
	}
	version := d.document().Header.Version
	r, err := d.client.Act(d.t.Context(), d.name, a)
	if err != nil {
		d.t.Fatal(err)
	}
	if a.Kind == speckl.Rename {
		d.name = a.Name
	}
	same(d.t, "version of the document", d.document().Header.Version, version+1)
	d.results = append(d.results, r)
	return r
}

// on is an act on elements.
func on(kind speckl.ActKind, elements ...*sir.Element) speckl.Act {
	a := speckl.Act{Kind: kind}
	for _, e := range elements {
		a.Elements = append(a.Elements, e.ID)
	}
	return a
}

// refused wants an act to be refused: with the sentinel, in one line that has
// the words, and without a trace in the document.
func (d *talk) refused(a speckl.Act, is error, words ...string) {
	d.t.Helper()
	before := d.json()
	_, err := d.client.Act(d.t.Context(), d.name, a)
	if !errors.Is(err, is) {
		d.t.Errorf("%s: %v, want one that is %v", a.Kind, err, is)
		return
	}
	for _, w := range append(words, d.name) {
		if !strings.Contains(err.Error(), w) {
			d.t.Errorf("the error %q does not say %q", err, w)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		d.t.Errorf("the error %q has several lines", err)
	}
	if diff := cmp.Diff(string(before), string(d.json())); diff != "" {
		d.t.Errorf("the refused act changed the document:\n%s", diff)
	}
}

func lastEntry(e *sir.Element) sir.Entry {
	return e.Provenance.Entries[len(e.Provenance.Entries)-1]
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("idle goes to loading"))
	a := on(speckl.Confirm, d.one("state idle"))
	a.Reason = "the manual says so"
	r := d.act(a)
	e := d.one("state idle")
	same(t, "element", describe(e), "state name=idle | 1 confirmed v2")
	same(t, "scores", e.Scores, sir.Scores{Trigger: "act", Base: sir.Certain, Modifiers: []sir.Modifier{}, Cap: sir.Certain})
	same(t, "who proposed it stays", e.Attribution.Type, sir.BySystem)
	same(t, "entry", lastEntry(e), sir.Entry{
		TurnID: r.SourceTurnIDs[0], Action: sir.ActionConfirmed, Version: 2, HumanConfirmed: true, ConfidenceAtTime: sir.Certain,
		ExtractionRationale: "a person confirms it: the manual says so", Attribution: sir.Attribution{Type: sir.ByHuman, SpeakerID: "Ann"},
	})
	same(t, "summary", r.Summary, "Confirmed: state idle.")
	same(t, "mode", r.Mode, sir.Interactive)
	same(t, "refined", len(r.Refined), 1)
	same(t, "evidence", len(e.Evidence), 1)

	a = on(speckl.Confirm, e)
	a.By = "Ben"
	d.act(a)
	e = d.one("state idle")
	same(t, "said again", describe(e), "state name=idle | 1 confirmed v3")
	same(t, "by another", lastEntry(e).Attribution.SpeakerID, "Ben")
}

// Whoever has confirmed an element has nothing to add; there is no turn of it.
func TestConfirmAgainChangesNothing(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"))
	a := on(speckl.Confirm, d.one("state idle"))
	d.act(a)
	before := d.json()
	a.By = "Ann"
	r, err := d.client.Act(t.Context(), d.name, a)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "summary", r.Summary, "Confirmed already: state idle, times out after 30s.")
	same(t, "changes", len(r.Refined), 0)
	same(t, "turns of it", len(r.SourceTurnIDs), 0)
	same(t, "document", string(d.json()), string(before))
	d.say(ben("the idle state has a timeout of 60s"))
	same(t, "what waits by now", len(d.document().Conflicts), 1)
	d.act(on(speckl.Confirm, d.one("state idle")))
	same(t, "is settled", len(d.document().Conflicts), 0)
}

func TestConfirmSettlesWhatWaitsAboutTheElement(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ben("the idle state has a timeout of 60s"))
	same(t, "conflicts", len(d.document().Conflicts), 1)
	r := d.act(on(speckl.Confirm, d.one("state idle")))
	d.wants("state name=idle timeout=30s | 1 confirmed v3")
	same(t, "conflicts", len(d.document().Conflicts), 0)
	same(t, "candidates", len(d.document().Candidates), 0)
	same(t, "summary", r.Summary, "Confirmed: state idle, times out after 30s. 1 open question settled with it.")
}

func TestConfirmLeavesWhatIsAboutOthers(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("the idle state has a timeout of 30s"), ben("the idle state has a timeout of 60s"),
		ann("the busy state has a timeout of 30s"), ben("the busy state has a timeout of 60s"))
	d.act(on(speckl.Confirm, d.one("state idle")))
	doc := d.document()
	same(t, "conflicts", len(doc.Conflicts), 1)
	same(t, "about", doc.Conflicts[0].ExistingElementID, d.one("state busy").ID)
	same(t, "candidates", len(doc.Candidates), 1)
}

func TestConfirmDropsAHeldRevision(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("the idle state has a timeout of 30s"), ann("hmm, the idle timeout is maybe more like a minute, not sure"), bot("loading transitions to ready"))
	same(t, "candidates", len(d.document().Candidates), 2)
	d.act(on(speckl.Confirm, d.one("state idle")))
	same(t, "candidates", len(d.document().Candidates), 1)
	same(t, "the other waits", d.document().Candidates[0].ElementType, "transition")
}

func TestConfirmIsRefused(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login), ann("idle goes to loading"))
	d.refused(on(speckl.Confirm, d.one("transition ->main screen")), speckl.ErrAct, "2 readings", "resolve")
	d.refused(speckl.Act{Kind: speckl.Confirm, Elements: []string{"nosuch"}}, store.ErrNotFound, "nosuch")
	d.refused(speckl.Act{Kind: speckl.Confirm}, speckl.ErrAct, "want one")
	e := d.one("state idle")
	d.refused(on(speckl.Confirm, e, e), speckl.ErrAct, "want one")
	d.act(on(speckl.Reject, e))
	d.refused(on(speckl.Confirm, e), speckl.ErrAct, "state idle", "rejected", "reopen it first")
	d.refused(speckl.Act{Kind: "bless", Elements: []string{e.ID}}, speckl.ErrAct, "bless", "confirm, correct")
}

func TestReject(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("idle goes to loading"))
	a := on(speckl.Reject, d.one("transition idle->loading"))
	a.Reason = "nobody said that"
	r := d.act(a)
	e := d.one("transition idle->loading")
	same(t, "element", describe(e), "transition from=idle to=loading | 0.55 error v2")
	same(t, "history", actions(e), []string{"extracted t1", "deprecated " + r.SourceTurnIDs[0] + " by a human"})
	same(t, "how sure the person is", lastEntry(e).ConfidenceAtTime, sir.Certain)
	same(t, "why", lastEntry(e).ExtractionRationale, "Marked as error: nobody said that")
	same(t, "summary", r.Summary, "Rejected: transition idle → loading.")
	same(t, "deprecated", len(r.Deprecated), 1)
	same(t, "what it implied stays", d.one("state idle").Status, sir.Proposed)

	d.say(ann("idle goes to loading"))
	same(t, "it does not enter again", reasons(d.last()), []string{"rejected_before"})
	same(t, "status", d.one("transition idle->loading").Status, sir.Error)
	d.act(on(speckl.Reject, e))
	same(t, "rejected again", d.one("transition idle->loading").Version, 3)
	d.refused(on(speckl.Deprecate, e), speckl.ErrAct, "reopen it first")
}

func TestDeprecate(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	d.act(on(speckl.Deprecate, d.one("state idle")))
	e := d.one("state idle")
	same(t, "element", describe(e), "state name=idle | 0.98 deprecated v2 explicit")
	same(t, "confidence at the time", lastEntry(e).ConfidenceAtTime, 9800)
	d.say(ann("state: idle"))
	same(t, "said anew it is new", len(d.document().Elements), 2)
}

func TestReplace(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("idle goes to loading"), ann("state: waiting"))
	old, now := d.one("state idle"), d.one("state waiting")
	r := d.act(on(speckl.Replace, old, now))
	old, now = d.one("state idle"), d.one("state waiting")
	same(t, "old", describe(old), "state name=idle | 0.55 replaced v2")
	same(t, "new", describe(now), "state name=waiting | 0.98 confirmed v2 explicit")
	same(t, "linked", []string{old.ReplacedByID, now.ReplacesID}, []string{now.ID, old.ID})
	same(t, "history", actions(old), []string{"extracted t1", "replaced " + r.SourceTurnIDs[0] + " by a human"})
	same(t, "nobody confirmed the new one", lastEntry(now).HumanConfirmed, false)
	same(t, "summary", r.Summary, "Replaced: state idle by state waiting.")

	d.say(ann("idle goes to done"))
	same(t, "the old name means the new one", d.one("transition idle->done").Refs[0], sir.Ref{Rel: "from", ID: now.ID})
	same(t, "the old state stays replaced", d.one("state idle").Status, sir.Replaced)

	d.refused(on(speckl.Replace, old, now), speckl.ErrAct, "state idle", "reopen it first")
	d.refused(on(speckl.Replace, now, old), speckl.ErrAct, "state idle", "reopen it first")
	d.refused(on(speckl.Replace, now, now), speckl.ErrAct, "twice")
	d.refused(on(speckl.Replace, now), speckl.ErrAct, "the old and the new")
	d.refused(on(speckl.Replace, now, d.one("transition idle->done")), speckl.ErrAct, "transition idle → done", "a state")
}

func TestMerge(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("The parked state has a timeout of 30s."),
		ben("spec: state idle { isInitial: true, entryActions: [beep] }"),
		ann("the pause state has a timeout of 60s"))
	parked, idle, pause := d.one("state parked"), d.one("state idle"), d.one("state pause")
	r := d.act(on(speckl.Merge, parked, idle, pause))
	e := d.one("state parked")
	same(t, "survivor", describe(e), "state entryActions=[beep] isInitial name=parked timeout=30s | 0.98 confirmed v2 explicit")
	same(t, "evidence is united", len(e.Evidence), len(parked.Evidence)+len(idle.Evidence)+len(pause.Evidence))
	for _, i := range e.Fields["isInitial"].Evidence {
		same(t, "isInitial rests on", e.Evidence[i].TurnID, "t2")
	}
	same(t, "scores are those of the number", e.Scores, idle.Scores)
	same(t, "diff", len(lastEntry(e).Diff.Changes), 2)
	for _, x := range []*sir.Element{d.one("state idle"), d.one("state pause")} {
		same(t, "other", string(x.Status)+" by "+x.ReplacedByID, "replaced by "+e.ID)
	}
	same(t, "summary", r.Summary, "Merged: state idle (initial), on entry beep and state pause, times out after 60s into state parked, times out after 30s.")
	same(t, "it rests on Ben's word, too", d.say(ben("spec: state parked { timeout: 90s }")).Conflicts, []sir.Conflict{})
	d.refused(on(speckl.Merge, e), speckl.ErrAct, "at least one other")
}

func TestResolve(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login))
	a := on(speckl.Resolve, d.one("transition ->main screen"))
	a.Option = 3
	d.refused(a, engine.ErrOption, "option 3", "2")
	a.Option = 2
	d.act(a)
	d.wants(
		"state name=main screen | 0.55 proposed v1 needsReview tentative",
		"transition event=the user logs in from=* to=main screen | 1 confirmed v2")
	e := d.one("transition *->main screen")
	same(t, "the others are kept", len(e.Interpretations), 2)
	same(t, "chosen", e.ResolvedInterpretationID, e.Interpretations[1].ID)
	same(t, "questions", len(d.document().Clarifications), 0)
	d.refused(a, speckl.ErrAct, "chosen")
	d.refused(on(speckl.Resolve, d.one("state main screen")), speckl.ErrAct, "one reading")
	d.act(on(speckl.Deprecate, e))
	d.refused(a, speckl.ErrAct, "reopen it first")
}

func TestResolveWhichOneIsMeant(t *testing.T) {
	t.Parallel()
	d := machines(t,
		ann("transition: idle -> loading on SEARCH"),
		ann("transition: results -> loading on SEARCH"),
		ann("On SEARCH it moves to loading."))
	a := on(speckl.Resolve, d.one("transition ->loading"))
	a.Option = 1
	d.act(a)
	same(t, "merged", len(d.one("transition idle->loading").Evidence), 2)
	same(t, "the new one", d.one("transition ->loading").Status, sir.Replaced)
	same(t, "questions", len(d.document().Clarifications), 0)
}

func TestRename(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	other := machines(t)
	old := d.name
	d.refused(speckl.Act{Kind: speckl.Rename, Name: other.name}, store.ErrExists)
	d.refused(speckl.Act{Kind: speckl.Rename, Name: old}, speckl.ErrAct, "that is its name")
	d.refused(speckl.Act{Kind: speckl.Rename, Name: " "}, speckl.ErrAct, "empty")
	r := d.act(speckl.Act{Kind: speckl.Rename, Name: old + "-renamed"})
	same(t, "name", d.document().Header.Name, old+"-renamed")
	same(t, "summary", r.Summary, `Renamed "`+old+`" to "`+old+`-renamed".`)
	_, err := d.client.Document(t.Context(), old)
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("under the old name: %v", err)
	}
	if r, err = d.client.Act(t.Context(), d.name, speckl.Act{Kind: speckl.Undo}); err != nil {
		t.Fatal(err)
	}
	d.name = old
	same(t, "undone", d.document().Header.Name, old)
	same(t, "summary", r.Summary, `Undone: rename `+old+`-renamed. The name is "`+old+`" again.`)
}

func TestTheSameActTwice(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"))
	a := on(speckl.Confirm, d.one("state idle"))
	a.ID = "act-1"
	d.act(a)
	before := d.json()
	r, err := d.client.Act(t.Context(), d.name, a)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "duplicates", r.Duplicates, []sir.Duplicate{{TurnID: "act-1"}})
	same(t, "document", string(d.json()), string(before))
	a.Kind = speckl.Reject
	d.refused(a, store.ErrTurn, "act-1")
}

func TestAnActIsWrittenDown(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("idle goes to loading"))
	e := d.one("transition idle->loading")
	at := int64(5000)
	d.act(speckl.Act{Kind: speckl.Correct, Elements: []string{e.ID}, Data: map[string]any{"guard": "x > 1", "event": nil, "actions": []string{"a b"}}, Reason: `"so"`, At: &at})
	d.act(speckl.Act{Kind: speckl.Deprecate, Elements: []string{e.ID}, Command: "deprecate transition:idle->loading"})
	var got []string
	for turn, err := range d.document().Turns {
		if err != nil {
			t.Fatal(err)
		}
		if turn.IsAct() {
			got = append(got, turn.SessionID+": "+turn.Content)
		}
	}
	same(t, "acts", got, []string{
		`acts: correct ` + e.ID + ` actions="[\"a b\"]" event=null guard="x > 1" --reason "\"so\""`,
		"acts: deprecate transition:idle->loading",
	})
	same(t, "changed at", *d.one("transition idle->loading").Provenance.Entries[1].Timestamp, at)
	same(t, "turns", d.document().Stats.TotalTurns, 1)
}
