package syntax

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each line of testdata/mistakes.txt is read as a text of its own; the golden
// file holds what is kept and what is said.
func TestMistakes(t *testing.T) {
	in, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := append(strings.Split(strings.TrimSpace(string(in)), "\n"),
		"state a {\n  entry: x\n  exit: y\nstate b {}\nstate c",
		"state a {\n  parent: {\n  x\n}\nstate b",
		"state x\n\n   transition été -> \n state y",
		"guard "+strings.Repeat("[", 201)+strings.Repeat("]", 201)+"\nevent E {"+strings.Repeat("{", 300)+strings.Repeat("}", 301)+"\nstate kept",
	)
	var b strings.Builder
	for _, text := range texts {
		stmts, diags := Parse(text, Options{File: "f"})
		checkSpans(t, text, stmts)
		if len(text) > 200 {
			text = text[:20] + "…"
		}
		fmt.Fprintf(&b, "%s\n", text)
		for _, l := range strings.Split(show(stmts), "\n") {
			if l != "" {
				fmt.Fprintf(&b, "    = %s\n", l)
			}
		}
		for _, d := range diags {
			fmt.Fprintf(&b, "    ! %s %s %v %v\n", d.Severity, d.Code, d, d.Where.Bytes)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/mistakes.golden", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/mistakes.golden")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestMissingAfterMarker(t *testing.T) {
	_, diags := Parse("  ", Options{Kind: State})
	if len(diags) != 1 || diags[0].Text != "expected a state name, found end of line" {
		t.Errorf("%v", diags)
	}
}

func TestAt(t *testing.T) {
	o := Options{Kind: State, File: "turn-1", At: diag.Where{Line: 3, Col: 7, Bytes: [2]int{20, 0}}}
	stmts, diags := Parse(" a { x: 1 }\nfoo", o)
	if len(stmts) != 1 || stmts[0].Span != (sir.Span{Start: 21, End: 31}) || stmts[0].Fields[0].Span != (sir.Span{Start: 21, End: 22}) {
		t.Errorf("%+v", stmts)
	}
	if len(diags) != 2 || diags[0].Where.String() != "turn-1:3:12" || diags[1].Where.String() != "turn-1:4:1" || diags[1].Where.Bytes != [2]int{32, 35} {
		t.Errorf("%v", diags)
	}
}
