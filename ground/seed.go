package ground

import (
	"cmp"
	"math/bits"
	"slices"
)

const (
	// maxSeeds is how many pairs of words of a quote are looked up, the rarest
	// ones.
	maxSeeds = 8
	// maxVotes bounds the places that all seeds of a quote point to;
	// enoughSeeds and enoughVotes: no more are looked up than that.
	maxVotes    = 4096
	enoughSeeds = 3
	enoughVotes = 256
	// maxWindows bounds the places that are looked at closer.
	maxWindows = 512
	// rareWord is how often a word may stand in the source that is looked up
	// alone, where no pair is found.
	rareWord = 512
)

// seed is a place in the quote, and the positions in the source that look
// alike.
type seed struct {
	at     int
	places []int32
}

// vote is a place in the source where the quote would begin, as a position of
// a token.
type vote struct {
	at    int
	seeds int // how many seeds point there
	merit int // how many words of the quote stand at about their place
}

// candidates returns the places where a quote may begin, the likeliest first.
func (s *Source) candidates(q *query) []vote {
	votes := s.count(q, s.pairSeeds(q.tokens))
	if len(votes) == 0 {
		votes = s.count(q, s.wordSeeds(q))
	}
	slices.SortStableFunc(votes, func(a, b vote) int { return cmp.Or(cmp.Compare(b.merit, a.merit), cmp.Compare(b.seeds, a.seeds)) })
	return votes
}

// slack is how many words the places of two parts of a quote may be off, for
// what was added and left out between them.
func slack(words int) int { return min(3+words/8, 24) }

// pairSeeds are the rarest pairs of neighbours of a quote that the source has.
func (s *Source) pairSeeds(tokens []token) []seed {
	var seeds []seed
	step := max(1, len(tokens)/256) // of a long quote a sample is enough
	for i := 0; i+1 < len(tokens); i += step {
		if places := s.pairs.of(pairKey(tokens[i], tokens[i+1])); len(places) > 0 {
			seeds = append(seeds, seed{i, places})
		}
	}
	return rarest(seeds, func(at int, p int32) bool {
		return s.tokens[p].same(tokens[at]) && s.tokens[p+1].same(tokens[at+1])
	})
}

// wordSeeds are the rarest words of a quote that the source has, perhaps with
// a slip.
func (s *Source) wordSeeds(q *query) []seed {
	words := s.words()
	var seeds []seed
	step := max(1, len(q.tokens)/256)
	keys := make([]token, len(q.tokens))
	for i := 0; i < len(q.tokens); i += step {
		keys[i] = q.tokens[i]
		if !s.has(keys[i].hash()) {
			if like := s.context().like(q.tokens[i].of(q.text)); like != "" {
				keys[i].key = makeKey(hashFolded(like), 0)
			}
		}
		if places := words.of(wordKey(keys[i])); len(places) > 0 && len(places) <= rareWord {
			seeds = append(seeds, seed{i, places})
		}
	}
	return rarest(seeds, func(at int, p int32) bool { return s.tokens[p].same(keys[at]) })
}

// rarest keeps the seeds with the fewest places, and bounds these. A bucket
// of the index may hold others: fits says which are the seed's.
func rarest(seeds []seed, fits func(at int, p int32) bool) []seed {
	slices.SortStableFunc(seeds, func(a, b seed) int { return cmp.Compare(len(a.places), len(b.places)) })
	out := seeds[:0]
	left := maxVotes
	for _, x := range seeds {
		x.places = only(x.places[:min(len(x.places), left)], func(p int32) bool { return fits(x.at, p) })
		if len(x.places) == 0 {
			continue
		}
		left -= len(x.places)
		out = append(out, x)
		if len(out) == maxSeeds || len(out) >= enoughSeeds && left < maxVotes-enoughVotes {
			break
		}
	}
	return out
}

// manyPlaces is how many places a bucket has that is not looked through: few
// of them are others.
const manyPlaces = 32

// only returns the places that fit; it copies only where some do not.
func only(places []int32, fits func(int32) bool) []int32 {
	if len(places) > manyPlaces {
		return places
	}
	for i, p := range places {
		if !fits(p) {
			out := slices.Clone(places[:i])
			for _, p := range places[i+1:] {
				if fits(p) {
					out = append(out, p)
				}
			}
			return out
		}
	}
	return places
}

// slotBits is how far apart places may be that are counted as one, as a power
// of two.
const slotBits = 3

// count returns the places that most of the seeds point to, and those that one
// less does: what is changed there may be a word that matters less.
func (s *Source) count(q *query, seeds []seed) []vote {
	var table [1024]uint8 // by place, the seeds that point there
	slot := func(at, off int) int { return (at>>slotBits + off) & (len(table) - 1) }
	most := 0
	for i, x := range seeds {
		for _, p := range x.places {
			b := slot(int(p)-x.at, 0)
			table[b] |= 1 << i
		}
	}
	both := func(at int) int { // a place near the end of its slot may have its other seeds in the next
		off := 1
		if at&(1<<slotBits-1) < 1<<(slotBits-1) {
			off = -1
		}
		return bits.OnesCount8(table[slot(at, 0)] | table[slot(at, off)])
	}
	for _, x := range seeds {
		for _, p := range x.places {
			most = max(most, both(int(p)-x.at))
		}
	}
	least := most - 1
	if most <= 2 {
		least = 1
	}
	var out []vote
	var seen [1024]int // the last place taken in a slot, from the quote's length before the source, and one
	for _, x := range seeds {
		for _, p := range x.places {
			at := int(p) - x.at
			n, mark := both(at), at+len(q.tokens)+1
			if n < least || seen[slot(at, 0)] == mark {
				continue
			}
			seen[slot(at, 0)] = mark
			if out = append(out, vote{at, n, s.merit(q, at)}); len(out) == maxWindows {
				return out
			}
		}
	}
	return out
}

// merit counts the words of the quote that stand in the source at their place,
// or one beside it.
func (s *Source) merit(q *query, at int) int {
	n := 0
	for i, t := range q.tokens {
		k := at + i
		switch {
		case k >= 0 && k < len(s.tokens) && s.tokens[k].same(t),
			k+1 >= 0 && k+1 < len(s.tokens) && s.tokens[k+1].same(t),
			k-1 >= 0 && k-1 < len(s.tokens) && s.tokens[k-1].same(t):
			n++
		}
	}
	return n
}
