package ground

import (
	"slices"
	"unicode/utf8"
)

const (
	// maxAligned bounds the places that a quote is aligned with, maxDoomed
	// those where it cannot be accepted anyway.
	maxAligned = 24
	maxDoomed  = 3
)

// approximate compares the quote with the likeliest places.
func (s *Source) approximate(q *query) ([]hit, *aligner) {
	votes := s.candidates(q)
	if len(votes) == 0 {
		return nil, nil
	}
	a := newAligner(s, q)
	left, doomed := maxAligned, a.doomed()
	if doomed {
		left = maxDoomed
	}
	var hits []hit
	var p pattern
	enough := 0
	for _, v := range votes {
		if v.merit < enough || doomed && left == 0 {
			break // more is changed here
		}
		if !a.follow(&p, v.at) {
			if left == 0 {
				continue
			}
			left--
			if !a.align(v.at) {
				continue
			}
			p.take(a, v.at)
		}
		if got := a.judge(false); got.kind != None {
			if got.kind == Approximate && enough == 0 {
				enough = v.merit
			}
			hits = append(hits, hit{Place: Place{a.part, got.span}, kind: got.kind, cost: got.cost, at: v.at})
		}
	}
	slices.SortStableFunc(hits, func(x, y hit) int { return comparePlaces(x.Place, y.Place) })
	hits = slices.CompactFunc(hits, func(x, y hit) bool { return x.Place == y.Place })
	return hits, a
}

// pattern is an alignment with one edit: at other places where the same words
// agree no other alignment can be better, and none need be looked for. Texts
// that repeat themselves have many such places.
type pattern struct {
	at  int // the unit of the source that belongs to the vote
	ops []op
}

// take remembers the alignment of a vote for a token, if it has one edit.
func (p *pattern) take(a *aligner, at int) {
	edits := 0
	for _, o := range a.ops {
		switch o.kind {
		case opMatch:
		case opNear:
			return
		default:
			edits++
		}
	}
	if edits != 1 || at < 0 || at >= len(a.s.tokens) {
		return
	}
	p.at = int(a.c.unitAt[at])
	p.ops = append(p.ops[:0], a.ops...)
	for i := range p.ops {
		p.ops[i].s += a.base // where it is -1, it is not looked at
	}
}

// follow lays the quote against another place as the pattern has it; false
// where the words there are others.
func (a *aligner) follow(p *pattern, at int) bool {
	if len(p.ops) == 0 || at < 0 || at >= len(a.s.tokens) || !a.look(at) {
		return false
	}
	off := int(a.c.unitAt[at]) - p.at - a.base
	a.ops = a.ops[:0]
	for _, o := range p.ops {
		if o.kind == opInsert {
			a.ops = append(a.ops, op{opInsert, -1, o.q})
			continue
		}
		o.s += off
		if o.s < 0 || o.s >= len(a.u) || o.kind == opMatch && !a.u[o.s].same(&a.q[o.q]) {
			return false
		}
		a.ops = append(a.ops, o)
	}
	return true
}

// doomed reports whether the quote has a word, a number or a name that the
// source lacks altogether, also with a slip: it is altered at best.
func (a *aligner) doomed() bool {
	for i := range a.q {
		if u := &a.q[i]; u.weighty() && !a.known(u) && !a.slipped(u) {
			return true
		}
	}
	return false
}

// known reports whether the source has a unit.
func (a *aligner) known(u *unit) bool { return a.c.others[u.hash] || a.s.has(u.hash) }

// respell writes words of the quote as the source has them: "threadsafe" as
// the two words of "thread-safe", "e mail" as "email".
func (a *aligner) respell() {
	for i := 0; i < len(a.q); i++ {
		u := a.q[i]
		if u.inner || u.class&(cNumber|cNegation|cCurrency) != 0 || u.is(isChar|isSymbol) || a.known(&u) {
			continue
		}
		if i+1 < len(a.q) && a.merge(i) || i > 0 && a.merge(i-1) {
			continue
		}
		a.split(i)
	}
}

// merge makes units i and the next one, if the source has them as one word.
func (a *aligner) merge(i int) bool {
	u, next := a.q[i], a.q[i+1]
	if next.class&(cNumber|cNegation|cCurrency) != 0 {
		return false
	}
	h := hashFolded(folded(a.query.text, a.q[i:i+2]))
	if !a.s.has(h) {
		return false
	}
	u.hash, u.class, u.plain, u.end = h, a.c.classOf(h), false, next.end
	a.q[i] = u
	a.q = slices.Delete(a.q, i+1, i+2)
	return true
}

// maxSplit bounds the words that are tried in two.
const maxSplit = 40

// split makes two units of unit i, if the source has both words.
func (a *aligner) split(i int) {
	word := folded(a.query.text, a.q[i:i+1])
	for cut := 1; cut < min(len(word), maxSplit); cut++ {
		x, y := hashFolded(word[:cut]), hashFolded(word[cut:])
		if a.s.has(x) && a.s.has(y) && a.s.inARow(x, y) {
			both := a.c.shortUnits(nil, a.q[i], []uint64{x, y})
			a.q = slices.Replace(a.q, i, i+1, both...)
			return
		}
	}
}

// inARow reports whether the source has two words in a row.
func (s *Source) inARow(x, y uint64) bool {
	a, b := token{key: makeKey(x, 0)}, token{key: makeKey(y, 0)}
	for _, p := range s.pairs.of(pairKey(a, b)) {
		if s.tokens[p].same(a) && s.tokens[p+1].same(b) {
			return true
		}
	}
	return false
}

// slipped reports whether the source has a word that the unit may be a slip
// of.
func (a *aligner) slipped(u *unit) bool {
	if u.class&^ordinary != 0 || !u.plain || u.is(isNumber|isChar|isSymbol) {
		return false
	}
	word := u.of(a.query.text)
	return word[0] >= utf8.RuneSelf || a.c.like(word) != "" // an accent may stand on the first letter
}

// like returns a word of the source that a word may be a slip of; "" for none.
func (c *context) like(word string) string {
	var buf [64]byte
	folded := foldWord(buf[:0], word)
	if len(folded) == 0 {
		return ""
	}
	for _, w := range c.long[folded[0]] {
		if c.likeness([]byte(w), folded) != unlike {
			return w
		}
	}
	return ""
}
