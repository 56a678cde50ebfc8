package speckl

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// keptAtOnce is how many turns [Client.Keep] puts into one transaction.
const keptAtOnce = 256

// Keep stores the turns of a conversation without reading them: they wait in
// the document of that name, which it makes if there is none, until [Client.
// Ingest] or [Client.Post] goes on. It returns how many turns were new. Of
// the options Domains and OnDetect count.
//
// It returns the error of turns, or one that wraps [store.ErrTurn] for a
// known id with other words. What was stored before it stays.
func (c *Client) Keep(ctx context.Context, name string, turns iter.Seq2[sir.Turn, error], o IngestOptions) (int, error) {
	next, stop := iter.Pull2(turns)
	defer stop()
	ref, batch, err := c.begin(ctx, name, next, o)
	if err != nil {
		return 0, fmt.Errorf("keep in %q: %w", name, err)
	}
	complete := newCompleter()
	for i := range batch {
		complete.turn(&batch[i])
	}
	n := 0
	flush := func() error {
		added, err := c.keep(ctx, ref, batch)
		n += added
		batch = batch[:0]
		return err
	}
	for more := true; more && err == nil; {
		var t sir.Turn
		if t, err, more = next(); more && err == nil {
			complete.turn(&t)
			batch = append(batch, t)
		}
		if len(batch) >= keptAtOnce || !more || err != nil {
			err = errors.Join(flush(), err)
		}
	}
	if err != nil {
		return n, fmt.Errorf("keep in %q: %w", name, err)
	}
	return n, nil
}

// keep stores turns in one transaction and counts the new ones.
func (c *Client) keep(ctx context.Context, ref store.Ref, turns []sir.Turn) (int, error) {
	n := 0
	err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { // perhaps run more than once
		n = 0
		for i := range turns {
			t := turns[i] // its id may change
			known, err := store.Admit(tx, &t)
			if err == nil && !known {
				_, err = tx.Append(store.Commit{Turn: &t})
				n++
			}
			if err != nil {
				return fmt.Errorf("turn %s: %w", t.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}
