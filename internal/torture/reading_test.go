package torture

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// reading are the ways in which turns come into a document, which is made if
// there is none.
var reading = map[string]func(ctx context.Context, c *speckl.Client, list []sir.Turn, ack func(string)) error{
	// post posts turn by turn.
	"post": func(ctx context.Context, c *speckl.Client, list []sir.Turn, ack func(string)) error {
		if err := c.Create(ctx, docName, docDomains...); err != nil && !errors.Is(err, store.ErrExists) {
			return err
		}
		for _, t := range list {
			if _, err := c.Post(ctx, docName, t, ""); err != nil {
				return err
			}
			ack(t.ID)
		}
		return nil
	},
	// acts posts turn by turn, and decides something now and then.
	"acts": func(ctx context.Context, c *speckl.Client, list []sir.Turn, ack func(string)) error {
		if err := c.Create(ctx, docName, docDomains...); err != nil && !errors.Is(err, store.ErrExists) {
			return err
		}
		for _, t := range list {
			if _, err := c.Post(ctx, docName, t, ""); err != nil {
				return err
			}
			ack(t.ID)
			for _, decide := range decisions[t.Seq] {
				act, err := decide(ctx, c)
				if err != nil {
					return err
				}
				act.ID, act.By, act.At = "act-"+t.ID, "Ann", t.Timestamp
				if _, err := c.Act(ctx, docName, act); err != nil {
					return err
				}
				ack(act.ID)
			}
		}
		return nil
	},
	// ingest reads one conversation.
	"ingest": func(ctx context.Context, c *speckl.Client, list []sir.Turn, ack func(string)) error {
		last := ""
		_, err := c.Ingest(ctx, docName, stream(list), speckl.IngestOptions{Domains: docDomains, OnResult: func(result *sir.Result) error {
			if id := result.SourceTurnIDs[0]; id != last {
				last = id
				ack(id)
			}
			return nil
		}})
		return err
	},
	// batches reads batches of nine.
	"batches": func(ctx context.Context, c *speckl.Client, list []sir.Turn, ack func(string)) error {
		for batch := range slices.Chunk(list, 9) {
			_, err := c.Ingest(ctx, docName, stream(batch), speckl.IngestOptions{Domains: docDomains, Mode: sir.Batch})
			if err != nil {
				return err
			}
			for _, t := range batch {
				ack(t.ID)
			}
		}
		return nil
	},
}

// decisions are the acts behind a turn.
var decisions = map[int][]func(context.Context, *speckl.Client) (speckl.Act, error){
	5:  {about(speckl.Act{Kind: speckl.Confirm}, "state", "splash")},
	8:  {about(speckl.Act{Kind: speckl.Correct, Data: map[string]any{"timeout": "90s"}}, "state", "idle")},
	12: {about(speckl.Act{Kind: speckl.Reject, Reason: "no such thing"}, "state", "results")},
	13: {func(context.Context, *speckl.Client) (speckl.Act, error) { return speckl.Act{Kind: speckl.Undo}, nil }},
	20: {about(speckl.Act{Kind: speckl.Deprecate}, "state", "paused")},
	30: {about(speckl.Act{Kind: speckl.Confirm}, "entity", "Order")},
}

// about is an act on the element of that type and name.
func about(act speckl.Act, elementType, name string) func(context.Context, *speckl.Client) (speckl.Act, error) {
	return func(ctx context.Context, c *speckl.Client) (speckl.Act, error) {
		doc, err := c.Elements(ctx, docName)
		if err != nil {
			return act, err
		}
		for _, e := range doc.Elements {
			if e.ElementType == elementType && e.Data["name"] == name {
				act.Elements = []string{e.ID}
				return act, nil
			}
		}
		return act, fmt.Errorf("there is no %s %s", elementType, name)
	}
}
