package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Net is what the turns of a batch did to a document together. It takes
// their outcomes one after the other, and needs nothing of the document.
type Net struct {
	domain *Domain
	header sir.Header
	result *sir.Result
	every  bool     // list each turn's changes as they came
	passed []string // what entered in the batch and no longer holds

	order   []string // ids of the elements that changed, as they first did
	changes map[string]*netChange
	closed  map[string]bool // what waited for a person and no longer does
}

// netChange is what happened to one element.
type netChange struct {
	born   *sir.Entry // nil where it stood before the batch
	from   int        // its version before the batch
	last   sir.Change
	fields []sir.FieldChange // the first old and the last new value of each
}

// NewNet begins the result of a batch. The header is the document's before
// it. every: list each turn's changes instead of the net change.
func (d *Domain) NewNet(h sir.Header, every bool) *Net {
	r := NewResult(d.ID, &sir.Slice{Header: h}, &sir.Turn{}, sir.Batch)
	r.SourceTurnIDs = []string{}
	return &Net{domain: d, header: h, result: r, every: every, changes: map[string]*netChange{}, closed: map[string]bool{}}
}

// Empty reports whether there is nothing to tell: no turn was read, and none
// was known.
func (n *Net) Empty() bool {
	return len(n.result.SourceTurnIDs)+len(n.result.Duplicates) == 0
}

// Known notes a turn that was read before.
func (n *Net) Known(turn *sir.Turn) {
	n.result.Duplicates = append(n.result.Duplicates, sir.Duplicate{TurnID: turn.ID})
	n.result.Timestamp = turn.Timestamp
}

// Add takes the outcome of the batch's next turn.
func (n *Net) Add(turn *sir.Turn, out *Outcome) {
	r, t := n.result, out.Result
	r.SourceTurnIDs = append(r.SourceTurnIDs, turn.ID)
	r.Timestamp = turn.Timestamp
	for i := range out.Mutations {
		if b := out.Mutations[i].Body; b != nil && b.Pending != nil {
			for _, id := range b.Pending.Closed {
				n.closed[id] = true
			}
		}
	}
	for _, list := range [][]sir.Change{t.Added, t.Refined, t.Deprecated} {
		for _, c := range list {
			n.change(c)
		}
	}
	if n.every {
		r.Added, r.Refined, r.Deprecated = append(r.Added, t.Added...), append(r.Refined, t.Refined...), append(r.Deprecated, t.Deprecated...)
	}
	r.Flagged = append(r.Flagged, t.Flagged...)
	r.Ambiguities = append(r.Ambiguities, t.Ambiguities...)
	r.Conflicts = append(r.Conflicts, t.Conflicts...)
	r.Clarifications = append(r.Clarifications, t.Clarifications...)
	r.Dropped = append(r.Dropped, t.Dropped...)
	r.Duplicates = append(r.Duplicates, t.Duplicates...)
	n.metadata(turn, t)
}

// metadata adds up what the turns' results tell about themselves.
func (n *Net) metadata(turn *sir.Turn, t *sir.Result) {
	m := &n.result.Metadata
	addMetadata(m, &t.Metadata)
	if t.Mode == sir.Interactive {
		m.Notes = append(m.Notes, fmt.Sprintf("turn %s was read as interactive", turn.ID))
	}
}

// change lays one change over those before it.
func (n *Net) change(c sir.Change) {
	x := n.changes[c.ElementID]
	if x == nil {
		x = &netChange{from: c.Provenance.Version - 1}
		if c.Action == sir.Created {
			x.born = &c.Provenance
		}
		n.changes[c.ElementID] = x
		n.order = append(n.order, c.ElementID)
	}
	x.last = c
	if c.Diff == nil {
		return
	}
	for _, f := range c.Diff.Changes {
		at := slices.IndexFunc(x.fields, func(old sir.FieldChange) bool { return old.Field == f.Field })
		if at < 0 {
			x.fields = append(x.fields, f)
		} else {
			x.fields[at].NewValue, x.fields[at].Reason = f.NewValue, f.Reason
		}
	}
}

// Result completes and returns the batch's result. summarize: say in words
// what changed; else only how much was read.
func (n *Net) Result(summarize bool) *sir.Result {
	r := n.result
	r.ExtractionID = sir.ExtractionID(n.header.ID, r.Mode, r.SourceTurnIDs, n.header.Version)
	n.open()
	if !n.every {
		n.settled()
		r.Flagged = n.domain.distinct(r.Flagged)
	}
	if len(r.Clarifications) > 0 {
		r.Status = sir.ClarificationNeeded
	}
	switch {
	case summarize && len(r.SourceTurnIDs) == 0 && len(r.Duplicates) > 0:
		r.Summary = "Nothing new: the turns were read before."
	case summarize:
		r.Summary = n.domain.summarize(r)
		if len(n.passed) > 0 {
			if r.Summary == nothing {
				r.Summary = "Nothing was added."
			}
			r.Summary += " Said, and no longer so at the end: " + few(n.passed, 3) + "."
		}
	default:
		r.Summary = plural(len(r.SourceTurnIDs), "turn") + " read as a batch."
	}
	return r
}

// settled lists each element once: by how it stood before the batch and how
// it stands after. What entered and no longer holds is dropped.
func (n *Net) settled() {
	r := n.result
	for _, id := range n.order {
		x := n.changes[id]
		c := x.last
		live := c.Element.Status.Live()
		switch {
		case x.born != nil && live:
			c.Action, c.Diff, c.Provenance = sir.Created, nil, *x.born
			r.Added = append(r.Added, c)
		case x.born != nil:
			r.Dropped = append(r.Dropped, n.pass(&c))
		default:
			c.Diff = x.diff()
			if live {
				r.Refined = append(r.Refined, c)
			} else {
				r.Deprecated = append(r.Deprecated, c)
			}
		}
	}
}

