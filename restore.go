package speckl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// maxArchiveLine bounds a line of an archive.
const maxArchiveLine = 256 << 20

// RestoreOptions say how an archive is restored.
type RestoreOptions struct {
	// Name is the document's new name; empty keeps the archive's. It is given
	// by a record behind those of the archive, as the act [Rename] does, which
	// By and At are of.
	Name string
	By   string
	At   *int64
}

// Restore makes a document from what [Client.Export] wrote, in one
// transaction: all of it or nothing. A chain that comes with it is verified,
// record by record. r is read again from its start where the store loses a
// race. It returns the header of the document.
//
// It returns an [*ArchiveError] for a line that is wrong, and an error that
// wraps [store.ErrExists] where the document, or its name, stands already.
func (c *Client) Restore(ctx context.Context, r io.ReadSeeker, o RestoreOptions) (sir.Header, error) {
	h, err := c.restore(ctx, r, o)
	if err != nil {
		return sir.Header{}, fmt.Errorf("restore: %w", err)
	}
	return h, nil
}

func (c *Client) restore(ctx context.Context, r io.ReadSeeker, o RestoreOptions) (sir.Header, error) {
	head, err := c.ownHead(newArchive(r))
	h := head.Document
	switch {
	case err != nil:
		return h, err
	case o.Name == "":
		o.Name = h.Name
	}
	ref := store.Ref{Organization: c.cfg.Organization, Document: h.ID}
	err = c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { // perhaps run more than once
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := restoreAll(ctx, tx, newArchive(r), o); err != nil {
			return err
		}
		h, err = tx.Header()
		return err
	})
	return h, err
}

// Proofread reads an archive through and restores nothing: whether it is of
// the client's organisation, all its records are there and can be read, and a
// chain that comes with it holds. What the records come to is for
// [Client.Restore] to find.
//
// It returns an [*ArchiveError] for a line that is wrong.
func (c *Client) Proofread(ctx context.Context, r io.Reader) error {
	if err := c.proofread(ctx, newArchive(r)); err != nil {
		return fmt.Errorf("proofread: %w", err)
	}
	return nil
}

func (c *Client) proofread(ctx context.Context, a *archive) error {
	head, err := c.ownHead(a)
	if err != nil {
		return err
	}
	var chain sir.Chain
	for rec, err := range a.records(head) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		m := rec.mutation(head.Document.ID)
		if err := follow(&chain, &m, store.Ref{Organization: head.Document.OrganizationID, Document: head.Document.ID}); err != nil {
			return a.wrong(fmt.Sprintf("record %d", rec.Seq), err)
		}
	}
	return nil
}

// follow moves a chain over a record, which must follow from the one before.
func follow(chain *sir.Chain, m *sir.Mutation, ref store.Ref) error {
	if _, err := store.CheckRestored(m, chain.Head(), ref); err != nil {
		return err
	}
	if m.Hash == "" {
		return chain.Seal(m, sir.Salt{})
	}
	hash := m.Hash
	if err := chain.Reseal(m, m.Salt, m.PayloadHash); err != nil {
		return err
	}
	if m.Hash != hash {
		return &sir.ChainError{Seq: m.Seq, Reason: "was changed"}
	}
	return nil
}

// ownHead reads the first line of an archive of the client's organisation.
func (c *Client) ownHead(a *archive) (archiveHead, error) {
	head, err := readHead(a)
	if h := head.Document; err == nil && h.OrganizationID != c.cfg.Organization {
		err = &ArchiveError{Line: 1, Reason: fmt.Sprintf("the document is of organisation %q, not %q", h.OrganizationID, c.cfg.Organization)}
	}
	return head, err
}

// restoreAll restores the records of an archive, then what is beside the log.
func restoreAll(ctx context.Context, tx store.Tx, a *archive, o RestoreOptions) error {
	head, err := readHead(a)
	if err != nil {
		return err
	}
	if h, err := tx.Header(); err == nil {
		return fmt.Errorf("%w as %q: it is the very document of the archive: delete that, or restore into another database", store.ErrExists, h.Name)
	}
	for rec, err := range a.records(head) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if err := tx.Restore(rec.mutation(head.Document.ID)); err != nil {
			if errors.Is(err, store.ErrExists) {
				return taken(head.Document.Name)
			}
			return a.wrong(fmt.Sprintf("record %d", rec.Seq), err)
		}
	}
	err = finishRestored(tx, head, o)
	if errors.Is(err, store.ErrExists) {
		return taken(o.Name)
	}
	return err
}

// taken: another document has the name.
func taken(name string) error {
	return fmt.Errorf("%w as %q: choose another name", store.ErrExists, name)
}

