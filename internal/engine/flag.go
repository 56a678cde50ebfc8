package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// pool keeps a candidate outside the document.
func (s *settling) pool(t *domain.Type, c *domain.Candidate, confidence sir.Confidence, reason sir.FlagReason, diff *sir.Diff) sir.Candidate {
	out := sir.Candidate{
		CandidateID: sir.DerivedID(s.slice.Header.ID, s.d.ID, "candidate", s.turn.ID, t.Name, s.d.Key(t, c.Data), fmt.Sprint(c.Span)),
		ElementType: t.Name, Data: c.Data, Confidence: confidence, Reason: reason, Diff: diff,
		Evidence: []sir.Evidence{s.evidence(c.Span)},
	}
	if c.Match != "" {
		out.Evidence[0].Match = c.Match
	}
	for _, m := range c.More {
		out.Evidence = append(out.Evidence, s.evidence(m))
	}
	out.SuggestedQuestion = fmt.Sprintf("Is this meant: %s? (%q)", s.d.Describe(t.Name, c.Data), c.Span.Of(s.turn.Content))
	s.result.Flagged = append(s.result.Flagged, out)
	s.pending.Candidates = append(s.pending.Candidates, out)
	return out
}

// diffOf is what a candidate would change in an element.
func (s *settling) diffOf(e *sir.Element, cmp comparison, c *domain.Candidate) *sir.Diff {
	return &sir.Diff{
		FromVersion: e.Version, ToVersion: e.Version + 1, TriggerTurnID: s.turn.ID,
		Changes: sir.Changes(e.Data, cmp.merged, e.ElementType, c.Span.Of(s.turn.Content)),
	}
}

// hold keeps a revision that is too unsure: the element needs review, its
// data stay.
func (s *settling) hold(t *domain.Type, e *sir.Element, c *domain.Candidate, cmp comparison, confidence sir.Confidence, why string) {
	held := s.pool(t, c, confidence, sir.Conflicts, s.diffOf(e, cmp, c))
	if !e.Flags.NeedsReview {
		n := s.edit(e.ID)
		n.Flags.NeedsReview = true
		s.note(e.ID, sir.ActionFlagged, fmt.Sprintf("a revision is held for review, %s: %q", why, held.Evidence[0].Quote), false, s.attribution(c))
	}
}

// flag marks an element as contradicted and asks, quoting both.
func (s *settling) flag(t *domain.Type, e *sir.Element, c *domain.Candidate, cmp comparison, confidence sir.Confidence) {
	n := s.edit(e.ID)
	n.Flags.IsContradicted, n.Flags.NeedsReview = true, true
	s.note(e.ID, sir.ActionFlagged, fmt.Sprintf("contradicted by %q", c.Span.Of(s.turn.Content)), false, s.attribution(c))
	s.disagree(t, e, c, cmp, confidence, sir.ResolveAskHuman, true)
}

// reject leaves a much weaker contradiction out; a person's is also asked
// about, so that a later word never vanishes.
func (s *settling) reject(t *domain.Type, e *sir.Element, c *domain.Candidate, cmp comparison, confidence sir.Confidence) {
	s.drop("rejected", c.Span, fmt.Sprintf("confidence %s is too low against %s", confidence, e.Confidence))
	if s.turn.Speaker == sir.Human {
		s.disagree(t, e, c, cmp, confidence, sir.ResolveReject, true)
	}
}

// disagree records a conflict, with its question where a person is asked.
func (s *settling) disagree(t *domain.Type, e *sir.Element, c *domain.Candidate, cmp comparison, confidence sir.Confidence, suggest sir.Resolution, ask bool) {
	held := s.pool(t, c, confidence, sir.Conflicts, s.diffOf(e, cmp, c))
	var what []string
	for _, f := range cmp.differs {
		what = append(what, fmt.Sprintf("%s is %s or %s", f, show(e.Data[f]), show(c.Data[f])))
	}
	x := sir.Conflict{
		ID:                sir.DerivedID(s.slice.Header.ID, "conflict", e.ID, held.CandidateID),
		ExistingElementID: e.ID, IncomingCandidate: held, ConflictType: sir.ValueMismatch, SuggestedResolution: suggest,
		Description: s.d.Describe(t.Name, e.Data) + ": " + strings.Join(what, "; "),
	}
	if ask {
		x.Question = fmt.Sprintf("Earlier: %q. Now: %q. Which one holds?", lastQuote(e), c.Span.Of(s.turn.Content))
	}
	s.result.Conflicts = append(s.result.Conflicts, x)
	s.pending.Conflicts = append(s.pending.Conflicts, x)
}

