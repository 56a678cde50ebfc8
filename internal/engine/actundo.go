package engine

import (
	"strings"

	"github.com/speckl/speckl/sir"
)

// Reversal is what takes an act back.
type Reversal struct {
	// Act is the act's turn.
	Act *sir.Turn
	// Was holds, for each element that the act changed, how it stood before;
	// nil for one that the act made.
	Was map[string]*sir.Element
	// Before and After are what waited before the act and after it; Now is
	// what waits now.
	Before, After, Now sir.Pending
	// Header is the document's header before the act, where the act changed
	// it; nil otherwise.
	Header *sir.Header
}

// Undo works out how elements become again what they were before an act:
// what grows (evidence, history, keys) stays. What the act made is
// deprecated, what it closed waits again in its old place, what it added is
// closed. The slice holds the elements as they stand now.
func Undo(slice *sir.Slice, turn *sir.Turn, x *Reversal) (*Outcome, error) {
	s := Lacking("").settling(slice, sir.Ask{}, &Proposal{Turn: turn}, sir.Interactive)
	if len(slice.Header.Domains) > 0 {
		s.result.Metadata.Domain = slice.Header.Domains[0]
	}
	reason := "undoes: " + x.command()
	for _, e := range slice.Elements {
		was, changed := x.Was[e.ID]
		switch {
		case !changed:
		case was == nil:
			ended(s.edit(e.ID), sir.Deprecated, "")
			s.note(e.ID, sir.ActionDeprecated, reason, false, s.speaker())
		default:
			s.restore(e, was, reason)
		}
	}
	s.pending = x.pending()
	out, err := s.finish()
	if err == nil && x.Header != nil {
		h := slice.Header
		h.Name = x.Header.Name
		out.Mutations = append(out.Mutations, sir.Mutation{TurnID: turn.ID, Kind: sir.DocumentKind, Body: &sir.Payload{Document: &h}})
	}
	return out, err
}

// command is what the act was called by: where it changed several elements
// its first word alone, for the others' names are not for each one's history.
func (x *Reversal) command() string {
	if len(x.Was) == 1 {
		return x.Act.Content
	}
	verb, _, _ := strings.Cut(x.Act.Content, " ")
	return verb
}

// restore gives an element back all that it had.
func (s *settling) restore(e, was *sir.Element, reason string) {
	n := s.edit(e.ID)
	kept := *n
	*n = *clone(was)
	n.Evidence, n.Provenance, n.Keys = kept.Evidence, kept.Provenance, kept.Keys
	n.Version, n.UpdatedAt = kept.Version, kept.UpdatedAt
	s.changed[e.ID] = sir.Changes(e.Data, n.Data, n.ElementType, s.turn.Content)
	s.note(e.ID, restored(e, was), reason, false, s.speaker())
}

// restored is what the history calls the way back.
func restored(e, was *sir.Element) sir.Action {
	switch {
	case was.Status.Live() && !e.Status.Live():
		return sir.ActionReopened
	case was.Status.Live():
		return sir.ActionRefined
	case was.Status == sir.Replaced:
		return sir.ActionReplaced
	}
	return sir.ActionDeprecated
}

// pending is what must be added and closed so that what the act closed waits
// again where it waited, and what it added does not.
func (x *Reversal) pending() sir.PendingChange {
	var c sir.PendingChange
	c.Candidates = again(x.Before.Candidates, x.After.Candidates, x.Now.Candidates, func(v sir.Candidate) string { return v.CandidateID }, &c.Closed)
	c.Clarifications = again(x.Before.Clarifications, x.After.Clarifications, x.Now.Clarifications, func(v sir.Clarification) string { return v.ID }, &c.Closed)
	c.Conflicts = again(x.Before.Conflicts, x.After.Conflicts, x.Now.Conflicts, func(v sir.Conflict) string { return v.ID }, &c.Closed)
	return c
}

// again returns what is to be added to a list as it is now so that what an
// act took from it stands in its old place, and closes what the act added to
// it. What stands behind the first that comes back is closed and added
// again, for only the end of a list grows.
func again[T any](before, after, now []T, id func(T) string, closed *[]string) []T {
	byID := func(list []T) map[string]T {
		set := make(map[string]T, len(list))
		for _, v := range list {
			set[id(v)] = v
		}
		return set
	}
	old, left, waits := byID(before), byID(after), byID(now)
	var want []T
	for _, v := range before {
		if w, ok := waits[id(v)]; ok {
			want = append(want, w)
		} else if _, ok := left[id(v)]; !ok {
			want = append(want, v)
		}
	}
	for _, v := range now {
		_, was := old[id(v)]
		if _, added := left[id(v)]; !was && !added {
			want = append(want, v)
		}
	}
	same := 0
	for same < min(len(want), len(now)) && id(want[same]) == id(now[same]) {
		same++
	}
	for _, v := range now[same:] {
		*closed = append(*closed, id(v))
	}
	return want[same:]
}
