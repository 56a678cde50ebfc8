package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// create decides about a new statement: into the document, into the pool of
// candidates, or away. It returns the element, or nil.
func (s *settling) create(t *domain.Type, c *domain.Candidate, confidence sir.Confidence, scores sir.Scores, readings []sir.Interpretation) *sir.Element {
	place, flags := Decide(s.d.Thresholds, confidence, explicit(c.Trigger))
	switch place {
	case Discarded:
		s.drop("below_candidate", c.Span, "confidence "+confidence.String())
		return nil
	case InCandidates:
		held := s.pool(t, c, confidence, sir.LowConfidence, nil)
		if s.mode == sir.Interactive {
			s.askKeep(t, c, held)
		}
		return nil
	}
	e := s.mint(t, c, c.Data, confidence, scores)
	e.Flags = flags
	if s.confirms(c) && confidence >= s.d.Thresholds.AutoAccept {
		e.Status = sir.Confirmed
	}
	e.Interpretations = readings
	if len(readings) > 0 {
		e.Flags.IsAmbiguous, e.Flags.NeedsReview = true, true
		e.Status = sir.Proposed
	}
	s.review(e)
	s.link(t, e, c, confidence)
	if c.Question != "" {
		e.Flags.NeedsReview = true
		s.ask(sir.Clarification{Question: c.Question, Context: c.Span.Of(s.turn.Content), Options: c.Options, ElementIDs: append([]string{e.ID}, c.Others...)})
	}
	return e
}

// mint makes a new element with the turn's first entry.
func (s *settling) mint(t *domain.Type, c *domain.Candidate, data sir.Data, confidence sir.Confidence, scores sir.Scores) *sir.Element {
	key := s.d.Key(t, data)
	e := &sir.Element{
		ElementType: t.Name, Domain: s.d.ID, Confidence: confidence, Status: sir.Proposed, Version: 1,
		CreatedAt: s.turn.Timestamp, UpdatedAt: s.turn.Timestamp, Data: data, Fields: map[string]sir.Field{},
		Attribution: s.attribution(c), Scores: scores,
		Flags: sir.Flags{SourceIsExplicit: explicit(c.Trigger), NeedsReview: confidence < s.d.Thresholds.AutoAccept},
	}
	e.Flags.IsTentative = e.Flags.NeedsReview && !e.Flags.SourceIsExplicit
	e.ID = sir.ElementID(s.slice.Header.ID, s.d.ID, t.Name, key, s.generation(t, key))
	s.now[e.ID] = e
	s.order = append(s.order, e.ID)
	e.Keys = []string{key}
	s.found.add(e)
	s.citeFields(e, c, confidence)
	s.index(e)
	var known []string
	for i := range t.Fields {
		if domain.Known(&t.Fields[i], data[t.Fields[i].Name]) {
			known = append(known, t.Fields[i].Name)
		}
	}
	s.remember(e, known)
	s.note(e.ID, sir.ActionExtracted, rationale(c), s.confirms(c), s.attribution(c))
	return e
}

// generation counts the elements that were born with a key.
func (s *settling) generation(t *domain.Type, key string) int {
	s.wants(termKey + key)
	return s.found.births[birth{s.d.ID, t.Name, key}]
}

// citeFields adds the candidate's words as evidence, and says by field where
// they are and how sure.
func (s *settling) citeFields(e *sir.Element, c *domain.Candidate, confidence sir.Confidence) {
	if len(c.Quotes) > 0 {
		s.quoteFields(e, c, confidence)
		return
	}
	main := s.cite(e, c.Span, c.Match)
	for _, m := range c.More {
		s.cite(e, m, sir.Verbatim)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) { // evidence is numbered in this order
		src := c.Fields[name]
		at, fieldConfidence := main, confidence
		var rule *string
		if src.Rule != "" {
			rule = &src.Rule
			fieldConfidence = max(0, confidence+s.d.Modifiers.FieldContext)
		}
		if src.Quote != nil {
			at = adopt(e, *src.Quote)
		} else if !c.Span.Covers(src.Span) {
			at = s.cite(e, src.Span, sir.Verbatim)
			for i, ev := range e.Evidence {
				if ev.TurnID == s.turn.ID && ev.Bytes[0] <= src.Span.Start && src.Span.End <= ev.Bytes[1] {
					at = i
					break
				}
			}
		}
		was, known := e.Fields[name]
		if known && was.Confidence > fieldConfidence && s.sameValue(e, c, name) {
			if !slices.Contains(was.Evidence, at) {
				was.Evidence = append(slices.Clip(was.Evidence), at)
				e.Fields[name] = was
			}
			continue
		}
		f := sir.Field{Confidence: fieldConfidence, Evidence: []int{at}, Rule: rule}
		if known && s.sameValue(e, c, name) && !slices.Contains(was.Evidence, at) {
			f.Evidence = append(slices.Clip(was.Evidence), at)
		}
		e.Fields[name] = f
	}
}

