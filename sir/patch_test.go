package sir

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// canon is the canonical form of what can be encoded.
func canon(t interface {
	Helper()
	Fatal(...any)
}, v any) string {
	t.Helper()
	b, err := Canonical(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// drawElement draws the next version of an element; nil gives a first one.
func drawElement(t *rapid.T, old *Element) *Element {
	word := rapid.SampledFrom([]string{"a", "b", "c", ""})
	e := &Element{ID: "e", Domain: "d", Version: 1, Evidence: []Evidence{}}
	if old != nil {
		copied := *old
		e = &copied
		e.Version++
	}
	e.ElementType = rapid.SampledFrom([]string{"state", "state", "event"}).Draw(t, "type")
	e.Confidence = Confidence(rapid.IntRange(0, 10000).Draw(t, "confidence"))
	e.Status = rapid.SampledFrom([]Status{Proposed, Confirmed, Error}).Draw(t, "status")
	e.Data = Data(rapid.MapOfN(word, anyValue(1), 0, 4).Draw(t, "data"))
	e.Fields = rapid.MapOfN(word, rapid.Custom(func(t *rapid.T) Field {
		return Field{Confidence: 5, Evidence: []int{rapid.IntRange(0, 2).Draw(t, "index")}, Rule: rapid.Ptr(word, true).Draw(t, "rule")}
	}), 0, 3).Draw(t, "fields")
	for range rapid.IntRange(0, 2).Draw(t, "evidence") {
		e.Evidence = append(slices.Clip(e.Evidence), Evidence{TurnID: word.Draw(t, "turn"), Quote: "q", Match: Verbatim})
	}
	for range rapid.IntRange(0, 2).Draw(t, "entries") {
		e.Provenance.Entries = append(slices.Clip(e.Provenance.Entries), Entry{
			Action: ActionRefined, Version: e.Version,
			Diff: &Diff{Changes: []FieldChange{{Field: "state.a", NewValue: anyValue(1).Draw(t, "new")}}},
		})
	}
	e.Keys = append(slices.Clip(e.Keys), rapid.SliceOfN(word, 0, 1).Draw(t, "keys")...)
	e.Terms = rapid.SliceOfN(word, 0, 2).Draw(t, "terms")
	e.Refs = rapid.SliceOfN(rapid.Just(Ref{"from", "x"}), 0, 2).Draw(t, "refs")
	e.Interpretations = rapid.SliceOfN(rapid.Just(Interpretation{ID: "i", Data: Data{"n": int64(1)}}), 0, 2).Draw(t, "readings")
	e.ReplacesID, e.ReplacedByID = word.Draw(t, "replaces"), word.Draw(t, "replaced by")
	e.ResolvedInterpretationID = word.Draw(t, "resolved")
	e.Attribution = Attribution{Type: ByAgent, Agents: rapid.SliceOfN(word, 0, 1).Draw(t, "agents")}
	e.Scores = Scores{Trigger: word.Draw(t, "trigger"), Modifiers: rapid.SliceOfN(rapid.Just(Modifier{"hedge", -500}), 0, 1).Draw(t, "modifiers")}
	e.Flags.NeedsReview = rapid.Bool().Draw(t, "review")
	return e
}

// TestDiffApply: the difference, applied, gives the new version, directly and
// by way of the log; the old version stays as it was.
func TestDiffApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := drawElement(t, nil)
		old.Version = 1
		first, err := ApplyElement(nil, &Mutation{Kind: Created, ElementID: "e", Version: 1, Body: &Payload{Element: old}})
		if err != nil {
			t.Fatal(err)
		}
		was := canon(t, first)
		next := drawElement(t, first)
		p, err := DiffElements(first, next)
		if err != nil {
			t.Fatal(err)
		}
		m := Mutation{Kind: Updated, ElementID: "e", Version: 2, Body: &Payload{Patch: &p}}
		got, err := ApplyElement(first, &m)
		if err != nil {
			t.Fatal(err)
		}
		m.Payload, m.Body = json.RawMessage(canon(t, m.Body)), nil
		again, err := ApplyElement(first, &m)
		if err != nil {
			t.Fatal(err)
		}
		if canon(t, got) != canon(t, next) || canon(t, again) != canon(t, next) {
			t.Fatalf("\ngot   %s\nagain %s\nwant  %s", canon(t, got), canon(t, again), canon(t, next))
		}
		if canon(t, first) != was {
			t.Fatalf("the old version became %s", canon(t, first))
		}
		if p, err := DiffElements(next, next); err != nil || canon(t, p) != "{}" {
			t.Fatalf("no difference is %s, %v", canon(t, p), err)
		}
	})
}

func TestDiffElementsRewritten(t *testing.T) {
	at := int64(1)
	old := Element{
		ID: "e", Domain: "d", Evidence: []Evidence{{Quote: "a"}, {Quote: "b"}}, Keys: []string{"k"},
		Provenance: Provenance{Entries: []Entry{{Version: 1}}},
	}
	for name, change := range map[string]func(e *Element){
		"id":             func(e *Element) { e.ID = "f" },
		"domain":         func(e *Element) { e.Domain = "x" },
		"creation":       func(e *Element) { e.CreatedAt = &at },
		"evidence gone":  func(e *Element) { e.Evidence = e.Evidence[:1] },
		"evidence first": func(e *Element) { e.Evidence = []Evidence{{Quote: "c"}, {Quote: "a"}, {Quote: "b"}} },
		"keys":           func(e *Element) { e.Keys = []string{"l"} },
		"entries":        func(e *Element) { e.Provenance.Entries = nil },
	} {
		e := old
		change(&e)
		if _, err := DiffElements(&old, &e); !errors.Is(err, ErrRewritten) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func TestChanges(t *testing.T) {
	old := Data{"timeout": int64(30), "name": "idle", "tags": []any{"a"}, "gone": "x", "null": nil}
	new := Data{"timeout": 60, "name": "idle", "tags": []string{"a", "b"}, "fresh": true}
	want := []FieldChange{
		{"state.fresh", nil, true, "why"},
		{"state.gone", "x", nil, "why"},
		{"state.tags", []any{"a"}, []string{"a", "b"}, "why"},
		{"state.timeout", int64(30), 60, "why"},
	}
	if d := cmp.Diff(want, Changes(old, new, "state", "why")); d != "" {
		t.Error(d)
	}
	if got := Changes(Data{"n": 60.0, "l": []any{}}, Data{"n": 60, "l": []string{}}, "state", ""); len(got) != 0 || got == nil {
		t.Errorf("equal values differ: %v", got)
	}
}
