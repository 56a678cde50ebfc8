package speckl_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// switching is a document of a client that switches to interactive mode.
func switching(t *testing.T, when speckl.AutoSwitch) *talk {
	t.Helper()
	return configured(t, speckl.Config{AutoSwitch: when, MinBatchSize: 1}, "state-machine")
}

// unsure is too unsure to enter.
const unsure = "loading transitions to ready"

func TestAnAmbiguousTurnSwitchesToInteractive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		when  speckl.AutoSwitch
		asked string
		mode  sir.Mode
		want  []string
	}{
		{"", "login", sir.Realtime, []string{"state name=main screen", "transition to=main screen"}},
		{speckl.SwitchNever, "login", sir.Realtime, []string{"state name=main screen", "transition to=main screen"}},
		{speckl.SwitchOnAmbiguity, "login", sir.Interactive, nil},
		{speckl.SwitchOnLowConfidence, "login", sir.Interactive, nil},
		{speckl.SwitchNever, "", sir.Realtime, nil},
		{speckl.SwitchOnAmbiguity, "", sir.Realtime, nil},
		{speckl.SwitchOnLowConfidence, "keep", sir.Interactive, nil},
	} {
		words := bot(unsure)
		if c.asked == "login" {
			words = ann(login)
		}
		d := switching(t, c.when)
		r := d.say(words)
		what := fmt.Sprintf("%q %s", c.when, c.asked)
		same(t, what+": mode", r.Mode, c.mode)
		same(t, what+": asks", len(r.Clarifications), min(len(c.asked), 1))
		var got []string
		for _, e := range d.document().Elements {
			got = append(got, e.ElementType+values(e.Data))
		}
		slices.Sort(got)
		same(t, what+": entered", got, c.want)
	}
}

func TestWhatIsClearInATurnThatSwitchesEnters(t *testing.T) {
	t.Parallel()
	d := switching(t, speckl.SwitchOnAmbiguity)
	r := d.say(ann("The idle state has a timeout of 30s. When the user logs in, go to the main screen."))
	d.wants("state name=idle timeout=30s | 0.7 proposed v1 needsReview tentative")
	same(t, "mode", r.Mode, sir.Interactive)
	same(t, "a clear turn stays as it is", d.say(ann("state: idle")).Mode, sir.Realtime)
}

func TestAPlainTurnAnswersWhatAnAutoSwitchAsked(t *testing.T) {
	t.Parallel()
	for _, mode := range []sir.Mode{sir.Realtime, sir.Batch, sir.Deliberative, sir.Interactive} {
		d := switching(t, speckl.SwitchOnAmbiguity)
		d.say(ann(login))
		r := d.sayIn(ben("2"), mode)
		same(t, "mode", r.Mode, sir.Interactive)
		same(t, "open", len(d.document().Clarifications), 0)
		same(t, "status", d.one("transition *->main screen").Status, sir.Confirmed)
	}
	d := switching(t, speckl.SwitchNever)
	d.asks(ann(login))
	d.say(ben("2"))
	same(t, "without a switch it takes an act", len(d.document().Clarifications), 1)
}

func TestABatchThatAsksAndIsAnswered(t *testing.T) {
	t.Parallel()
	d := switching(t, speckl.SwitchOnAmbiguity)
	r := d.batch(speckl.BatchOptions{}, ann(login), ben("ok"), ann("state: idle"))[0]
	same(t, "mode", r.Mode, sir.Batch)
	same(t, "notes", r.Metadata.Notes, []string{"turn b1 was read as interactive"})
	same(t, "status", r.Status, sir.ClarificationNeeded)
	same(t, "asks", len(r.Clarifications), 1)
	same(t, "added", changesOf(r.Added), []string{"created state name=idle | 0.98 confirmed v1 explicit"})

	d = switching(t, speckl.SwitchOnAmbiguity)
	r = d.batch(speckl.BatchOptions{}, ann(login), ben("2"), ann("state: idle"))[0]
	same(t, "status", r.Status, "")
	same(t, "ambiguities", len(r.Ambiguities), 0)
	same(t, "asks", len(r.Clarifications), 0)
	same(t, "flagged", len(r.Flagged), 0)
	same(t, "added", changesOf(r.Added), []string{
		"created transition event=the user logs in from=* to=main screen | 1 confirmed v1",
		"created state name=main screen | 0.55 proposed v1 needsReview tentative",
		"created state name=idle | 0.98 confirmed v1 explicit"})
}

