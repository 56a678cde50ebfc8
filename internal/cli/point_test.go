package cli

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/sir"
)

func TestPoints(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	known := func(id string) bool { return id == "a1" || id == "v7" || id == "1773187200000" }
	for _, x := range []struct{ text, want string }{
		{"v0", "version 0"},
		{"v12", "version 12"},
		{"turn:a1", "turn a1"},
		{"turn:a9", "turn a9"}, // whether it is there the log knows
		{"turn:v12", "turn v12"},
		{"a1", "turn a1"},
		{"v7", "turn v7"}, // a turn of that id comes first
		{"1773187200000", "turn 1773187200000"},
		{"1773187200001", "time 1773187200001"},
		{"2026-03-11T00:00:00Z", "time 1773187200000"},
		{"2026-03-11T00:00:00.5+01:00", "time 1773183600500"},
		{"2026-03-11T01:00", "time 1773190800000"},
		{"2026-07-01 01:00", "time 1782864000000"}, // summer time
		{"2026-03-11", "time 1773273599999"},
		{"2026-03-29", "time 1774825199999"}, // a day of 23 hours
		{"12", "usage"},
		{"a9", "usage"},
		{"v", "usage"},
		{"v-1", "usage"},
		{"turn:", "usage"},
		{"", "usage"},
		{"2026-13-40", "usage"},
		{"yesterday", "usage"},
	} {
		p, err := point(x.text, lisbon, known)
		got := ""
		switch {
		case errors.Is(err, errUsage):
			got = "usage"
		case err != nil:
			got = err.Error()
		default:
			got = pointText(p)
		}
		if got != x.want {
			t.Errorf("%q: %s, want %s", x.text, got, x.want)
		}
	}
}

func pointText(p sir.Point) string {
	switch {
	case p.Version != nil:
		return fmt.Sprint("version ", *p.Version)
	case p.TurnID != "":
		return "turn " + p.TurnID
	case p.Time != nil:
		return fmt.Sprint("time ", *p.Time)
	}
	return "none"
}

// A date begins where something is read from it, and ends where something is
// read up to it.
func TestMomentsOfADay(t *testing.T) {
	for end, want := range map[bool]int64{false: 1773187200000, true: 1773273599999} {
		if got, ok := moment("2026-03-11", time.UTC, end); !ok || got != want {
			t.Errorf("end %t: %d, want %d", end, got, want)
		}
	}
}

func TestAssignments(t *testing.T) {
	for _, x := range []struct {
		words []string
		want  map[string]any
	}{
		{[]string{"name=idle"}, map[string]any{"name": "idle"}},
		{[]string{"timeout=60 seconds"}, map[string]any{"timeout": "60 seconds"}},
		{[]string{"guard=a = b"}, map[string]any{"guard": "a = b"}},
		{[]string{"n=60", "big=9007199254740993", "share=0.5"}, map[string]any{"n": int64(60), "big": int64(9007199254740993), "share": 0.5}},
		{[]string{"text=\"60\""}, map[string]any{"text": "60"}},
		{[]string{"isFinal=true", "isInitial=false"}, map[string]any{"isFinal": true, "isInitial": false}},
		{[]string{"guard=null"}, map[string]any{"guard": nil}},
		{[]string{"guard="}, map[string]any{"guard": nil}},
		{[]string{`actions=["beep","log"]`}, map[string]any{"actions": []any{"beep", "log"}}},
		{[]string{`x={"a":[1]}`}, map[string]any{"x": map[string]any{"a": []any{int64(1)}}}},
		{[]string{`x=1,"y":2`}, map[string]any{"x": `1,"y":2`}}, // no JSON
		{[]string{" name = idle"}, map[string]any{"name": " idle"}},
	} {
		got, err := assignments(x.words)
		if err != nil {
			t.Errorf("%q: %v", x.words, err)
		} else if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", x.words, diff)
		}
	}
	for _, words := range [][]string{{"name"}, {"=x"}, {"a=1", "a=2"}, {"x=1e999"}} {
		if got, err := assignments(words); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v, %v", words, got, err)
		}
	}
}

func TestCuts(t *testing.T) {
	for _, x := range []struct {
		at   []int
		want [][]string
	}{
		{nil, [][]string{{"a", "b", "c"}}},
		{[]int{3}, [][]string{{"a"}, {"b", "c"}}},
		{[]int{3, 4}, [][]string{{"a"}, {"b"}, {"c"}}},
		{[]int{5}, [][]string{{"a", "b", "c"}, {}}},
		{[]int{1, 9}, [][]string{{}, {"a", "b", "c"}, {}}},
	} {
		c := cuts{at: x.at}
		if diff := cmp.Diff(x.want, c.parts([]string{"a", "b", "c"}, 2)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", x.at, diff)
		}
	}
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"state:idle": "state:idle", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "x>y": "'x>y'", "timeout=60s": "timeout=60s", "$HOME": "'$HOME'",
	} {
		if got := quoted([]string{in}); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
