package speckl

import (
	"context"
	"errors"

	"github.com/speckl/speckl/store"
)

// memo keeps replies beside a document: they go with it, and with words of it
// that are erased.
type memo struct {
	c   *Client
	ref store.Ref
}

// replyPrefix marks the drafts that are replies.
const replyPrefix = "reply:"

func (m *memo) Recall(ctx context.Context, key string) ([]byte, error) {
	var body []byte
	err := m.c.cfg.Store.View(ctx, m.ref, func(r store.Reader) (err error) {
		body, err = r.Draft(replyPrefix + key)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return body, err
}

func (m *memo) Keep(ctx context.Context, key string, reply []byte) error {
	return m.c.cfg.Store.Update(ctx, m.ref, func(tx store.Tx) error { return tx.KeepDraft(replyPrefix+key, reply) })
}
