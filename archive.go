package speckl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// ArchiveFormat is what the first line of an exported document says it is.
const ArchiveFormat = "document/1"

// ErrArchive is wrapped by errors about an archive that cannot be restored.
var ErrArchive = errors.New("bad archive")

// ErrErased is wrapped by the error of an export without the log where
// payloads were erased: their hashes, which stand for them, go with the log
// alone.
var ErrErased = errors.New("records were erased")

// ArchiveError says where an archive is wrong. It wraps [ErrArchive] and its
// cause.
type ArchiveError struct {
	// Line is the line, from 1.
	Line int
	// Reason says what is wrong with it.
	Reason string
	// Err is what the store made of it; nil where it was not asked.
	Err error
}

func (e *ArchiveError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("line %d: %s: %v", e.Line, e.Reason, e.Err)
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Unwrap returns [ErrArchive] and the cause.
func (e *ArchiveError) Unwrap() []error { return []error{ErrArchive, e.Err} }

// archiveHead is the first line of an archive.
type archiveHead struct {
	Speckl   string     `json:"speckl"`
	Document sir.Header `json:"document"`
	// Cursors tells, by domain, how many of the turns were read.
	Cursors map[string]int `json:"cursors"`
	// Log: the records carry what the chain needs.
	Log bool `json:"log"`
	// Records is how many follow, so that an archive that was cut says so.
	Records int64 `json:"records"`
}

// archiveRecord is a further line: a record of the log. What begins with
// RecordedAt is there with the log alone.
type archiveRecord struct {
	Seq        int64            `json:"seq"`
	DocVersion int              `json:"docVersion"`
	TurnID     string           `json:"turnId,omitempty"`
	ElementID  string           `json:"elementId,omitempty"`
	Kind       sir.MutationKind `json:"kind"`
	Version    int              `json:"version,omitempty"`
	At         *int64           `json:"at"`
	Payload    json.RawMessage  `json:"payload"`
	// Speaker is the role of whoever said a turn whose payload was erased:
	// "agent", or nothing for a person.
	Speaker     sir.Role `json:"speaker,omitempty"`
	RecordedAt  *int64   `json:"recordedAt,omitempty"`
	Salt        []byte   `json:"salt,omitempty"`
	PayloadHash string   `json:"payloadHash,omitempty"`
	PrevHash    string   `json:"prevHash,omitempty"`
	Hash        string   `json:"hash,omitempty"`
}

// Export writes the document of that name as an archive that [Client.Restore]
// reads: a line that says what it is, then a record of the log a line, turns
// included. With log each record carries its salt, hashes and time of
// recording, so that the very chain is restored; without, the bytes depend on
// nothing but what was read and done.
//
// It returns an error that wraps [store.ErrNotFound], [store.ErrUnlogged],
// [ErrErased], or w's own.
func (c *Client) Export(ctx context.Context, w io.Writer, name string, log bool) error {
	out := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := c.view(ctx, name, func(r store.Reader) error {
		head, err := headOf(r, log)
		if err != nil {
			return err
		}
		if err := enc.Encode(head); err != nil {
			return err
		}
		for m, err := range r.Log(0) {
			if err == nil {
				err = enc.Encode(recordOf(&m, log))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// headOf is the first line of a document's archive. It refuses what cannot be
// archived before a byte is written.
func headOf(r store.Reader, log bool) (archiveHead, error) {
	head := archiveHead{Speckl: ArchiveFormat, Cursors: map[string]int{}, Log: log}
	newest, err := r.Head()
	if err != nil {
		return head, err
	}
	head.Records = newest.Seq
	if head.Document, err = r.Header(); err != nil {
		return head, err
	}
	for _, id := range head.Document.Domains {
		if head.Cursors[id], err = r.Cursor(id); err != nil {
			return head, err
		}
	}
	if log {
		return head, nil
	}
	for m, err := range r.Log(0) {
		switch {
		case err != nil:
			return head, err
		case m.Payload == nil:
			return head, fmt.Errorf("record %d: %w: only an archive with its log can say so", m.Seq, ErrErased)
		}
	}
	return head, nil
}

func recordOf(m *sir.Mutation, log bool) archiveRecord {
	a := archiveRecord{
		Seq: m.Seq, DocVersion: m.DocVersion, TurnID: m.TurnID, ElementID: m.ElementID,
		Kind: m.Kind, Version: m.Version, At: m.At, Payload: m.Payload,
	}
	if m.Payload == nil && m.Attribution.Type == sir.ByAgent {
		a.Speaker = sir.Agent
	}
	if log {
		a.RecordedAt, a.Salt, a.PayloadHash, a.PrevHash, a.Hash = m.RecordedAt, m.Salt, m.PayloadHash, m.PrevHash, m.Hash
	}
	return a
}

// mutation is the record as the store takes it.
func (a *archiveRecord) mutation(document string) sir.Mutation {
	m := sir.Mutation{
		Seq: a.Seq, DocumentID: document, DocVersion: a.DocVersion, TurnID: a.TurnID, ElementID: a.ElementID,
		Kind: a.Kind, Version: a.Version, At: a.At, Payload: a.Payload,
		RecordedAt: a.RecordedAt, Salt: a.Salt, PayloadHash: a.PayloadHash, PrevHash: a.PrevHash, Hash: a.Hash,
	}
	if bytes.Equal(m.Payload, []byte("null")) { // it was erased
		m.Payload = nil
	}
	if a.Speaker == sir.Agent {
		m.Attribution.Type = sir.ByAgent
	}
	return m
}

// IsArchive reports whether a text begins as an archive does, of whatever
// version.
func IsArchive(head []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, token := range []string{"{", `"speckl"`, ":", `"document/`} {
		var ok bool
		if rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t"), []byte(token)); !ok {
			return false
		}
	}
	return true
}
