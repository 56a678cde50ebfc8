package store

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
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
	mu     sync.RWMutex // guards what follows, not what is in documents
	docs   map[Ref]*memory
	names  map[docName]Ref // of documents that stand, or are about to
	closed bool
}

// docName is a document's name in its organisation.
type docName struct{ organization, name string }

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory(c Config) *Memory {
	return &Memory{config: c, docs: map[Ref]*memory{}, names: map[docName]Ref{}}
}

// Update runs fn in a transaction; see [Store].
func (s *Memory) Update(ctx context.Context, ref Ref, fn func(Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("update document %s: %w", ref.Document, err)
	}
	d, err := s.lock(ref)
	if err != nil {
		return fmt.Errorf("update document %s: %w", ref.Document, err)
	}
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		s.tidy(ref, d)
		return fmt.Errorf("update document %s: %w", ref.Document, err)
	}
	done := false
	d.begin()
	defer func() { // on a panic, too
		if fresh := d.tx.memory; fresh != d { // something was erased
			if done {
				fresh.end(true)
				s.put(ref, fresh)
			}
			d.tx.memory = d
		}
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
	d, err := s.lockToRead(ref)
	if err != nil {
		return fmt.Errorf("view document %s: %w", ref.Document, err)
	}
	defer d.mu.RUnlock()
	r := &reader{memory: d, open: true}
	defer func() { r.open = false }()
	return fn(r)
}

// List yields the headers of the organisation's documents by name.
func (s *Memory) List(ctx context.Context, organization string) iter.Seq2[sir.Header, error] {
	return func(yield func(sir.Header, error) bool) {
		docs, err := s.all(ctx, organization)
		if err != nil {
			yield(sir.Header{}, fmt.Errorf("list documents: %w", err))
			return
		}
		for _, d := range docs {
			d.mu.RLock()
			h := d.fold.Header()
			d.mu.RUnlock()
			if h.ID != "" && !yield(h, nil) {
				return
			}
		}
	}
}

// all returns the organisation's documents by name.
func (s *Memory) all(ctx context.Context, organization string) ([]*memory, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, ErrClosed
	}
	var names []string
	for n := range s.names {
		if n.organization == organization {
			names = append(names, n.name)
		}
	}
	slices.Sort(names)
	docs := make([]*memory, len(names))
	for i, n := range names {
		docs[i] = s.docs[s.names[docName{organization, n}]]
	}
	return docs, nil
}

// Find returns the reference to the document of that name; see [Store].
func (s *Memory) Find(ctx context.Context, organization, name string) (Ref, error) {
	if err := ctx.Err(); err != nil {
		return Ref{}, fmt.Errorf("find document %q: %w", name, err)
	}
	s.mu.RLock()
	ref, ok := s.names[docName{organization, name}]
	d, closed := s.docs[ref], s.closed
	s.mu.RUnlock()
	switch {
	case closed:
		return Ref{}, fmt.Errorf("find document %q: %w", name, ErrClosed)
	case ok:
		d.mu.RLock()
		ok = d.fold.Header().Name == name // not one that is only about to
		d.mu.RUnlock()
	}
	if !ok {
		return Ref{}, fmt.Errorf("find document %q: %w", name, ErrNotFound)
	}
	return ref, nil
}

// Delete removes a document; see [Store].
func (s *Memory) Delete(ctx context.Context, ref Ref) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("delete document %s: %w", ref.Document, err)
	}
	d, err := s.lock(ref)
	if err != nil {
		return fmt.Errorf("delete document %s: %w", ref.Document, err)
	}
	defer d.mu.Unlock()
	if !d.created() {
		s.tidy(ref, d)
		return fmt.Errorf("delete document %s: %w", ref.Document, ErrNotFound)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.docs, ref)
	delete(s.names, docName{ref.Organization, d.fold.Header().Name})
	return nil
}

// Search looks at every element; see [Store].
func (s *Memory) Search(ctx context.Context, organization string, q Query) ([]Hit, error) {
	docs, err := s.all(ctx, organization)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	words := SearchWords(q.Text)
	var hits []Hit
	for _, d := range docs {
		if q.Document != "" && d.ref.Document != q.Document || len(words) == 0 {
			continue
		}
		d.mu.RLock()
		for e := range d.fold.Elements() {
			if (q.All || e.Status.Live()) && HasWords(e, words) {
				hits = append(hits, Hit{Document: d.fold.Header(), Element: e})
			}
		}
		d.mu.RUnlock()
	}
	return Rank(hits, words, q), nil
}

// Close forgets all documents.
func (s *Memory) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	clear(s.docs)
	clear(s.names)
	return nil
}

// claim reserves a name for a document.
func (s *Memory) claim(ref Ref, name string) error {
	if err := cmp.Or(CheckName("the name of an organisation", ref.Organization), CheckName("the name of a document", name)); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := docName{ref.Organization, name}
	if other, taken := s.names[key]; taken && other != ref {
		return fmt.Errorf("name document %s %q: %w", ref.Document, name, ErrExists)
	}
	s.names[key] = ref
	return nil
}

// unclaim gives a name back.
func (s *Memory) unclaim(ref Ref, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if key := (docName{ref.Organization, name}); s.names[key] == ref {
		delete(s.names, key)
	}
}

// lockToRead returns a document that stands, locked for reading.
func (s *Memory) lockToRead(ref Ref) (*memory, error) {
	for {
		s.mu.RLock()
		d, closed := s.docs[ref], s.closed
		s.mu.RUnlock()
		switch {
		case closed:
			return nil, ErrClosed
		case d == nil:
			return nil, ErrNotFound
		}
		d.mu.RLock()
		if s.holds(ref, d) && d.created() {
			return d, nil
		}
		held := s.holds(ref, d)
		d.mu.RUnlock()
		if held {
			return nil, ErrNotFound
		}
	}
}

// lock returns the document, known or not yet, locked for writing.
func (s *Memory) lock(ref Ref) (*memory, error) {
	for {
		s.mu.RLock()
		d, closed := s.docs[ref], s.closed
		s.mu.RUnlock()
		if closed {
			return nil, ErrClosed
		}
		if d == nil {
			s.mu.Lock()
			if d = s.docs[ref]; d == nil {
				d = newMemory(s, ref)
				s.docs[ref] = d
			}
			s.mu.Unlock()
		}
		d.mu.Lock()
		if s.holds(ref, d) {
			return d, nil
		}
		d.mu.Unlock() // it was tidied away, deleted or replaced meanwhile
	}
}

func (s *Memory) holds(ref Ref, d *memory) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.docs[ref] == d
}

// put replaces a document.
func (s *Memory) put(ref Ref, d *memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[ref] = d
}

// tidy forgets a document that was never created.
func (s *Memory) tidy(ref Ref, d *memory) {
	if !d.created() {
		s.mu.Lock()
		delete(s.docs, ref)
		s.mu.Unlock()
	}
}
