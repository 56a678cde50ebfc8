package speckl

import (
	"context"
	"errors"
	"fmt"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// BatchOptions say what a batch gives. A batch is a run of turns in mode
// batch, read in one transaction: all of it enters or nothing. It has one
// result for each domain, which tells the net change: what was said and then
// corrected, refined or taken back within the batch stands in it as it
// stands at the end. The log holds every turn and every step, as if the turns
// had been read one by one.
//
// A batch holds at most 1024 turns and 4 MiB of text; a longer conversation
// is several batches, so that memory stays bounded. Known turns are no part
// of one. A turn whose own hint names another mode ends a batch and is read
// by itself. Fewer turns than [Config].MinBatchSize are read turn by turn.
//
// The zero value merges and summarises.
type BatchOptions struct {
	// NoDeduplicate lists the changes of each turn as they came, instead of
	// the net change with near-duplicates merged.
	NoDeduplicate bool
	// NoSummarize leaves out the summary of what changed: the result only
	// says how many turns it is about.
	NoSummarize bool
	// ConfirmBeforeApply is a dry run: nothing enters. Results have the
	// status "confirmation_needed" and a token, by which [Client.Apply]
	// applies what they show. The document is made if there is none, empty.
	// A dry run is for one batch's worth of turns.
	ConfirmBeforeApply bool
}

// The errors about dry runs.
var (
	// ErrDryRun: a dry run of another mode than batch.
	ErrDryRun = errors.New("only mode batch has a dry run")
	// ErrTooLong: more turns than a dry run can hold.
	ErrTooLong = fmt.Errorf("too long for a dry run: it holds at most %d turns and %d MiB of text", batchTurns, batchBytes>>20)
)

// The most that a batch holds.
const (
	batchTurns = 1024
	batchBytes = 4 << 20
)

// ingestion reads the turns of a conversation as they come.
type ingestion struct {
	c   *Client
	ref store.Ref
	o   IngestOptions
	n   int // turns read

	held []sir.Turn // the batch that is being gathered
	size int        // bytes of their text
	cut  bool       // its beginning was read already, for its size
}

// take reads a turn, or holds it for a batch.
func (in *ingestion) take(ctx context.Context, t sir.Turn) (err error) {
	batch := in.c.mode(&t, in.o.Mode) == sir.Batch
	dry := in.o.Batch.ConfirmBeforeApply
	full := len(in.held) == batchTurns || len(in.held) > 0 && in.size+len(t.Content) > batchBytes
	switch {
	case dry && full:
		return ErrTooLong
	case !dry && (full || !batch):
		if err := in.flush(ctx); err != nil {
			return err
		}
		in.cut = full && batch
	}
	if batch || dry {
		in.held = append(in.held, t)
		in.size += len(t.Content)
		return nil
	}
	a := asked{mode: in.o.Mode}
	if a.counsel, err = in.c.consult(ctx, in.ref, []sir.Turn{t}, in.o.Mode); err != nil {
		return err
	}
	results, err := in.c.post(ctx, in.ref, &t, a)
	return in.report(results, 1, err)
}

// end reads what is held.
func (in *ingestion) end(ctx context.Context) error {
	if in.o.Batch.ConfirmBeforeApply && len(in.held) > 0 {
		results, err := in.c.dryRun(ctx, in.ref, in.held, in.o)
		return in.report(results, len(in.held), err)
	}
	return in.flush(ctx)
}

// flush reads the batch that was gathered.
func (in *ingestion) flush(ctx context.Context) error {
	turns, cut := in.held, in.cut
	in.held, in.size, in.cut = nil, 0, false
	if len(turns) == 0 {
		return nil
	}
	results, fresh, err := in.c.catchUp(ctx, in.ref, turns, in.o.Mode)
	if err := in.report(results, 0, err); err != nil {
		return err
	}
	counsel, err := in.c.consult(ctx, in.ref, turns, in.o.Mode)
	if err != nil {
		return err
	}
	if in.c.tooFew(fresh) && !cut {
		for i := range turns {
			results, err := in.c.post(ctx, in.ref, &turns[i], asked{in.o.Mode, in.c.fewNote(fresh), counsel.once(i)})
			if err := in.report(results, 1, err); err != nil {
				return err
			}
		}
		return nil
	}
	results, err = in.c.batch(ctx, in.ref, turns, in.o.Batch, counsel)
	return in.report(results, len(turns), err)
}

// report counts turns that were read, and hands on their results.
func (in *ingestion) report(results []*sir.Result, turns int, err error) error {
	if err != nil {
		return err
	}
	in.n += turns
	for _, r := range results {
		if in.o.OnResult == nil {
			break
		}
		if err := in.o.OnResult(r); err != nil {
			return err
		}
	}
	return nil
}
