package sir

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Point is a place in a document's history; exactly one field is set.
type Point struct {
	// Version: after the last record of that version of the document.
	Version *int
	// TurnID: after the last record that the turn or act caused.
	TurnID string
	// Time: before the first record that was recorded later (Unix ms).
	Time *int64
	// Said: as if only turns had been said whose own time is not later (Unix
	// ms); turns and acts without a time are left out.
	Said *int64
}

// At folds the log up to a point. log is read twice for a turn.
//
// It returns an error that wraps [ErrPoint] if no field or several are set,
// or the log has no such version or turn; else as [Fold] does.
func At(log iter.Seq2[Mutation, error], p Point) (*Document, error) {
	n := 0
	for _, on := range []bool{p.Version != nil, p.TurnID != "", p.Time != nil, p.Said != nil} {
		if on {
			n++
		}
	}
	switch {
	case n != 1:
		return nil, fmt.Errorf("find point: %w: %d of version, turn, time and said are given", ErrPoint, n)
	case p.Version != nil:
		d, err := Fold(while(log, func(m *Mutation) bool { return m.DocVersion <= *p.Version }))
		if err == nil && d.header.Version != *p.Version {
			return nil, fmt.Errorf("find version %d: %w", *p.Version, ErrPoint)
		}
		return d, err
	case p.TurnID != "":
		return atTurn(log, p.TurnID)
	case p.Time != nil:
		return Fold(while(log, func(m *Mutation) bool { return m.RecordedAt == nil || *m.RecordedAt <= *p.Time }))
	}
	return said(log, *p.Said)
}

func atTurn(log iter.Seq2[Mutation, error], turnID string) (*Document, error) {
	var last int64
	for m, err := range log {
		if err != nil {
			return nil, fmt.Errorf("find turn %q: %w", turnID, err)
		}
		if m.TurnID == turnID {
			last = m.Seq
		}
	}
	if last == 0 {
		return nil, fmt.Errorf("find turn %q: %w", turnID, ErrPoint)
	}
	return Fold(while(log, func(m *Mutation) bool { return m.Seq <= last }))
}

// said folds the records of turns that were said in time. Versions that were
// left out leave gaps; what would change an element that is not there is
// passed over.
func said(log iter.Seq2[Mutation, error], time int64) (*Document, error) {
	d := NewDocument()
	d.loose = true
	for m, err := range log {
		switch {
		case err != nil:
			return nil, fmt.Errorf("fold log: %w", err)
		case m.Kind != DocumentKind && (m.At == nil || *m.At > time):
			continue
		}
		if err := d.Apply(&m); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// while yields the records before the first that does not hold.
func while(log iter.Seq2[Mutation, error], holds func(*Mutation) bool) iter.Seq2[Mutation, error] {
	return func(yield func(Mutation, error) bool) {
		for m, err := range log {
			if err == nil && !holds(&m) || !yield(m, err) {
				return
			}
		}
	}
}

// ElementAtVersion returns the element as it was at a version, from its own
// history: diffs that are newer are undone, newest first; later entries, and
// evidence of turns that only these name, are left out; the confidence is the
// one noted then. Status, flags and refs are not in the history: they are
// the present ones (see [At] for all of it).
// It returns an error that wraps [ErrPoint] unless 1 ≤ version ≤ e.Version.
func ElementAtVersion(e *Element, version int) (*Element, error) {
	if version < 1 || version > e.Version {
		return nil, fmt.Errorf("find version %d of element %s: %w", version, e.ID, ErrPoint)
	}
	out := *e
	if version == e.Version {
		return &out, nil
	}
	out.Data, out.Version = maps.Clone(e.Data), version
	entries := e.Provenance.Entries
	kept := len(entries)
	for kept > 0 && entries[kept-1].Version > version {
		kept--
		undoDiff(&out, entries[kept].Diff)
	}
	out.Provenance.Entries = slices.Clip(entries[:kept])
	turns := map[string]bool{}
	for i := range out.Provenance.Entries {
		turns[out.Provenance.Entries[i].TurnID] = true
	}
	later := map[string]bool{}
	for i := range entries[kept:] {
		later[entries[kept+i].TurnID] = true
	}
	out.Evidence = slices.DeleteFunc(slices.Clone(e.Evidence), func(v Evidence) bool {
		return later[v.TurnID] && !turns[v.TurnID]
	})
	if kept > 0 {
		out.Confidence, out.UpdatedAt = confidenceAfter(entries[:kept]), entries[kept-1].Timestamp
	}
	return &out, nil
}

// confidenceAfter is an element's confidence after its last entry. A person
// who takes an element out of the document leaves it as it was: what the
// entry notes then is how sure the person is.
func confidenceAfter(entries []Entry) Confidence {
	n := len(entries) - 1
	for n > 0 && entries[n].Action == ActionDeprecated && entries[n].HumanConfirmed {
		n--
	}
	return entries[n].ConfidenceAtTime
}

// undoDiff sets the changed fields back, last change first.
func undoDiff(e *Element, d *Diff) {
	if d == nil {
		return
	}
	for _, c := range slices.Backward(d.Changes) {
		e.Data[fieldOf(c.Field)] = c.OldValue
	}
}
