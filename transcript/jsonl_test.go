package transcript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

var asJSONL = transcript.Options{Format: "jsonl", Name: "t.jsonl"}

func ptr[T any](v T) *T { return &v }

func TestJSONL(t *testing.T) {
	expectTurns(t, asJSONL, "", "")
	expectTurns(t, asJSONL, "\ufeff{\"content\":\"a\"}\r\n\r\n {\"content\" : \"\\u0062\\r\\n\" , \"x\":[{\"content\":1}] }  \n{\"content\":\"\"}", "-| a\n-| b\r⏎\n-| \n")
	turns := expectTurns(t, asJSONL, `{"id":"m1","sessionId":"s","seq":7,"timestamp":1773187200000,"speaker":"agent","speakerName":"Zed","agentId":"z","parentTurnId":4,"content":"hi","metadata":{"kind":"forwarded","tz":"Asia/Ho_Chi_Minh","mode":"batch","source":{"file":"f","record":3},"quoted":[[0,1],[9,10]],"more":1}}
{"content":"next","sessionId":"s","Content":"other","Speaker":5,"metadata":{"tz":1,"edits":["x"]}}
{"content":"x","sessionId":null,"speaker":null,"speakerName":null,"id":null,"timestamp":null,"seq":null,"metadata":"none"}
{"content":"y","sessionId":"s"}
{"content":"z","seq":0}
`, "~Zed| hi\n-| next\n-| x\n-| y\n-| z\n")
	want := sir.Turn{
		ID: "m1", SessionID: "s", Seq: 7, Timestamp: ptr[int64](1773187200000), Speaker: sir.Agent, SpeakerName: ptr("Zed"),
		AgentID: "z", ParentTurnID: "4", Content: "hi",
		Metadata: &sir.Metadata{Kind: "forwarded", TZ: "Asia/Ho_Chi_Minh", Mode: sir.Batch, Source: &sir.Source{File: "f", Record: 3}, Quoted: [][2]int{{0, 1}}},
	}
	if d := cmp.Diff(want, turns[0]); d != "" {
		t.Errorf("first turn (-want +got):\n%s", d)
	}
	if d := cmp.Diff(&sir.Metadata{Kind: "message", Edits: []string{"x"}, Source: &sir.Source{File: "t.jsonl", Record: 2}}, turns[1].Metadata); d != "" {
		t.Errorf("second turn's metadata (-want +got):\n%s", d)
	}
	var seqs []int
	for _, turn := range turns {
		seqs = append(seqs, turn.Seq)
	}
	if d := cmp.Diff([]int{7, 8, 1, 9, 2}, seqs); d != "" {
		t.Errorf("positions: %s", d)
	}
	if turns[2].SessionID != "t.jsonl" {
		t.Errorf("session %q", turns[2].SessionID)
	}
}

func TestJSONLTimestamps(t *testing.T) {
	for in, want := range map[string]int64{
		`1773187200000`: 1773187200000, `1773187200`: 1773187200000, `1773187200.25`: 1773187200250, `1.7731872e12`: 1773187200000,
		`"2026-03-11T00:00:00Z"`: 1773187200000, `"2026-03-11T07:00:00.5+07:00"`: 1773187200500, `"2026-03-11 00:00"`: 1773187200000, `-1`: -1000,
	} {
		turns, err := readAll(`{"content":"x","timestamp":`+in+`}`, asJSONL)
		if err != nil || turns[0].Timestamp == nil || *turns[0].Timestamp != want {
			t.Errorf("%s: %+v, %v, want %d", in, turns, err, want)
		}
	}
	for _, in := range []string{`"tomorrow"`, `"09:12"`, `true`, `[1]`, `1e300`, `9e15`} {
		expectError(t, asJSONL, `{"content":"x","timestamp":`+in+`}`, transcript.CodeField, "t.jsonl:1:28: \"timestamp\":", 27)
	}
}

