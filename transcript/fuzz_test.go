package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

func FuzzText(f *testing.F)     { fuzz(f, "text", "*.txt") }
func FuzzMarkdown(f *testing.F) { fuzz(f, "markdown", "*.md") }
func FuzzProse(f *testing.F)    { fuzz(f, "prose", "*.md") }
func FuzzVTT(f *testing.F)      { fuzz(f, "vtt", "*.vtt") }
func FuzzJSONL(f *testing.F)    { fuzz(f, "jsonl", "golden/*.jsonl") }
func FuzzDetect(f *testing.F)   { fuzz(f, "", "*.*") }

// fuzz reads anything as a format, strictly and leniently, twice.
func fuzz(f *testing.F, format, seeds string) {
	files, err := filepath.Glob(filepath.Join("testdata", seeds))
	if err != nil || len(files) == 0 {
		f.Fatalf("seeds %s: %v", seeds, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), 0)
		f.Add(string(data), 40)
	}
	f.Add("Ann: ```\nBob: x\n```\n> q\n\nBob (2026-03-11 09:12): \xff\x00", 10)
	f.Fuzz(func(t *testing.T, text string, maxTurn int) {
		if maxTurn < 0 || maxTurn > 1<<20 {
			return
		}
		for _, lenient := range []bool{false, true} {
			o := transcript.Options{Format: format, MaxTurn: maxTurn, Lenient: lenient}
			turns, err := readAll(text, o)
			checkTurns(t, turns, maxTurn, format == "jsonl" || format == "")
			var bad *transcript.Error
			if err != nil && (lenient || !errors.As(err, &bad)) {
				t.Fatalf("lenient %v: %v", lenient, err)
			}
			if bad != nil && (bad.Offset < 0 || bad.Offset > int64(len(text)) || bad.Line < 1 || bad.Col < 1 || bad.Text == "" || strings.Contains(bad.Error(), "\n")) {
				t.Fatalf("error without a place: %#v", bad)
			}
			again, err2 := readAll(text, o)
			if d := cmp.Diff(turns, again); d != "" || (err == nil) != (err2 == nil) {
				t.Fatalf("not the same twice: %s", d)
			}
			back, err := readAll(string(encode(t, turns)), transcript.Options{Format: "jsonl"})
			if d := cmp.Diff(turns, back); err != nil || d != "" && !strings.Contains(d, "Timestamp") {
				t.Fatalf("round trip: %v %s", err, d)
			}
		}
	})
}

// checkTurns checks what every turn promises.
func checkTurns(t *testing.T, turns []sir.Turn, maxTurn int, ownSeq bool) {
	t.Helper()
	ids := map[string]bool{}
	for i, turn := range turns {
		for _, s := range []string{turn.ID, turn.SessionID, turn.Name(), turn.Content} {
			if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
				t.Fatalf("turn %d: bad text %q", i, s)
			}
		}
		if turn.ID == "" || turn.SessionID == "" || turn.Seq < 1 || !turn.Speaker.Valid() || turn.Metadata.Source == nil || turn.Metadata.Kind == "" {
			t.Fatalf("turn %d is incomplete: %+v", i, turn)
		}
		if maxTurn > 0 && len(turn.Content) > maxTurn {
			t.Fatalf("turn %d has %d bytes", i, len(turn.Content))
		}
		if !ownSeq && (turn.Seq != i+1 || ids[turn.ID]) {
			t.Fatalf("turn %d: seq %d, id %s", i, turn.Seq, turn.ID)
		}
		ids[turn.ID] = true
		for _, q := range turn.Metadata.Quoted {
			if q[0] < 0 || q[0] >= q[1] || q[1] > len(turn.Content) || !utf8.ValidString(turn.Content[q[0]:q[1]]) {
				t.Fatalf("turn %d: quoted %v of %q", i, q, turn.Content)
			}
		}
	}
}
