package sir

import (
	"fmt"
	"slices"
)

// ApplyElement is the only way an element changes: it returns what old
// becomes by one mutation, and leaves old as it was. old is nil for a
// mutation that creates; the result shares what did not change with old.
//
// It returns an error that wraps [ErrStale] if the mutation was computed from
// an older version, and [ErrBroken] if it does not fit: it creates what
// stands or changes what does not, skips a version, names another element,
// or its kind contradicts the status that it gives. A record whose payload
// was erased changes the version alone; what it would have created is nil.
func ApplyElement(old *Element, m *Mutation) (*Element, error) {
	body, err := m.Decoded()
	if err != nil {
		return nil, err
	}
	if m.Kind == Created {
		return create(old, m, body)
	}
	switch {
	case old == nil:
		return nil, misfit(m, "changes an unknown element")
	case m.Version <= old.Version:
		return nil, fmt.Errorf("apply version %d to element %s at version %d: %w", m.Version, old.ID, old.Version, ErrStale)
	case m.Version != old.Version+1:
		return nil, misfit(m, "skips a version")
	}
	return amend(old, m, body)
}

func create(old *Element, m *Mutation, body *Payload) (*Element, error) {
	switch {
	case old != nil:
		return nil, misfit(m, "creates an element that stands")
	case m.Version != 1:
		return nil, misfit(m, "creates another version than the first")
	case body == nil:
		return nil, nil
	case body.Element == nil:
		return nil, misfit(m, "creates without an element")
	case body.Element.ID != m.ElementID || body.Element.Version != 1:
		return nil, misfit(m, "creates another element than it carries")
	case !body.Element.Status.Valid():
		return nil, misfit(m, "has no known status")
	}
	e := *body.Element
	data, err := NormalData(e.Data)
	if err != nil {
		return nil, fmt.Errorf("create element %s: %w", e.ID, err)
	}
	e.Data = data
	// Whoever appends to a handed-out list must get room of his own.
	e.Keys = slices.Clip(e.Keys)
	e.Terms = slices.Clip(e.Terms)
	e.Refs = slices.Clip(e.Refs)
	return &e, nil
}

// amend applies a patch, whose version was checked.
func amend(old *Element, m *Mutation, body *Payload) (*Element, error) {
	if body == nil {
		e := *old
		e.Version = m.Version
		return &e, nil
	}
	if body.Patch == nil {
		return nil, misfit(m, "has no patch")
	}
	e, err := body.Patch.Apply(old)
	if err != nil {
		return nil, err
	}
	e.Version, e.UpdatedAt = m.Version, m.At
	ok := e.Status.Valid()
	switch m.Kind {
	case Updated:
	case DeprecatedKind:
		ok = e.Status == Deprecated || e.Status == Error
	case ReplacedKind:
		ok = e.Status == Replaced
	default:
		return nil, misfit(m, "is of a kind that changes no element")
	}
	if !ok {
		return nil, misfit(m, fmt.Sprintf("gives the status %q", e.Status))
	}
	return e, nil
}

func misfit(m *Mutation, why string) error {
	return fmt.Errorf("apply %s of element %q (record %d): %w: it %s", m.Kind, m.ElementID, m.Seq, ErrBroken, why)
}
