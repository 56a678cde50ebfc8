package ground_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/speckl/speckl/ground"
)

// change is a labelled quote of testdata/changes.
type change struct {
	kind, name, quote, span string
}

// readChanges reads a source and its labelled quotes, one a line: kind, what is
// changed, quote, span. "⏎" stands for a line's end, \u0301 for that rune.
func readChanges(t *testing.T, path string) (source string, out []change) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "== source\n")
	source, cases, ok := strings.Cut(rest, "== cases\n")
	if !ok {
		t.Fatalf("%s: want == source and == cases", path)
	}
	marks := regexp.MustCompile(`\\u[0-9a-f]{4}`)
	for _, line := range strings.Split(strings.TrimSpace(cases), "\n") {
		f := strings.Split(line, " | ")
		for i := range f {
			f[i] = strings.ReplaceAll(strings.TrimSuffix(f[i], " |"), "⏎", "\n")
			f[i] = marks.ReplaceAllStringFunc(f[i], func(s string) string {
				r, err := strconv.ParseUint(s[2:], 16, 32)
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				return string(rune(r))
			})
		}
		c := change{kind: f[0], name: f[1]}
		if len(f) > 2 {
			c.quote = strings.TrimSuffix(f[2], "|")
		}
		if len(f) > 3 {
			c.span = f[3]
		}
		if c.span == "=" {
			c.span = c.quote
		}
		out = append(out, c)
	}
	return source, out
}

// TestChanges: every kind of change to a quote, in several languages, with
// what it is worth.
func TestChanges(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/changes/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, changes := readChanges(t, file)
			source := ground.New(ground.Part{Text: text})
			for _, c := range changes {
				m := source.Find(ground.Quote{Text: c.quote})
				got := ""
				if m.Kind != ground.None {
					got = m.Span.Of(text)
				}
				if string(m.Kind) != c.kind || c.span != "" && got != c.span {
					t.Errorf("%s: %q\n\tgot  %s %q %+v\n\twant %s %q", c.name, c.quote, m.Kind, got, m.Edits, c.kind, c.span)
				}
			}
		})
	}
}
