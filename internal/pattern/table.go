package pattern

import "github.com/speckl/speckl/internal/clause"

// table is an open-addressing hash table from word hashes to words: one
// probe tells for nearly every word of a chat that no rule minds it.
type table struct {
	mask  uint64
	keys  []uint64
	words []*word
}

func newTable(words map[uint64]*word) table {
	size := 16
	for size < 4*len(words) {
		size *= 2
	}
	t := table{mask: uint64(size - 1), keys: make([]uint64, size), words: make([]*word, size)}
	for h, w := range words {
		i := spread(h) & t.mask
		for t.words[i] != nil {
			i = (i + 1) & t.mask
		}
		t.keys[i], t.words[i] = h, w
	}
	return t
}

func spread(h uint64) uint64 { return h ^ h>>29 }

func (t *table) find(h uint64) *word {
	for i := spread(h) & t.mask; t.words[i] != nil; i = (i + 1) & t.mask {
		if t.keys[i] == h {
			return t.words[i]
		}
	}
	return nil
}

// bits is a set of small numbers.
type bits []uint64

func (b bits) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bits) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

func (b bits) all(need []int) bool {
	for _, i := range need {
		if !b.has(i) {
			return false
		}
	}
	return true
}

// Possible returns the rules and adjuncts whose words all stand among the
// tokens; nil means that no rule can match there.
func (m *Matcher) anchors(tokens []clause.Token, buf bits) (bits, bool) {
	if n := (m.groups + 63) / 64; cap(buf) < n {
		buf = make(bits, n)
	} else {
		buf = buf[:n]
		clear(buf)
	}
	any := false
	for _, t := range tokens {
		if w := m.words.find(t.Hash); w != nil {
			any = true
			for _, g := range w.anchors {
				buf.set(g)
			}
		}
	}
	return buf, any
}
