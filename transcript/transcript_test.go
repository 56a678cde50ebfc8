package transcript_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// readAll reads a conversation given as a text.
func readAll(text string, o transcript.Options) ([]sir.Turn, error) {
	var out []sir.Turn
	for t, err := range transcript.Read(strings.NewReader(text), o) {
		if err != nil {
			return out, err
		}
		out = append(out, t)
	}
	return out, nil
}

// lines prints turns one a line: name, tilde for an agent, and content.
func lines(turns []sir.Turn) string {
	var b strings.Builder
	for _, t := range turns {
		name := "-"
		if t.SpeakerName != nil {
			name = *t.SpeakerName
		}
		if t.Speaker == sir.Agent {
			name = "~" + name
		}
		b.WriteString(name + "| " + strings.ReplaceAll(t.Content, "\n", "⏎") + "\n")
	}
	return b.String()
}

// expectTurns reads text and compares what [lines] prints.
func expectTurns(t *testing.T, o transcript.Options, text, want string) []sir.Turn {
	t.Helper()
	turns, err := readAll(text, o)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	if d := cmp.Diff(strings.TrimLeft(want, "\n"), lines(turns)); d != "" {
		t.Errorf("turns of %q (-want +got):\n%s", text, d)
	}
	return turns
}

func expectFormat(t *testing.T, text, want string) {
	t.Helper()
	f, _, err := transcript.Detect(strings.NewReader(text), transcript.Options{})
	if err != nil || f.ID != want {
		t.Errorf("detect %.60q: got %q, %v, want %q", text, f.ID, err, want)
	}
}

var samples = []struct {
	file, format string
	messages     int
	speakers     []string
}{
	{"chat-log.md", "markdown", 4, []string{"Ann Lee", "Bao Tran", "You", "ChatGPT"}},
	{"plain.txt", "text", 3, []string{"Ann", "Bao Tran"}},
	{"meet.vtt", "vtt", 1, nil},
	{"zoom.vtt", "vtt", 2, []string{"Ann Lee", "Bao Tran"}},
	{"teams.vtt", "vtt", 3, []string{"Lee, Ann", "Trần Bảo (Guest)"}},
}

func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", s.file))
			if err != nil {
				t.Fatal(err)
			}
			f, rest, err := transcript.Detect(bytes.NewReader(data), transcript.Options{})
			if err != nil || f.ID != s.format {
				t.Fatalf("detect: %q, %v", f.ID, err)
			}
			var turns []sir.Turn
			for turn, err := range transcript.Read(rest, transcript.Options{Format: f.ID, Name: s.file}) {
				if err != nil {
					t.Fatal(err)
				}
				turns = append(turns, turn)
			}
			if len(turns) != s.messages {
				t.Errorf("%d turns, want %d", len(turns), s.messages)
			}
			var speakers []string
			for _, turn := range turns {
				if n := turn.Name(); n != "" && !slices.Contains(speakers, n) {
					speakers = append(speakers, n)
				}
			}
			if d := cmp.Diff(s.speakers, speakers); d != "" {
				t.Errorf("speakers (-want +got):\n%s", d)
			}
			golden(t, "testdata/golden/"+s.file+".jsonl", encode(t, turns))
		})
	}
}

