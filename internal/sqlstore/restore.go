package sqlstore

import (
	"errors"
	"fmt"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Restore appends a record of an exported log; see [store.Tx].
func (t *tx) Restore(m sir.Mutation) error {
	if err := t.ready("restore"); err != nil {
		return err
	}
	if err := t.restore(m); err != nil {
		return fmt.Errorf("restore record %d: %w", t.doc.head.Seq+1, t.failed("restore", err))
	}
	return nil
}

func (t *tx) restore(m sir.Mutation) error {
	body, err := store.CheckRestored(&m, t.doc.head, t.ref)
	if err != nil {
		return err
	}
	switch {
	case body == nil && m.Hash == "":
		return fmt.Errorf("%w: it is erased and cannot be sealed anew", store.ErrBroken)
	case m.Hash == "":
		m.RecordedAt = t.now()
	}
	seal := t.resealing(m.Hash, m.Salt, m.PayloadHash)
	m.Body = body
	switch {
	case !t.doc.created() && m.Kind != sir.DocumentKind:
		return fmt.Errorf("%w: it begins with a record of kind %s", store.ErrBroken, m.Kind)
	case !t.doc.created() && (body == nil || body.Document == nil || body.Document.ID != t.ref.Document):
		return fmt.Errorf("%w: it has no header of document %s", store.ErrBroken, t.ref.Document)
	case !t.doc.created():
		return t.begin(&m, *body.Document, seal)
	}
	w := &work{tx: t, header: t.doc.header, touched: map[string]*touched{}, count: t.doc.elements, pending: t.pendingWork(), known: true}
	if w.chain, err = t.link(); err != nil {
		return err
	}
	if m.DocVersion != w.header.Version && m.DocVersion != w.header.Version+1 {
		return misfit(&m, fmt.Sprintf("does not follow version %d of the document", w.header.Version))
	}
	w.header.Version = m.DocVersion
	if m.Kind == sir.TurnKind || m.Kind == sir.Act {
		err = w.restoreTurn(&m, body, seal)
	} else {
		err = w.restoreOther(&m, seal)
	}
	if err != nil {
		return err
	}
	if err := w.write(); err != nil {
		return t.fail("restore", err)
	}
	return nil
}

// resealing seals a record as it was sealed, or anew where it has no hash.
func (t *tx) resealing(hash string, salt []byte, payloadHash string) func(*sir.Chain, *sir.Mutation) error {
	if hash == "" {
		return t.seal
	}
	return func(chain *sir.Chain, m *sir.Mutation) error {
		if err := chain.Reseal(m, salt, payloadHash); err != nil {
			return err
		}
		if m.Hash != hash {
			return &sir.ChainError{Seq: m.Seq, Reason: "was changed"}
		}
		return nil
	}
}

func (w *work) restoreTurn(m *sir.Mutation, body *sir.Payload, seal func(*sir.Chain, *sir.Mutation) error) error {
	turn := sir.ErasedTurn(m)
	if body != nil {
		turn = body.Turn
	}
	if turn == nil || turn.ID != m.TurnID {
		return fmt.Errorf("%w: it carries no turn", store.ErrBroken)
	}
	if err := store.CheckTurn(turn); err != nil {
		return err
	}
	if _, err := w.find(turn.ID); !isNone(err) {
		return errors.Join(err, fmt.Errorf("turn %q stands already: %w", turn.ID, store.ErrTurn))
	}
	w.turn, w.at, w.known = turn, w.doc.turns+1, false
	if err := seal(&w.chain, m); err != nil {
		return err
	}
	return w.record(m, w.at)
}

func (w *work) restoreOther(m *sir.Mutation, seal func(*sir.Chain, *sir.Mutation) error) error {
	turn := 0
	if m.TurnID != "" {
		t, err := w.find(m.TurnID)
		if isNone(err) {
			return fmt.Errorf("turn %q: %w", m.TurnID, store.ErrNotFound)
		}
		if err != nil {
			return err
		}
		turn = t.n
	}
	if err := w.load([]sir.Mutation{*m}); err != nil {
		return err
	}
	return w.take(m, turn, seal)
}
