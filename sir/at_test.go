package sir

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAt(t *testing.T) {
	l := sample(t)
	num := func(n int) *int { return &n }
	ms := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		name string
		at   Point
		want string // turns, then elements with version and timeout
	}{
		{"v0", Point{Version: num(0)}, ":"},
		{"v1", Point{Version: num(1)}, "t1: a1=<nil>"},
		{"v2", Point{Version: num(2)}, "t1 t2: a2=30 b1=<nil>"},
		{"v4", Point{Version: num(4)}, "t1 t2 t3 t4: a3=60 b1=<nil>"},
		{"turn", Point{TurnID: "t2"}, "t1 t2: a2=30 b1=<nil>"},
		{"last turn", Point{TurnID: "t4"}, "t1 t2 t3 t4: a3=60 b1=<nil>"},
		{"before all", Point{Time: ms(0)}, ":"},
		{"recorded", Point{Time: l.list[1].RecordedAt}, "t1: a1=<nil>"},
		{"said later", Point{Said: ms(400)}, "t1 t2 t3 t4: a3=60 b1=<nil>"},
		{"said", Point{Said: ms(200)}, "t1 t3: a3=60"},
		{"said first", Point{Said: ms(100)}, "t1: a1=<nil>"},
		{"said before", Point{Said: ms(99)}, ":"},
	} {
		d, err := At(all(l.list), c.at)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var turns, elements []string
		for _, turn := range d.Turns() {
			turns = append(turns, turn.ID)
		}
		for e := range d.Elements() {
			elements = append(elements, fmt.Sprintf(" %s%d=%v", e.ID, e.Version, e.Data["timeout"]))
		}
		if got := strings.Join(turns, " ") + ":" + strings.Join(elements, ""); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	for _, bad := range []Point{{}, {TurnID: "t9"}, {Version: num(5)}, {Version: num(-1)}, {Version: num(1), TurnID: "t1"}} {
		if _, err := At(all(l.list), bad); !errors.Is(err, ErrPoint) {
			t.Errorf("At(%+v) gives %v, want ErrPoint", bad, err)
		}
	}
}

func TestElementAtVersion(t *testing.T) {
	l := sample(t)
	now := l.doc.Element("a")
	was := canon(t, now)
	for version := 1; version <= 3; version++ {
		d, err := At(all(l.list), Point{Version: &version}) // a gained a version with each of the first three turns
		if err != nil {
			t.Fatal(err)
		}
		got, err := ElementAtVersion(now, version)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d.Element("a"), got); diff != "" {
			t.Errorf("version %d (-want +got)\n%s", version, diff)
		}
	}
	if canon(t, now) != was {
		t.Error("the present element was changed")
	}
	for _, bad := range []int{0, 4} {
		if _, err := ElementAtVersion(now, bad); !errors.Is(err, ErrPoint) {
			t.Errorf("version %d gives %v", bad, err)
		}
	}
}

