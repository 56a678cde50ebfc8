package consult

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/sir"
)

// Debater is one for whom a model speaks.
type Debater struct {
	ID, Persona string
	Asker       *Asker
}

// Voices are what debaters said, by the turn's id and the debater's.
type Voices map[string]map[string]*engine.Voice

func (v Voices) of(turn, debater string) *engine.Voice {
	if v[turn] == nil {
		v[turn] = map[string]*engine.Voice{}
	}
	if v[turn][debater] == nil {
		v[turn][debater] = &engine.Voice{}
	}
	return v[turn][debater]
}

// part is one debater at work.
type part struct {
	Debater
	asks    []*prompt.Ask
	counsel Counsel
	failed  map[string]error // by turn
	judged  []judgement
	err     error
}

// judgement is a critique with its reply.
type judgement struct {
	critique *prompt.Critique
	turns    []string // of the claims
	answer   answer
}

// Debate lets each debater propose, by itself, and then judge what others
// and the rules have proposed; each phase asks all at the same time. One that
// fails about a turn is left out of that turn's debate.
func Debate(ctx context.Context, q *Inquiry, l Limits, o prompt.Options, debaters []Debater) (Counsel, Voices, error) {
	l.SkipAbove = sir.Certain + 1 // who is asked for an opinion is asked
	parts := make([]*part, len(debaters))
	for i, d := range debaters {
		own := o
		own.Persona = d.Persona
		asks, err := Plan(q, l, own)
		if err != nil {
			return nil, nil, err
		}
		parts[i] = &part{Debater: d, asks: asks, failed: map[string]error{}}
	}
	if err := together(parts, func(p *part) error { return p.propose(ctx) }); err != nil {
		return nil, nil, err
	}
	claims := claimed(q, parts)
	if err := together(parts, func(p *part) error { return p.judge(ctx, q, o, claims) }); err != nil {
		return nil, nil, err
	}
	out, voices := Counsel{}, Voices{}
	for _, p := range parts {
		p.speak(out, voices)
	}
	return out, voices, nil
}

// together runs fn for all at the same time and returns the first error.
func together(parts []*part, fn func(*part) error) error {
	var wait sync.WaitGroup
	for _, p := range parts {
		wait.Go(func() { p.err = fn(p) })
	}
	wait.Wait()
	for _, p := range parts {
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

func (p *part) propose(ctx context.Context) error {
	counsel, failed, err := p.Asker.Ask(ctx, p.asks)
	for _, f := range failed {
		for _, id := range f.Turns {
			p.failed[id] = errors.New(f.Reason)
		}
	}
	p.counsel = counsel
	return err
}

// claimed are the candidates of all, the rules included, by turn.
func claimed(q *Inquiry, parts []*part) map[string][]prompt.Claim {
	out := map[string][]prompt.Claim{}
	var buf engine.Buffer
	for i := range q.Turns {
		t := &q.Turns[i]
		p := q.Domain.Propose(t, &buf)
		for _, one := range parts {
			if h := one.counsel[t.ID]; h != nil {
				q.Domain.Hear(p, &engine.Heard{Candidates: h.Candidates})
			}
		}
		for _, c := range p.Candidates {
			out[t.ID] = append(out[t.ID], prompt.Claim{Candidate: c, Quote: c.Span.Of(t.Content)})
		}
	}
	return out
}

// judge asks for an opinion on the claims that the debater did not make.
func (p *part) judge(ctx context.Context, q *Inquiry, o prompt.Options, claims map[string][]prompt.Claim) error {
	o.Persona = p.Persona
	var asks []*prompt.Ask
	for _, ask := range p.asks {
		var others []prompt.Claim
		var turns []string
		for _, id := range ask.Turns() {
			if p.failed[id] != nil {
				continue
			}
			for _, c := range claims[id] {
				if !p.made(q, id, &c) {
					others, turns = append(others, c), append(turns, id)
				}
			}
		}
		if len(others) == 0 {
			continue
		}
		c, err := q.Prompt.Critique(ask.Chunk, others, o)
		if err != nil {
			return err
		}
		asks = append(asks, c.Ask)
		p.judged = append(p.judged, judgement{critique: c, turns: turns})
	}
	answers, err := p.Asker.answers(ctx, asks)
	if err != nil {
		return err
	}
	for i := range answers {
		p.judged[i].answer = answers[i]
	}
	return nil
}

// made reports whether the debater has made a claim itself.
func (p *part) made(q *Inquiry, id string, c *prompt.Claim) bool {
	h := p.counsel[id]
	if h == nil {
		return false
	}
	for i := range h.Candidates {
		if own := &h.Candidates[i]; own.Type == c.Candidate.Type && q.Domain.Alike(own, &c.Candidate) {
			return true
		}
	}
	return false
}

// speak adds what the debater said, and what asking him cost.
func (p *part) speak(out Counsel, voices Voices) {
	for _, ask := range p.asks {
		for _, id := range ask.Turns() {
			v := voices.of(id, p.ID)
			v.Err = p.failed[id]
			if h := p.counsel[id]; h != nil {
				v.Proposals = append(v.Proposals, h.Candidates...)
			}
		}
	}
	for id, h := range p.counsel {
		to := out.of(id)
		to.Candidates, to.Dropped = append(to.Candidates, h.Candidates...), append(to.Dropped, h.Dropped...)
		addTo(&to.Metadata, &h.Metadata)
	}
	for i := range p.judged {
		p.judged[i].speak(p, out, voices)
	}
}

func (j *judgement) speak(p *part, out Counsel, voices Voices) {
	head := out.of(j.turns[0])
	defer func() { addTo(&head.Metadata, &j.answer.meta) }()
	if j.answer.err != nil {
		degrade(&j.answer, j.critique.Ask, fmt.Sprintf("debater_silent: %s gave no critique: %s", p.ID, reasonOf(j.answer.err)))
		return
	}
	said, lost, unread := j.critique.Opinions(j.answer.text)
	if lost > 0 || unread {
		degrade(&j.answer, j.critique.Ask, fmt.Sprintf("llm_incomplete: %s of the critique of %s lost", parts(lost), p.ID))
	}
	for _, o := range said {
		v := voices.of(j.turns[o.Claim], p.ID)
		v.Judged = append(v.Judged, engine.Judged{Candidate: j.critique.Claims[o.Claim].Candidate, Verdict: o.Verdict, Reason: o.Reason})
	}
}
