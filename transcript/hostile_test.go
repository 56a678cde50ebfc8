package transcript_test

import (
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/transcript"
)

// Files made to be slow are not: each is a few megabytes and takes well under a
// second; what is quadratic would take minutes.
func TestHostile(t *testing.T) {
	fences := &strings.Builder{}
	for i := range 200_000 {
		fences.WriteString(strings.Repeat("~", 3+(200_000-i)%60) + "x\n")
	}
	for name, c := range map[string]struct{ format, text string }{
		"open fences":   {"text", strings.Repeat("```x\n", 500_000)},
		"label fences":  {"text", strings.Repeat("Ann: ```x\n", 300_000)},
		"falling waves": {"markdown", fences.String()},
		"angles":        {"vtt", "WEBVTT\n\n00:01 --> 00:02\n" + strings.Repeat("<", 900_000) + ">\n"},
		"tags":          {"vtt", "WEBVTT\n\n00:01 --> 00:02\n" + strings.Repeat("<v a>", 200_000) + "\n"},
		"entities":      {"vtt", "WEBVTT\n\n00:01 --> 00:02\n" + strings.Repeat("&", 1_000_000) + "\n"},
		"blank lines":   {"prose", "a" + strings.Repeat("\n", 4_000_000) + "b"},
		"gaps":          {"prose", strings.Repeat("\n\na\n"+strings.Repeat("b", 70_000), 60)},
		"quotes":        {"prose", strings.Repeat("> a\n\n", 500_000)},
		"braces":        {"jsonl", strings.Repeat("{", 4_000_000)},
		"keys":          {"jsonl", `{"content":"a"` + strings.Repeat(`,"content":"a"`, 300_000) + "}"},
		"backslashes":   {"jsonl", `{"content":"` + strings.Repeat(`\\`, 400_000) + `"}`},
		"quote marks":   {"jsonl", `{"content":"` + strings.Repeat(`\"`, 400_000) + `"}`},
		"names":         {"text", names(200_000)},
		"bold":          {"markdown", strings.Repeat("**a**\n__b\n## \n", 200_000)},
		"dates":         {"markdown", "# " + strings.Repeat("2026-03-1", 100_000)},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := readAll(c.text, transcript.Options{Format: c.format, Lenient: true})
			if d := time.Since(start); err != nil || d > 20*time.Second {
				t.Errorf("%d bytes: %v, %v", len(c.text), d, err)
			} else {
				t.Log(d)
			}
		})
	}
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("Ann" + strings.Repeat("x", i%9) + string(rune('A'+i%26)) + string(rune('a'+i/26%26)) + ": hi\n")
	}
	return b.String()
}
