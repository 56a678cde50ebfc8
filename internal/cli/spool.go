package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/google/uuid"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// spool keeps the results of a run packed: most of them say nothing, and
// there is one a turn. Runs of more than twenty without effect become a
// count, as the outputs print them. The zero value is ready.
type spool struct {
	chunks [][]byte
	held   []*sir.Result // a run without effect, while it is short
	noise  int           // the length of that run
	words  []string      // summaries, domains and modes, by number
	number map[string]int
}

const (
	spoolRun   = 20
	spoolChunk = 64 << 10

	// The kinds of record.
	spoolNoise = iota
	spoolQuiet
	spoolFull
)

// add packs a result. It returns an error where the result has no JSON form.
func (s *spool) add(r *sir.Result) error {
	if !export.NoEffect(r) || r.Status != "" || len(r.SourceTurnIDs) != 1 {
		if err := s.flush(); err != nil {
			return err
		}
		body, err := json.Marshal(slim(r))
		if err != nil {
			return fmt.Errorf("keep result %s: %w", r.ExtractionID, err)
		}
		s.put(binary.AppendUvarint([]byte{spoolFull}, uint64(len(body))), body)
		return nil
	}
	if s.noise++; s.noise > spoolRun {
		s.held = s.held[:0]
	} else {
		s.held = append(s.held, r)
	}
	return nil
}

// flush decides a run without effect.
func (s *spool) flush() error {
	if s.noise > spoolRun {
		s.put(binary.AppendUvarint([]byte{spoolNoise}, uint64(s.noise)))
	} else {
		for _, r := range s.held {
			s.put(s.quiet(r))
		}
	}
	clear(s.held)
	s.held, s.noise = s.held[:0], 0
	return nil
}

// put appends a record; a record stands in one chunk.
func (s *spool) put(parts ...[]byte) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last])+size > cap(s.chunks[last]) {
		s.chunks = append(s.chunks, make([]byte, 0, max(spoolChunk, size)))
		last++
	}
	for _, p := range parts {
		s.chunks[last] = append(s.chunks[last], p...)
	}
}

// quiet packs a result without effect: its ids, words by their numbers, its
// time.
func (s *spool) quiet(r *sir.Result) []byte {
	b := []byte{spoolQuiet}
	b = packID(b, r.ExtractionID)
	b = packID(b, r.SourceTurnIDs[0])
	for _, w := range []string{string(r.Mode), r.Summary, r.Metadata.Domain} {
		b = binary.AppendUvarint(b, uint64(s.word(w)))
	}
	if r.Timestamp == nil {
		return append(b, 0)
	}
	return binary.AppendVarint(append(b, 1), *r.Timestamp)
}

func (s *spool) word(w string) int {
	n, ok := s.number[w]
	if !ok {
		if s.number == nil {
			s.number = map[string]int{}
		}
		n = len(s.words)
		s.words = append(s.words, w)
		s.number[w] = n
	}
	return n
}

// packID writes a canonical UUID in 16 bytes, any other id as it is.
func packID(b []byte, id string) []byte {
	if u, err := uuid.Parse(id); err == nil && u.String() == id {
		return append(append(b, 0), u[:]...)
	}
	b = binary.AppendUvarint(append(b, 1), uint64(len(id)))
	return append(b, id...)
}

// all yields what was added; it may be ranged over more than once, when
// nothing is added any more.
func (s *spool) all() iter.Seq2[export.ResultOrNoise, error] {
	return func(yield func(export.ResultOrNoise, error) bool) {
		if err := s.flush(); err != nil {
			yield(export.ResultOrNoise{}, err)
			return
		}
		for _, c := range s.chunks {
			for u := (unpacker{c}); len(u.b) > 0; {
				x, err := u.record(s.words)
				if !yield(x, err) || err != nil {
					return
				}
			}
		}
	}
}

// unpacker reads records from a chunk.
type unpacker struct{ b []byte }

func (u *unpacker) record(words []string) (export.ResultOrNoise, error) {
	kind := u.take(1)[0]
	if kind == spoolNoise {
		return export.ResultOrNoise{Noise: u.uint()}, nil
	}
	r := new(sir.Result)
	if kind == spoolFull {
		if err := json.Unmarshal(u.take(u.uint()), r); err != nil {
			return export.ResultOrNoise{}, fmt.Errorf("read a kept result: %w", err)
		}
		return export.ResultOrNoise{Result: r}, nil
	}
	r.ExtractionID = u.id()
	r.SourceTurnIDs = []string{u.id()}
	r.Mode, r.Summary, r.Metadata.Domain = sir.Mode(words[u.uint()]), words[u.uint()], words[u.uint()]
	if u.take(1)[0] == 1 {
		v, n := binary.Varint(u.b)
		u.b = u.b[n:]
		r.Timestamp = &v
	}
	return export.ResultOrNoise{Result: r}, nil
}

func (u *unpacker) take(n int) []byte {
	out := u.b[:n]
	u.b = u.b[n:]
	return out
}

func (u *unpacker) uint() int {
	v, n := binary.Uvarint(u.b)
	u.b = u.b[n:]
	return int(v)
}

func (u *unpacker) id() string {
	if u.take(1)[0] == 0 {
		return uuid.UUID(u.take(16)).String()
	}
	return string(u.take(u.uint()))
}
