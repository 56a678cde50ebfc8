package engine

import (
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// closeWaiting closes what waits for a person about one element and no
// other: its questions, its contradictions, whose incoming side is thereby
// not taken, and revisions of it that are held.
func (s *settling) closeWaiting(p sir.Pending, e *sir.Element) {
	add := func(id string) {
		if id != "" && !slices.Contains(s.pending.Closed, id) {
			s.pending.Closed = append(s.pending.Closed, id)
		}
	}
	for _, q := range p.Clarifications {
		if len(q.ElementIDs) > 0 && !slices.ContainsFunc(q.ElementIDs, func(id string) bool { return id != e.ID }) {
			add(q.ID)
			add(q.CandidateID)
		}
	}
	for _, c := range p.Conflicts {
		if c.ExistingElementID == e.ID {
			add(c.ID)
			add(c.IncomingCandidate.CandidateID)
		}
	}
	for i := range p.Candidates {
		if c := &p.Candidates[i]; s.revises(c, e) {
			add(c.CandidateID)
		}
	}
}

// revises reports whether a held candidate is a revision of the element: it
// would be settled against that one.
func (s *settling) revises(c *sir.Candidate, e *sir.Element) bool {
	t := s.d.TypeNamed(c.ElementType)
	if c.Reason != sir.Conflicts || t == nil || t.Name != e.ElementType {
		return false
	}
	for name := range c.Data {
		if t.FieldNamed(name) == nil {
			return false // of another domain's type of that name
		}
	}
	found, _ := s.find(t, &domain.Candidate{Type: t.Name, Data: c.Data})
	return found != nil && found.ID == e.ID
}