// quoteFields is citeFields for words of earlier turns: they support every
// field that the candidate knows.
func (s *settling) quoteFields(e *sir.Element, c *domain.Candidate, confidence sir.Confidence) {
	var at []int
	for _, q := range c.Quotes {
		at = append(at, adopt(e, q))
	}
	t := s.d.TypeNamed(e.ElementType)
	for i := range t.Fields {
		f := &t.Fields[i]
		if domain.Known(f, c.Data[f.Name]) {
			e.Fields[f.Name] = sir.Field{Confidence: confidence, Evidence: at}
		}
	}
}

// sameValue reports whether the element holds the candidate's value of a
// field since before this statement.
func (s *settling) sameValue(e *sir.Element, c *domain.Candidate, name string) bool {
	old := s.before[e.ID]
	f := s.d.TypeNamed(e.ElementType).FieldNamed(name)
	return old != nil && s.d.Equal(f, old.Data[name], c.Data[name])
}

// link gives an element refs to what its fields name, and makes what stands
// in no element yet: an element with the statement's evidence, at most as
// sure as the domain allows for what is only implied.
func (s *settling) link(t *domain.Type, e *sir.Element, c *domain.Candidate, confidence sir.Confidence) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Ref == "" {
			continue
		}
		e.Refs = slices.DeleteFunc(e.Refs, func(r sir.Ref) bool { return r.Rel == f.Name })
		if !domain.Known(f, e.Data[f.Name]) || isFree(f, e.Data[f.Name]) {
			continue
		}
		if id := s.named(f, e, c, confidence); id != "" {
			e.Refs = append(e.Refs, sir.Ref{Rel: f.Name, ID: id})
		}
	}
}

// named returns the id of the element that a field names, made where there
// is none; "" where a person has said that it is none.
func (s *settling) named(f *domain.Field, e *sir.Element, c *domain.Candidate, confidence sir.Confidence) string {
	found := s.with(s.d.refKey(f, e.Data[f.Name]))
	for _, x := range found {
		if x.ElementType == f.Ref && x.Status.Live() {
			return x.ID
		}
	}
	for _, x := range found {
		if y := s.successor(x); x.ElementType == f.Ref && y != nil {
			return y.ID
		}
	}
	for _, x := range found {
		if x.ElementType == f.Ref && x.Status == sir.Error {
			return ""
		}
	}
	if h, ok := s.d.Hooks.(domain.Implier); ok && !h.Implies(c, f.Name, s.view()) {
		return ""
	}
	t := s.d.TypeNamed(f.Ref)
	implied := domain.Candidate{
		Type: t.Name, Data: t.Blank(), Span: c.Span, Trigger: domain.TriggerPattern, Rule: "named-by-" + e.ElementType,
		Fields: map[string]domain.FieldSource{}, Sentence: c.Sentence, ReportedBy: c.ReportedBy, Quotes: c.Quotes,
	}
	if src, ok := c.Fields[f.Name]; ok && !c.Span.Covers(src.Span) {
		implied.Span = src.Span
	}
	implied.Data[t.Key[0]] = e.Data[f.Name]
	level := min(confidence, s.d.Modifiers.Implied)
	n := s.mint(t, &implied, implied.Data, level, sir.Scores{Trigger: "implied", Base: level, Modifiers: []sir.Modifier{}, Cap: s.d.Modifiers.Implied})
	n.Flags = sir.Flags{NeedsReview: true, IsTentative: true}
	return n.ID
}

// successor returns the live element that stands in the place of a replaced
// one; nil for none.
func (s *settling) successor(e *sir.Element) *sir.Element {
	for range s.found.ids {
		if e == nil || e.Status != sir.Replaced {
			break
		}
		e = s.element(e.ReplacedByID)
	}
	if e == nil || !e.Status.Live() {
		return nil
	}
	return e
}

// reopen brings back an element that was marked as an error, on a human's
// explicit word.
func (s *settling) reopen(e *sir.Element, c *domain.Candidate, confidence sir.Confidence, scores sir.Scores) {
	t := s.d.TypeNamed(c.Type)
	n := s.edit(e.ID)
	old := n.Data
	n.Data = s.d.compare(t, e, c).merged
	n.Status, n.Confidence, n.Scores = sir.Confirmed, confidence, scores
	n.Flags = sir.Flags{SourceIsExplicit: true}
	s.citeFields(n, c, confidence)
	s.index(n)
	s.note(e.ID, sir.ActionReopened, rationale(c), true, s.attribution(c))
	s.change(n, old, c)
	s.link(t, n, c, confidence)
}

// rationale says why a candidate was thought to be an element.
func rationale(c *domain.Candidate) string {
	switch c.Trigger {
	case domain.TriggerMarker:
		return "written after a marker"
	case domain.TriggerBlock:
		return "written in a fenced block"
	case domain.TriggerSpecBlock:
		return "stands in a list that specifies"
	case domain.TriggerCorrection:
		return "corrects what was said before"
	case domain.TriggerModel:
		if c.Rationale == "" {
			return c.Rule + " gave no reason"
		}
		return c.Rule + ": " + c.Rationale
	}
	text := "matches the rule " + c.Rule
	if names := (c.Scope & (sir.Hedged | sir.Proposal | sir.Reported)).Names(); len(names) > 0 {
		text += " (" + strings.Join(names, ", ") + ")"
	}
	return text
}