func TestBadJSONL(t *testing.T) {
	ok := `{"content":"é"}` + "\n"
	bad := func(line string, code transcript.Code, prefix string, offset int64) {
		t.Helper()
		expectError(t, asJSONL, ok+line+"\n"+ok, code, "t.jsonl:2:"+prefix, 17+offset)
	}
	bad(`{"content":"é",}`, transcript.CodeSyntax, "16: not JSON: invalid character '}'", 16)
	bad(`{"content":"x"`, transcript.CodeSyntax, "15: not JSON: the line ends too early", 14)
	bad(`{"content":"x"} {"content":"y"}`, transcript.CodeSyntax, "16: not JSON: more than one value", 15)
	bad(`hello`, transcript.CodeSyntax, "1: not JSON: invalid character 'h'", 0)
	bad(`["content"]`, transcript.CodeField, "1: not a JSON object", 0)
	bad(`{}`, transcript.CodeField, "1: no \"content\"", 0)
	bad(`{"content":5}`, transcript.CodeField, "12: \"content\" is not a string", 11)
	bad(`{"content":"x","speaker":"Ann"}`, transcript.CodeField, `26: "speaker" is "Ann"`, 25)
	bad(`{"content":"x","speakerName":5}`, transcript.CodeField, `30: "speakerName" is not`, 29)
	bad(`{"content":"x","id":{}}`, transcript.CodeField, `21: "id" is not`, 20)
	bad(`{"content":"x","seq":1.5}`, transcript.CodeField, `22: "seq" is not`, 21)
	bad(`{"content":"x","metadata":{"mode":"fast"}}`, transcript.CodeField, `27: "metadata.mode" is "fast"`, 26)
	bad(`{"content":"a\u0000"}`, transcript.CodeNUL, `14: a NUL`, 13)
	bad(`{"content":"a\\u0000\ud800"}`, transcript.CodeUTF8, `21: half of a surrogate`, 20)
	bad("{\"content\":\"\xe9\"}", transcript.CodeUTF8, `13: invalid UTF-8`, 12)
	bad("{\"content\":\"a\x00\"}", transcript.CodeNUL, `14: a NUL`, 13)
	bad(`{"content":"x","y":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`, transcript.CodeTooDeep, "1: JSON nested 201 deep, above the limit of 200", 0)
	bad(`{"y":`+strings.Repeat("[", 100_000), transcript.CodeTooDeep, "1: JSON nested 100001 deep", 0)
	expectTurns(t, asJSONL, `{"content":"x","y":`+strings.Repeat("[", 199)+strings.Repeat("]", 199)+`}`, "-| x\n")
	expectTurns(t, asJSONL, `{"content":"\\u0000 \ud83d\ude00 [[[[[[[[[[[["}`, `-| \u0000 😀 [[[[[[[[[[[[`+"\n")
	o := asJSONL
	o.MaxTurn = 10
	expectError(t, o, ok+`{"content":"12345678901"}`, transcript.CodeTooLong, "t.jsonl:2:1: a turn of at least 11 bytes, above the limit of 10", 17)
	expectTurns(t, o, `{"content":"1234567890"}`, "-| 1234567890\n")
}

func TestLenientJSONL(t *testing.T) {
	var report transcript.Report
	o := asJSONL
	o.Lenient, o.OnSkip = true, report.Add
	expectTurns(t, o, "{\"content\":\"a\"}\nbad\n{}\n{\"content\":\"\xff\"}\n{\"content\":\"b\"}\n{\"content\":", "-| a\n-| b\n")
	if report.Bad != 3 || report.Torn != 1 || len(report.First) != 4 {
		t.Errorf("report %+v", report)
	}
}

// A last line that was cut off is skipped, counted and named, whatever the
// options; wherever it was cut.
func TestTornLine(t *testing.T) {
	full := `{"content":"é\n{[","id":"x"}`
	for cut := 1; cut < len(full); cut++ {
		for _, end := range []string{"", "\n"} {
			if cut == 13 && end != "" {
				continue // half a code point and a line end: not UTF-8
			}
			var skips []transcript.Skip
			o := asJSONL
			o.OnSkip = func(s transcript.Skip) { skips = append(skips, s) }
			expectTurns(t, o, `{"content":"a"}`+"\n"+full[:cut]+end, "-| a\n")
			if len(skips) != 1 || skips[0].Kind != transcript.SkipTorn || skips[0].Err.Line != 2 || skips[0].Err.Code != transcript.CodeTorn {
				t.Errorf("cut at %d: %+v", cut, skips)
			}
		}
	}
}

// convert of what convert wrote changes nothing.
func TestJSONLFixpoint(t *testing.T) {
	turns, err := readAll(`{"content":"a"}
{"content":"a","speakerName":"Q \"x\" \u2028","metadata":{"quoted":[[0,1]]}}
{"content":"\u0001<&>","id":7,"timestamp":1773187200000,"agentId":"g","parentTurnId":"p","speaker":"agent"}`, asJSONL)
	if err != nil {
		t.Fatal(err)
	}
	first := encode(t, turns)
	again, err := readAll(string(first), transcript.Options{Name: "other"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(first), string(encode(t, again))); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(turns, again); d != "" {
		t.Error(d)
	}
}
