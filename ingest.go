package speckl

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// IngestOptions say how a conversation is read. The zero value detects the
// domains of a new document.
type IngestOptions struct {
	// Domains of a new document, the main one first; empty detects them from
	// the first 200 turns. A document that stands keeps its own.
	Domains []string
	// Mode overrides the client's.
	Mode sir.Mode
	// OnDetect hears of the domains of a new document.
	OnDetect func(ids []string, d sir.Detection)
	// OnResult hears of each result in order; its error ends the reading.
	OnResult func(*sir.Result) error
}

// detectOn is how many turns detection looks at.
const detectOn = 200

// Ingest reads a conversation into the document of that name, turn by turn,
// and makes the document if there is none. It returns how many turns it
// read. What was read before an error stays.
func (c *Client) Ingest(ctx context.Context, name string, turns iter.Seq2[sir.Turn, error], o IngestOptions) (int, error) {
	next, stop := iter.Pull2(turns)
	defer stop()
	ref, head, err := c.begin(ctx, name, next, o)
	if err != nil {
		return 0, fmt.Errorf("ingest into %q: %w", name, err)
	}
	complete := newCompleter()
	n := 0
	read := func(t *sir.Turn) error {
		complete.turn(t)
		results, err := c.post(ctx, ref, t, o.Mode)
		for _, r := range results {
			if o.OnResult != nil && err == nil {
				err = o.OnResult(r)
			}
		}
		n++
		return err
	}
	for i := range head {
		if err := read(&head[i]); err != nil {
			return n, fmt.Errorf("ingest into %q: %w", name, err)
		}
	}
	for {
		t, err, ok := next()
		if !ok {
			return n, nil
		}
		if err == nil {
			err = read(&t)
		}
		if err != nil {
			return n, fmt.Errorf("ingest into %q: %w", name, err)
		}
	}
}

// begin opens the document if there is none, and returns the turns that
// detection has read. A bad turn among them ends it before anything is
// written.
func (c *Client) begin(ctx context.Context, name string, next func() (sir.Turn, error, bool), o IngestOptions) (ref store.Ref, head []sir.Turn, err error) {
	for _, id := range o.Domains {
		if _, err := c.domain(id); err != nil {
			return ref, nil, err
		}
	}
	if ref, err = c.find(ctx, name); !errors.Is(err, store.ErrNotFound) {
		return ref, nil, err
	}
	size := 0
	for len(head) < detectOn && size < detectBytes {
		t, err, ok := next()
		if !ok {
			break
		}
		if err != nil {
			return ref, nil, err // before anything is written
		}
		size += len(t.Content)
		head = append(head, t)
	}
	ids, found := engine.Detect(c.order, head)
	if len(o.Domains) > 0 {
		ids = o.Domains
		found.Domain = ids[0]
		found.Confidence = min(sir.Confidence(found.Scores[ids[0]])*50, sir.Certain)
		if ids[0] == engine.Fallback {
			found.Confidence = 3000
		}
	}
	if o.OnDetect != nil {
		o.OnDetect(ids, found)
	}
	header := sir.Header{Name: name, Domains: ids, Metadata: &sir.DocumentMetadata{Domain: ids[0], Detection: &found}}
	if ref, err = c.create(ctx, header); errors.Is(err, store.ErrExists) { // another process was faster
		ref, err = c.find(ctx, name)
	}
	return ref, head, err
}

// detectBytes bounds what detection keeps of a conversation of huge turns.
const detectBytes = 8 << 20

// completer fills in what a caller may leave out of a turn.
type completer struct {
	seq  map[string]int
	same map[string]int
}

func newCompleter() *completer {
	return &completer{seq: map[string]int{}, same: map[string]int{}}
}

func (k *completer) turn(t *sir.Turn) {
	if t.Speaker == "" {
		t.Speaker = sir.Human
	}
	if t.SessionID == "" {
		t.SessionID = "stdin"
	}
	k.seq[t.SessionID]++
	if t.Seq == 0 {
		t.Seq = k.seq[t.SessionID]
	}
	if t.ID == "" {
		first := sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, 0)
		t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, k.same[first])
		k.same[first]++
	}
}

