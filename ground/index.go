package ground

// index is the words of all parts, and where each stands.
type index struct {
	parts  []Part
	tokens []token
	// ends are, by part, where its tokens end.
	ends []int
	// ids numbers the different words; positions of word n are
	// at[from[n]:from[n+1]], in order.
	ids  table
	id   []int32 // of each token
	from []int32
	at   []int32
	// small are words that stand in small letters somewhere: a capital one is
	// no name then.
	small []bool
}

func newIndex(parts []Part) *index {
	x := &index{parts: parts}
	size := 0
	for i := range parts {
		size += len(parts[i].Text)
	}
	x.tokens = make([]token, 0, size/4+16)
	for i := range parts {
		x.tokens = tokens(parts[i].Text, x.tokens)
		x.ends = append(x.ends, len(x.tokens))
	}
	x.ids = newTable(len(x.tokens)/8 + 64)
	x.id = make([]int32, len(x.tokens))
	for i := range x.tokens {
		x.id[i] = x.ids.add(x.tokens[i].hash)
	}
	n := x.ids.n
	x.from = make([]int32, n+1)
	x.small = make([]bool, n)
	for i, id := range x.id {
		x.from[id+1]++
		x.small[id] = x.small[id] || !x.tokens[i].capital
	}
	for i := range n {
		x.from[i+1] += x.from[i]
	}
	x.at = make([]int32, len(x.tokens))
	next := append([]int32(nil), x.from...)
	for i, id := range x.id {
		x.at[next[id]] = int32(i)
		next[id]++
	}
	return x
}

// places are the tokens that are a word.
func (x *index) places(id int32) []int32 {
	if id < 0 {
		return nil
	}
	return x.at[x.from[id]:x.from[id+1]]
}

// partOf is the part that a token stands in, and the tokens of that part.
func (x *index) partOf(at int) (part, from, to int) {
	lo, hi := 0, len(x.ends)-1
	for lo < hi {
		mid := (lo + hi) / 2
		if x.ends[mid] <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 {
		from = x.ends[lo-1]
	}
	return lo, from, x.ends[lo]
}

// table numbers hashes in the order in which they come. It is a map for
// little else, at a fraction of the time.
type table struct {
	keys  []uint64
	ids   []int32 // id+1; 0 is free
	n     int
	shift uint
}

func newTable(size int) table {
	t := table{shift: 64}
	n := 1
	for n < 2*size {
		n *= 2
	}
	for 1<<(64-t.shift) < n {
		t.shift--
	}
	t.keys, t.ids = make([]uint64, n), make([]int32, n)
	return t
}

// slot is where a hash stands, or would.
func (t *table) slot(h uint64) int {
	i := int(h * 0x9E3779B97F4A7C15 >> t.shift) // Fibonacci hashing
	for t.ids[i] != 0 && t.keys[i] != h {
		if i++; i == len(t.ids) {
			i = 0
		}
	}
	return i
}

func (t *table) add(h uint64) int32 {
	i := t.slot(h)
	if t.ids[i] == 0 {
		if 2*t.n >= len(t.ids) {
			t.grow()
			i = t.slot(h)
		}
		t.n++
		t.keys[i], t.ids[i] = h, int32(t.n)
	}
	return t.ids[i] - 1
}

func (t *table) grow() {
	old := *t
	t.keys, t.ids, t.shift = make([]uint64, 2*len(old.keys)), make([]int32, 2*len(old.ids)), old.shift-1
	for i, id := range old.ids {
		if id != 0 {
			at := t.slot(old.keys[i])
			t.keys[at], t.ids[at] = old.keys[i], id
		}
	}
}

// find is the number of a hash, or -1.
func (t *table) find(h uint64) int32 { return t.ids[t.slot(h)] - 1 }
