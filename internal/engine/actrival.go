package engine

import (
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// rival returns a live element that says the same as e, or else one that
// holds its slot with another value; nil for none. What the same words say
// may stand side by side. except names elements that are none.
func (s *settling) rival(t *domain.Type, e *sir.Element, except ...string) *sir.Element {
	key, slot := s.d.Key(t, e.Data), s.d.Slot(t, e.Data)
	others := s.with(termKey + key)
	if slot != "" {
		others = append(others, s.with(termSlot+slot)...)
	}
	others = slices.DeleteFunc(others, func(x *sir.Element) bool { return slices.Contains(except, x.ID) })
	return s.d.rivalOf(t, e, others)
}

// rivalOf is rival among some elements.
func (d *Domain) rivalOf(t *domain.Type, e *sir.Element, others []*sir.Element) *sir.Element {
	key, slot := d.Key(t, e.Data), d.Slot(t, e.Data)
	var found *sir.Element
	for _, x := range others {
		switch {
		case !x.Status.Live() || x.ElementType != t.Name || x.Domain != e.Domain:
		case d.Key(t, x.Data) == key:
			return x
		case found == nil && slot != "" && d.Slot(t, x.Data) == slot && !sameWords(x, e):
			found = x
		}
	}
	return found
}

// sameWords reports whether two elements rest on overlapping words.
func sameWords(a, b *sir.Element) bool {
	for _, x := range a.Evidence {
		for _, y := range b.Evidence {
			if x.TurnID == y.TurnID && (sir.Span{Start: x.Bytes[0], End: x.Bytes[1]}).Overlaps(sir.Span{Start: y.Bytes[0], End: y.Bytes[1]}) {
				return true
			}
		}
	}
	return false
}

// AskRival asks for what could hold in the place of an element; the domain
// must know the type.
func (d *Domain) AskRival(e *sir.Element) sir.Ask {
	t := d.TypeNamed(e.ElementType)
	ask := sir.Ask{Domain: d.ID, Terms: []string{termKey + d.Key(t, e.Data)}}
	if slot := d.Slot(t, e.Data); slot != "" {
		ask.Terms = append(ask.Terms, termSlot+slot)
	}
	return ask
}

// Rival returns a live element of the slice that says the same as e, or else
// one that holds its slot with another value; nil for none.
func (d *Domain) Rival(slice *sir.Slice, e *sir.Element, except func(*sir.Element) bool) *sir.Element {
	others := slices.DeleteFunc(slices.Clone(slice.Elements), except)
	return d.rivalOf(d.TypeNamed(e.ElementType), e, others)
}
