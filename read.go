package speckl

import (
	"context"
	"fmt"

	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// asked is how a caller wants turns read.
type asked struct {
	mode sir.Mode
	// why they are read one by one where the mode is batch.
	why string
	// counsel is what a model said about them; nil where none was asked.
	counsel *counsel
}

// mode is how a turn is to be read: as its own hint says, as the call says,
// else as the client is configured.
func (c *Client) mode(turn *sir.Turn, mode sir.Mode) sir.Mode {
	if turn.Metadata != nil && turn.Metadata.Mode.Valid() {
		return turn.Metadata.Mode
	}
	if mode == "" {
		return c.cfg.Mode
	}
	return mode
}

// alone is how a turn is read that is read by itself: what is too few for a
// batch is read in realtime, with a note that says so.
func (c *Client) alone(turn *sir.Turn, a asked) (mode sir.Mode, note string) {
	mode = c.mode(turn, a.mode)
	if mode != sir.Batch || c.cfg.MinBatchSize <= 1 {
		return mode, ""
	}
	return sir.Realtime, a.why
}

// reading is a transaction in which turns are read.
type reading struct {
	c   *Client
	tx  store.Tx
	buf *engine.Buffer
	// counsel is what a model said about the turns; nil where none was asked.
	counsel *counsel
	// draft gathers what is appended; nil where nobody wants to know.
	draft *draft
}

// outcome is what a turn did in one domain.
type outcome struct {
	domain *engine.Domain
	id     string
	*engine.Outcome
}

// post runs the turn through each domain, all in one transaction, so that a
// turn is in the document with all that it gives or not at all. Turns that
// wait for a domain are read first, one transaction each.
func (c *Client) post(ctx context.Context, ref store.Ref, turn *sir.Turn, a asked) ([]*sir.Result, error) {
	buf := c.buffers.Get().(*engine.Buffer)
	defer c.buffers.Put(buf)
	var results []*sir.Result
	for {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		var got []*sir.Result
		var read *sir.Turn
		err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) (err error) { // perhaps run more than once
			r := &reading{c: c, tx: tx, buf: buf, counsel: a.counsel}
			if read, got, err = r.next(turn, a); err != nil || read.ID != turn.ID {
				return err
			}
			return r.journal()
		})
		if err != nil {
			return results, fmt.Errorf("turn %s: %w", turn.ID, err)
		}
		results = append(results, got...)
		if read.ID == turn.ID {
			return results, nil
		}
	}
}

// next reads what is to be read now: a turn that waits, or the turn itself.
// A known turn gives a result that says so.
func (r *reading) next(turn *sir.Turn, a asked) (*sir.Turn, []*sir.Result, error) {
	read, ids, err := r.due(turn)
	if err != nil {
		return nil, nil, err
	}
	if len(ids) == 0 {
		header, err := r.tx.Header()
		if err != nil {
			return nil, nil, err
		}
		mode, _ := r.c.alone(turn, a)
		return turn, []*sir.Result{duplicate(header, turn, mode)}, nil
	}
	results, err := r.single(read, ids, a)
	return read, results, err
}

// single reads a turn by itself.
func (r *reading) single(turn *sir.Turn, ids []string, a asked) ([]*sir.Result, error) {
	mode, note := r.c.alone(turn, a)
	outs, err := r.turn(turn, ids, mode)
	if err != nil {
		return nil, err
	}
	var results []*sir.Result
	for _, out := range outs {
		if note != "" {
			out.Result.Metadata.Notes = append(out.Result.Metadata.Notes, note)
		}
		results = append(results, out.Result)
	}
	return results, nil
}

// due returns the turn that is to be read now, and the domains that it waits
// for: one that was stored before and not yet read, else turn itself; no
// domains where that was read by all.
func (r *reading) due(turn *sir.Turn) (*sir.Turn, []string, error) {
	header, err := r.tx.Header()
	if err != nil {
		return nil, nil, err
	}
	known, err := store.Admit(r.tx, turn)
	if err != nil {
		return nil, nil, err
	}
	first, ids, err := waiting(r.tx, header)
	switch {
	case err != nil:
		return nil, nil, err
	case first != nil:
		return first, ids, nil
	case known:
		return turn, nil, nil
	}
	return turn, header.Domains, nil
}

// waiting returns the first stored turn that a domain has not read, and the
// domains for which it is the next; nil for none.
func waiting(r store.TurnReader, h sir.Header) (first *sir.Turn, ids []string, err error) {
	at := 0
	for _, id := range h.Domains {
		done, err := r.Cursor(id)
		if err != nil {
			return nil, nil, err
		}
		for t, err := range r.Turns(done) {
			if err != nil {
				return nil, nil, err
			}
			switch {
			case first == nil || done < at:
				first, ids, at = t, []string{id}, done
			case done == at:
				ids = append(ids, id)
			}
			break
		}
	}
	return first, ids, nil
}

