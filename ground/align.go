package ground

import "slices"

const (
	// mostWords bounds the words of a quote that is compared word by word.
	mostWords = 20000
	// mostVotes bounds how many places the pairs of words of a quote are
	// looked up at, mostWindows how many stretches of the source are
	// compared with it.
	mostVotes   = 4000
	mostWindows = 12
)

// The costs of an alignment. A replacement costs less than an insertion and a
// deletion, a slip of the keys less than another word, and a word of the
// quote is given up last.
const (
	costReplace = 14
	costTypo    = 7
	costExtra   = 5  // a word that the source alone has
	costInsert  = 13 // one that the quote alone has: more than two of the source's
)

// byWords looks for a quote word by word.
func (s *Source) byWords(q Quote, after Place) Match {
	x := s.words
	quote := tokens(q.Text, nil)
	if len(quote) == 0 || len(quote) > mostWords {
		return Match{Kind: None}
	}
	ids := make([]int32, len(quote))
	for i := range quote {
		ids[i] = x.ids.find(quote[i].hash)
	}
	if m, ok := s.sameWords(q, quote, ids, after); ok {
		return m
	}
	best, tied := s.nearest(q, quote, ids)
	if best == nil {
		return Match{Kind: None}
	}
	m := best.judge()
	if m.Kind != None && len(tied) > 1 {
		var places []Place
		for _, t := range tied {
			places = append(places, t.place())
		}
		return s.choose(m, places, q.Hint, after)
	}
	return m
}

// sameWords finds the places where the very words of a quote stand in a row.
// The text between them may differ: that makes it approximate.
func (s *Source) sameWords(q Quote, quote []token, ids []int32, after Place) (Match, bool) {
	x := s.words
	rare := 0
	for i, id := range ids {
		if id < 0 {
			return Match{}, false
		}
		if len(x.places(id)) < len(x.places(ids[rare])) {
			rare = i
		}
	}
	var places []Place
	edits := map[Place][]Edit{}
	folded := foldText(q.Text)
	normalized := 0
	for _, at := range x.places(ids[rare]) {
		start := int(at) - rare
		if start < 0 || start+len(ids) > len(x.id) || !slices.Equal(x.id[start:start+len(ids)], ids) {
			continue
		}
		part, from, to := x.partOf(start)
		if start < from || start+len(ids) > to {
			continue
		}
		a := &alignment{x: x, text: q.Text, quote: quote, part: part, start: start, end: start + len(ids)}
		p := a.place()
		if places = append(places, p); foldText(p.Span.Of(x.parts[part].Text)) == folded {
			normalized++
		} else {
			edits[p] = a.marksBetween()
		}
		if len(places) > MostOthers {
			break
		}
	}
	switch {
	case len(places) == 0:
		return Match{}, false
	case normalized > 0: // those that differ are no rivals
		places = slices.DeleteFunc(places, func(p Place) bool { return edits[p] != nil })
		return s.choose(Match{Kind: Normalized, Score: 1}, places, q.Hint, after), true
	}
	m := s.choose(Match{Kind: Approximate}, places, q.Hint, after)
	m.Edits = edits[m.Place]
	m.Score = score(len(m.Edits), len(quote), costExtra/3)
	return m, true
}

// window is a stretch of the source where words of the quote stand at about
// the distances that they have in it.
type window struct {
	start int // the token that would be the quote's first
	votes int
}

// nearest finds the stretch of the source that is most like a quote, and all
// those that are as much so.
func (s *Source) nearest(q Quote, quote []token, ids []int32) (best *alignment, tied []*alignment) {
	x := s.words
	for _, w := range x.windows(ids) {
		part, from, to := x.partOf(min(max(w.start, 0), len(x.tokens)-1))
		// a window that begins in the part before
		if mid := w.start + len(ids)/2; mid >= to && mid < len(x.tokens) {
			part, from, to = x.partOf(mid)
		}
		a := x.align(q.Text, quote, ids, part, from, to, w.start)
		if a == nil {
			continue
		}
		switch {
		case best == nil || a.cost < best.cost:
			best, tied = a, []*alignment{a}
		case a.cost == best.cost && !slices.ContainsFunc(tied, func(t *alignment) bool { return t.start == a.start }):
			tied = append(tied, a)
		}
	}
	if len(tied) > 1 {
		for _, t := range tied {
			if part := &s.parts[t.part]; q.Hint.Part != "" && part.ID == q.Hint.Part {
				return t, tied
			}
		}
		slices.SortFunc(tied, func(a, b *alignment) int { return a.start - b.start })
		best = tied[0]
	}
	return best, tied
}

// windows finds where to look: the rarest pairs of neighbours in the quote,
// and its rarest words, vote for the place at which it would begin.
func (x *index) windows(ids []int32) []window {
	type seed struct{ i, n int } // words i and, where n is not 1, i+1
	var seeds []seed
	count := func(i int) int { return len(x.places(ids[i])) }
	for i := range ids {
		if ids[i] < 0 {
			continue
		}
		if i+1 < len(ids) && ids[i+1] >= 0 {
			seeds = append(seeds, seed{i, 2})
		}
		if count(i) <= rareWord {
			seeds = append(seeds, seed{i, 1})
		}
	}
	cost := func(s seed) int {
		if s.n == 2 {
			return min(count(s.i), count(s.i+1))
		}
		return count(s.i)
	}
	slices.SortStableFunc(seeds, func(a, b seed) int { return cost(a) - cost(b) })
	votes := map[int]int{}
	looked := 0
	for k, s := range seeds {
		if looked += cost(s); looked > mostVotes && k > 0 {
			break
		}
		for _, at := range x.seeded(ids, s.i, s.n) {
			votes[at-s.i] += s.n
		}
	}
	return best(votes)
}

