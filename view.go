package speckl

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Document shows a document as it stands; its turns are streamed from the
// store when a writer ranges over them. Results are for the caller to set.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Document(ctx context.Context, name string) (*export.Document, error) {
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("show document %q: %w", name, err)
	}
	doc, n := &export.Document{}, 0
	err = c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
		if err := standing(r, doc); err != nil {
			return err
		}
		n, err = r.Cursor("")
		return err
	})
	if err == nil {
		doc.Turns = c.turns(ctx, ref, n)
		err = c.complete(doc)
	}
	if err != nil {
		return nil, fmt.Errorf("show document %q: %w", name, err)
	}
	return doc, nil
}

// Elements shows what stands in a document without its turns, which costs
// less: elements in the order in which they came, and what waits. Sessions
// and stats are empty.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Elements(ctx context.Context, name string) (*export.Document, error) {
	doc := &export.Document{}
	if err := c.view(ctx, name, func(r store.Reader) error { return standing(r, doc) }); err != nil {
		return nil, err
	}
	return c.View(*doc), nil
}

// standing reads the header, the elements and what waits.
func standing(r store.Reader, doc *export.Document) error {
	var err error
	if doc.Header, err = r.Header(); err != nil {
		return err
	}
	for e, err := range r.Elements() {
		if err != nil {
			return err
		}
		doc.Elements = append(doc.Elements, e)
	}
	p, err := r.Pending()
	doc.Candidates, doc.Clarifications, doc.Conflicts = p.Candidates, p.Clarifications, p.Conflicts
	return err
}

// DocumentAt shows a document as it was at a point of its history: what
// Document would have shown then.
// It returns an error that wraps [store.ErrNotFound] or [sir.ErrPoint], also
// for a time before the document was made.
func (c *Client) DocumentAt(ctx context.Context, name string, p sir.Point) (*export.Document, error) {
	then, err := c.At(ctx, name, p)
	if err != nil {
		return nil, err
	}
	if then.Header().ID == "" {
		return nil, fmt.Errorf("document %q: nothing was recorded by then: %w", name, sir.ErrPoint)
	}
	pending := then.Pending()
	doc := &export.Document{
		Header: then.Header(), Elements: slices.Collect(then.Elements()),
		Candidates: pending.Candidates, Clarifications: pending.Clarifications, Conflicts: pending.Conflicts,
		Turns: func(yield func(*sir.Turn, error) bool) {
			for _, t := range then.Turns() {
				if !yield(t, nil) {
					return
				}
			}
		},
	}
	if err := c.complete(doc); err != nil {
		return nil, fmt.Errorf("show document %q: %w", name, err)
	}
	return doc, nil
}

// complete derives from a document's turns, elements and domains what else a
// writer needs.
func (c *Client) complete(doc *export.Document) error {
	var err error
	if doc.Sessions, err = export.Sessions(doc.Turns); err != nil {
		return err
	}
	position, total, err := c.positions(doc)
	if err != nil {
		return err
	}
	export.Sort(doc.Elements, position)
	*doc = *c.View(*doc)
	doc.Stats = stats(doc, total)
	return nil
}

// turns streams a document's first n turns: those that stood when it was
// looked at.
func (c *Client) turns(ctx context.Context, ref store.Ref, n int) iter.Seq2[*sir.Turn, error] {
	return func(yield func(*sir.Turn, error) bool) {
		err := c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
			i := 0
			for t, err := range r.Turns(0) {
				if i++; i > n || !yield(t, err) || err != nil {
					return errStop
				}
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

var errStop = fmt.Errorf("stop")

// positions tells the places of the turns that elements quote, and counts
// the turns.
func (c *Client) positions(doc *export.Document) (func(string) int, int, error) {
	want := map[string]int{}
	for _, e := range doc.Elements {
		if len(e.Evidence) > 0 {
			want[e.Evidence[0].TurnID] = -1
		}
	}
	n, said := 0, 0
	for t, err := range doc.Turns {
		if err != nil {
			return nil, 0, err
		}
		if _, ok := want[t.ID]; ok {
			want[t.ID] = n
		}
		n++
		if !t.IsAct() {
			said++
		}
	}
	return func(id string) int {
		if at, ok := want[id]; ok {
			return at
		}
		return -1
	}, said, nil
}

// stats counts a document's live elements.
func stats(doc *export.Document, turns int) sir.Stats {
	s := sir.Stats{TotalTurns: turns, PendingAmbiguities: len(doc.Clarifications)}
	sum := 0
	for _, e := range doc.Elements {
		if !e.Status.Live() {
			continue
		}
		s.TotalElements++
		sum += int(e.Confidence)
		if e.Status == sir.Confirmed {
			s.ConfirmedElements++
		}
		if e.Flags.IsTentative {
			s.TentativeElements++
		}
	}
	if s.TotalElements > 0 {
		s.AvgConfidence = sir.Confidence((2*sum + s.TotalElements) / (2 * s.TotalElements))
	}
	if m := doc.Header.Metadata; m != nil && m.Detection != nil {
		s.DomainConfidence = m.Detection.Confidence
	}
	return s
}

// Stats counts what stands in a document.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Stats(ctx context.Context, name string) (sir.Stats, error) {
	doc, err := c.Document(ctx, name)
	if err != nil {
		return sir.Stats{}, err
	}
	return doc.Stats, nil
}

// Query returns the elements that fulfil a filter, in printing order.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Query(ctx context.Context, name string, f sir.Filter) ([]*sir.Element, error) {
	doc, err := c.Document(ctx, name)
	if err != nil {
		return nil, err
	}
	return slices.Collect(sir.Select(slices.Values(doc.Elements), f)), nil
}

// At folds a document's log up to a point.
// It returns an error that wraps [store.ErrNotFound] or [sir.ErrPoint].
func (c *Client) At(ctx context.Context, name string, p sir.Point) (*sir.Document, error) {
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("document %q: %w", name, err)
	}
	var out *sir.Document
	err = c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
		var err error
		log := func(yield func(sir.Mutation, error) bool) { r.Log(0)(yield) } // it is read twice
		out, err = sir.At(log, p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("document %q: %w", name, err)
	}
	return out, nil
}

// label says in one line what an element is.
func (c *Client) label(e *sir.Element) string {
	if d := c.domains[e.Domain]; d != nil && d.TypeNamed(e.ElementType) != nil {
		return d.Label(e.ElementType, e.Data)
	}
	return ""
}

// fields lists a type's data fields in the domain's order; an empty domain
// is any that has the type.
func (c *Client) fields(domain, elementType string) []string {
	for _, d := range c.order {
		if domain != "" && d.ID != domain {
			continue
		}
		if t := d.TypeNamed(elementType); t != nil {
			var out []string
			for _, f := range t.Fields {
				out = append(out, f.Name)
			}
			return out
		}
	}
	return nil
}
