package transcript_test

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/transcript"
)

// expectError reads text and wants an error with a code, place and offset.
func expectError(t *testing.T, o transcript.Options, text string, code transcript.Code, prefix string, offset int64) *transcript.Error {
	t.Helper()
	_, err := readAll(text, o)
	var e *transcript.Error
	switch {
	case !errors.As(err, &e) || !errors.Is(err, transcript.ErrBadInput):
		t.Errorf("read %.60q: %v, want a bad input", text, err)
		return &transcript.Error{}
	case e.Code != code || !strings.HasPrefix(e.Error(), prefix) || e.Offset != offset:
		t.Errorf("read %.60q: %s %q at %d, want %s %q at %d", text, e.Code, e.Error(), e.Offset, code, prefix, offset)
	}
	if d := e.Diagnostic(); d.Code != string(code) || d.Text == "" {
		t.Errorf("diagnostic %+v", d)
	}
	return e
}

func TestBadText(t *testing.T) {
	o := transcript.Options{Name: "t.txt"}
	for _, format := range []string{"text", "markdown", "prose"} {
		o.Format = format
		expectError(t, o, "Ann: hi\nBob: caf\xe9\n", transcript.CodeUTF8, "t.txt:2:9: invalid UTF-8 (0xe9) (byte 16): save the file as UTF-8", 16)
		expectError(t, o, "\ufeffAnn: hi\r\nBé: a\x00b\r\n", transcript.CodeNUL, "t.txt:2:6: a NUL", 18)
		expectError(t, o, "\xff\xfeA\x00", transcript.CodeUTF8, "t.txt:1:1: invalid UTF-8 (0xff) (byte 0): it looks like UTF-16", 0)
	}
}

func TestLenientText(t *testing.T) {
	var report transcript.Report
	o := transcript.Options{Format: "text", Lenient: true, OnSkip: report.Add, MaxTurn: 30}
	expectTurns(t, o, "Ann: hi\nBob: caf\xe9\nand more\nAnn: ok\nBob: "+strings.Repeat("x", 31)+"\nand\nAnn: "+strings.Repeat("x", 5000)+"\nBob: end\n", `
Ann| hi
Ann| ok
Bob| end
`)
	if report.Bad != 3 || report.Total() != 3 || len(report.First) != 3 {
		t.Fatalf("report %+v", report)
	}
	var got []string
	for _, s := range report.First {
		got = append(got, s.Err.Error())
	}
	if d := cmp.Diff([]string{
		"stdin:2:9: invalid UTF-8 (0xe9) (byte 16): save the file as UTF-8",
		"stdin:5:1: a turn of at least 31 bytes, above the limit of 30 (byte 35): split it, or raise --max-turn",
		"stdin:7:1: a line of 5005 bytes, above the limit of 1054 (byte 76): split it, or raise --max-turn",
	}, got); d != "" {
		t.Error(d)
	}
}

// repeated gives n times a byte without holding them.
type repeated struct {
	b byte
	n int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.n)
	for i := range n {
		p[i] = r.b
	}
	r.n -= n
	return n, nil
}

// One line of 50 MB ends in an error that names the limit, in each format.
func TestLongLine(t *testing.T) {
	for _, format := range []string{"", "jsonl", "text", "markdown", "prose", "vtt"} {
		for _, err := range transcript.Read(&repeated{'x', 50_000_000}, transcript.Options{Format: format}) {
			var e *transcript.Error
			if !errors.As(err, &e) || e.Code != transcript.CodeTooLong || !strings.Contains(e.Text, "50000000 bytes, above the limit of ") {
				t.Errorf("%s: %v", format, err)
			}
		}
	}
}

func TestMaxBytes(t *testing.T) {
	for _, format := range []string{"jsonl", "text", "markdown", "prose", "vtt"} {
		o := transcript.Options{Format: format, MaxBytes: 1000, Lenient: true}
		n := 0
		for _, err := range transcript.Read(&repeated{'\n', 1001}, o) {
			var e *transcript.Error
			if n++; !errors.As(err, &e) || e.Code != transcript.CodeTooBig || e.Offset != 1000 {
				t.Errorf("%s: %v", format, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d errors", format, n)
		}
		for _, err := range transcript.Read(&repeated{'\n', 1000}, o) {
			t.Errorf("%s: 1000 bytes: %v", format, err)
		}
		for _, err := range transcript.Read(&repeated{'x', 1 << 40}, transcript.Options{Format: format, MaxBytes: 1 << 20}) {
			if !errors.Is(err, transcript.ErrBadInput) {
				t.Errorf("%s: an endless line: %v", format, err)
			}
		}
	}
}

var errDisk = errors.New("disk on fire")

type failing struct{ io.Reader }

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errDisk
	}
	return n, err
}

func TestReaderFails(t *testing.T) {
	for _, text := range []string{"", "Ann: hi\nBob: he", strings.Repeat("Ann: hello\nBob: hey\n", 10_000)} {
		var last error
		for _, err := range transcript.Read(failing{strings.NewReader(text)}, transcript.Options{}) {
			last = err
		}
		if !errors.Is(last, errDisk) || errors.Is(last, transcript.ErrBadInput) {
			t.Errorf("%d bytes: %v", len(text), last)
		}
	}
}

// A caller that stops gets nothing more.
func TestStopEarly(t *testing.T) {
	for _, format := range []string{"text", "markdown", "prose"} {
		n := 0
		for range transcript.Read(strings.NewReader("Ann: a\nBob: b\nAnn: \xff\n"), transcript.Options{Format: format}) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%s: %d", format, n)
		}
	}
}

// What Detect read is not lost, however small the reader's own buffer is.
func TestDetectGivesAllBack(t *testing.T) {
	text := "\ufeff" + strings.Repeat("Ann: hello\nBob: hey\n", 10_000)
	for _, r := range []io.Reader{strings.NewReader(text), bufio.NewReaderSize(strings.NewReader(text), 16), bufio.NewReaderSize(strings.NewReader(text), 1<<20)} {
		_, rest, err := transcript.Detect(r, transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(rest); err != nil || string(got) != text {
			t.Errorf("%d bytes, %v, want %d", len(got), err, len(text))
		}
	}
}
