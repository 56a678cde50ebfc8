package sir

import (
	"fmt"
	"iter"
	"slices"
)

// Document is the fold over a log: what a document holds after the records
// that were applied. It changes by Apply alone, and never changes an element
// that it has handed out. It is not safe for concurrent use.
type Document struct {
	header   Header
	seq      int64
	elements []*Element // in the order of creation; nil where erased
	byID     map[string]int
	pending  waiting
	newest   map[valueKey]Newest
	last     map[speakerKey]lastTurn
	speaker  func(turnID string) (key string, ok bool)
	turns    *turnList // nil where the turns are kept elsewhere
	loose    bool      // records may be missing (see [Said])
	undo     []func()
	marked   bool
}

// valueKey is a [ValueKey] of one domain, or of any ("").
type valueKey struct {
	domain string
	ValueKey
}

type speakerKey struct{ domain, speaker string }

// lastTurn is the newest turn of a speaker that touched elements.
type lastTurn struct {
	turnID   string
	elements []string
}

// NewDocument returns an empty document that keeps the turns that it reads.
func NewDocument() *Document {
	d := NewDocumentOver(nil)
	d.turns = &turnList{byID: map[string]int{}}
	d.speaker = d.turns.speaker
	return d
}

// NewDocumentOver returns an empty document whose turns are kept elsewhere.
// speaker tells who spoke a turn (see [Turn.SpeakerKey]); ok is false for an
// act and for an unknown turn.
func NewDocumentOver(speaker func(turnID string) (key string, ok bool)) *Document {
	return &Document{
		byID:    map[string]int{},
		newest:  map[valueKey]Newest{},
		last:    map[speakerKey]lastTurn{},
		speaker: speaker,
	}
}

