package transcript_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/speckl/speckl/transcript"
)

func ExampleRead() {
	chat := "Ann: I'll send the report\n  by Friday.\nBao: Note the new address.\nAnn: ok\n"
	for turn, err := range transcript.Read(strings.NewReader(chat), transcript.Options{Name: "chat.txt"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %s %q\n", turn.Seq, turn.Name(), turn.Content)
	}
	// Output:
	// 1 Ann "I'll send the report\n  by Friday."
	// 2 Bao "Note the new address."
	// 3 Ann "ok"
}

func ExampleRead_badInput() {
	rows := "{\"content\":\"one\"}\n{\"content\":2}\n{\"content\":\"three\"}\n"
	var report transcript.Report
	o := transcript.Options{Name: "rows.jsonl", Lenient: true, OnSkip: report.Add}
	for turn := range transcript.Read(strings.NewReader(rows), o) {
		fmt.Println(turn.Content)
	}
	fmt.Println(report.Bad, "skipped:", report.First[0].Err)
	// Output:
	// one
	// three
	// 1 skipped: rows.jsonl:2:12: "content" is not a string (byte 29): write the words as one string
}

func ExampleDetect() {
	f, rest, err := transcript.Detect(strings.NewReader("WEBVTT\n\n00:01 --> 00:02\n<v Ann>Hello\n"), transcript.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.ID)
	for turn := range transcript.Read(rest, transcript.Options{Format: f.ID}) {
		fmt.Println(turn.Name(), turn.Content)
	}
	// Output:
	// vtt
	// Ann Hello
}

func ExampleEncodeJSONL() {
	chat := strings.NewReader(`{"id":"m1","content":"hi","timestamp":"2026-03-11T00:00:00Z"}`)
	n, err := transcript.EncodeJSONL(os.Stdout, transcript.Read(chat, transcript.Options{Name: "chat.jsonl"}))
	fmt.Println(n, err)
	// Output:
	// {"id":"m1","sessionId":"chat.jsonl","seq":1,"timestamp":1773187200000,"speaker":"human","speakerName":null,"content":"hi","metadata":{"source":{"file":"chat.jsonl","record":1},"kind":"message"}}
	// 1 <nil>
}
