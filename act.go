package speckl

import (
	"context"
	"fmt"
	"strings"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Act is what a person decides about a document. It is stored as a turn of
// its own, which extraction never reads.
type Act struct {
	// Kind is "answer"; the other acts come with stored documents.
	Kind ActKind
	// Question is the number of the clarification that is answered.
	Question int
	// Option is the chosen option, from 1.
	Option int
	// ID is the act's turn id; empty derives one.
	ID string
	// By names the person; empty for nobody.
	By string
	// At is the time, Unix ms; nil for none.
	At *int64
}

// ActKind is the kind of an [Act].
type ActKind string

// Answer chooses one of the options of an open clarification.
const Answer ActKind = "answer"

// Act records what a person decides and returns what it changed.
// It returns an error that wraps [store.ErrNotFound] for an unknown document
// or question, and [engine.ErrOption] for an option that is not offered.
func (c *Client) Act(ctx context.Context, name string, a Act) (*sir.Result, error) {
	if a.Kind != Answer {
		return nil, fmt.Errorf("act on %q: unknown kind %q: want %q", name, a.Kind, Answer)
	}
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("act on %q: %w", name, err)
	}
	var result *sir.Result
	err = c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error {
		var err error
		result, err = c.answer(tx, a)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("act on %q: %w", name, err)
	}
	return result, nil
}

func (c *Client) answer(tx store.Tx, a Act) (*sir.Result, error) {
	pending, err := tx.Pending()
	if err != nil {
		return nil, err
	}
	var open *sir.Clarification
	for i := range pending.Clarifications {
		if pending.Clarifications[i].Number == a.Question {
			open = &pending.Clarifications[i]
		}
	}
	if open == nil {
		return nil, fmt.Errorf("question %d: %w among the open ones", a.Question, store.ErrNotFound)
	}
	d, err := c.domainOf(tx, open)
	if err != nil {
		return nil, err
	}
	turn, err := a.turn(tx, fmt.Sprintf("answer %d %d", a.Question, a.Option))
	if err != nil {
		return nil, err
	}
	_, out, err := settled(tx, d.AskAnswer(*open), func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
		return d.Answer(slice, ask, turn, *open, a.Option-1, sir.Interactive)
	})
	if err != nil {
		return nil, err
	}
	_, err = tx.Append(store.Commit{Turn: turn, Mutations: out.Mutations})
	return out.Result, err
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

// actSession is the session of acts.
const actSession = "acts"

// turn is the act as a turn; its content is the command.
func (a Act) turn(tx store.Tx, command string) (*sir.Turn, error) {
	n, err := tx.Cursor("")
	if err != nil {
		return nil, err
	}
	t := &sir.Turn{
		ID: a.ID, SessionID: actSession, Seq: n + 1, Timestamp: a.At, Speaker: sir.Human,
		Content: strings.TrimSpace(command), Metadata: &sir.Metadata{Kind: "act"},
	}
	if a.By != "" {
		t.SpeakerName = &a.By
	}
	if t.ID == "" {
		t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, n)
	}
	return t, nil
}
