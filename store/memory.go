package store

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/speckl/speckl/sir"
)

// Config is what an engine takes from outside. The zero value works.
type Config struct {
	// Now is the clock of RecordedAt. Nil: records are recorded at their
	// turn's own time, and nothing depends on a clock.
	Now func() time.Time
	// Random is where salts come from. Nil: they derive from the document's
	// id, which hides nothing; that suits a log that is never kept.
	Random io.Reader
	// Unlogged keeps no log: records are folded and forgotten, nothing is
	// sealed, and Log yields an error that wraps [ErrUnlogged]. It halves the
	// memory of a document that is printed and gone.
	Unlogged bool
}

// Memory is a [Store] that keeps documents in the process. It packs turns,
// so that a million short ones fit; a turn without effect costs no
// allocation. Salts derive from one secret that Random gives each document.
type Memory struct {
	config Config
	mu     sync.RWMutex // guards docs, not what is in them
	docs   map[Ref]*memory
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory(c Config) *Memory {
	return &Memory{config: c, docs: map[Ref]*memory{}}
}

// Update runs fn in a transaction; see [Store].
func (s *Memory) Update(ctx context.Context, ref Ref, fn func(Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("update document %s: %w", ref.Document, err)
	}
	d := s.lock(ref)
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		s.tidy(ref, d)
		return fmt.Errorf("update document %s: %w", ref.Document, err)
	}
	done := false
	d.begin()
	defer func() { // on a panic, too
		d.end(done)
		s.tidy(ref, d)
	}()
	if err := fn(d.tx); err != nil {
		return err
	}
	done = true
	return nil
}

// View runs fn on a document that does not change; see [Store].
func (s *Memory) View(ctx context.Context, ref Ref, fn func(Reader) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("view document %s: %w", ref.Document, err)
	}
	s.mu.RLock()
	d := s.docs[ref]
	s.mu.RUnlock()
	if d == nil {
		return fmt.Errorf("view document %s: %w", ref.Document, ErrNotFound)
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if !d.created() {
		return fmt.Errorf("view document %s: %w", ref.Document, ErrNotFound)
	}
	r := &reader{memory: d, open: true}
	defer func() { r.open = false }()
	return fn(r)
}

// List yields the headers of the organisation's documents by name.
func (s *Memory) List(ctx context.Context, organization string) iter.Seq2[sir.Header, error] {
	return func(yield func(sir.Header, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(sir.Header{}, fmt.Errorf("list documents: %w", err))
			return
		}
		var docs []*memory
		s.mu.RLock()
		for ref, d := range s.docs {
			if ref.Organization == organization {
				docs = append(docs, d)
			}
		}
		s.mu.RUnlock()
		var headers []sir.Header
		for _, d := range docs {
			d.mu.RLock()
			if d.created() {
				headers = append(headers, d.fold.Header())
			}
			d.mu.RUnlock()
		}
		slices.SortFunc(headers, func(a, b sir.Header) int { return strings.Compare(a.Name+"\x00"+a.ID, b.Name+"\x00"+b.ID) })
		for _, h := range headers {
			if !yield(h, nil) {
				return
			}
		}
	}
}

// lock returns the document, known or not yet, locked for writing.
func (s *Memory) lock(ref Ref) *memory {
	for {
		s.mu.RLock()
		d := s.docs[ref]
		s.mu.RUnlock()
		if d == nil {
			s.mu.Lock()
			if d = s.docs[ref]; d == nil {
				d = newMemory(ref, s.config)
				s.docs[ref] = d
			}
			s.mu.Unlock()
		}
		d.mu.Lock()
		if d.created() || s.holds(ref, d) {
			return d
		}
		d.mu.Unlock() // it was tidied away meanwhile
	}
}

func (s *Memory) holds(ref Ref, d *memory) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.docs[ref] == d
}

// tidy forgets a document that was never created.
func (s *Memory) tidy(ref Ref, d *memory) {
	if !d.created() {
		s.mu.Lock()
		delete(s.docs, ref)
		s.mu.Unlock()
	}
}
