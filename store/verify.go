package store

import (
	"bytes"
	"fmt"

	"github.com/speckl/speckl/sir"
)

// StoredError says that what is stored is not what the log gives.
// It wraps [ErrBroken].
type StoredError struct {
	// What is stored otherwise: "element 1f0c…", "turn a1", "the index".
	What string
	// Seq is the record that gives it, 0 where none does.
	Seq int64
	// Reason says how it differs.
	Reason string
}

func (e *StoredError) Error() string {
	if e.Seq == 0 {
		return fmt.Sprintf("verify %s: %s", e.What, e.Reason)
	}
	return fmt.Sprintf("verify %s (record %d): %s", e.What, e.Seq, e.Reason)
}

// Unwrap returns [ErrBroken].
func (e *StoredError) Unwrap() error { return ErrBroken }

// Indexed is a reader whose engine keeps indexes beside elements.
type Indexed interface {
	// CheckIndex compares them with a fold of the log and returns a
	// [*StoredError] for the first difference.
	CheckIndex(fold *sir.Document) error
}

// Verify checks a document: the chain and its head, the payloads, and that
// folding the log gives the header, turns, elements, evidence, what waits,
// and the index, as they are stored. It returns the head that it verified,
// and a [*sir.ChainError] or [*StoredError] for the first thing that is
// wrong, or the reader's own error.
func Verify(r Reader) (sir.Head, error) {
	head, err := r.Head()
	if err != nil {
		return head, err
	}
	if err := sir.Verify(r.Log(0), head); err != nil {
		return head, err
	}
	last := map[string]int64{} // the newest record of an element
	fold, err := sir.Fold(func(yield func(sir.Mutation, error) bool) {
		for m, err := range r.Log(0) {
			if err == nil && m.ElementID != "" {
				last[m.ElementID] = m.Seq
			}
			if !yield(m, err) {
				return
			}
		}
	})
	if err != nil {
		return head, err
	}
	for _, check := range []func() error{
		func() error { return sameHeader(r, fold) },
		func() error { return sameTurns(r, fold) },
		func() error { return sameElements(r, fold, last) },
		func() error { return samePending(r, fold) },
	} {
		if err := check(); err != nil {
			return head, err
		}
	}
	if x, ok := r.(Indexed); ok {
		return head, x.CheckIndex(fold)
	}
	return head, nil
}

func sameHeader(r Reader, fold *sir.Document) error {
	h, err := r.Header()
	if err != nil {
		return err
	}
	return same("the document's header", 0, h, fold.Header())
}

func sameTurns(r Reader, fold *sir.Document) error {
	turns := fold.Turns()
	n := 0
	for t, err := range r.Turns(0) {
		switch {
		case err != nil:
			return err
		case n >= len(turns):
			return &StoredError{What: "turn " + t.ID, Reason: "stands in no record"}
		}
		if err := same("turn "+turns[n].ID, 0, t, turns[n]); err != nil {
			return err
		}
		n++
	}
	if n < len(turns) {
		return &StoredError{What: "turn " + turns[n].ID, Reason: "is missing"}
	}
	return nil
}

func sameElements(r Reader, fold *sir.Document, last map[string]int64) error {
	stored := r.Elements()
	var want []*sir.Element
	for e := range fold.Elements() {
		want = append(want, e)
	}
	n := 0
	for e, err := range stored {
		if err != nil {
			return err
		}
		if n >= len(want) {
			return &StoredError{What: "element " + e.ID, Reason: "stands in no record"}
		}
		if err := same("element "+want[n].ID, last[want[n].ID], e, want[n]); err != nil {
			return err
		}
		n++
	}
	if n < len(want) {
		return &StoredError{What: "element " + want[n].ID, Seq: last[want[n].ID], Reason: "is missing"}
	}
	return nil
}

func samePending(r Reader, fold *sir.Document) error {
	p, err := r.Pending()
	if err != nil {
		return err
	}
	return same("what waits for a person", 0, p, fold.Pending())
}

// same compares by the canonical form.
func same(what string, seq int64, stored, want any) error {
	a, err := sir.Canonical(stored)
	if err != nil {
		return &StoredError{What: what, Seq: seq, Reason: "cannot be read: " + err.Error()}
	}
	b, err := sir.Canonical(want)
	if err != nil {
		return fmt.Errorf("verify %s: %w", what, err)
	}
	if !bytes.Equal(a, b) {
		return &StoredError{What: what, Seq: seq, Reason: "differs from what the log gives"}
	}
	return nil
}
