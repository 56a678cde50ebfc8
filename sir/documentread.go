package sir

import (
	"iter"
	"slices"
)

// Header is the document's header, Version that of the newest record.
func (d *Document) Header() Header { return d.header }

// Seq is the number of the newest record; 0 for none.
func (d *Document) Seq() int64 { return d.seq }

// Len counts the elements.
func (d *Document) Len() int { return len(d.elements) }

// Element returns the element of that id, or nil.
func (d *Document) Element(id string) *Element {
	if n, ok := d.byID[id]; ok {
		return d.elements[n]
	}
	return nil
}

// Ordinal is the element's place in the order of creation, from 0, or -1.
func (d *Document) Ordinal(id string) int {
	if n, ok := d.byID[id]; ok && d.elements[n] != nil {
		return n
	}
	return -1
}

// ElementAt returns the element of that ordinal; nil where it was erased.
func (d *Document) ElementAt(ordinal int) *Element { return d.elements[ordinal] }

// Elements yields the elements in the order in which they were created.
func (d *Document) Elements() iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		for _, e := range d.elements {
			if e != nil && !yield(e) {
				return
			}
		}
	}
}

// Pending is what waits for a person. The lists are shared and read-only.
func (d *Document) Pending() Pending { return d.pending.list() }

// Open are the clarifications that wait, oldest first; read-only.
func (d *Document) Open() []Clarification { return d.pending.clarifications.list() }

// NextClarification is the number that the next clarification takes.
func (d *Document) NextClarification() int { return d.pending.highest + 1 }

// Newest tells where a speaker last set values of a kind in a domain, or in
// any ("").
func (d *Document) Newest(domain string, key ValueKey) (Newest, bool) {
	n, ok := d.newest[valueKey{domain, key}]
	n.Values = slices.Clip(n.Values)
	return n, ok
}

// LastTurn returns the last turn with which a speaker touched elements of a
// domain, or of any (""), and the ids of those elements, one twice that it
// touched twice. turnID is "" for none.
func (d *Document) LastTurn(domain, speaker string) (turnID string, elements []string) {
	l := d.last[speakerKey{domain, speaker}]
	return l.turnID, slices.Clip(l.elements)
}

// Turns are the turns in the order of the log; nil for a document whose
// turns are kept elsewhere.
func (d *Document) Turns() []*Turn {
	if d.turns == nil {
		return nil
	}
	return slices.Clip(d.turns.list)
}

// Turn returns the turn of that id, or nil.
func (d *Document) Turn(id string) *Turn {
	if d.turns == nil {
		return nil
	}
	return d.turns.find(id)
}

// Mark is a point of a transaction to go back to.
type Mark struct {
	undo    int
	seq     int64
	version int
}

// Mark begins, or goes on with, a transaction: Rollback takes back what was
// applied since. Keep ends it.
func (d *Document) Mark() Mark {
	d.marked = true
	return Mark{len(d.undo), d.seq, d.header.Version}
}

// Rollback takes back all that was applied since the mark.
func (d *Document) Rollback(to Mark) {
	for i := len(d.undo) - 1; i >= to.undo; i-- {
		d.undo[i]()
	}
	clear(d.undo[to.undo:])
	d.undo = d.undo[:to.undo]
	d.seq, d.header.Version = to.seq, to.version
}

// Keep ends the transaction: what was applied stays.
func (d *Document) Keep() {
	clear(d.undo)
	d.undo, d.marked = d.undo[:0], false
}

// remember keeps how to undo a step while a transaction is open.
func (d *Document) remember(undo func()) {
	if d.marked {
		d.undo = append(d.undo, undo)
	}
}
