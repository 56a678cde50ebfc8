package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// contradictions groups the turn's candidates: those that give one slot, or
// one key, different values in different sentences belong together, unless
// the later corrects the earlier.
func (s *settling) contradictions(cands []*domain.Candidate) [][]*domain.Candidate {
	var groups [][]*domain.Candidate
	byKey := map[string][]int{} // groups that could be contradicted, by key or slot
	listed := map[string]int{}  // how often their statements are: one of another sentence is enough
next:
	for _, c := range cands {
		t := s.d.TypeNamed(c.Type)
		keys := []string{"key " + s.d.Key(t, c.Data)}
		if slot := s.d.Slot(t, c.Data); slot != "" {
			keys = append(keys, "slot "+slot)
		}
		if len(c.Readings) == 0 && !c.Correction {
			for _, k := range keys {
				for _, i := range byKey[k] {
					if s.selfContradiction(groups[i][0], c) {
						groups[i] = append(groups[i], c)
						continue next
					}
				}
			}
		}
		all := s.d.whole(t, c)
		for _, k := range keys {
			if listed[k+all]++; listed[k+all] <= 2 {
				byKey[k] = append(byKey[k], len(groups))
			}
		}
		groups = append(groups, []*domain.Candidate{c})
	}
	return groups
}

// whole is all that a candidate says, as one text to compare.
func (d *Domain) whole(t *domain.Type, c *domain.Candidate) string {
	var b strings.Builder
	b.WriteString("\x1e" + c.ReportedBy)
	for i := range t.Fields {
		b.WriteString("\x1e" + d.Canonical(&t.Fields[i], c.Data[t.Fields[i].Name]))
	}
	return b.String()
}

func (s *settling) selfContradiction(a, b *domain.Candidate) bool {
	if a.Type != b.Type || a.Sentence == b.Sentence || len(a.Readings) > 0 || a.ReportedBy != b.ReportedBy || !s.d.contradicts(a.Type, a.Data, b.Data) {
		return false
	}
	t := s.d.TypeNamed(a.Type)
	if s.d.Key(t, a.Data) == s.d.Key(t, b.Data) {
		return true
	}
	slot := s.d.Slot(t, a.Data)
	return slot != "" && slot == s.d.Slot(t, b.Data)
}

// contradiction makes one ambiguous element of statements that contradict
// each other in one turn; a person must resolve it whatever the mode.
func (s *settling) contradiction(group []*domain.Candidate) {
	first := group[0]
	for i, c := range group {
		first.Readings = append(first.Readings, domain.Reading{
			Type: c.Type, Data: c.Data, Base: c.Base, Option: s.d.Describe(c.Type, c.Data),
			Rationale: fmt.Sprintf("said as %q", c.Span.Of(s.turn.Content)),
		})
		if i > 0 {
			first.More = append(first.More, c.Span)
		}
	}
	s.ambiguous(first, true)
}

// addReadings makes a candidate ambiguous with another reading of its words.
func (d *Domain) addReadings(c *domain.Candidate, other domain.Candidate) {
	if len(c.Readings) == 0 {
		c.Readings = append(c.Readings, domain.Reading{Type: c.Type, Data: c.Data, Base: c.Base, Option: d.Describe(c.Type, c.Data), Rationale: "rule " + c.Rule})
	}
	c.Readings = append(c.Readings, domain.Reading{Type: other.Type, Data: other.Data, Base: other.Base, Option: d.Describe(other.Type, other.Data), Rationale: "rule " + other.Rule})
}

