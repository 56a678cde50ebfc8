package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Outcome is what a turn does to a document.
type Outcome struct {
	// Mutations are to be appended as one commit; none where nothing changes.
	Mutations []sir.Mutation
	Result    *sir.Result
	// More are terms that turned out to bear on the turn and were not asked
	// for: ask for them too, and settle again. Nothing else is set then.
	More []string
}

// settle is one run of [Domain.Settle] in one mode.
func (d *Domain) settle(slice *sir.Slice, ask sir.Ask, p *Proposal, how Manner) (*Outcome, error) {
	if p.Empty() {
		out := &Outcome{Result: NewResult(d.ID, slice, p.Turn, how.Mode)}
		out.Result.Summary = nothing
		return out, nil
	}
	s := d.settling(slice, ask, p, how.Mode)
	s.again = how.Again
	s.result.Dropped = append(s.result.Dropped, p.Dropped...)
	if p.Retracts {
		s.withdraw()
	}
	groups := s.contradictions(s.prepare())
	if how.Mode == sir.Deliberative {
		groups = s.deliberate(groups, how.Debaters)
	}
	for _, group := range groups {
		s.agreed = s.agreements[group[0]]
		if len(group) == 1 {
			s.one(group[0])
		} else {
			s.contradiction(group)
		}
	}
	s.agreed = nil
	for _, f := range p.Fixes {
		s.fix(f)
	}
	return s.finish()
}

// NewResult is a result without effect.
func NewResult(domainID string, slice *sir.Slice, turn *sir.Turn, mode sir.Mode) *sir.Result {
	return &sir.Result{
		ExtractionID: sir.ExtractionID(slice.Header.ID, mode, []string{turn.ID}, slice.Header.Version),
		Mode:         mode, SourceTurnIDs: []string{turn.ID}, Timestamp: turn.Timestamp,
		Added: []sir.Change{}, Refined: []sir.Change{}, Deprecated: []sir.Change{}, Flagged: []sir.Candidate{},
		Ambiguities: []sir.Ambiguity{}, Conflicts: []sir.Conflict{}, Clarifications: []sir.Clarification{},
		Dropped: []sir.Dropped{}, Duplicates: []sir.Duplicate{},
		Metadata: sir.ResultMetadata{Domain: domainID, DegradedReasons: []string{}},
	}
}

// view is what a hook may see.
func (s *settling) view() domain.View {
	return domain.View{Turn: s.turn, Slice: s.slice, Known: s.known, Said: s.p.Candidates}
}

// prepare normalises the candidates, drops those that lack proof, and finds
// the ones with several readings.
func (s *settling) prepare() []*domain.Candidate {
	view := s.view()
	var out []*domain.Candidate
	for i := range s.p.Candidates {
		c := s.p.Candidates[i]
		c.Data, c.Fields = maps.Clone(c.Data), maps.Clone(c.Fields)
		if name := s.unproven(&c); name != "" {
			s.drop("unproven_name", c.Span, fmt.Sprintf("%q is not known as a name", name))
			continue
		}
		if n, ok := s.d.Hooks.(domain.Normalizer); ok {
			if keep, reason := n.Normalize(&c, view); !keep {
				s.drop(sir.DropReason(reason), c.Span, "rule "+c.Rule)
				continue
			}
		}
		if in, ok := s.d.Hooks.(domain.Interpreter); ok && c.Readings == nil {
			c.Readings = in.Interpret(&c, view)
		}
		out = append(out, &c)
	}
	return out
}

// unproven returns the name that a candidate has no proof for, "" if it has;
// doubtful fields without proof become unknown.
func (s *settling) unproven(c *domain.Candidate) string {
	t := s.d.TypeNamed(c.Type)
	proof := func(name string) (string, bool) {
		f := t.FieldNamed(name)
		v, _ := c.Data[name].(string)
		typ := f.Ref
		if typ == "" {
			typ = c.Type
		}
		return v, v == "" || isFree(f, v) || s.provenElsewhere(typ, v, c)
	}
	for _, name := range c.Unproven {
		if v, ok := proof(name); !ok {
			return v
		}
	}
	for _, name := range c.Doubtful {
		if _, ok := proof(name); !ok {
			c.Data[name] = t.Blank()[name]
			delete(c.Fields, name)
		}
	}
	return ""
}

// known reports whether a live element of the type has the name, in the
// document or among the turn's candidates.
func (s *settling) known(typ, name string) bool { return s.provenElsewhere(typ, name, nil) }

