package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/speckl/speckl/sir"
)

// Restore appends a record of an exported log; see [Tx].
func (t *memoryTx) Restore(m sir.Mutation) error {
	d := t.memory
	switch {
	case !t.open:
		return fmt.Errorf("restore document %s: %w", d.ref.Document, ErrClosed)
	case m.Kind == sir.DocumentKind && !d.created():
		if err := d.readSecret(); err != nil {
			return err
		}
	case !d.created():
		return fmt.Errorf("restore document %s: %w: it begins with a record of kind %s", d.ref.Document, ErrBroken, m.Kind)
	}
	d.mark(&d.step)
	if err := d.restore(&m); err != nil {
		d.rollback(&d.step)
		return fmt.Errorf("restore record %d: %w", d.chain.Seq()+1, err)
	}
	return nil
}

func (d *memory) restore(m *sir.Mutation) error {
	body, err := CheckRestored(m, d.chain.Head(), d.ref)
	if err != nil {
		return err
	}
	switch {
	case body == nil: // erased
		if m.Hash == "" {
			return fmt.Errorf("%w: it is erased and cannot be sealed anew", ErrBroken)
		}
		d.note(m)
	case m.Hash == "":
		m.RecordedAt = d.now(m.At)
	default:
		if err := d.give(m); err != nil {
			return err
		}
	}
	if m.Kind == sir.TurnKind || m.Kind == sir.Act {
		return d.restoreTurn(m, body)
	}
	hash := m.Hash
	m.Seq, m.Body = 0, body
	if err := d.keep(m); err != nil {
		return err
	}
	return sameHash(m.Seq, m.Hash, hash)
}

func (d *memory) restoreTurn(m *sir.Mutation, body *sir.Payload) error {
	t := sir.ErasedTurn(m)
	if body != nil {
		t = body.Turn
	}
	if t == nil {
		return fmt.Errorf("%w: it carries no turn", ErrBroken)
	}
	if err := CheckTurn(t); err != nil {
		return err
	}
	if _, known := d.find(t.ID); known {
		return ErrTurn
	}
	if err := d.addTurnAt(t, m.DocVersion, m.RecordedAt); err != nil {
		return err
	}
	return sameHash(d.chain.Seq(), d.chain.Head().Hash, m.Hash)
}

// give keeps the salt that a restored record brings.
func (d *memory) give(m *sir.Mutation) error {
	var salt sir.Salt
	if copy(salt[:], m.Salt) != len(salt) {
		return fmt.Errorf("%w: it has no salt", ErrBroken)
	}
	if d.given == nil {
		d.given = map[int64]sir.Salt{}
	}
	seq := d.chain.Seq() + 1
	d.given[seq] = salt
	d.remember(func() { delete(d.given, seq) })
	return nil
}

// note keeps the hash of a payload that was erased.
func (d *memory) note(m *sir.Mutation) {
	if d.erased == nil {
		d.erased = map[int64]string{}
	}
	seq := d.chain.Seq() + 1
	d.erased[seq] = m.PayloadHash
	d.remember(func() { delete(d.erased, seq) })
}

// sealAs seals a record, by its hash where its payload was erased.
func (d *memory) sealAs(c *sir.Chain, m *sir.Mutation, salt sir.Salt) error {
	if hash, ok := d.erased[c.Seq()+1]; ok {
		m.Payload, m.Body = nil, nil
		return c.Reseal(m, nil, hash)
	}
	return c.Seal(m, salt)
}

// CheckRestored checks that a record fits behind a head and belongs to the
// document, and decodes its payload. One that is sealed anew, or that a turn's
// row keeps, is brought into its canonical form; what that form would lose is
// an error. Engines call it in Restore.
func CheckRestored(m *sir.Mutation, head sir.Head, ref Ref) (*sir.Payload, error) {
	switch {
	case m.DocumentID != ref.Document:
		return nil, fmt.Errorf("%w: it belongs to document %s", ErrBroken, m.DocumentID)
	case m.Seq != head.Seq+1:
		return nil, fmt.Errorf("%w: it has number %d", ErrBroken, m.Seq)
	case m.Hash != "" && m.PrevHash != head.Hash:
		return nil, fmt.Errorf("%w: it does not follow from the record before it", ErrBroken)
	}
	body, err := m.Decoded()
	switch {
	case err != nil || body == nil:
		return nil, err
	case body.Turn != nil && !isRecordOf(m, body.Turn):
		return nil, fmt.Errorf("%w: it is not the record of its turn", ErrBroken)
	case m.Payload != nil && (body.Turn != nil || m.Hash == ""):
		m.Payload, err = canonical(m.Payload, body)
	}
	return body, err
}

// canonical is the canonical form of a payload.
func canonical(raw json.RawMessage, body *sir.Payload) (json.RawMessage, error) {
	as, err := body.Encode()
	if err != nil {
		return nil, err
	}
	if bytes.Equal(as, raw) {
		return raw, nil
	}
	if given, err := sir.Canonical(raw); err != nil || !bytes.Equal(given, as) {
		return nil, errors.Join(err, fmt.Errorf("%w: its payload holds what this program does not know", ErrBroken))
	}
	return as, nil
}

// isRecordOf reports whether a record is the one that brings a turn.
func isRecordOf(m *sir.Mutation, t *sir.Turn) bool {
	want := sir.TurnMutation(m.DocumentID, t)
	return m.Kind == want.Kind && m.TurnID == want.TurnID && m.ElementID == "" && m.Version == 0 &&
		(m.At == want.At || m.At != nil && want.At != nil && *m.At == *want.At)
}

func sameHash(seq int64, got, want string) error {
	if want != "" && got != want {
		return &sir.ChainError{Seq: seq, Reason: "was changed"}
	}
	return nil
}

// Resume sets a cursor; see [Tx].
func (t *memoryTx) Resume(domain string, done int) error {
	if err := t.usable("cursor"); err != nil {
		return err
	}
	if done < 0 || done > t.turns.n {
		return fmt.Errorf("resume %s at turn %d of %d: %w", domain, done, t.turns.n, ErrBroken)
	}
	t.setDone(domain, done)
	return nil
}