// finishRestored checks the header, sets the cursors and renames.
func finishRestored(tx store.Tx, head archiveHead, o RestoreOptions) error {
	h, err := tx.Header()
	if err != nil {
		return err
	}
	want, err := sir.Canonical(head.Document)
	if err != nil {
		return err
	}
	if got, err := sir.Canonical(h); err != nil || !bytes.Equal(got, want) {
		return errors.Join(err, &ArchiveError{Line: 1, Reason: "the document is not what its records give: the archive is not whole"})
	}
	for id, done := range head.Cursors {
		if !slices.Contains(h.Domains, id) {
			return &ArchiveError{Line: 1, Reason: fmt.Sprintf("a cursor of domain %q, which is none of the document's", id)}
		}
		if err := tx.Resume(id, done); err != nil {
			return &ArchiveError{Line: 1, Reason: "the cursor of " + id, Err: err}
		}
	}
	if o.Name == h.Name {
		return nil
	}
	return renameRestored(tx, h, o)
}

// renameRestored gives the document its new name, by an act.
func renameRestored(tx store.Tx, h sir.Header, o RestoreOptions) error {
	n, err := tx.Cursor("")
	if err != nil {
		return err
	}
	turn := &sir.Turn{
		SessionID: actSession, Seq: n + 1, Timestamp: o.At, Speaker: sir.Human,
		Content: fmt.Sprintf("rename %q %q", h.Name, o.Name), Metadata: &sir.Metadata{Kind: "act"},
	}
	if o.By != "" {
		turn.SpeakerName = &o.By
	}
	turn.ID = sir.TurnID(turn.SessionID, turn.Timestamp, turn.SpeakerName, turn.Content, n)
	h.Name = o.Name
	_, err = tx.Append(store.Commit{Turn: turn, Mutations: []sir.Mutation{{Kind: sir.DocumentKind, Body: &sir.Payload{Document: &h}}}})
	return err
}

// archive reads the lines of an archive.
type archive struct {
	in   *bufio.Reader
	line int
	buf  []byte
}

func newArchive(r io.Reader) *archive { return &archive{in: bufio.NewReaderSize(r, 64<<10)} }

func (a *archive) wrong(reason string, err error) error {
	return &ArchiveError{Line: max(a.line, 1), Reason: reason, Err: err}
}

// next reads a line into a value; io.EOF behind the last. Unknown keys are an
// error: a newer program's records would lose something.
func (a *archive) next(into any) error {
	text, err := a.read()
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return a.wrong("no record: "+err.Error(), nil)
	}
	if len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return a.wrong("more than one value on the line", nil)
	}
	return nil
}

// read returns the next line that is not empty.
func (a *archive) read() ([]byte, error) {
	for {
		a.line++
		a.buf = a.buf[:0]
		for {
			part, err := a.in.ReadSlice('\n')
			a.buf = append(a.buf, part...)
			if len(a.buf) > maxArchiveLine {
				return nil, a.wrong("longer than 256 MiB", nil)
			}
			if err == nil || errors.Is(err, io.EOF) && len(a.buf) > 0 {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
		}
		if a.line == 1 {
			a.buf = bytes.TrimPrefix(a.buf, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(a.buf)) > 0 {
			return a.buf, nil
		}
	}
}

// records yields the records behind the head, and an error for a line that is
// none of them, or for what is missing of the archive.
func (a *archive) records(head archiveHead) iter.Seq2[*archiveRecord, error] {
	return func(yield func(*archiveRecord, error) bool) {
		for n := int64(0); ; n++ {
			rec := archiveRecord{}
			err := a.next(&rec)
			switch {
			case errors.Is(err, io.EOF) && n == 0:
				err = a.wrong("the archive ends without a record", nil)
			case errors.Is(err, io.EOF) && n != head.Records:
				err = &ArchiveError{Line: 1, Reason: fmt.Sprintf("the archive is not whole: it says %d records, and has %d", head.Records, n)}
			case errors.Is(err, io.EOF):
				return
			case err == nil && !rec.fits(head.Log):
				err = a.wrong("a record that is not of this archive: hashes go with all records or with none", nil)
			}
			if !yield(&rec, err) || err != nil {
				return
			}
		}
	}
}

// fits reports whether a record carries all that an archive with its log
// must, or nothing of that.
func (a *archiveRecord) fits(log bool) bool {
	if log {
		return a.Hash != ""
	}
	return a.Hash == "" && a.Salt == nil && a.PayloadHash == "" && a.PrevHash == "" && a.RecordedAt == nil
}

// readHead reads the first line.
func readHead(a *archive) (archiveHead, error) {
	head := archiveHead{}
	text, err := a.read()
	if errors.Is(err, io.EOF) {
		return head, a.wrong("the archive is empty", nil)
	}
	if err != nil {
		return head, err
	}
	var format struct {
		Speckl string `json:"speckl"`
	}
	if !IsArchive(text) {
		return head, a.wrong(`does not begin with {"speckl":"`+ArchiveFormat+`"`, nil)
	}
	if err := json.Unmarshal(text, &format); err == nil && format.Speckl != ArchiveFormat {
		return head, a.wrong(fmt.Sprintf("is %q, this program reads %q: use a newer speckl", format.Speckl, ArchiveFormat), nil)
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return head, a.wrong("no header: "+err.Error(), nil)
	}
	if head.Document.ID == "" || head.Document.Name == "" || len(head.Document.Domains) == 0 {
		return head, a.wrong("the document has no id, name or domains", nil)
	}
	return head, nil
}
