package transcript

import (
	"fmt"

	"github.com/speckl/speckl/sir"
)

// maxKnown bounds what is remembered of names and sessions.
const maxKnown = 1 << 14

// sink takes what a format's reader finds and gives it to the caller: it
// numbers and names the turns, checks their size, and decides what a bad
// record does.
type sink struct {
	cfg   *config
	yield func(sir.Turn, error) bool
	// stopped says that nothing more is wanted.
	stopped bool

	total   int
	session string
	seq     int
	seqs    map[uint64]int
	count   counter
	names   map[string]speaker
}

// speaker is a name and the role that it tells.
type speaker struct {
	name *string
	role sir.Role
}

func newSink(c *config, yield func(sir.Turn, error) bool) *sink {
	return &sink{cfg: c, yield: yield, session: c.file, names: map[string]speaker{}}
}

// turn gives a turn to the caller and reports whether to go on. The reader
// sets what its source knows; empty fields are filled in: session, seq, role,
// kind, source, id. l is where the turn begins, record its number.
func (s *sink) turn(t sir.Turn, l line, record int) bool {
	if len(t.Content) > s.cfg.MaxTurn {
		return s.bad(s.tooLong(l, record, int64(len(t.Content))))
	}
	s.place(&t)
	if t.Speaker == "" {
		t.Speaker = sir.Human
	}
	s.describe(&t, record)
	if t.ID == "" {
		t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, 0)
		if n := s.count.add(hash(t.ID), s.total); n > 0 {
			t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, n)
		}
	}
	s.stopped = !s.yield(t, nil)
	return !s.stopped
}

// place sets the session and the position in it.
func (s *sink) place(t *sir.Turn) {
	s.total++
	if t.SessionID == "" {
		t.SessionID = s.cfg.file
	}
	if t.SessionID != s.session {
		s.enter(t.SessionID)
	}
	if t.Seq == 0 {
		t.Seq = s.seq + 1
	}
	s.seq = max(s.seq, t.Seq)
}

// enter goes over to another session of the same file. Where there are more
// sessions than it remembers, positions still grow, with gaps.
func (s *sink) enter(session string) {
	if s.seqs == nil {
		s.seqs = map[uint64]int{}
	}
	old := hash(s.session)
	if _, ok := s.seqs[old]; ok || len(s.seqs) < maxKnown {
		s.seqs[old] = s.seq
	}
	s.session, s.seq = session, 0
	if n, ok := s.seqs[hash(session)]; ok {
		s.seq = n
	} else if len(s.seqs) >= maxKnown {
		s.seq = s.total - 1
	}
}

// described is a turn's metadata in one allocation.
type described struct {
	meta   sir.Metadata
	source sir.Source
}

// describe completes the metadata.
func (s *sink) describe(t *sir.Turn, record int) {
	d := &described{source: sir.Source{File: s.cfg.file, Record: record}}
	if t.Metadata != nil {
		d.meta = *t.Metadata
	}
	if d.meta.Source == nil {
		d.meta.Source = &d.source
	}
	if d.meta.Kind == "" {
		d.meta.Kind = "message"
	}
	t.Metadata = &d.meta
}

// speaker returns one pointer for one name, nil for none, and the role.
func (s *sink) speaker(name []byte) (*string, sir.Role) {
	if len(name) == 0 {
		return nil, sir.Human
	}
	if sp, ok := s.names[string(name)]; ok {
		return sp.name, sp.role
	}
	n := string(name)
	sp := speaker{&n, sir.Human}
	if isAgent(n) {
		sp.role = sir.Agent
	}
	if len(s.names) < maxKnown {
		s.names[n] = sp
	}
	return sp.name, sp.role
}

// bad reports a bad record: it is skipped and counted if the options are
// lenient, else it ends the reading.
func (s *sink) bad(e *Error) bool {
	if !s.cfg.Lenient {
		return s.fail(e)
	}
	return s.skip(SkipBad, e)
}

// skip reports a record that gives no turn.
func (s *sink) skip(kind SkipKind, e *Error) bool {
	if s.cfg.OnSkip != nil {
		s.cfg.OnSkip(Skip{Kind: kind, Err: e})
	}
	return true
}

// noSpeech reports a record that is nobody's words.
func (s *sink) noSpeech(l line, record int, what string) bool {
	if s.cfg.OnSkip == nil {
		return true
	}
	return s.skip(SkipNoSpeech, &Error{
		Code: CodeNoSpeech, File: s.cfg.file, Record: record, Line: l.no, Col: 1, Offset: l.at, Text: what,
	})
}

// fail ends the reading with an error.
func (s *sink) fail(err error) bool {
	if !s.stopped {
		s.stopped = true
		s.yield(sir.Turn{}, err)
	}
	return false
}

func (s *sink) tooLong(l line, record int, size int64) *Error {
	return &Error{
		Code: CodeTooLong, File: s.cfg.file, Record: record, Line: l.no, Col: 1, Offset: l.at,
		Text: fmt.Sprintf("a turn of at least %d bytes, above the limit of %d", size, s.cfg.MaxTurn),
		Hint: "split it, or raise --max-turn",
	}
}