// Fold applies a whole log to a new document.
// It returns the first error of the log or of Apply.
func Fold(log iter.Seq2[Mutation, error]) (*Document, error) {
	d := NewDocument()
	for m, err := range log {
		if err != nil {
			return nil, fmt.Errorf("fold log: %w", err)
		}
		if err := d.Apply(&m); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Apply adds one record. On an error the document is as it was.
//
// The error wraps [ErrBroken] if the record does not fit (a gap in the
// numbers, another document, a kind without what it needs) or those of
// [ApplyElement].
func (d *Document) Apply(m *Mutation) error {
	if err := d.admit(m); err != nil {
		return err
	}
	if err := d.apply(m); err != nil {
		return err
	}
	d.header.Version = m.DocVersion
	d.seq++
	if m.Seq != 0 {
		d.seq = m.Seq
	}
	return nil
}

// admit checks the record's place.
func (d *Document) admit(m *Mutation) error {
	first := d.header.ID == ""
	switch {
	case first != (m.Kind == DocumentKind) && first:
		return misfit(m, "stands before the document")
	case !first && m.DocumentID != d.header.ID:
		return misfit(m, "belongs to another document")
	case m.Seq != 0 && m.Seq != d.seq+1 && !(d.loose && m.Seq > d.seq):
		return misfit(m, fmt.Sprintf("does not follow record %d", d.seq))
	case m.DocVersion != d.header.Version && m.DocVersion != d.header.Version+1 &&
		!(d.loose && m.DocVersion > d.header.Version):
		return misfit(m, fmt.Sprintf("does not follow version %d of the document", d.header.Version))
	}
	return nil
}

func (d *Document) apply(m *Mutation) error {
	switch m.Kind {
	case TurnKind, Act:
		if d.turns == nil {
			return nil
		}
		return d.turns.add(m)
	case Erased:
		return nil
	case DocumentKind:
		return d.applyHeader(m)
	case PendingKind:
		body, err := m.Decoded()
		if err != nil || body == nil {
			return err
		}
		if body.Pending == nil {
			return misfit(m, "has nothing pending")
		}
		return d.pending.apply(body.Pending, d.remember)
	case Created, Updated, DeprecatedKind, ReplacedKind:
		return d.applyElement(m)
	}
	return misfit(m, "is of no known kind")
}

func (d *Document) applyHeader(m *Mutation) error {
	body, err := m.Decoded()
	switch {
	case err != nil:
		return err
	case body == nil || body.Document == nil:
		return misfit(m, "has no header")
	case body.Document.ID != m.DocumentID || d.header.ID != "" && body.Document.ID != d.header.ID:
		return misfit(m, "has the header of another document")
	}
	was := d.header
	d.remember(func() { d.header = was })
	d.header = *body.Document
	d.header.Version = was.Version
	return nil
}

func (d *Document) applyElement(m *Mutation) error {
	at, known := d.byID[m.ElementID]
	var old *Element
	if known {
		old = d.elements[at]
	}
	next, err := d.step(old, known, m)
	if err != nil {
		return err
	}
	body, err := m.Decoded()
	if err != nil {
		return err
	}
	if known {
		d.elements[at] = next
		d.remember(func() { d.elements[at] = old })
	} else {
		d.insert(m.ElementID, next)
	}
	if next == nil || body == nil {
		return nil
	}
	d.touch(m, next)
	for _, v := range body.Values {
		d.setValue(m.TurnID, next, v)
	}
	return nil
}

// step applies the mutation to the element. An element whose creation was
// erased stays nil, until it is created anew; in a loose document, where records are left out, what
// cannot be changed is passed over.
func (d *Document) step(old *Element, known bool, m *Mutation) (*Element, error) {
	if old == nil && m.Kind != Created && (known || d.loose) {
		return nil, nil
	}
	if d.loose && old != nil && m.Version > old.Version {
		last := *old
		last.Version = m.Version - 1
		old = &last
	}
	return ApplyElement(old, m)
}

func (d *Document) insert(id string, e *Element) {
	if e == nil && d.loose {
		return
	}
	n := len(d.elements)
	d.byID[id] = n
	d.elements = append(d.elements, e)
	d.remember(func() {
		d.elements = slices.Delete(d.elements, n, n+1)
		delete(d.byID, id)
	})
}

// touch records that the turn's speaker touched the element.
func (d *Document) touch(m *Mutation, e *Element) {
	key, ok := d.speaker(m.TurnID)
	if !ok {
		return
	}
	for _, k := range [2]speakerKey{{e.Domain, key}, {"", key}} {
		was, had := d.last[k]
		next := lastTurn{turnID: m.TurnID}
		if had && was.turnID == m.TurnID {
			next.elements = was.elements
		}
		next.elements = append(next.elements, e.ID)
		put(d, d.last, k, next)
	}
}

// setValue records where the speaker set a value of a kind: all of one turn.
func (d *Document) setValue(turnID string, e *Element, v ValueSet) {
	at := ValueAt{ElementID: e.ID, Field: v.Field}
	for _, domain := range [2]string{e.Domain, ""} {
		k := valueKey{domain, ValueKey{Speaker: v.Speaker, Kind: v.Kind}}
		next := Newest{TurnID: turnID}
		if was := d.newest[k]; was.TurnID == turnID {
			next.Values = was.Values
		}
		if !endsWith(next.Values, at) {
			next.Values = append(next.Values, at)
		}
		put(d, d.newest, k, next)
	}
}

// endsWith reports whether a value is among those that its element has set
// last: the values of one element stand together.
func endsWith(values []ValueAt, v ValueAt) bool {
	for i := len(values) - 1; i >= 0 && values[i].ElementID == v.ElementID; i-- {
		if values[i] == v {
			return true
		}
	}
	return false
}

// put sets an entry of a map and remembers what was there.
func put[K comparable, V any](d *Document, m map[K]V, k K, v V) {
	was, had := m[k]
	m[k] = v
	d.remember(func() {
		if had {
			m[k] = was
		} else {
			delete(m, k)
		}
	})
}
