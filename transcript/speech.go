package transcript

import (
	"bytes"
	"errors"
	"io"

	"github.com/speckl/speckl/sir"
)

// labelRoom is how much longer than a turn a line may be: its label.
const labelRoom = 1 << 10

// speech gathers the lines of a log into turns: what begins with a label, and
// all that follows up to the next.
type speech struct {
	in  *input
	out *sink
	// split cuts a turn at its last blank line rather than refuse it for its
	// length.
	split bool

	// open says that there is a turn, which began at start.
	open  bool
	start line
	turn  sir.Turn
	buf   []byte
	// quotes are the block quotes in buf.
	quotes [][2]int
	// blank lines wait for a line after them: those at the end are none of
	// the turn's.
	blank []byte
	// gap is the last blank line in buf: what is before it, and what after.
	gap struct {
		before, after int
		next          line
	}
	fence fence
	// bad is the first mistake in the turn, which then is none.
	bad *Error
}

// run reads all lines. head sees each line that is not in fenced code: it
// begins a turn where the line has a label, and returns what is left of the
// line, or false where nothing is.
func (s *speech) run(head func(l line) (rest []byte, more bool)) {
	limit := s.in.cfg.MaxTurn + labelRoom
	for !s.out.stopped {
		l, err := s.in.readLine(limit)
		if err != nil {
			if s.flush() && !errors.Is(err, io.EOF) {
				s.out.fail(err)
			}
			return
		}
		bad := s.in.check(l, limit)
		text, more := l.text, true
		if !s.fence.open() {
			text, more = head(l)
		}
		switch {
		case s.out.stopped:
		case bad != nil:
			s.spoil(l, bad)
		case more:
			s.add(l, text)
		}
	}
}

// begin ends the turn before and begins one.
func (s *speech) begin(l line, name []byte, at *int64) bool {
	if !s.flush() {
		return false
	}
	s.open, s.start = true, l
	s.turn = sir.Turn{Timestamp: at}
	s.turn.SpeakerName, s.turn.Speaker = s.out.speaker(name)
	return true
}

// add puts a line into the turn; before the first label it is nobody's.
func (s *speech) add(l line, text []byte) {
	empty := len(trimSpace(text)) == 0
	if !s.open {
		if empty {
			return
		}
		s.begin(l, nil, nil)
	}
	switch {
	case s.bad != nil:
	case empty:
		s.pend(text)
	case s.fits(len(text)) || s.split && s.cut(l) && s.fits(len(text)):
		s.put(l, text)
	default:
		s.spoil(l, s.out.tooLong(s.start, s.start.no, int64(s.size(len(text)))))
	}
	s.fence.see(s.in, text)
}

// size is the length of the turn with n bytes more.
func (s *speech) size(n int) int {
	if len(s.buf) == 0 {
		return n
	}
	return len(s.buf) + len(s.blank) + 1 + n
}

func (s *speech) fits(n int) bool { return s.size(n) <= s.in.cfg.MaxTurn }

// put appends a line that has words.
func (s *speech) put(l line, text []byte) {
	if len(s.buf) > 0 {
		if len(s.blank) > 0 {
			s.gap.before = len(s.buf)
			s.buf = append(s.buf, s.blank...)
			s.gap.after, s.gap.next = len(s.buf)+1, l
			s.blank = s.blank[:0]
		}
		s.buf = append(s.buf, '\n')
	}
	at := len(s.buf)
	s.buf = append(s.buf, text...)
	if !isQuote(text) || s.fence.open() {
		return
	}
	if n := len(s.quotes); n > 0 && s.quotes[n-1][1] == at-1 {
		s.quotes[n-1][1] = len(s.buf)
	} else {
		s.quotes = append(s.quotes, [2]int{at, len(s.buf)})
	}
}

// pend keeps a blank line as it is until another line follows.
func (s *speech) pend(text []byte) {
	switch {
	case len(s.buf) == 0:
	case s.fits(len(text)):
		s.blank = append(s.blank, '\n')
		s.blank = append(s.blank, text...)
	case s.split:
		s.flush()
	default:
		s.spoil(s.start, s.out.tooLong(s.start, s.start.no, int64(s.size(len(text)))))
	}
}

// cut gives what is before the last blank line as a turn of its own; l is the
// line to come.
func (s *speech) cut(l line) bool {
	if len(s.blank) > 0 {
		return s.begin(l, nil, nil)
	}
	g := s.gap
	if g.after == 0 {
		return false
	}
	rest := bytes.Clone(s.buf[g.after:])
	var later [][2]int
	for i, q := range s.quotes {
		if q[0] >= g.after {
			later = append(later, s.quotes[i:]...)
			s.quotes = s.quotes[:i]
			break
		}
	}
	s.buf = s.buf[:g.before]
	if !s.begin(g.next, nil, nil) {
		return false
	}
	s.buf = append(s.buf, rest...)
	for _, q := range later {
		s.quotes = append(s.quotes, [2]int{q[0] - g.after, q[1] - g.after})
	}
	return true
}

// spoil marks the turn as bad. A reader that is not lenient hears of it at
// once.
func (s *speech) spoil(l line, e *Error) {
	if !s.open {
		s.begin(l, nil, nil)
	}
	if s.bad != nil || s.out.stopped {
		return
	}
	s.bad = e
	e.Record = s.start.no
	s.reset()
	if !s.in.cfg.Lenient {
		s.out.fail(e)
	}
}

func (s *speech) reset() {
	s.buf, s.blank, s.quotes = s.buf[:0], s.blank[:0], nil
	s.gap.before, s.gap.after = 0, 0
}

// flush gives the turn and reports whether to go on.
func (s *speech) flush() bool {
	if !s.open || s.out.stopped {
		return !s.out.stopped
	}
	t, bad := s.turn, s.bad
	t.Content = string(s.buf)
	if len(s.quotes) > 0 {
		t.Metadata = &sir.Metadata{Quoted: s.quotes}
	}
	s.open, s.bad = false, nil
	s.reset()
	switch {
	case bad != nil:
		return s.out.bad(bad)
	case t.Content == "" && t.SpeakerName == nil:
		return true
	}
	return s.out.turn(t, s.start, s.start.no)
}
