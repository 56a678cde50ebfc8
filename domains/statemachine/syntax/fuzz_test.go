package syntax

import (
	"os"
	"strings"
	"testing"
	"time"
)

func seeds(f *testing.F) {
	in, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, l := range strings.Split(string(in), "\n") {
		f.Add(l)
	}
	f.Add(string(in))
	for _, s := range []string{
		"state idle { isInitial: true, entry: [hideSpinner, f(a, b)], timeout: 120s, onTimeout: → error } // x",
		"transition a b -> \"c d\" on E [x != \"y\"] / p, q(r) { priority: 3, after: 5s, kind: internal, unwanted: true }",
		"event X { payload: { a, { b } }, description: \"a: \\\"b\\\"\\n\" }\n# c\nconstraint forbid X in the a state { kind: only }",
		"invariant a: b\nguard not x { negated: true }\naction y { when: entry, state: z }",
		"States:\n- **A** (initial): b\n- C\n\nTransitions:\n1. A → C when x [y] / z\n2. C -> A\n",
		"state: a; entry: b, c; timeout: 3s\nfrom: a; to: b; event: c",
	} {
		f.Add(s)
	}
}

func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range append(Kinds(), "") {
			stmts, diags := Parse(text, Options{Kind: kind})
			checkSpans(t, text, stmts)
			for _, d := range diags {
				if d.Where.Line < 1 || d.Where.Col < 1 || d.Where.Bytes[1] > len(text) || d.Text == "" {
					t.Fatalf("%+v in %q", d, text)
				}
			}
		}
		for _, m := range []string{"spec:", "state:"} {
			if n := Extent(text, m); n < 0 || n > len(text) || (n < len(text) && text[n] != '\n') {
				t.Fatalf("Extent(%q) = %d", text, n)
			}
		}
	})
}

func FuzzReadSpec(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range ReadSpec(text) {
			if s.Span.Start < end || s.Span.End > len(text) || len(s.Statements) == 0 {
				t.Fatalf("block %v after %d in %q", s.Span, end, text)
			}
			end = s.Span.End
			checkSpans(t, text, s.Statements)
			roundTrip(t, text, s.Statements)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		stmts, diags := Parse(text, Options{})
		roundTrip(t, text, stmts)
		once, _ := Format(text, Options{})
		if len(diags) == 0 {
			again, said := Parse(once, Options{})
			if len(said) > 0 || show(again) != show(stmts) {
				t.Fatalf("%q formats to %q: %v", text, once, said)
			}
			if twice, _ := Format(once, Options{}); twice != once {
				t.Fatalf("%q formats to %q, then to %q", text, once, twice)
			}
		}
	})
}

// Print of any data reads back as it.
func FuzzNew(f *testing.F) {
	f.Add("a", "b c", "on x", "[")
	f.Add("on", "any", "x,y", "{ a: b }")
	f.Add("f(", "// c", "a\nb\\", "'x'")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		list := []any{}
		for _, s := range []string{a, b, d} {
			if strings.TrimSpace(s) != "" {
				list = append(list, s)
			}
		}
		for _, s := range []Statement{
			New(State, map[string]any{"name": "x" + a, "aliases": list, "parent": b, "entryActions": list, "invariants": list, "timeout": c, "onTimeout": d, "description": b}),
			New(State, map[string]any{"name": "x", "description": a}),
			New(Transition, map[string]any{"from": a + "x", "to": b + "y", "event": c, "guard": d, "actions": list, "after": a}),
			New(Transition, map[string]any{"from": "x" + a, "to": "y" + b, "event": c}),
			New(Transition, map[string]any{"to": "x" + a, "event": b, "guard": c, "actions": list, "after": d}),
			New(Event, map[string]any{"name": "x" + a, "payload": b, "description": c}),
			New(Guard, map[string]any{"condition": "x" + a, "negated": true}),
			New(Guard, map[string]any{"condition": a + "x"}),
			New(Action, map[string]any{"name": a + "x", "state": b, "event": c, "guard": d}),
			New(Invariant, map[string]any{"state": a, "text": b + "x"}),
			New(Constraint, map[string]any{"kind": "only", "state": "x" + a, "event": b + "x", "text": c + "x"}),
		} {
			got, diags := Parse(s.String()+"\nstate next", Options{})
			if len(diags) > 0 || len(got) != 2 || show(got[:1]) != show([]Statement{s}) {
				t.Fatalf("%s\nprints %s\nreads  %s %v", show([]Statement{s}), s, show(got), diags)
			}
		}
	})
}

// The time is linear: a square would take minutes.
func TestLinear(t *testing.T) {
	for _, unit := range []string{
		"state a {\n", "x;", "{", "[", "(", "[(", "([", "\"\\", "'a ", "“a ", "a\"", "-", "=>", "- a -> b\n", "States:\n", "spec: {\n", "state: {\n",
		"state a { x: [", "a:", "event a {", "state a { a: b, ", "#\n", "`\n", ", ", "transition a -> b [", "on on ", "* ", "\n", "- \n\n", "]", "((]", "[{]",
		"transition a -> ", "a -> b ; ", "constraint no transition from ", "state a { entry: ", "guard x {y: ", "é;",
	} {
		text := strings.Repeat(unit, (1<<17)/len(unit))
		for _, in := range []string{text, "state x { entry: " + text} {
			start := time.Now()
			Parse(in, Options{})
			Extent(in, "spec:")
			ReadSpec(in)
			if d := time.Since(start); d > 4*time.Second {
				t.Errorf("%d × %q takes %v", len(text)/len(unit), unit, d)
			}
		}
	}
}
