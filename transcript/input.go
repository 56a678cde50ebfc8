package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// config is Options with the defaults filled in.
type config struct {
	Options
	file   string
	labels *labelRules
}

func (o Options) resolve() *config {
	c := &config{Options: o, file: o.name()}
	if c.MaxTurn <= 0 {
		c.MaxTurn = DefaultMaxTurn
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.MaxDepth <= 0 {
		c.MaxDepth = DefaultMaxDepth
	}
	if c.Markers == nil {
		c.Markers = DefaultMarkers
	}
	c.labels = newLabelRules(c.Markers, c.CueNouns)
	return c
}

// input gives a conversation line by line, with places, and never holds more
// than one line of bounded length.
type input struct {
	br     *bufio.Reader
	sample *sample
	cfg    *config
	// next is the offset in the file of the next byte.
	next int64
	no   int
	long []byte
}

// newInput reads r from its beginning; s is what r begins with.
func newInput(r *bufio.Reader, s *sample, c *config) *input {
	in := &input{br: r, sample: s, cfg: c}
	n, _ := r.Discard(s.bom)
	in.next = int64(n)
	return in
}

// line is one line without its end. It is good until the next one is read.
type line struct {
	text []byte
	// no counts from 1; at is the offset in the file.
	no int
	at int64
	// ended says that a line end follows; the last line may have none.
	ended bool
	// size is the length of the line where it was longer than the limit;
	// text then is only its beginning.
	size int64
}

// readLine reads a line of at most limit bytes; of a longer one it keeps the
// beginning. It returns io.EOF after the last line, an *Error for a file
// above the limit, and errors of the reader.
func (in *input) readLine(limit int) (line, error) {
	in.no++
	l := line{no: in.no, at: in.next}
	raw, total, err := in.rawLine(limit + 2)
	in.next += total
	switch {
	case in.next > in.cfg.MaxBytes:
		return l, in.tooBig(l)
	case err != nil && !errors.Is(err, io.EOF):
		return l, fmt.Errorf("read %s: %w", in.cfg.file, err)
	case total == 0:
		return l, io.EOF
	}
	if l.ended = err == nil; l.ended {
		total--
	}
	if total <= int64(len(raw)) {
		raw = raw[:total]
		if l.ended {
			raw = trimCR(raw)
		}
		total = int64(len(raw))
	}
	if l.text = raw; total > int64(limit) {
		l.text, l.size = raw[:limit], total
	}
	return l, nil
}

// rawLine reads to the end of a line and returns its beginning, at most keep
// bytes with the line's end, and its whole length. err is nil where the line
// has an end. It gives up above MaxBytes.
func (in *input) rawLine(keep int) (raw []byte, total int64, err error) {
	raw, err = in.br.ReadSlice('\n')
	total = int64(len(raw))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return raw[:min(keep, len(raw))], total, err
	}
	in.long = append(in.long[:0], raw[:min(keep, len(raw))]...)
	for errors.Is(err, bufio.ErrBufferFull) && in.next+total <= in.cfg.MaxBytes {
		raw, err = in.br.ReadSlice('\n')
		total += int64(len(raw))
		in.long = append(in.long, raw[:min(keep-len(in.long), len(raw))]...)
	}
	return in.long, total, err
}

func (in *input) tooBig(l line) *Error {
	return &Error{
		Code: CodeTooBig, File: in.cfg.file, Record: l.no, Line: l.no, Offset: in.cfg.MaxBytes,
		Text: fmt.Sprintf("the file is longer than %d bytes", in.cfg.MaxBytes),
		Hint: "split it, or raise --max-bytes",
	}
}

// last reports whether nothing follows what was read so far. It spoils the
// line that was read last.
func (in *input) last() bool {
	_, err := in.br.Peek(1)
	return err != nil
}

// ahead shows the next bytes, at most sampleSize. It spoils the line that was
// read last.
func (in *input) ahead() []byte {
	b, _ := in.br.Peek(sampleSize)
	return b
}

// bad is an error at a byte of a line.
func (in *input) bad(l line, at int, code Code, text, hint string) *Error {
	at = min(at, len(l.text))
	return &Error{
		Code: code, File: in.cfg.file, Record: l.no, Line: l.no,
		Col: utf8.RuneCount(l.text[:at]) + 1, Offset: l.at + int64(at), Text: text, Hint: hint,
	}
}

// check finds what no turn may hold: a line that is too long, invalid UTF-8,
// U+0000.
func (in *input) check(l line, limit int) *Error {
	nul := bytes.IndexByte(l.text, 0)
	if nul < 0 && l.size == 0 && utf8.Valid(l.text) {
		return nil
	}
	bad := invalidAt(l.text)
	if l.size > 0 && bad >= len(l.text)-utf8.UTFMax {
		bad = -1 // the cut may have gone through a code point
	}
	switch {
	case bad >= 0 && (nul < 0 || bad < nul):
		hint := "save the file as UTF-8"
		if l.no == 1 && bad == 0 && (bytes.HasPrefix(l.text, []byte("\xff\xfe")) || bytes.HasPrefix(l.text, []byte("\xfe\xff"))) {
			hint = "it looks like UTF-16; " + hint
		}
		return in.bad(l, bad, CodeUTF8, fmt.Sprintf("invalid UTF-8 (0x%02x)", l.text[bad]), hint)
	case nul >= 0:
		return in.bad(l, nul, CodeNUL, "a NUL character (U+0000)", "remove it; a text file has none")
	}
	return in.bad(l, 0, CodeTooLong, fmt.Sprintf("a line of %d bytes, above the limit of %d", l.size, limit), "split it, or raise --max-turn")
}

// invalidAt is where the first invalid UTF-8 is, or -1.
func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
