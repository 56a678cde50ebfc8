package speckl

import (
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
)

// Trace is what each stage made of one turn in one domain.
type Trace struct {
	Turn   *sir.Turn
	Domain string
	// Sentences are those that the annotator looked into, with their scopes;
	// none where no rule could match.
	Sentences []TracedSentence
	// Candidates are what the rules and blocks found.
	Candidates []domain.Candidate
	// Asked are the terms by which the document was looked up; Loaded is how
	// many elements came back.
	Asked  []string
	Loaded int
	Result *sir.Result
}

// TracedSentence is a sentence as it was annotated.
type TracedSentence struct {
	Text   string
	Scopes []string
}

func (c *Client) trace(d *engine.Domain, p *engine.Proposal, ask sir.Ask, slice *sir.Slice, out *engine.Outcome) {
	if c.cfg.Trace == nil {
		return
	}
	t := Trace{Turn: p.Turn, Domain: d.ID, Candidates: p.Candidates, Asked: ask.Terms, Loaded: len(slice.Elements), Result: out.Result}
	for _, s := range p.Text.Sentences {
		t.Sentences = append(t.Sentences, TracedSentence{Text: p.Text.Span(s).Of(p.Turn.Content), Scopes: s.Scope.Names()})
	}
	c.cfg.Trace(t)
}