func (s *settling) provenElsewhere(typ, name string, except *domain.Candidate) bool {
	t := s.d.TypeNamed(typ)
	data := t.Blank()
	data[t.Key[0]] = name
	key := s.d.Key(t, data)
	s.wants(termKey + key)
	for _, id := range s.found.with(termKey + key) {
		if n, ok := s.found.at[id]; ok && n < len(s.slice.Elements) && s.slice.Elements[n].Status.Live() && slices.Contains(s.slice.Elements[n].Terms, termKey+key) {
			return true
		}
	}
	if s.names == nil {
		s.names = s.namesByForm()
	}
	for _, c := range s.names[typ+"|"+s.d.Canonical(t.FieldNamed(t.Key[0]), name)] {
		if except == nil || c.Span != except.Span || c.Rule != except.Rule {
			return true
		}
	}
	return false
}

// namesByForm lists the turn's candidates by the names that they use and
// that need no proof, as "type|name".
func (s *settling) namesByForm() map[string][]*domain.Candidate {
	out := map[string][]*domain.Candidate{}
	for i := range s.p.Candidates {
		c := &s.p.Candidates[i]
		t := s.d.TypeNamed(c.Type)
		for j := range t.Fields {
			f := &t.Fields[j]
			typ := f.Ref
			if f.Name == t.Key[0] {
				typ = c.Type
			}
			if typ != "" && domain.Known(f, c.Data[f.Name]) && !slices.Contains(c.Unproven, f.Name) && !slices.Contains(c.Doubtful, f.Name) {
				key := typ + "|" + s.d.Canonical(f, c.Data[f.Name])
				if n := len(out[key]); n < 3 { // one of another place is enough
					out[key] = append(out[key], c)
				}
			}
		}
	}
	return out
}

func (s *settling) drop(reason sir.DropReason, span sir.Span, detail string) {
	s.result.Dropped = append(s.result.Dropped, sir.Dropped{Reason: reason, Text: span.Of(s.turn.Content), TurnID: s.turn.ID, Detail: detail})
}

// one settles a candidate that stands alone.
func (s *settling) one(c *domain.Candidate) {
	if len(c.Readings) > 1 {
		s.ambiguous(c, false)
		return
	}
	t := s.d.TypeNamed(c.Type)
	e, contradicts := s.find(t, c)
	if c.Correction && e == nil {
		e, contradicts = s.antecedent(t, c)
	}
	if e != nil && (contradicts || c.Correction && e.Status.Live() && s.d.contradicts(c.Type, e.Data, c.Data)) && c.Correction {
		c.Trigger = domain.TriggerCorrection
	}
	confidence, scores := s.scored(c)
	switch {
	case e == nil:
		s.create(t, c, confidence, scores, nil)
	case e.Status == sir.Error:
		if s.confirms(c) {
			s.reopen(e, c, confidence, scores)
			return
		}
		s.drop("rejected_before", c.Span, "a person marked this as an error")
	default:
		s.conflict(t, e, c, confidence, scores)
	}
}

// find looks for the element that a candidate says again: equal key, then
// unification, then equal slot. contradicts: it holds another value.
func (s *settling) find(t *domain.Type, c *domain.Candidate) (e *sir.Element, contradicts bool) {
	same := s.with(termKey + s.d.Key(t, c.Data))
	for _, e := range same {
		if e.Status.Live() && e.ElementType == t.Name {
			return e, s.d.contradicts(t.Name, e.Data, c.Data)
		}
	}
	for _, e := range same {
		if e.Status == sir.Error && e.ElementType == t.Name {
			return e, false
		}
	}
	var fits []*sir.Element
	for _, u := range s.d.Unify(t, c.Data) {
		for _, e := range s.with(termUnify + u) {
			if e.Status.Live() && e.ElementType == t.Name && !slices.Contains(fits, e) && !s.d.contradicts(t.Name, e.Data, c.Data) {
				fits = append(fits, e)
			}
		}
	}
	if len(fits) == 1 {
		return fits[0], false
	}
	if len(fits) > 1 {
		c.Question = s.whichOne(t, c, fits)
		return nil, false
	}
	if slot := s.d.Slot(t, c.Data); slot != "" {
		for _, e := range s.with(termSlot + slot) {
			if e.Status.Live() && e.ElementType == t.Name && !s.sameBreath(e, c) {
				return e, true
			}
		}
	}
	return nil, false
}