// Post reads one turn into a document that stands: a result for each of its
// domains. A known turn gives one result that says so.
// It returns an error that wraps [store.ErrNotFound] for an unknown
// document, and [store.ErrTurn] for a known id with other words.
func (c *Client) Post(ctx context.Context, name string, turn sir.Turn, mode sir.Mode) ([]*sir.Result, error) {
	newCompleter().turn(&turn)
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("post to %q: %w", name, err)
	}
	results, err := c.post(ctx, ref, &turn, mode)
	if err != nil {
		return nil, fmt.Errorf("post to %q: %w", name, err)
	}
	return results, nil
}

// post runs the turn through each domain, all in one transaction, so that a
// turn is in the document with all that it gives or not at all. Turns that
// wait for a domain are read first, one transaction each.
func (c *Client) post(ctx context.Context, ref store.Ref, turn *sir.Turn, mode sir.Mode) ([]*sir.Result, error) {
	buf := c.buffers.Get().(*engine.Buffer)
	defer c.buffers.Put(buf)
	var results []*sir.Result
	for {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		var got []*sir.Result
		var read *sir.Turn
		err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { // perhaps run more than once
			header, err := tx.Header()
			if err != nil {
				return err
			}
			known, err := store.Admit(tx, turn)
			if err != nil {
				return err
			}
			var ids []string
			if read, ids, err = c.next(tx, header, turn, known); err != nil {
				return err
			}
			if len(ids) == 0 {
				got = []*sir.Result{duplicate(header, turn, c.mode(turn, mode))}
				return nil
			}
			got, err = c.read(tx, read, ids, c.mode(read, mode), buf)
			return err
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

// next returns the turn that is to be read now, and the domains that it
// waits for: one that was stored before and not yet read, else turn itself;
// no domains where that was read by all.
func (c *Client) next(tx store.Tx, h sir.Header, turn *sir.Turn, known bool) (*sir.Turn, []string, error) {
	var first *sir.Turn
	var ids []string
	at := 0
	for _, id := range h.Domains {
		done, err := tx.Cursor(id)
		if err != nil {
			return nil, nil, err
		}
		for t, err := range tx.Turns(done) {
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
	switch {
	case first != nil:
		return first, ids, nil
	case known:
		return turn, nil, nil
	}
	return turn, h.Domains, nil
}

// read takes a turn through domains in one transaction.
func (c *Client) read(tx store.Tx, turn *sir.Turn, ids []string, mode sir.Mode, buf *engine.Buffer) ([]*sir.Result, error) {
	var answer *reply
	if mode == sir.Interactive {
		var err error
		if answer, err = c.reply(tx, turn); err != nil {
			return nil, err
		}
	}
	var results []*sir.Result
	for _, id := range ids {
		r, err := c.process(tx, id, turn, mode, answer, buf)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

func (c *Client) mode(turn *sir.Turn, mode sir.Mode) sir.Mode {
	if turn.Metadata != nil && turn.Metadata.Mode.Valid() {
		return turn.Metadata.Mode
	}
	if mode == "" {
		return c.cfg.Mode
	}
	return mode
}

// process is the way of a turn through one domain. A turn that answers a
// question gives nothing else, in any domain.
func (c *Client) process(tx store.Tx, id string, turn *sir.Turn, mode sir.Mode, answer *reply, buf *engine.Buffer) (*sir.Result, error) {
	d, degraded := c.domains[id], false
	if d == nil {
		// a stored document may name a domain that this binary lacks
		d, degraded = c.domains[engine.Fallback], true
	}
	if d == nil {
		return nil, fmt.Errorf("domain %q: %w", id, ErrNoDomain)
	}
	p := &engine.Proposal{Turn: turn, Text: &clause.Text{}}
	var ask sir.Ask
	work := func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) { return d.Settle(slice, ask, p, mode) }
	switch {
	case answer == nil:
		p = d.Propose(turn, buf)
		ask = d.Ask(p)
	case answer.domain == d:
		ask = d.AskAnswer(answer.question)
		work = func(slice *sir.Slice, ask sir.Ask) (*engine.Outcome, error) {
			return d.Answer(slice, ask, turn, answer.question, answer.option, mode)
		}
	}
	ask.Domain = d.ID
	slice, out, err := settled(tx, ask, work)
	if err != nil {
		return nil, err
	}
	if degraded {
		out.Degrade(id)
	}
	c.trace(d, p, ask, slice, out)
	_, err = tx.Append(store.Commit{Turn: turn, Domain: id, Mutations: out.Mutations})
	return out.Result, err
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
