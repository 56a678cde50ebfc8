package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show prints statements as `kind name=value …`, one a line.
func show(stmts []Statement) string {
	var b strings.Builder
	for _, s := range stmts {
		b.WriteString(string(s.Kind))
		for _, f := range s.Fields {
			switch v := f.Value.(type) {
			case string:
				fmt.Fprintf(&b, " %s=%q", f.Name, v)
			case []any:
				fmt.Fprintf(&b, " %s=%q", f.Name, v)
			default:
				fmt.Fprintf(&b, " %s=%v", f.Name, v)
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// checkSpans holds that each field's span has the words that it says.
func checkSpans(t *testing.T, text string, stmts []Statement) {
	t.Helper()
	says := func(words, v string) bool {
		return words == v || unescape(words) == v || oneLine(words) == v
	}
	for _, s := range stmts {
		if s.Span.Start < 0 || s.Span.End > len(text) || s.Span.Len() <= 0 {
			t.Fatalf("statement span %v of %q", s.Span, text)
		}
		for _, f := range s.Fields {
			if !s.Span.Covers(f.Span) {
				t.Fatalf("field %s %v outside %v in %q", f.Name, f.Span, s.Span, text)
			}
			words := f.Span.Of(text)
			switch v := f.Value.(type) {
			case string:
				whole, ok := s.Field("text")
				switch {
				case says(words, v):
				case v == "*" && words != "": // "any state"
				case f.Name == "kind" || f.Name == "when" || f.Name == "history":
				case ok && s.Kind == Constraint && f.Span == whole.Span && strings.Contains(words, `\`):
				default:
					t.Fatalf("field %s = %q but span has %q in %q", f.Name, v, words, text)
				}
			case []any:
				if len(v) != len(f.Items) {
					t.Fatalf("field %s: %d items, %d spans in %q", f.Name, len(v), len(f.Items), text)
				}
				for i, x := range v {
					if !says(f.Items[i].Of(text), x.(string)) || !f.Span.Covers(f.Items[i]) {
						t.Fatalf("item %q but span has %q in %q", x, f.Items[i].Of(text), text)
					}
				}
			}
		}
	}
}

func expectStatements(t *testing.T, kind Kind, text, want string) {
	t.Helper()
	stmts, diags := Parse(text, Options{Kind: kind})
	if got := show(stmts); got != want {
		t.Errorf("Parse(%q)\n got %s\nwant %s", text, got, want)
	}
	for _, d := range diags {
		t.Errorf("Parse(%q): %v", text, d)
	}
	checkSpans(t, text, stmts)
	roundTrip(t, text, stmts)
}

func roundTrip(t *testing.T, text string, stmts []Statement) {
	t.Helper()
	printed := Print(stmts)
	again, diags := Parse(printed, Options{})
	if show(again) != show(stmts) || len(diags) > 0 {
		t.Fatalf("%q\nprints\n%s(%v)\nreads  %s\nwant   %s", text, printed, diags, show(again), show(stmts))
	}
	if twice := Print(again); twice != printed {
		t.Fatalf("%q prints %q, then %q", text, printed, twice)
	}
}

func TestParse(t *testing.T) {
	for _, c := range [][2]string{
		{`state idle { isInitial: true, entry: [hideSpinner] }`, `state name="idle" isInitial=true entryActions=["hideSpinner"]`},
		{`state idle { isInitial: true, entry: [hideSpinner], timeout: 120s, onTimeout: -> error }`, `state name="idle" isInitial=true entryActions=["hideSpinner"] timeout="120s" onTimeout="error"`},
		{`state idle { timeout: 120s, onTimeout: → error }`, `state name="idle" timeout="120s" onTimeout="error"`},
		{`state idle { entry: resetTimer() }`, `state name="idle" entryActions=["resetTimer()"]`},
		{`state c {}`, `state name="c"`},
		{`state main screen`, `state name="main screen"`},
		{`state: FIN-WAIT-1`, `state name="FIN-WAIT-1"`},
		{`State idle.`, `state name="idle"`},
		{`state "a, \"b\": c" { final }`, `state name="a, \"b\": c" isFinal=true`},
		{`state 'main screen' {initial}`, `state name="main screen" isInitial=true`},
		{`state user's choice`, `state name="user's choice"`},
		{"state a {\n  entry: log(a, b), show // why\n  exit: [x,\n y]\n\n  # more\n  parent: Main Screen;\n}", `state name="a" parent="Main Screen" entryActions=["log(a, b)" "show"] exitActions=["x" "y"]`},
		{`state a { description: fetching data, spinner visible, isInitial: no }`, `state name="a" isInitial=false description="fetching data, spinner visible"`},
		{`state a { aliases: [b c, "d,e"], invariants: [x > 1, y], history: deep, parallel: yes }`, `state name="a" aliases=["b c" "d,e"] isParallel=true history="deep" invariants=["x > 1" "y"]`},
		{`state a { entry: x, entry: y }`, `state name="a" entryActions=["x" "y"]`},
		{`state a { entry: [] }`, `state name="a" entryActions=[]`},
		{`state a { on timeout: error }`, `state name="a" onTimeout="error"`},
		{`state IDLE: waiting for input`, `state name="IDLE" description="waiting for input"`},
		{`state: idle; entry: hideSpinner; timeout: 30s`, `state name="idle" entryActions=["hideSpinner"] timeout="30s"`},
		{`state a; state b; event GO`, "state name=\"a\"\nstate name=\"b\"\nevent name=\"GO\""},
		{"state a {}\nstate: b\ntransition: a -> b on GO\nevent: GO\nconstraint: no transition from b to any state", "state name=\"a\"\nstate name=\"b\"\ntransition from=\"a\" to=\"b\" event=\"GO\"\nevent name=\"GO\"\nconstraint kind=\"forbid\" state=\"b\" text=\"no transition from b to any state\""},
		{`state { name: x }`, `state name="x"`},

		{`transition idle → loading on START`, `transition from="idle" to="loading" event="START"`},
		{`transition: idle --> loading when START`, `transition from="idle" to="loading" event="START"`},
		{`transition idle=>loading on START.`, `transition from="idle" to="loading" event="START"`},
		{`transition idle -> loading on SEARCH [query != ""] / showSpinner, log(query)`, `transition from="idle" to="loading" event="SEARCH" guard="query != \"\"" actions=["showSpinner" "log(query)"]`},
		{`transition FIN-WAIT-1 -> TIME-WAIT on "FIN received"`, `transition from="FIN-WAIT-1" to="TIME-WAIT" event="FIN received"`},
		{`transition * -> (history) when the user logs in`, `transition from="*" to="(history)" event="the user logs in"`},
		{`transition any state -> off on POWER`, `transition from="*" to="off" event="POWER"`},
		{`transition off -> on on TOGGLE`, `transition from="off" to="on" event="TOGGLE"`},
		{`transition off -> on`, `transition from="off" to="on"`},
		{`transition on -> off`, `transition from="on" to="off"`},
		{`transition main screen -> log in page: click [a[0] > 1]/go`, `transition from="main screen" to="log in page" event="click" guard="a[0] > 1" actions=["go"]`},
		{`transition a -> b { after: 5s, priority: 2, kind: internal, unwanted }`, `transition from="a" to="b" priority=2 after="5s" kind="internal" unwanted=true`},
		{`transition a -> b after 5s if ready / x`, `transition from="a" to="b" guard="ready" actions=["x"] after="5s"`},
		{`transition a -> b, when read/write ready / x(a; b)`, `transition from="a" to="b" event="read/write ready" actions=["x(a; b)"]`},
		{`transition a -> b [x] on E { actions: [p, q] }`, `transition from="a" to="b" event="E" guard="x" actions=["p" "q"]`},
		{`transition { to: b, on: GO }`, `transition to="b" event="GO"`},
		{`transition a -> b on GET /users`, `transition from="a" to="b" event="GET /users"`},
		{`transition: a -> b; event: GO; guard: ready`, `transition from="a" to="b" event="GO" guard="ready"`},

		{`event USER_LOGIN { payload: { userId } }`, `event name="USER_LOGIN" payload="userId"`},
		{`event USER_LOGIN { payload: { a: { b: [1, 2] }, c } }`, `event name="USER_LOGIN" payload="a: { b: [1, 2] }, c"`},
		{`event TIMEOUT with code 30`, `event name="TIMEOUT" payload="code 30"`},
		{`event TIMEOUT with { code }`, `event name="TIMEOUT" payload="code"`},
		{`event LOGIN {userId: string}`, `event name="LOGIN" payload="userId: string"`},
		{"event LOGIN {\n  userId\n  name\n}", `event name="LOGIN" payload="userId name"`},
		{`event LOGIN {free}`, `event name="LOGIN" payload="free"`},
		{`event LOGIN { description: somebody, anybody logs in }`, `event name="LOGIN" description="somebody, anybody logs in"`},

		{`guard: query is not empty`, `guard condition="query is not empty"`},
		{`guard ticket #12 is open { negated: true } # note`, `guard condition="ticket #12 is open" negated=true`},
		{`guard x in {1, 2}`, `guard condition="x in {1, 2}"`},
		{`guard url is http://x.y/z // note`, `guard condition="url is http://x.y/z"`},
		{`action: showSpinner`, `action name="showSpinner"`},
		{`action show the spinner { when: on-event, event: SEARCH, guard: x, state: idle }`, `action name="show the spinner" when="on-event" state="idle" event="SEARCH" guard="x"`},
		{`invariant loading: spinner is visible`, `invariant state="loading" text="spinner is visible"`},
		{`invariant: main screen: x: y`, `invariant state="main screen" text="x: y"`},
		{`invariant total >= 0`, `invariant text="total >= 0"`},
		{`invariant "a: b"`, `invariant text="a: b"`},
		{`constraint no transition from shutdown to any state`, `constraint kind="forbid" state="shutdown" text="no transition from shutdown to any state"`},
		{`constraint no transition from the main screen state on X.`, `constraint kind="forbid" state="main screen" text="no transition from the main screen state on X."`},
		{`constraint no transition from any state to a`, `constraint kind="forbid" text="no transition from any state to a"`},
		{`constraint forbid CANCEL in shipping`, `constraint kind="forbid" state="shipping" event="CANCEL" text="forbid CANCEL in shipping"`},
		{`constraint ignore "FIN" while in`, `constraint kind="ignore" state="in" event="FIN" text="ignore \"FIN\" while in"`},
		{`constraint the door must not open`, `constraint kind="forbid" text="the door must not open"`},
		{`constraint doors open slowly { kind: require, state: x }`, `constraint kind="require" state="x" text="doors open slowly"`},
		{`constraint only admins log in`, `constraint kind="only" text="only admins log in"`},
		{"\n# nothing\n// here\n ; ;", ``},
		{``, ``},
	} {
		expectStatements(t, "", c[0], c[1])
	}
}

func TestParseAfterMarker(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		text, want string
	}{
		{State, ` loading`, `state name="loading"`},
		{State, ` loading { initial: true }`, `state name="loading" isInitial=true`},
		{State, ` idle; entry: hideSpinner; timeout: 30s`, `state name="idle" entryActions=["hideSpinner"] timeout="30s"`},
		{State, ` idle; state b`, "state name=\"idle\"\nstate name=\"b\""},
		{Transition, ` idle → loading on START`, `transition from="idle" to="loading" event="START"`},
		{Event, ` USER_LOGIN { payload: { userId } }`, `event name="USER_LOGIN" payload="userId"`},
		{Guard, ` query is not empty`, `guard condition="query is not empty"`},
		{Action, ` showSpinner`, `action name="showSpinner"`},
		{Constraint, ` no transition from shutdown to any state`, `constraint kind="forbid" state="shutdown" text="no transition from shutdown to any state"`},
		{Invariant, ` loading: x`, `invariant state="loading" text="x"`},
	} {
		expectStatements(t, c.kind, c.text, c.want)
	}
}

func TestPrint(t *testing.T) {
	for _, c := range [][2]string{
		{"state:  idle {timeout:120s,entry:x ; isInitial:true, onTimeout: error}", "state idle { isInitial: true, entry: [x], timeout: 120s, onTimeout: -> error }"},
		{`transition 'a b' → "c" when "E 1" [g]/ x,y {priority: 1}`, "transition a b -> c on E 1 [g] / x, y { priority: 1 }"},
		{`transition "a on b" -> "turned on"`, `transition a on b -> "turned on"`},
		{`event E with {a}`, "event E { payload: { a } }"},
		{`event E with "a}"`, `event E { payload: "a}" }`},
		{`constraint forbid E in s`, "constraint forbid E in s"},
		{`constraint forbid E in s { state: t }`, "constraint forbid E in s { state: t }"},
		{`transition {to: b}`, "transition { to: b }"},
		{`transition "any" -> b`, `transition "any" -> b`},
		{`state a { description: "x, y: z" }`, `state a { description: "x, y: z" }`},
		{`state a { description: "x, y" }`, `state a { description: x, y }`},
	} {
		stmts, diags := Parse(c[0], Options{})
		if got := strings.TrimSuffix(Print(stmts), "\n"); got != c[1] || len(diags) > 0 {
			t.Errorf("Print(%q)\n got %s\nwant %s %v", c[0], got, c[1], diags)
		}
	}
}

func TestNew(t *testing.T) {
	st := New(Transition, map[string]any{"from": nil, "to": "b", "event": "GO", "actions": []string{"x, y"}, "priority": 3.0, "other": 1, "after": ""})
	if got, want := st.String(), `transition { to: b, event: GO, actions: ["x, y"], priority: 3 }`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if diff := cmp.Diff(map[string]any{"to": "b", "event": "GO", "actions": []any{"x, y"}, "priority": int64(3)}, st.Data()); diff != "" {
		t.Error(diff)
	}
	if s := New("nothing", nil).String(); s != "" {
		t.Errorf("an unknown kind prints %q", s)
	}
}

func TestExtent(t *testing.T) {
	for _, c := range []struct{ marker, text, want string }{
		{"spec:", " state a {}\nstate b {}\nHello.", " state a {}\nstate b {}"},
		{"spec:", " state a {}\nState machines are fine.", " state a {}"},
		{"spec:", " state a {}\nState b {}", " state a {}\nState b {}"},
		{"spec:", " state a {\n guard: x\n entry: [x],\n}\n\nstate b", " state a {\n guard: x\n entry: [x],\n}"},
		{"spec:", " state a {}\nstate: b", " state a {}"},
		{"spec:", " state a {}\nspec: state b", " state a {}"},
		{"Spec:", "\nstate a\r\nstate b\r\n\r\nprose", "\nstate a\r\nstate b\r"},
		{"spec:", " state a {\nentry: x\n\nprose }", " state a {\nentry: x"},
		{"spec:", " state a {\nentry: x\nstate: b", " state a {\nentry: x"},
		{"spec:", "", ""},
		{"state:", " idle\nstate b", " idle"},
		{"state:", " idle {\n entry: x\n}\nstate b", " idle {\n entry: x\n}"},
		{"state:", " idle {\nHello", " idle {"},
	} {
		if got := c.text[:Extent(c.text, c.marker)]; got != c.want {
			t.Errorf("Extent(%q, %s) takes %q, want %q", c.text, c.marker, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	in := "# head\n\n\nstate:a{entry:x // one\n, exit: y} // two\nstate b; state c # three\n\nstate d { bogus: 1 } // four\nwhat is this\n// end\n"
	want := "# head\n\n// one\nstate a { entry: [x], exit: [y] }  // two\nstate b\nstate c  # three\n\nstate d { bogus: 1 }  // four\nwhat is this\n// end\n"
	got, diags := Format(in, Options{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(diags) != 2 {
		t.Errorf("%v", diags)
	}
	again, _ := Format(got, Options{})
	if diff := cmp.Diff(got, again); diff != "" {
		t.Error(diff)
	}
}
