package speckl

import (
	"context"
	"errors"
	"fmt"

	"github.com/speckl/speckl/internal/consult"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// counsel is what models said about turns that are to be read, and which of
// them got no answer. nil is that nobody was asked.
type counsel struct {
	heard  map[string]consult.Counsel // by domain
	voices map[string]consult.Voices  // of debaters, by domain
	failed []unanswered
}

// of is what was said about a turn in a domain; nil for nothing.
func (k *counsel) of(domain, turn string) *engine.Heard {
	if k == nil {
		return nil
	}
	return k.heard[domain][turn]
}

// voice is what a debater said about a turn in a domain; nil for nothing.
func (k *counsel) voice(domain, turn, debater string) *engine.Voice {
	if k == nil {
		return nil
	}
	return k.voices[domain][turn][debater]
}

// once is the counsel for the i-th of turns that are read one by one: what
// was not answered is noted with the first.
func (k *counsel) once(i int) *counsel {
	if k == nil || i == 0 {
		return k
	}
	return &counsel{heard: k.heard, voices: k.voices}
}

// consult asks models about those of the turns that are new and that are read
// in a mode in which models are asked. It does so outside of any transaction:
// it may take long, and what they say is settled later, on the document as it
// stands then.
func (c *Client) consult(ctx context.Context, ref store.Ref, turns []sir.Turn, mode sir.Mode) (*counsel, error) {
	var asking, debating []sir.Turn
	for i := range turns {
		switch m := c.mode(&turns[i], mode); {
		case m == sir.Deliberative && c.modelsDebate():
			debating = append(debating, turns[i])
		case c.asksModel(m):
			asking = append(asking, turns[i])
		}
	}
	if len(asking)+len(debating) == 0 {
		return nil, nil
	}
	out := &counsel{heard: map[string]consult.Counsel{}, voices: map[string]consult.Voices{}}
	for _, part := range []struct {
		turns []sir.Turn
		ask   func(context.Context, store.Ref, *inquiry, *counsel) error
	}{{asking, c.ask}, {debating, c.debate}} {
		if len(part.turns) == 0 {
			continue
		}
		about, err := c.inquiries(ctx, ref, part.turns)
		if err != nil {
			return nil, err
		}
		for i := range about {
			if err := part.ask(ctx, ref, &about[i], out); err != nil {
				return nil, fmt.Errorf("domain %s: %w", about[i].id, err)
			}
		}
	}
	return out, nil
}

// inquiry is what is asked for one of a document's domains.
type inquiry struct {
	id string
	consult.Inquiry
}

// inquiries are those about turns that the document does not know, domain by
// domain. A domain that this client lacks asks nothing.
func (c *Client) inquiries(ctx context.Context, ref store.Ref, turns []sir.Turn) ([]inquiry, error) {
	var header sir.Header
	var before, fresh []sir.Turn
	err := c.cfg.Store.View(ctx, ref, func(r store.Reader) (err error) {
		if header, err = r.Header(); err != nil {
			return err
		}
		if fresh, err = c.unread(r, turns); err != nil || len(fresh) == 0 {
			return err
		}
		before, err = lastTurns(r)
		return err
	})
	if err != nil || len(fresh) == 0 {
		return nil, err
	}
	var out []inquiry
	for _, id := range header.Domains {
		q, err := c.inquiry(ctx, ref, id)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", id, err)
		}
		if q != nil {
			q.Before, q.Turns = before, fresh
			out = append(out, *q)
		}
	}
	return out, nil
}

// inquiry is that of one domain, without turns; nil where the client lacks
// the domain.
func (c *Client) inquiry(ctx context.Context, ref store.Ref, id string) (*inquiry, error) {
	d := c.domains[id]
	if d == nil {
		return nil, nil
	}
	text, err := c.promptOf(d)
	if err != nil {
		return nil, err
	}
	known := func(words string) (found []*sir.Element, err error) {
		err = c.cfg.Store.View(ctx, ref, func(r store.Reader) error {
			h, err := r.Header()
			if err != nil || h.Version == 0 { // it knows nothing yet
				return err
			}
			ask := d.AskNamed(words)
			if ask.Domain = id; len(ask.Terms) == 0 {
				return nil
			}
			slice, err := r.Slice(ask)
			if err == nil {
				found = slice.Elements
			}
			return err
		})
		return found, err
	}
	return &inquiry{id, consult.Inquiry{Domain: d, Prompt: text, Known: known}}, nil
}

