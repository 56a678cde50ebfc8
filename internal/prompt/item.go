package prompt

import (
	"fmt"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/ground"
	"github.com/speckl/speckl/sir"
)

// reading turns one item of a reply into a candidate, or says why not.
type reading struct {
	ask   *Ask
	out   *Said
	item  *replyItem
	match ground.Match
	by    string
}

// drop lists the item with the reason.
func (r *reading) drop(reason sir.DropReason, format string, args ...any) {
	text := r.item.quote
	if text == "" {
		text = print(r.item.data)
	}
	turn := r.ask.turnAt(r.item.turn)
	if r.match.Kind == ground.Verbatim || r.match.Kind == ground.Normalized || r.match.Kind == ground.Approximate {
		turn = r.turn().ID
	}
	detail := fmt.Sprintf("%s says %s %s: ", r.by, r.item.typ, print(r.item.data)) + fmt.Sprintf(format, args...)
	r.out.Dropped = append(r.out.Dropped, sir.Dropped{Reason: reason, Text: clip(text), TurnID: turn, Detail: clip(detail)})
}

// print is data in a few words for a person.
func print(data map[string]any) string {
	s, err := plainJSON(data)
	if err != nil {
		return "{}"
	}
	return s
}

// turn is the turn that the item quotes.
func (r *reading) turn() *sir.Turn { return r.ask.parts()[r.match.Part].Turn }

func (r *reading) run() {
	t := r.ask.typeNamed(r.item.typ)
	switch {
	case t == nil:
		r.drop(UnknownType, "the domain has no type %q", r.item.typ)
	case r.item.quote == "":
		r.drop(NoQuote, "it quotes nothing")
	case r.match.Kind == ground.None:
		r.drop(NoSpan, "the quote stands nowhere in what was shown")
	case r.match.Kind == ground.Altered:
		r.drop(Altered, "the quote changes what was said: %s", edits(r.match.Edits))
	case r.ask.onlyContext(r.turn()):
		r.drop(ReadBefore, "turn %s was read before", r.turn().ID)
	default:
		r.candidate(t)
	}
}

// edits are those that make a quote no evidence, in words.
func edits(all []ground.Edit) string {
	var parts []string
	for _, e := range all {
		if e.Why != "" {
			parts = append(parts, fmt.Sprintf("%q for %q (%s)", e.Quote, e.Source, e.Why))
		}
	}
	return strings.Join(parts, ", ")
}

// typeNamed finds a type, however its name is spelled.
func (a *Ask) typeNamed(name string) *domain.Type {
	d := a.prompt.domain
	if t := d.TypeNamed(name); t != nil {
		return t
	}
	for i := range d.Types {
		if domain.FoldText(d.Types[i].Name) == domain.FoldText(name) {
			return &d.Types[i]
		}
	}
	return nil
}

// onlyContext reports whether a turn is shown as context alone.
func (a *Ask) onlyContext(t *sir.Turn) bool {
	for _, l := range a.Chunk.Lines {
		if l.Turn == t && !l.Context {
			return false
		}
	}
	return true
}

// candidate checks the data against the words.
func (r *reading) candidate(t *domain.Type) {
	d := r.ask.prompt.domain
	given, e := r.refined(t)
	data, misfits := d.Fit(t, given)
	for _, m := range misfits {
		r.drop(Misfit, "%s: %s", m.Field, m.Problem)
	}
	s := r.support()
	s.refines = e
	fields, problem := s.fields(t, data)
	if problem != "" {
		r.drop(Unsupported, "%s", problem)
		return
	}
	if !t.Says(data) {
		r.drop(SaysNothing, "no field of a %s is left that says something", t.Name)
		return
	}
	c := domain.Candidate{
		Type: t.Name, Data: data, Span: r.match.Span, Fields: fields, Trigger: domain.TriggerModel, Rule: r.by, Base: r.item.confidence,
		Match: sir.Match(r.match.Kind), Rationale: clip(r.item.rationale),
	}
	r.readings(t, &c, s)
	id := r.turn().ID
	r.out.Candidates[id] = append(r.out.Candidates[id], c)
}

// refined is the item's data, completed by what tells the element that it
// refines from others, so that it is found; and that element, or nil.
func (r *reading) refined(t *domain.Type) (map[string]any, *sir.Element) {
	if r.item.refines == "" {
		return r.item.data, nil
	}
	e := r.ask.shown(r.item.refines)
	if e == nil || e.ElementType != t.Name {
		r.drop(UnknownID, "it refines %q, which is no known %s; it counts as a statement of its own", r.item.refines, t.Name)
		return r.item.data, nil
	}
	out := map[string]any{}
	for k, v := range r.item.data {
		out[k] = v
	}
	for _, name := range t.Key {
		if f := t.FieldNamed(name); out[name] == nil && domain.Known(f, e.Data[name]) {
			out[name] = e.Data[name]
		}
	}
	return out, e
}

// shown is the known element of that id, or of the one id that begins so.
func (a *Ask) shown(id string) *sir.Element {
	if e := a.known[id]; e != nil {
		return e
	}
	var found *sir.Element
	for known, e := range a.known {
		if len(id) >= shortestID && strings.HasPrefix(known, strings.ToLower(id)) {
			if found != nil {
				return nil
			}
			found = e
		}
	}
	return found
}

// shortestID is the least of an id that names an element.
const shortestID = 6

// readings makes the item's alternatives readings of the same words. One that
// the words do not support is left out and listed.
func (r *reading) readings(t *domain.Type, c *domain.Candidate, s *support) {
	d := r.ask.prompt.domain
	main := domain.Reading{Type: t.Name, Data: c.Data, Rationale: c.Rationale, Base: c.Base}
	readings := []domain.Reading{main}
	for i := range r.item.alternatives {
		alt := &r.item.alternatives[i]
		of := t
		if alt.typ != "" {
			of = r.ask.typeNamed(alt.typ)
		}
		if of == nil {
			r.drop(UnknownType, "alternative %d: the domain has no type %q", i+1, alt.typ)
			continue
		}
		data, _ := d.Fit(of, alt.data)
		if _, problem := s.fields(of, data); problem != "" {
			r.drop(Unsupported, "alternative %d, %s: %s", i+1, print(alt.data), problem)
			continue
		}
		if !of.Says(data) || of == t && d.Key(t, data) == d.Key(t, c.Data) {
			continue // it says nothing else
		}
		readings = append(readings, domain.Reading{Type: of.Name, Data: data, Rationale: clip(alt.rationale), Base: alt.confidence})
	}
	if len(readings) > 1 {
		c.Readings = readings
	}
}
