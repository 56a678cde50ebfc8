package sir

import (
	"errors"
	"slices"
	"testing"
)

// TestNumbersOfClarifications: a number is taken while something waits under
// it, and comes back with the clarification that had it.
func TestNumbersOfClarifications(t *testing.T) {
	q := func(id string, number int) Clarification { return Clarification{ID: id, Number: number} }
	type step struct {
		add    []Clarification
		closed []string
		want   string // the ids that wait; "" where the change is refused
		next   int
	}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"counted", []step{{add: []Clarification{q("a", 1), q("b", 2)}, want: "ab", next: 3}}},
		{"a gap", []step{{add: []Clarification{q("a", 5)}, want: "a", next: 6}, {add: []Clarification{q("b", 3)}, want: "ab", next: 6}}},
		{"taken", []step{{add: []Clarification{q("a", 1)}, want: "a", next: 2}, {add: []Clarification{q("b", 1)}, next: 2}}},
		{"twice in one change", []step{{add: []Clarification{q("a", 1), q("b", 1)}, next: 1}}},
		{"twice below the highest", []step{
			{add: []Clarification{q("a", 2)}, want: "a", next: 3},
			{add: []Clarification{q("b", 1), q("c", 1)}, next: 3},
		}},
		{"its own again", []step{{add: []Clarification{q("a", 1)}, want: "a", next: 2}, {add: []Clarification{q("a", 1)}, want: "a", next: 2}}},
		{"another number for itself", []step{{add: []Clarification{q("a", 1), q("b", 2)}, want: "ab", next: 3}, {add: []Clarification{q("a", 2)}, next: 3}}},
		{"closed and back", []step{
			{add: []Clarification{q("a", 1), q("b", 2)}, want: "ab", next: 3},
			{closed: []string{"a"}, want: "b", next: 3},
			{add: []Clarification{q("a", 1)}, want: "ba", next: 3},
		}},
		{"back in its place", []step{
			{add: []Clarification{q("a", 1), q("b", 2)}, want: "ab", next: 3},
			{closed: []string{"a"}, want: "b", next: 3},
			{closed: []string{"b"}, add: []Clarification{q("a", 1), q("b", 2)}, want: "ab", next: 3},
		}},
		{"freed in the same change", []step{
			{add: []Clarification{q("a", 1)}, want: "a", next: 2},
			{closed: []string{"a"}, add: []Clarification{q("b", 1)}, want: "b", next: 2},
		}},
		{"none", []step{{add: []Clarification{q("a", 0)}, next: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w waiting
			for i, s := range c.steps {
				var undo []func()
				before := w.list()
				err := w.apply(&PendingChange{Clarifications: s.add, Closed: s.closed}, func(f func()) { undo = append(undo, f) })
				if (err != nil) != (s.want == "") || err != nil && !errors.Is(err, ErrBroken) {
					t.Fatalf("step %d: error %v, want %q", i, err, s.want)
				}
				if err == nil && ids(w.list()) != s.want {
					t.Errorf("step %d: %s wait, want %s", i, ids(w.list()), s.want)
				}
				if err != nil && ids(w.list()) != ids(before) {
					t.Errorf("step %d was refused and left %s", i, ids(w.list()))
				}
				if w.highest+1 != s.next {
					t.Errorf("step %d: the next number is %d, want %d", i, w.highest+1, s.next)
				}
				if err != nil {
					continue
				}
				for _, f := range slices.Backward(undo) {
					f()
				}
				if ids(w.list()) != ids(before) {
					t.Errorf("step %d taken back leaves %s, want %s", i, ids(w.list()), ids(before))
				}
				if err := w.apply(&PendingChange{Clarifications: s.add, Closed: s.closed}, func(func()) {}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func ids(p Pending) string {
	out := ""
	for _, q := range p.Clarifications {
		out += q.ID
	}
	return out
}

// TestConfidenceBeforeAnElementWasTakenOut: who rejects an element is
// certain; the element is as sure as it was.
func TestConfidenceBeforeAnElementWasTakenOut(t *testing.T) {
	e := &Element{ID: "a", Version: 3, Confidence: 7000, Data: Data{}, Provenance: Provenance{Entries: []Entry{
		{Version: 1, Action: ActionExtracted, ConfidenceAtTime: 5500},
		{Version: 2, Action: ActionDeprecated, HumanConfirmed: true, ConfidenceAtTime: Certain},
		{Version: 3, Action: ActionReopened, ConfidenceAtTime: 7000},
	}}}
	for version, want := range map[int]Confidence{1: 5500, 2: 5500, 3: 7000} {
		got, err := ElementAtVersion(e, version)
		if err != nil {
			t.Fatal(err)
		}
		if got.Confidence != want {
			t.Errorf("version %d has confidence %s, want %s", version, got.Confidence, want)
		}
	}
}
