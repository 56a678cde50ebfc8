package engine

import (
	"maps"
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// corrected is the confidence of what a person has corrected.
const corrected = sir.Confidence(9900)

// correct edits an element: the person's word stands for the fields that
// change, and confirms the rest. One that changes nothing confirms, and does
// not make a certain element less so.
func (a *acting) correct() (string, error) {
	t, e, err := a.typed(0)
	if err != nil {
		return "", err
	}
	data, changed, err := a.d.edited(t, e, a.x.Data)
	if err != nil {
		return "", a.refuse(e, "%w", err)
	}
	a.closeWaiting(a.x.Pending, e)
	if len(changed) == 0 {
		n := a.edit(e.ID)
		decided(n, max(n.Confidence, corrected))
		a.enter(n.ID, sir.ActionConfirmed, a.because("a person looked at it and changed nothing"))
		return "Confirmed: " + a.label(n) + ".", nil
	}
	n := a.edit(e.ID)
	n.Data = data
	if other := a.rival(t, n, e.ID); other != nil && a.d.Key(t, other.Data) != a.d.Key(t, data) {
		return "", a.refuse(e, "%s (%s) holds in its place: correct, replace or deprecate that first", a.label(other), other.ID)
	}
	decided(n, corrected)
	n.Attribution = a.speaker()
	a.vouch(t, n, changed, a.x.Kind)
	a.index(n)
	a.relink(t, n, changed)
	a.enter(n.ID, sir.ActionRefined, a.because("a person corrects it"))
	a.changed[n.ID] = sir.Changes(e.Data, data, t.Name, a.words())
	one, merged := a.keepOne(t, n)
	if slices.Contains(changed, t.Key[0]) || one != n {
		a.follow(e, one)
	}
	if merged {
		return "Corrected, and now one with what stood: " + a.label(one) + ".", nil
	}
	return "Corrected: " + a.label(one) + ".", nil
}

// vouch notes that fields rest on a person's word, not on evidence.
func (s *settling) vouch(t *domain.Type, e *sir.Element, fields []string, rule string) {
	for _, name := range fields {
		if domain.Known(t.FieldNamed(name), e.Data[name]) {
			e.Fields[name] = sir.Field{Confidence: corrected, Evidence: []int{}, Rule: &rule}
		} else {
			delete(e.Fields, name)
		}
	}
}

// relink links the fields that changed, and leaves the refs of the others:
// what they name may have another name by now.
func (s *settling) relink(t *domain.Type, e *sir.Element, fields []string) {
	c := &domain.Candidate{
		Type: t.Name, Data: e.Data, Span: sir.Span{End: len(s.turn.Content)}, Trigger: domain.TriggerMarker, Rule: "act",
		Fields: map[string]domain.FieldSource{}, Quotes: e.Evidence,
	}
	for _, name := range fields {
		f := t.FieldNamed(name)
		if f.Ref == "" {
			continue
		}
		e.Refs = slices.DeleteFunc(e.Refs, func(r sir.Ref) bool { return r.Rel == name })
		if !domain.Known(f, e.Data[name]) || isFree(f, e.Data[name]) {
			continue
		}
		if id := s.named(f, e, c, e.Confidence); id != "" {
			e.Refs = append(e.Refs, sir.Ref{Rel: name, ID: id})
		}
	}
	s.sortRefs(t, e)
}

// sortRefs puts refs in the order of the type's fields.
func (s *settling) sortRefs(t *domain.Type, e *sir.Element) {
	place := func(r sir.Ref) int {
		return slices.IndexFunc(t.Fields, func(f domain.Field) bool { return f.Name == r.Rel })
	}
	if len(e.Refs) == 0 {
		e.Refs = nil // as a log gives it back
	}
	slices.SortStableFunc(e.Refs, func(a, b sir.Ref) int { return place(a) - place(b) })
}

// keepOne ends one of two live elements that a person's word on n has made
// equal, if there are two. The older survives with what n knows, and with the
// decision.
func (s *settling) keepOne(t *domain.Type, n *sir.Element) (survivor *sir.Element, merged bool) {
	s.mergeEqual(t, n)
	if n.Status != sir.Replaced {
		old := maps.Clone(n.Data)
		for _, id := range s.order {
			if y := s.now[id]; y.ReplacedByID == n.ID && (s.before[id] == nil || s.before[id].Status.Live()) {
				s.supplement(t, n, y)
				merged = true
			}
		}
		s.changed[n.ID] = append(s.changed[n.ID], sir.Changes(old, n.Data, t.Name, s.turn.Content)...)
		return n, merged
	}
	o := s.edit(n.ReplacedByID)
	old := maps.Clone(o.Data)
	for i := range t.Fields {
		if f := &t.Fields[i]; domain.Known(f, n.Data[f.Name]) && !same(o.Data[f.Name], n.Data[f.Name]) {
			s.take(o, n, f)
		}
	}
	s.sortRefs(t, o)
	confidence := max(n.Confidence, o.Confidence)
	changes := sir.Changes(old, o.Data, t.Name, "now equal to "+n.ID)
	if len(changes) > 0 {
		confidence, o.Attribution = n.Confidence, n.Attribution
	}
	o.Flags.SourceIsExplicit = o.Flags.SourceIsExplicit || n.Flags.SourceIsExplicit
	decided(o, confidence)
	s.human[o.ID] = true
	s.changed[o.ID] = append(s.changed[o.ID], changes...)
	s.index(o)
	return o, true
}

// same reports whether two values are literally the same.
func same(a, b any) bool { return len(sir.Changes(sir.Data{"": a}, sir.Data{"": b}, "", "")) == 0 }
