package sir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
)

// Salt is mixed into a record's payload hash, so that a short payload cannot
// be guessed from its hash once it is erased.
type Salt [16]byte

// Chain seals records one after the other. Copying the struct remembers the
// head; copies share buffers, so that one at a time may be used.
type Chain struct {
	seq  int64
	hash [sha256.Size]byte
	buf  []byte
	enc  *canonizer
}

// NewChain returns a chain that goes on behind head; the zero head begins a
// log. It returns an error that wraps [ErrBroken] if the hash is none.
func NewChain(head Head) (Chain, error) {
	c := Chain{seq: head.Seq}
	if head.Seq == 0 && head.Hash == "" {
		return c, nil
	}
	sum, err := hex.DecodeString(head.Hash)
	if err != nil || len(sum) != len(c.hash) || head.Seq < 1 {
		return c, fmt.Errorf("read head %d %q: %w", head.Seq, head.Hash, ErrBroken)
	}
	copy(c.hash[:], sum)
	return c, nil
}

// Seq is the number of the newest record.
func (c *Chain) Seq() int64 { return c.seq }

// Head is the newest link.
func (c *Chain) Head() Head {
	if c.seq == 0 {
		return Head{}
	}
	return Head{Seq: c.seq, Hash: hex.EncodeToString(c.hash[:])}
}

// Seal gives the record its place: Seq, Payload (encoded from Body where it
// is nil), Attribution (that of the payload), Salt and the hashes.
// It returns an error that wraps [ErrBroken] if there is no payload, or
// [ErrValue] if it cannot be encoded.
func (c *Chain) Seal(m *Mutation, salt Salt) error {
	body, err := m.Decoded()
	if err != nil {
		return err
	}
	if body == nil { // a record that erases carries nothing
		body = &Payload{}
	}
	c.buf = append(append(c.buf[:0], salt[:]...), m.Payload...)
	if m.Payload == nil {
		if c.enc == nil {
			c.enc = new(canonizer)
		}
		if c.buf, err = c.enc.appendPayload(c.buf, body); err != nil {
			return fmt.Errorf("seal record %d: %w", c.seq+1, err)
		}
		m.Payload = bytes.Clone(c.buf[len(salt):])
	}
	m.Attribution = body.Attribution()
	m.Salt = bytes.Clone(salt[:])
	m.PrevHash = c.Head().Hash
	sum := sha256.Sum256(c.buf)
	m.PayloadHash = hex.EncodeToString(sum[:])
	c.link(m, &sum)
	m.Seq = c.seq
	m.Hash = hex.EncodeToString(c.hash[:])
	return nil
}

// Reseal gives a record the place that it had: its salt is kept, and where
// its payload was erased the hash stands for it. Whether the result is the
// hash that it had is for the caller to compare.
// It returns an error as [Chain.Seal] does.
func (c *Chain) Reseal(m *Mutation, salt []byte, payloadHash string) error {
	if m.Payload != nil || m.Body != nil {
		var s Salt
		if copy(s[:], salt) != len(s) || len(salt) != len(s) {
			return fmt.Errorf("seal record %d: %w: its salt has %d bytes", c.seq+1, ErrBroken, len(salt))
		}
		return c.Seal(m, s)
	}
	var sum [sha256.Size]byte
	raw, err := hex.DecodeString(payloadHash)
	if err != nil || copy(sum[:], raw) != len(sum) || len(raw) != len(sum) {
		return fmt.Errorf("seal record %d: %w: it has no payload hash", c.seq+1, ErrBroken)
	}
	m.Salt, m.PayloadHash, m.PrevHash = nil, payloadHash, c.Head().Hash
	c.link(m, &sum)
	m.Seq, m.Hash = c.seq, hex.EncodeToString(c.hash[:])
	return nil
}

// SealTurn moves the head over the record of a turn as [Chain.Seal] does,
// without filling in m: it costs no allocation. m is what [TurnMutation]
// returned.
func (c *Chain) SealTurn(m *Mutation, t *Turn, salt *Salt) error {
	buf, err := appendTurnPayload(append(c.buf[:0], salt[:]...), t)
	if err != nil {
		return fmt.Errorf("seal record %d: %w", c.seq+1, err)
	}
	c.buf = buf
	sum := sha256.Sum256(buf)
	c.link(m, &sum)
	return nil
}

// link hashes the record's header and makes it the head.
func (c *Chain) link(m *Mutation, payload *[sha256.Size]byte) {
	w := writer{b: c.buf[:0]}
	w.time(`{"at":`, m.At)
	w.number(`,"docVersion":`, int64(m.DocVersion))
	w.text(`,"documentId":`, m.DocumentID)
	w.text(`,"elementId":`, m.ElementID)
	w.text(`,"kind":`, string(m.Kind))
	w.b = append(w.b, `,"payloadHash":"`...)
	w.b = append(hex.AppendEncode(w.b, payload[:]), `","prevHash":"`...)
	if c.seq > 0 {
		w.b = hex.AppendEncode(w.b, c.hash[:])
	}
	w.b = append(w.b, '"')
	w.time(`,"recordedAt":`, m.RecordedAt)
	c.seq++
	w.number(`,"seq":`, c.seq)
	w.text(`,"turnId":`, m.TurnID)
	w.number(`,"version":`, int64(m.Version))
	w.b = append(w.b, '}')
	c.buf = w.b
	c.hash = sha256.Sum256(w.b)
}