// rareWord is how often a word may stand in the source that points by itself
// to a place.
const rareWord = 16

// seeded are the tokens where word i of the quote stands, before the next if
// two are looked for.
func (x *index) seeded(ids []int32, i, n int) []int {
	var out []int
	if n == 1 || len(x.places(ids[i])) <= len(x.places(ids[i+1])) {
		for _, at := range x.places(ids[i]) {
			if n == 1 || int(at)+1 < len(x.id) && x.id[at+1] == ids[i+1] {
				out = append(out, int(at))
			}
		}
		return out
	}
	for _, at := range x.places(ids[i+1]) {
		if at > 0 && x.id[at-1] == ids[i] {
			out = append(out, int(at)-1)
		}
	}
	return out
}

// near is how far apart votes may be that are for one place: words are
// dropped and added between.
const near = 4

// best are the places with the most votes, those near it counted in.
func best(votes map[int]int) []window {
	starts := make([]int, 0, len(votes))
	for at := range votes {
		starts = append(starts, at)
	}
	slices.Sort(starts)
	all := make([]window, 0, len(starts))
	lo := 0
	for i, at := range starts {
		for starts[lo] < at-near {
			lo++
		}
		w := window{start: at}
		for k := lo; k < len(starts) && starts[k] <= at+near; k++ {
			w.votes += votes[starts[k]]
			if k == i {
				w.votes += votes[at] // its own count twice
			}
		}
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b window) int { return b.votes - a.votes })
	var out []window
	for _, w := range all {
		if len(out) == mostWindows {
			break
		}
		if !slices.ContainsFunc(out, func(o window) bool { return o.start-near < w.start && w.start < o.start+near }) {
			out = append(out, w)
		}
	}
	return out
}

// step is one column of an alignment: a word of the source, of the quote, or
// one of each; -1 where there is none.
type step struct{ source, quote int }

// alignment is a quote laid against a stretch of the source.
type alignment struct {
	x          *index
	text       string // of the quote
	quote      []token
	part       int
	start, end int // tokens of the source
	cost       int
	steps      []step
}

// The ways into a cell of the table.
const (
	fromBoth = iota + 1
	fromQuote
	fromSource
)

// align lays the quote against the source from about a token on, at the least
// cost; words before and after the stretch cost nothing. nil where nothing of
// it fits. Only cells near the diagonal are looked at, so that the work is
// linear in the quote.
func (x *index) align(text string, quote []token, ids []int32, part, from, to, at int) *alignment {
	n := len(quote)
	slack := min(4+n/4, 16)
	width := 2*slack + 1
	const far = 1 << 29
	cost := make([]int, (n+1)*width)
	way := make([]uint8, (n+1)*width)
	// cell (i, b): i words of the quote and the source up to at+i+b-slack
	for i := 0; i <= n; i++ {
		for b := range width {
			j := at + i + b - slack
			c := &cost[i*width+b]
			*c = far
			if j < from || j > to {
				continue
			}
			if i == 0 {
				*c = 0
				continue
			}
			if j > from {
				if v := cost[(i-1)*width+b] + x.price(text, quote, ids, part, i-1, j-1); v < *c {
					*c, way[i*width+b] = v, fromBoth
				}
			}
			if b+1 < width {
				if v := cost[(i-1)*width+b+1] + costInsert; v < *c {
					*c, way[i*width+b] = v, fromQuote
				}
			}
			if b > 0 && j > from && i < n {
				if v := cost[i*width+b-1] + costExtra; v < *c {
					*c, way[i*width+b] = v, fromSource
				}
			}
		}
	}
	end, least := -1, far
	for b := range width {
		if c := cost[n*width+b]; c < least {
			end, least = b, c
		}
	}
	if end < 0 {
		return nil
	}
	a := &alignment{x: x, text: text, quote: quote, part: part, cost: least}
	for i, b := n, end; i > 0; {
		j := at + i + b - slack
		switch way[i*width+b] {
		case fromBoth:
			a.steps = append(a.steps, step{j - 1, i - 1})
			i--
		case fromQuote:
			a.steps = append(a.steps, step{-1, i - 1})
			i, b = i-1, b+1
		case fromSource:
			a.steps = append(a.steps, step{j - 1, -1})
			b--
		default:
			return nil
		}
	}
	slices.Reverse(a.steps)
	return a.trimmed()
}

// price is what it costs to lay a word of the quote against one of the
// source.
func (x *index) price(text string, quote []token, ids []int32, part, i, j int) int {
	switch {
	case ids[i] == x.id[j]:
		return 0
	case slip(x.word(part, j), quote[i].of(text)):
		return costTypo
	}
	return costReplace
}
