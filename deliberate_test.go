package speckl_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// three are the debaters that need no model.
var three = []string{"strict", "broad", "structure"}

// debaters configures debaters by their ids.
func debaters(ids ...string) []speckl.DebaterConfig {
	var out []speckl.DebaterConfig
	for _, id := range ids {
		out = append(out, speckl.DebaterConfig{ID: id})
	}
	return out
}

// debated reads turns in mode deliberative.
func debated(t *testing.T, cfg speckl.Config, domain string, turns ...sir.Turn) *talk {
	t.Helper()
	cfg.Mode = sir.Deliberative
	d := configured(t, cfg, domain)
	for _, turn := range turns {
		d.say(turn)
	}
	return d
}

// TestDebatersAndTheirConsensus: what each debater makes of a passage alone,
// and what they agree on.
func TestDebatersAndTheirConsensus(t *testing.T) {
	t.Parallel()
	var passages []struct {
		ID, Domain string
		Turns      []string
		Want       map[string][]string
	}
	raw, err := os.ReadFile("testdata/deliberations.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &passages); err != nil {
		t.Fatal(err)
	}
	for _, p := range passages {
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			got := map[string][]string{}
			for _, who := range append([]string{"consensus"}, three...) {
				cfg := speckl.Config{Debaters: debaters(who)}
				if who == "consensus" {
					cfg.Debaters = nil
				}
				d := debated(t, cfg, p.Domain)
				for _, words := range p.Turns {
					d.say(ann(words))
				}
				list := []string{}
				for _, e := range d.document().Elements {
					list = append(list, e.ElementType+values(e.Data))
				}
				slices.Sort(list)
				got[who] = list
			}
			for _, who := range three {
				if slices.Equal(got[who], got["consensus"]) {
					t.Errorf("%s alone makes of it what all do", who)
				}
			}
			if diff := cmp.Diff(p.Want, got); diff != "" {
				raw, _ := json.MarshalIndent(got, "", "  ")
				t.Errorf("(-want +got):\n%s\n%s", diff, raw)
			}
		})
	}
}

const hall = "The idle state has a timeout of 30s. Closed is a final state. While in hold, the valve is open. When it rings, it goes to loading."

func TestADebateIsOnRecord(t *testing.T) {
	t.Parallel()
	d := debated(t, speckl.Config{}, "state-machine", ann(hall))
	r := d.last()
	same(t, "mode", r.Mode, sir.Deliberative)
	same(t, "degraded", r.Metadata.Degraded, false)
	debate := r.Metadata.Deliberation
	same(t, "debaters", debate.Debaters, three)
	same(t, "synthesizer", debate.Synthesizer, "strict")
	for _, x := range debate.Debated {
		same(t, "critiques of "+x.Statement, len(x.Critiques), 2*len(x.Proposals))
		for _, c := range x.Critiques {
			if !c.Verdict.Valid() || c.Reason == "" || c.Critic == c.Proposer {
				t.Errorf("a critique is %+v", c)
			}
		}
	}
	e := d.one("state idle")
	same(t, "attribution", e.Attribution, sir.Attribution{Type: sir.ByConsensus, Agents: []string{"strict", "broad"}})
	why := e.Provenance.Entries[0].ExtractionRationale
	for _, part := range []string{"supported by strict and broad", "structure doubts it: nothing that it names stands anywhere else"} {
		if !strings.Contains(why, part) {
			t.Errorf("the rationale does not say %q: %s", part, why)
		}
	}
	same(t, "what is implied has the same debaters", d.one("state loading").Attribution, d.one("transition ->loading").Attribution)
	same(t, "left out", reasons(r), []string{"no_consensus"})
	x := r.Dropped[0]
	same(t, "its words", x.Text, "While in hold, the valve is open")
	for _, part := range []string{"supported by broad", "strict opposes it: only the weak rule while-in finds it", "structure doubts it"} {
		if !strings.Contains(x.Detail, part) {
			t.Errorf("the detail does not say %q: %s", part, x.Detail)
		}
	}
	same(t, "a turn that says nothing has no debate", d.say(ann("ok")).Metadata.Deliberation, nil)
}

func TestWhatAPersonWritesIsConfirmedAndAgreedOn(t *testing.T) {
	t.Parallel()
	d := debated(t, speckl.Config{}, "state-machine", ann("state: idle"))
	d.wants("state name=idle | 0.98 confirmed v1 explicit")
	same(t, "attribution", d.one("state idle").Attribution, sir.Attribution{Type: sir.ByConsensus, Agents: three})
}

// TestADebateNeverSettlesWhatAPersonMust: statements that contradict each
// other, or the document, are asked about, though too few support them.
func TestADebateNeverSettlesWhatAPersonMust(t *testing.T) {
	t.Parallel()
	for _, who := range append([][]string{three}, []string{"strict"}, []string{"broad"}, []string{"structure"}) {
		cfg := speckl.Config{Debaters: debaters(who...)}
		d := debated(t, cfg, "state-machine", ann("I think the idle timeout is 30s. I think the idle timeout is 60s."))
		same(t, fmt.Sprint(who, " asks"), len(d.last().Clarifications), 1)

		d = debated(t, cfg, "state-machine", ann("spec: state idle { timeout: 30s }"), ben("The idle timeout is 60s."))
		same(t, fmt.Sprint(who, " keeps a later word"), len(d.last().Conflicts), 1)
		same(t, "the document", d.one("state idle").Data["timeout"], any("30s"))
	}
}

