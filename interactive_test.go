package speckl_test

import (
	"errors"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// login is ambiguous: a phase, or an event.
const login = "when the user logs in, go to the main screen."

func TestInteractiveAsksInsteadOfGuessing(t *testing.T) {
	t.Parallel()
	d := machines(t)
	r := d.asks(ann(login))
	d.wants()
	same(t, "status", r.Status, "clarification_needed")
	same(t, "flagged", len(r.Flagged), 1)
	same(t, "reason", r.Flagged[0].Reason, sir.IsAmbiguous)
	same(t, "context", r.Clarifications[0].Context, "when the user logs in, go to the main screen")
	same(t, "options", len(r.Clarifications[0].Options), 2)
	same(t, "it is stored", d.document().Clarifications, r.Clarifications)
	same(t, "number", r.Clarifications[0].Number, 1)
}

func TestWhatIsClearIsAppliedAtOnce(t *testing.T) {
	t.Parallel()
	d := machines(t)
	r := d.asks(ann("When the user logs in, go to the main screen. The app starts in a splash state. The idle state has a timeout of 30s."))
	d.wants(
		"state isInitial name=splash | 0.55 proposed v1 needsReview tentative",
		"state name=idle timeout=30s | 0.7 proposed v1 needsReview tentative")
	same(t, "asked", len(r.Clarifications), 1)
}

func TestAnAnswer(t *testing.T) {
	t.Parallel()
	asState := "transition from=login to=main screen | 1 confirmed v1"
	asEvent := "transition event=the user logs in from=* to=main screen | 1 confirmed v1"
	main := "state name=main screen | 0.55 proposed v1 needsReview tentative"
	loginState := "state name=login | 0.55 proposed v1 needsReview tentative"
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"1", []string{asState, main, loginState}},
		{"2", []string{asEvent, main}},
		{"2.", []string{asEvent, main}},
		{"(b)", []string{asEvent, main}},
		{"A", []string{asState, main, loginState}},
		{"b", []string{asEvent, main}},
		{"the login event triggers a transition from any state to main screen", []string{asEvent, main}},
		{"It's an event.", []string{asEvent, main}},
		{"the event!", []string{asEvent, main}},
	} {
		d := machines(t)
		d.asks(ann(login))
		r := d.asks(ben(c.words))
		d.wants(c.want...)
		same(t, c.words+" is answered", len(d.document().Clarifications), 0)
		same(t, c.words+" gives no element itself", len(r.Flagged), 0)
	}
}

func TestAnAnswerConfirms(t *testing.T) {
	t.Parallel()
	d := machines(t)
	d.asks(ann(login))
	d.asks(ben("2"))
	e := d.one("transition *->main screen")
	same(t, "history", actions(e), []string{"extracted t2 by a human"})
	same(t, "the others are kept", len(e.Interpretations), 2)
	same(t, "chosen", e.ResolvedInterpretationID, e.Interpretations[1].ID)
	same(t, "attribution", e.Attribution, sir.Attribution{Type: sir.ByHuman, SpeakerID: "Ben"})
	quotes := map[string]bool{}
	for _, v := range e.Evidence {
		quotes[v.Quote] = true
	}
	if !quotes["when the user logs in, go to the main screen"] {
		t.Errorf("the answer's element does not quote the words that it settles: %v", quotes)
	}
}

func TestOtherTurnsLeaveTheQuestionOpen(t *testing.T) {
	t.Parallel()
	for _, turn := range []sir.Turn{ben("lunch?"), ben("3"), ben("0"), ben("z"), ben("it goes from open to ajar"), ben("closed is an end state"), bot("2"), ben("👍")} {
		d := machines(t)
		d.asks(ann(login))
		d.asks(turn)
		same(t, turn.Content, len(d.document().Clarifications), 1)
	}
	d := machines(t)
	d.asks(ann(login))
	d.asks(ben("closed is an end state"))
	d.wants("state isFinal name=closed | 0.55 proposed v1 needsReview tentative")
	d.asks(ben("2"))
	same(t, "answered later", len(d.document().Clarifications), 0)
}

func TestARealtimeTurnIsNoAnswer(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login))
	d.say(ben("2"))
	same(t, "open", len(d.document().Clarifications), 1)
}

func TestInRealtimeTheAmbiguousElementEnters(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login))
	d.wants(
		"state name=main screen | 0.55 proposed v1 needsReview tentative",
		"transition to=main screen | 0.55 proposed v1 needsReview tentative ambiguous")
	e := d.one("transition ->main screen")
	same(t, "readings", []sir.Confidence{e.Interpretations[0].Confidence, e.Interpretations[1].Confidence}, []sir.Confidence{5500, 5000})
	same(t, "ambiguities", len(d.last().Ambiguities), 1)
	d.answer(1, 2)
	d.wants(
		"state name=main screen | 0.55 proposed v1 needsReview tentative",
		"transition event=the user logs in from=* to=main screen | 1 confirmed v2")
	same(t, "history", actions(d.one("transition *->main screen"))[0], "extracted t1")
}

