package transcript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

// words is text of many scripts and shapes.
func words() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.StringN(0, 20, -1),
		rapid.SampledFrom([]string{
			"\r\n", "\n", "\r", "\t", " ", "\"", "\\", "\\u0000", "\u2028", "\u2029", "\u200f", "\u202e", "\ufeff", "\u0085",
			"Trần Bảo", norm.NFD.String("Trần Bảo"), "你好，世界", "नमस्ते", "مرحبا", "👩‍👩‍👧", "e\u0301", "🇻🇳", "<&>", "{[", "\x7f", "\x01", "Ann: ", "\n> q", "\n```\n",
		}),
	)
	return rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	})
}

func optional[T any](g *rapid.Generator[T]) *rapid.Generator[*T] {
	return rapid.Custom(func(t *rapid.T) *T {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		v := g.Draw(t, "some")
		return &v
	})
}

// What is written as JSONL is read again, byte for byte.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		some := words().Filter(func(s string) bool { return s != "" })
		var turns []sir.Turn
		for range rapid.IntRange(0, 5).Draw(rt, "turns") {
			turns = append(turns, sir.Turn{
				ID: some.Draw(rt, "id"), SessionID: some.Draw(rt, "session"), Seq: rapid.IntRange(1, 1<<53).Draw(rt, "seq"),
				Timestamp: optional(rapid.Int64Range(1e11, 8.64e15)).Draw(rt, "time"),
				Speaker:   rapid.SampledFrom([]sir.Role{sir.Human, sir.Agent}).Draw(rt, "role"),
				// An empty name is nobody's.
				SpeakerName: optional(some).Draw(rt, "name"),
				AgentID:     words().Draw(rt, "agent"), Content: words().Draw(rt, "content"), ParentTurnID: words().Draw(rt, "parent"),
				Metadata: &sir.Metadata{
					Source: &sir.Source{File: words().Draw(rt, "file"), Record: rapid.IntRange(0, 1<<40).Draw(rt, "record")},
					Kind:   rapid.SampledFrom([]string{"message", "media", "deleted", "forwarded"}).Draw(rt, "kind"),
					TZ:     words().Draw(rt, "tz"),
				},
			})
		}
		got, err := readAll(string(encode(t, turns)), transcript.Options{Format: "jsonl"})
		if err != nil {
			rt.Fatal(err)
		}
		if d := cmp.Diff(turns, got); d != "" {
			rt.Fatal(d)
		}
	})
}

// Words that hold no label come back from a text log as they went in, but for
// line ends.
func TestTextKeepsWords(t *testing.T) {
	line := rapid.Map(words(), func(s string) string {
		s = strings.NewReplacer("\n", "", "\r", "", "`", "", "~", "", "\t", "").Replace(s)
		return "x" + strings.TrimSuffix(s, "\r")
	})
	rapid.Check(t, func(rt *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end")
		var in strings.Builder
		var want []string
		for range rapid.IntRange(1, 5).Draw(rt, "turns") {
			body := rapid.SliceOfN(line, 1, 4).Draw(rt, "lines")
			in.WriteString("Ann: " + strings.Join(body, end+"  ") + end)
			want = append(want, strings.Join(body, "\n  "))
		}
		turns, err := readAll(in.String(), asText)
		if err != nil {
			rt.Fatal(err)
		}
		var got []string
		for _, turn := range turns {
			got = append(got, turn.Content)
		}
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatal(d)
		}
	})
}