func encode(t *testing.T, turns []sir.Turn) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := transcript.EncodeJSONL(&b, func(yield func(sir.Turn, error) bool) {
		for _, turn := range turns {
			if !yield(turn, nil) {
				return
			}
		}
	})
	if err != nil || n != len(turns) {
		t.Fatalf("encode: %d, %v", n, err)
	}
	for line := range bytes.Lines(b.Bytes()) {
		if !json.Valid(line) {
			t.Fatalf("no JSON: %s", line)
		}
	}
	return b.Bytes()
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range transcript.Formats() {
		if f.ID == "" || f.Name == "" || f.Description == "" || len(f.Extensions) == 0 || seen[f.ID] {
			t.Errorf("format %+v is incomplete or twice there", f)
		}
		seen[f.ID] = true
		if got, err := transcript.Lookup(f.ID); err != nil || got.ID != f.ID {
			t.Errorf("lookup %s: %v", f.ID, err)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	for id, want := range map[string]string{
		"jsnl":   "did you mean jsonl?",
		"mark":   "did you mean markdown?",
		"zzzzzz": "formats are jsonl text markdown prose vtt",
	} {
		_, err := readAll("x", transcript.Options{Format: id})
		if !errors.Is(err, transcript.ErrUnknownFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("format %q: %v, want %q in it", id, err, want)
		}
	}
}

func TestDetect(t *testing.T) {
	expectFormat(t, "", "prose")
	expectFormat(t, "WEBVTT\n", "vtt")
	expectFormat(t, "\ufeffWEBVTT - title\n\n", "vtt")
	expectFormat(t, "WEBVTTX\n", "prose")
	expectFormat(t, `{"content":"hi"}`, "jsonl")
	expectFormat(t, "\n\n"+`{"x":1}`+"\n"+`{"content":"hi"}`+"\n", "jsonl")
	expectFormat(t, `{"content":"`+strings.Repeat("x", 200_000)+`"}`, "jsonl")
	expectFormat(t, `{"content": "hi"`, "jsonl")
	expectFormat(t, "{curly} is a word\n", "prose")
	expectFormat(t, "Ann: hi\nBob: hey\n", "text")
	expectFormat(t, "ann: hi\nbob: hey\nann: so\nbob: ok\n", "text")
	expectFormat(t, "Ann: a\nAnn: b\nAnn: c\n", "text")
	expectFormat(t, "Ann: a\nAnn: b\n", "prose")
	expectFormat(t, "Ann: a\n", "prose")
	expectFormat(t, "Note: a\nAgenda: b\nNote: c\nAgenda: d\n", "prose")
	expectFormat(t, "spec: a\nstate: b\nspec: c\nState: d\nSPEC: e\n", "prose")
	expectFormat(t, "- Ann: a\n- Bob: b\n* Ann: c\n1. Bob: d\n", "prose")
	expectFormat(t, "Idle state: a\nLoading state: b\nNext steps: c\n", "prose")
	expectFormat(t, "http://x: a\nhttps: b\nhttp: c\n10:00 d\n", "prose")
	expectFormat(t, "Location: Berlin\nBudget: 20\nStatus: done\nPlan: see below\n", "prose")
	expectFormat(t, "小明：你好\n小红：再见\n", "text")
	expectFormat(t, "**Ann:** hi\n\n**Bob:** hey\n", "markdown")
	expectFormat(t, "## User\n\nhi\n\n## Assistant\n\nhello\n", "markdown")
	expectFormat(t, "# Design\n\n## User\n\nhi\n\n## Admin\n\nhello\n", "prose")
	expectFormat(t, "# Title\n\n**Note:** mind the gap\n\n**Warning:** it bites\n", "prose")
	expectFormat(t, "Ann: a\n**Note:** x\n**Update:** y\nBob: b\n", "text")
	expectFormat(t, "```\nAnn: a\nBob: b\n```\n", "prose")
	expectFormat(t, "Once upon a time.\n\nThere was a queen.\n", "prose")
}

func TestSession(t *testing.T) {
	for name, want := range map[string]string{
		"": "stdin", "-": "stdin", "talk.txt": "talk.txt", "/home/ann/talk.txt": "talk.txt", `C:\x\talk.txt`: "talk.txt",
	} {
		turns, err := readAll("hello", transcript.Options{Name: name})
		if err != nil || len(turns) != 1 || turns[0].SessionID != want || turns[0].Metadata.Source.File != want {
			t.Errorf("name %q: %+v, %v", name, turns, err)
		}
	}
}
