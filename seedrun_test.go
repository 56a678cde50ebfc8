package speckl_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/llm/llmtest"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// seedRun is a case that was carried out.
type seedRun struct {
	*talk
	detection any
	after     map[string]snapshot // by turn
	steps     []snapshot          // by step
	stepOf    []int               // by step: the index of its last result
	failed    error               // of the act that was refused last
	request   string              // all that would be sent to a model
}

// snapshot is the document as JSON, with elements in the shape that the
// cases speak of: provenance is the list of its entries.
type snapshot struct {
	elements, candidates, clarifications []any
	stats                                any
}

func (r *seedRun) final() snapshot { return r.steps[len(r.steps)-1] }

// runSeedSteps carries out the steps of a case.
func runSeedSteps(t *testing.T, c *seedCase) *seedRun {
	t.Helper()
	r := &seedRun{after: map[string]snapshot{}}
	turns := map[string]sir.Turn{}
	var all []string
	for i, turn := range c.Turns {
		if turn.ID == "" {
			turn.ID = fmt.Sprintf("t%d", i+1)
		}
		turn.SessionID = "case"
		turns[turn.ID] = turn
		all = append(all, turn.ID)
	}
	switch c.Domain {
	case "(detect)":
		r.talk = detected(t, r, c.Turns)
	case "state-machine", "general":
		r.talk = about(t, c.Domain)
	default:
		r.talk = lacking(t, c.Domain)
	}
	steps := c.Steps
	if steps == nil {
		steps = []seedStep{{Do: "extract"}}
	}
	for _, step := range steps {
		switch {
		case step.LLM != nil || step.Do == "show-prompt":
			r.ask(step, all, turns)
		case step.Do == "answer":
			open := r.final().clarifications
			number, _ := at(open[step.Clarification], "number")
			r.answer(int(number.(float64)), step.Option)
		case step.Do == "extract" && r.detection == nil:
			ids := step.Turns
			if ids == nil {
				ids = all
			}
			if step.Mode == sir.Batch {
				r.batch(step, ids, turns)
				break
			}
			for _, id := range ids {
				r.sayIn(turns[id], step.Mode)
				r.after[id] = r.snapshot()
			}
		case step.Do == "act":
			r.carryOut(step)
		case step.Do == "show":
		case step.Do == "apply":
			result, err := r.client.Apply(t.Context(), r.name, r.last().Token)
			if err != nil {
				t.Fatal(err)
			}
			r.results = append(r.results, result)
		case step.Do != "extract":
			t.Fatalf("the runner knows no step %q", step.Do)
		}
		r.steps = append(r.steps, r.snapshot())
		r.stepOf = append(r.stepOf, len(r.results)-1)
	}
	return r
}

// ask reads turns with a model that gives the step's reply, each as it comes.
func (r *seedRun) ask(step seedStep, ids []string, turns map[string]sir.Turn) {
	reply := ""
	if step.LLM != nil {
		if reply = step.LLM.Raw; reply == "" {
			reply = string(step.LLM.Reply)
		}
	}
	s := llmtest.New(r.t, "openai", llmtest.Say(reply))
	c := asking(r.t, s, func(cfg *speckl.Config, _ *llm.Config) {
		cfg.Store, cfg.Mode, cfg.Model.Realtime = r.store, sir.Realtime, true
		cfg.Model.OnRequest = func(q speckl.ModelRequest) { r.request += q.System + q.Prompt }
	})
	for _, id := range ids {
		results, err := c.Post(r.t.Context(), r.name, turns[id], "")
		if err != nil {
			r.t.Fatal(err)
		}
		r.results = append(r.results, results...)
	}
}

// batch reads turns as one.
func (r *seedRun) batch(step seedStep, ids []string, turns map[string]sir.Turn) {
	list := make([]sir.Turn, len(ids))
	for i, id := range ids {
		list[i] = turns[id]
	}
	_, err := r.client.Ingest(r.t.Context(), r.name, inOrder(list), speckl.IngestOptions{
		Mode: sir.Batch, Batch: speckl.BatchOptions{ConfirmBeforeApply: step.Options.ConfirmBeforeApply},
		OnResult: func(res *sir.Result) error { r.results = append(r.results, res); return nil },
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// carryOut does an act, which may be refused.
func (r *seedRun) carryOut(step seedStep) {
	id := step.TargetID
	if step.Target != nil {
		id = r.one(step.Target.ElementType + " " + step.Target.Name).ID
	}
	result, err := r.client.Act(r.t.Context(), r.name, speckl.Act{Kind: step.Kind, Elements: []string{id}, Reason: step.Reason, ID: step.Turn})
	if r.failed = err; err == nil {
		r.results = append(r.results, result)
	}
}

// detected reads the turns as a conversation whose domain nobody named.
func detected(t *testing.T, r *seedRun, turns []sir.Turn) *talk {
	t.Helper()
	memory := store.NewMemory(store.Config{})
	c, err := speckl.Open(speckl.Config{Store: memory})
	if err != nil {
		t.Fatal(err)
	}
	d := &talk{t: t, client: c, store: memory, name: docName}
	seq := func(yield func(sir.Turn, error) bool) {
		for _, turn := range turns {
			if !yield(turn, nil) {
				return
			}
		}
	}
	_, err = c.Ingest(t.Context(), docName, seq, speckl.IngestOptions{
		OnDetect: func(_ []string, found sir.Detection) { r.detection = viaJSON(t, found) },
		OnResult: func(res *sir.Result) error { d.results = append(d.results, res); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// lacking is a document of a domain that the client does not have: another
// client, which has it, made the document.
func lacking(t *testing.T, id string) *talk {
	t.Helper()
	d := about(t, "general")
	d.name += "-" + id
	err := d.store.Update(t.Context(), store.RefTo("local", d.name), func(tx store.Tx) error {
		return tx.Create(sir.Header{Name: d.name, Domains: []string{id}})
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// snapshot reads the document.
func (r *seedRun) snapshot() snapshot {
	r.t.Helper()
	var doc struct {
		Elements, Candidates, Clarifications []any
		Stats                                any
	}
	if err := json.Unmarshal(r.json(), &doc); err != nil {
		r.t.Fatal(err)
	}
	for _, e := range doc.Elements {
		e := e.(map[string]any)
		e["provenance"], _ = at(e, "provenance.entries")
		e["repetitions"] = float64(turnsOf(e))
	}
	return snapshot{doc.Elements, doc.Candidates, doc.Clarifications, doc.Stats}
}

// turnsOf counts the turns whose words are an element's evidence.
func turnsOf(e any) int {
	seen := map[any]bool{}
	ids, _ := at(e, "evidence.turnId")
	list, _ := ids.([]any)
	for _, id := range list {
		seen[id] = true
	}
	return len(seen)
}

// result is the last result of a step, as JSON with whole elements.
func (r *seedRun) result(step int) any { return viaJSON(r.t, r.results[r.stepOf[step]]) }

func viaJSON(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
