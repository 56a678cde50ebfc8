package speckl

import (
	"context"
	"errors"
	"fmt"
	"iter"

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
	// Mode overrides the client's; a turn's own hint overrides both.
	Mode sir.Mode
	// Batch is for mode batch.
	Batch BatchOptions
	// OnDetect hears of the domains of a new document.
	OnDetect func(ids []string, d sir.Detection)
	// OnResult hears of each result in order; its error ends the reading.
	OnResult func(*sir.Result) error
}

// detectOn is how many turns detection looks at.
const detectOn = 200

// Ingest reads a conversation into the document of that name, turn by turn
// or in batches (see [BatchOptions]), and makes the document if there is
// none. It returns how many turns it read. What was read before an error
// stays; of a batch that is not complete, nothing.
//
// Errors of turns, the store and OnResult are passed on; [ErrDryRun] and
// [ErrTooLong] are about dry runs.
func (c *Client) Ingest(ctx context.Context, name string, turns iter.Seq2[sir.Turn, error], o IngestOptions) (int, error) {
	n, err := c.ingest(ctx, name, turns, o)
	if err != nil {
		return n, fmt.Errorf("ingest into %q: %w", name, err)
	}
	return n, nil
}

func (c *Client) ingest(ctx context.Context, name string, turns iter.Seq2[sir.Turn, error], o IngestOptions) (int, error) {
	mode := c.mode(&sir.Turn{}, o.Mode)
	switch {
	case !mode.Valid():
		return 0, fmt.Errorf("unknown mode %q", mode)
	case o.Batch.ConfirmBeforeApply && mode != sir.Batch:
		return 0, fmt.Errorf("mode %s: %w", mode, ErrDryRun)
	}
	next, stop := iter.Pull2(turns)
	defer stop()
	ref, head, err := c.begin(ctx, name, next, o)
	if err != nil {
		return 0, err
	}
	in := &ingestion{c: c, ref: ref, o: o}
	complete := newCompleter()
	for i := range head {
		complete.turn(&head[i])
		if err := in.take(ctx, head[i]); err != nil {
			return in.n, err
		}
	}
	head = nil
	for {
		t, err, ok := next()
		if !ok {
			return in.n, in.end(ctx)
		}
		if err != nil {
			return in.n, err
		}
		complete.turn(&t)
		if err := in.take(ctx, t); err != nil {
			return in.n, err
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
	header := sir.Header{Name: name, Domains: ids, Metadata: &sir.DocumentMetadata{Domain: ids[0], Detection: &found}}
	if ref, err = c.create(ctx, header); errors.Is(err, store.ErrExists) { // another process was faster
		ref, err = c.find(ctx, name)
	}
	if err == nil && o.OnDetect != nil {
		o.OnDetect(ids, found)
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
	if t.IsAct() || t.IsErased() { // only Act and Erase make those
		said := *t.Metadata
		said.Kind = ""
		t.Metadata = &said
	}
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
// domains. A known turn gives one result that says so. One turn is too few
// for a batch, unless [Config].MinBatchSize is 1.
// It returns an error that wraps [store.ErrNotFound] for an unknown
// document, and [store.ErrTurn] for a known id with other words.
func (c *Client) Post(ctx context.Context, name string, turn sir.Turn, mode sir.Mode) ([]*sir.Result, error) {
	if m := c.mode(&turn, mode); !m.Valid() {
		return nil, fmt.Errorf("post to %q: unknown mode %q", name, m)
	}
	newCompleter().turn(&turn)
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("post to %q: %w", name, err)
	}
	a := asked{mode: mode, why: c.fewNote(1)}
	if a.counsel, err = c.consult(ctx, ref, []sir.Turn{turn}, mode); err != nil {
		return nil, fmt.Errorf("post to %q: %w", name, err)
	}
	results, err := c.post(ctx, ref, &turn, a)
	if err != nil {
		return nil, fmt.Errorf("post to %q: %w", name, err)
	}
	return results, nil
}