// rooms is a small domain whose sure rule finds links between rooms.
func rooms(t *testing.T, hooks any) *domain.Domain {
	t.Helper()
	d, err := domain.Load("rooms.yaml", []byte(`
id: rooms
name: Rooms
types:
  - name: room
    fields: [{name: name, kind: name}]
    key: [name]
  - name: door
    fields: [{name: from, kind: name, ref: room}, {name: to, kind: name, ref: room}]
    key: [from, to]
markers: [{prefix: "room:", type: room}, {prefix: "door:", type: door}]
patterns:
  - {id: door, phrases: ["{from:name} leads to {to:name}"], gives: "door { from, to }", base: 0.75}
`))
	if err != nil {
		t.Fatal(err)
	}
	d.Hooks = hooks
	return d
}

// fits is a domain's check that passes, or panics for what is marked.
type fits struct{ panics bool }

func (f fits) Check(c *domain.Candidate, _ []*sir.Element) (pass, asked int) {
	if f.panics && c.Trigger == domain.TriggerMarker {
		panic("no such door")
	}
	return 1, 1
}

func TestConsensusIsAsSureAsTheLeastSure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		who  []string
		want sir.Confidence
	}{{[]string{"broad"}, 9000}, {[]string{"structure"}, 9000}, {[]string{"strict"}, 7500}, {three, 7500}, {[]string{"broad", "structure"}, 9000}} {
		d := debated(t, speckl.Config{Debaters: debaters(c.who...), Domains: []*domain.Domain{rooms(t, fits{})}}, "rooms",
			ann("room: hall"), ann("Hall leads to cellar."))
		for _, e := range d.document().Elements {
			if e.ElementType == "door" {
				same(t, fmt.Sprint(c.who), e.Confidence, c.want)
			}
		}
	}
}

func TestADebaterThatFailsIsLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		debaters []speckl.DebaterConfig
		failed   []string
		took     []string
	}{
		{debaters("strict", "lawyer", "broad"), []string{"debater_failed: lawyer: it needs a model, and no provider is set"}, []string{"strict", "broad"}},
		{[]speckl.DebaterConfig{{ID: "strict", Model: "big-1", Role: speckl.Synthesizer}, {ID: "broad"}}, []string{"debater_failed: strict: model big-1: it needs a model, and no provider is set"}, []string{"broad"}},
		{debaters("structure", "strict"), []string{"debater_failed: structure: panic: no such door"}, []string{"strict"}},
		{debaters("lawyer"), []string{"debater_failed: lawyer: it needs a model, and no provider is set"}, nil},
	} {
		d := debated(t, speckl.Config{Debaters: c.debaters, Domains: []*domain.Domain{rooms(t, fits{panics: true})}}, "rooms",
			ann("room: hall"), ann("door: hall"))
		m := d.last().Metadata
		if m.Deliberation == nil {
			m.Deliberation = &sir.Deliberation{}
		}
		same(t, "degraded", m.Degraded, true)
		same(t, "reasons", m.DegradedReasons, c.failed)
		same(t, "took part", m.Deliberation.Debaters, c.took)
		d.wants("room name=hall | 0.98 confirmed v1 explicit", "door from=hall | 0.98 confirmed v1 explicit")
	}
}

func TestWhoDrawsTheConsensus(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][]speckl.DebaterConfig{
		"broad":     {{ID: "strict", Role: speckl.Proposer}, {ID: "broad", Role: speckl.Synthesizer}, {ID: "structure", Role: speckl.Critic}},
		"structure": {{ID: "structure"}, {ID: "broad"}},
		"strict":    {{ID: "gone", Role: speckl.Synthesizer}, {ID: "strict"}, {ID: "broad"}},
	} {
		d := debated(t, speckl.Config{Debaters: all}, "state-machine", ann("state: idle"))
		same(t, "synthesizer", d.last().Metadata.Deliberation.Synthesizer, want)
	}
}

func TestDebatersThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, all := range [][]speckl.DebaterConfig{{{}}, debaters("strict", "strict"), {{ID: "strict", Role: "judge"}}} {
		if _, err := speckl.Open(speckl.Config{Debaters: all}); err == nil {
			t.Errorf("opened with %+v", all)
		}
	}
}

// TestAnyDebate: the same turns give the same bytes, however many threads
// debate, and the document is sound. It is not parallel, for it sets
// GOMAXPROCS.
func TestAnyDebate(t *testing.T) {
	clients := [2]*talk{fresh(t), fresh(t)}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		turns := rapid.SliceOfN(rapid.Custom(drawTurn), 1, 6).Draw(r, "turns")
		domains := rapid.SampledFrom([][]string{{"state-machine"}, {"state-machine", "general"}}).Draw(r, "domains")
		var out [2]string
		for i, d := range clients {
			runtime.GOMAXPROCS(1 + 3*i)
			k := &talk{t: t, client: d.client, store: d.store, name: fmt.Sprintf("debate-%d", n)}
			if err := k.client.Create(t.Context(), k.name, domains...); err != nil {
				r.Fatal(err)
			}
			for _, turn := range turns {
				turn.Metadata = &sir.Metadata{Mode: sir.Deliberative}
				if err := k.read(turn); err != nil {
					r.Fatal(err)
				}
			}
			if err := k.sound(); err != nil {
				r.Fatal(err)
			}
			if err := k.unlikeEachOther(); err != nil {
				r.Fatal(err)
			}
			out[i] = k.bytes(r) + k.stored()
		}
		if out[0] != out[1] {
			r.Fatalf("the same turns gave other bytes:\n%s", cmp.Diff(out[0], out[1]))
		}
	})
}
