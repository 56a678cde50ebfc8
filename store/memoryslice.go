package store

import (
	"slices"

	"github.com/speckl/speckl/sir"
)

// Slice returns what was asked for and its neighbours; see [ElementReader].
func (r *reader) Slice(ask sir.Ask) (*sir.Slice, error) {
	if err := r.usable("slice"); err != nil {
		return nil, err
	}
	s := &sir.Slice{Header: r.fold.Header(), NextClarification: r.fold.NextClarification()}
	r.pending.Lock()
	s.Open = r.fold.Open()
	r.pending.Unlock()

	var found []int // ordinals
	for _, term := range ask.Terms {
		for _, n := range r.terms[term] {
			found = append(found, int(n))
		}
	}
	for _, key := range ask.Values {
		newest, ok := r.fold.Newest(ask.Domain, key)
		if !ok {
			continue
		}
		if s.Newest == nil {
			s.Newest = map[sir.ValueKey]sir.Newest{}
		}
		s.Newest[key] = newest
		for _, v := range newest.Values {
			found = append(found, r.fold.Ordinal(v.ElementID))
		}
	}
	for _, speaker := range ask.LastTurnOf {
		turnID, elements := r.fold.LastTurn(ask.Domain, speaker)
		if said, err := r.lastSaid(speaker, ask.Turn); err != nil {
			return nil, err
		} else if turnID == "" || turnID != said {
			continue
		}
		if s.LastTurn == nil {
			s.LastTurn = map[string]string{}
		}
		s.LastTurn[speaker] = turnID
		for _, id := range elements {
			found = append(found, r.fold.Ordinal(id))
		}
	}
	s.Elements = r.withNeighbours(found)
	for _, e := range s.Elements {
		if len(e.Keys) == 0 {
			continue
		}
		if s.Generations == nil {
			s.Generations = map[string]int{}
		}
		s.Generations[e.Keys[0]]++
	}
	return s, nil
}

// withNeighbours returns the elements of the ordinals, those they refer to,
// and the successors of all, in the order of creation. Ordinals below 0 are
// of elements that are gone.
func (r *reader) withNeighbours(found []int) []*sir.Element {
	if len(found) == 0 {
		return nil
	}
	seen := make(map[int]bool, 2*len(found))
	var all []int
	take := func(n int) *sir.Element {
		if n < 0 || seen[n] || r.fold.ElementAt(n) == nil {
			return nil
		}
		seen[n] = true
		all = append(all, n)
		return r.fold.ElementAt(n)
	}
	for _, n := range found {
		take(n)
	}
	for _, n := range slices.Clone(all) {
		for _, ref := range r.fold.ElementAt(n).Refs {
			take(r.fold.Ordinal(ref.ID))
		}
	}
	for i := 0; i < len(all); i++ { // it grows: a chain is followed to its end
		if next := r.fold.ElementAt(all[i]).ReplacedByID; next != "" {
			take(r.fold.Ordinal(next))
		}
	}
	slices.Sort(all)
	out := make([]*sir.Element, len(all))
	for i, n := range all {
		out[i] = r.fold.ElementAt(n)
	}
	return out
}

// lastSaid is the id of the speaker's last turn before the one at hand, or
// before what comes next where that is not stored yet; "" for none. It walks
// back, which is a step or two in a conversation.
func (r *reader) lastSaid(speaker, atHand string) (string, error) {
	from := r.turns.n
	if n, stored := r.find(atHand); stored {
		from = n
	}
	for n := from - 1; n >= 0; n-- {
		t, err := r.turn(n)
		if err != nil {
			return "", err
		}
		if !t.IsAct() && t.SpeakerKey() == speaker {
			return t.ID, nil
		}
	}
	return "", nil
}
