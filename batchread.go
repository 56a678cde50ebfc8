package speckl

import (
	"context"
	"fmt"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// tooFew reports whether so many turns are no batch; none are known ones.
func (c *Client) tooFew(fresh int) bool { return 0 < fresh && fresh < c.cfg.MinBatchSize }

// fewNote says why turns were read one by one.
func (c *Client) fewNote(fresh int) string {
	return fmt.Sprintf("read turn by turn: a batch needs %d turns (minBatchSize), and got %d", c.cfg.MinBatchSize, fresh)
}

// catchUp reads, one transaction each, the turns that wait since before a
// batch; it returns their results, and how many of the batch are to be read.
func (c *Client) catchUp(ctx context.Context, ref store.Ref, turns []sir.Turn, mode sir.Mode) (results []*sir.Result, fresh int, err error) {
	buf := c.buffers.Get().(*engine.Buffer)
	defer c.buffers.Put(buf)
	for {
		if err := ctx.Err(); err != nil {
			return results, 0, err
		}
		var got []*sir.Result
		var older bool
		err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) (err error) {
			r := &reading{c: c, tx: tx, buf: buf}
			got, older, fresh, err = r.older(turns, mode)
			return err
		})
		if err != nil {
			return results, 0, err
		}
		results = append(results, got...)
		if !older {
			return results, fresh, nil
		}
	}
}

// older reads the next turn that waits since before a batch. Where there is
// none it counts the turns of the batch that are to be read.
func (r *reading) older(turns []sir.Turn, mode sir.Mode) (results []*sir.Result, found bool, fresh int, err error) {
	header, err := r.tx.Header()
	if err != nil {
		return nil, false, 0, err
	}
	mine, err := admitted(r.tx, turns)
	if err != nil {
		return nil, false, 0, err
	}
	first, ids, err := waiting(r.tx, header)
	switch {
	case err != nil:
	case first != nil && !mine.has(first.ID):
		results, err = r.single(first, ids, asked{mode: mode, why: waited})
		found = true
	default:
		fresh, err = mine.fresh(r.tx, header, r.c.cfg.MinBatchSize)
	}
	return results, found, fresh, err
}

const waited = "read turn by turn: it waited since before the batch"

// batchIDs are the ids of a batch's turns in the document, with whether they
// stand there already.
type batchIDs map[string]bool

// admitted finds the ids under which a batch's turns stand, or will stand.
func admitted(r store.TurnReader, turns []sir.Turn) (batchIDs, error) {
	ids := batchIDs{}
	for i := range turns {
		known, err := store.Admit(r, &turns[i])
		if err != nil {
			return nil, fmt.Errorf("turn %s: %w", turns[i].ID, err)
		}
		ids[turns[i].ID] = known
	}
	return ids, nil
}

func (b batchIDs) has(id string) bool { _, ok := b[id]; return ok }

// fresh counts the turns that some domain has not read, and stops where
// there are enough for a batch: more may wait than memory should hold.
func (b batchIDs) fresh(r store.TurnReader, h sir.Header, enough int) (int, error) {
	unread := map[string]bool{}
	for id, known := range b {
		if !known {
			unread[id] = true
		}
	}
	for _, domain := range h.Domains {
		done, err := r.Cursor(domain)
		if err != nil {
			return 0, err
		}
		for t, err := range r.Turns(done) {
			if err != nil {
				return 0, err
			}
			if len(unread) >= enough || len(unread) == len(b) {
				break
			}
			if b.has(t.ID) {
				unread[t.ID] = true
			}
		}
	}
	return len(unread), nil
}

// batch reads turns as one, in one transaction.
func (c *Client) batch(ctx context.Context, ref store.Ref, turns []sir.Turn, o BatchOptions, k *counsel) ([]*sir.Result, error) {
	buf := c.buffers.Get().(*engine.Buffer)
	defer c.buffers.Put(buf)
	var results []*sir.Result
	err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) (err error) { // perhaps run more than once
		r := &reading{c: c, tx: tx, buf: buf, counsel: k}
		if results, err = r.batch(ctx, turns, o); err != nil {
			return err
		}
		return r.journal()
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// batch reads turns exactly as one by one, and merges what each did to the
// net change. A turn that waits since before is read first, with a result of
// its own.
func (r *reading) batch(ctx context.Context, turns []sir.Turn, o BatchOptions) ([]*sir.Result, error) {
	mine, err := admitted(r.tx, turns)
	if err != nil {
		return nil, err
	}
	nets, err := r.nets(o)
	if err != nil {
		return nil, err
	}
	var results []*sir.Result
	early := map[string]bool{} // read before their place, for they waited
	for i := range turns {
		t := &turns[i]
		for read := (*sir.Turn)(nil); read == nil || read.ID != t.ID; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			var ids []string
			if read, ids, err = r.due(t); err != nil {
				return nil, fmt.Errorf("turn %s: %w", t.ID, err)
			}
			switch {
			case len(ids) == 0 && !early[t.ID]:
				nets.main().Known(t)
			case len(ids) == 0:
				delete(early, t.ID)
			case mine.has(read.ID):
				early[read.ID] = read.ID != t.ID
				err = r.intoBatch(nets, read, ids)
			default:
				var got []*sir.Result
				got, err = r.single(read, ids, asked{mode: sir.Batch, why: waited})
				results = append(results, got...)
			}
			if err != nil {
				return nil, fmt.Errorf("turn %s: %w", read.ID, err)
			}
		}
	}
	return append(results, nets.results(!o.NoSummarize)...), nil
}

// intoBatch reads a turn as part of a batch.
func (r *reading) intoBatch(nets *nets, turn *sir.Turn, ids []string) error {
	outs, err := r.turn(turn, ids, sir.Batch)
	for _, out := range outs {
		nets.by[out.id].Add(turn, out.Outcome)
	}
	return err
}

// nets are the results of a batch, by domain.
type nets struct {
	ids []string
	by  map[string]*engine.Net
}

func (r *reading) nets(o BatchOptions) (*nets, error) {
	header, err := r.tx.Header()
	if err != nil {
		return nil, err
	}
	n := &nets{ids: header.Domains, by: map[string]*engine.Net{}}
	for _, id := range n.ids {
		d := r.c.domains[id]
		if d == nil {
			d = r.c.domains[engine.Fallback]
		}
		if d == nil {
			return nil, fmt.Errorf("domain %q: %w", id, ErrNoDomain)
		}
		n.by[id] = d.NewNet(header, o.NoDeduplicate)
	}
	return n, nil
}

// main is the result of the main domain, which tells of known turns.
func (n *nets) main() *engine.Net { return n.by[n.ids[0]] }

// results completes them; a domain that had read all turns before has none.
func (n *nets) results(summarize bool) []*sir.Result {
	var out []*sir.Result
	for _, id := range n.ids {
		if !n.by[id].Empty() {
			out = append(out, n.by[id].Result(summarize))
		}
	}
	return out
}
