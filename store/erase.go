package store

import (
	"fmt"
	"iter"
	"slices"

	"github.com/speckl/speckl/sir"
)

// CheckErasure checks which records a commit erases against the log of the
// document, and returns the mutation that names them and the ids of the
// elements that are gone with them. Engines call it in Append.
// It returns an error that wraps [ErrBroken].
func CheckErasure(log iter.Seq2[sir.Mutation, error], seqs []int64) (*sir.Mutation, []string, error) {
	named := slices.Compact(slices.Sorted(slices.Values(seqs)))
	wanted := make(map[int64]bool, len(named))
	for _, seq := range named {
		wanted[seq] = true
	}
	kept, gone := map[string]int64{}, map[string]bool{} // elements with a record that stays, and that goes
	var order []string
	for m, err := range log {
		if err != nil {
			return nil, nil, err
		}
		switch {
		case !wanted[m.Seq]:
			if m.ElementID != "" && m.Payload != nil {
				kept[m.ElementID] = m.Seq
			}
			continue
		case m.Kind == sir.DocumentKind && m.Seq == 1 || m.Kind == sir.Erased:
			return nil, nil, fmt.Errorf("erase record %d: %w: it is of kind %s", m.Seq, ErrBroken, m.Kind)
		}
		delete(wanted, m.Seq)
		if m.ElementID != "" && !gone[m.ElementID] {
			gone[m.ElementID] = true
			order = append(order, m.ElementID)
		}
	}
	for _, seq := range named {
		if wanted[seq] {
			return nil, nil, fmt.Errorf("erase record %d: %w: there is none", seq, ErrBroken)
		}
	}
	for _, id := range order {
		if seq, ok := kept[id]; ok {
			return nil, nil, fmt.Errorf("erase element %s: %w: its record %d would stay", id, ErrBroken, seq)
		}
	}
	return &sir.Mutation{Kind: sir.Erased, Body: &sir.Payload{Erased: &sir.Erasure{Records: named}}}, order, nil
}

// erase takes the payloads of records out of the document: a new one is made
// from what is left of the log, in the place of this one.
func (t *memoryTx) erase(c *Commit) error {
	d := t.memory
	m, _, err := CheckErasure(t.Log(0), c.Erase)
	if err != nil {
		return err
	}
	m.DocumentID, m.DocVersion = d.ref.Document, d.fold.Header().Version
	if err := d.fromTurn(m, c.Turn); err != nil {
		return err
	}
	if err := d.record(m); err != nil {
		return err
	}
	fresh := newMemory(d.store, d.ref)
	fresh.salts = d.salts
	erased := map[int64]bool{}
	for _, seq := range m.Body.Erased.Records {
		erased[seq] = true
	}
	for m, err := range t.Log(0) {
		if err != nil {
			return err
		}
		if erased[m.Seq] {
			m.Payload, m.Body, m.Salt = nil, nil, nil
		}
		if err := fresh.restore(&m); err != nil {
			return fmt.Errorf("take over record %d: %w", m.Seq, err)
		}
	}
	fresh.cursors = slices.Clone(d.cursors)
	fresh.fold.Keep()
	clear(fresh.undo)
	fresh.undo = fresh.undo[:0]
	t.memory = fresh
	return nil
}
