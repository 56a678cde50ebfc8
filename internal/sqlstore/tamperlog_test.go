package sqlstore_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// record is the row of a record of the log.
func (v *victim) record(seq int64) row {
	v.Helper()
	for _, x := range v.rows("mutations") {
		if x.get("seq") == seq {
			return x
		}
	}
	v.Fatalf("there is no record %d", seq)
	return row{}
}

// replace writes a record's row anew.
func (v *victim) replace(was, is row) {
	v.Helper()
	v.raw.delete(was)
	if err := v.raw.insert(is); err != nil {
		v.Fatal(err)
	}
}

// TestTamperedLog takes records out, swaps them and puts some in.
func TestTamperedLog(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		head := v.head()
		for seq := int64(1); seq <= head.Seq; seq++ {
			x := v.record(seq)
			v.raw.delete(x)
			v.breaks(fmt.Sprintf("without record %d", seq), seq, "")
			if seq < head.Seq { // the gap closed
				v.shift(seq+1, head.Seq, -1)
				v.breaks(fmt.Sprintf("without record %d, the others moved up", seq), seq, "")
				v.shift(seq, head.Seq-1, +1)
			}
			if err := v.raw.insert(x); err != nil {
				t.Fatal(err)
			}
		}
		for seq := int64(1); seq < head.Seq; seq++ {
			for _, other := range []int64{seq + 1, head.Seq} {
				if other == seq {
					continue
				}
				a, b := v.record(seq), v.record(other)
				v.raw.delete(a)
				v.replace(b, b.with("seq", seq))
				if err := v.raw.insert(a.with("seq", other)); err != nil {
					t.Fatal(err)
				}
				v.breaks(fmt.Sprintf("records %d and %d swapped", seq, other), seq, "")
				v.raw.delete(b.with("seq", seq))
				v.replace(a.with("seq", other), a)
				if err := v.raw.insert(b); err != nil {
					t.Fatal(err)
				}
			}
		}
		last := v.record(head.Seq)
		more := last.with("seq", head.Seq+1)
		if err := v.raw.insert(more); err != nil {
			t.Fatal(err)
		}
		v.breaks("with a record more", head.Seq+1, "")
		v.raw.one("update documents set seq = seq + 1 where doc = ?", v.key)
		v.breaks("with a record more, and the head", head.Seq+1, "")
		v.raw.one("update documents set seq = seq - 1 where doc = ?", v.key)
		v.raw.delete(more)
		if err := v.verify(); err != nil {
			t.Fatal(err)
		}
	})
}

// shift renumbers records, one after the other, so that none is in the way.
func (v *victim) shift(from, to, by int64) {
	v.Helper()
	var all []int64
	for seq := from; seq <= to; seq++ {
		all = append(all, seq)
	}
	if by > 0 {
		slices.Reverse(all)
	}
	for _, seq := range all {
		v.raw.one("update mutations set seq = ? where doc = ? and seq = ?", seq+by, v.key, seq)
	}
}

