package transcript

import (
	"bytes"
	"errors"
	"html"
	"io"
	"strconv"
	"strings"
)

// vtt reads WebVTT captions: voice tags, "Name: " prefixes, roll-up captions.
// Lines of a turn are joined by spaces. NOTE, STYLE and REGION are no speech.
type vtt struct{}

func vttFormat() Format {
	return Format{
		ID: "vtt", Name: "WebVTT captions", Extensions: []string{".vtt"},
		Description: "Captions of a recording; cues of one speaker are joined.",
		reader:      vtt{},
	}
}

var _ reader = vtt{}

var webvtt = []byte("WEBVTT")

func (vtt) sniff(s *sample, _ *config) int {
	if isWebVTT(s.data) {
		return 100
	}
	return 0
}

// isWebVTT reports whether a text begins with the format's first word.
func isWebVTT(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, webvtt)
	return ok && (len(rest) == 0 || strings.IndexByte(" \t\r\n", rest[0]) >= 0)
}

func (vtt) read(in *input, out *sink) {
	c := &captions{out: out, names: newCensus()}
	surveyVTT(in.sample, in.cfg, c)
	v := &vttReader{in: in, out: out, captions: c}
	err := v.run()
	if c.flush() && err != nil && !errors.Is(err, io.EOF) {
		out.fail(err)
	}
}

// surveyVTT finds out how the sample tells its speakers, and whether its cues
// repeat each other.
func surveyVTT(s *sample, c *config, to *captions) {
	voices, stamps := false, false
	payload := false
	first, last, repeats := false, "", 0
	s.lines(func(l []byte) bool {
		switch {
		case len(trimSpace(l)) == 0:
			payload = false
		case isTiming(l):
			payload, first = true, true
		case payload:
			plain, hasVoice, hasStamp := stripTags(string(l), nil)
			voices, stamps = voices || hasVoice, stamps || hasStamp
			text := strings.TrimSpace(html.UnescapeString(plain))
			if name, _, _, ok := cutCueLabel([]byte(text)); ok {
				to.names.add(name, c.labels.strength(name))
			}
			if first && text == last && text != "" {
				repeats++
			}
			first, last = false, text
		}
		return true
	})
	to.labels = !voices && to.names.speech()
	to.rollUp = stamps || repeats >= 3
}

// vttReader reads the blocks of a file.
type vttReader struct {
	in       *input
	out      *sink
	captions *captions
	cues     int
	// limit is of a line, used the bytes of the cue so far.
	limit, used int
}

