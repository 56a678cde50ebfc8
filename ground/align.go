package ground

// The costs of an alignment, for a word of a closed class and for others. A
// word for another costs less than leaving one out and putting one in; a word
// of the quote that the source lacks costs more than two that it has besides.
const (
	closedCost = 3
	openCost   = 6
	otherCost  = 1 // on top, for a word for another
	insertCost = 7 // on top, for an open word that only the quote has
	nearCost   = 2 // for a slip of the keys
	infinite   = 1 << 28
)

// The operations of an alignment.
const (
	opMatch   = iota + 1
	opNear    // the same word with a slip of the keys
	opReplace // one word for another
	opInsert  // only the quote has it
	opDelete  // only the source has it
)

// op lays unit q of the quote against unit s of the source.
type op struct {
	kind uint8
	s, q int
}

// aligner lays one quote against places of a source. It keeps its buffers.
type aligner struct {
	s     *Source
	c     *context
	query *query
	q     []unit // of the quote
	// of the place that is looked at
	part int
	text string
	at   int    // the window's first token
	to   int    // its last one, and one more
	base int    // its first unit
	u    []unit // its units
	cost []int32
	way  []uint8
	ops  []op
}

func newAligner(s *Source, q *query) *aligner {
	c := s.context()
	a := &aligner{s: s, c: c, query: q, q: c.makeUnits(nil, q.text, q.tokens, nil)}
	a.respell()
	return a
}

// look turns to the tokens around at; false where there are none.
func (a *aligner) look(at int) bool {
	n := len(a.query.tokens)
	wide := slack(n)
	mid := min(max(at+n/2, 0), len(a.s.tokens)-1)
	a.part = a.s.partOf(mid)
	from, to := a.s.bounds(a.part)
	a.at, a.to = max(from, at-wide), min(to, at+n+wide+2)
	if a.at >= a.to {
		return false
	}
	a.text = a.s.parts[a.part].Text
	a.base = int(a.c.unitAt[a.at])
	a.u = a.c.units[a.base:a.c.unitAt[a.to]]
	return true
}

// align lays the quote against the tokens around at, and reports whether
// anything of it stands there. The least cost wins; what stands before and
// after in the source costs nothing. Only a band around the diagonal that
// begins at the token is looked at, so that the cost is linear in the quote.
func (a *aligner) align(at int) bool {
	if !a.look(at) {
		return false
	}
	off := -slack(len(a.query.tokens))
	if at >= a.at && at < a.to {
		off = int(a.c.unitAt[at]) - a.base
	}
	b := band{off, slack(len(a.query.tokens)) + 4}
	a.fill(b)
	return a.trace(b)
}

// band is the columns of the table that are looked at: those at most wide from
// the diagonal that begins at column off.
type band struct{ off, wide int }

// of returns the columns [lo, hi] of row i, of columns 0 to m.
func (b band) of(i, m int) (lo, hi int) {
	return max(0, i+b.off-b.wide), min(m, i+b.off+b.wide)
}

// fill computes the table: row i for i units of the quote, column j for j
// units of the source, in a band.
func (a *aligner) fill(b band) {
	n, m := len(a.q), len(a.u)
	a.cost = grow(a.cost, (n+1)*(m+1))
	a.way = grow(a.way, (n+1)*(m+1))
	lastLo, lastHi := 0, m
	for j := 0; j <= m; j++ {
		a.cost[j], a.way[j] = 0, 0
	}
	for i := 1; i <= n; i++ {
		row, above := i*(m+1), (i-1)*(m+1)
		lo, hi := b.of(i, m)
		qu := &a.q[i-1]
		insert := weight(qu) + 1
		if qu.content() {
			insert = openCost + insertCost
		}
		for j := lo; j <= hi; j++ {
			best, way := int32(infinite), uint8(0)
			if j >= lastLo && j <= lastHi {
				best, way = a.cost[above+j]+insert, opInsert
			}
			if j > 0 {
				su := &a.u[j-1]
				if j-1 >= lastLo && j-1 <= lastHi {
					pair, kind := a.pair(su, qu)
					if c := a.cost[above+j-1] + pair; c <= best {
						best, way = c, kind
					}
				}
				if j > lo {
					if c := a.cost[row+j-1] + weight(su); c < best {
						best, way = c, opDelete
					}
				}
			}
			a.cost[row+j], a.way[row+j] = min(best, infinite), way
		}
		lastLo, lastHi = lo, hi
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/2)
	}
	return s[:n]
}