func lastQuote(e *sir.Element) string {
	if len(e.Evidence) == 0 {
		return ""
	}
	return e.Evidence[len(e.Evidence)-1].Quote
}

// show prints a value of data for a person.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "unknown"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = fmt.Sprint(x)
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// ask adds a question that waits for a person.
func (s *settling) ask(q sir.Clarification) {
	q.Number = max(1, s.slice.NextClarification) + len(s.pending.Clarifications)
	q.SourceTurnID, q.Timestamp = s.turn.ID, s.turn.Timestamp
	q.ID = sir.DerivedID(s.slice.Header.ID, "clarification", s.turn.ID, q.Question, fmt.Sprint(len(s.pending.Clarifications)))
	if q.Options == nil {
		q.Options = []string{}
	}
	if q.ElementIDs == nil {
		q.ElementIDs = []string{}
	}
	s.result.Clarifications = append(s.result.Clarifications, q)
	s.pending.Clarifications = append(s.pending.Clarifications, q)
}

// askKeep asks, in interactive mode, about what is too unsure to enter.
func (s *settling) askKeep(t *domain.Type, c *domain.Candidate, held sir.Candidate) {
	data := s.d.Describe(t.Name, c.Data)
	s.ask(sir.Clarification{
		Question: "Should this be kept: " + data + "?", Context: c.Span.Of(s.turn.Content), Options: []string{"yes, " + data, "no, leave it out"}, Evidence: held.Evidence, CandidateID: held.CandidateID,
		Interpretations: []sir.Interpretation{{
			ID: sir.DerivedID(s.slice.Header.ID, "interpretation", s.turn.ID, t.Name, s.d.Key(t, c.Data)), ElementType: t.Name, Data: c.Data,
			Confidence: c.Base, Rationale: rationale(c), ProposedBy: c.Trigger + ":" + c.Rule,
		}},
	})
}

// whichOne asks which of several elements a statement is about.
func (s *settling) whichOne(t *domain.Type, c *domain.Candidate, fits []*sir.Element) string {
	for _, e := range fits {
		c.Options = append(c.Options, s.d.Describe(t.Name, e.Data))
		c.Others = append(c.Others, e.ID)
	}
	c.Options = append(c.Options, "none of them")
	return fmt.Sprintf("Which one is meant by %q?", c.Span.Of(s.turn.Content))
}

// askWhich asks which of several values a bare correction changes.
func (s *settling) askWhich(f Fix, at []sir.ValueAt) {
	q := sir.Clarification{Question: fmt.Sprintf("What should become %s?", f.Value), Context: f.Span.Of(s.turn.Content)}
	for _, v := range at {
		e := s.element(v.ElementID)
		if e == nil {
			continue
		}
		q.Options = append(q.Options, fmt.Sprintf("%s of %s (now %s)", v.Field, s.d.Describe(e.ElementType, e.Data), show(e.Data[v.Field])))
		if !slices.Contains(q.ElementIDs, e.ID) {
			q.ElementIDs = append(q.ElementIDs, e.ID)
		}
		data := sir.Data{v.Field: f.Value}
		for _, k := range s.d.TypeNamed(e.ElementType).Key {
			data[k] = e.Data[k]
		}
		q.Interpretations = append(q.Interpretations, sir.Interpretation{
			ID:          sir.DerivedID(s.slice.Header.ID, "interpretation", s.turn.ID, e.ID, v.Field),
			ElementType: e.ElementType, Data: complete(s.d.TypeNamed(e.ElementType), data), Confidence: e.Confidence,
			Rationale: "corrects " + v.Field, ProposedBy: "correction",
		})
		s.edit(e.ID).Flags.NeedsReview = true
		s.note(e.ID, sir.ActionFlagged, "perhaps corrected: "+f.Span.Of(s.turn.Content), false, s.speaker())
	}
	s.ask(q)
}
