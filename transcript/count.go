package transcript

// Sizes of a counter: exact for 1.5 million keys in 24 MiB, then a filter of
// 8 MiB.
const (
	maxSlots   = 1 << 21
	filterBits = 1 << 26
)

// counter says how often a key came before, in bounded memory: exactly for
// the first 1.5 million different keys. For a key after those it says 0 when
// it is new and a number that no key has had when it may have come before, so
// that derived ids stay unique, and the same however the file grows at its
// end. Keys are hashes; two with one hash cost no more than a number above 0.
// The zero value is ready.
type counter struct {
	keys   []uint64
	counts []uint32
	used   int
	filter []uint64
}

// add counts key and returns how often it came before; unique is a number
// that grows with each call.
func (c *counter) add(key uint64, unique int) int {
	if key == 0 {
		key = 1 // 0 marks a free slot
	}
	if c.used >= len(c.keys)/4*3 && len(c.keys) < maxSlots {
		c.grow()
	}
	i := c.find(key)
	switch {
	case c.keys[i] == key:
		n := c.counts[i]
		c.counts[i]++
		return int(n)
	case c.used < len(c.keys)/4*3:
		c.keys[i], c.counts[i] = key, 1
		c.used++
		return 0
	case c.seen(key):
		return unique
	}
	return 0
}

// find returns the slot of key, or the free one where it belongs.
func (c *counter) find(key uint64) int {
	mask := len(c.keys) - 1
	i := int(key) & mask
	for c.keys[i] != 0 && c.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (c *counter) grow() {
	old := *c
	n := max(1<<10, 2*len(old.keys))
	c.keys, c.counts = make([]uint64, n), make([]uint32, n)
	for j, key := range old.keys {
		if key != 0 {
			i := c.find(key)
			c.keys[i], c.counts[i] = key, old.counts[j]
		}
	}
}

// seen puts key into a Bloom filter and reports whether it may have been there.
func (c *counter) seen(key uint64) bool {
	if c.filter == nil {
		c.filter = make([]uint64, filterBits/64)
	}
	all := true
	for k := range uint64(3) {
		bit := (key + k*(key>>32|1)) % filterBits
		word, one := bit/64, uint64(1)<<(bit%64)
		all = all && c.filter[word]&one != 0
		c.filter[word] |= one
	}
	return all
}

// hash is FNV-1a over words of eight bytes with a final mix: the same in
// every run and on every machine.
func hash(s string) uint64 {
	const prime = 1099511628211
	h := 14695981039346656037 ^ uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = (h ^ w) * prime
		h ^= h >> 29
	}
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}
