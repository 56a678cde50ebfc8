package store

import (
	"slices"

	"github.com/speckl/speckl/sir"
)

// termIndex finds elements by their terms and keys. Lists are in the order
// of creation.
type termIndex map[string][]uint32

// update enters what the element at the ordinal is now found by; undo is told
// how to take it back. was is nil for a new element, is for an erased one.
func (x termIndex) update(ordinal int, was, is *sir.Element, undo func(func())) {
	n := uint32(ordinal)
	for term := range terms(is) {
		if !carries(was, term) && x.add(term, n) {
			undo(func() { x.remove(term, n) })
		}
	}
	for term := range terms(was) {
		if !carries(is, term) && x.remove(term, n) {
			undo(func() { x.add(term, n) })
		}
	}
}

func (x termIndex) add(term string, n uint32) bool {
	at, found := slices.BinarySearch(x[term], n)
	if !found {
		x[term] = slices.Insert(x[term], at, n)
	}
	return !found
}

func (x termIndex) remove(term string, n uint32) bool {
	at, found := slices.BinarySearch(x[term], n)
	if !found {
		return false
	}
	if len(x[term]) == 1 {
		delete(x, term)
	} else {
		x[term] = slices.Delete(x[term], at, at+1)
	}
	return true
}

// terms yields what an element is found by.
func terms(e *sir.Element) func(func(string) bool) {
	return func(yield func(string) bool) {
		if e == nil {
			return
		}
		for _, list := range [2][]string{e.Terms, e.Keys} {
			for _, t := range list {
				if !yield(t) {
					return
				}
			}
		}
	}
}

func carries(e *sir.Element, term string) bool {
	return e != nil && (slices.Contains(e.Terms, term) || slices.Contains(e.Keys, term))
}
