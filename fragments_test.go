package speckl_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// fragment is a line of the state machine domain's fragments: a few words,
// what they say, and what must not be read into them.
type fragment struct {
	ID, Rule  string
	Turns     []sir.Turn
	Gold      []map[string]any
	MustNot   []map[string]any `json:"must_not"`
	Ambiguous bool
	Readings  []map[string]any
}

func TestFragments(t *testing.T) {
	t.Parallel()
	f, err := os.Open("domains/statemachine/testdata/fragments.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var mu sync.Mutex
	passed, total := map[string]int{}, map[string]int{}
	t.Run("all", func(t *testing.T) {
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var c fragment
			if err := json.Unmarshal(in.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			t.Run(c.ID, func(t *testing.T) {
				t.Parallel()
				wrong := c.run(t)
				mu.Lock()
				defer mu.Unlock()
				total[c.Rule]++
				if len(wrong) == 0 {
					passed[c.Rule]++
					return
				}
				t.Errorf("%q\n%s", c.Turns[0].Content, strings.Join(wrong, "\n"))
			})
		}
		if err := in.Err(); err != nil {
			t.Fatal(err)
		}
	})
	var rules []string
	for rule, n := range total {
		rules = append(rules, fmt.Sprintf("%s %d/%d", rule, passed[rule], n))
	}
	sort.Strings(rules)
	t.Log(strings.Join(rules, "\n"))
}

// run reads the fragment and returns what is wrong.
func (c *fragment) run(t *testing.T) []string {
	d := machines(t, c.Turns...)
	var live []*sir.Element
	for _, e := range d.document().Elements {
		if e.Status.Live() {
			live = append(live, e)
		}
	}
	var wrong []string
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	taken := map[*sir.Element]bool{}
	for _, g := range c.Gold {
		i := slices.IndexFunc(live, func(e *sir.Element) bool { return !taken[e] && says(e.ElementType, e.Data, g) })
		if i < 0 {
			complain("missing: %s", short(g))
			continue
		}
		taken[live[i]] = g["type"] != "state" // two spellings of a state are one
	}
	ambiguous := 0
	for _, e := range live {
		for _, m := range c.MustNot {
			if forbidden(e, m) {
				complain("must not be: %s (%s)", describe(e), short(m))
			}
		}
		if !e.Flags.IsAmbiguous {
			continue
		}
		ambiguous++
		if len(e.Interpretations) != len(c.Readings) {
			complain("%d readings, want %d", len(e.Interpretations), len(c.Readings))
		}
		for _, r := range c.Readings {
			if !slices.ContainsFunc(e.Interpretations, func(x sir.Interpretation) bool { return says(x.ElementType, x.Data, r) }) {
				complain("missing reading: %s", short(r))
			}
		}
	}
	if want := map[bool]int{true: 1}[c.Ambiguous]; ambiguous != want {
		complain("%d ambiguous elements, want %d", ambiguous, want)
	}
	if len(wrong) > 0 {
		complain("there is\n  %s", strings.Join(lines(live), "\n  "))
	}
	return wrong
}

// says reports whether data says what a gold record does: names are compared
// without articles and cue nouns, wordings loosely.
func says(typ string, data sir.Data, gold map[string]any) bool {
	for key, want := range gold {
		got := data[key]
		switch key {
		case "reading":
		case "type":
			if want != typ {
				return false
			}
		case "name", "from", "to", "state", "parent":
			if !sameName(want, got) && !(typ == "action" && sameWords(want, got)) {
				return false
			}
		case "actions":
			a, _ := want.([]any)
			b, _ := got.([]any)
			if len(a) != len(b) {
				return false
			}
		case "event", "guard", "text", "condition":
			if !sameWords(want, got) {
				return false
			}
		default:
			if got != want {
				return false
			}
		}
	}
	return true
}

// forbidden reports whether an element is what must not be: all keys fit.
func forbidden(e *sir.Element, m map[string]any) bool {
	for key, want := range m {
		got := e.Data[key]
		fits := false
		switch key {
		case "type":
			fits = e.ElementType == want
		case "isAmbiguous":
			fits = e.Flags.IsAmbiguous == want
		default:
			list, isList := want.([]any)
			switch {
			case want == "!null":
				fits = got != nil
			case isList:
				fits = slices.ContainsFunc(list, func(x any) bool { return sameName(x, got) })
			default:
				fits = sameName(want, got)
			}
		}
		if !fits {
			return false
		}
	}
	return true
}

func bareName(v any) string {
	var kept []string
	for _, w := range domain.Words(fmt.Sprint(v)) {
		switch w {
		case "the", "a", "an", "state", "states", "mode", "phase", "status":
		default:
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

func sameName(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bareName(a) == bareName(b)
}

// sameWords reports whether two wordings share at least half of their words.
func sameWords(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := strings.Fields(domain.FoldLabel(fmt.Sprint(a))), strings.Fields(domain.FoldLabel(fmt.Sprint(b)))
	both := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			both++
		}
	}
	return 2*both >= max(len(x), len(y))
}
