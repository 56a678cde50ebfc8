package engine

import (
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// score adds up a candidate's confidence: trigger, modifiers, cap, band.
// related are live elements from earlier turns that bear on it.
func (d *Domain) score(c *domain.Candidate, turn *sir.Turn, related []*sir.Element) (sir.Confidence, sir.Scores) {
	trigger := d.Triggers[c.Trigger]
	s := sir.Scores{Trigger: c.Trigger, Base: trigger.Base, Modifiers: []sir.Modifier{}, Cap: trigger.Cap}
	said := c.Trigger == domain.TriggerPattern || c.Trigger == domain.TriggerModel
	if said && c.Base > 0 {
		s.Base = c.Base
	}
	total := s.Base
	add := func(name string, v sir.Confidence) {
		if v != 0 {
			s.Modifiers = append(s.Modifiers, sir.Modifier{Name: name, Value: v})
			total += v
		}
	}
	if said && c.Scope.Has(sir.Hedged|sir.Proposal) {
		add("hedge", d.Modifiers.Hedge)
	}
	switch {
	case turn.Speaker == sir.Agent:
		add("agent", d.Modifiers.Agent)
	case c.ReportedBy != "":
		add("reported", d.Modifiers.Agent)
	}
	if checker, ok := d.Hooks.(domain.Checker); ok && said && len(related) > 0 {
		if pass, asked := checker.Check(c, related); asked > 0 {
			// 1500·(2c−1) with c = pass/asked, in integers
			add("consistency", d.Modifiers.Consistency*sir.Confidence(2*pass-asked)/sir.Confidence(asked))
		}
	}
	return d.clamp(c.Trigger, min(max(total, 0), s.Cap)), s
}

// repeat is the confidence after a further human turn that says the same.
func (d *Domain) repeat(e *sir.Element) (sir.Confidence, sir.Scores) {
	s := e.Scores
	s.Modifiers = append([]sir.Modifier(nil), s.Modifiers...)
	given := sir.Confidence(0)
	at := -1
	for i, m := range s.Modifiers {
		if m.Name == "repetition" {
			given, at = m.Value, i
		}
	}
	step := min(d.Modifiers.Repetition, d.Modifiers.RepetitionMax-given, max(0, s.Cap-e.Confidence))
	if step <= 0 {
		return e.Confidence, e.Scores
	}
	if at < 0 {
		s.Modifiers = append(s.Modifiers, sir.Modifier{Name: "repetition", Value: step})
	} else {
		s.Modifiers[at].Value += step
	}
	return e.Confidence + step, s
}

// Place is where a new statement of some confidence goes.
type Place string

// The places.
const (
	InDocument   Place = "document"
	InCandidates Place = "candidates"
	Discarded    Place = "discarded"
)

// Decide applies the thresholds to a new statement: where it goes, and which
// flags it has there.
func Decide(t domain.Thresholds, confidence sir.Confidence, explicit bool) (Place, sir.Flags) {
	switch {
	case confidence >= t.AutoAccept:
		return InDocument, sir.Flags{SourceIsExplicit: explicit}
	case confidence >= t.Review:
		return InDocument, sir.Flags{NeedsReview: true, IsTentative: !explicit, SourceIsExplicit: explicit}
	case confidence >= t.Candidate:
		return InCandidates, sir.Flags{}
	}
	return Discarded, sir.Flags{}
}

// explicit reports whether a trigger is a marker or a block.
func explicit(trigger string) bool {
	return trigger == domain.TriggerMarker || trigger == domain.TriggerBlock || trigger == domain.TriggerSpecBlock
}
