package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/transcript"
)

var asText = transcript.Options{Format: "text"}

func TestText(t *testing.T) {
	expectTurns(t, asText, "", "")
	expectTurns(t, asText, "\n \n\n", "")
	expectTurns(t, asText, "Ann: hi\nBob: hey", `
Ann| hi
Bob| hey
`)
	expectTurns(t, asText, "\ufeffAnn: hi\r\n  more\r\n\r\nstill\r\n\r\n\r\nBob:\they\r\n", `
Ann| hi⏎  more⏎⏎still
Bob| hey
`)
	expectTurns(t, asText, "Minutes of Monday\n\nAnn: hi\nBob: \nAnn:\n  below\n", `
-| Minutes of Monday
Ann| hi
Bob| 
Ann|   below
`)
	expectTurns(t, asText, "Ann: one\nNote: x\nspec: the door is shut\nAgenda: y\nThe idle state: z\n- Bob: a list\nhttp://x: y\nAnd then: so\nBob: ok\n", `
Ann| one⏎Note: x⏎spec: the door is shut⏎Agenda: y⏎The idle state: z⏎- Bob: a list⏎http://x: y⏎And then: so
Bob| ok
`)
	expectTurns(t, asText, "bob: a\nAnn: b\nbob: c\neve said it all: d\n", `
bob| a
Ann| b
bob| c⏎eve said it all: d
`)
	expectTurns(t, asText, "Trần Bảo (Guest): chào\nDr. O'Neil: hi\nSPEAKER_00: x\nJean-Luc de la Tour: y\n小明:你好\nअनु: नमस्ते\nسارة: مرحبا\n", `
Trần Bảo (Guest)| chào
Dr. O'Neil| hi
SPEAKER_00| x
Jean-Luc de la Tour| y
小明| 你好
अनु| नमस्ते
سارة| مرحبا
`)
	expectTurns(t, asText, "User: hi\nAssistant: hello\nGPT-4o: x\nDeploy Bot: y\nClaude Monet: z\n", `
User| hi
~Assistant| hello
~GPT-4o| x
~Deploy Bot| y
Claude Monet| z
`)
}

func TestTextTimes(t *testing.T) {
	turns := expectTurns(t, asText, "[09:12] Ann: hi\nBob (09:13): hey\n[2026-03-11 09:14] Ann: dated\nBob (2026-03-11T09:14:00+01:00): zoned\n", `
Ann| hi
Bob| hey
Ann| dated
Bob| zoned
`)
	var got []string
	for _, turn := range turns {
		s := "null"
		if turn.Timestamp != nil {
			s = fmt.Sprint(*turn.Timestamp)
		}
		got = append(got, s)
	}
	if d := cmp.Diff([]string{"null", "null", "1773220440000", "1773216840000"}, got); d != "" {
		t.Error(d)
	}
}

func TestTextMarkers(t *testing.T) {
	o := transcript.Options{Format: "text", Markers: []string{"Rule:", "house rule"}, CueNouns: []string{"Spell"}}
	expectTurns(t, o, "Ann: a\nRULE: b\nHouse  Rule: c\nFire spell: d\nBob: e\n", `
Ann| a⏎RULE: b⏎House  Rule: c⏎Fire spell: d
Bob| e
`)
}

func TestTextFences(t *testing.T) {
	expectTurns(t, asText, "Ann: look\n```go\nBob: code\n\n> x\n```\n> said before\nBob: ```\nAnn: code\n```\nAnn: ok\n", `
Ann| look⏎`+"```go⏎Bob: code⏎⏎> x⏎```"+`⏎> said before
Bob| `+"```⏎Ann: code⏎```"+`
Ann| ok
`)
	// A fence that never ends is none.
	expectTurns(t, asText, "Ann: look\n```\nBob: talk\nAnn: ok\n", `
Ann| look⏎`+"```"+`
Bob| talk
Ann| ok
`)
}

func TestQuotes(t *testing.T) {
	turns := expectTurns(t, asText, "Ann: > q1\n> q2\n\n  > q3\nmine\n```\n> code\n```\nBob: -> no\n", `
Ann| > q1⏎> q2⏎⏎  > q3⏎mine⏎`+"```⏎> code⏎```"+`
Bob| -> no
`)
	if d := cmp.Diff([][2]int{{0, 9}, {11, 17}}, turns[0].Metadata.Quoted); d != "" {
		t.Error(d)
	}
	if turns[1].Metadata.Quoted != nil {
		t.Error("an arrow is no quote")
	}
}

// Equal turns get ids of their own; a longer file keeps the ids of its
// beginning.
func TestTurnIDs(t *testing.T) {
	short := expectTurns(t, asText, "Ann: ok\nBob: ok\nAnn: ok\nAnn: ok\n", "Ann| ok\nBob| ok\nAnn| ok\nAnn| ok\n")
	long, err := readAll("Ann: ok\nBob: ok\nAnn: ok\nAnn: ok\nBob: more\n", asText)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, turn := range long {
		if seen[turn.ID] {
			t.Errorf("turn %d has the id of another", i+1)
		}
		seen[turn.ID] = true
		if turn.Seq != i+1 || i < len(short) && turn.ID != short[i].ID {
			t.Errorf("turn %d: seq %d, id %s", i+1, turn.Seq, turn.ID)
		}
	}
}

func TestProse(t *testing.T) {
	prose := transcript.Options{Format: "prose", MaxTurn: 20}
	expectTurns(t, transcript.Options{}, "\n\nOnce upon a time.\n\n\nThe end.\n\n", "-| Once upon a time.⏎⏎⏎The end.\n")
	expectTurns(t, prose, "aaaa\n\nbbbb\n\ncccccccccc\ndd\n\n> ee\n", `
-| aaaa⏎⏎bbbb
-| cccccccccc⏎dd⏎⏎> ee
`)
	expectTurns(t, prose, strings.Repeat("aaaaaaaaaaaaaaaaaaaa\n\n", 3), strings.Repeat("-| aaaaaaaaaaaaaaaaaaaa\n", 3))
	expectTurns(t, prose, "aaaa"+strings.Repeat("\n", 99)+"bbbb", "-| aaaa\n-| bbbb\n")
	turns := expectTurns(t, prose, "> a\n\n> bbbbbbb\n> c\n\n> ddddd\n", "-| > a⏎⏎> bbbbbbb⏎> c\n-| > ddddd\n")
	if d := cmp.Diff([][2]int{{0, 7}}, turns[1].Metadata.Quoted); d != "" {
		t.Error(d)
	}
	if r := turns[1].Metadata.Source.Record; r != 6 {
		t.Errorf("record %d, want the line where the piece begins", r)
	}
	expectError(t, prose, "aaaaaaaaaa\naaaaaaaaaa\n", transcript.CodeTooLong, "stdin:1:1:", 0)
	lenient := prose
	lenient.Lenient = true
	expectTurns(t, lenient, "aaaaaaaaaa\naaaaaaaaaa\nbbb\n\nccc\n", "-| ccc\n")
}
