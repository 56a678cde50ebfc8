package speckl

import (
	"context"
	"fmt"
	"iter"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Summary is a document in a list of documents.
type Summary struct {
	Header sir.Header
	// Waiting counts the questions and contradictions that wait for a person.
	Waiting int
	// Review counts the live elements that need a person's look and that none
	// of these is about.
	Review int
}

// Documents lists the organisation's documents by name, with what waits in
// each. It returns the store's error.
func (c *Client) Documents(ctx context.Context) ([]Summary, error) {
	var out []Summary
	for h, err := range c.Headers(ctx) {
		if err != nil {
			return nil, err
		}
		out = append(out, Summary{Header: h})
	}
	for i := range out {
		ref := store.Ref{Organization: c.cfg.Organization, Document: out[i].Header.ID}
		err := c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
			return out[i].count(r)
		})
		if err != nil {
			return nil, fmt.Errorf("list document %q: %w", out[i].Header.Name, err)
		}
	}
	return out, nil
}

// count counts what waits in the document.
func (s *Summary) count(r store.Reader) error {
	p, err := r.Pending()
	if err != nil {
		return err
	}
	s.Waiting = len(p.Clarifications) + len(p.Conflicts)
	asked := map[string]bool{}
	for _, q := range p.Clarifications {
		for _, id := range q.ElementIDs {
			asked[id] = true
		}
	}
	for _, c := range p.Conflicts {
		asked[c.ExistingElementID] = true
	}
	reviews, err := store.Reviews(r)
	for _, id := range reviews {
		if !asked[id] {
			s.Review++
		}
	}
	return err
}

// Headers yields the headers of the organisation's documents by name, or the
// store's error.
func (c *Client) Headers(ctx context.Context) iter.Seq2[sir.Header, error] {
	return c.cfg.Store.List(ctx, c.cfg.Organization)
}

// Header returns the header of the document of that name.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Header(ctx context.Context, name string) (sir.Header, error) {
	var h sir.Header
	err := c.view(ctx, name, func(r store.Reader) error {
		var err error
		h, err = r.Header()
		return err
	})
	return h, err
}

// HasTurn reports whether the document of that name has a turn of that id.
func (c *Client) HasTurn(ctx context.Context, name, id string) bool {
	return c.view(ctx, name, func(r store.Reader) error {
		_, err := r.Turn(id)
		return err
	}) == nil
}

// view runs fn on the document of that name; errors name it.
func (c *Client) view(ctx context.Context, name string, fn func(store.Reader) error) error {
	ref, err := c.find(ctx, name)
	if err == nil {
		err = c.cfg.Store.View(ctx, ref, fn)
	}
	if err != nil {
		return fmt.Errorf("document %q: %w", name, err)
	}
	return nil
}

// Found is an element that a search found.
type Found struct {
	store.Hit
	// Label says in one line what the element is.
	Label string
	// Said is the turn of the element's first words; nil where it has none.
	Said *sir.Turn
}

// Search finds elements by their words, the best first, in the document of
// that name, or in all of the organisation's where it is empty; q.Document is
// set by it. See [store.Query].
// It returns an error that wraps [store.ErrNotFound] for an unknown document.
func (c *Client) Search(ctx context.Context, document string, q store.Query) ([]Found, error) {
	if q.Document = ""; document != "" {
		ref, err := c.find(ctx, document)
		if err != nil {
			return nil, fmt.Errorf("search document %q: %w", document, err)
		}
		q.Document = ref.Document
	}
	hits, err := c.cfg.Store.Search(ctx, c.cfg.Organization, q)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", q.Text, err)
	}
	out := make([]Found, len(hits))
	for i, h := range hits {
		out[i] = Found{Hit: h, Label: c.label(h.Element)}
		if len(h.Element.Evidence) == 0 {
			continue
		}
		ref := store.Ref{Organization: c.cfg.Organization, Document: h.Document.ID}
		err := c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
			out[i].Said, err = r.Turn(h.Element.Evidence[0].TurnID)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", q.Text, err)
		}
	}
	return out, nil
}

// Delete removes a document with all that it holds, its log included.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Delete(ctx context.Context, name string) error {
	ref, err := c.find(ctx, name)
	if err == nil {
		err = c.cfg.Store.Delete(ctx, ref)
	}
	if err != nil {
		return fmt.Errorf("delete document %q: %w", name, err)
	}
	return nil
}
