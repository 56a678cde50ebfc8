package engine

import (
	"fmt"
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// split makes several elements of one that says several things. The parts
// rest on the same words and are as sure as it was; each differs in the
// fields that the person gives. The first part is the one's successor: what
// referred to the one refers to that, for a person to look at.
func (a *acting) split() (string, error) {
	t, e, err := a.typed(0)
	if err != nil {
		return "", err
	}
	var parts []part
	for i, given := range a.x.Parts {
		p, err := a.part(t, e, given, parts)
		if err != nil {
			return "", a.refuse(e, "part %d: %w", i+1, err)
		}
		parts = append(parts, p)
	}
	a.closeWaiting(a.x.Pending, e)
	var made []*sir.Element
	for _, p := range parts {
		made = append(made, a.mintPart(t, e, p))
	}
	ended(a.edit(e.ID), sir.Replaced, made[0].ID)
	a.enter(e.ID, sir.ActionSplit, a.because("a person splits it into "+idsOf(made)))
	for _, n := range a.follow(e, made[0]) { // it may mean another part
		n.Flags.NeedsReview = true
	}
	return "Split: " + a.label(e) + " into " + a.names(made) + ".", nil
}

// part is what one of the new elements says, and in which fields it differs.
type part struct {
	data    sir.Data
	changed []string
}

// part checks what a person gives for a part: it must say something, and
// something else than the others and than what holds already.
func (a *acting) part(t *domain.Type, e *sir.Element, given map[string]any, before []part) (part, error) {
	data, changed, err := a.d.edited(t, e, given)
	if err != nil {
		return part{}, err
	}
	if i := slices.IndexFunc(before, func(p part) bool { return a.d.Key(t, p.data) == a.d.Key(t, data) }); i >= 0 {
		return part{}, fmt.Errorf("it says the same as part %d", i+1)
	}
	like := &sir.Element{ElementType: t.Name, Domain: e.Domain, Data: data, Evidence: e.Evidence}
	if other := a.rival(t, like, e.ID); other != nil {
		return part{}, fmt.Errorf("%s (%s) holds already: leave the part out, or deprecate that first", a.label(other), other.ID)
	}
	return part{data, changed}, nil
}

// mintPart makes the element of a part.
func (a *acting) mintPart(t *domain.Type, e *sir.Element, p part) *sir.Element {
	c := &domain.Candidate{
		Type: t.Name, Data: p.data, Span: sir.Span{End: len(a.turn.Content)}, Trigger: domain.TriggerMarker, Rule: "act",
		Fields: map[string]domain.FieldSource{}, Quotes: e.Evidence,
	}
	n := a.mint(t, c, p.data, e.Confidence, e.Scores)
	n.ReplacesID, n.Attribution, n.Status = e.ID, a.speaker(), e.Status
	n.Flags = sir.Flags{SourceIsExplicit: e.Flags.SourceIsExplicit, NeedsReview: e.Status != sir.Confirmed && e.Confidence < a.d.Thresholds.AutoAccept}
	n.Flags.IsTentative = n.Flags.NeedsReview && !n.Flags.SourceIsExplicit
	a.review(n)
	n.Fields = map[string]sir.Field{}
	for name, f := range e.Fields {
		if !slices.Contains(p.changed, name) {
			n.Fields[name] = moved(e, n, f)
		}
	}
	a.vouch(t, n, p.changed, a.x.Kind)
	n.Terms = append(n.Terms, spokenBy(e)...)
	a.index(n)
	n.Refs = slices.Clone(e.Refs)
	a.relink(t, n, p.changed)
	a.enter(n.ID, sir.ActionSplit, a.because("a person splits "+e.ID))
	return n
}

// moved is a field's source in another element that has the same evidence,
// perhaps in other places.
func moved(from, to *sir.Element, f sir.Field) sir.Field {
	out := sir.Field{Confidence: f.Confidence, Evidence: []int{}, Rule: f.Rule}
	for _, i := range f.Evidence {
		out.Evidence = append(out.Evidence, adopt(to, from.Evidence[i]))
	}
	return out
}
