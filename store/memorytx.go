package store

import (
	"bytes"
	"fmt"

	"github.com/speckl/speckl/sir"
)

// memoryTx is the transaction on one document of a [Memory].
type memoryTx struct{ reader }

var _ Tx = (*memoryTx)(nil)

// Create opens the document; see [Tx].
func (t *memoryTx) Create(h sir.Header) error {
	d := t.memory
	switch {
	case !t.open:
		return fmt.Errorf("create document %s: %w", d.ref.Document, ErrClosed)
	case d.created():
		return fmt.Errorf("create document %s: %w", d.ref.Document, ErrExists)
	}
	d.mark(&d.step)
	if err := d.create(h); err != nil {
		d.rollback(&d.step)
		return err
	}
	return nil
}

// Append commits a turn or an act; see [Tx]. On an error it has done nothing.
func (t *memoryTx) Append(c Commit) (version int, err error) {
	d := t.memory
	switch {
	case !t.open:
		return 0, fmt.Errorf("append to document %s: %w", d.ref.Document, ErrClosed)
	case !d.created():
		return 0, fmt.Errorf("append to document %s: %w", d.ref.Document, ErrNotFound)
	}
	if err := CheckTurn(c.Turn); err != nil {
		return 0, err
	}
	d.mark(&d.step)
	err = d.append(&c)
	if err == nil && len(c.Erase) > 0 {
		err = t.erase(&c)
	}
	if err != nil {
		d.rollback(&d.step)
		return 0, fmt.Errorf("append turn %q: %w", c.Turn.ID, err)
	}
	return d.fold.Header().Version, nil
}

// KeepDraft keeps a draft; see [Tx].
func (t *memoryTx) KeepDraft(token string, body []byte) error {
	if err := t.usable("draft"); err != nil {
		return err
	}
	t.setDraft(token, bytes.Clone(body))
	return nil
}

// DropDraft forgets a draft; see [Tx].
func (t *memoryTx) DropDraft(token string) error {
	if err := t.usable("draft"); err != nil {
		return err
	}
	t.setDraft(token, nil)
	return nil
}

// setDraft keeps a draft, or forgets it where body is nil.
func (d *memory) setDraft(token string, body []byte) {
	put := func(body []byte) {
		if body == nil {
			delete(d.drafts, token)
			return
		}
		if d.drafts == nil {
			d.drafts = map[string][]byte{}
		}
		d.drafts[token] = body
	}
	was := d.drafts[token]
	d.remember(func() { put(was) })
	put(body)
}

// append does the work of Append; what it did before an error stays to be
// rolled back.
func (d *memory) append(c *Commit) error {
	at, known, err := d.place(c)
	if err != nil {
		return err
	}
	version := d.fold.Header().Version
	if !known || len(c.Mutations)+len(c.Erase) > 0 {
		version++
	}
	if !known {
		if err := d.addTurn(c.Turn, version); err != nil {
			return err
		}
	}
	for i := range c.Mutations {
		m := &c.Mutations[i]
		m.DocumentID, m.DocVersion = d.ref.Document, version
		if err := d.fromTurn(m, c.Turn); err != nil {
			return err
		}
		if err := d.record(m); err != nil {
			return err
		}
	}
	if c.Domain != "" {
		d.setDone(c.Domain, at+1)
	}
	return nil
}

// place finds where the turn stands, or will stand, and whether it may be
// committed for the domain.
func (d *memory) place(c *Commit) (at int, known bool, err error) {
	at, known = d.find(c.Turn.ID)
	if known {
		old, err := d.turn(at)
		switch {
		case err != nil:
			return 0, false, err
		case old.IsErased():
			return 0, false, ErrDone
		case old.SessionID != c.Turn.SessionID || old.Content != c.Turn.Content:
			return 0, false, ErrTurn
		case c.Domain == "" || at < d.done(c.Domain):
			return 0, false, ErrDone
		}
	} else {
		at = d.turns.n
	}
	if c.Domain == "" {
		return at, known, nil
	}
	for n := d.done(c.Domain); n < at; n++ {
		if !d.isAct(n) {
			return 0, false, ErrOrder
		}
	}
	return at, known, nil
}

// fromTurn fills in what a mutation has from its turn.
func (d *memory) fromTurn(m *sir.Mutation, t *sir.Turn) error {
	switch m.Kind {
	case sir.TurnKind, sir.Act:
		return fmt.Errorf("take mutation of kind %s: %w: a commit brings its own turn", m.Kind, ErrBroken)
	}
	m.At = t.Timestamp
	if m.TurnID == "" {
		m.TurnID = t.ID
	}
	if m.TurnID != t.ID {
		n, ok := d.find(m.TurnID)
		if !ok {
			return fmt.Errorf("take mutation of turn %q: %w", m.TurnID, ErrNotFound)
		}
		old, err := d.turn(n)
		if err != nil {
			return err
		}
		m.At = old.Timestamp
	}
	if m.RecordedAt = m.At; d.config.Now != nil {
		now := d.config.Now().UnixMilli()
		m.RecordedAt = &now
	}
	return nil
}
