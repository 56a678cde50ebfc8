package llm

import (
	"fmt"
	"sync"
)

// Budget bounds how many tokens requests may take together. Room is taken
// before a request is sent and given back when it is known what it took, so
// that who reserves in a fixed order is refused in that order, whichever
// reply comes first. It is safe for concurrent use.
type Budget struct {
	mu   sync.Mutex
	all  int
	used int
}

// NewBudget is a budget of so many tokens.
func NewBudget(tokens int) *Budget { return &Budget{all: tokens} }

// Reserve takes room for a request.
// It returns an error that wraps [ErrBudget] where there is not enough left.
func (b *Budget) Reserve(tokens int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+tokens > b.all {
		return fmt.Errorf("%w: the request may take %d tokens, and %d of %d are left", ErrBudget, tokens, max(b.all-b.used, 0), b.all)
	}
	b.used += tokens
	return nil
}

// Settle puts what a request has taken in the place of what was reserved.
func (b *Budget) Settle(reserved, used int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used += used - reserved
}
