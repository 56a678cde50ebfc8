package speckl_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// settings is a document of a small domain whose two rules have the bases
// that a test wants: "color means red" has the first, "color is now blue" the
// second.
func settings(t *testing.T, first, second float64, turns ...sir.Turn) *talk {
	t.Helper()
	d, err := domain.Load("settings.yaml", fmt.Appendf(nil, `
id: settings
name: Settings
types:
  - name: setting
    fields: [{name: name, kind: name}, {name: value}, {name: unit}]
    key: [name]
    slot: [name]
triggers: {pattern: {base: 0.50, cap: 0.99}}
patterns:
  - {id: means, phrases: ["{name:name} means {value:word}", "{name:name} means {value:word} in {unit:word}"], gives: "setting { name, value, unit }", base: %v}
  - {id: now, phrases: ["{name:name} is now {value:word}", "{name:name} is now {value:word} in {unit:word}"], gives: "setting { name, value, unit }", base: %v}
`, first, second))
	if err != nil {
		t.Fatal(err)
	}
	memory := store.NewMemory(store.Config{})
	c, err := speckl.Open(speckl.Config{Store: memory, Domains: []*domain.Domain{d}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(t.Context(), docName, "settings"); err != nil {
		t.Fatal(err)
	}
	k := &talk{t: t, client: c, store: memory, name: docName}
	for _, turn := range turns {
		k.say(turn)
	}
	return k
}

func confidence(f float64) sir.Confidence { return sir.Confidence(math.Round(f * 10000)) }

// decides runs a case about the default thresholds.
func decides(t *testing.T, c *seedCase) {
	t.Helper()
	d, err := domain.Load("empty.yaml", []byte("id: empty\nname: Empty\ntypes: [{name: thing, fields: [{name: name}], key: [name]}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	place, flags := engine.Decide(d.Thresholds, confidence(c.Steps[0].Confidence), false)
	got := map[string]any{"decision": map[string]any{
		"where": string(place), "flags": viaJSON(t, flags), "counted": place == engine.Discarded,
	}}
	if m := mismatch(c.Expect, got); m != "" {
		t.Error(m)
	}
}

// settlesConflict runs a case about two statements of two people that
// contradict each other, with confidences that the case sets.
func settlesConflict(t *testing.T, c *seedCase) {
	t.Helper()
	step := c.Steps[0]
	d := settings(t, step.Existing, step.Incoming, ann("Color means red."), ben("Color is now blue."))
	doc, r := d.document(), d.last()
	if len(doc.Elements) == 0 {
		t.Fatalf("nothing was found: %+v", d.results)
	}
	got := map[string]any{"existing": viaJSON(t, doc.Elements[0])}
	action := "reject"
	switch {
	case len(doc.Elements) == 2:
		action = "replace"
		got["incoming"] = viaJSON(t, doc.Elements[1])
	case doc.Elements[0].Flags.IsContradicted:
		action = "flag_conflict"
	}
	got["decision"] = map[string]any{"action": action}
	if len(r.Conflicts) == 1 {
		got["conflict"] = viaJSON(t, r.Conflicts[0])
	}
	if m := mismatch(c.Expect, got); m != "" {
		t.Errorf("%s\n%v", m, lines(doc.Elements))
	}
}
