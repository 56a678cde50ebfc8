package syntax

import (
	"strings"
	"testing"
)

func expectSpec(t *testing.T, text, want string) {
	t.Helper()
	var all []Statement
	end := 0
	for _, s := range ReadSpec(text) {
		if s.Span.Start < end || s.Span.End > len(text) || len(s.Statements) == 0 {
			t.Errorf("ReadSpec(%q): block at %v after %d", text, s.Span, end)
		}
		end = s.Span.End
		for _, st := range s.Statements {
			if !s.Span.Covers(st.Span) {
				t.Errorf("ReadSpec(%q): statement %v outside block %v", text, st.Span, s.Span)
			}
		}
		all = append(all, s.Statements...)
	}
	if got := show(all); got != want {
		t.Errorf("ReadSpec(%q)\n got %s\nwant %s", text, got, want)
	}
	checkSpans(t, text, all)
	roundTrip(t, text, all)
}

func TestReadSpec(t *testing.T) {
	for _, c := range [][2]string{
		{"The system has these states:\n\n- IDLE: waiting for input, spinner hidden\n- LOADING: fetching data, spinner visible\n- ERROR: request failed, shows error toast\n- SUCCESS: data rendered\n\nTransitions:\n- IDLE → LOADING when user submits query\n- LOADING → SUCCESS when data arrives\n- LOADING → ERROR when request fails\n- ERROR → IDLE when user dismisses toast",
			`state name="IDLE" description="waiting for input, spinner hidden"
state name="LOADING" description="fetching data, spinner visible"
state name="ERROR" description="request failed, shows error toast"
state name="SUCCESS" description="data rendered"
transition from="IDLE" to="LOADING" event="user submits query"
transition from="LOADING" to="SUCCESS" event="data arrives"
transition from="LOADING" to="ERROR" event="request fails"
transition from="ERROR" to="IDLE" event="user dismisses toast"`},
		{"States:\n1. idle (initial)\n2. the main screen - where all begins\n3) done (final): it ends", "state name=\"idle\" isInitial=true\nstate name=\"main screen\" description=\"where all begins\"\nstate name=\"done\" isFinal=true description=\"it ends\""},
		{"## Order statuses\r\n\r\n* **IDLE** – waiting\r\n* **BUSY:** working\r\n* `OFF`\r\n", "state name=\"IDLE\" description=\"waiting\"\nstate name=\"BUSY\" description=\"working\"\nstate name=\"OFF\""},
		{"**Phases**\n• draft: someone writes,\n  alone\n• published", "state name=\"draft\" description=\"someone writes, alone\"\nstate name=\"published\""},
		{"The lamp has three modes:\n- off\n- night mode\n- whatever else we come up with next week", "state name=\"off\"\nstate name=\"night mode\""},
		{"States of the order:\n- pending\n- shipped", "state name=\"pending\"\nstate name=\"shipped\""},
		{"States and transitions:\n- idle: nothing\n- idle -> busy: work arrives [free] / start, log(x)", "state name=\"idle\" description=\"nothing\"\ntransition from=\"idle\" to=\"busy\" event=\"work arrives\" guard=\"free\" actions=[\"start\" \"log(x)\"]"},
		{"## Order states\n- pending payment", `state name="pending payment"`},
		{"Order states:\n- pending\n- shipped", "state name=\"pending\"\nstate name=\"shipped\""},
		{"The system should have these states:\n- idle", `state name="idle"`},
		{"The order states:\n- PENDING\n- SHIPPED", "state name=\"PENDING\"\nstate name=\"SHIPPED\""},
		{"The order states:\n- pending\n- shipped\nTransitions:\n- pending -> shipped on SHIP", "state name=\"pending\"\nstate name=\"shipped\"\ntransition from=\"pending\" to=\"shipped\" event=\"SHIP\""},
		{"State transitions:\n- **Idle** → **Busy** on `START`", "transition from=\"Idle\" to=\"Busy\" event=\"START\""},
		{"Transitions:\n- * -> off after 30s\n- off -> on if ready", "transition from=\"*\" to=\"off\" after=\"30s\"\ntransition from=\"off\" to=\"on\" guard=\"ready\""},
		{"So:\n- IDLE -> BUSY on GO\n- BUSY -> IDLE on DONE", "transition from=\"IDLE\" to=\"BUSY\" event=\"GO\"\ntransition from=\"BUSY\" to=\"IDLE\" event=\"DONE\""},
		{"- idle -> busy on GO\n- busy -> idle on DONE\n- or something", "transition from=\"idle\" to=\"busy\" event=\"GO\"\ntransition from=\"busy\" to=\"idle\" event=\"DONE\""},
		{"- LoggedOut -> LoggedIn: login\n- Foo2Bar -> BarBaz", "transition from=\"LoggedOut\" to=\"LoggedIn\" event=\"login\"\ntransition from=\"Foo2Bar\" to=\"BarBaz\""},
		{"state: idle; entry: hideSpinner; timeout: 30s", "state name=\"idle\" entryActions=[\"hideSpinner\"] timeout=\"30s\""},
		{"  - name: idle; entry: hide, log; initial: true", "state name=\"idle\" isInitial=true entryActions=[\"hide\" \"log\"]"},
		{"event: START; from: idle; to: busy\nfrom: idle; to: busy; event: START\ntransition: a -> b; guard: c", "transition from=\"idle\" to=\"busy\" event=\"START\"\ntransition from=\"a\" to=\"b\" guard=\"c\""},
		// an item in doubt is left out, the others stay
		{"Transitions:\n- Idle → Chase: player seen\n- Chase → Patrol: player stays out of radius (unsure which radius, Check with Design Team) for X\n- Patrol → Idle: rest", "transition from=\"Idle\" to=\"Chase\" event=\"player seen\"\ntransition from=\"Patrol\" to=\"Idle\" event=\"rest\""},
		{"States:\n- IDLE\n- SLEEPING?\n- BUSY\n  - when done, go to IDLE", "state name=\"IDLE\"\nstate name=\"BUSY\""},
	} {
		expectSpec(t, c[0], c[1])
	}
}

