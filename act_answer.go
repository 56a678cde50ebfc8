package speckl

import (
	"fmt"
	"slices"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// answer chooses an option of an open question.
func (c *Client) answer(tx store.Tx, turn *sir.Turn, a *Act) (*engine.Outcome, error) {
	pending, err := tx.Pending()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(pending.Clarifications, func(q sir.Clarification) bool { return q.Number == a.Question })
	if i < 0 {
		return nil, fmt.Errorf("question %d: %w among the open ones", a.Question, store.ErrNotFound)
	}
	q := &pending.Clarifications[i]
	d, err := c.domainOf(tx, q)
	if err != nil {
		return nil, err
	}
	out, err := c.answered(tx, d, turn, engine.Reply{Question: *q, Option: a.Option - 1, Pending: pending, Reason: a.Reason})
	if err != nil {
		return nil, fmt.Errorf("question %d: %w", a.Question, err)
	}
	return out, nil
}

// resolve chooses a reading of an element: the answer to the open question
// about it, else to one that is made for the purpose.
func (c *Client) resolve(tx store.Tx, turn *sir.Turn, a *Act) (*engine.Outcome, error) {
	e, err := tx.Element(a.Elements[0])
	if err != nil {
		return nil, err
	}
	d, err := c.domain(e.Domain)
	if err != nil {
		return nil, err
	}
	pending, err := tx.Pending()
	if err != nil {
		return nil, err
	}
	what := d.NameOf(e)
	q := engine.Resolvable(pending.Clarifications, e.ID)
	switch {
	case !e.Status.Live():
		return nil, fmt.Errorf("resolve %s: %w: it is %s: reopen it first", what, ErrAct, e.Status)
	case q != nil:
	case e.Flags.IsAmbiguous:
		made := d.WhichReading(e)
		q = &made
	case e.ResolvedInterpretationID != "":
		return nil, fmt.Errorf("resolve %s: %w: its reading is chosen: correct it, or undo the choice", what, ErrAct)
	default:
		return nil, fmt.Errorf("resolve %s: %w: it has one reading only, and nobody asks which one is meant: confirm or correct it", what, ErrAct)
	}
	out, err := c.answered(tx, d, turn, engine.Reply{Question: *q, Option: a.Option - 1, Pending: pending, Reason: a.Reason})
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", what, err)
	}
	return out, nil
}

// answered works out what an answer does.
func (c *Client) answered(tx store.Tx, d *engine.Domain, turn *sir.Turn, r engine.Reply) (*engine.Outcome, error) {
	_, out, err := settled(tx, d.AskAnswer(r.Question), func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
		return d.Reply(slice, ask, turn, r, sir.Interactive)
	})
	return out, err
}

// domainOf is the domain that asked a question: the one that knows the type
// of its readings or elements.
func (c *Client) domainOf(tx store.Tx, q *sir.Clarification) (*engine.Domain, error) {
	for _, id := range q.ElementIDs {
		if e, err := tx.Element(id); err == nil {
			return c.domain(e.Domain)
		}
	}
	header, err := tx.Header()
	if err != nil {
		return nil, err
	}
	for _, id := range header.Domains {
		d, err := c.domain(id)
		if err != nil {
			return nil, err
		}
		if len(q.Interpretations) == 0 || has(d, &q.Interpretations[0]) {
			return d, nil
		}
	}
	return nil, fmt.Errorf("question %d: %w", q.Number, ErrNoDomain)
}

// has reports whether a reading is of one of the domain's types, by name and
// fields.
func has(d *engine.Domain, r *sir.Interpretation) bool {
	t := d.TypeNamed(r.ElementType)
	if t == nil {
		return false
	}
	for name := range r.Data {
		if t.FieldNamed(name) == nil {
			return false
		}
	}
	return true
}
