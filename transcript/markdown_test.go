package transcript_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

var asMarkdown = transcript.Options{Format: "markdown"}

func TestMarkdown(t *testing.T) {
	expectTurns(t, asMarkdown, "", "")
	expectTurns(t, asMarkdown, "**Ann**: a\n**Bob:** b\n__Cid__:\nc\n\n**Dan** (09:12)\nd\n\n**Eve Lee (09:13):** e\n", `
Ann| a
Bob| b
Cid| c
Dan| d
Eve Lee| e
`)
	expectTurns(t, asMarkdown, "**Ann**: a\n**Bob:** b\n__Cid__:\nc\n\n**bold** word\n**Note:** n\n**Agenda**: m\n**x**\nplain: text\n", `
Ann| a
Bob| b
Cid| c⏎⏎**bold** word⏎**Note:** n⏎**Agenda**: m⏎**x**⏎plain: text
`)
	expectTurns(t, asMarkdown, "# Log\n\nWe met.\n\n## Ann:\nhi\n\n### Bob:\nlower\n\n## Bob Tran:\nhey\n## Other\nmore\n", `
-| We met.
Ann| hi⏎⏎### Bob:⏎lower
Bob Tran| hey⏎## Other⏎more
`)
	// An assistant's answer is full of headings and bold labels.
	expectTurns(t, asMarkdown, "#### You said:\nPlan?\n\n##### ChatGPT said:\n## Overview\n**Breakfast:** eggs\n### Lunch:\n**Soup**: hot\n**You:** and me?\n", `
You| Plan?
~ChatGPT| ## Overview⏎**Breakfast:** eggs⏎### Lunch:⏎**Soup**: hot
You| and me?
`)
	expectTurns(t, asMarkdown, "# User\nhi\n# Assistant\n## Human\nhello\n# Notes\nx\n", `
User| hi
~Assistant| 
Human| hello⏎# Notes⏎x
`)
	expectTurns(t, asMarkdown, "\ufeff**Ann:** a\r\n\r\n~~~\r\n**Bob:** code\r\n~~~~\r\n**Bob:**\r\n> q\r\n", "Ann| a⏎⏎~~~⏎**Bob:** code⏎~~~~\nBob| > q\n")
}

func clocks(turns []sir.Turn) []string {
	var got []string
	for _, turn := range turns {
		if turn.Timestamp == nil {
			got = append(got, "null")
			continue
		}
		got = append(got, time.UnixMilli(*turn.Timestamp).UTC().Format("2006-01-02 15:04:05"))
	}
	return got
}

func TestMarkdownTimes(t *testing.T) {
	text := `**Ann** (23:30): no date yet
# Notes 2026-03-11
## Monday
**Ann** (09:12): a
**Bob** (9:13:30 PM): b
**Ann** (00:05): the next day, but which?
**Bob** (00:06): no
# 2026-03-12
**Ann** (00:07): c
### Release 2020-01-01
**Bob** (2026-03-13 08:00): d
**Ann** (2026-03-13T08:00:00Z): e
`
	turns, err := readAll(text, asMarkdown)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"null", "null", "null", "null", "null", "null", "2026-03-13 08:00:00", "2026-03-13 08:00:00"}
	want[1], want[2] = "2026-03-11 09:12:00", "2026-03-11 21:13:30"
	want[5] = "2026-03-12 00:07:00"
	if d := cmp.Diff(want, clocks(turns)); d != "" {
		t.Errorf("UTC: %s", d)
	}
	o := asMarkdown
	o.Zone = time.FixedZone("", 7*3600)
	if turns, err = readAll(text, o); err != nil {
		t.Fatal(err)
	}
	want[1], want[2], want[5], want[6] = "2026-03-11 02:12:00", "2026-03-11 14:13:30", "2026-03-11 17:07:00", "2026-03-13 01:00:00"
	if d := cmp.Diff(want, clocks(turns)); d != "" {
		t.Errorf("+07: %s", d)
	}
}

func TestMarkdownHeadingsAreCounted(t *testing.T) {
	var report transcript.Report
	o := asMarkdown
	o.OnSkip = report.Add
	expectTurns(t, o, "# Title\n\n## Sub\n\n**Ann:** a\n# 2026-03-11\n**Bob:** b\n", "Ann| a\nBob| b\n")
	if report.NoSpeech != 3 || report.Total() != 3 {
		t.Errorf("%+v", report)
	}
}
