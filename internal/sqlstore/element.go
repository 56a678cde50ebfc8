package sqlstore

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// storedElement is a row of elements, with its evidence and history once
// they are joined; element is nil where it was erased.
type storedElement struct {
	n       int
	id      string
	columns foundBy
	element *sir.Element
}

// foundBy are the columns that repeat what the body says, so that
// rows are found by it.
type foundBy struct {
	domain, typ, status string
	live                bool
}

func columnsOf(e *sir.Element) foundBy {
	if e == nil {
		return foundBy{}
	}
	return foundBy{e.Domain, e.ElementType, string(e.Status), e.Status.Live()}
}

// scanElement reads elementColumns.
func scanElement(scan func(...any) error) (storedElement, int, error) {
	var x storedElement
	var body []byte
	if err := scan(&x.n, &x.id, &x.columns.domain, &x.columns.typ, &x.columns.status, &x.columns.live, &body); err != nil {
		return x, 0, err
	}
	if body != nil {
		x.element = new(sir.Element)
		if err := json.Unmarshal(body, x.element); err != nil {
			return x, 0, fmt.Errorf("read element %s: %w: %w", x.id, store.ErrBroken, err)
		}
		if x.element.ID != x.id {
			return x, 0, fmt.Errorf("read element %s: %w: its row holds element %q", x.id, store.ErrBroken, x.element.ID)
		}
	}
	return x, len(body), nil
}

// elementBody is what the row of an element holds of it: all but evidence and
// history, which have rows of their own.
func elementBody(e *sir.Element) ([]byte, error) {
	if e == nil {
		return nil, nil
	}
	slim := *e
	slim.Evidence, slim.Provenance = nil, sir.Provenance{}
	b, err := json.Marshal(&slim)
	if err != nil {
		return nil, fmt.Errorf("store element %s: %w", e.ID, err)
	}
	return b, nil
}

// elements runs a query for elements and joins what belongs to them.
func (s *session) elements(query string, args []any) ([]storedElement, error) {
	found, err := page(s, query, args, scanElement)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if err := s.joinEvidence(found); err != nil {
		return nil, err
	}
	return found, s.joinEntries(found)
}

// allElements runs a query for elements in any order, of which there are few,
// and returns them in the order of creation. An engine that is to sort by n
// itself may walk through all elements of the document to do so.
func (s *session) allElements(query string, list []any) ([]storedElement, error) {
	var out []storedElement
	err := s.conn.each(s.ctx, query, list, func(scan func(...any) error) error {
		x, _, err := scanElement(scan)
		out = append(out, x)
		return err
	})
	if err != nil || len(out) == 0 {
		return nil, err
	}
	slices.SortFunc(out, func(a, b storedElement) int { return a.n - b.n })
	if err := s.joinEvidence(out); err != nil {
		return nil, err
	}
	return out, s.joinEntries(out)
}

func (s *session) joinEvidence(found []storedElement) error {
	at := make(map[int]*sir.Element, len(found))
	ns := make([]int64, 0, len(found))
	for _, x := range found {
		if x.element != nil {
			at[x.n] = x.element
			ns = append(ns, int64(x.n))
		}
	}
	return s.conn.each(s.ctx, qEvidence, s.args(s.conn.many(ns)), func(scan func(...any) error) error {
		n, v := 0, sir.Evidence{}
		err := scan(&n, &v.TurnID, &v.Bytes[0], &v.Bytes[1], &v.Chars[0], &v.Chars[1], &v.Quote, &v.Match)
		if e := at[n]; e != nil {
			e.Evidence = append(e.Evidence, v)
		}
		return err
	})
}

// entries is the part of a payload that is history.
type entries struct {
	Element *struct {
		Provenance sir.Provenance `json:"provenance"`
	} `json:"element"`
	Patch *struct {
		Entries []sir.Entry `json:"entries"`
	} `json:"patch"`
}

// joinEntries reads the elements' history from the log.
func (s *session) joinEntries(found []storedElement) error {
	at := make(map[string]*sir.Element, len(found))
	ids := make([]string, 0, len(found))
	for _, x := range found {
		if x.element != nil {
			at[x.id] = x.element
			ids = append(ids, x.id)
		}
	}
	return s.conn.each(s.ctx, qPayloads, s.args(s.conn.many(ids)), func(scan func(...any) error) error {
		id, payload := "", []byte(nil)
		if err := scan(&id, &payload); err != nil || payload == nil || at[id] == nil {
			return err
		}
		var p entries
		if err := json.Unmarshal(payload, &p); err != nil {
			return fmt.Errorf("read history of element %s: %w: %w", id, store.ErrBroken, err)
		}
		list := &at[id].Provenance.Entries
		if p.Element != nil {
			*list = append(*list, p.Element.Provenance.Entries...)
		}
		if p.Patch != nil {
			*list = append(*list, p.Patch.Entries...)
		}
		return nil
	})
}

// Element returns an element.
func (r *reader) Element(id string) (*sir.Element, error) {
	if err := r.usable("element"); err != nil {
		return nil, err
	}
	var found []storedElement
	var err error
	if holdable(id) {
		found, err = r.elements(qElementsByID, r.args(r.conn.many([]string{id})))
	}
	switch {
	case err != nil:
		return nil, r.failed("read element", err)
	case len(found) == 0 || found[0].element == nil:
		return nil, fmt.Errorf("read element %s: %w", id, store.ErrNotFound)
	}
	return found[0].element, nil
}

// Reviews lists the live elements that need a person's look, in any order.
func (r *reader) Reviews() ([]string, error) {
	if err := r.usable("reviews"); err != nil {
		return nil, err
	}
	var out []string
	err := r.conn.each(r.ctx, qLive, r.args(), func(scan func(...any) error) error {
		id, body := "", []byte(nil)
		if err := scan(&id, &body); err != nil || body == nil {
			return err
		}
		var e struct {
			Flags sir.Flags `json:"flags"`
		}
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("read element %s: %w: %w", id, store.ErrBroken, err)
		}
		if e.Flags.NeedsReview {
			out = append(out, id)
		}
		return nil
	})
	return out, r.failed("read reviews", err)
}

// Elements yields the elements in the order of creation.
func (r *reader) Elements() iter.Seq2[*sir.Element, error] {
	return func(yield func(*sir.Element, error) bool) {
		for at := 0; ; {
			if err := r.usable("elements"); err != nil {
				yield(nil, err)
				return
			}
			found, err := r.elements(qElementsAfter, r.args(at, pageRows))
			if err != nil {
				yield(nil, r.failed("read elements", err))
				return
			}
			for _, x := range found {
				at = x.n
				if x.element != nil && !yield(x.element, nil) {
					return
				}
			}
			if len(found) == 0 {
				return
			}
		}
	}
}