// TestTamperedTail cuts the end of the log off. The last turn is talk: it
// has given no element, so that whoever takes its rows out, and sets the
// document's row back, leaves a document that is right in itself. Only a head
// that was kept elsewhere tells (speckl verify --expect).
func TestTamperedTail(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		head := v.head()
		before := v.record(head.Seq - 1)
		tail := v.record(head.Seq)
		v.raw.delete(tail)
		v.breaks("the tail cut off", head.Seq, fmt.Sprintf("the head is record %d", head.Seq))
		v.raw.one("update documents set seq = ?, hash = ? where doc = ?", before.get("seq"), before.get("hash"), v.key)
		v.breaks("the tail cut off and the head set back", 0, "header")
		v.raw.one("update documents set version = ? where doc = ?", before.get("version"), v.key)
		v.breaks("and the version", 0, "turn t13")
		n := tail.get("turn").(int64)
		v.raw.one("delete from turns where doc = ? and n = ?", v.key, n)
		v.breaks("and the turn", 0, "turn")
		v.raw.one("update documents set turns = ? where doc = ?", n-1, v.key)
		v.breaks("and its number", 0, "cursor")
		v.raw.one("update documents set cursors = ? where doc = ?", fmt.Sprintf(`{"general":%d,"state-machine":%d}`, n-1, n-1), v.key)
		if err := v.verify(); err != nil {
			t.Fatalf("the cut is perfect, and yet: %v", err)
		}
		err := v.store.View(t.Context(), v.ref, func(r store.Reader) error {
			for m, err := range r.Log(0) {
				if err != nil || m.Hash == head.Hash {
					return fmt.Errorf("record %d has the head's hash (%v)", m.Seq, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("--expect sees no difference: %v", err)
		}
	})
}

// TestTamperedSeal: whoever can seal may append, but what he appends must fit:
// a record that is well sealed and changes an element which stays as it was
// is found out.
func TestTamperedSeal(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		var e *sir.Element
		m := sir.Mutation{DocumentID: v.ref.Document, Kind: sir.Updated}
		err := v.store.View(t.Context(), v.ref, func(r store.Reader) error {
			h, err := r.Header()
			if err != nil {
				return err
			}
			m.DocVersion = h.Version
			for first, err := range r.Elements() {
				e = first
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		one := sir.Confidence(1)
		m.ElementID, m.Version, m.TurnID = e.ID, e.Version+1, "t10"
		m.Body = &sir.Payload{Patch: &sir.Patch{Confidence: &one}}
		last := v.record(v.head().Seq)
		at := v.record(v.recordOf(10)).get("said_at").(int64)
		m.At = &at
		var salt sir.Salt
		_, _ = rand.Read(salt[:])
		head, err := sir.Seal(v.head(), &m, salt)
		if err != nil {
			t.Fatal(err)
		}
		raw := func(text string) []byte {
			b, err := hex.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		added := last.with("seq", m.Seq).with("turn", int64(10)).with("element", e.ID).with("kind", "updated").
			with("element_version", int64(m.Version)).with("said_at", at).with("recorded_at", nil).with("payload", []byte(m.Payload)).
			with("payload_hash", raw(m.PayloadHash)).with("salt", []byte(m.Salt)).with("hash", raw(m.Hash))
		if err := v.raw.insert(added); err != nil {
			t.Fatal(err)
		}
		v.breaks("a record was appended", m.Seq, "stands behind the head")
		v.raw.one("update documents set seq = ?, hash = ? where doc = ?", head.Seq, raw(head.Hash), v.key)
		v.breaks("a record was appended, and the head moved", 0, fmt.Sprintf("element %s (record %d)", e.ID, m.Seq))
	})
}

// TestTamperedBytes changes single bytes in what is stored as JSON.
func TestTamperedBytes(t *testing.T) {
	step := 101 // 11 takes a minute, and finds no more
	if testing.Short() {
		step = 503
	}
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		tried := 0
		for _, at := range []struct{ table, column string }{
			{"elements", "body"}, {"pending", "body"}, {"mutations", "payload"}, {"turns", "metadata"}, {"documents", "header"},
		} {
			for i, was := range v.rows(at.table) {
				old, _ := was.get(at.column).([]byte)
				for k := i % step; k < len(old); k += step {
					bit := byte(1 << (k % 7))
					if old[k]|0x20 >= 'a' && old[k]|0x20 <= 'z' && k%2 == 0 {
						bit = 0x20 // another case: Go would read the key all the same
					}
					b := slices.Clone(old)
					b[k] ^= bit
					if err := v.raw.update(was, at.column, b); err != nil {
						t.Fatal(err)
					}
					tried++
					v.breaks(fmt.Sprintf("byte %d of %s in %v: %q for %q", k, at.column, was, b[max(0, k-8):k+1], old[k]), 0, "")
					if err := v.raw.update(was.with(at.column, b), at.column, old); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		t.Logf("%d changes of a byte", tried)
	})
}

// TestTamperedCounters: what the document's row counts may lie within what
// the log allows.
func TestTamperedCounters(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		for _, c := range []struct {
			column string
			value  any
			want   string // "": it is not seen
		}{
			{"cursors", `{"general":14,"state-machine":13}`, "the cursor of general"},
			{"cursors", `{"general":-1,"state-machine":13}`, "the cursor of general"},
			{"cursors", `{"general":13}`, "the cursor of state-machine"},
			{"cursors", `{"general":13,"state-machine":5}`, "the cursor of state-machine"}, // turn 6 gave a transition
			{"cursors", `no JSON`, "cursors"},
			{"places", int64(0), "what waits"},
			// Turns that gave nothing may have been read or not; and places are
			// given away in ascending order, with gaps.
			{"cursors", `{"general":10,"state-machine":13}`, ""},
			{"cursors", `{"general":13,"state-machine":13,"unknown":3}`, ""},
			{"places", int64(1000), ""},
		} {
			was := v.rows("documents")[0]
			if err := v.raw.update(was, c.column, c.value); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s = %v", c.column, c.value)
			if err := v.verify(); c.want == "" && err != nil {
				t.Errorf("%s: %v, want that nobody sees it", what, err)
			}
			if c.want != "" {
				v.breaks(what, 0, c.want)
			}
			if err := v.raw.update(was.with(c.column, c.value), c.column, was.get(c.column)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestTamperedName: a document that stands under another name than it says is
// listed once.
func TestTamperedName(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		v.raw.one("update documents set name = 'zzz' where doc = ?", v.key)
		n := 0
		for h, err := range v.store.List(t.Context(), "local") {
			if n++; err != nil || n > 2 {
				t.Fatalf("document %d is %q (%v), there are two", n, h.Name, err)
			}
		}
		v.breaks("another name", 0, `"zzz"`)
	})
}
