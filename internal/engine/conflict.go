package engine

import (
	"maps"
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// contradicts reports whether two statements of a type differ in a field
// that both know. Lists add up and never contradict.
func (d *Domain) contradicts(typ string, a, b sir.Data) bool {
	t := d.TypeNamed(typ)
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Kind != domain.List && domain.Known(f, a[f.Name]) && domain.Known(f, b[f.Name]) && !d.Equal(f, a[f.Name], b[f.Name]) {
			return true
		}
	}
	return false
}

// comparison is how a candidate's data relate to an element's.
type comparison struct {
	// fills are fields that the candidate knows and the element does not;
	// differs are fields that both know with other values.
	fills, differs []string
	merged         sir.Data
}

// compare lays a candidate's data over an element's. An explicit list takes
// the place of the old one, a talked one adds to it.
func (d *Domain) compare(t *domain.Type, e *sir.Element, c *domain.Candidate) comparison {
	out := comparison{merged: sir.Data{}}
	for k, v := range e.Data {
		out.merged[k] = v
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		now, next := e.Data[f.Name], c.Data[f.Name]
		switch {
		case !domain.Known(f, next) || d.Equal(f, now, next):
		case f.Kind == domain.List && domain.Known(f, now):
			if union, more := unite(now, next); explicit(c.Trigger) {
				out.differs = append(out.differs, f.Name)
				out.merged[f.Name] = next
			} else if more {
				out.fills = append(out.fills, f.Name)
				out.merged[f.Name] = union
			}
		case domain.Known(f, now):
			out.differs = append(out.differs, f.Name)
			out.merged[f.Name] = next
		default:
			out.fills = append(out.fills, f.Name)
			out.merged[f.Name] = next
		}
	}
	return out
}

// unite adds the items of b that a lacks, compared folded.
func unite(a, b any) (union []any, more bool) {
	have := map[string]bool{}
	for _, x := range a.([]any) {
		union = append(union, x)
		have[domain.FoldText(x.(string))] = true
	}
	for _, x := range b.([]any) {
		if !have[domain.FoldText(x.(string))] {
			union, more = append(union, x), true
		}
	}
	return union, more
}

// conflict runs the conflict table (pipeline.md, "Conflicts") for a
// candidate and the element that it is about.
func (s *settling) conflict(t *domain.Type, e *sir.Element, c *domain.Candidate, confidence sir.Confidence, scores sir.Scores) {
	cmp := s.d.compare(t, e, c)
	word := explicit(c.Trigger) || c.Trigger == domain.TriggerCorrection
	switch {
	case len(cmp.fills)+len(cmp.differs) == 0:
		s.repeated(t, e, c, confidence, scores)
	case confidence < s.d.Thresholds.Review:
		s.hold(t, e, c, cmp, confidence, "below the review threshold")
	case len(cmp.differs) == 0:
		s.refine(t, e, c, cmp, confidence, scores)
	case word && s.restsOnSpeaker(e):
		s.refine(t, e, c, cmp, confidence, scores)
	case e.Status == sir.Confirmed:
		s.flag(t, e, c, cmp, confidence)
	case confidence-e.Confidence > replaceAbove:
		s.replace(t, e, c, cmp, confidence, scores)
	case e.Confidence-confidence <= replaceAbove:
		s.flag(t, e, c, cmp, confidence)
	default:
		s.reject(t, e, c, cmp, confidence)
	}
}

// replaceAbove is the lead in confidence that replaces without asking; a
// difference of exactly this much is flagged.
const replaceAbove = sir.Confidence(2000)

// restsOnSpeaker reports whether the element rests on words of who speaks.
func (s *settling) restsOnSpeaker(e *sir.Element) bool {
	return slices.Contains(e.Terms, termBy+s.turn.SpeakerKey())
}

