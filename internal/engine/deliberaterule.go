package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// debating returns the rules of a debater, or one that only says why it
// cannot take part.
func (s *settling) debating(d Debater) debating {
	switch {
	case d.Voice != nil && d.Voice.Err != nil:
		return absent{d.Voice.Err}
	case d.Voice != nil:
		return &byModel{s, d.Voice}
	case d.Model != "":
		return absent{fmt.Errorf("model %s: %w", d.Model, errNoModel)}
	case d.ID == "strict":
		return &byRule{s.strict}
	case d.ID == "broad":
		return &byRule{s.broad}
	case d.ID == "structure":
		return &byRule{s.structure}
	}
	return absent{errNoModel}
}

// absent is a debater that cannot take part.
type absent struct{ why error }

func (a absent) propose([]*claim) ([]*opinion, error)              { return nil, a.why }
func (a absent) critique([]*claim, []*opinion) ([]*opinion, error) { return nil, a.why }

// byRule is a debater that needs no model: it judges one candidate of a claim
// at a time by rules about domain data.
type byRule struct {
	judge func(c *claim, one *domain.Candidate, related []*sir.Element) opinion
}

func (r *byRule) propose(claims []*claim) ([]*opinion, error) {
	out := make([]*opinion, len(claims))
	for i, c := range claims {
		out[i] = r.opinion(c)
	}
	return out, nil
}

func (r *byRule) critique(claims []*claim, proposals []*opinion) ([]*opinion, error) {
	out := make([]*opinion, len(claims))
	for i, c := range claims {
		if proposals[i].proposes() {
			out[i] = r.opinion(c)
		}
	}
	return out, nil
}

// opinion is what the debater thinks of a claim: the best that it thinks of
// one of its candidates.
func (r *byRule) opinion(c *claim) *opinion {
	rank := []sir.Verdict{sir.Oppose, sir.Doubt, sir.Support}
	var best *opinion
	for i := range c.group {
		one := *c.group[i] // a hook is shown a copy: others look at it now
		o := r.judge(c, &one, c.related[i])
		if best == nil || slices.Index(rank, o.verdict) > slices.Index(rank, best.verdict) {
			best = &o
		}
	}
	return best
}

// supports is the opinion of who supports a candidate.
func (s *settling) supports(c *domain.Candidate, related []*sir.Element, reason string) opinion {
	o := opinion{verdict: sir.Support, reason: reason}
	o.confidence, o.scores = s.d.score(c, s.turn, related)
	return o
}

const written = "it is written explicitly"

// sureRule is what a rule must be worth for strict.
const sureRule = sir.Confidence(7000)

// strict takes words that are explicit, or sure by themselves: it gives
// nothing for how well they fit, and nothing that comes from elsewhere.
func (s *settling) strict(_ *claim, c *domain.Candidate, _ []*sir.Element) opinion {
	base := c.Base
	if base == 0 {
		base = s.d.Triggers[c.Trigger].Base
	}
	hedges := (c.Scope & (sir.Hedged | sir.Proposal)).Names()
	from := inferred(c)
	switch {
	case explicit(c.Trigger):
		return s.supports(c, nil, written)
	case len(from) > 0:
		return opinion{verdict: sir.Oppose, reason: strings.Join(from, " and ") + " only follows from what the talk was about"}
	case len(hedges) > 0:
		return opinion{verdict: sir.Oppose, reason: "it is said as " + listed(hedges)}
	case c.Weak:
		return opinion{verdict: sir.Oppose, reason: "only the weak rule " + c.Rule + " finds it"}
	case base < sureRule:
		return opinion{verdict: sir.Doubt, reason: fmt.Sprintf("the rule %s is worth %s, less than %s", c.Rule, base, sureRule)}
	}
	return s.supports(c, nil, fmt.Sprintf("the rule %s is worth %s", c.Rule, base))
}

// inferred are the fields that the words leave to what was spoken of before.
func inferred(c *domain.Candidate) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		if c.Fields[name].Rule == "focus" {
			out = append(out, name)
		}
	}
	return out
}

// broad takes all that a rule found.
func (s *settling) broad(_ *claim, c *domain.Candidate, related []*sir.Element) opinion {
	if explicit(c.Trigger) {
		return s.supports(c, related, written)
	}
	return s.supports(c, related, "it "+rationale(c))
}

// structure takes what fits: what the document knows, or other words of the
// turn speak of, and nothing there contradicts.
func (s *settling) structure(claim *claim, c *domain.Candidate, related []*sir.Element) opinion {
	pass, asked := 0, 0
	if checker, ok := s.d.Hooks.(domain.Checker); ok && len(related) > 0 && !c.Correction {
		pass, asked = checker.Check(c, related)
	}
	switch {
	case claim.against != nil && !explicit(c.Trigger):
		return opinion{verdict: sir.Oppose, reason: "the document has " + s.d.Describe(claim.against.ElementType, claim.against.Data)}
	case 2*pass < asked:
		return opinion{verdict: sir.Oppose, reason: fmt.Sprintf("it passes %d of %d checks against the document", pass, asked)}
	case explicit(c.Trigger):
		return s.supports(c, related, written)
	case asked > 0 && 2*pass == asked:
		return opinion{verdict: sir.Doubt, reason: fmt.Sprintf("it passes %d of %d checks against the document", pass, asked)}
	case claim.known != "":
		return s.supports(c, related, fmt.Sprintf("the document knows %q", claim.known))
	case claim.shared != "":
		return s.supports(c, related, fmt.Sprintf("other words of the turn speak of %q too", claim.shared))
	}
	return opinion{verdict: sir.Doubt, reason: "nothing that it names stands anywhere else"}
}
