package speckl

import (
	"context"
	"errors"
	"fmt"

	"github.com/speckl/speckl/internal/consult"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// ErrNoModel: something needs a model, and the client has none.
var ErrNoModel = errors.New("no model is set")

// Unanswered counts the turns of a document that a model was asked about and
// gave no answer for.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Unanswered(ctx context.Context, name string) (int, error) {
	n := 0
	err := c.view(ctx, name, func(r store.Reader) error {
		all, err := journal(r)
		for _, u := range all {
			n += len(u.Turns)
		}
		return err
	})
	return n, err
}

// Reread asks the model again about the turns that it gave no answer for,
// and about no others. What it says now is settled on the document as it
// stands; each turn that gives something is an act of its own, which names
// it. onResult hears of each result in order; nil for nobody. It returns how
// many turns still have no answer.
//
// It returns an error that wraps [store.ErrNotFound], or [ErrNoModel]; one of
// onResult is passed on.
func (c *Client) Reread(ctx context.Context, name string, onResult func(*sir.Result) error) (left int, err error) {
	if c.cfg.Model == nil {
		return 0, fmt.Errorf("read %q again: %w", name, ErrNoModel)
	}
	ref, err := c.find(ctx, name)
	if err != nil {
		return 0, fmt.Errorf("read %q again: %w", name, err)
	}
	var waiting []unanswered
	if err := c.cfg.Store.View(ctx, ref, func(r store.Reader) (err error) {
		waiting, err = journal(r)
		return err
	}); err != nil {
		return 0, fmt.Errorf("read %q again: %w", name, err)
	}
	for _, u := range waiting {
		results, failed, err := c.reread(ctx, ref, &u)
		if err != nil {
			return left, fmt.Errorf("read %q again: %w", name, err)
		}
		for _, f := range failed {
			left += len(f.Turns)
		}
		for _, r := range results {
			if onResult == nil {
				break
			}
			if err := onResult(r); err != nil {
				return left, fmt.Errorf("read %q again: %w", name, err)
			}
		}
	}
	return left, nil
}

// reread asks about one entry of the journal.
func (c *Client) reread(ctx context.Context, ref store.Ref, u *unanswered) ([]*sir.Result, []unanswered, error) {
	turns, err := c.turnsOf(ctx, ref, u.Turns)
	if err != nil {
		return nil, nil, err
	}
	said := &counsel{heard: map[string]consult.Counsel{}}
	q, err := c.inquiry(ctx, ref, u.Domain)
	if err != nil {
		return nil, nil, err
	}
	if q != nil && len(turns) > 0 {
		q.Turns = turns
		if err := c.ask(ctx, ref, q, said); err != nil {
			return nil, nil, err
		}
	}
	var results []*sir.Result
	err = c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { // perhaps run more than once
		results = nil
		for i := range turns {
			result, err := c.settleAgain(tx, u.Domain, &turns[i], said.of(u.Domain, turns[i].ID))
			if err != nil {
				return fmt.Errorf("turn %s: %w", turns[i].ID, err)
			}
			if result != nil {
				results = append(results, result)
			}
		}
		return answered(tx, u, said.failed)
	})
	return results, said.failed, err
}

// turnsOf loads turns, but for those that were erased.
func (c *Client) turnsOf(ctx context.Context, ref store.Ref, ids []string) (out []sir.Turn, err error) {
	err = c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
		for _, id := range ids {
			t, err := r.Turn(id)
			if err != nil {
				return err
			}
			if !t.IsErased() {
				out = append(out, *t)
			}
		}
		return nil
	})
	return out, err
}

// settleAgain settles what a model says about a turn that the rules have
// read; nil where that changes nothing and nothing was left out.
func (c *Client) settleAgain(tx store.Tx, id string, turn *sir.Turn, heard *engine.Heard) (*sir.Result, error) {
	if heard == nil {
		return nil, nil
	}
	d, err := c.domain(id)
	if err != nil {
		return nil, err
	}
	p := d.ProposeHeard(turn, heard)
	how := c.manner(sir.Batch)
	how.Again = true
	ask := d.Ask(p)
	ask.Domain = d.ID
	_, out, err := settled(tx, ask, func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
		return d.Settle(slice, ask, p, how)
	})
	if err != nil {
		return nil, err
	}
	out.Consulted(heard)
	if len(out.Mutations) == 0 {
		return out.Result, nil
	}
	act, err := (Act{At: turn.Timestamp}).turn(tx, fmt.Sprintf("read turn %s again (%s)", turn.ID, id))
	if err != nil {
		return nil, err
	}
	for i := range out.Mutations {
		out.Mutations[i].TurnID = act.ID // what stood at the turn itself stays what it was
	}
	_, err = tx.Append(store.Commit{Turn: act, Mutations: out.Mutations})
	return out.Result, err
}

// answered takes an entry out of the journal, and puts in what is left of it.
func answered(tx store.Tx, u *unanswered, failed []unanswered) error {
	all, err := journal(tx)
	if err != nil {
		return err
	}
	var left []unanswered
	for _, x := range all {
		if x.Domain != u.Domain || len(x.Turns) == 0 || len(u.Turns) == 0 || x.Turns[0] != u.Turns[0] {
			left = append(left, x)
		}
	}
	return keepJournal(tx, append(left, failed...))
}
