package transcript_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/speckl/speckl/transcript"
)

// The format is detected by content; each turn remembers where it stood.
func ExampleRead() {
	captions := "WEBVTT\n\n" +
		"00:00:01.000 --> 00:00:03.000\n<v Ann>The lamp is off at first.\n\n" +
		"00:00:04.500 --> 00:00:06.000\n<v Ben>And then it goes on.\n"
	for turn, err := range transcript.Read(strings.NewReader(captions), transcript.Options{Name: "lamp.vtt"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s (%s, record %d)\n", *turn.SpeakerName, turn.Content, turn.SessionID, turn.Metadata.Source.Record)
	}
	// Output:
	// Ann: The lamp is off at first. (lamp.vtt, record 1)
	// Ben: And then it goes on. (lamp.vtt, record 2)
}

// A bad record ends the reading and names its place, unless the reading is
// lenient.
func ExampleRead_lenient() {
	lines := `{"speaker":"human","content":"It starts idle."}` + "\n" +
		`{"speaker":"human","content":` + "\n" +
		`{"speaker":"human","content":"Then it loads."}` + "\n"

	for _, err := range transcript.Read(strings.NewReader(lines), transcript.Options{Name: "talk.jsonl"}) {
		if errors.Is(err, transcript.ErrBadInput) {
			fmt.Println(err)
		}
	}
	skipped := 0
	o := transcript.Options{Name: "talk.jsonl", Lenient: true, OnSkip: func(transcript.Skip) { skipped++ }}
	for turn, err := range transcript.Read(strings.NewReader(lines), o) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(turn.Content)
	}
	fmt.Println("skipped:", skipped)
	// Output:
	// talk.jsonl:2:30: not JSON: the line ends too early (byte 77): write one JSON object a line, or name another --format
	// It starts idle.
	// Then it loads.
	// skipped: 1
}

// Content decides, not the file's name.
func ExampleDetect() {
	for _, talk := range []string{
		"Ann: Hello!\nBen: Hi, Ann.\n",
		"WEBVTT\n\n00:01.000 --> 00:02.000\nHello!\n",
		`{"speaker":"human","content":"Hello!"}`,
	} {
		format, _, err := transcript.Detect(strings.NewReader(talk), transcript.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(format.ID)
	}
	// Output:
	// text
	// vtt
	// jsonl
}