// repeated counts a repetition: a human's in another turn adds evidence and a
// little confidence, an agent's is a duplicate. An explicit statement of
// what was only talked about makes it explicit.
func (s *settling) repeated(t *domain.Type, e *sir.Element, c *domain.Candidate, confidence sir.Confidence, scores sir.Scores) {
	if explicit(c.Trigger) && confidence > e.Confidence {
		s.refine(t, e, c, comparison{merged: e.Data}, confidence, scores)
		return
	}
	inTurn := s.now[e.ID] != nil && s.cited(e) || s.again && slices.ContainsFunc(e.Evidence, func(ev sir.Evidence) bool { return ev.TurnID == s.turn.ID })
	if s.turn.Speaker == sir.Agent && !inTurn {
		s.result.Duplicates = append(s.result.Duplicates, sir.Duplicate{ElementID: e.ID, TurnID: s.turn.ID})
		return
	}
	n := s.edit(e.ID)
	s.cite(n, c.Span, c.Match)
	switch {
	case !inTurn:
		n.Confidence, n.Scores = s.d.repeat(n)
	case s.again && !explicit(n.Scores.Trigger) && confidence > n.Confidence: // as if it had been said at once
		n.Confidence, n.Scores = confidence, scores
		n.Flags.NeedsReview = n.Flags.NeedsReview && confidence < s.d.Thresholds.AutoAccept
		n.Flags.IsTentative = n.Flags.IsTentative && n.Flags.NeedsReview
		s.review(n)
	}
	s.index(n)
	s.note(e.ID, sir.ActionRefined, "said again: "+c.Rule, s.confirms(c), s.attribution(c))
}

// cited reports whether the turn at hand is among an element's evidence; it
// is the newest then.
func (s *settling) cited(e *sir.Element) bool {
	n := len(e.Evidence)
	return n > 0 && e.Evidence[n-1].TurnID == s.turn.ID
}

// refine applies a candidate to an element. A change of value is scored
// afresh; what only fills gaps keeps the higher number.
func (s *settling) refine(t *domain.Type, e *sir.Element, c *domain.Candidate, cmp comparison, confidence sir.Confidence, scores sir.Scores) {
	n := s.edit(e.ID)
	old := n.Data
	n.Data = cmp.merged
	if len(cmp.differs) > 0 {
		for _, stale := range s.stale(t, cmp) {
			scores.Modifiers = append(scores.Modifiers, sir.Modifier{Name: "completeness", Value: s.d.Modifiers.Completeness})
			confidence = max(0, confidence+s.d.Modifiers.Completeness)
			s.reasons[e.ID] = "perhaps stale: " + stale
		}
	}
	if len(cmp.differs) > 0 || confidence > n.Confidence {
		n.Confidence, n.Scores = confidence, scores
		n.Attribution = s.attribution(c)
	}
	switch {
	case s.confirms(c):
		n.Status = sir.Confirmed
		n.Flags = sir.Flags{SourceIsExplicit: true}
	case len(cmp.differs) > 0 && n.Status == sir.Confirmed:
		n.Status = sir.Proposed
		n.Flags.NeedsReview = true
		n.Flags.IsContradicted = false
	case explicit(c.Trigger):
		n.Flags.SourceIsExplicit = true
		n.Flags.IsTentative = false
		n.Flags.NeedsReview = n.Confidence < s.d.Thresholds.AutoAccept
	case c.Trigger == domain.TriggerCorrection:
		n.Flags.IsTentative = false
		n.Flags.NeedsReview = n.Confidence < s.d.Thresholds.AutoAccept
	}
	s.review(n)
	s.citeFields(n, c, confidence)
	s.index(n)
	s.remember(n, slices.Concat(cmp.fills, cmp.differs))
	s.note(e.ID, sir.ActionRefined, rationale(c), s.confirms(c), s.attribution(c))
	s.change(n, old, c)
	s.link(t, n, c, confidence)
	s.mergeEqual(t, n)
}

// review keeps everything of a domain that wants it under review.
func (s *settling) review(e *sir.Element) {
	if s.d.ReviewAll && e.Status == sir.Proposed {
		e.Flags.NeedsReview = true
		e.Flags.IsTentative = !e.Flags.SourceIsExplicit
	}
}

// stale lists fields that a changed value may have left behind.
func (s *settling) stale(t *domain.Type, cmp comparison) []string {
	var out []string
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Stale != "" && slices.Contains(cmp.differs, f.Stale) && !slices.Contains(cmp.differs, f.Name) && !slices.Contains(cmp.fills, f.Name) && domain.Known(f, cmp.merged[f.Name]) {
			out = append(out, f.Name)
		}
	}
	return out
}

