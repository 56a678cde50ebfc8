package speckl

import (
	"context"
	"errors"
	"iter"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Log yields the sealed records of a document's log, oldest first; the
// document does not change meanwhile. It yields an error that wraps
// [store.ErrNotFound], or [store.ErrUnlogged] where none is kept.
func (c *Client) Log(ctx context.Context, name string) iter.Seq2[sir.Mutation, error] {
	return func(yield func(sir.Mutation, error) bool) {
		err := c.view(ctx, name, func(r store.Reader) error {
			for m, err := range r.Log(0) {
				if err != nil {
					return err
				}
				if !yield(m, nil) {
					return errStop
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(sir.Mutation{}, err)
		}
	}
}

// History returns the records that changed an element, oldest first.
// It returns the errors of [Client.Log]; an unknown element has no records.
func (c *Client) History(ctx context.Context, name, elementID string) ([]sir.Mutation, error) {
	return sir.History(c.Log(ctx, name), elementID)
}

// Verify checks that a document is what its log gives and that nobody has
// changed the log (see [store.Verify]). It returns the head of the log, which
// compared with one that was kept elsewhere tells whether the log still is
// that one; a [*sir.ChainError] or a [*store.StoredError] for the first thing
// that is wrong; or an error that wraps [store.ErrNotFound].
func (c *Client) Verify(ctx context.Context, name string) (sir.Head, error) {
	var head sir.Head
	err := c.view(ctx, name, func(r store.Reader) error {
		var err error
		head, err = store.Verify(r)
		return err
	})
	return head, err
}
