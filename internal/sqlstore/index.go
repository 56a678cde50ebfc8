package sqlstore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// CheckIndex compares what elements and values are found by with a fold of
// the log, and rows with how they are written; see [store.Indexed].
func (r *reader) CheckIndex(fold *sir.Document) error {
	if err := r.usable("index"); err != nil {
		return err
	}
	c := checking{reader: r, fold: fold}
	for _, check := range []func() error{
		c.walk, c.document, c.turns, c.elements, c.evidence, c.terms, c.words, c.said, c.pending, c.cursors,
	} {
		if err := check(); err != nil {
			return r.failed("verify the index", err)
		}
	}
	return nil
}

// checking is a look at what no other reader of a document reads.
type checking struct {
	*reader
	fold   *sir.Document
	ids    []string // of elements, in the order in which the log creates them
	values []saidRow
	read   map[string]int // the newest turn that gave something in a domain
}

// walk reads from the log what the fold does not keep.
func (c *checking) walk() error {
	known, turns := map[string]bool{}, map[string]int{}
	for i, t := range c.fold.Turns() {
		turns[t.ID] = i + 1
	}
	c.read = map[string]int{}
	for m, err := range c.Log(0) {
		if err != nil {
			return err
		}
		if m.ElementID != "" && !known[m.ElementID] {
			known[m.ElementID] = true
			c.ids = append(c.ids, m.ElementID)
		}
		e := c.fold.Element(m.ElementID)
		if e == nil {
			continue
		}
		if n := turns[m.TurnID]; n > 0 && !c.fold.Turns()[n-1].IsAct() {
			c.read[e.Domain] = max(c.read[e.Domain], n)
		}
		body, err := m.Decoded()
		if err != nil {
			return err
		}
		if body == nil {
			continue
		}
		for i, v := range body.Values {
			c.values = append(c.values, saidRow{v.Speaker, v.Kind, m.Seq, i, e.Domain, turns[m.TurnID], m.ElementID, v.Field})
		}
	}
	return nil
}

// document compares the document's row, as it was read.
func (c *checking) document() error {
	var h sir.Header
	row := "the document's row"
	switch {
	case c.doc.raw == nil: // it is made in this transaction
	case json.Unmarshal(c.doc.raw, &h) != nil || !writtenAs(c.doc.raw, &h):
		return &store.StoredError{What: "the document's header", Reason: "holds what nobody reads"}
	case c.doc.name != h.Name:
		return &store.StoredError{What: row, Reason: fmt.Sprintf("is found by the name %q, which is not the document's", c.doc.name)}
	}
	if c.doc.turns != len(c.fold.Turns()) || c.doc.elements != c.fold.Len() || c.doc.questions+1 != c.fold.NextClarification() {
		return &store.StoredError{What: row, Reason: "does not count what the log gives"}
	}
	return nil
}

// turns compares the columns that repeat a turn.
func (c *checking) turns() error {
	list := c.fold.Turns()
	for at := 0; ; {
		type row struct {
			n           int
			id, speaker string
			act         bool
			metadata    []byte
		}
		rows, err := page(&c.session, qTurnRows, c.args(at, pageRows), func(scan func(...any) error) (x row, size int, err error) {
			err = scan(&x.n, &x.id, &x.act, &x.speaker, &x.metadata)
			return x, len(x.metadata), err
		})
		if err != nil {
			return err
		}
		for _, x := range rows {
			if at++; at > len(list) || x.n != at || x.id != list[at-1].ID || x.act != list[at-1].IsAct() || x.speaker != list[at-1].SpeakerKey() ||
				x.metadata != nil && !writtenAs(x.metadata, list[at-1].Metadata) {
				return &store.StoredError{What: "the index of turn " + x.id, Reason: "differs from the turn"}
			}
		}
		if len(rows) == 0 {
			return nil
		}
	}
}

