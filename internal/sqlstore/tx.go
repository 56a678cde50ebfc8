package sqlstore

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// tx is the transaction on one document. Append works everything out before
// it writes, so that an error that is a caller's mistake leaves the
// transaction good; after an error of the database's it is broken.
type tx struct {
	reader
	chain   sir.Chain
	began   int64 // the head when the transaction began
	changed bool
	broken  error
}

var _ store.Tx = (*tx)(nil)

// ready returns an error unless the transaction can write.
func (t *tx) ready(what string) error {
	if t.broken != nil {
		return fmt.Errorf("%s: %w: %w", what, errAborted, t.broken)
	}
	if !t.open {
		return fmt.Errorf("%s document %s: %w", what, t.ref.Document, store.ErrClosed)
	}
	return nil
}

// fail marks the transaction as broken.
func (t *tx) fail(what string, err error) error {
	t.broken = err
	return t.failed(what, err)
}

// Create opens the document; see [store.Tx].
func (t *tx) Create(h sir.Header) error {
	if err := t.ready("create"); err != nil {
		return err
	}
	if t.doc.created() {
		return fmt.Errorf("create document %s: %w", t.ref.Document, store.ErrExists)
	}
	h.ID, h.OrganizationID, h.Version = t.ref.Document, t.ref.Organization, 0
	h.Domains = slices.Clone(h.Domains)
	m := sir.Mutation{DocumentID: h.ID, Kind: sir.DocumentKind, RecordedAt: t.now(), Body: &sir.Payload{Document: &h}}
	return t.begin(&m, h, t.seal)
}

// begin makes the document's row and first record.
func (t *tx) begin(m *sir.Mutation, h sir.Header, seal func(*sir.Chain, *sir.Mutation) error) error {
	if err := t.isFree(h.Name); err != nil {
		return err
	}
	chain, err := sir.NewChain(sir.Head{})
	if err != nil {
		return err
	}
	if err := seal(&chain, m); err != nil {
		return err
	}
	d := document{header: h, cursors: map[string]int{}}
	d.header.Version = m.DocVersion
	row, err := d.row()
	if err != nil {
		return err
	}
	if _, err := t.conn.exec(t.ctx, qNewOrg, t.ref.Organization); err != nil {
		return t.fail("create", err)
	}
	args := append([]any{t.ref.Organization, t.ref.Document}, row...)
	if err := t.conn.one(t.ctx, qNewDocument, args, &d.key); err != nil {
		return t.fail("create", err)
	}
	t.doc, t.chain, t.began, t.changed = d, chain, 0, true
	t.doc.head = chain.Head()
	record, err := t.recordRow(m, 0)
	if err != nil {
		return err
	}
	if err := t.insert(&intoMutations, record); err != nil {
		return t.fail("create", err)
	}
	return nil
}

// isFree returns an error if another document of the organisation has the
// name.
func (t *tx) isFree(name string) error {
	if err := store.CheckName("the name of a document", name); err != nil {
		return err
	}
	id := ""
	err := t.conn.one(t.ctx, qDocumentNamed, []any{t.ref.Organization, name}, &id)
	switch {
	case isNone(err) || err == nil && id == t.ref.Document:
		return nil
	case err != nil:
		return t.fail("find the name", err)
	}
	return fmt.Errorf("name document %s %q: %w", t.ref.Document, name, store.ErrExists)
}

// row are the columns of a document that its transactions change.
func (d *document) row() ([]any, error) {
	h := d.header
	h.Version = 0
	header, err := sir.Canonical(&h)
	if err != nil {
		return nil, fmt.Errorf("store the document's header: %w", err)
	}
	cursors, err := json.Marshal(d.cursors)
	if err != nil {
		return nil, fmt.Errorf("store the document's cursors: %w", err)
	}
	hash, err := hex.DecodeString(d.head.Hash)
	if err != nil {
		return nil, fmt.Errorf("store the document's head: %w", err)
	}
	return []any{
		d.header.Name, header, d.header.Version, d.head.Seq, hash, d.turns, d.elements, d.places, d.questions, string(cursors),
	}, nil
}

// save writes the document's row. The head that the transaction began with
// is the guard: another's commit since then makes it stale.
func (t *tx) save() error {
	if !t.changed {
		return nil
	}
	row, err := t.doc.row()
	if err != nil {
		return err
	}
	guard := t.began
	n, err := t.conn.exec(t.ctx, qSaveDocument, append(row, t.ref.Organization, t.doc.key, guard)...)
	switch {
	case err != nil:
		return err
	case n != 1:
		return fmt.Errorf("the document has moved on since record %d: %w", guard, store.ErrStale)
	}
	return nil
}

// seal gives a record its salt and place in a chain.
func (t *tx) seal(chain *sir.Chain, m *sir.Mutation) error {
	var salt sir.Salt
	if _, err := io.ReadFull(t.store.salts, salt[:]); err != nil {
		return fmt.Errorf("read random: %w", err)
	}
	return chain.Seal(m, salt)
}

// now is the time of recording.
func (t *tx) now() *int64 {
	now := t.store.config.Now().UnixMilli()
	return &now
}

// Resume sets a cursor; see [store.Tx].
func (t *tx) Resume(domain string, done int) error {
	if err := errors.Join(t.ready("resume"), t.usable("cursor")); err != nil {
		return err
	}
	if done < 0 || done > t.doc.turns {
		return fmt.Errorf("resume %s at turn %d of %d: %w", domain, done, t.doc.turns, store.ErrBroken)
	}
	t.doc.cursors[domain] = done
	t.changed = true
	return nil
}

// KeepDraft keeps a draft; see [store.Tx].
func (t *tx) KeepDraft(token string, body []byte) error {
	if err := errors.Join(t.ready("keep draft"), t.usable("draft")); err != nil {
		return err
	}
	if err := store.CheckName("the token of a draft", token); err != nil {
		return err
	}
	if _, err := t.conn.exec(t.ctx, qKeepDraft, t.args(token, bytes.Clone(body))...); err != nil {
		return t.fail("keep draft", err)
	}
	return nil
}

// DropDraft forgets a draft; see [store.Tx].
func (t *tx) DropDraft(token string) error {
	if err := errors.Join(t.ready("drop draft"), t.usable("draft")); err != nil {
		return err
	}
	if !holdable(token) {
		return nil
	}
	if _, err := t.conn.exec(t.ctx, qDropDraft, t.args(token)...); err != nil {
		return t.fail("drop draft", err)
	}
	return nil
}