// weight is what leaving a unit out costs.
func weight(u *unit) int32 {
	if u.class&tolerated != 0 && u.class&(cNegation|cHedge|cNumber) == 0 {
		return closedCost
	}
	return openCost
}

// pair is what it costs to lay two units against each other.
func (a *aligner) pair(su, qu *unit) (int32, uint8) {
	switch {
	case su.same(qu):
		return 0, opMatch
	case qu.class&^ordinary == 0 && a.near(su, qu):
		return nearCost, opNear
	}
	if qu.content() {
		return openCost + insertCost + otherCost, opReplace
	}
	return max(weight(su), weight(qu)) + otherCost, opReplace
}

// trace follows the cheapest way back, and leaves its operations in a.ops.
func (a *aligner) trace(b band) bool {
	n, m := len(a.q), len(a.u)
	row := n * (m + 1)
	end := -1
	lo, hi := b.of(n, m)
	for j := lo; j <= hi; j++ {
		if end < 0 || a.cost[row+j] < a.cost[row+end] {
			end = j
		}
	}
	if end < 0 || a.cost[row+end] >= infinite {
		return false
	}
	a.ops = a.ops[:0]
	for i, j := n, end; i > 0; {
		kind := a.way[i*(m+1)+j]
		switch kind {
		case opInsert:
			i--
			a.ops = append(a.ops, op{kind, -1, i})
		case opDelete:
			j--
			a.ops = append(a.ops, op{kind, j, -1})
		case opMatch, opNear, opReplace:
			i, j = i-1, j-1
			a.ops = append(a.ops, op{kind, j, i})
		default:
			return false
		}
	}
	reverse(a.ops)
	return a.trim()
}

func reverse(ops []op) {
	for i, j := 0, len(ops)-1; i < j; i, j = i+1, j-1 {
		ops[i], ops[j] = ops[j], ops[i]
	}
}

// trim makes the span end where the quote does: words of the source before
// the first and after the last that agree are not said by it.
func (a *aligner) trim() bool {
	first, last := -1, -1
	for i, o := range a.ops {
		if o.kind == opMatch || o.kind == opNear {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return false
	}
	out := a.ops[:0]
	for i, o := range a.ops {
		if i < first || i > last {
			if o.kind == opDelete {
				continue
			}
			o = op{opInsert, -1, o.q}
		}
		out = append(out, o)
	}
	a.ops = out
	a.close()
	return true
}

// close lays the last word of the quote against the next one of the source
// where the mark that ends the quote follows it there, too: it is then meant.
func (a *aligner) close() {
	n := len(a.ops)
	if len(a.query.tail) == 0 || n == 0 || a.ops[n-1].kind != opInsert || n < 2 || a.ops[n-2].s < 0 {
		return
	}
	next := a.ops[n-2].s + 1
	if next >= len(a.u) {
		return
	}
	end := int(a.u[next].end)
	if _, whole := matchAfter(a.text, end, len(a.text), a.query.tail); whole {
		a.ops[n-1] = op{opReplace, next, a.ops[n-1].q}
	}
}

// ends are the first and the last unit of the source that the span takes.
func (a *aligner) ends() (first, last int) {
	first = -1
	for _, o := range a.ops {
		if o.s >= 0 && o.kind != opInsert {
			if first < 0 {
				first = o.s
			}
			last = o.s
		}
	}
	return first, last
}
