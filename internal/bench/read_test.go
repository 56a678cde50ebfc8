package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/speckl/speckl/transcript"
)

// shapes write a chat in the formats that are read.
var shapes = []struct {
	format string
	write  func(b *bytes.Buffer, c chat)
}{
	{"jsonl", func(b *bytes.Buffer, c chat) {
		if _, err := transcript.EncodeJSONL(b, c.all()); err != nil {
			panic(err)
		}
	}},
	{"text", func(b *bytes.Buffer, c chat) {
		for _, t := range c.turns {
			fmt.Fprintf(b, "%s: %s\n", *t.SpeakerName, t.Content)
		}
	}},
	{"markdown", func(b *bytes.Buffer, c chat) {
		for _, t := range c.turns {
			fmt.Fprintf(b, "**%s**: %s\n\n", *t.SpeakerName, t.Content)
		}
	}},
	{"prose", func(b *bytes.Buffer, c chat) {
		for _, t := range c.turns {
			fmt.Fprintf(b, "%s\n\n", t.Content)
		}
	}},
	{"vtt", func(b *bytes.Buffer, c chat) {
		b.WriteString("WEBVTT\n")
		for i, t := range c.turns {
			at := time.UnixMilli(int64(i) * 1500).UTC()
			fmt.Fprintf(b, "\n%s --> %s\n<v %s>%s</v>\n", at.Format("15:04:05.000"), at.Add(time.Second).Format("15:04:05.000"), *t.SpeakerName, t.Content)
		}
	}},
}

// read reads all of source and returns the number of turns.
func read(source []byte, format string) (n int, err error) {
	for _, err := range transcript.Read(bytes.NewReader(source), transcript.Options{Format: format}) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// lines is the reference: how fast the text can be had line by line.
func lines(source []byte) error {
	s, n := bufio.NewScanner(bytes.NewReader(source)), 0
	for s.Scan() {
		n += len(s.Text())
	}
	return s.Err()
}

// TestShapes: what is measured is read as what it is, and nothing is lost.
func TestShapes(t *testing.T) {
	var formats []string
	c := newChat(20_000)
	for _, s := range shapes {
		formats = append(formats, s.format)
		var b bytes.Buffer
		s.write(&b, c)
		n, err := read(b.Bytes(), s.format)
		if err != nil {
			t.Errorf("%s: %v", s.format, err)
		}
		// captions and prose join what belongs together
		if n == 0 || n < len(c.turns) && s.format != "vtt" && s.format != "prose" {
			t.Errorf("%s: %d turns of %d", s.format, n, len(c.turns))
		}
	}
	for _, f := range transcript.Formats() {
		if !slices.Contains(formats, f.ID) {
			t.Logf("%s is not measured: give it a line in shapes", f.ID)
		}
	}
}

// BenchmarkRead reads 10 MB of each format.
func BenchmarkRead(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.format, func(b *testing.B) {
			var source bytes.Buffer
			s.write(&source, long())
			var ours, ref samples
			for b.Loop() {
				for range 5 {
					ours.add(rate(b, source.Len(), func() error { _, err := read(source.Bytes(), s.format); return err }))
					ref.add(rate(b, source.Len(), func() error { return lines(source.Bytes()) }))
				}
			}
			b.ReportMetric(ours.median(), "MB/s")
			b.ReportMetric(ref.median(), "lines-MB/s")
			b.ReportMetric(ref.median()/ours.median(), "x-slower-than-lines")
		})
	}
}