// TestASelfContradictionAsks: in every mode, whatever the switch, whoever
// debates, and however unsure the words are.
func TestASelfContradictionAsks(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"The idle state has a timeout of 30s. The idle state has a timeout of 60s.",
		"I think the idle timeout is 30s. I think the idle timeout is 60s.",
		"On GO, idle goes to loading. On GO, idle goes to ready.",
		"state: idle\nspec: state idle { timeout: 30s }\nspec: state idle { timeout: 60s }",
	} {
		for _, mode := range []sir.Mode{sir.Realtime, sir.Batch, sir.Deliberative, sir.Interactive} {
			for _, when := range []speckl.AutoSwitch{speckl.SwitchNever, speckl.SwitchOnAmbiguity, speckl.SwitchOnLowConfidence} {
				d := switching(t, when)
				r := d.sayIn(ann(words), mode)
				what := fmt.Sprint(mode, " ", when, " ", words)
				same(t, what+": asks", len(r.Clarifications), 1)
				same(t, what+": status", r.Status, sir.ClarificationNeeded)
				if len(r.Clarifications) == 1 {
					same(t, what+": options", len(r.Clarifications[0].Options), 2)
				}
				for _, e := range d.document().Elements {
					if v := e.Data["timeout"]; v != nil {
						t.Errorf("%s: one of two was chosen: %s", what, describe(e))
					}
				}
			}
		}
	}
}

func TestSwitchesThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, cfg := range []speckl.Config{{AutoSwitch: "always"}, {MinBatchSize: -1}, {Mode: "thorough"}} {
		if _, err := speckl.Open(cfg); err == nil {
			t.Errorf("opened with %+v", cfg)
		}
	}
	d := machines(t)
	if _, err := d.ingest(speckl.IngestOptions{Mode: "thorough"}, ann("ok")); err == nil {
		t.Error("read in an unknown mode")
	}
	if _, err := d.client.Post(t.Context(), d.name, ann("ok"), "thorough"); err == nil {
		t.Error("posted in an unknown mode")
	}
}

// TestAnyMode: documents are sound whatever is said in whatever mode and with
// whatever switch; where a turn switched, nothing ambiguous entered.
func TestAnyMode(t *testing.T) {
	t.Parallel()
	clients := map[speckl.AutoSwitch]*talk{}
	for _, when := range []speckl.AutoSwitch{speckl.SwitchNever, speckl.SwitchOnAmbiguity, speckl.SwitchOnLowConfidence} {
		clients[when] = configured(t, speckl.Config{AutoSwitch: when})
	}
	modes := []sir.Mode{sir.Realtime, sir.Batch, sir.Batch, sir.Deliberative, sir.Interactive}
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		d := *clients[rapid.SampledFrom([]speckl.AutoSwitch{speckl.SwitchNever, speckl.SwitchOnAmbiguity, speckl.SwitchOnLowConfidence}).Draw(r, "switch")]
		d.name = fmt.Sprintf("any-mode-%d", n)
		if err := d.client.Create(t.Context(), d.name, "state-machine"); err != nil {
			r.Fatal(err)
		}
		turns := rapid.SliceOfN(rapid.Custom(drawTurn), 1, 10).Draw(r, "turns")
		for i := range turns {
			turns[i].Metadata = &sir.Metadata{Mode: rapid.SampledFrom(modes).Draw(r, "mode")}
		}
		results, err := d.ingest(speckl.IngestOptions{}, turns...)
		if err != nil {
			r.Fatal(err)
		}
		d.stored()
		if err := d.sound(); err != nil {
			r.Fatal(err)
		}
		for _, x := range results {
			for _, c := range x.Added {
				if x.Mode == sir.Interactive && c.Element.Flags.IsAmbiguous {
					r.Fatalf("%s entered in interactive mode", describe(c.Element))
				}
			}
		}
	})
}
