package engine

import (
	"math"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// claim is a statement under debate, with what bears on it: one candidate,
// or several that contradict each other.
type claim struct {
	group []*domain.Candidate
	// related are live elements from earlier turns that share a name with a
	// candidate, by candidate.
	related [][]*sir.Element
	// known is something it names that the document has, shared something
	// that other words of the turn name too; "" for none.
	known, shared string
	// against is a live element that holds another value.
	against *sir.Element
}

func (c *claim) first() *domain.Candidate { return c.group[0] }

// named is something that a candidate names, by the term of its element.
type named struct{ term, text string }

// claims looks up, before the debate, all that debaters ask of the document:
// they run at the same time, and a look-up may ask for more.
func (s *settling) claims(groups [][]*domain.Candidate) []*claim {
	places := map[string]*places{}
	for _, group := range groups {
		for _, c := range group {
			for _, n := range s.d.names(c) {
				places[n.term] = places[n.term].with(c.Span)
			}
		}
	}
	var out []*claim
	for _, group := range groups {
		c := &claim{group: group}
		for _, one := range group {
			c.related = append(c.related, s.related(one))
			for _, n := range s.d.names(one) {
				if c.known == "" && s.stands(n.term) {
					c.known = n.text
				}
				if c.shared == "" && places[n.term].beside(one.Span) {
					c.shared = n.text
				}
			}
			if c.against == nil && !one.Correction {
				c.against = s.contrary(one)
			}
		}
		out = append(out, c)
	}
	return out
}

// names are what a candidate itself states, and what its fields name.
func (d *Domain) names(c *domain.Candidate) []named {
	t := d.TypeNamed(c.Type)
	out := []named{{termKey + d.Key(t, c.Data), d.Label(c.Type, c.Data)}}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Ref != "" && domain.Known(f, c.Data[f.Name]) && !isFree(f, c.Data[f.Name]) {
			out = append(out, named{d.refKey(f, c.Data[f.Name]), show(c.Data[f.Name])})
		}
	}
	return out
}

// stands reports whether a live element has the term.
func (s *settling) stands(term string) bool {
	for _, e := range s.with(term) {
		if e.Status.Live() {
			return true
		}
	}
	return false
}

// contrary returns a live element of the candidate's key or slot that holds
// another value; nil for none.
func (s *settling) contrary(c *domain.Candidate) *sir.Element {
	t := s.d.TypeNamed(c.Type)
	terms := []string{termKey + s.d.Key(t, c.Data)}
	if slot := s.d.Slot(t, c.Data); slot != "" {
		terms = append(terms, termSlot+slot)
	}
	for _, term := range terms {
		for _, e := range s.with(term) {
			if e.Status.Live() && e.ElementType == t.Name && s.d.contradicts(t.Name, e.Data, c.Data) {
				return e
			}
		}
	}
	return nil
}

// places are where the turn names something: of many, only the outermost
// matter.
type places struct{ firstEnd, lastStart int }

func (p *places) with(span sir.Span) *places {
	if p == nil {
		p = &places{math.MaxInt, -1}
	}
	return &places{min(p.firstEnd, span.End), max(p.lastStart, span.Start)}
}

// beside reports whether one of them lies outside the span.
func (p *places) beside(span sir.Span) bool {
	return p.firstEnd <= span.Start || p.lastStart >= span.End
}
