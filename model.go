package speckl

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/speckl/speckl/internal/consult"
	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// ModelConfig is a language model that is asked besides the rules. What it
// says enters as any other candidate does, and only where it quotes the
// conversation: the aligner finds the quote, and each number, name, date and
// negation in the data must stand in it. The rest is in the results, dropped
// with the reason. Where the model fails, the rules stand alone and the
// result is degraded.
//
// It is asked in the modes batch, interactive and deliberative, and in
// realtime where Realtime says so.
type ModelConfig struct {
	// Provider answers; see [llm.Open].
	Provider llm.Provider
	// Name is the model's, for attributions: "openai/gpt-5".
	Name string
	// Realtime: it is asked in mode realtime, too, one turn at a time.
	Realtime bool
	// SkipAbove is how sure the rules must be of every sentence of a chunk
	// for the model not to be asked about it; 0 is 0.80.
	SkipAbove sir.Confidence
	// MaxTokens is the most that one request may send, estimated; longer
	// conversations are several requests. 0 is 4000.
	MaxTokens int
	// Budget bounds what all requests together may cost; nil is no bound.
	// Room is taken in the order of the conversation.
	Budget *llm.Budget
	// NoCache sends again what was sent before; else a document keeps the
	// replies it got until it is deleted or words of it are erased.
	NoCache bool
	// AsIs sends e-mail addresses, phone numbers, credentials and keys as
	// they are; else placeholders stand for them.
	AsIs bool
	// OnRequest hears of each request before it is sent, in order; nil for
	// nobody.
	OnRequest func(ModelRequest)
}

// ModelRequest is one request to a model.
type ModelRequest struct {
	Domain string `json:"domain"`
	// Turns are the ids of those that it is about; those that it shows for
	// context are none of them.
	Turns []string `json:"turns"`
	// Tokens estimates what it sends, without the schema.
	Tokens int `json:"tokens"`
	// System, Prompt and Schema are what is sent.
	System string          `json:"system"`
	Prompt string          `json:"prompt"`
	Schema json.RawMessage `json:"schema"`
}

// defaults sets what the zero value stands for.
func (m *ModelConfig) defaults() {
	if m.SkipAbove == 0 {
		m.SkipAbove = 8000
	}
	if m.MaxTokens == 0 {
		m.MaxTokens = 4000
	}
}

func (m *ModelConfig) complete() error {
	m.defaults()
	switch {
	case m.Provider == nil:
		return fmt.Errorf("model %q has no provider", m.Name)
	case m.MaxTokens < 0:
		return fmt.Errorf("model %q: %d tokens a request: want 1 or more", m.Name, m.MaxTokens)
	}
	return nil
}

// options are how requests are made.
func (m *ModelConfig) options() prompt.Options { return prompt.Options{AsIs: m.AsIs} }

func (m *ModelConfig) limits() consult.Limits {
	return consult.Limits{MaxTokens: m.MaxTokens, SkipAbove: m.SkipAbove}
}

// onRequest tells who listens of a request.
func (m *ModelConfig) onRequest(domain string, ask *prompt.Ask) {
	if m.OnRequest != nil {
		m.OnRequest(ModelRequest{
			Domain: domain, Turns: ask.Turns(), Tokens: ask.Tokens(),
			System: ask.Request.System, Prompt: ask.Request.Prompt, Schema: ask.Request.Schema,
		})
	}
}

// asksModel reports whether turns that are read so are shown to the model.
func (c *Client) asksModel(mode sir.Mode) bool {
	return c.cfg.Model != nil && (mode != sir.Realtime || c.cfg.Model.Realtime)
}

// modelsDebate reports whether models speak for some of the debaters.
func (c *Client) modelsDebate() bool {
	return slices.ContainsFunc(c.cfg.Debaters, func(d DebaterConfig) bool { return d.Provider != nil })
}

// modelSettings are how models are asked: as the client's own, or by the
// defaults where only debaters have models.
func (c *Client) modelSettings() *ModelConfig {
	if c.cfg.Model != nil {
		return c.cfg.Model
	}
	m := &ModelConfig{}
	m.defaults()
	return m
}