func TestTheSameAmbiguityTwice(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login), ben(login), bot(login))
	e := d.one("transition ->main screen")
	same(t, "said again by a human", describe(e), "transition to=main screen | 0.6 proposed v2 needsReview tentative ambiguous")
	same(t, "asked once", len(d.document().Clarifications), 1)

	d = machines(t)
	d.asks(ann(login))
	r := d.asks(ben(login))
	same(t, "asked once", len(d.document().Clarifications), 1)
	same(t, "and it is said why not again", reasons(r), []string{"already_asked"})
}

func TestWhatWasAnsweredIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	for _, first := range []sir.Mode{sir.Realtime, sir.Interactive} {
		for _, second := range []sir.Mode{sir.Realtime, sir.Interactive} {
			d := machines(t)
			d.sayIn(ann(login), first)
			d.answer(1, 2)
			before := d.one("transition *->main screen")
			d.sayIn(ben(login), second)
			e := d.one("transition *->main screen")
			same(t, "status", e.Status, sir.Confirmed)
			same(t, "version", e.Version, before.Version+1)
			same(t, "questions", len(d.document().Clarifications), 0)
			same(t, "ambiguous", e.Flags.IsAmbiguous, false)
		}
	}
}

func TestAnEventNounHasThreeReadings(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("After authentication, go to the dashboard."))
	e := d.one("transition ->dashboard")
	same(t, "first", e.Confidence, 5500)
	var got []string
	for _, r := range e.Interpretations {
		got = append(got, values(r.Data)+" "+r.Confidence.String())
	}
	same(t, "readings", got, []string{
		" from=authentication to=dashboard 0.55",
		" event=authentication from=* to=dashboard 0.5",
		" guard=authentication to=dashboard 0.45",
	})
}

func TestWhatRemovesTheAmbiguity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		turns []sir.Turn
	}{
		{"an instant", []sir.Turn{ann("After the timeout, go to the dashboard.")}},
		{"a named source", []sir.Turn{ann("After authentication, it goes from splash to the dashboard.")}},
		{"a quoted label", []sir.Turn{ann("After 'Sign in', go to the dashboard.")}},
		{"a declared event", []sir.Turn{ann("event: authentication"), ann("After authentication, go to the dashboard.")}},
		{"a declared state", []sir.Turn{ann("state: authentication"), ann("After authentication, go to the dashboard.")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := machines(t, c.turns...)
			same(t, "questions", len(d.last().Clarifications), 0)
			for _, e := range d.document().Elements {
				if e.Flags.IsAmbiguous {
					t.Errorf("ambiguous: %s", describe(e))
				}
			}
		})
	}
}

func TestASelfContradictionAsksInAnyMode(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("The idle state has a timeout of 30s. The idle state has a timeout of 60s."))
	d.wants("state name=idle | 0.7 proposed v1 needsReview tentative ambiguous")
	q := d.last().Clarifications[0]
	same(t, "options", len(q.Options), 2)
	d.answer(q.Number, 2)
	d.wants("state name=idle timeout=60s | 1 confirmed v2")
}

func TestASelfContradictionAboutTheConfirmedAsks(t *testing.T) {
	t.Parallel()
	d := machines(t, ann("state: idle"), ann("The idle state has a timeout of 30s. The idle state has a timeout of 60s."))
	same(t, "questions", len(d.last().Clarifications), 1)
	same(t, "what was confirmed stays so", describe(d.one("state idle")), "state name=idle | 0.98 confirmed v2 needsReview ambiguous explicit")
}

func TestLowConfidenceAsksInInteractiveMode(t *testing.T) {
	t.Parallel()
	d := machines(t)
	r := d.asks(bot("loading transitions to ready"))
	d.wants()
	same(t, "asks", len(r.Clarifications), 1)
	d.answer(r.Clarifications[0].Number, 1)
	same(t, "kept", d.one("transition loading->ready").Status, sir.Confirmed)

	for _, no := range []string{"no", "No, leave it out.", "2"} {
		d = machines(t)
		d.asks(bot("loading transitions to ready"))
		d.asks(ann(no))
		d.wants()
		same(t, "settled", len(d.document().Clarifications), 0)
	}
	d = machines(t)
	d.asks(bot("loading transitions to ready"))
	d.asks(ann("yes"))
	same(t, "kept by a plain yes", d.one("transition loading->ready").Status, sir.Confirmed)
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login))
	_, err := d.client.Act(t.Context(), d.name, speckl.Act{Kind: speckl.Answer, Question: 1, Option: 3})
	if !errors.Is(err, engine.ErrOption) {
		t.Errorf("option 3 of 2: %v", err)
	}
	_, err = d.client.Act(t.Context(), d.name, speckl.Act{Kind: speckl.Answer, Question: 9, Option: 1})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("question 9: %v", err)
	}
	d.answer(1, 1)
	_, err = d.client.Act(t.Context(), d.name, speckl.Act{Kind: speckl.Answer, Question: 1, Option: 2})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("answered twice: %v", err)
	}
}

func TestAnActIsATurnThatExtractionNeverReads(t *testing.T) {
	t.Parallel()
	d := machines(t, ann(login))
	d.answer(1, 2)
	doc := d.document()
	var acts []string
	for turn, err := range doc.Turns {
		if err != nil {
			t.Fatal(err)
		}
		if turn.IsAct() {
			acts = append(acts, turn.Content)
		}
	}
	same(t, "acts", acts, []string{"answer 1 2"})
	same(t, "turns", doc.Stats.TotalTurns, 1)
}
