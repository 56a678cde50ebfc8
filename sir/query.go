package sir

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Outcome is what became of a proposal.
type Outcome string

// The outcomes.
const (
	OutcomeOpen       Outcome = "open"
	OutcomeConfirmed  Outcome = "confirmed"
	OutcomeRejected   Outcome = "rejected"
	OutcomeDeprecated Outcome = "deprecated"
	OutcomeReplaced   Outcome = "replaced"
)

// Valid reports whether o is a known outcome.
func (o Outcome) Valid() bool {
	switch o {
	case OutcomeOpen, OutcomeConfirmed, OutcomeRejected, OutcomeDeprecated, OutcomeReplaced:
		return true
	}
	return false
}

// Outcome tells what became of the element.
func (e *Element) Outcome() Outcome {
	switch e.Status {
	case Confirmed:
		return OutcomeConfirmed
	case Error:
		return OutcomeRejected
	case Deprecated:
		return OutcomeDeprecated
	case Replaced:
		return OutcomeReplaced
	}
	return OutcomeOpen
}

// Filter says which elements are wanted: those that fulfil all that is set.
// The zero value wants every one.
type Filter struct {
	Domain string
	Type   string
	Status Status
	// Live: proposed or confirmed.
	Live bool
	// Unconfirmed: live, and no person has confirmed it.
	Unconfirmed bool
	// NeedsReview: live, and flagged for review.
	NeedsReview bool
	// Turn: the turn or act said, or changed, it.
	Turn string
	// Session: a turn of the session did. It needs SessionOf, which tells a
	// turn's session.
	Session   string
	SessionOf func(turnID string) string
	// Agent: the agent proposed it.
	Agent string
	// Outcome: what became of it ("what did agent X propose that was
	// rejected").
	Outcome Outcome
}

// Match reports whether the element is wanted.
func (f *Filter) Match(e *Element) bool {
	live := e.Status.Live()
	switch {
	case f.Domain != "" && e.Domain != f.Domain,
		f.Type != "" && e.ElementType != f.Type,
		f.Status != "" && e.Status != f.Status,
		f.Live && !live,
		f.Unconfirmed && e.Status != Proposed,
		f.NeedsReview && !(live && e.Flags.NeedsReview),
		f.Agent != "" && !e.proposedBy(f.Agent),
		f.Outcome != "" && e.Outcome() != f.Outcome,
		f.Turn != "" && !e.anyTurn(func(id string) bool { return id == f.Turn }):
		return false
	case f.Session != "":
		return f.SessionOf != nil && e.anyTurn(func(id string) bool { return f.SessionOf(id) == f.Session })
	}
	return true
}

// Select yields the elements that are wanted.
func Select(elements iter.Seq[*Element], f Filter) iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		for e := range elements {
			if f.Match(e) && !yield(e) {
				return
			}
		}
	}
}

// proposedBy reports whether the agent spoke the turn that brought it in.
func (e *Element) proposedBy(agent string) bool {
	if e.Attribution.AgentID == agent || slices.Contains(e.Attribution.Agents, agent) {
		return true
	}
	return len(e.Provenance.Entries) > 0 && e.Provenance.Entries[0].AgentID == agent
}

// anyTurn reports whether a turn of its evidence or history is one.
func (e *Element) anyTurn(is func(id string) bool) bool {
	return slices.ContainsFunc(e.Evidence, func(v Evidence) bool { return is(v.TurnID) }) ||
		slices.ContainsFunc(e.Provenance.Entries, func(v Entry) bool { return is(v.TurnID) })
}

// TurnCount is how many elements stand on a turn.
type TurnCount struct {
	TurnID   string
	Elements int
}

// TurnsBehind returns the turns whose words are evidence of more than n
// elements, most elements first, then by id.
func TurnsBehind(elements iter.Seq[*Element], n int) []TurnCount {
	counts := map[string]int{}
	for e := range elements {
		seen := map[string]bool{}
		for i := range e.Evidence {
			if id := e.Evidence[i].TurnID; !seen[id] {
				seen[id] = true
				counts[id]++
			}
		}
	}
	out := []TurnCount{}
	for id, c := range counts {
		if c > n {
			out = append(out, TurnCount{id, c})
		}
	}
	slices.SortFunc(out, func(a, b TurnCount) int {
		return cmp.Or(b.Elements-a.Elements, strings.Compare(a.TurnID, b.TurnID))
	})
	return out
}

// History returns the records that changed an element, oldest first.
// It returns the log's error.
func History(log iter.Seq2[Mutation, error], elementID string) ([]Mutation, error) {
	out := []Mutation{}
	for m, err := range log {
		if err != nil {
			return nil, fmt.Errorf("read history of element %s: %w", elementID, err)
		}
		if m.ElementID == elementID {
			out = append(out, m)
		}
	}
	return out, nil
}

// fieldOf strips the element's type from the name of a changed field.
func fieldOf(name string) string {
	if _, field, ok := strings.Cut(name, "."); ok {
		return field
	}
	return name
}
