package engine

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// replaceBy says that another element holds in the place of one. Both are
// linked; what refers to the old one means the new one from now on.
func (a *acting) replaceBy() (string, error) {
	pair, err := a.together()
	if err != nil {
		return "", err
	}
	old, now := pair[0], pair[1]
	a.closeWaiting(a.x.Pending, old)
	ended(a.edit(old.ID), sir.Replaced, now.ID)
	a.enter(old.ID, sir.ActionReplaced, a.because("a person puts "+now.ID+" in its place"))
	a.edit(now.ID).ReplacesID = old.ID
	// nobody has confirmed what the new one says
	a.note(now.ID, sir.ActionRefined, a.because("takes the place of "+old.ID), false, a.speaker())
	a.follow(old, now)
	return "Replaced: " + a.label(old) + " by " + a.label(now) + ".", nil
}

// merge makes one of several elements: the first survives with the higher
// confidence, all evidence, and what it does not know and the others do.
// Where they contradict it, its own value stands. It is confirmed if one of
// them was.
func (a *acting) merge() (string, error) {
	all, err := a.together()
	if err != nil {
		return "", err
	}
	t := a.d.TypeNamed(all[0].ElementType)
	if t == nil {
		return "", a.refuse(all[0], "the domain %s has no such type any more", a.d.ID)
	}
	n := a.edit(all[0].ID)
	merges := a.because("a person says that it is one with " + idsOf(all[1:]))
	a.enter(n.ID, sir.ActionMerged, merges)
	for _, e := range all[1:] {
		a.closeWaiting(a.x.Pending, e)
		a.absorb(t, n, e)
		ended(a.edit(e.ID), sir.Replaced, n.ID)
		a.enter(e.ID, sir.ActionReplaced, a.because("a person says that it is one with "+n.ID))
	}
	a.index(n)
	a.changed[n.ID] = sir.Changes(all[0].Data, n.Data, t.Name, merges)
	if n.Status == sir.Confirmed || n.Confidence >= a.d.Thresholds.AutoAccept {
		n.Flags.IsTentative = false
		n.Flags.NeedsReview = n.Flags.IsContradicted || n.Flags.IsAmbiguous
	}
	a.review(n)
	a.mergeEqual(t, n)
	for _, e := range all[1:] {
		a.follow(e, n)
	}
	return "Merged: " + a.names(all[1:]) + " into " + a.label(all[0]) + ".", nil
}

// together returns the deed's elements, which must be live and of one type.
func (a *acting) together() ([]*sir.Element, error) {
	var all []*sir.Element
	for i := range a.x.Elements {
		e, err := a.live(i)
		if err != nil {
			return nil, err
		}
		if first := a.x.Elements[0]; len(all) > 0 && (e.ElementType != all[0].ElementType || e.Domain != all[0].Domain) {
			return nil, a.refuse(e, "it is a %s of %s, and %s a %s of %s", e.ElementType, e.Domain, first, all[0].ElementType, all[0].Domain)
		}
		all = append(all, e)
	}
	return all, nil
}

// absorb gives the survivor of a merge all that another has.
func (a *acting) absorb(t *domain.Type, n, e *sir.Element) {
	for _, ev := range e.Evidence {
		adopt(n, ev)
	}
	a.supplement(t, n, e)
	if e.Confidence > n.Confidence {
		n.Confidence, n.Scores = e.Confidence, e.Scores
	}
	if e.Status == sir.Confirmed && !n.Flags.IsAmbiguous {
		n.Status = sir.Confirmed
	}
	n.Flags.SourceIsExplicit = n.Flags.SourceIsExplicit || e.Flags.SourceIsExplicit
	n.Flags.IsTentative = n.Flags.IsTentative && !n.Flags.SourceIsExplicit
	n.Terms = append(n.Terms, spokenBy(e)...)
}

// spokenBy are the terms that say on whose words an element rests.
func spokenBy(e *sir.Element) []string {
	var out []string
	for _, t := range e.Terms {
		if strings.HasPrefix(t, termBy) {
			out = append(out, t)
		}
	}
	return out
}

// supplement fills what n does not know from another element; lists add up.
func (s *settling) supplement(t *domain.Type, n, from *sir.Element) {
	for i := range t.Fields {
		f := &t.Fields[i]
		now, next := n.Data[f.Name], from.Data[f.Name]
		switch {
		case !domain.Known(f, next):
		case !domain.Known(f, now):
			s.take(n, from, f)
		case f.Kind == domain.List:
			if union, more := unite(now, next); more {
				n.Data[f.Name] = union
			}
		}
	}
	s.sortRefs(t, n)
}

// take gives n another element's value of a field, with the evidence and the
// ref that belong to it.
func (s *settling) take(n, from *sir.Element, f *domain.Field) {
	n.Data[f.Name] = from.Data[f.Name]
	was, ok := from.Fields[f.Name]
	if !ok { // it rests on all that the element rests on
		was = sir.Field{Confidence: from.Confidence}
		for i := range from.Evidence {
			was.Evidence = append(was.Evidence, i)
		}
	}
	n.Fields[f.Name] = moved(from, n, was)
	if f.Ref == "" {
		return
	}
	n.Refs = slices.DeleteFunc(n.Refs, func(r sir.Ref) bool { return r.Rel == f.Name })
	for _, r := range from.Refs {
		if r.Rel == f.Name {
			n.Refs = append(n.Refs, r)
		}
	}
}
