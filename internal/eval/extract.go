package eval

import (
	"context"
	"fmt"
	"iter"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// Extract reads each row's text or turns into a document of its own, in the
// process, and returns the run. It returns the first error of the client.
func Extract(ctx context.Context, client *speckl.Client, domain string, gold []Row) (Run, error) {
	run := Run{}
	for i := range gold {
		x, err := extract(ctx, client, domain, &gold[i])
		if err != nil {
			return nil, fmt.Errorf("extract row %q: %w", gold[i].ID, err)
		}
		run[x.ID] = x
	}
	return run, nil
}

func extract(ctx context.Context, client *speckl.Client, domain string, row *Row) (Extracted, error) {
	x := Extracted{ID: row.ID}
	name := "eval/" + row.ID
	if _, err := client.Ingest(ctx, name, row.turns(), speckl.IngestOptions{Domains: []string{domain}}); err != nil {
		return x, err
	}
	doc, err := client.Document(ctx, name)
	if err != nil {
		return x, err
	}
	for _, e := range doc.Elements {
		x.Elements = append(x.Elements, Element{Type: e.ElementType, Status: e.Status, Data: e.Data, Evidence: e.Evidence})
	}
	for t, err := range doc.Turns {
		if err != nil {
			return x, err
		}
		x.Turns = append(x.Turns, Turn{ID: t.ID, Content: t.Content})
	}
	return x, nil
}

// turns are the row's turns, or its text as one turn of a human.
func (row *Row) turns() iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		if len(row.Turns) == 0 {
			yield(sir.Turn{SessionID: row.ID, Speaker: sir.Human, Content: row.Text}, nil)
			return
		}
		for _, t := range row.Turns {
			if t.SessionID == "" {
				t.SessionID = row.ID
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}
