package store

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/speckl/speckl/sir"
)

// reader reads one document of a [Memory] while its lock is held.
type reader struct {
	*memory
	open bool
}

var _ Reader = (*reader)(nil)

// usable returns an error once the transaction has ended, or before the
// document was created.
func (r *reader) usable(what string) error {
	switch {
	case !r.open:
		return fmt.Errorf("read %s: %w", what, ErrClosed)
	case !r.created():
		return fmt.Errorf("read %s of document %s: %w", what, r.ref.Document, ErrNotFound)
	}
	return nil
}

// Header returns the document's header.
func (r *reader) Header() (sir.Header, error) {
	if err := r.usable("header"); err != nil {
		return sir.Header{}, err
	}
	return r.fold.Header(), nil
}

// Head returns the newest link.
func (r *reader) Head() (sir.Head, error) {
	if !r.open {
		return sir.Head{}, fmt.Errorf("read head: %w", ErrClosed)
	}
	return r.chain.Head(), nil
}

// Turn returns a turn.
func (r *reader) Turn(id string) (*sir.Turn, error) {
	if err := r.usable("turn"); err != nil {
		return nil, err
	}
	n, ok := r.find(id)
	if !ok {
		return nil, fmt.Errorf("read turn %q: %w", id, ErrNotFound)
	}
	return r.turn(n)
}

// Turns yields the turns behind the first after.
func (r *reader) Turns(after int) iter.Seq2[*sir.Turn, error] {
	return func(yield func(*sir.Turn, error) bool) {
		if err := r.usable("turns"); err != nil {
			yield(nil, err)
			return
		}
		for n := max(after, 0); n < r.turns.n; n++ {
			t, err := r.turn(n)
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// Cursor tells how many turns are done for a domain.
func (r *reader) Cursor(domain string) (int, error) {
	if err := r.usable("cursor"); err != nil {
		return 0, err
	}
	return r.done(domain), nil
}

// Element returns an element.
func (r *reader) Element(id string) (*sir.Element, error) {
	if err := r.usable("element"); err != nil {
		return nil, err
	}
	if e := r.fold.Element(id); e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("read element %s: %w", id, ErrNotFound)
}

// Elements yields the elements in the order of creation.
func (r *reader) Elements() iter.Seq2[*sir.Element, error] {
	return func(yield func(*sir.Element, error) bool) {
		if err := r.usable("elements"); err != nil {
			yield(nil, err)
			return
		}
		for e := range r.fold.Elements() {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Pending returns what waits.
func (r *reader) Pending() (sir.Pending, error) {
	if err := r.usable("pending"); err != nil {
		return sir.Pending{}, err
	}
	r.pending.Lock()
	defer r.pending.Unlock()
	return r.fold.Pending(), nil
}

// Draft returns a draft.
func (r *reader) Draft(token string) ([]byte, error) {
	if err := r.usable("draft"); err != nil {
		return nil, err
	}
	body, ok := r.drafts[token]
	if !ok {
		return nil, fmt.Errorf("read draft %q: %w", token, ErrNotFound)
	}
	return bytes.Clone(body), nil
}

// Log yields the records behind after. Hashes, salts and the payloads of
// turns are not stored: they are made again from what is, so that a head that
// agrees shows that the rows are what was sealed.
func (r *reader) Log(after int64) iter.Seq2[sir.Mutation, error] {
	return func(yield func(sir.Mutation, error) bool) {
		err := r.usable("log")
		if err == nil && r.config.Unlogged {
			err = fmt.Errorf("read log: %w", ErrUnlogged)
		}
		if err != nil {
			yield(sir.Mutation{}, err)
			return
		}
		from := r.points[min(max(after, 0)/pointEvery, int64(len(r.points)-1))]
		chain, err := sir.NewChain(from.head)
		if err != nil {
			yield(sir.Mutation{}, err)
			return
		}
		for at := from.rows; chain.Seq() < r.chain.Seq(); {
			var m sir.Mutation
			if at, err = r.readRow(at, &m); err == nil {
				err = r.sealAs(&chain, &m, r.freshSalt(chain.Seq()+1))
				m.Body = nil
			}
			if err != nil {
				yield(sir.Mutation{}, fmt.Errorf("read record %d: %w", chain.Seq()+1, err))
				return
			}
			if m.Seq > after && !yield(m, nil) {
				return
			}
		}
	}
}

// freshSalt is saltOf with room of its own, for readers side by side.
func (r *reader) freshSalt(seq int64) sir.Salt {
	if salt, ok := r.given[seq]; ok {
		return salt
	}
	var in, out sir.Salt
	for i := range 8 {
		in[15-i] = byte(seq >> (8 * i))
	}
	r.salts.Encrypt(out[:], in[:])
	return out
}

// readRow unpacks the record at a place and returns the place behind it.
func (d *memory) readRow(at place, m *sir.Mutation) (next place, err error) {
	at = d.rows.next(at)
	c := cells{d.rows.at(at)}
	size := len(c.b)
	form := c.bytes(1)[0]
	if form == rowTurn {
		t, version, recorded, err := d.readTurn(&c)
		if err != nil {
			return at, err
		}
		*m = sir.TurnMutation(d.ref.Document, t)
		m.DocVersion, m.RecordedAt, m.Body = version, recorded, &sir.Payload{Turn: t}
	} else {
		d.readOther(&c, m)
	}
	return at + place(size-len(c.b)), nil
}

// putOther writes the row of a record that is not a turn's.
func (d *memory) putOther(m *sir.Mutation) {
	flags := timeFlags(m.At, m.RecordedAt)
	packed, isUUID := packID(d.id[:0], m.ElementID)
	d.id = packed
	if isUUID {
		flags |= uuidID
	}
	c := cells{append(d.row[:0], rowOther)}
	c.putUint(flags)
	c.putBytes(packed)
	c.putUint(d.names.intern(string(m.Kind)))
	if n, ok := d.find(m.TurnID); ok {
		c.putUint(uint64(n + 1))
	} else {
		c.putUint(0)
	}
	c.putUint(uint64(m.DocVersion))
	c.putUint(uint64(m.Version))
	c.putTimes(flags, m.At, m.RecordedAt)
	c.putBytes(m.Payload)
	d.row = c.b
	d.rows.put(c.b)
}

// readOther reads such a row behind its first byte.
func (d *memory) readOther(c *cells, m *sir.Mutation) {
	flags := c.uint()
	id := c.bytes(int(c.uint()))
	m.DocumentID, m.ElementID = d.ref.Document, string(id)
	if flags&uuidID != 0 {
		m.ElementID = formatUUID(id)
	}
	m.Kind = sir.MutationKind(*d.names.list[c.uint()])
	if n := int(c.uint()); n > 0 {
		packed := d.packedID(n - 1)
		if m.TurnID = string(packed); d.hasUUID(n - 1) {
			m.TurnID = formatUUID(packed)
		}
	}
	m.DocVersion, m.Version = int(c.uint()), int(c.uint())
	m.At, m.RecordedAt = c.times(flags)
	m.Payload = bytes.Clone(c.bytes(int(c.uint())))
}

// hasUUID reports whether a turn's id is packed.
func (d *memory) hasUUID(ordinal int) bool {
	c := cells{d.rows.at(d.turns.at(ordinal))[1:]}
	return c.uint()&uuidID != 0
}
