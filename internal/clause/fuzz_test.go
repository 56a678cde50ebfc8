package clause_test

import (
	"testing"
	"unicode/utf8"

	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// FuzzAnnotate annotates any text: offsets stay inside it, tokens are in
// order and apart, sentences cover tokens in order.
func FuzzAnnotate(f *testing.F) {
	for _, s := range []string{
		"", "The system starts in an idle state. When the user clicks 'Search', it goes to a loading state.",
		"spec: state idle {\n entry: x\n}\n\nmore", "```speckl\nstate a {}\n```", "```", "> quoted\nnot", "- A\n  - b: c\n## H\nX STATE: if y",
		"e\u0301tat → “x” ‘y’ `z` 30s 1.5 h", "\r\n\r\n", "👍🏽", "状态。完成", "no wait, scratch that", "no wait: a", "never mind: it goes to a state", "'", "'a", "a'", "``", "state:", "  STATE: x",
	} {
		f.Add(s)
	}
	markers := clause.Markers{Prefixes: []string{"spec:", "state:"}}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // refused before it comes here
		}
		text := clause.Annotate(&sir.Turn{Content: s}, markers, nil)
		text.Parse()
		end := int32(0)
		for _, k := range text.Tokens {
			if k.Start < end || k.End <= k.Start || int(k.End) > len(s) {
				t.Fatalf("token [%d,%d) after %d in %q", k.Start, k.End, end, s)
			}
			if !utf8.ValidString(k.Of(s)) || !utf8.ValidString(k.Inner(s)) {
				t.Fatalf("token %q cuts a character of %q", k.Of(s), s)
			}
			end = k.End
		}
		at := 0
		for _, x := range text.Sentences {
			if x.From < at || x.To <= x.From || x.To > len(text.Tokens) || x.Body < x.From || x.Body > x.To || x.CueEnd > x.To {
				t.Fatalf("sentence %+v after token %d of %d in %q", x, at, len(text.Tokens), s)
			}
			if x.Above >= len(text.Sentences) || x.Parent >= len(text.Sentences) {
				t.Fatalf("sentence %+v of %d in %q", x, len(text.Sentences), s)
			}
			at = x.To
		}
		for _, b := range text.Blocks {
			if b.Span.Start > b.Body.Start || b.Body.Start > b.Body.End || b.Body.End > b.Span.End || b.Span.End > len(s) {
				t.Fatalf("block %+v in %q", b, s)
			}
			for _, k := range text.Tokens {
				if int(k.Start) < b.Span.End && b.Span.Start < int(k.End) {
					t.Fatalf("token %q is in block %+v of %q", k.Of(s), b, s)
				}
			}
		}
	})
}
