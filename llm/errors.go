package llm

import (
	"errors"
	"fmt"
	"time"
)

// The sentinels that errors wrap.
var (
	// ErrUnknownProvider: no provider has that name.
	ErrUnknownProvider = errors.New("unknown provider")
	// ErrNoModel: the provider has no default model, and none was named.
	ErrNoModel = errors.New("no model")
	// ErrNoKey: the provider wants a key, and there is none.
	ErrNoKey = errors.New("no key")
	// ErrBaseURL: the base URL is none.
	ErrBaseURL = errors.New("bad base URL")
	// ErrUnauthorized: the provider does not take the key.
	ErrUnauthorized = errors.New("not authorized")
	// ErrRateLimited: too many requests, or the account is used up.
	ErrRateLimited = errors.New("rate limited")
	// ErrTimeout: no whole reply within the time.
	ErrTimeout = errors.New("timed out")
	// ErrUnavailable: the provider cannot be reached, or fails.
	ErrUnavailable = errors.New("unavailable")
	// ErrRejected: the provider does not take the request as it is.
	ErrRejected = errors.New("request rejected")
	// ErrBadReply: what came back is not in the provider's form, or empty.
	ErrBadReply = errors.New("unreadable reply")
	// ErrTooLarge: what came back is larger than a reply may be.
	ErrTooLarge = errors.New("reply too large")
	// ErrRefused: a filter of the provider's has stopped the request.
	ErrRefused = errors.New("refused")
	// ErrBudget: the budget has no room for the request, which was not sent.
	ErrBudget = errors.New("budget used up")
	// ErrNotRecorded: a replay has no recording of the request.
	ErrNotRecorded = errors.New("not recorded")
)

// Error is a request that failed.
type Error struct {
	// Name is provider and model: "openai/gpt-5".
	Name string
	// Status is the last HTTP status; 0 where there was no response.
	Status int
	// Message is what the provider said, shortened and without the key.
	Message string
	// RetryAfter is how long the provider wants to be left alone.
	RetryAfter time.Duration
	// Usage is what the attempts have cost.
	Usage Usage
	// Err wraps a sentinel.
	Err error
}

// Error says what failed, where, and what the provider said to it.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %v", e.Name, e.Err)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.Usage.Calls > 1 {
		s += fmt.Sprintf(", after %d attempts", e.Usage.Calls)
	}
	return s
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }
