package sqlstore

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// hash is what a term or a word is found by. Two may have the same hash: what
// was found is looked at again.
func hash(term string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(term))
	return int64(h.Sum64())
}

// Slice returns what was asked for and its neighbours; see
// [store.ElementReader].
func (r *reader) Slice(ask sir.Ask) (*sir.Slice, error) {
	if err := r.usable("slice"); err != nil {
		return nil, err
	}
	s, err := r.slice(ask)
	if err != nil {
		return nil, r.failed("read slice", err)
	}
	return s, nil
}

func (r *reader) slice(ask sir.Ask) (*sir.Slice, error) {
	s := &sir.Slice{Header: r.doc.header, NextClarification: r.doc.questions + 1}
	var err error
	if s.Open, err = r.clarifications(); err != nil {
		return nil, err
	}
	g := gathering{session: &r.session, byN: map[int]*sir.Element{}, nOf: map[string]int{}}
	if err := g.terms(ask.Terms); err != nil {
		return nil, err
	}
	var ids []string
	for _, key := range ask.Values {
		newest, err := r.newest(ask.Domain, key)
		if err != nil {
			return nil, err
		}
		if newest.TurnID == "" {
			continue
		}
		if s.Newest == nil {
			s.Newest = map[sir.ValueKey]sir.Newest{}
		}
		s.Newest[key] = newest
		for _, v := range newest.Values {
			ids = append(ids, v.ElementID)
		}
	}
	for _, speaker := range ask.LastTurnOf {
		turnID, touched, err := r.lastTurn(ask, speaker)
		if err != nil {
			return nil, err
		}
		if len(touched) == 0 {
			continue
		}
		if s.LastTurn == nil {
			s.LastTurn = map[string]string{}
		}
		s.LastTurn[speaker] = turnID
		ids = append(ids, touched...)
	}
	if err := g.ids(ids); err != nil {
		return nil, err
	}
	if s.Elements, err = g.withNeighbours(); err != nil {
		return nil, err
	}
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

// newest is where a speaker last set values of a kind.
func (s *session) newest(domain string, key sir.ValueKey) (sir.Newest, error) {
	var out sir.Newest
	if !holdable(key.Speaker, key.Kind, domain) {
		return out, nil
	}
	rows, err := s.conn.query(s.ctx, qNewest, s.args(key.Speaker, key.Kind, domain, domain)...)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	last := 0
	for rows.Next() {
		turn, v := 0, sir.ValueAt{}
		if err := rows.Scan(&turn, &v.ElementID, &v.Field); err != nil {
			return out, err
		}
		if last != 0 && turn != last {
			break
		}
		last = turn
		out.Values = append(out.Values, v)
	}
	if err := rows.Err(); err != nil || last == 0 {
		return out, err
	}
	if err := rows.Close(); err != nil {
		return out, err
	}
	slices.Reverse(out.Values)
	out.Values = onceEach(out.Values)
	turns, err := s.turnIDs([]int64{int64(last)})
	out.TurnID = turns[last].id
	return out, err
}

// onceEach drops a value that stands among those just before it of the same
// element, as the fold does.
func onceEach(values []sir.ValueAt) []sir.ValueAt {
	out := values[:0]
	for _, v := range values {
		again := false
		for i := len(out) - 1; i >= 0 && out[i].ElementID == v.ElementID; i-- {
			again = again || out[i] == v
		}
		if !again {
			out = append(out, v)
		}
	}
	return out
}

// namedTurn is a turn's id and time.
type namedTurn struct {
	id string
	at *int64
}

// turnIDs names turns by their ordinals.
func (s *session) turnIDs(ns []int64) (map[int]namedTurn, error) {
	out := map[int]namedTurn{}
	err := s.conn.each(s.ctx, qTurnIDs, s.args(s.conn.many(ns)), func(scan func(...any) error) error {
		n, t := 0, namedTurn{}
		err := scan(&n, &t.id, &t.at)
		out[n] = t
		return err
	})
	return out, err
}

// lastTurn is a speaker's last turn and the elements of the domain that it
// touched.
func (s *session) lastTurn(ask sir.Ask, speaker string) (turnID string, touched []string, err error) {
	n, id, err := s.lastSaid(speaker, ask.Turn)
	if err != nil || n == 0 {
		return "", nil, err
	}
	err = s.conn.each(s.ctx, qTouched, s.args(n, ask.Domain, ask.Domain), func(scan func(...any) error) error {
		e := ""
		err := scan(&e)
		touched = append(touched, e)
		return err
	})
	return id, touched, err
}

// clarifications are the open ones.
func (s *session) clarifications() ([]sir.Clarification, error) {
	out := []sir.Clarification{}
	err := s.conn.each(s.ctx, qOpen, s.args(), func(scan func(...any) error) error {
		var body []byte
		if err := scan(&body); err != nil {
			return err
		}
		var q sir.Clarification
		if err := json.Unmarshal(body, &q); err != nil {
			return fmt.Errorf("read clarification: %w: %w", store.ErrBroken, err)
		}
		out = append(out, q)
		return nil
	})
	return out, err
}

// gathering collects elements.
type gathering struct {
	*session
	byN map[int]*sir.Element
	nOf map[string]int // id → n
}

func (g *gathering) take(found []storedElement) {
	for _, x := range found {
		if x.element != nil {
			g.byN[x.n], g.nOf[x.id] = x.element, x.n
		}
	}
}

// terms takes the elements that carry any of the terms.
func (g *gathering) terms(terms []string) error {
	if len(terms) == 0 {
		return nil
	}
	hashes := make([]int64, len(terms))
	for i, t := range terms {
		hashes[i] = hash(t)
	}
	found, err := g.allElements(qElementsByTerm, g.args(g.ref.Organization, g.doc.key, g.conn.many(hashes)))
	if err != nil {
		return err
	}
	wanted := make(map[string]bool, len(terms))
	for _, t := range terms {
		wanted[t] = true
	}
	g.take(slices.DeleteFunc(found, func(x storedElement) bool {
		isWanted := func(t string) bool { return wanted[t] }
		return x.element == nil || !slices.ContainsFunc(x.element.Terms, isWanted) && !slices.ContainsFunc(x.element.Keys, isWanted)
	}))
	return nil
}

// ids takes elements by their ids; unknown ones are passed over.
func (g *gathering) ids(ids []string) error {
	var missing []string
	for _, id := range ids {
		if _, ok := g.nOf[id]; !ok && !slices.Contains(missing, id) {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	found, err := g.allElements(qElementsByID, g.args(g.conn.many(missing)))
	g.take(found)
	return err
}

// withNeighbours takes what the elements refer to, then the successors of
// all, and returns them in the order of creation.
func (g *gathering) withNeighbours() ([]*sir.Element, error) {
	var ids []string
	for _, e := range g.byN {
		for _, ref := range e.Refs {
			ids = append(ids, ref.ID)
		}
	}
	for first := true; first || len(ids) > 0; first = false {
		known := len(g.byN)
		if err := g.ids(ids); err != nil {
			return nil, err
		}
		if !first && len(g.byN) == known {
			break // successors that are gone
		}
		ids = ids[:0]
		for _, e := range g.byN {
			if _, ok := g.nOf[e.ReplacedByID]; e.ReplacedByID != "" && !ok {
				ids = append(ids, e.ReplacedByID)
			}
		}
	}
	if len(g.byN) == 0 {
		return nil, nil
	}
	ns := make([]int, 0, len(g.byN))
	for n := range g.byN {
		ns = append(ns, n)
	}
	slices.Sort(ns)
	out := make([]*sir.Element, len(ns))
	for i, n := range ns {
		out[i] = g.byN[n]
	}
	return out, nil
}
