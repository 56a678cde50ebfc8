package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// session is one transaction on one document, as far as reading and writing
// have it in common.
type session struct {
	ctx   context.Context
	store *Store
	conn  *conn
	ref   store.Ref
	doc   document
	open  bool
}

// document is a row of documents: what is known of a document as a whole.
type document struct {
	key       int64  // 0 before it is created
	name      string // by which the row is found
	header    sir.Header
	raw       []byte // the header as it was read
	head      sir.Head
	turns     int
	elements  int
	places    int
	questions int
	cursors   map[string]int
}

func (d *document) created() bool { return d.key != 0 }

// load reads the document's row, and locks it.
func (s *session) load(lock bool) error {
	query := qDocument
	if lock {
		query = qDocumentLocked
	}
	var d document
	var header, hash []byte
	var cursors string
	err := s.conn.one(s.ctx, query, []any{s.ref.Organization, s.ref.Document},
		&d.key, &d.name, &header, &d.header.Version, &d.head.Seq, &hash, &d.turns, &d.elements, &d.places, &d.questions, &cursors)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	version := d.header.Version
	if err := json.Unmarshal(header, &d.header); err != nil {
		return fmt.Errorf("read the document's row: %w: %w", store.ErrBroken, err)
	}
	if err := json.Unmarshal([]byte(cursors), &d.cursors); err != nil {
		return fmt.Errorf("read the document's cursors: %w: %w", store.ErrBroken, err)
	}
	d.header.Version, d.head.Hash = version, hex.EncodeToString(hash)
	d.raw = header
	s.doc = d
	return nil
}

// args are a statement's parameters behind the organisation and the key of
// the document.
func (s *session) args(more ...any) []any {
	return append([]any{s.ref.Organization, s.doc.key}, more...)
}

// usable returns an error once the transaction has ended, or before the
// document was created.
func (s *session) usable(what string) error {
	switch {
	case !s.open:
		return fmt.Errorf("read %s: %w", what, store.ErrClosed)
	case !s.doc.created():
		return fmt.Errorf("read %s of document %s: %w", what, s.ref.Document, store.ErrNotFound)
	}
	return nil
}

func (s *session) failed(what string, err error) error {
	return s.store.failed(what+" of document "+s.ref.Document, err)
}

// reader reads one document.
type reader struct{ session }

var (
	_ store.Reader  = (*reader)(nil)
	_ store.Indexed = (*reader)(nil)

	_ store.Reviewing = (*reader)(nil)
)

// Header returns the document's header.
func (r *reader) Header() (sir.Header, error) {
	if err := r.usable("header"); err != nil {
		return sir.Header{}, err
	}
	return r.doc.header, nil
}

// Head returns the newest link.
func (r *reader) Head() (sir.Head, error) {
	if !r.open {
		return sir.Head{}, fmt.Errorf("read head: %w", store.ErrClosed)
	}
	return r.doc.head, nil
}

// Cursor tells how many turns are done for a domain, acts behind them
// included.
func (r *reader) Cursor(domain string) (int, error) {
	if err := r.usable("cursor"); err != nil {
		return 0, err
	}
	done, err := r.done(domain)
	if err != nil {
		return 0, r.failed("read cursor", err)
	}
	return done, nil
}

func (s *session) done(domain string) (int, error) {
	n := s.doc.cursors[domain]
	if domain == "" || n == s.doc.turns {
		return s.doc.turns, nil
	}
	next := 0
	err := s.conn.one(s.ctx, qSaidAfter, s.args(n), &next)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s.doc.turns, nil
	case err != nil:
		return 0, err
	}
	return next - 1, nil
}

// Draft returns a draft.
func (r *reader) Draft(token string) ([]byte, error) {
	if err := r.usable("draft"); err != nil {
		return nil, err
	}
	var body []byte
	err := sql.ErrNoRows
	if holdable(token) {
		err = r.conn.one(r.ctx, qDraft, r.args(token), &body)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("read draft %q: %w", token, store.ErrNotFound)
	case err != nil:
		return nil, r.failed("read draft", err)
	}
	return body, nil
}

// Pages are read whole before they are handed over, since a connection does
// one thing at a time. A page ends after so many rows, or so many bytes.
const (
	pageRows  = 256
	pageBytes = 4 << 20
)

// page reads rows until it is full. An error comes with the rows before it.
func page[T any](s *session, query string, args []any, scan func(scan func(...any) error) (item T, size int, err error)) ([]T, error) {
	rows, err := s.conn.query(s.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for size := 0; size < pageBytes && rows.Next(); {
		item, n, err := scan(rows.Scan)
		if err != nil {
			return out, err
		}
		out = append(out, item)
		size += n
	}
	return out, rows.Err()
}
