package ground

import "math/bits"

// postings lists the positions of keys (a token, or a pair), in buckets by
// hash: two arrays, and no map. A bucket may hold other keys, too; whoever
// uses it compares.
type postings struct {
	shift uint
	start []int32 // by bucket, and one more
	at    []int32 // positions, ascending within a bucket
}

// spread is the constant of Fibonacci hashing (2^64 / φ).
const spread = 0x9E3779B97F4A7C15

func pairKey(a, b token) uint64 {
	return (a.hash() ^ bits.RotateLeft64(b.hash(), 29)*spread) * spread
}

func wordKey(t token) uint64 { return t.hash() * spread }

func indexPairs(tokens []token) postings {
	if len(tokens) == 0 {
		return makePostings(0, nil)
	}
	return makePostings(len(tokens)-1, func(i int) uint64 { return pairKey(tokens[i], tokens[i+1]) })
}

func indexWords(tokens []token) postings {
	return makePostings(len(tokens), func(i int) uint64 { return wordKey(tokens[i]) })
}

// makePostings sorts positions 0 to n-1 into buckets by counting.
func makePostings(n int, key func(int) uint64) postings {
	p := postings{shift: uint(64 - bits.Len(uint(n)|1))}
	p.start = make([]int32, 1<<(64-p.shift)+1)
	p.at = make([]int32, n)
	bucket := make([]int32, n)
	for i := range n {
		b := int32(key(i) >> p.shift)
		bucket[i] = b
		p.start[b]++
	}
	sum := int32(0)
	for b := range p.start {
		sum += p.start[b]
		p.start[b] = sum
	}
	for i := n - 1; i >= 0; i-- { // from behind, so that start ends where it should
		b := bucket[i]
		p.start[b]--
		p.at[p.start[b]] = int32(i)
	}
	return p
}

// of returns the positions in the bucket of a key.
func (p *postings) of(key uint64) []int32 {
	b := key >> p.shift
	return p.at[p.start[b]:p.start[b+1]]
}