// turn takes a turn through domains.
func (r *reading) turn(turn *sir.Turn, ids []string, mode sir.Mode) ([]outcome, error) {
	var answer *reply
	if mode == sir.Interactive || r.c.cfg.AutoSwitch != SwitchNever {
		var err error
		if answer, err = r.c.reply(r.tx, turn); err != nil {
			return nil, err
		}
		if answer != nil {
			mode = sir.Interactive
		}
	}
	var outs []outcome
	for _, id := range ids {
		out, err := r.process(id, turn, mode, answer)
		if err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// process is the way of a turn through one domain. A turn that answers a
// question gives nothing else, in any domain.
func (r *reading) process(id string, turn *sir.Turn, mode sir.Mode, answer *reply) (outcome, error) {
	d, degraded := r.c.domains[id], false
	if d == nil {
		// a stored document may name a domain that this binary lacks
		d, degraded = r.c.domains[engine.Fallback], true
	}
	if d == nil {
		return outcome{}, fmt.Errorf("domain %q: %w", id, ErrNoDomain)
	}
	p := &engine.Proposal{Turn: turn, Text: &clause.Text{}}
	var ask sir.Ask
	work := func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
		how := r.c.manner(mode)
		how.Debaters = r.counsel.heardBy(how.Debaters, id, turn.ID)
		return d.Settle(slice, ask, p, how)
	}
	switch {
	case answer == nil:
		p = d.Propose(turn, r.buf)
		d.Hear(p, r.counsel.of(id, turn.ID))
		ask = d.Ask(p)
	case answer.domain == d:
		ask = d.AskAnswer(answer.question)
		work = func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
			return d.Answer(slice, ask, turn, answer.question, answer.option, mode)
		}
	}
	ask.Domain = d.ID
	slice, out, err := settled(r.tx, ask, work)
	if err != nil {
		return outcome{}, err
	}
	if degraded {
		out.Degrade(id)
	}
	out.Consulted(r.counsel.of(id, turn.ID))
	r.c.trace(d, p, ask, slice, out)
	commit := store.Commit{Turn: turn, Domain: id, Mutations: out.Mutations}
	r.draft.add(&commit)
	_, err = r.tx.Append(commit)
	return outcome{d, id, out}, err
}

// settled works something out on what it asks for; what turns out to bear on
// it on the way is asked for too, and it is worked out again.
func settled(tx store.Tx, ask sir.Ask, work func(*sir.Slice, sir.Ask) (*engine.Outcome, error)) (*sir.Slice, *engine.Outcome, error) {
	for range mostRounds {
		slice, err := sliceOf(tx, ask)
		if err != nil {
			return nil, nil, err
		}
		out, err := work(slice, ask)
		if err != nil || len(out.More) == 0 {
			return slice, out, err
		}
		ask.Terms = append(ask.Terms, out.More...)
	}
	return nil, nil, fmt.Errorf("settle: %d rounds ask for ever more", mostRounds)
}

// sliceOf fetches what was asked for: the header alone where that is nothing.
func sliceOf(tx store.Tx, ask sir.Ask) (*sir.Slice, error) {
	if len(ask.Terms)+len(ask.Values)+len(ask.LastTurnOf) > 0 {
		return tx.Slice(ask)
	}
	header, err := tx.Header()
	return &sir.Slice{Header: header}, err
}

// mostRounds bounds how often a turn may ask for more: each round follows
// names that the round before brought up, and two or three do.
const mostRounds = 20

// reply is an open question that a turn answers.
type reply struct {
	question sir.Clarification
	option   int // from 0
	domain   *engine.Domain
}

// reply returns the question that a turn answers; nil for none.
func (c *Client) reply(tx store.Tx, turn *sir.Turn) (*reply, error) {
	pending, err := tx.Pending()
	if err != nil {
		return nil, err
	}
	q, option := engine.Answered(pending.Clarifications, turn)
	if q == nil {
		return nil, nil
	}
	d, err := c.domainOf(tx, q)
	if err != nil {
		return nil, err
	}
	return &reply{question: *q, option: option, domain: d}, nil
}

// duplicate is the result of a turn that is known.
func duplicate(h sir.Header, turn *sir.Turn, mode sir.Mode) *sir.Result {
	r := engine.NewResult(h.Domains[0], &sir.Slice{Header: h}, turn, mode)
	r.Duplicates = append(r.Duplicates, sir.Duplicate{TurnID: turn.ID})
	r.Summary = "Nothing new: the turn was read before."
	return r
}
