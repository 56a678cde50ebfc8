package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/transcript"
)

var asVTT = transcript.Options{Format: "vtt"}

// captions writes a file of cues; "@5 text" begins at second 5, each lasts one
// second.
func captions(cues ...string) string {
	var b strings.Builder
	b.WriteString("WEBVTT\n")
	for _, c := range cues {
		at, text, _ := strings.Cut(strings.TrimPrefix(c, "@"), " ")
		var s float64
		fmt.Sscan(at, &s)
		fmt.Fprintf(&b, "\n%02d:%06.3f --> %02d:%06.3f\n%s\n", int(s)/60, s-float64(int(s)/60*60), int(s+1)/60, s+1-float64(int(s+1)/60*60), text)
	}
	return b.String()
}

func TestVTT(t *testing.T) {
	expectTurns(t, asVTT, "WEBVTT", "")
	expectTurns(t, asVTT, "WEBVTT - t\nKind: captions\nLanguage: en\n\nSTYLE\n::cue {}\n\nREGION\nid:x\n\nNOTE\n00:01 said\n\n", "")
	// One speaker's cues within two seconds, or within a sentence, are a turn.
	expectTurns(t, asVTT, captions("@0 <v Ann>One.", "@3 <v Ann>Two.", "@6.1 <v Ann>Three", "@60 <v Ann>four.", "@61 <v Bob>Five", "@62 <v Ann>“Six.”", "@90 <v Ann>Seven"), `
Ann| One. Two.
Ann| Three four.
Bob| Five
Ann| “Six.”
Ann| Seven
`)
	expectTurns(t, asVTT, captions("@0 <v.first.loud Ann &amp; Co>a <i>b</i> 1 < 2 <3 <c.x>c</c> <b>&lt;d&gt;</b></v>\n<v Bob>e\nf</v> g", "@9 <v\tAnn &amp; Co>&#39;h&nbsp;i&#0;"), `
Ann & Co| a b 1 < 2 <3 c <d>
Bob| e f
-| g
`+"Ann & Co| 'h\u00a0i\ufffd\n")
	expectTurns(t, asVTT, captions("@0 [laughs]", "@1 hello", "@2 (applause)", "@3 ♪ la la ♪", "@4 [x] and (y)", "@5 你好", "@6 世界"), "-| hello [x] and (y) 你好世界\n")
}

func TestVTTLabels(t *testing.T) {
	// A cue without a name goes on with the one before; nouns name nobody.
	expectTurns(t, asVTT, captions("@0 Ann Lee: Let's start.", "@9 Agenda: one", "@20 Bao Tran: ok\nAnn Lee: fine", "@21 - Bao Tran: so\n- Ann Lee: yes"), `
Ann Lee| Let's start.
Ann Lee| Agenda: one
Bao Tran| ok
Ann Lee| fine
Bao Tran| so
Ann Lee| yes
`)
	// One name on one line is no name.
	expectTurns(t, asVTT, captions("@0 Remember: milk", "@1 and bread"), "-| Remember: milk and bread\n")
	expectTurns(t, asVTT, captions("@0 Boston: a city", "@1 and bread"), "-| Boston: a city and bread\n")
	// Where there are voices, labels are words.
	expectTurns(t, asVTT, captions("@0 <v Ann>Boston: yes", "@1 <v Bob>Paris: no"), "Ann| Boston: yes\nBob| Paris: no\n")
}

func TestVTTRollUp(t *testing.T) {
	expectTurns(t, asVTT, captions("@0 one<00:00:00.500><c> two</c>", "@1 one two\nthree", "@2 one two\nthree", "@3 three\nthree"), "-| one two three three\n")
	// Without a sign of rolling, a repetition is one.
	expectTurns(t, asVTT, captions("@0 No.", "@1 No.", "@2 Yes."), "-| No. No. Yes.\n")
	expectTurns(t, asVTT, captions("@0 a", "@1 a\nb", "@2 b\nc", "@3 c\nd"), "-| a b c d\n")
}

func TestVTTLongTurn(t *testing.T) {
	o := asVTT
	o.MaxTurn = 12
	expectTurns(t, o, captions("@0 one two", "@1 three four", "@2 five"), "-| one two\n-| three four\n-| five\n")
	expectError(t, o, captions("@0 a", "@1 one two three"), transcript.CodeTooLong, "stdin:6:1: a turn of at least 13", 35)
}

func TestBadVTT(t *testing.T) {
	expectError(t, asVTT, "WEBVTT\n\n00:01 -> 00:02\nhi\n", transcript.CodeSyntax, "stdin:3:1: a block without a timing line", 8)
	expectError(t, asVTT, "WEBVTT\n\nx\n00:01 --> soon\nhi\n", transcript.CodeSyntax, "stdin:4:1: a timing line that is none", 10)
	expectError(t, asVTT, "WEBVTT\n\n00:01 --> 00:02\nh\xff\n", transcript.CodeUTF8, "stdin:4:2: invalid UTF-8", 25)
	expectError(t, asVTT, "WEBVTT\n\n00:01 --> 00:02\nh\x00\n", transcript.CodeNUL, "stdin:4:2: a NUL", 25)
	expectError(t, asVTT, "WEBVTT\n\nid", transcript.CodeSyntax, "stdin:3:1: a block", 8)
	var report transcript.Report
	o := asVTT
	o.Lenient, o.OnSkip = true, report.Add
	expectTurns(t, o, "WEBVTT\n\n00:01 --> 00:02\nhi.\n\n00:02 --> x\nlost\n\nlost\ntoo\n\n00:03 --> 00:04\nh\xff\nlost\n\n00:04 --> 00:05\n[laughs]\n\n00:05 --> 00:06\nend\n", "-| hi.\n-| end\n")
	if report.Bad != 3 || report.NoSpeech != 1 {
		t.Errorf("report %+v", report)
	}
	var where []string
	for _, s := range report.First {
		where = append(where, fmt.Sprint(s.Err.Line, s.Err.Record))
	}
	if d := cmp.Diff([]string{"6 2", "9 9", "13 3"}, where); d != "" {
		t.Error(d)
	}
}
