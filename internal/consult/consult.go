package consult

import (
	"context"
	"fmt"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// Counsel is what was said, by the id of the turn that it is about.
type Counsel map[string]*engine.Heard

// of returns what was said about a turn, to be added to.
func (c Counsel) of(id string) *engine.Heard {
	if c[id] == nil {
		c[id] = &engine.Heard{}
	}
	return c[id]
}

// Failure is a chunk that no answer came for.
type Failure struct {
	// Turns are the ids of those that it was about.
	Turns []string
	// Reason begins with a code: "llm_timeout: …".
	Reason string
}

// Ask sends requests and reads the replies. What comes back does not depend
// on which reply comes first. Failures are no errors: only the end of the
// context and a failing memo are.
func (a *Asker) Ask(ctx context.Context, asks []*prompt.Ask) (Counsel, []Failure, error) {
	answers, err := a.answers(ctx, asks)
	if err != nil {
		return nil, nil, err
	}
	out := Counsel{}
	var failed []Failure
	for i, ask := range asks {
		if reason := a.take(out, ask, &answers[i]); reason != "" {
			failed = append(failed, Failure{Turns: ask.Turns(), Reason: reason})
		}
	}
	return out, failed, nil
}

// take adds what came of a request to the counsel. It returns why there was
// no answer; "" where there was one.
func (a *Asker) take(out Counsel, ask *prompt.Ask, got *answer) (failed string) {
	head := out.of(ask.Turns()[0])
	defer func() { addTo(&head.Metadata, &got.meta) }()
	if got.err != nil {
		return degrade(got, ask, reasonOf(got.err))
	}
	said := ask.Read(got.text, a.Name)
	for id, found := range said.Candidates {
		h := out.of(id)
		h.Candidates = append(h.Candidates, found...)
	}
	head.Dropped = append(head.Dropped, said.Dropped...)
	switch {
	case got.finish == llm.FinishRefused && said.Unread:
		return degrade(got, ask, "llm_refused: "+a.Name+" would not answer")
	case said.Unread:
		return degrade(got, ask, "llm_unreadable: the reply of "+a.Name+" holds no items")
	case got.finish == llm.FinishLength || said.Lost > 0:
		degrade(got, ask, fmt.Sprintf("llm_incomplete: the reply of %s was cut off or broken; %s of it lost", a.Name, parts(said.Lost)))
	}
	return ""
}

func parts(n int) string {
	if n == 1 {
		return "1 part"
	}
	return fmt.Sprintf("%d parts", n)
}

// degrade notes in an answer's metadata what went wrong with which turns, and
// returns it.
func degrade(got *answer, ask *prompt.Ask, reason string) string {
	got.meta.Degraded = true
	got.meta.DegradedReasons = append(got.meta.DegradedReasons, fmt.Sprintf("%s (%s)", reason, about(ask)))
	return reason
}

// about says which turns a request is about, by their places.
func about(ask *prompt.Ask) string {
	var first, last *sir.Turn
	for _, l := range ask.Chunk.Lines {
		switch {
		case l.Context:
		case first == nil:
			first, last = l.Turn, l.Turn
		default:
			last = l.Turn
		}
	}
	if first == last {
		return fmt.Sprintf("turn %d of %s", first.Seq, first.SessionID)
	}
	return fmt.Sprintf("turns %d to %d of %s", first.Seq, last.Seq, first.SessionID)
}

func addTo(m, n *sir.ResultMetadata) {
	m.LLMCalls += n.LLMCalls
	m.Tokens += n.Tokens
	m.CacheHits += n.CacheHits
	m.Degraded = m.Degraded || n.Degraded
	m.DegradedReasons = append(m.DegradedReasons, n.DegradedReasons...)
}
