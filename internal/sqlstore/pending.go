package sqlstore

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// The kinds of what waits for a person.
const (
	aCandidate     = 0
	aClarification = 1
	aConflict      = 2
)

// Pending returns what waits.
func (r *reader) Pending() (sir.Pending, error) {
	p := sir.Pending{Candidates: []sir.Candidate{}, Clarifications: []sir.Clarification{}, Conflicts: []sir.Conflict{}}
	if err := r.usable("pending"); err != nil {
		return p, err
	}
	err := r.conn.each(r.ctx, qPending, r.args(), func(scan func(...any) error) error {
		var kind, place, number int
		var id string
		var body []byte
		if err := scan(&kind, &id, &place, &number, &body); err != nil {
			return err
		}
		var err error
		switch kind {
		case aCandidate:
			p.Candidates, err = decoded(p.Candidates, body)
		case aClarification:
			p.Clarifications, err = decoded(p.Clarifications, body)
		case aConflict:
			p.Conflicts, err = decoded(p.Conflicts, body)
		}
		if err != nil {
			return fmt.Errorf("read what waits as %s: %w: %w", id, store.ErrBroken, err)
		}
		return nil
	})
	if err != nil {
		return p, r.failed("read what waits", err)
	}
	return p, nil
}

func decoded[T any](list []T, body []byte) ([]T, error) {
	var x T
	err := json.Unmarshal(body, &x)
	return append(list, x), err
}

// waitingKey names something that waits.
type waitingKey struct {
	kind int
	id   string
}

// waiting is what is known of something that waits; body is set where it was
// changed in this commit.
type waiting struct {
	place, number int
	body          []byte
	stored        bool // it has a row
	gone          bool // it no longer waits
	moved         bool // it was gone, and waits again in another place
}

// pendingWork is what a commit does to what waits.
type pendingWork struct {
	*session
	items     map[waitingKey]*waiting
	order     []waitingKey
	looked    map[string]bool
	questions int
	places    int
}

func (s *session) pendingWork() *pendingWork {
	return &pendingWork{session: s, items: map[waitingKey]*waiting{}, looked: map[string]bool{}, questions: s.doc.questions, places: s.doc.places}
}

// apply adds and closes, as the fold does (sir.Pending).
func (w *pendingWork) apply(c *sir.PendingChange) error {
	ids := append([]string{}, c.Closed...)
	for _, x := range c.Candidates {
		ids = append(ids, x.CandidateID)
	}
	for _, x := range c.Clarifications {
		ids = append(ids, x.ID)
	}
	for _, x := range c.Conflicts {
		ids = append(ids, x.ID)
	}
	if err := w.look(ids); err != nil {
		return err
	}
	if err := w.number(c); err != nil {
		return err
	}
	for _, id := range c.Closed {
		for kind := aCandidate; kind <= aConflict; kind++ {
			if x := w.items[waitingKey{kind, id}]; x != nil {
				x.gone = true
			}
		}
	}
	for _, x := range c.Candidates {
		if err := w.add(aCandidate, x.CandidateID, 0, x); err != nil {
			return err
		}
	}
	for _, x := range c.Clarifications {
		if err := w.add(aClarification, x.ID, x.Number, x); err != nil {
			return err
		}
	}
	for _, x := range c.Conflicts {
		if err := w.add(aConflict, x.ID, 0, x); err != nil {
			return err
		}
	}
	return nil
}

// look reads what is stored under the ids.
func (w *pendingWork) look(ids []string) error {
	var unknown []string
	for _, id := range ids {
		if !w.looked[id] {
			w.looked[id] = true
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return w.conn.each(w.ctx, qWaiting, w.args(w.conn.many(unknown)), func(scan func(...any) error) error {
		var key waitingKey
		x := &waiting{stored: true}
		err := scan(&key.kind, &key.id, &x.place, &x.number)
		w.items[key] = x
		w.order = append(w.order, key)
		return err
	})
}

// number checks the numbers of clarifications as the fold does: a new one
// takes a number that no other has that waits.
func (w *pendingWork) number(c *sir.PendingChange) error {
	highest := w.questions
	for i, q := range c.Clarifications {
		x := w.items[waitingKey{aClarification, q.ID}]
		switch {
		case q.Number > highest:
			highest = q.Number
			continue
		case x != nil && !x.gone && x.number == q.Number:
			continue
		}
		free, err := w.isFree(c, i)
		if err != nil {
			return err
		}
		if q.Number < 1 || !free {
			return fmt.Errorf("add clarification %s: %w: number %d is taken", q.ID, store.ErrBroken, q.Number)
		}
	}
	w.questions = highest
	return nil
}

// isFree reports whether no other clarification has the number of the i-th
// one of a change: none that waits and is not closed by it, none before it.
func (w *pendingWork) isFree(c *sir.PendingChange, i int) (bool, error) {
	q := c.Clarifications[i]
	for _, o := range c.Clarifications[:i] {
		if o.Number == q.Number && o.ID != q.ID {
			return false, nil
		}
	}
	var open []string
	err := w.conn.each(w.ctx, qNumbered, w.args(q.Number), func(scan func(...any) error) error {
		id := ""
		err := scan(&id)
		open = append(open, id)
		return err
	})
	for key, x := range w.items { // of this commit
		if key.kind == aClarification && x.number == q.Number && !x.gone && x.body != nil {
			open = append(open, key.id)
		}
	}
	return !slices.ContainsFunc(open, func(id string) bool {
		x := w.items[waitingKey{aClarification, id}]
		return id != q.ID && (x == nil || !x.gone) && !slices.Contains(c.Closed, id)
	}), err
}

// add puts something in the place of what waits under its id, else last.
func (w *pendingWork) add(kind int, id string, number int, item any) error {
	body, err := json.Marshal(item)
	if err != nil {
		return fmt.Errorf("store what waits as %s: %w", id, err)
	}
	key := waitingKey{kind, id}
	x := w.items[key]
	if x == nil {
		x = &waiting{gone: true}
		w.items[key] = x
		w.order = append(w.order, key)
	}
	if x.gone { // it waits anew, behind all
		x.place, x.gone = w.places, false
		w.places++
		if x.stored {
			x.moved = true
		}
	}
	x.number, x.body = number, body
	return nil
}

// write stores what changed.
func (w *pendingWork) write() error {
	var rows []any
	for _, key := range w.order {
		x := w.items[key]
		if x.stored && (x.gone || x.moved) {
			if _, err := w.conn.exec(w.ctx, qDropPending, w.args(key.kind, key.id)...); err != nil {
				return err
			}
		}
		switch {
		case x.gone || x.body == nil:
		case x.stored && !x.moved:
			if _, err := w.conn.exec(w.ctx, qSavePending, x.number, x.body, w.ref.Organization, w.doc.key, key.kind, key.id); err != nil {
				return err
			}
		default:
			rows = append(rows, w.ref.Organization, w.doc.key, key.kind, key.id, x.place, x.number, x.body)
		}
	}
	w.doc.questions, w.doc.places = w.questions, w.places
	return w.insert(&intoPending, rows)
}
