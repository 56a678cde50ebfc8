package sqlstore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// CheckIndex compares what elements and values are found by with a fold of
// the log; see [store.Indexed].
func (r *reader) CheckIndex(fold *sir.Document) error {
	if err := r.usable("index"); err != nil {
		return err
	}
	for _, check := range []func(*sir.Document) error{r.checkColumns, r.checkTerms, r.checkWords, r.checkSaid, r.checkCounts} {
		if err := check(fold); err != nil {
			return r.failed("verify the index", err)
		}
	}
	return nil
}

// checkColumns compares the columns that repeat the body.
func (r *reader) checkColumns(*sir.Document) error {
	for at := 0; ; {
		found, err := page(&r.session, qElementsAfter, r.args(at, pageRows), scanElement)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, x := range found {
			at = x.n
			if x.columns != columnsOf(x.element) || x.element != nil && x.element.ID != x.id {
				return &store.StoredError{What: "the index of element " + x.id, Reason: "differs from the element"}
			}
		}
	}
}

// hashed is a row of terms or words.
type hashed struct {
	element int
	hash    int64
}

func byElement(a, b hashed) int {
	return cmp.Or(cmp.Compare(a.element, b.element), cmp.Compare(a.hash, b.hash))
}

func (r *reader) checkTerms(fold *sir.Document) error {
	return r.checkHashes("terms", qTerms, fold, termHashes)
}

func (r *reader) checkWords(fold *sir.Document) error {
	return r.checkHashes("words", qWords, fold, func(e *sir.Element) []int64 {
		more, _ := changedWords(nil, e)
		return more
	})
}

// checkHashes walks through a table and the elements side by side.
func (r *reader) checkHashes(what, query string, fold *sir.Document, hashes func(*sir.Element) []int64) error {
	var stored []hashed
	err := r.conn.each(r.ctx, query, r.args(), func(scan func(...any) error) error {
		var h hashed
		err := scan(&h.element, &h.hash)
		stored = append(stored, h)
		return err
	})
	if err != nil {
		return err
	}
	wrong := func(n int) error {
		name := fmt.Sprintf("element number %d", n)
		if n >= 1 && n <= fold.Len() && fold.ElementAt(n-1) != nil {
			name = "element " + fold.ElementAt(n-1).ID
		}
		return &store.StoredError{What: "the index of " + what, Reason: "differs from what the log gives for " + name}
	}
	at := 0
	for n := 1; n <= fold.Len(); n++ {
		e := fold.ElementAt(n - 1)
		if e == nil {
			continue
		}
		var want []hashed
		for _, h := range hashes(e) {
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

// checkSaid compares the values that speakers set with those in the log.
func (r *reader) checkSaid(fold *sir.Document) error {
	type row struct {
		speaker, kind  string
		seq            int64
		i              int
		domain         string
		turn           int
		element, field string
	}
	var stored []row
	err := r.conn.each(r.ctx, qSaid, r.args(), func(scan func(...any) error) error {
		var x row
		err := scan(&x.speaker, &x.kind, &x.seq, &x.i, &x.domain, &x.turn, &x.element, &x.field)
		stored = append(stored, x)
		return err
	})
	if err != nil {
		return err
	}
	turns := map[string]int{}
	for i, t := range fold.Turns() {
		turns[t.ID] = i + 1
	}
	at := 0
	for m, err := range r.Log(0) {
		if err != nil {
			return err
		}
		body, err := m.Decoded()
		if err != nil {
			return err
		}
		if body == nil {
			continue
		}
		e := fold.Element(m.ElementID)
		for i, v := range body.Values {
			if e == nil {
				continue
			}
			want := row{v.Speaker, v.Kind, m.Seq, i, e.Domain, turns[m.TurnID], m.ElementID, v.Field}
			if at >= len(stored) || stored[at] != want {
				return &store.StoredError{What: "the index of values", Seq: m.Seq, Reason: "differs from what the log gives"}
			}
			at++
		}
	}
	if at < len(stored) {
		return &store.StoredError{What: "the index of values", Seq: stored[at].seq, Reason: "stands in no record"}
	}
	return nil
}

// checkCounts compares what the document's row counts.
func (r *reader) checkCounts(fold *sir.Document) error {
	if r.doc.turns != len(fold.Turns()) || r.doc.elements != fold.Len() || r.doc.questions+1 != fold.NextClarification() {
		return &store.StoredError{What: "the document's row", Reason: "does not count what the log gives"}
	}
	for domain, n := range r.doc.cursors {
		if n < 0 || n > r.doc.turns {
			return &store.StoredError{What: "the cursor of " + domain, Reason: "points behind the last turn"}
		}
	}
	return nil
}
