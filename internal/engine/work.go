package engine

import (
	"slices"
	"sort"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// settling is one run of [Domain.Settle]: working copies of the elements
// that the turn touches, and what the result will say. An element is copied
// before its first change; at the end each copy becomes one mutation.
type settling struct {
	d     *Domain
	turn  *sir.Turn
	slice *sir.Slice
	mode  sir.Mode
	p     *Proposal
	again bool // see Manner.Again

	before  map[string]*sir.Element // as it stood before the turn
	now     map[string]*sir.Element // working copies, new elements included
	order   []string                // ids in the order in which they were touched
	values  map[string][]sir.ValueSet
	actions map[string]sir.Action // what the turn's one entry will say
	reasons map[string]string
	human   map[string]bool // the entry is confirmed by a human
	by      map[string]sir.Attribution
	changed map[string][]sir.FieldChange
	pending sir.PendingChange
	result  *sir.Result
	chars   sir.CharCounter
	asked   map[string]bool // the terms that the slice was asked for, and more
	more    []string        // further ones that bear on the turn
	found   *lookup
	names   map[string][]*domain.Candidate // see provenElsewhere

	agreements map[*domain.Candidate]*agreement // by the first of a group; see deliberate
	agreed     *agreement                       // of the group at hand; nil outside a debate
}

// settling begins a run.
func (d *Domain) settling(slice *sir.Slice, ask sir.Ask, p *Proposal, mode sir.Mode) *settling {
	s := &settling{
		d: d, turn: p.Turn, slice: slice, mode: mode, p: p,
		before: map[string]*sir.Element{}, now: map[string]*sir.Element{},
		values: map[string][]sir.ValueSet{}, actions: map[string]sir.Action{}, reasons: map[string]string{},
		human: map[string]bool{}, by: map[string]sir.Attribution{}, changed: map[string][]sir.FieldChange{},
		result: NewResult(d.ID, slice, p.Turn, mode), asked: map[string]bool{}, found: newLookup(slice),
	}
	for _, t := range ask.Terms {
		s.asked[t] = true
	}
	return s
}

// wants notes that elements with the term bear on the turn.
func (s *settling) wants(term string) {
	if !s.asked[term] {
		s.asked[term] = true
		s.more = append(s.more, term)
	}
}

// element returns the newest copy of an element, or nil.
func (s *settling) element(id string) *sir.Element {
	if e := s.now[id]; e != nil {
		return e
	}
	if n, ok := s.found.at[id]; ok {
		return s.slice.Elements[n]
	}
	return nil
}

// with returns the elements that carry a term, oldest first.
func (s *settling) with(term string) []*sir.Element {
	s.wants(term)
	var out []*sir.Element
	for _, id := range s.found.with(term) {
		if e := s.element(id); slices.Contains(e.Terms, term) {
			out = append(out, e)
		}
	}
	return out
}

// edit returns a copy of the element that may be changed.
func (s *settling) edit(id string) *sir.Element {
	if e := s.now[id]; e != nil {
		return e
	}
	old := s.element(id)
	c := clone(old)
	s.before[id], s.now[id] = old, c
	s.order = append(s.order, id)
	return c
}

// clone copies an element so deep that the copy may be changed. Evidence and
// history are only ever appended to, and share their room with the newest
// version, so that an element that is said a million times stays cheap.
func clone(e *sir.Element) *sir.Element {
	c := *e
	c.Data = make(sir.Data, len(e.Data))
	for k, v := range e.Data {
		c.Data[k] = v
	}
	c.Fields = make(map[string]sir.Field, len(e.Fields))
	for k, v := range e.Fields {
		c.Fields[k] = v
	}
	c.Refs = slices.Clone(e.Refs)
	c.Interpretations = slices.Clone(e.Interpretations)
	c.Keys = slices.Clip(e.Keys)
	c.Terms = slices.Clone(e.Terms)
	return &c
}

// note says what the turn's entry of an element will be. The first action
// stands, but for an extraction, which nothing replaces.
func (s *settling) note(id string, action sir.Action, reason string, human bool, by sir.Attribution) {
	if s.agreed != nil && by.Type == sir.ByConsensus && reason != "" {
		reason += " (" + s.agreed.text + ")"
	}
	if was, ok := s.actions[id]; !ok || was == sir.ActionRefined && action != sir.ActionRefined {
		s.actions[id] = action
		s.by[id] = by
	}
	if reason != "" && !strings.Contains(s.reasons[id], reason) {
		if s.reasons[id] != "" {
			s.reasons[id] += "; "
		}
		s.reasons[id] += reason
	}
	s.human[id] = s.human[id] || human
}

// evidence makes a quote of the turn's words, as they stand there.
func (s *settling) evidence(span sir.Span) sir.Evidence {
	return sir.Evidence{
		TurnID: s.turn.ID, Bytes: [2]int{span.Start, span.End},
		Chars: [2]int{s.chars.Before(s.turn.Content, span.Start), s.chars.Before(s.turn.Content, span.End)},
		Quote: span.Of(s.turn.Content), Match: sir.Verbatim,
	}
}

// cite appends a span to an element's evidence unless it stands there, and
// returns its index.
func (s *settling) cite(e *sir.Element, span sir.Span, match sir.Match) int {
	ev := s.evidence(span)
	if match != "" {
		ev.Match = match
	}
	for i := len(e.Evidence) - 1; i >= 0 && e.Evidence[i].TurnID == ev.TurnID; i-- {
		if e.Evidence[i].Bytes == ev.Bytes {
			return i
		}
	}
	e.Evidence = append(e.Evidence, ev)
	return len(e.Evidence) - 1
}

// attribution is who or what proposed a candidate.
func (s *settling) attribution(c *domain.Candidate) sir.Attribution {
	switch {
	case s.agreed != nil:
		return sir.Attribution{Type: sir.ByConsensus, Agents: s.agreed.agents}
	case explicit(c.Trigger) && c.Trigger != domain.TriggerSpecBlock && s.turn.Speaker == sir.Human:
		return sir.Attribution{Type: sir.ByHuman, SpeakerID: s.turn.Name()}
	case explicit(c.Trigger) && c.Trigger != domain.TriggerSpecBlock:
		return sir.Attribution{Type: sir.ByAgent, AgentID: s.turn.AgentID, SpeakerID: s.turn.Name()}
	case c.ReportedBy != "":
		return sir.Attribution{Type: sir.ByHuman, SpeakerID: c.ReportedBy}
	}
	return sir.Attribution{Type: sir.BySystem, Component: c.Trigger + ":" + c.Rule}
}

// confirms reports whether a candidate is a marker or block that a human
// wrote.
func (s *settling) confirms(c *domain.Candidate) bool {
	return (c.Trigger == domain.TriggerMarker || c.Trigger == domain.TriggerBlock) && s.turn.Speaker == sir.Human
}

// index recomputes what an element is found by. Old keys stay, so that an
// element is found by every key it has had.
func (s *settling) index(e *sir.Element) {
	terms := s.d.terms(e.ElementType, e.Data)
	for _, k := range e.Keys {
		terms = append(terms, termKey+k)
	}
	for _, t := range e.Terms {
		if strings.HasPrefix(t, termBy) {
			terms = append(terms, t)
		}
	}
	terms = append(terms, termBy+s.turn.SpeakerKey(), termID+e.ID)
	if t := s.d.TypeNamed(e.ElementType); t != nil {
		if key := s.d.Key(t, e.Data); !slices.Contains(e.Keys, key) {
			e.Keys = append(e.Keys, key)
		}
	}
	sort.Strings(terms)
	old := e.Terms
	e.Terms = slices.Compact(terms)
	var fresh []string
	for _, t := range e.Terms {
		if !slices.Contains(old, t) {
			fresh = append(fresh, t)
		}
	}
	s.found.term(e.ID, fresh)
}

// remember records which values the speaker set, for later corrections.
func (s *settling) remember(e *sir.Element, fields []string) {
	for _, f := range fields {
		for _, kind := range s.d.kindsOf(e.ElementType, f) {
			v := sir.ValueSet{Speaker: s.turn.SpeakerKey(), Kind: kind, Field: f}
			if !slices.Contains(s.values[e.ID], v) {
				s.values[e.ID] = append(s.values[e.ID], v)
			}
		}
	}
}