// change notes the changed fields for the turn's entry.
func (s *settling) change(e *sir.Element, old sir.Data, c *domain.Candidate) {
	s.changed[e.ID] = append(s.changed[e.ID], sir.Changes(old, e.Data, e.ElementType, c.Span.Of(s.turn.Content))...)
}

// replace puts a new element in the place of an old one. It takes over what
// the new words leave unknown.
func (s *settling) replace(t *domain.Type, e *sir.Element, c *domain.Candidate, cmp comparison, confidence sir.Confidence, scores sir.Scores) {
	n := s.mint(t, c, cmp.merged, confidence, scores)
	n.ReplacesID = e.ID
	if s.confirms(c) && confidence >= s.d.Thresholds.AutoAccept {
		n.Status = sir.Confirmed
	}
	s.review(n)
	for _, r := range e.Refs {
		if !slices.ContainsFunc(n.Refs, func(x sir.Ref) bool { return x.Rel == r.Rel }) {
			n.Refs = append(n.Refs, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Fields)) {
		f := e.Fields[name]
		if _, own := n.Fields[name]; own || slices.Contains(cmp.differs, name) {
			continue
		}
		field := sir.Field{Confidence: f.Confidence, Evidence: []int{}, Rule: f.Rule}
		for _, i := range f.Evidence {
			field.Evidence = append(field.Evidence, adopt(n, e.Evidence[i]))
		}
		n.Fields[name] = field
	}
	if len(n.Evidence) > 0 && len(e.Fields) == 0 {
		for _, ev := range e.Evidence {
			adopt(n, ev)
		}
	}
	o := s.edit(e.ID)
	o.Status, o.ReplacedByID = sir.Replaced, n.ID
	o.Flags.NeedsReview, o.Flags.IsTentative, o.Flags.IsAmbiguous = false, false, false
	s.note(o.ID, sir.ActionReplaced, "a surer statement replaces it: "+rationale(c), false, s.attribution(c))
	s.link(t, n, c, confidence)
}

// adopt appends another element's evidence and returns its index.
func adopt(e *sir.Element, ev sir.Evidence) int {
	for i := range e.Evidence {
		if e.Evidence[i].TurnID == ev.TurnID && e.Evidence[i].Bytes == ev.Bytes {
			return i
		}
	}
	e.Evidence = append(e.Evidence, ev)
	return len(e.Evidence) - 1
}

// mergeEqual ends one of two live elements that a filled gap has made equal:
// the older survives.
func (s *settling) mergeEqual(t *domain.Type, e *sir.Element) {
	for _, other := range s.with(termKey + s.d.Key(t, e.Data)) {
		if other.ID == e.ID || !other.Status.Live() || other.ElementType != t.Name || s.d.Key(t, other.Data) != s.d.Key(t, e.Data) {
			continue
		}
		older, younger := e, other
		if s.found.at[other.ID] < s.found.at[e.ID] {
			older, younger = other, e
		}
		o, y := s.edit(older.ID), s.edit(younger.ID)
		for _, ev := range y.Evidence {
			adopt(o, ev)
		}
		if !o.Flags.IsAmbiguous {
			s.inherit(o, y)
		}
		y.Status, y.ReplacedByID = sir.Replaced, o.ID
		y.Flags.NeedsReview, y.Flags.IsTentative, y.Flags.IsAmbiguous = false, false, false
		s.note(o.ID, sir.ActionMerged, "now equal to "+y.ID, false, s.speaker())
		s.note(y.ID, sir.ActionReplaced, "now equal to "+o.ID, false, s.speaker())
		s.index(o)
		return
	}
}

// inherit gives the survivor of two equal statements the higher confidence
// with its scores, and what a person has confirmed of either.
func (s *settling) inherit(o, y *sir.Element) {
	if y.Confidence > o.Confidence {
		o.Confidence, o.Scores = y.Confidence, y.Scores
	}
	if y.Status != sir.Confirmed || o.Status == sir.Confirmed {
		return
	}
	o.Status = sir.Confirmed
	o.Flags.SourceIsExplicit = o.Flags.SourceIsExplicit || y.Flags.SourceIsExplicit
	o.Flags.IsTentative, o.Flags.NeedsReview = false, o.Flags.IsContradicted
	s.human[o.ID] = true
}
