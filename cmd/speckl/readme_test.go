package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/cli"
)

// TestReadme runs the commands of the README's section on documents that
// last, one after the other: each must do what it says, without an error.
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "## A document that lasts")
	if !ok {
		t.Fatal("the README has no section on documents that last")
	}
	_, block, _ := strings.Cut(section, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	t.Chdir(root)
	t.Setenv("SPECKL_DB", filepath.Join(t.TempDir(), "talks.db"))
	n := 0
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "speckl ")
		if !ok {
			continue
		}
		n++
		var stdout, stderr bytes.Buffer
		if code := cli.Main(words(command), strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Errorf("%sexits with %d: %s", line, code, stderr.String())
		}
		if stdout.Len() == 0 {
			t.Errorf("%sprints nothing", line)
		}
	}
	if n < 8 {
		t.Errorf("the section has %d commands", n)
	}
}

// words cuts a command line as a shell would: at spaces, except in single
// quotes, up to a comment.
func words(line string) []string {
	line, _, _ = strings.Cut(line, " #")
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
