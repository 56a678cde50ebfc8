package speckl

import (
	"fmt"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// blind are the acts that mind no field of an element, so that they can be
// done without its domain.
var blind = map[ActKind]bool{Confirm: true, Reject: true, Deprecate: true, Replace: true}

// deed carries out an act on elements.
func (c *Client) deed(tx store.Tx, turn *sir.Turn, a *Act) (*engine.Outcome, error) {
	var first *sir.Element
	for _, id := range a.Elements {
		e, err := tx.Element(id)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = e
		}
		if e.Domain != first.Domain {
			return nil, fmt.Errorf("%s: %w: element %s is of the domain %s, and %s of %s", a.Kind, ErrAct, e.ID, e.Domain, first.ID, first.Domain)
		}
	}
	d := c.domains[first.Domain]
	if d == nil {
		if !blind[a.Kind] {
			_, err := c.domain(first.Domain)
			return nil, fmt.Errorf("%s element %s: %w", a.Kind, first.ID, err)
		}
		d = engine.Lacking(first.Domain)
	}
	x := &engine.Deed{Kind: string(a.Kind), Elements: a.Elements, Data: a.Data, Parts: a.Parts, Reason: a.Reason}
	var err error
	if x.Pending, err = tx.Pending(); err != nil {
		return nil, err
	}
	if a.Kind == Reopen {
		if err := lookBack(tx, first, x); err != nil {
			return nil, err
		}
	}
	_, out, err := settled(tx, d.AskAct(x), func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
		return d.Act(slice, ask, turn, x)
	})
	return out, err
}

// lookBack finds what only the whole document knows of an element that is to
// be reopened: how sure it was before any act, and what says that it replaces
// it.
func lookBack(tx store.Tx, e *sir.Element, x *engine.Deed) error {
	for other, err := range tx.Elements() {
		if err != nil {
			return err
		}
		if other.ReplacesID == e.ID {
			x.Successors = append(x.Successors, other.ID)
		}
	}
	if e.Scores.Trigger != "act" {
		return nil
	}
	for m, err := range tx.Log(0) {
		if err != nil {
			return fmt.Errorf("read the history of element %s: %w", e.ID, err)
		}
		if m.ElementID != e.ID {
			continue
		}
		body, err := m.Decoded()
		if err != nil {
			return err
		}
		if s := scoresIn(body); s != nil && s.Trigger != "act" {
			x.Scores = s
		}
	}
	return nil
}

// scoresIn are the scores that a record gives its element; nil for none.
func scoresIn(body *sir.Payload) *sir.Scores {
	switch {
	case body == nil:
	case body.Element != nil:
		return &body.Element.Scores
	case body.Patch != nil:
		return body.Patch.Scores
	}
	return nil
}