// sameBreath reports whether an element came from the candidate's own
// sentence: what one sentence joins is kept.
func (s *settling) sameBreath(e *sir.Element, c *domain.Candidate) bool {
	if s.before[e.ID] != nil || s.now[e.ID] == nil {
		return false
	}
	for _, ev := range e.Evidence {
		if (sir.Span{Start: ev.Bytes[0], End: ev.Bytes[1]}).Overlaps(c.Span) {
			return true
		}
	}
	return false
}

// withdraw deprecates what rests only on the speaker's last turn.
func (s *settling) withdraw() {
	last, ok := s.slice.LastTurn[s.turn.SpeakerKey()]
	if !ok {
		s.drop("no_antecedent", s.p.RetractSpan, "nothing was said before that could be taken back")
		return
	}
	reason := "the speaker took it back: " + s.p.RetractSpan.Of(s.turn.Content)
	for _, e := range s.slice.Elements {
		if !e.Status.Live() || e.Domain != s.d.ID {
			continue
		}
		if !restsOn(e, last) {
			s.takeBack(e, last, reason)
			continue
		}
		n := s.edit(e.ID)
		n.Status = sir.Deprecated
		n.Flags.NeedsReview, n.Flags.IsTentative, n.Flags.IsAmbiguous = false, false, false
		s.note(e.ID, sir.ActionDeprecated, reason, false, s.speaker())
	}
	if len(s.order) == 0 {
		s.drop("no_antecedent", s.p.RetractSpan, "nothing rests on the speaker's last turn alone")
	}
}

// takeBack makes the fields of an element unknown that rest on one turn
// alone, where the element itself does not.
func (s *settling) takeBack(e *sir.Element, turnID, reason string) {
	t := s.d.TypeNamed(e.ElementType)
	if t == nil {
		return
	}
	blank := t.Blank()
	for i := range t.Fields {
		f := &t.Fields[i]
		src, ok := e.Fields[f.Name]
		if !ok || slices.Contains(t.Key, f.Name) || !domain.Known(f, e.Data[f.Name]) || !fieldRestsOn(e, src, turnID) {
			continue
		}
		n := s.edit(e.ID)
		old := n.Data[f.Name]
		n.Data[f.Name] = blank[f.Name]
		delete(n.Fields, f.Name)
		s.changed[e.ID] = append(s.changed[e.ID], sir.FieldChange{Field: t.Name + "." + f.Name, OldValue: old, NewValue: blank[f.Name], Reason: s.p.RetractSpan.Of(s.turn.Content)})
		s.note(e.ID, sir.ActionRefined, reason, false, s.speaker())
		s.index(n)
	}
}

func fieldRestsOn(e *sir.Element, f sir.Field, turnID string) bool {
	for _, i := range f.Evidence {
		if e.Evidence[i].TurnID != turnID {
			return false
		}
	}
	return len(f.Evidence) > 0
}

func restsOn(e *sir.Element, turnID string) bool {
	for _, ev := range e.Evidence {
		if ev.TurnID != turnID {
			return false
		}
	}
	return len(e.Evidence) > 0
}

// speaker attributes something to who speaks the turn.
func (s *settling) speaker() sir.Attribution {
	if s.turn.Speaker == sir.Agent {
		return sir.Attribution{Type: sir.ByAgent, AgentID: s.turn.AgentID, SpeakerID: s.turn.Name()}
	}
	return sir.Attribution{Type: sir.ByHuman, SpeakerID: s.turn.Name()}
}

// related are the live elements from earlier turns that share a name with
// the candidate.
func (s *settling) related(c *domain.Candidate) []*sir.Element {
	if _, ok := s.d.Hooks.(domain.Checker); !ok {
		return nil
	}
	t := s.d.TypeNamed(c.Type)
	var keys []string
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Ref != "" && domain.Known(f, c.Data[f.Name]) && !isFree(f, c.Data[f.Name]) {
			keys = append(keys, s.d.refKey(f, c.Data[f.Name]))
			for _, typ := range append([]string{t.Name}, t.Bearing...) {
				keys = append(keys, termName+typ+"|"+f.Ref+"|"+s.d.Canonical(f, c.Data[f.Name]))
			}
		}
	}
	var out []*sir.Element
	for _, e := range s.slice.Elements {
		if e.Status.Live() && slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(e.Terms, k) }) {
			out = append(out, e)
		}
	}
	return out
}