// elements compares the columns that repeat the body, and the order.
func (c *checking) elements() error {
	for at := 0; ; {
		found, err := page(&c.session, qElementsAfter, c.args(at, pageRows), func(scan func(...any) error) (x storedElement, size int, err error) {
			var body []byte
			x, size, err = scanElement(func(into ...any) error {
				err := scan(into...)
				body = *into[len(into)-1].(*[]byte)
				return err
			})
			if err == nil && x.element != nil && !writtenAs(body, x.element) {
				err = &store.StoredError{What: "element " + x.id, Reason: "holds what nobody reads"}
			}
			return x, size, err
		})
		if err != nil {
			return err
		}
		for _, x := range found {
			switch at++; {
			case at > len(c.ids):
				return &store.StoredError{What: "element " + x.id, Reason: "stands in no record"}
			case x.n != at || x.id != c.ids[at-1]:
				return &store.StoredError{What: "element " + c.ids[at-1], Reason: "does not stand in its place"}
			case x.columns != columnsOf(x.element):
				return &store.StoredError{What: "the index of element " + x.id, Reason: "differs from the element"}
			}
		}
		if len(found) == 0 && at < len(c.ids) {
			return &store.StoredError{What: "element " + c.ids[at], Reason: "is missing"}
		}
		if len(found) == 0 {
			return nil
		}
	}
}

// evidence looks whether each piece has its number, and none is beside them.
func (c *checking) evidence() error {
	at, next := 1, 0
	return c.conn.each(c.ctx, qEvidenceRows, c.args(), func(scan func(...any) error) error {
		n, i := 0, 0
		if err := scan(&n, &i); err != nil {
			return err
		}
		if n != at {
			at, next = n, 0
		}
		if i != next || n < 1 || n > c.fold.Len() || c.fold.ElementAt(n-1) == nil || i >= len(c.fold.ElementAt(n-1).Evidence) {
			return &store.StoredError{What: fmt.Sprintf("evidence %d of %s", i, c.name(n)), Reason: "stands in no record"}
		}
		next++
		return nil
	})
}

// hashed is a row of terms or words.
type hashed struct {
	element int
	hash    int64
}

func byElement(a, b hashed) int {
	return cmp.Or(cmp.Compare(a.element, b.element), cmp.Compare(a.hash, b.hash))
}

// name says which element has an ordinal.
func (c *checking) name(n int) string {
	if n < 1 || n > len(c.ids) {
		return fmt.Sprintf("element number %d, which there is not", n)
	}
	return "element " + c.ids[n-1]
}

func (c *checking) terms() error { return c.hashes("terms", qTerms, termHashes) }

func (c *checking) words() error {
	return c.hashes("words", qWords, func(e *sir.Element) []int64 {
		more, _ := changedWords(nil, e)
		return more
	})
}

// hashes walks through a table and the elements side by side.
func (c *checking) hashes(what, query string, of func(*sir.Element) []int64) error {
	fold := c.fold
	var stored []hashed
	err := c.conn.each(c.ctx, query, c.args(), func(scan func(...any) error) error {
		var h hashed
		err := scan(&h.element, &h.hash)
		stored = append(stored, h)
		return err
	})
	if err != nil {
		return err
	}
	wrong := func(n int) error {
		return &store.StoredError{What: "the index of " + what, Reason: "differs from what the log gives for " + c.name(n)}
	}
	at := 0
	for n := 1; n <= fold.Len(); n++ {
		e := fold.ElementAt(n - 1)
		if e == nil {
			continue
		}
		var want []hashed
		for _, h := range of(e) {
			want = append(want, hashed{n, h})
		}
		slices.SortFunc(want, byElement)
		if at+len(want) > len(stored) || !slices.Equal(stored[at:at+len(want)], want) {
			return wrong(n)
		}
		at += len(want)
	}
	if at < len(stored) {
		return wrong(stored[at].element)
	}
	return nil
}

// saidRow is a row of said.
type saidRow struct {
	speaker, kind  string
	seq            int64
	i              int
	domain         string
	turn           int
	element, field string
}

// said compares the values that speakers set with those in the log.
func (c *checking) said() error {
	at := 0
	err := c.conn.each(c.ctx, qSaid, c.args(), func(scan func(...any) error) error {
		var x saidRow
		if err := scan(&x.speaker, &x.kind, &x.seq, &x.i, &x.domain, &x.turn, &x.element, &x.field); err != nil {
			return err
		}
		if at++; at > len(c.values) || x != c.values[at-1] {
			return &store.StoredError{What: "the index of values", Seq: x.seq, Reason: "differs from what the log gives"}
		}
		return nil
	})
	if err == nil && at < len(c.values) {
		err = &store.StoredError{What: "the index of values", Seq: c.values[at].seq, Reason: "lacks what the log gives"}
	}
	return err
}

// pending compares the columns that repeat what waits, and the order.
func (c *checking) pending() error {
	last := waitingKey{kind: -1}
	lastPlace := -1
	return c.conn.each(c.ctx, qPending, c.args(), func(scan func(...any) error) error {
		var key waitingKey
		var place, number int
		var body []byte
		if err := scan(&key.kind, &key.id, &place, &number, &body); err != nil {
			return err
		}
		id, n, ok := "", 0, false
		switch key.kind {
		case aCandidate:
			var x sir.Candidate
			ok = json.Unmarshal(body, &x) == nil && writtenAs(body, &x)
			id = x.CandidateID
		case aClarification:
			var x sir.Clarification
			ok = json.Unmarshal(body, &x) == nil && writtenAs(body, &x)
			id, n = x.ID, x.Number
		case aConflict:
			var x sir.Conflict
			ok = json.Unmarshal(body, &x) == nil && writtenAs(body, &x)
			id = x.ID
		}
		if key.kind != last.kind {
			lastPlace = -1
		}
		if !ok || id != key.id || n != number || place <= lastPlace || place >= c.doc.places {
			return &store.StoredError{What: "the index of what waits as " + key.id, Reason: "differs from what waits"}
		}
		last, lastPlace = key, place
		return nil
	})
}

// cursors looks whether each lies between what its domain has given and the
// last turn: more is in no log.
func (c *checking) cursors() error {
	for domain, n := range c.doc.cursors {
		if n < 0 || n > c.doc.turns {
			return &store.StoredError{What: "the cursor of " + domain, Reason: "points behind the last turn"}
		}
	}
	for domain, n := range c.read {
		if c.doc.cursors[domain] < n {
			return &store.StoredError{What: "the cursor of " + domain, Reason: fmt.Sprintf("points before turn %d, which the domain has read", n)}
		}
	}
	return nil
}

// writtenAs reports whether JSON that is stored says nothing but what was
// read from it: a key that nobody knows, or that is written otherwise, would
// be passed over. What a program of another version leaves out may be
// missing.
func writtenAs(stored []byte, read any) bool {
	b, err := json.Marshal(read)
	if err != nil {
		return false
	}
	var is, want any
	for text, into := range map[*[]byte]*any{&stored: &is, &b: &want} {
		d := json.NewDecoder(bytes.NewReader(*text))
		d.UseNumber()
		if d.Decode(into) != nil {
			return false
		}
	}
	return within(is, want)
}

// within reports whether all of a value is in another.
func within(is, all any) bool {
	switch is := is.(type) {
	case map[string]any:
		other, ok := all.(map[string]any)
		for k, v := range is {
			w, known := other[k]
			ok = ok && known && within(v, w)
		}
		return ok
	case []any:
		other, ok := all.([]any)
		ok = ok && len(is) == len(other)
		for i := 0; ok && i < len(is); i++ {
			ok = within(is[i], other[i])
		}
		return ok
	}
	return is == all
}