// run reads to the end of the file.
func (v *vttReader) run() error {
	v.limit = v.in.cfg.MaxTurn + labelRoom
	header := isWebVTT(v.in.sample.data)
	for !v.out.stopped {
		l, err := v.in.readLine(v.limit)
		if err != nil {
			return err
		}
		switch {
		case header:
			err, header = v.skipBlock(), false
		case len(trimSpace(l.text)) == 0:
		default:
			err = v.block(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skipBlock reads up to the next blank line.
func (v *vttReader) skipBlock() error {
	for {
		l, err := v.in.readLine(v.limit)
		if err != nil || len(trimSpace(l.text)) == 0 {
			return err
		}
	}
}

// block reads a block that begins with l: a cue, or what is none.
func (v *vttReader) block(l line) error {
	if isAside(l.text) {
		return v.skipBlock()
	}
	if bad := v.in.check(l, v.limit); bad != nil {
		v.report(bad)
		return v.skipBlock()
	}
	if isTiming(l.text) {
		return v.cue(l)
	}
	id := l
	id.text = bytes.Clone(l.text)
	l, err := v.in.readLine(v.limit)
	if err == nil && isTiming(l.text) {
		return v.cue(l)
	}
	if err == nil || errors.Is(err, io.EOF) {
		v.report(v.in.bad(id, 0, CodeSyntax, "a block without a timing line", "write 00:00:01.000 --> 00:00:02.000 above the words"))
	}
	if err == nil && len(trimSpace(l.text)) > 0 {
		err = v.skipBlock()
	}
	return err
}

// isAside reports whether a line begins a block that is no cue.
func isAside(l []byte) bool {
	for _, w := range []string{"NOTE", "STYLE", "REGION"} {
		if rest, ok := bytes.CutPrefix(l, []byte(w)); ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t') {
			return !isTiming(l)
		}
	}
	return false
}

func isTiming(l []byte) bool { return bytes.Contains(l, []byte("-->")) }

// cue reads the words under a timing line.
func (v *vttReader) cue(l line) error {
	v.cues++
	q := cue{at: line{no: l.no, at: l.at}, no: v.cues}
	bad := v.in.check(l, v.limit)
	var ok bool
	if q.start, q.end, ok = parseTiming(string(l.text)); !ok && bad == nil {
		bad = v.in.bad(l, 0, CodeSyntax, "a timing line that is none", "write 00:00:01.000 --> 00:00:02.000")
	}
	voice := ""
	v.used = 0
	for {
		l, err := v.in.readLine(v.limit)
		if err != nil || len(trimSpace(l.text)) == 0 {
			if bad != nil {
				bad.Record = q.no
				v.report(bad)
			} else {
				v.captions.add(q)
			}
			return err
		}
		if bad != nil {
			continue
		}
		if bad = v.in.check(l, v.limit); bad != nil {
			continue
		}
		if v.used += len(l.text); v.used > v.in.cfg.MaxTurn {
			bad = v.out.tooLong(q.at, q.no, int64(v.used))
			continue
		}
		voice = q.payload(string(l.text), voice)
	}
}

// report gives a bad record where the turns before it come first.
func (v *vttReader) report(bad *Error) {
	if v.captions.flush() {
		v.out.bad(bad)
	}
}

// payload adds a line of words; voice is whose words the line begins with. It
// returns whose it ends with.
func (q *cue) payload(text, voice string) string {
	var plain strings.Builder
	put := func() {
		if t := strings.TrimSpace(clean(plain.String())); t != "" {
			q.parts = append(q.parts, part{voice, t})
		}
		plain.Reset()
	}
	rest, _, _ := stripTags(text, func(before, name string) {
		plain.WriteString(before)
		put()
		voice = strings.Join(strings.Fields(clean(name)), " ")
	})
	plain.WriteString(rest)
	put()
	return voice
}

// clean reads HTML entities; NUL is none of them.
func clean(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return html.UnescapeString(s)
}

// cueTags are the tags of WebVTT; other angle brackets are words.
var cueTags = words(`b c i lang rt ruby u v`)

// stripTags takes tags off a line. At a voice tag it calls onVoice, where that
// is set, with the text before and the name ("" where a voice ends); it
// returns the text after the last.
func stripTags(s string, onVoice func(before, name string)) (text string, voice, stamp bool) {
	if strings.IndexByte(s, '<') < 0 {
		return s, false, false
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String(), voice, stamp
		}
		b.WriteString(s[:i])
		n := strings.IndexAny(s[i+1:], "<>") + 1
		if n == 0 || s[i+n] == '<' {
			b.WriteByte('<')
			s = s[i+1:]
			continue
		}
		tag := s[i+1 : i+n]
		head, annotation, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(tag, "/"), "\t", " "), " ")
		name, _, _ := strings.Cut(head, ".")
		_, isStamp := parseOffset(tag)
		switch {
		case name == "v":
			voice = true
			if onVoice != nil {
				if strings.HasPrefix(tag, "/") {
					annotation = ""
				}
				onVoice(b.String(), annotation)
				b.Reset()
			}
		case isStamp:
			stamp = true
		case !cueTags[name]:
			b.WriteByte('<')
			s = s[i+1:]
			continue
		}
		s = s[i+n+1:]
	}
}

// parseTiming reads "00:02.100 --> 00:05.600 align:start".
func parseTiming(l string) (start, end int64, ok bool) {
	from, to, _ := strings.Cut(l, "-->")
	fields := strings.Fields(to)
	if len(fields) == 0 {
		return 0, 0, false
	}
	start, ok = parseOffset(strings.TrimSpace(from))
	if !ok {
		return 0, 0, false
	}
	end, ok = parseOffset(fields[0])
	return start, end, ok
}

// parseOffset reads HH:MM:SS.mmm, with or without hours and milliseconds, as
// milliseconds.
func parseOffset(s string) (int64, bool) {
	s = strings.Replace(s, ",", ".", 1)
	whole, frac, hasFrac := strings.Cut(s, ".")
	parts := strings.Split(whole, ":")
	if len(parts) < 2 || len(parts) > 3 || hasFrac && len(frac) == 0 || len(frac) > 9 {
		return 0, false
	}
	var n int64
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 32)
		if err != nil || i > 0 && (v > 59 || len(p) != 2) {
			return 0, false
		}
		n = n*60 + int64(v)
	}
	ms, err := strconv.ParseUint((frac + "000")[:3], 10, 32)
	return n*1000 + int64(ms), err == nil
}