// unread are the turns that the document does not know and that answer no
// open question.
func (c *Client) unread(r store.Reader, turns []sir.Turn) ([]sir.Turn, error) {
	pending, err := r.Pending()
	if err != nil {
		return nil, err
	}
	var out []sir.Turn
	for _, t := range turns {
		known, err := store.Admit(r, &t)
		if err != nil {
			return nil, fmt.Errorf("turn %s: %w", t.ID, err)
		}
		if q, _ := engine.Answered(pending.Clarifications, &t); !known && (q == nil || !c.answersPlainly(&t)) {
			out = append(out, t)
		}
	}
	return out, nil
}

// answersPlainly reports whether a turn's mode lets it answer a question.
func (c *Client) answersPlainly(t *sir.Turn) bool {
	return c.mode(t, "") == sir.Interactive || c.cfg.AutoSwitch != SwitchNever
}

// lastTurns are the last turns of the document, acts apart.
func lastTurns(r store.TurnReader) ([]sir.Turn, error) {
	n, err := r.Cursor("")
	if err != nil {
		return nil, err
	}
	var out []sir.Turn
	for t, err := range r.Turns(max(0, n-consult.ContextTurns)) {
		if err != nil {
			return nil, err
		}
		if !t.IsAct() && !t.IsErased() {
			out = append(out, *t)
		}
	}
	return out, nil
}

// promptOf is a domain's prompt, made when it is first needed.
func (c *Client) promptOf(d *engine.Domain) (*prompt.Prompt, error) {
	if p, ok := c.prompts.Load(d.ID); ok {
		return p.(*prompt.Prompt), nil
	}
	p, err := prompt.New(d.Domain)
	if err != nil {
		return nil, err
	}
	c.prompts.Store(d.ID, p)
	return p, nil
}

// ask asks the client's model, and adds what it says.
func (c *Client) ask(ctx context.Context, ref store.Ref, q *inquiry, out *counsel) error {
	m := c.cfg.Model
	asks, err := consult.Plan(&q.Inquiry, m.limits(), m.options())
	if errors.Is(err, consult.ErrNoRoom) {
		out.heard[q.id] = unasked(q, err)
		return nil
	}
	if err != nil || len(asks) == 0 {
		return err
	}
	for _, ask := range asks {
		m.onRequest(q.id, ask)
	}
	spent := &spending{}
	heard, failed, err := c.newAsker(ref, m.Provider, m.Name, spent).Ask(ctx, asks)
	if err != nil {
		return err
	}
	out.heard[q.id] = heard
	for _, f := range failed {
		out.failed = append(out.failed, unanswered{Domain: q.id, Turns: f.Turns, Reason: f.Reason})
	}
	return c.keepSpending(ctx, ref, spent)
}

// newAsker is what asks a model about turns of a document.
func (c *Client) newAsker(ref store.Ref, p llm.Provider, name string, spent *spending) *consult.Asker {
	m := c.modelSettings()
	a := &consult.Asker{Provider: p, Name: name, Budget: m.Budget, ReplyTokens: replyTokens, OnUsage: spent.add}
	if !m.NoCache {
		a.Memo = &memo{c: c, ref: ref}
	}
	return a
}

// replyTokens is what a reply is taken to cost, in tokens, until it is there.
const replyTokens = 1000

// unasked is the counsel that nobody could be asked, and why.
func unasked(q *inquiry, why error) consult.Counsel {
	m := sir.ResultMetadata{Degraded: true, DegradedReasons: []string{"llm_budget: " + why.Error()}}
	return consult.Counsel{q.Turns[0].ID: {Metadata: m}}
}

// debate lets the debaters for whom models speak propose and judge.
func (c *Client) debate(ctx context.Context, ref store.Ref, q *inquiry, out *counsel) error {
	var all []consult.Debater
	spent := &spending{}
	for _, d := range c.cfg.Debaters {
		if d.Provider != nil {
			a := c.newAsker(ref, d.Provider, d.Model, spent)
			all = append(all, consult.Debater{ID: d.ID, Persona: d.Persona, Asker: a})
		}
	}
	m := c.modelSettings()
	heard, voices, err := consult.Debate(ctx, &q.Inquiry, m.limits(), m.options(), all)
	switch {
	case errors.Is(err, consult.ErrNoRoom):
		out.heard[q.id] = unasked(q, err)
		return nil
	case err != nil:
		return err
	}
	out.heard[q.id], out.voices[q.id] = heard, voices
	return c.keepSpending(ctx, ref, spent)
}