// ambiguous settles a candidate with several readings: one element with
// interpretations, or in interactive mode a question before anything enters.
// What was resolved before, or is asked already, is not asked again. forced: a
// question is asked even where the readings are too unsure to enter.
func (s *settling) ambiguous(c *domain.Candidate, forced bool) {
	var readings []sir.Interpretation
	var options []string
	var scores sir.Scores
	for i, r := range c.Readings {
		one := *c
		one.Base, one.Type, one.Data = r.Base, r.Type, r.Data
		confidence, sc := s.d.score(&one, s.turn, s.related(&one))
		if i == 0 {
			scores = sc
		}
		t := s.d.TypeNamed(r.Type)
		readings = append(readings, sir.Interpretation{
			ID:          sir.DerivedID(s.slice.Header.ID, "interpretation", s.turn.ID, fmt.Sprint(c.Span, i), s.d.Key(t, r.Data)),
			ElementType: r.Type, Data: r.Data, Confidence: confidence, Rationale: r.Rationale, ProposedBy: c.Trigger + ":" + c.Rule,
		})
		options = append(options, r.Option)
	}
	if i := s.resolved(readings); i >= 0 {
		c.Type, c.Data, c.Readings, c.Question = readings[i].ElementType, readings[i].Data, nil, ""
		s.one(c)
		return
	}
	fragment := c.Span.Of(s.turn.Content)
	amb := sir.Ambiguity{
		ID:          sir.DerivedID(s.slice.Header.ID, "ambiguity", s.turn.ID, fmt.Sprint(c.Span)),
		Description: fmt.Sprintf("%q has %d readings", fragment, len(readings)), Interpretations: readings,
		SourceTurnID: s.turn.ID, SourceFragment: fragment,
	}
	question := c.Question
	if question == "" {
		question = fmt.Sprintf("What is meant by %q?", fragment)
	}
	shared := *c
	shared.Question = ""
	shared.Type = c.Readings[0].Type
	shared.Data = s.d.shared(c.Readings)
	for name := range c.Fields {
		if f := s.d.TypeNamed(shared.Type).FieldNamed(name); f == nil || !domain.Known(f, shared.Data[name]) {
			fields := map[string]domain.FieldSource{}
			for k, v := range shared.Fields {
				if k != name {
					fields[k] = v
				}
			}
			shared.Fields = fields
		}
	}
	t := s.d.TypeNamed(shared.Type)
	known, _ := s.find(t, &shared)
	if known != nil && known.Flags.IsAmbiguous && s.sameReadings(known.Interpretations, readings) {
		s.repeated(t, known, &shared, readings[0].Confidence, scores)
		return
	}
	if slices.ContainsFunc(s.slice.Open, func(q sir.Clarification) bool { return s.sameReadings(q.Interpretations, readings) }) {
		s.drop("already_asked", c.Span, question)
		return
	}
	s.result.Ambiguities = append(s.result.Ambiguities, amb)
	place, _ := Decide(s.d.Thresholds, readings[0].Confidence, explicit(c.Trigger))
	if s.mode == sir.Interactive || forced && place == InCandidates {
		held := s.pool(t, &shared, readings[0].Confidence, sir.IsAmbiguous, nil)
		s.ask(sir.Clarification{Question: question, Context: fragment, Options: options, Interpretations: readings, Evidence: held.Evidence, CandidateID: held.CandidateID})
		return
	}
	var e *sir.Element
	if known != nil && known.Status.Live() {
		e = s.edit(known.ID)
		e.Interpretations = readings
		e.ResolvedInterpretationID = ""
		e.Flags.IsAmbiguous, e.Flags.NeedsReview = true, true
		s.citeFields(e, &shared, readings[0].Confidence)
		s.index(e)
		s.note(e.ID, sir.ActionFlagged, amb.Description, false, s.attribution(c))
	} else if e = s.create(t, &shared, readings[0].Confidence, scores, readings); e == nil {
		return
	}
	s.ask(sir.Clarification{Question: question, Context: fragment, Options: options, ElementIDs: []string{e.ID}, Interpretations: readings})
}

// resolved returns which of the readings a person chose when they stood for
// choice before, or -1.
func (s *settling) resolved(readings []sir.Interpretation) int {
	for i, r := range readings {
		for _, e := range s.with(termKey + s.d.Key(s.d.TypeNamed(r.ElementType), r.Data)) {
			if e.Status.Live() && len(e.Interpretations) > i && e.ResolvedInterpretationID == e.Interpretations[i].ID && s.sameReadings(e.Interpretations, readings) {
				return i
			}
		}
	}
	return -1
}

// sameReadings reports whether two lists of readings say the same.
func (s *settling) sameReadings(a, b []sir.Interpretation) bool {
	return slices.EqualFunc(a, b, func(x, y sir.Interpretation) bool {
		t := s.d.TypeNamed(x.ElementType)
		return t != nil && x.ElementType == y.ElementType && s.d.Key(t, x.Data) == s.d.Key(t, y.Data) && !s.d.contradicts(t.Name, x.Data, y.Data)
	})
}

// shared is what all readings of the most likely one's type agree on; the
// rest is unknown.
func (d *Domain) shared(readings []domain.Reading) sir.Data {
	t := d.TypeNamed(readings[0].Type)
	out := t.Blank()
	for i := range t.Fields {
		f := &t.Fields[i]
		v := readings[0].Data[f.Name]
		same := true
		for _, r := range readings[1:] {
			same = same && r.Type == t.Name && d.Equal(f, r.Data[f.Name], v)
		}
		if same {
			out[f.Name] = v
		}
	}
	return out
}
