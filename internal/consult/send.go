package consult

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// Asker sends requests to one model.
type Asker struct {
	Provider llm.Provider
	// Name is the model's, for attributions: "openai/gpt-5".
	Name string
	// Memo may be nil: nothing is kept.
	Memo Memo
	// Budget may be nil: nothing is bounded. Room is taken from it in the
	// order of requests, before any is sent.
	Budget *llm.Budget
	// ReplyTokens is what a reply is taken to cost before it is there.
	ReplyTokens int
	// OnUsage hears of what each request that was sent has cost, and how
	// long it took, perhaps of several at the same time; nil for nobody.
	OnUsage func(u llm.Usage, took time.Duration)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Memo keeps replies by what was asked, so that nothing is sent twice.
type Memo interface {
	// Recall returns what was kept under a key; nil for nothing.
	Recall(ctx context.Context, key string) ([]byte, error)
	// Keep keeps a reply.
	Keep(ctx context.Context, key string, reply []byte) error
}

// answer is what came of one request.
type answer struct {
	text   string
	finish llm.Finish
	meta   sir.ResultMetadata
	err    error
}

// kept is a reply as a memo keeps it.
type kept struct {
	Text   string     `json:"text"`
	Finish llm.Finish `json:"finish"`
}

// memoError is a failure of what keeps replies: it is the store's, and ends
// the reading.
type memoError struct{ err error }

func (e *memoError) Error() string { return e.err.Error() }
func (e *memoError) Unwrap() error { return e.err }

// answers gets the reply to each request: a kept one, that to an equal
// request, or one of the provider's, all of which are asked for at once.
func (a *Asker) answers(ctx context.Context, asks []*prompt.Ask) ([]answer, error) {
	out := make([]answer, len(asks))
	first := map[string]int{} // of the requests that say the same
	same := make([]int, len(asks))
	send := map[int]string{} // the keys of those that are sent
	for i, ask := range asks {
		key := Key(a.Name, &ask.Request)
		n, again := first[key]
		if !again {
			n, first[key] = i, i
		}
		if same[i] = n; again {
			continue
		}
		known, err := a.recall(ctx, key)
		switch {
		case err != nil:
			return nil, err
		case known != nil:
			out[i] = *known
		default:
			if out[i].err = a.reserve(ask); out[i].err == nil {
				send[i] = key
			}
		}
	}
	var wait sync.WaitGroup
	for i, key := range send {
		wait.Go(func() { out[i] = a.one(ctx, key, asks[i]) })
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, n := range same {
		var memo *memoError
		if errors.As(out[n].err, &memo) {
			return nil, memo
		}
		if n != i {
			out[i] = answer{text: out[n].text, finish: out[n].finish, err: out[n].err, meta: sir.ResultMetadata{CacheHits: 1}}
		}
	}
	return out, nil
}

// Key is what a reply is kept by: all that was asked, of whom, with which
// prompt.
func Key(name string, r *llm.Request) string {
	b, err := json.Marshal([]any{prompt.Version, name, r.System, r.Prompt, r.Schema, r.MaxTokens})
	if err != nil {
		panic(err) // it is made of texts
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// recall is the kept reply to a request; nil for none.
func (a *Asker) recall(ctx context.Context, key string) (*answer, error) {
	if a.Memo == nil {
		return nil, nil
	}
	body, err := a.Memo.Recall(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("look for a kept reply: %w", err)
	}
	var k kept
	if body == nil || json.Unmarshal(body, &k) != nil {
		return nil, nil // what nobody can read is asked for again
	}
	return &answer{text: k.Text, finish: k.Finish, meta: sir.ResultMetadata{CacheHits: 1}}, nil
}

// reserve takes the room of a request from the budget.
func (a *Asker) reserve(ask *prompt.Ask) error {
	if a.Budget == nil {
		return nil
	}
	return a.Budget.Reserve(ask.Tokens() + a.ReplyTokens)
}

// one sends one request. Only whole replies are kept.
func (a *Asker) one(ctx context.Context, key string, ask *prompt.Ask) answer {
	began := a.now()
	reply, err := a.Provider.Complete(ctx, ask.Request)
	usage := reply.Usage
	var failed *llm.Error
	if errors.As(err, &failed) {
		usage = failed.Usage
	}
	a.spent(ask, &usage, a.now().Sub(began))
	out := answer{err: err, meta: sir.ResultMetadata{LLMCalls: usage.Calls, Tokens: usage.Input + usage.Output}}
	if err != nil {
		return out
	}
	out.text, out.finish = reply.Text, reply.Finish
	if a.Memo == nil || reply.Finish != llm.FinishStop {
		return out
	}
	body, err := json.Marshal(kept{reply.Text, reply.Finish})
	if err == nil {
		err = a.Memo.Keep(ctx, key, body)
	}
	if err != nil {
		out.err = &memoError{fmt.Errorf("keep a reply: %w", err)}
	}
	return out
}

func (a *Asker) now() time.Time {
	if a.Now != nil {
		return a.Now()
	}
	return time.Now()
}

// spent tells what a request has really taken.
func (a *Asker) spent(ask *prompt.Ask, usage *llm.Usage, took time.Duration) {
	if a.Budget != nil {
		a.Budget.Settle(ask.Tokens()+a.ReplyTokens, usage.Input+usage.Output)
	}
	if a.OnUsage != nil {
		a.OnUsage(*usage, took)
	}
}

// reasonOf is why a request failed, in words that begin with a code.
func reasonOf(err error) string {
	code := "llm_error"
	for _, k := range []struct {
		is   error
		code string
	}{
		{llm.ErrBudget, "llm_budget"}, {llm.ErrTimeout, "llm_timeout"}, {llm.ErrRateLimited, "llm_rate_limited"},
		{llm.ErrUnauthorized, "llm_unauthorized"}, {llm.ErrRefused, "llm_refused"}, {llm.ErrTooLarge, "llm_too_large"},
		{llm.ErrBadReply, "llm_unreadable"}, {llm.ErrUnavailable, "llm_unavailable"},
	} {
		if errors.Is(err, k.is) {
			code = k.code
			break
		}
	}
	return code + ": " + err.Error()
}