// Seal seals one record behind head and returns the new head. See
// [Chain.Seal], which is faster for many.
func Seal(head Head, m *Mutation, salt Salt) (Head, error) {
	c, err := NewChain(head)
	if err != nil {
		return head, err
	}
	if err := c.Seal(m, salt); err != nil {
		return head, err
	}
	return c.Head(), nil
}

// ChainError names the first broken link of a log. It wraps [ErrBroken].
type ChainError struct {
	// Seq is the record where the log breaks, from 1.
	Seq int64
	// Reason says what is wrong with it.
	Reason string
}

func (e *ChainError) Error() string { return fmt.Sprintf("verify record %d: %s", e.Seq, e.Reason) }

// Unwrap returns [ErrBroken].
func (e *ChainError) Unwrap() error { return ErrBroken }

// Verify checks the whole log, from its first record, against the head that
// is kept beside it: order, links, payloads and what is derived from them.
// A payload that was erased is passed over, its hash stands for it. It
// returns a [*ChainError] for the first broken link, or the log's own error.
// Whether the stored elements are what the log gives is the store's to check.
func Verify(log iter.Seq2[Mutation, error], head Head) error {
	var c Chain
	document := ""
	var blank erasures
	for m, err := range log {
		if err != nil {
			return fmt.Errorf("verify record %d: %w", c.seq+1, err)
		}
		if c.seq == 0 {
			document = m.DocumentID
		}
		if reason := c.check(&m, document); reason != "" {
			return &ChainError{Seq: c.seq + 1, Reason: reason}
		}
		if err := blank.note(&m); err != nil {
			return err
		}
	}
	if seq := blank.unnamed(); seq > 0 {
		return &ChainError{Seq: seq, Reason: "has lost its payload, and no record erases it"}
	}
	switch got := c.Head(); {
	case got.Seq < head.Seq:
		return &ChainError{Seq: got.Seq + 1, Reason: fmt.Sprintf("is missing; the head is record %d", head.Seq)}
	case got.Seq > head.Seq:
		return &ChainError{Seq: head.Seq + 1, Reason: "stands behind the head"}
	case got.Hash != head.Hash:
		return &ChainError{Seq: got.Seq, Reason: "hash differs from the head's"}
	}
	return nil
}

// erasures are the records without payload, and those that later ones name.
type erasures struct {
	missing []int64
	named   map[int64]bool
}

func (e *erasures) note(m *Mutation) error {
	if m.Payload == nil {
		e.missing = append(e.missing, m.Seq)
		return nil
	}
	if m.Kind != Erased {
		return nil
	}
	body, err := m.Decoded()
	if err != nil || body == nil || body.Erased == nil {
		return &ChainError{Seq: m.Seq, Reason: "erases, but does not say what"}
	}
	if e.named == nil {
		e.named = map[int64]bool{}
	}
	for _, seq := range body.Erased.Records {
		e.named[seq] = true
	}
	return nil
}

// unnamed is the first record without payload that none names; 0 for none.
func (e *erasures) unnamed() int64 {
	for _, seq := range e.missing {
		if !e.named[seq] {
			return seq
		}
	}
	return 0
}

// check moves the chain over one sealed record and says what is wrong.
func (c *Chain) check(m *Mutation, document string) (reason string) {
	switch {
	case m.Seq != c.seq+1:
		return fmt.Sprintf("has number %d", m.Seq)
	case m.DocumentID != document:
		return "belongs to another document"
	case m.PrevHash != c.Head().Hash:
		return "does not follow from the record before it"
	case m.Payload == nil && len(m.Salt) > 0:
		return "keeps the salt of an erased payload"
	}
	var sum [sha256.Size]byte
	if raw, err := hex.DecodeString(m.PayloadHash); err != nil || copy(sum[:], raw) != len(sum) ||
		hex.EncodeToString(sum[:]) != m.PayloadHash {
		return "has no payload hash"
	}
	if m.Payload != nil {
		c.buf = append(append(c.buf[:0], m.Salt...), m.Payload...)
		if len(m.Salt) != len(Salt{}) || sha256.Sum256(c.buf) != sum {
			return "payload was changed"
		}
		body, err := (&Mutation{Seq: m.Seq, Payload: m.Payload}).Decoded()
		if err != nil {
			return "payload cannot be read"
		}
		if got := body.Attribution(); !sameAttribution(got, m.Attribution) {
			return "attribution was changed"
		}
	}
	next := *c
	next.buf = nil
	next.link(m, &sum)
	if hex.EncodeToString(next.hash[:]) != m.Hash {
		return "was changed"
	}
	next.buf = c.buf
	*c = next
	return ""
}
