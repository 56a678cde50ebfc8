package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/speckl/speckl/sir"
)

// A row is one record of the log, packed: a byte for its form, flags, then
// the fields that the flags announce, as varints. What can be told from the
// rest (payload and attribution of a turn, the hashes, the salt) is not in it.
const (
	rowTurn byte = 1 + iota
	rowOther
)

// The flags of a row.
const (
	hasAt       = 1 << iota
	recordedAt  // a recorded time follows
	sameAt      // it was recorded at its own time
	uuidID      // the id is 16 bytes
	isAct       // the turn records an act
	isAgent     // the speaker is an agent
	hasName     // the speaker has a name
	hasAgent    // and an agent's id
	hasParent   // the turn answers another
	hasMetadata // metadata follow
	packedMeta  // of a kind and a source only
	hasSource   // with a source
)

// cells reads and writes the packed form.
type cells struct{ b []byte }

func (c *cells) putInt(n int64)   { c.b = binary.AppendVarint(c.b, n) }
func (c *cells) putUint(n uint64) { c.b = binary.AppendUvarint(c.b, n) }

func (c *cells) putBytes(b []byte) {
	c.putUint(uint64(len(b)))
	c.b = append(c.b, b...)
}

func (c *cells) putText(s string) {
	c.putUint(uint64(len(s)))
	c.b = append(c.b, s...)
}

func (c *cells) int() int64 {
	n, size := binary.Varint(c.b)
	c.b = c.b[size:]
	return n
}

func (c *cells) uint() uint64 {
	n, size := binary.Uvarint(c.b)
	c.b = c.b[size:]
	return n
}

// bytes are the next n bytes, shared.
func (c *cells) bytes(n int) []byte {
	b := c.b[:n:n]
	c.b = c.b[n:]
	return b
}

func (c *cells) text() string { return string(c.bytes(int(c.uint()))) }

// timeFlags tells how the two times are written.
func timeFlags(at, recorded *int64) (flags uint64) {
	if at != nil {
		flags |= hasAt
	}
	switch {
	case recorded == nil && at == nil, recorded != nil && at != nil && *recorded == *at:
		flags |= sameAt
	case recorded != nil:
		flags |= recordedAt
	}
	return flags
}

func (c *cells) putTimes(flags uint64, at, recorded *int64) {
	if flags&hasAt != 0 {
		c.putInt(*at)
	}
	if flags&recordedAt != 0 {
		c.putInt(*recorded)
	}
}

func (c *cells) times(flags uint64) (at, recorded *int64) {
	if flags&hasAt != 0 {
		n := c.int()
		at = &n
	}
	switch {
	case flags&sameAt != 0:
		recorded = at
	case flags&recordedAt != 0:
		n := c.int()
		recorded = &n
	}
	return at, recorded
}

// packID writes the id of a turn, packed where it is a UUID.
func packID(dst []byte, id string) (packed []byte, isUUID bool) {
	if u, ok := parseUUID(id); ok {
		return append(dst, u[:]...), true
	}
	return append(dst, id...), false
}

// turnFlags are the flags of a turn's row.
func turnFlags(t *sir.Turn) (flags uint64) {
	set := func(on bool, f uint64) {
		if on {
			flags |= f
		}
	}
	set(t.IsAct(), isAct)
	set(t.Speaker == sir.Agent, isAgent)
	set(t.SpeakerName != nil, hasName)
	set(t.AgentID != "", hasAgent)
	set(t.ParentTurnID != "", hasParent)
	if m := t.Metadata; m != nil {
		flags |= hasMetadata
		set(m.Plain(), packedMeta)
		set(m.Plain() && m.Source != nil, hasSource)
	}
	return flags
}

// putTurn writes the row of a turn.
func (d *memory) putTurn(m *sir.Mutation, t *sir.Turn, id []byte, isUUID bool) error {
	flags := turnFlags(t) | timeFlags(m.At, m.RecordedAt)
	if isUUID {
		flags |= uuidID
	}
	c := cells{append(d.row[:0], rowTurn)}
	c.putUint(flags)
	if !isUUID {
		c.putUint(uint64(len(id)))
	}
	c.b = append(c.b, id...)
	c.putUint(uint64(m.DocVersion))
	c.putTimes(flags, m.At, m.RecordedAt)
	c.putInt(int64(t.Seq))
	c.putUint(d.names.intern(t.SessionID))
	if flags&hasName != 0 {
		c.putUint(d.names.intern(*t.SpeakerName))
	}
	if flags&hasAgent != 0 {
		c.putUint(d.names.intern(t.AgentID))
	}
	if flags&hasParent != 0 {
		c.putText(t.ParentTurnID)
	}
	switch {
	case flags&packedMeta != 0:
		c.putUint(d.names.intern(t.Metadata.Kind))
		if s := t.Metadata.Source; s != nil {
			c.putUint(d.names.intern(s.File))
			c.putInt(int64(s.Record))
		}
	case flags&hasMetadata != 0:
		raw, err := json.Marshal(t.Metadata)
		if err != nil {
			return fmt.Errorf("encode metadata of turn %q: %w", t.ID, err)
		}
		c.putBytes(raw)
	}
	c.putText(t.Content)
	d.row = c.b
	d.turns.add(d.rows.put(c.b))
	return nil
}

// readTurn reads the row behind its first byte.
func (d *memory) readTurn(c *cells) (t *sir.Turn, version int, recorded *int64, err error) {
	t = &sir.Turn{Speaker: sir.Human}
	flags := c.uint()
	if flags&uuidID != 0 {
		t.ID = formatUUID(c.bytes(16))
	} else {
		t.ID = c.text()
	}
	version = int(c.uint())
	t.Timestamp, recorded = c.times(flags)
	t.Seq = int(c.int())
	t.SessionID = *d.names.list[c.uint()]
	if flags&isAgent != 0 {
		t.Speaker = sir.Agent
	}
	if flags&hasName != 0 {
		t.SpeakerName = d.names.list[c.uint()]
	}
	if flags&hasAgent != 0 {
		t.AgentID = *d.names.list[c.uint()]
	}
	if flags&hasParent != 0 {
		t.ParentTurnID = c.text()
	}
	switch {
	case flags&packedMeta != 0:
		t.Metadata = &sir.Metadata{Kind: *d.names.list[c.uint()]}
		if flags&hasSource != 0 {
			t.Metadata.Source = &sir.Source{File: *d.names.list[c.uint()]}
			t.Metadata.Source.Record = int(c.int())
		}
	case flags&hasMetadata != 0:
		t.Metadata = new(sir.Metadata)
		if err := json.Unmarshal(c.bytes(int(c.uint())), t.Metadata); err != nil {
			return nil, 0, nil, fmt.Errorf("read metadata of turn %q: %w: %w", t.ID, ErrBroken, err)
		}
	}
	t.Content = c.text()
	return t, version, recorded, nil
}

// interned keeps each name once.
type interned struct {
	list []*string
	byID map[string]uint32
}

func (x *interned) intern(s string) uint64 {
	n, ok := x.byID[s]
	if !ok {
		n, name := uint32(len(x.list)), s // a copy: only new names go to the heap
		x.list = append(x.list, &name)
		x.byID[s] = n
		return uint64(n)
	}
	return uint64(n)
}
