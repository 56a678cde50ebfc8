package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
)

// reopenIt takes back what was decided about an element, that it holds, or
// that it does not: it is proposed again, as sure as its evidence is. It is
// refused where something else holds in its place by now.
func (a *acting) reopenIt() (string, error) {
	e, err := a.target(0)
	if err != nil {
		return "", err
	}
	if e.Status == sir.Proposed {
		return "", a.refuse(e, "it is not closed: it is %s", e.Status)
	}
	t := a.d.TypeNamed(e.ElementType)
	if t == nil {
		return "", a.refuse(e, "the domain %s has no such type any more", a.d.ID)
	}
	if other := a.rival(t, e, e.ID); other != nil && !e.Status.Live() {
		return "", a.refuse(e, "%s (%s) holds in its place: correct that, or deprecate it first", a.label(other), other.ID)
	}
	n := a.edit(e.ID)
	ended(n, sir.Proposed, "")
	n.Scores = a.d.scoresOf(e, a.x.Scores)
	n.Confidence = a.d.total(n.Scores)
	n.Flags = a.flagsOf(n)
	a.enter(n.ID, sir.ActionReopened, a.because("a person opens it again"))
	if n.Flags.IsAmbiguous {
		a.ask(a.d.WhichReading(n))
	}
	for _, id := range a.x.Successors {
		if s := a.element(id); s != nil && s.ReplacesID == n.ID {
			a.edit(id).ReplacesID = ""
			a.note(id, sir.ActionRefined, n.ID+" is open again beside it", false, a.speaker())
		}
	}
	return fmt.Sprintf("Reopened: %s, with confidence %s.", a.label(n), n.Confidence), nil
}

// scoresOf are the scores of an element by its evidence alone, as it has kept
// them, else the newest that its history knows. Where an answer brought it in,
// they are those of the chosen reading; else as little as gets in.
func (d *Domain) scoresOf(e *sir.Element, kept *sir.Scores) sir.Scores {
	const act = "act"
	if e.Scores.Trigger != act {
		return e.Scores
	}
	if kept != nil && kept.Trigger != act {
		return *kept
	}
	for _, r := range e.Interpretations {
		if r.ID == e.ResolvedInterpretationID {
			trigger, _, _ := strings.Cut(r.ProposedBy, ":")
			return sir.Scores{Trigger: trigger, Base: r.Confidence, Modifiers: []sir.Modifier{}, Cap: max(r.Confidence, d.Triggers[trigger].Cap)}
		}
	}
	level := d.Thresholds.Review
	return sir.Scores{Trigger: act, Base: level, Modifiers: []sir.Modifier{}, Cap: level}
}

// total adds up scores that were kept.
func (d *Domain) total(s sir.Scores) sir.Confidence {
	total := s.Base
	for _, m := range s.Modifiers {
		total += m.Value
	}
	return d.clamp(s.Trigger, min(max(total, 0), s.Cap))
}

// clamp keeps a confidence in the trigger's band.
func (d *Domain) clamp(trigger string, c sir.Confidence) sir.Confidence {
	if band, ok := d.Bands[trigger]; ok {
		return min(max(c, band[0]), band[1])
	}
	return c
}

// flagsOf are the flags of an element that is proposed anew.
func (a *acting) flagsOf(e *sir.Element) sir.Flags {
	explicit := e.Flags.SourceIsExplicit
	review := e.Confidence < a.d.Thresholds.AutoAccept || a.d.ReviewAll
	f := sir.Flags{SourceIsExplicit: explicit, NeedsReview: review, IsTentative: review && !explicit}
	if len(e.Interpretations) > 1 && e.ResolvedInterpretationID == "" {
		f.IsAmbiguous, f.NeedsReview = true, true
	}
	return f
}

// WhichReading is the question which reading of an element is meant.
func (d *Domain) WhichReading(e *sir.Element) sir.Clarification {
	q := sir.Clarification{ElementIDs: []string{e.ID}, Interpretations: e.Interpretations}
	if len(e.Evidence) > 0 {
		q.Context = e.Evidence[0].Quote
	}
	q.Question = fmt.Sprintf("What is meant by %q?", q.Context)
	for _, r := range e.Interpretations {
		q.Options = append(q.Options, d.Describe(r.ElementType, r.Data))
	}
	return q
}

// Resolvable returns the newest open question about the reading or identity
// of an element; nil for none.
func Resolvable(open []sir.Clarification, id string) *sir.Clarification {
	for i := len(open) - 1; i >= 0; i-- {
		q := &open[i]
		if n := slices.Index(q.ElementIDs, id); n == 0 || n > 0 && len(q.Interpretations) > 0 {
			return q
		}
	}
	return nil
}
