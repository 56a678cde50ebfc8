package llm

import (
	"context"
	"encoding/json"
)

// Request is what a model is asked.
type Request struct {
	// System is the stable part: what a provider can keep between requests.
	System string
	// Prompt is the part that changes.
	Prompt string
	// Schema is the JSON Schema that the reply must have; nil for none. A
	// provider that has no such thing is told in words.
	Schema json.RawMessage
	// SchemaName names it: letters, digits, "_" and "-".
	SchemaName string
	// MaxTokens bounds the reply; 0 is the provider's own bound.
	MaxTokens int
}

// Finish is how a reply ended.
type Finish string

// The ends of a reply.
const (
	// FinishStop: it is whole.
	FinishStop Finish = "stop"
	// FinishLength: it was cut off at the bound of tokens.
	FinishLength Finish = "length"
	// FinishRefused: the model, or a filter before or behind it, would not.
	FinishRefused Finish = "refused"
)

// Usage is what requests have cost, failed attempts included.
type Usage struct {
	// Calls counts requests that were sent.
	Calls int
	// Input and Output are tokens, as the provider counts them; Cached are
	// those of Input that it had kept from before.
	Input, Output, Cached int
	// Estimated: the provider did not say, and four bytes count as a token.
	Estimated bool
	// Cost is in millionths of a US dollar. Unpriced: the price of some of it
	// is not known and is not in Cost.
	Cost     int64
	Unpriced bool
}

// Add adds what other requests have cost.
func (u *Usage) Add(o Usage) {
	u.Calls += o.Calls
	u.Input += o.Input
	u.Output += o.Output
	u.Cached += o.Cached
	u.Cost += o.Cost
	u.Estimated = u.Estimated || o.Estimated
	u.Unpriced = u.Unpriced || o.Unpriced
}

// Reply is what a model said.
type Reply struct {
	Text   string
	Finish Finish
	Usage  Usage
	// Model is the one that answered, as the provider names it.
	Model string
}

// Provider answers requests. It is safe for concurrent use.
type Provider interface {
	// Complete returns the reply to a request. Errors are [*Error]s that wrap
	// one of the sentinels, or the context's own.
	Complete(ctx context.Context, r Request) (Reply, error)
}
