package jsonread

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
)

// stretch is what stood between two fences: some of the items.
type stretch struct {
	from, to int
	cut      bool
}

// endStretch notes the items since the last stretch as one.
func (r *reader) endStretch() {
	from := 0
	if n := len(r.stretches); n > 0 {
		from = r.stretches[n-1].to
	}
	if from == len(r.Items) {
		return
	}
	n := len(r.Losses)
	r.stretches = append(r.stretches, stretch{from, len(r.Items), n > 0 && r.Losses[n-1].Reason == CutOff && r.Losses[n-1].At >= r.Items[from].At})
}

// sum stands for a row of items.
type sum [sha256.Size]byte

// once leaves out the stretches that repeat another: those with the same
// items, and those that were cut off and hold the first items of a whole one.
func (r *reader) once() {
	if len(r.stretches) < 2 {
		return
	}
	sums := make([]sum, len(r.Items)) // of the row that ends with the item
	begun := map[sum]bool{}           // rows that a whole stretch begins with
	for _, s := range r.stretches {
		var row sum
		for i := s.from; i < s.to; i++ {
			row = row.with(r.Items[i].JSON)
			sums[i] = row
			if !s.cut {
				begun[row] = true
			}
		}
	}
	told := map[sum]bool{}
	kept := r.Items[:0]
	for _, s := range r.stretches {
		row := sums[s.to-1]
		if !told[row] && !(s.cut && begun[row]) {
			kept = append(kept, r.Items[s.from:s.to]...)
		}
		told[row] = true
	}
	r.Items = kept
}

// with is the sum of a row that goes on with an item, white space apart.
func (s sum) with(item json.RawMessage) sum {
	var b bytes.Buffer
	b.Write(s[:])
	if json.Compact(&b, item) != nil {
		b.Write(item)
	}
	return sha256.Sum256(b.Bytes())
}
