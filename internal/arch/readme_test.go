package arch_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/cli"
)

// fence finds the blocks of code of a language in a page.
func fence(page, language string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return out
}

func page(t *testing.T, name string) string {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// run runs the program in the repository's root.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("speckl %s: exit %d\n%s", strings.Join(args, " "), code, &errs)
	}
	return out.String()
}

// TestReadme: what the README shows is what there is.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("COLUMNS", "")
	readme := page(t, "README.md")

	t.Run("first command", func(t *testing.T) {
		words := strings.Fields(fence(readme, "sh")[0])
		if len(words) < 4 || strings.Join(words[:3], " ") != "go run ./cmd/speckl" {
			t.Fatalf("the first command is %q", words)
		}
		if excerpt := fence(readme, "text")[0]; !strings.Contains(run(t, words[3:]...), excerpt) {
			t.Errorf("the output below the first command is no excerpt of it:\n%s", excerpt)
		}
	})
	t.Run("library", func(t *testing.T) {
		example := strings.ReplaceAll(page(t, "example_test.go"), "\n\t", "\n")
		if snippet := fence(readme, "go")[0]; !strings.Contains(example, snippet) {
			t.Errorf("example_test.go does not have:\n%s", snippet)
		}
	})
	t.Run("commands", func(t *testing.T) {
		var help struct {
			Commands []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(run(t, "help", "--json")), &help); err != nil {
			t.Fatal(err)
		}
		for _, c := range help.Commands {
			if name, _, _ := strings.Cut(strings.TrimPrefix(c.Name, "speckl "), " "); !strings.Contains(readme, "`"+name) {
				t.Errorf("the README does not name the command %s", c.Name)
			}
		}
	})
	t.Run("links", func(t *testing.T) {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(readme, -1) {
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("link to nowhere: %v", err)
			}
		}
	})
}

// TestSameBytes: the README promises them.
func TestSameBytes(t *testing.T) {
	t.Chdir("../..")
	for _, name := range []string{"checkout.txt", "upload.jsonl", "standup.md", "interview.vtt", "planning.txt"} {
		first := run(t, "extract", "--quiet", "-o", "json", "examples/"+name)
		for range 20 {
			if again := run(t, "extract", "--quiet", "-o", "json", "examples/"+name); again != first {
				t.Errorf("%s: two runs differ: some order is that of a map", name)
				break
			}
		}
	}
}
