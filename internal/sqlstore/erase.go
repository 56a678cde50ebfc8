package sqlstore

import (
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// erasure is what a commit takes out of the document.
type erasure struct {
	records  []int64
	turns    map[int]*sir.Turn // what is left of them, by ordinal
	elements []int64           // ordinals
	pending  []*sir.PendingChange
	waits    bool // what waits is folded anew, from pending
}

// erase works out which rows the records' payloads have left traces in, and
// adds the record that names them.
func (w *work) erase(seqs []int64) error {
	m, elements, err := store.CheckErasure(w.Log(0), seqs)
	if err != nil {
		return err
	}
	x := &erasure{records: m.Body.Erased.Records, turns: map[int]*sir.Turn{}}
	named := make(map[int64]bool, len(x.records))
	for _, seq := range x.records {
		named[seq] = true
	}
	for m, err := range w.Log(0) {
		switch {
		case err != nil:
			return err
		case named[m.Seq] && (m.Kind == sir.TurnKind || m.Kind == sir.Act):
			t, err := w.find(m.TurnID)
			if err != nil {
				return err
			}
			x.turns[t.n] = sir.ErasedTurn(&m)
		case named[m.Seq] && m.Kind == sir.PendingKind:
			x.waits = true
		case m.Kind == sir.PendingKind && m.Body != nil:
			x.pending = append(x.pending, m.Body.Pending)
		}
	}
	found, err := w.allElements(qElementsByID, w.args(w.conn.many(elements)))
	if err != nil {
		return err
	}
	for _, e := range found {
		x.elements = append(x.elements, int64(e.n))
	}
	w.erased = x
	return w.mutation(m)
}

// writeErasure takes out what was worked out.
func (w *work) writeErasure() error {
	x := w.erased
	if x == nil {
		return nil
	}
	records, elements := w.conn.many(x.records), w.conn.many(x.elements)
	for _, s := range []struct {
		query string
		list  any
	}{
		{qErasePayloads, records}, {qEraseSaid, records}, {qEraseElements, elements}, {qEraseEvidence, elements},
		{qEraseTerms, elements}, {qEraseWords, elements},
	} {
		if _, err := w.conn.exec(w.ctx, s.query, w.args(s.list)...); err != nil {
			return err
		}
	}
	for n, t := range x.turns {
		row, err := w.turnRow(n, t)
		if err != nil {
			return err
		}
		if _, err := w.conn.exec(w.ctx, qEraseTurn, append(row[4:], w.ref.Organization, w.doc.key, n)...); err != nil {
			return err
		}
	}
	if _, err := w.conn.exec(w.ctx, qEraseDrafts, w.args()...); err != nil {
		return err
	}
	w.conn.erased = true
	if x.waits {
		return w.foldPending(x.pending)
	}
	return nil
}

// foldPending makes what waits anew from the records that are left, and from
// those of this commit.
func (w *work) foldPending(changes []*sir.PendingChange) error {
	if _, err := w.conn.exec(w.ctx, qErasePending, w.args()...); err != nil {
		return err
	}
	w.doc.questions, w.doc.places = 0, 0
	anew := w.pendingWork()
	for _, c := range append(changes, w.waiting...) {
		if err := anew.apply(c); err != nil {
			return err
		}
	}
	return anew.write()
}
