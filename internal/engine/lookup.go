package engine

import (
	"slices"

	"github.com/speckl/speckl/sir"
)

// lookup finds the elements of a settling by id and by term, so that a turn
// of ten thousand statements costs ten thousand times one.
type lookup struct {
	ids    []string         // by ordinal, oldest first
	at     map[string]int   // ordinal of an id
	byTerm map[string][]int // ordinals of the elements that have, or had, a term
	births map[birth]int    // elements born with a key
}

// birth is what generations are counted by.
type birth struct{ domain, elementType, key string }

// newLookup indexes what the slice holds.
func newLookup(slice *sir.Slice) *lookup {
	l := &lookup{at: map[string]int{}, byTerm: map[string][]int{}, births: map[birth]int{}}
	for _, e := range slice.Elements {
		l.add(e)
		l.term(e.ID, e.Terms)
	}
	return l
}

// add gives an element the next ordinal.
func (l *lookup) add(e *sir.Element) {
	l.at[e.ID] = len(l.ids)
	l.ids = append(l.ids, e.ID)
	if len(e.Keys) > 0 {
		l.births[birth{e.Domain, e.ElementType, e.Keys[0]}]++
	}
}

// term notes that an element has further terms. Who said it is nothing that
// is looked up.
func (l *lookup) term(id string, terms []string) {
	n := l.at[id]
	for _, t := range terms {
		if len(t) < len(termBy) || t[:len(termBy)] != termBy {
			l.byTerm[t] = append(l.byTerm[t], n)
		}
	}
}

// with lists the ids of the elements that have, or had, a term, oldest first.
func (l *lookup) with(term string) []string {
	ordinals := l.byTerm[term]
	if !slices.IsSorted(ordinals) {
		slices.Sort(ordinals)
	}
	out := make([]string, 0, len(ordinals))
	for i, n := range ordinals {
		if i == 0 || n != ordinals[i-1] {
			out = append(out, l.ids[n])
		}
	}
	return out
}
