package engine

import (
	"fmt"

	"github.com/speckl/speckl/sir"
)

// finish turns the working copies into mutations and completes the result.
func (s *settling) finish() (*Outcome, error) {
	if len(s.more) > 0 {
		return &Outcome{More: s.more}, nil
	}
	out := &Outcome{Result: s.result}
	for _, id := range s.order {
		m, change, err := s.mutation(id)
		if err != nil {
			return nil, fmt.Errorf("settle turn %s: element %s: %w", s.turn.ID, id, err)
		}
		if m == nil {
			continue
		}
		out.Mutations = append(out.Mutations, *m)
		switch {
		case change.Action == sir.Created:
			s.result.Added = append(s.result.Added, *change)
		case change.Element.Status.Live():
			s.result.Refined = append(s.result.Refined, *change)
		default:
			s.result.Deprecated = append(s.result.Deprecated, *change)
		}
	}
	p := &s.pending
	if len(p.Candidates)+len(p.Clarifications)+len(p.Conflicts)+len(p.Closed) > 0 {
		out.Mutations = append(out.Mutations, sir.Mutation{TurnID: s.turn.ID, Kind: sir.PendingKind, Body: &sir.Payload{Pending: p}})
	}
	if len(s.result.Clarifications) > 0 {
		s.result.Status = "clarification_needed"
	}
	s.result.Summary = s.d.summarize(s.result)
	return out, nil
}

// mutation is what happened to one element in this turn: its version grows
// by one, its history by one entry. nil where nothing changed.
func (s *settling) mutation(id string) (*sir.Mutation, *sir.Change, error) {
	e, old := s.now[id], s.before[id]
	action, ok := s.actions[id]
	if !ok {
		return nil, nil, nil
	}
	version := 1
	if old != nil {
		version = old.Version + 1
	}
	e.Version, e.UpdatedAt = version, s.turn.Timestamp
	entry := sir.Entry{
		TurnID: s.turn.ID, Action: action, AgentID: s.turn.AgentID, Version: version, HumanConfirmed: s.human[id],
		Timestamp: s.turn.Timestamp, ConfidenceAtTime: e.Confidence, ExtractionRationale: s.reasons[id], Attribution: s.by[id],
	}
	if action == sir.ActionDeprecated && e.Status == sir.Error && s.human[id] {
		entry.ConfidenceAtTime = sir.Certain // how sure the person is that it is wrong (seed §10.2)
	}
	if old != nil && (action == sir.ActionRefined || len(s.changed[id]) > 0) {
		changes := s.changed[id]
		if changes == nil {
			changes = []sir.FieldChange{}
		}
		entry.Diff = &sir.Diff{FromVersion: old.Version, ToVersion: version, TriggerTurnID: s.turn.ID, Changes: changes}
	}
	e.Provenance.Entries = append(e.Provenance.Entries, entry)
	m := &sir.Mutation{TurnID: s.turn.ID, ElementID: id, Kind: sir.Created, Version: version, Attribution: s.by[id]}
	if old == nil {
		m.Body = &sir.Payload{Element: e, Values: s.values[id]}
	} else {
		m.Kind = sir.Updated
		switch e.Status {
		case sir.Deprecated, sir.Error:
			m.Kind = sir.DeprecatedKind
		case sir.Replaced:
			m.Kind = sir.ReplacedKind
		}
		patch, err := sir.DiffElements(old, e)
		if err != nil {
			return nil, nil, err
		}
		m.Body = &sir.Payload{Patch: &patch, Values: s.values[id]}
	}
	return m, &sir.Change{ElementID: id, Element: e, Action: m.Kind, Diff: entry.Diff, Provenance: entry}, nil
}
