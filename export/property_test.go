package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"html"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/speckl/speckl/sir"
	"pgregory.net/rapid"
)

// TestShapes holds the printed shapes to the sir types: the same fields in
// the same order, but for "terms".
func TestShapes(t *testing.T) {
	for _, c := range []struct{ sir, shape any }{
		{sir.Element{}, elementShape{}}, {sir.Interpretation{}, interpretationShape{}}, {sir.Candidate{}, candidateShape{}},
		{sir.Clarification{}, clarificationShape{}}, {sir.Ambiguity{}, ambiguityShape{}}, {sir.Conflict{}, conflictShape{}}, {sir.Result{}, resultShape{}},
	} {
		want := slices.DeleteFunc(tags(c.sir), func(s string) bool { return s == "terms,omitempty" })
		if got := tags(c.shape); !slices.Equal(want, got) {
			t.Errorf("%T has\n%v, its shape\n%v", c.sir, want, got)
		}
	}
}

func tags(v any) []string {
	var out []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		out = append(out, f.Tag.Get("json"))
	}
	return out
}

// hard are the characters that outputs stumble over.
var hard = rapid.StringOf(rapid.OneOf(
	rapid.RuneFrom([]rune("ab <>&\"'`\\=+-@,;*_|[]{}()#!~/\n\r\t\x1b\x7f\u0085\u009b\u202e\u2066\u2028\ufeff\u200d👩é漢ש"+"e\u0301")),
	rapid.Rune().Filter(func(r rune) bool { return r != 0 })))

// document draws a document whose evidence is exact.
func document(t *rapid.T) *Document {
	var turns []*sir.Turn
	for i := range rapid.IntRange(1, 4).Draw(t, "turns") {
		name := hard.Draw(t, "name")
		turns = append(turns, &sir.Turn{ID: hard.Draw(t, "id") + string(rune('0'+i)), SessionID: "s", Seq: i + 1, Speaker: sir.Human,
			SpeakerName: &name, Content: "x" + hard.Draw(t, "content")})
	}
	d := &Document{Header: sir.Header{Name: hard.Draw(t, "docname")}, Turns: func(yield func(*sir.Turn, error) bool) {
		for _, x := range turns {
			if !yield(x, nil) {
				return
			}
		}
	}}
	for i := range rapid.IntRange(0, 5).Draw(t, "elements") {
		e := &sir.Element{ID: string(rune('a' + i)), ElementType: "state", Status: sir.Proposed, Confidence: 5500,
			Data: sir.Data{"name": hard.Draw(t, "label"), hard.Draw(t, "key"): []any{hard.Draw(t, "value"), nil, int64(3), true}}}
		for range rapid.IntRange(1, 3).Draw(t, "quotes") {
			turn := rapid.SampledFrom(turns).Draw(t, "turn")
			runes := []rune(turn.Content)
			from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
			to := rapid.IntRange(from+1, len(runes)).Draw(t, "to")
			start := len(string(runes[:from]))
			quote := string(runes[from:to])
			e.Evidence = append(e.Evidence, sir.Evidence{TurnID: turn.ID, Bytes: [2]int{start, start + len(quote)},
				Chars: [2]int{from, to}, Quote: quote, Match: sir.Verbatim})
		}
		d.Elements = append(d.Elements, e)
	}
	return d
}

// TestOutputs: every output of any document parses back, its spans are exact,
// and what people see holds no control characters.
func TestOutputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := document(t)
		var b bytes.Buffer
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		must(JSON(&b, d))
		checkJSON(t, b.Bytes())

		b.Reset()
		must(JSONL(&b, d))
		lines := 0
		for l := range bytes.Lines(b.Bytes()) {
			if lines++; !json.Valid(l) {
				t.Fatalf("line is no JSON: %q", l)
			}
		}
		if lines != len(d.Elements) {
			t.Fatalf("%d lines for %d elements", lines, len(d.Elements))
		}

		b.Reset()
		must(CSV(&b, d))
		rows, err := csv.NewReader(&b).ReadAll()
		must(err)
		if len(rows) != len(d.Elements)+1 {
			t.Fatalf("%d rows for %d elements", len(rows), len(d.Elements))
		}

		b.Reset()
		must(Text(&b, d, TextOptions{Width: 60}))
		checkPlain(t, b.String())
		b.Reset()
		must(Markdown(&b, d))
		checkPlain(t, b.String())
		b.Reset()
		must(HTML(&b, d))
		checkPlain(t, b.String())
		checkTranscript(t, d, b.String())
	})
}

func checkJSON(t *rapid.T, b []byte) {
	var got struct {
		Turns    []sir.Turn
		Elements []sir.Element
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	content := map[string]string{}
	for _, x := range got.Turns {
		content[x.ID] = x.Content
	}
	for _, e := range got.Elements {
		for _, ev := range e.Evidence {
			if s := content[ev.TurnID][ev.Bytes[0]:ev.Bytes[1]]; s != ev.Quote {
				t.Fatalf("%q is quoted as %q", s, ev.Quote)
			}
		}
	}
}

func checkPlain(t *rapid.T, s string) {
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u202e' || r == '\u2066' || r == '\u2028' {
			t.Fatalf("%U is printed in %q", r, s)
		}
	}
}

var (
	turnText = regexp.MustCompile(`(?s)<p dir="auto">(.*?)</p></article>`)
	markText = regexp.MustCompile(`(?s)<mark class="[^"]*" data-e="[^"]*" data-q="([^"]*)"[^>]*>(.*?)</mark>`)
	tag      = regexp.MustCompile(`<[^>]*>`)
)

// checkTranscript: without its tags the transcript is the turns, and the
// marks of a quote joined are the quote.
func checkTranscript(t *rapid.T, d *Document, page string) {
	page = page[strings.Index(page, `<section id="transcript"`):]
	bodies := turnText.FindAllStringSubmatch(page, -1)
	i := 0
	for turn := range d.Turns {
		if got, want := html.UnescapeString(tag.ReplaceAllString(bodies[i][1], "")), visible(turn.Content); got != want {
			t.Fatalf("turn %d is shown as %q, it is %q", i, got, want)
		}
		i++
	}
	quotes := map[string]string{}
	for _, m := range markText.FindAllStringSubmatch(page, -1) {
		for q := range strings.FieldsSeq(m[1]) {
			quotes[q] += html.UnescapeString(tag.ReplaceAllString(m[2], ""))
		}
	}
	n := 0
	for _, e := range d.Elements {
		n++
		for i, ev := range e.Evidence {
			// \r\n cut in two by a span is two breaks; compare without breaks
			key := ref{item: n, quote: i}.String()
			if got, want := flat(quotes[key]), flat(visible(ev.Quote)); got != want {
				t.Fatalf("quote %s is marked as %q, it is %q", key, got, want)
			}
		}
	}
}

func flat(s string) string { return strings.ReplaceAll(s, "\n", "") }
