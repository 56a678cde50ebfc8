package engine

import (
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Voice is what a model said, as a debater, about one turn.
type Voice struct {
	// Proposals are what it would keep.
	Proposals []domain.Candidate
	// Judged are what it thinks of what others would.
	Judged []Judged
	// Err: it gave no answer, and is left out.
	Err error
}

// Judged is a verdict on a candidate.
type Judged struct {
	Candidate domain.Candidate
	Verdict   sir.Verdict
	Reason    string
}

// byModel is a debater that a model speaks for. It was asked before the
// document was looked at, and is quoted here.
type byModel struct {
	s     *settling
	voice *Voice
}

func (m *byModel) propose(claims []*claim) ([]*opinion, error) {
	out := make([]*opinion, len(claims))
	for i, c := range claims {
		for k := range m.voice.Proposals {
			own := m.voice.Proposals[k]
			if !m.about(c, &own) {
				continue
			}
			reason := own.Rationale
			if reason == "" {
				reason = "it reads the words so"
			}
			o := m.s.supports(&own, c.related[0], reason)
			out[i] = &o
			break
		}
	}
	return out, nil
}

func (m *byModel) critique(claims []*claim, proposals []*opinion) ([]*opinion, error) {
	out := make([]*opinion, len(claims))
	for i, c := range claims {
		if !proposals[i].proposes() {
			continue
		}
		for k := range m.voice.Judged {
			if j := &m.voice.Judged[k]; m.about(c, &j.Candidate) {
				out[i] = &opinion{verdict: j.Verdict, reason: j.Reason}
				break
			}
		}
	}
	return out, nil
}

// about reports whether a candidate says what the claim says.
func (m *byModel) about(c *claim, one *domain.Candidate) bool {
	for _, other := range c.group {
		if other.Type == one.Type && m.s.d.Alike(other, one) {
			return true
		}
	}
	return false
}
