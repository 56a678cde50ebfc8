package transcript_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

// talk is about 10 MB of chat.
func talk(n int) []sir.Turn {
	said := []string{
		"When the user clicks 'Search', it goes to a loading state, and we show the spinner until the results are there.",
		"I'll send the report by Friday, and copy the bank.",
		"Chào anh, hôm nay em làm báo cáo về rủi ro của nhà cung cấp.",
		"ok",
		"No, wait, make that 60 seconds; thirty is tight for people on a phone, as Jun said on Tuesday when the lift was broken.",
	}
	var out []sir.Turn
	for i := range n {
		name := []string{"Ann Lee", "Bao Tran", "Jun"}[i%3]
		at := 1773187200000 + int64(i)*1000
		out = append(out, sir.Turn{
			ID: fmt.Sprint("m", i), SessionID: "bench", Seq: i + 1, Timestamp: &at, Speaker: sir.Human, SpeakerName: &name,
			Content: fmt.Sprint(said[i%len(said)], " ", i),
		})
	}
	return out
}

func bench(b *testing.B, format string, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range transcript.Read(bytes.NewReader(data), transcript.Options{Format: format}) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n == 0 {
			b.Fatal(n)
		}
	}
}

func BenchmarkText(b *testing.B) {
	var s bytes.Buffer
	for _, t := range talk(100_000) {
		fmt.Fprintf(&s, "%s: %s\n", *t.SpeakerName, t.Content)
	}
	bench(b, "text", s.Bytes())
}

func BenchmarkMarkdown(b *testing.B) {
	var s bytes.Buffer
	for _, t := range talk(100_000) {
		fmt.Fprintf(&s, "**%s** (09:12):\n%s\n\n", *t.SpeakerName, t.Content)
	}
	bench(b, "markdown", s.Bytes())
}

func BenchmarkVTT(b *testing.B) {
	var s bytes.Buffer
	s.WriteString("WEBVTT\n")
	for i, t := range talk(100_000) {
		at := time.UnixMilli(int64(i) * 1500).UTC()
		fmt.Fprintf(&s, "\n%s --> %s\n<v %s>%s</v>\n", at.Format("15:04:05.000"), at.Add(time.Second).Format("15:04:05.000"), *t.SpeakerName, t.Content)
	}
	bench(b, "vtt", s.Bytes())
}

func BenchmarkProse(b *testing.B) {
	var s bytes.Buffer
	for _, t := range talk(100_000) {
		fmt.Fprintf(&s, "%s\n\n", t.Content)
	}
	bench(b, "prose", s.Bytes())
}

// BenchmarkJSONL reads lines as people write them, with an id and a time.
func BenchmarkJSONL(b *testing.B) {
	var s bytes.Buffer
	for _, t := range talk(100_000) {
		fmt.Fprintf(&s, `{"id": %q, "timestamp": %d, "speaker": "human", "speakerName": %q, "content": %q}`+"\n", t.ID, *t.Timestamp, *t.SpeakerName, t.Content)
	}
	bench(b, "jsonl", s.Bytes())
}

// BenchmarkJSONLConverted reads what EncodeJSONL writes.
func BenchmarkJSONLConverted(b *testing.B) {
	var s bytes.Buffer
	encodeTo(b, &s, talk(100_000))
	bench(b, "jsonl", s.Bytes())
}

func BenchmarkEncode(b *testing.B) {
	turns := talk(10_000)
	b.SetBytes(int64(encodeTo(b, io.Discard, turns)))
	for b.Loop() {
		encodeTo(b, io.Discard, turns)
	}
}

type counting struct {
	w io.Writer
	n int
}

func (c *counting) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.w.Write(p)
}

func encodeTo(b testing.TB, w io.Writer, turns []sir.Turn) int {
	c := &counting{w: w}
	_, err := transcript.EncodeJSONL(c, func(yield func(sir.Turn, error) bool) {
		for _, t := range turns {
			if !yield(t, nil) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return c.n
}

// endless gives made-up lines up to a size.
type endless struct {
	line func(i int) string
	left int
	i    int
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && e.left > 0 {
		if e.rest == "" {
			e.rest = e.line(e.i)
			e.i++
		}
		k := copy(p[n:min(len(p), n+e.left)], e.rest)
		e.rest, n, e.left = e.rest[k:], n+k, e.left-k
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Memory does not grow with the file: SPECKL_BIG=4000 reads 4 GB a format.
func TestMemory(t *testing.T) {
	size := 64 << 20
	if mb := os.Getenv("SPECKL_BIG"); mb != "" {
		fmt.Sscan(mb, &size)
		size <<= 20
	} else if testing.Short() {
		t.Skip("64 MB a format")
	}
	shapes := map[string]func(i int) string{
		"jsonl": func(i int) string { return fmt.Sprintf("{\"content\":\"word %d\",\"sessionId\":\"s%d\"}\n", i, i/3) },
		"text":  func(i int) string { return fmt.Sprintf("Name%c: word %d\n", 'a'+i%26, i) },
		"markdown": func(i int) string {
			return fmt.Sprintf("**Ann %d** (09:12):\nword %s\n", i, strings.Repeat("x", i%50))
		},
		"prose": func(i int) string { return fmt.Sprintf("word %d\n\n", i) },
	}
	for format, line := range shapes {
		t.Run(format, func(t *testing.T) {
			n, peak := 0, uint64(0)
			var m runtime.MemStats
			for _, err := range transcript.Read(&endless{line: line, left: size}, transcript.Options{Format: format, MaxBytes: 1 << 40, Lenient: true}) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n%200_000 == 0 || format == "prose" {
					runtime.ReadMemStats(&m)
					peak = max(peak, m.HeapInuse)
				}
			}
			t.Logf("%d turns, heap at most %d MB", n, peak>>20)
			if peak > 90<<20 {
				t.Errorf("%d MB of heap for %d turns", peak>>20, n)
			}
		})
	}
}