func TestFilter(t *testing.T) {
	elements := []*Element{
		{ID: "a", ElementType: "state", Status: Proposed, Evidence: []Evidence{{TurnID: "t1"}, {TurnID: "t1"}}},
		{ID: "b", ElementType: "event", Status: Confirmed, Flags: Flags{NeedsReview: true}, Evidence: []Evidence{{TurnID: "t1"}, {TurnID: "t2"}}},
		{ID: "c", Domain: "d", Status: Error, Attribution: Attribution{Type: ByAgent, AgentID: "x"}, Evidence: []Evidence{{TurnID: "t3"}}},
		{ID: "d", Status: Replaced, Flags: Flags{NeedsReview: true}, Provenance: Provenance{Entries: []Entry{{AgentID: "x"}, {TurnID: "act"}}}},
		{ID: "e", Status: Deprecated, Provenance: Provenance{Entries: []Entry{{TurnID: "t2"}, {AgentID: "x"}}}},
	}
	session := func(id string) string {
		return map[string]string{"t1": "one", "t2": "one", "t3": "two", "act": "two"}[id]
	}
	for _, c := range []struct {
		name string
		f    Filter
		want string
	}{
		{"all", Filter{}, "abcde"},
		{"type", Filter{Type: "state"}, "a"},
		{"domain", Filter{Domain: "d"}, "c"},
		{"status", Filter{Status: Replaced}, "d"},
		{"live", Filter{Live: true}, "ab"},
		{"unconfirmed", Filter{Unconfirmed: true}, "a"},
		{"review", Filter{NeedsReview: true}, "b"},
		{"turn", Filter{Turn: "t2"}, "be"},
		{"act", Filter{Turn: "act"}, "d"},
		{"session", Filter{Session: "two", SessionOf: session}, "cd"},
		{"session of nobody", Filter{Session: "two"}, ""},
		{"agent", Filter{Agent: "x"}, "cd"},
		{"agent's rejected", Filter{Agent: "x", Outcome: OutcomeRejected}, "c"},
		{"open", Filter{Outcome: OutcomeOpen}, "a"},
	} {
		got := ""
		for e := range Select(slices.Values(elements), c.f) {
			got += e.ID
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if d := cmp.Diff([]TurnCount{{"t1", 2}}, TurnsBehind(slices.Values(elements), 1)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]TurnCount{{"t1", 2}, {"t2", 1}, {"t3", 1}}, TurnsBehind(slices.Values(elements), 0)); d != "" {
		t.Error(d)
	}
	l := sample(t)
	h, err := History(all(l.list), "a")
	if err != nil || len(h) != 3 || h[0].Kind != Created {
		t.Errorf("history of a is %v, %v", h, err)
	}
}

func TestCheck(t *testing.T) {
	l := sample(t)
	for name, c := range map[string]struct {
		change func(e *Element)
		want   string
	}{
		"nothing":      {func(*Element) {}, ""},
		"quote":        {func(e *Element) { e.Evidence[0].Quote = "e" }, `quotes "e"`},
		"cut":          {func(e *Element) { e.Evidence[0].Bytes[1], e.Evidence[0].Quote = 2, "\xc3" }, "cuts a character"},
		"chars":        {func(e *Element) { e.Evidence[0].Chars = [2]int{1, 3} }, "has chars [1 3], should be [1 2]"},
		"outside":      {func(e *Element) { e.Evidence[0].Bytes[1] = 99 }, "has bytes [1,99)"},
		"empty":        {func(e *Element) { e.Evidence[0].Bytes = [2]int{1, 1} }, "has bytes [1,1)"},
		"turn":         {func(e *Element) { e.Evidence[0].TurnID = "no" }, "unknown turn"},
		"match":        {func(e *Element) { e.Evidence[0].Match = "altered" }, "has match"},
		"no words":     {func(e *Element) { e.Evidence = nil }, "no evidence"},
		"no history":   {func(e *Element) { e.Provenance.Entries = nil }, "no history"},
		"entries":      {func(e *Element) { e.Provenance.Entries[0].Version = 9 }, "entry 0 has version 9"},
		"status":       {func(e *Element) { e.Status = "x" }, "is unknown"},
		"nobody":       {func(e *Element) { e.Status = Confirmed }, "confirmed by nobody"},
		"certain":      {func(e *Element) { e.Confidence = Certain }, "certain by nobody"},
		"confidence":   {func(e *Element) { e.Confidence = -1 }, "confidence is -1"},
		"tentative":    {func(e *Element) { e.Flags.IsTentative, e.Flags.SourceIsExplicit = true, true }, "tentative and explicit"},
		"ambiguous":    {func(e *Element) { e.Flags.IsAmbiguous = true }, "0 readings"},
		"resolved":     {func(e *Element) { e.ResolvedInterpretationID = "r" }, "none of its own"},
		"replaced":     {func(e *Element) { e.Status = Replaced }, "replaced by"},
		"successor":    {func(e *Element) { e.ReplacedByID = "b" }, "replaced by"},
		"itself":       {func(e *Element) { e.ReplacesID = e.ID }, "replaces itself"},
		"field":        {func(e *Element) { e.Fields = map[string]Field{"name": {Evidence: []int{3}}} }, "evidence 3 of 3"},
		"ref":          {func(e *Element) { e.Refs = []Ref{{}} }, "ref"},
		"id":           {func(e *Element) { e.ElementType = "" }, "is missing"},
		"version zero": {func(e *Element) { e.Version = 0 }, "version is 0"},
	} {
		e := *l.doc.Element("a")
		e.Evidence, e.Provenance.Entries = slices.Clone(e.Evidence), slices.Clone(e.Provenance.Entries)
		c.change(&e)
		err := e.Check(l.doc.Turn)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrBroken)):
			t.Errorf("%s: error is %v, want %q", name, err, c.want)
		}
	}
}