// diff is the net difference of an element that stood before; nil where no
// turn told of one.
func (x *netChange) diff() *sir.Diff {
	if x.last.Diff == nil && len(x.fields) == 0 {
		return nil
	}
	d := &sir.Diff{FromVersion: x.from, ToVersion: x.last.Provenance.Version, TriggerTurnID: x.last.Provenance.TurnID, Changes: []sir.FieldChange{}}
	for _, f := range x.fields {
		if show(f.OldValue) != show(f.NewValue) { // else it came back to what it was
			d.Changes = append(d.Changes, f)
		}
	}
	return d
}

// pass says that an element entered within the batch and no longer holds.
func (n *Net) pass(c *sir.Change) sir.Dropped {
	e := c.Element
	what := n.domain.Describe(e.ElementType, e.Data)
	n.passed = append(n.passed, what)
	out := sir.Dropped{Reason: sir.TakenBack, TurnID: c.Provenance.TurnID}
	if e.Status == sir.Replaced {
		out.Reason = sir.Superseded
	}
	if len(e.Evidence) > 0 {
		out.Text, out.TurnID = e.Evidence[0].Quote, e.Evidence[0].TurnID
	}
	out.Detail = fmt.Sprintf("%s (%s), by turn %s: %s", what, e.ID, c.Provenance.TurnID, c.Provenance.ExtractionRationale)
	return out
}

// few lists the first names, and how many more there are.
func few(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// open leaves out what a later turn of the batch has settled.
func (n *Net) open() {
	r := n.result
	answered := map[string]bool{}
	for _, q := range r.Clarifications {
		if n.closed[q.ID] && len(q.Interpretations) > 0 {
			answered[q.Interpretations[0].ID] = true
		}
	}
	r.Flagged = slices.DeleteFunc(r.Flagged, func(c sir.Candidate) bool { return n.closed[c.CandidateID] })
	r.Clarifications = slices.DeleteFunc(r.Clarifications, func(q sir.Clarification) bool { return n.closed[q.ID] })
	r.Conflicts = slices.DeleteFunc(r.Conflicts, func(x sir.Conflict) bool { return n.closed[x.ID] })
	r.Ambiguities = slices.DeleteFunc(r.Ambiguities, func(a sir.Ambiguity) bool { return answered[a.Interpretations[0].ID] })
}

// distinct merges candidates of the pool that say the same: the first stands,
// with the words of all and the highest confidence.
func (d *Domain) distinct(all []sir.Candidate) []sir.Candidate {
	at := map[string]int{}
	out := []sir.Candidate{}
	for _, c := range all {
		key, ok := d.sayingOf(&c)
		i, seen := at[key]
		if !ok || !seen {
			if ok {
				at[key] = len(out)
			}
			out = append(out, c)
			continue
		}
		first := &out[i]
		first.Confidence = max(first.Confidence, c.Confidence)
		first.Evidence = append(slices.Clip(first.Evidence), c.Evidence...)
	}
	return out
}

// sayingOf is what a candidate that is only too unsure says, in one text.
func (d *Domain) sayingOf(c *sir.Candidate) (string, bool) {
	t := d.TypeNamed(c.ElementType)
	if t == nil || c.Reason != sir.LowConfidence || c.Diff != nil {
		return "", false
	}
	return t.Name + d.whole(t, &domain.Candidate{Data: c.Data}), true
}

// Joined is several results, of domains or of turns, as one: the first, with
// what the others have.
func Joined(results []*sir.Result) *sir.Result {
	out := *results[0]
	for _, r := range results[1:] {
		out.SourceTurnIDs = union(out.SourceTurnIDs, r.SourceTurnIDs)
		out.Added = joined(out.Added, r.Added)
		out.Refined = joined(out.Refined, r.Refined)
		out.Deprecated = joined(out.Deprecated, r.Deprecated)
		out.Flagged = joined(out.Flagged, r.Flagged)
		out.Ambiguities = joined(out.Ambiguities, r.Ambiguities)
		out.Conflicts = joined(out.Conflicts, r.Conflicts)
		out.Clarifications = joined(out.Clarifications, r.Clarifications)
		out.Dropped = joined(out.Dropped, r.Dropped)
		out.Duplicates = joined(out.Duplicates, r.Duplicates)
		out.Summary += " " + r.Summary
		out.Timestamp = r.Timestamp
		addMetadata(&out.Metadata, &r.Metadata)
	}
	return &out
}

// addMetadata adds what one result tells about itself to another's.
func addMetadata(m, n *sir.ResultMetadata) {
	m.Degraded = m.Degraded || n.Degraded
	m.DegradedReasons = union(m.DegradedReasons, n.DegradedReasons)
	m.Notes = union(m.Notes, n.Notes)
	m.LLMCalls += n.LLMCalls
	m.Tokens += n.Tokens
	m.CacheHits += n.CacheHits
	switch {
	case n.Deliberation == nil:
	case m.Deliberation == nil:
		m.Deliberation = n.Deliberation
	default:
		both := *m.Deliberation
		both.Debated = joined(both.Debated, n.Deliberation.Debated)
		m.Deliberation = &both
	}
}

// joined is a and b in a list of its own.
func joined[T any](a, b []T) []T { return append(slices.Clip(a), b...) }

// union adds what a list lacks of another, and leaves both as they are.
func union(a, b []string) []string {
	known := map[string]bool{}
	for _, x := range a {
		known[x] = true
	}
	out := slices.Clip(a)
	for _, x := range b {
		if !known[x] {
			known[x] = true
			out = append(out, x)
		}
	}
	return out
}