func TestReadSpecNothing(t *testing.T) {
	for _, text := range []string{
		"", "\n\n", "- milk: 2 bottles\n- eggs: 12", "Notes:\n- Ann: call Bob\n- Bob: call Ann",
		"- Home -> Work by bus", "- Home -> Work by bus\n- Work -> Gym by bike", "Trip:\n- Home -> Work",
		"Chase → Patrol: player stays out of radius", "- IDLE → LOADING when GO",
		"- Chase → Patrol: player stays out (unsure which radius)\n- Patrol → Chase: seen",
		"States:", "States:\n", "States:\nidle and busy", "What states do we have?\n- idle", "Maybe we need these states:\n- idle\n- busy",
		"We don't have these states:\n- idle", "Forbidden transitions:\n- A -> B\n- B -> A?", "Old states:\n- idle",
		"The contract states:\n- payment: within 30 days\n- delivery: by sea", "The report states:\n- all went well",
		"United States:\n- Texas: hot\n- Ohio: cold", "He states that it works:\n- idle",
		"States:\n- when the user logs in, go to the main screen\n- if that fails, show an error", "States:\n- is it idle?\n- [ ] idle",
		"```\nStates:\n- idle\n```", "> States:\n> - idle", "state: NY; city: Albany", "from: Hanoi; to: Hue", "name: Ann; age: 3", "event: Birthday; description: cake",
		"Agenda:\n1. Status: all fine\n2. States: see below", "- the team -> the client\n- we -> them and then us", "x; y; z", "a: b; c: d",
		"- A <-> B\n- B <-> A", "- no A -> B\n- no B -> A",
		"## Suspended\n\nWhen the admin lifts the ban, it goes to Active.", "Here's my list:\n1. Queued state\n   - once a printer is free, move to printing",
		"* **Armed**\n    * when a window opens, it goes to Alarm", "- Reserved\n  - if the guest cancels, it returns to Free\n- Occupied",
		"Each department reports:\n- Sales: up\n- IT: down\nin these modes of transport: car", "- x = 1 => y = 2\n- y = 2 => z = 3",
		"Maybe these transitions:\n- A -> B\n- B -> C", "Not allowed:\n- A -> B\n- B -> C", "Is it like this?\n\n- A -> B\n- B -> C", "Ann states:\n- revenue: up\n- cost: down",
		"- a -> b -> c\n- c -> b -> a",
	} {
		if got := ReadSpec(text); len(got) > 0 {
			t.Errorf("ReadSpec(%q) = %s", text, strings.ReplaceAll(show(got[0].Statements), "\n", " | "))
		}
	}
}

func TestReadSpecSpans(t *testing.T) {
	text := "So.\nStates:\n- A\n- B?\n- C\n\nBye."
	var got []string
	for _, s := range ReadSpec(text) {
		got = append(got, s.Span.Of(text))
	}
	if want := "States:\n- A|C"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
