package sir

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Pending is what waits for a person, oldest first.
type Pending struct {
	Candidates     []Candidate     `json:"candidates"`
	Clarifications []Clarification `json:"clarifications"`
	Conflicts      []Conflict      `json:"conflicts"`
}

// IDs are the ids of all that waits.
func (p Pending) IDs() []string {
	var out []string
	for i := range p.Candidates {
		out = append(out, p.Candidates[i].CandidateID)
	}
	for i := range p.Clarifications {
		out = append(out, p.Clarifications[i].ID)
	}
	for i := range p.Conflicts {
		out = append(out, p.Conflicts[i].ID)
	}
	return out
}

// waiting is the fold over the changes of what is pending. The zero value is
// empty.
type waiting struct {
	candidates     queue[Candidate]
	clarifications queue[Clarification]
	conflicts      queue[Conflict]
	highest        int // the highest number of a clarification so far
}

// apply adds and closes. Something that is added again takes the place of
// the former; closing what does not wait changes nothing. What is closed and
// added in one change waits behind all others.
// It returns an error that wraps [ErrBroken], and changes nothing, if a
// clarification takes the number of another that waits.
func (w *waiting) apply(c *PendingChange, remember func(func())) error {
	highest, err := w.number(c)
	if err != nil {
		return err
	}
	was := w.highest
	remember(func() { w.highest = was })
	w.highest = highest
	for _, id := range c.Closed {
		w.candidates.remove(id, remember)
		w.clarifications.remove(id, remember)
		w.conflicts.remove(id, remember)
	}
	for _, x := range c.Candidates {
		w.candidates.add(x.CandidateID, x, remember)
	}
	for _, x := range c.Clarifications {
		w.clarifications.add(x.ID, x, remember)
	}
	for _, x := range c.Conflicts {
		w.conflicts.add(x.ID, x, remember)
	}
	return nil
}

// number checks the numbers of the clarifications that a change adds, and
// returns the highest so far. A number that was given before is free again
// once nothing waits under it, for what an act closed keeps its number when
// the act is undone.
func (w *waiting) number(c *PendingChange) (highest int, err error) {
	highest = w.highest
	for i, q := range c.Clarifications {
		was, known := w.clarifications.items[q.ID]
		switch {
		case q.Number > highest:
			highest = q.Number
		case known && was.item.Number == q.Number:
		case q.Number < 1 || !w.free(c, i):
			return 0, fmt.Errorf("add clarification %s: %w: number %d is taken", q.ID, ErrBroken, q.Number)
		}
	}
	return highest, nil
}

// free reports whether no other clarification has the number of the i-th one
// of a change: none that waits and is not closed by it, none before it.
func (w *waiting) free(c *PendingChange, i int) bool {
	q := c.Clarifications[i]
	for id, x := range w.clarifications.items {
		if x.item.Number == q.Number && id != q.ID && !slices.Contains(c.Closed, id) {
			return false
		}
	}
	return !slices.ContainsFunc(c.Clarifications[:i], func(o Clarification) bool { return o.Number == q.Number && o.ID != q.ID })
}

// list never returns nil lists.
func (w *waiting) list() Pending {
	return Pending{w.candidates.list(), w.clarifications.list(), w.conflicts.list()}
}

// queue keeps items by id in the order in which they came.
type queue[T any] struct {
	items  map[string]queued[T]
	next   int
	sorted []T // nil after a change
}

type queued[T any] struct {
	place int
	item  T
}

func (q *queue[T]) add(id string, item T, remember func(func())) {
	if q.items == nil {
		q.items = map[string]queued[T]{}
	}
	was, had := q.items[id]
	now := queued[T]{was.place, item}
	if had {
		q.put(id, now)
	} else {
		now.place = q.next
		q.next++
		q.items[id] = now
		if q.sorted != nil { // the newest is the last
			q.sorted = append(q.sorted, item)
		}
	}
	remember(func() {
		if had {
			q.put(id, was)
		} else {
			q.drop(id)
		}
	})
}

func (q *queue[T]) remove(id string, remember func(func())) {
	if was, had := q.items[id]; had {
		q.drop(id)
		remember(func() { q.put(id, was) })
	}
}

func (q *queue[T]) put(id string, x queued[T]) { q.items[id], q.sorted = x, nil }

func (q *queue[T]) drop(id string) {
	delete(q.items, id)
	q.sorted = nil
}

func (q *queue[T]) list() []T {
	if q.sorted == nil {
		all := slices.SortedFunc(maps.Values(q.items), func(a, b queued[T]) int { return cmp.Compare(a.place, b.place) })
		q.sorted = make([]T, len(all))
		for i, x := range all {
			q.sorted[i] = x.item
		}
	}
	return slices.Clip(q.sorted)
}
