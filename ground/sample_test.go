package ground_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/speckl/speckl/ground"
)

// labelled is a quote with what is right about it.
type labelled struct {
	Kind, Text, Expect string
	Gold               *[2]int
	Either             bool
}

func readLabelled(t testing.TB, path string) []labelled {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		out = append(out, l)
	}
	return out
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// right says what is wrong with a match; "" for nothing.
func (l *labelled) wrong(m ground.Match) string {
	onGold := l.Gold != nil && m.Span.Start == l.Gold[0] && m.Span.End == l.Gold[1]
	if l.Gold != nil && !onGold {
		for _, o := range m.Others {
			if m.Ambiguous && o.Span.Start == l.Gold[0] && o.Span.End == l.Gold[1] {
				onGold = true
			}
		}
	}
	switch {
	case l.Kind == "exact" && m.Kind != ground.Verbatim:
		return "not verbatim"
	case l.Kind == "fuzzy" && string(m.Kind) != l.Expect && !(l.Either && (m.Kind == ground.Approximate || m.Kind == ground.Altered)):
		return "not " + l.Expect
	case l.Gold == nil && m.Kind.Accepted():
		return "accepted"
	case l.Gold != nil && !onGold:
		return "another span"
	}
	return ""
}

// TestMeetings is the set that was given: 100 quotes that are exact, 100 near
// misses, 300 inventions of three kinds.
func TestMeetings(t *testing.T) {
	t.Parallel()
	source := ground.New(ground.Part{Text: readFile(t, "testdata/meetings.txt")})
	text := source.Parts()[0].Text
	wrong := map[string]int{}
	for _, l := range readLabelled(t, "testdata/meetings.jsonl") {
		m := source.Find(ground.Quote{Text: l.Text})
		if w := l.wrong(m); w != "" {
			wrong[l.Kind]++
			t.Logf("%s %q: %s: %s %q %+v, want %v", l.Kind, l.Text, w, m.Kind, m.Span.Of(text), m.Edits, l.Gold)
		}
	}
	if wrong["fuzzy"] > 1 || len(wrong) > 1 || len(wrong) == 1 && wrong["fuzzy"] == 0 {
		t.Errorf("wrong: %v", wrong)
	}
}
