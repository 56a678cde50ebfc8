package speckl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/store"
)

// Usage is what models have cost, failed attempts included.
type Usage struct {
	// Calls counts requests that were sent.
	Calls int `json:"calls"`
	// InputTokens and OutputTokens are as the providers report them, or
	// estimated where they do not; CachedTokens are those of the input that
	// the provider had kept.
	InputTokens  int `json:"inputTokens"`
	OutputTokens int `json:"outputTokens"`
	CachedTokens int `json:"cachedTokens"`
	// CostMicros is in millionths of a US dollar; Unpriced counts the calls
	// whose price is not known and that are not in it.
	CostMicros int64 `json:"costMicros"`
	Unpriced   int   `json:"unpriced"`
	// Milliseconds is how long the models were waited for, in all.
	Milliseconds int64 `json:"milliseconds"`
}

// usageToken is where a document keeps its usage.
const usageToken = "usage:llm"

// Usage returns what models have cost for a document since it was made, or
// since words of it were erased.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) Usage(ctx context.Context, name string) (Usage, error) {
	var u Usage
	err := c.view(ctx, name, func(r store.Reader) (err error) {
		u, err = usageOf(r)
		return err
	})
	return u, err
}

func usageOf(r store.DraftReader) (u Usage, err error) {
	body, err := r.Draft(usageToken)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return u, nil
	case err != nil:
		return u, err
	}
	if err := json.Unmarshal(body, &u); err != nil {
		return u, fmt.Errorf("read usage: %w: %w", store.ErrBroken, err)
	}
	return u, nil
}

// spending gathers what the requests of a reading have cost. It is safe for
// concurrent use.
type spending struct {
	mu sync.Mutex
	Usage
}

// add counts one request.
func (s *spending) add(u llm.Usage, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Calls += u.Calls
	s.InputTokens += u.Input
	s.OutputTokens += u.Output
	s.CachedTokens += u.Cached
	s.CostMicros += u.Cost
	if u.Unpriced {
		s.Unpriced += u.Calls
	}
	s.Milliseconds += took.Milliseconds()
}

// keepSpending adds to a document's usage.
func (c *Client) keepSpending(ctx context.Context, ref store.Ref, s *spending) error {
	if s.Calls == 0 {
		return nil
	}
	return c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error {
		u, err := usageOf(tx)
		if err != nil {
			return err
		}
		u.Calls += s.Calls
		u.InputTokens += s.InputTokens
		u.OutputTokens += s.OutputTokens
		u.CachedTokens += s.CachedTokens
		u.CostMicros += s.CostMicros
		u.Unpriced += s.Unpriced
		u.Milliseconds += s.Milliseconds
		body, err := json.Marshal(u)
		if err != nil {
			return fmt.Errorf("keep usage: %w", err)
		}
		return tx.KeepDraft(usageToken, body)
	})
}
