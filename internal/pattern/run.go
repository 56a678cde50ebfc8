package pattern

import (
	"strings"

	"slices"

	"github.com/speckl/speckl/internal/clause"
)

// runner is the backtracking run of one program over one sentence. visited
// keeps it linear in code × tokens for each start: a state that failed once
// fails again.
type runner struct {
	*scan
	p       *program
	slots   []Slot
	visited bits
	end     int
	past    bool
	words   int // literal words of the match
}

// compound reports whether the match ends inside a compound noun: "state"
// in "state machine".
func (r *runner) compound() bool {
	if r.end >= r.to {
		return false
	}
	t := r.tok(r.end)
	return t.Kind == clause.Word && t.Class == 0 && !r.m.verbs[t.Hash]
}

// taken copies the slots that the match filled.
func (r *runner) taken() []Slot {
	var out []Slot
	for _, s := range r.slots {
		if s.To > s.From {
			out = append(out, s)
		}
	}
	return out
}

func (r *runner) match(pc, at int) bool {
	key := pc*(r.to-r.from+1) + at - r.from
	if r.visited.has(key) {
		return false
	}
	r.visited.set(key)
	in := &r.p.code[pc]
	switch in.op {
	case iMatch:
		r.end = at
		return at > r.from
	case iJump:
		return r.match(in.x, at)
	case iSplit:
		return r.match(in.x, at) || r.match(in.y, at)
	case iBound:
		return r.bound(pc, at)
	case iEnd:
		return r.phraseEnds(at) && r.match(pc+1, at)
	case iLiteral:
		return r.literal(in.lit, pc, at, false)
	}
	return r.slot(in, pc, at)
}

// skip returns the token after one that may stand between two items: an
// adverb, or parentheses with what they hold; else at.
func (r *runner) skip(at int) int {
	if at >= r.to {
		return at
	}
	switch t := &r.text.Tokens[at]; {
	case t.Class&clause.Adv != 0 && !isThen(*t):
		return at + 1
	case t.Kind == clause.Punct:
		return r.parenthesis(at, r.to)
	}
	return at
}

// isProper reports whether token i is a cue noun that stands in a proper
// name, and so is none: "the United States".
func (r *runner) isProper(i int) bool {
	t := r.tok(i)
	if t.Shape&(clause.Capital|clause.Upper) != clause.Capital || i == r.start || i == r.from || !r.m.cue[t.Hash] {
		return false
	}
	return r.tok(i-1).Shape&clause.Capital != 0 && strings.HasSuffix(t.Of(r.text.Content), "s")
}

func (r *runner) literal(lit *literal, pc, at int, aux bool) bool {
	if at >= r.to {
		return false
	}
	t := r.tok(at)
	if r.isProper(at) {
		return false
	}
	for _, seq := range lit.at(t.Hash) {
		if end, ok := r.sequence(seq.rest, at+1); ok {
			past := r.past
			if lit.verb && seq.past && !aux && !r.passive(at) {
				r.past = true
			}
			if r.match(pc+1, end) {
				r.words += 1 + len(seq.rest)
				return true
			}
			r.past = past
		}
	}
	if next := r.skip(at); next > at && r.literal(lit, pc, next, aux) {
		return true
	}
	if lit.verb && t.Class&clause.Aux != 0 && t.Class&clause.Neg == 0 {
		return r.literal(lit, pc, at+1, t.Class&clause.AuxPast == 0 || aux)
	}
	if lit.verb && aux && t.Hash == hashTo {
		return r.literal(lit, pc, at+1, aux)
	}
	return false
}

// passive reports whether a participle at token i stands for a passive: after
// an auxiliary that is no past tense itself, or after the word that opens a
// condition ("if begun in", "once moved to").
func (r *runner) passive(i int) bool {
	if i == r.from {
		return false
	}
	before := r.tok(i - 1).Class
	return before&clause.Cond != 0 || before&clause.Aux != 0 && before&clause.AuxPast == 0
}

var hashTo = clause.Hash("to")

func (r *runner) sequence(rest []uint64, at int) (int, bool) {
	for _, w := range rest {
		if at >= r.to || r.tok(at).Hash != w {
			return 0, false
		}
		at++
	}
	return at, true
}

// bound matches the bound of a clause: marks, or the place before "then".
func (r *runner) bound(pc, at int) bool {
	next := at
	for next < r.to && r.isBound(next) && r.tok(next).Kind != clause.Arrow && !r.isPunct(next, "(") {
		next++
	}
	if next == at && (at >= r.to || !isThen(r.tok(at))) {
		return false
	}
	return r.match(pc+1, next)
}

// slot tries the ways in which a slot can take tokens, the best first.
func (r *runner) slot(in *instr, pc, at int) bool {
	if at >= r.to {
		return false
	}
	take := func(from, end int, parts []Part, pronoun bool) bool {
		old := r.slots[in.slot]
		r.slots[in.slot] = Slot{Name: in.name, Kind: in.kind, From: from, To: end, Parts: parts, Pronoun: pronoun}
		if r.match(pc+1, end) {
			return true
		}
		r.slots[in.slot] = old
		return false
	}
	one := func(from, end int) bool {
		return take(from, end, []Part{{Span: r.span(from, end), Marked: r.marked(from)}}, false)
	}
	switch in.kind {
	case SlotWord:
		return r.tok(at).Kind == clause.Word && one(at, at+1)
	case SlotQuoted:
		return (r.tok(at).Kind == clause.Quoted || r.tok(at).Kind == clause.Code) && one(at, at+1)
	case SlotName:
		return r.shrinking(r.named, at, take)
	case SlotChoice, SlotNames, SlotList:
		return r.several(in.kind, at, take)
	case SlotNoun:
		return r.shrinking(r.name, at, take)
	case SlotSubject:
		if r.tok(at).Class&clause.Pron != 0 && take(at, at+1, nil, true) {
			return true
		}
		return r.shrinking(r.name, at, take)
	case SlotClause:
		return r.clause(pc, at, one)
	case SlotVerb:
		from, ends := r.verb(at)
		return slices.ContainsFunc(ends, func(end int) bool { return one(from, end) })
	case SlotQuantity:
		ends := r.measure(at)
		return slices.ContainsFunc(ends, func(end int) bool { return one(at, end) })
	case SlotAction:
		end := r.action(at)
		return end > at && (r.beforeLiteral(pc, at, end, one) || one(at, end))
	}
	end := r.quantity(in.kind, at)
	return end > at && one(at, end)
}

// shrinking tries a name at its longest first.
func (r *runner) shrinking(read func(i, limit int) (int, Part), at int, take func(from, end int, parts []Part, pronoun bool) bool) bool {
	for limit := r.to; limit > at; {
		end, part := read(at, limit)
		if end <= at {
			return false
		}
		if take(at, end, []Part{part}, false) {
			return true
		}
		limit = end - 1
	}
	return false
}

// several tries joined names, at their longest first; the last name may
// leave its cue noun to what follows.
func (r *runner) several(kind SlotKind, at int, take func(from, end int, parts []Part, pronoun bool) bool) bool {
	for limit := r.to; limit > at; {
		end, parts := r.names(at, limit)
		if end <= at || kind == SlotChoice && len(parts) < 2 {
			return false
		}
		if kind == SlotList && len(parts) > 1 && !r.listed(parts, at, end) {
			limit = end - 1
			continue
		}
		if take(at, end, parts, false) {
			return true
		}
		limit = end - 1
	}
	return false
}

// clause tries the bounds after a clause, nearest first; where a literal
// follows, also the places before it.
func (r *runner) clause(pc, at int, one func(from, end int) bool) bool {
	if r.isBound(at) {
		return false
	}
	if r.beforeLiteral(pc, at, r.to, one) {
		return true
	}
	bounds := append([]int(nil), r.bounds(at)...)
	for _, end := range bounds {
		if end > at && one(at, end) {
			return true
		}
	}
	return false
}

// beforeLiteral tries the ends, up to a limit, at which a literal that may
// come next stands.
func (r *runner) beforeLiteral(pc, at, limit int, one func(from, end int) bool) bool {
	next := r.p.literalsAt(pc+1, nil)
	for j := at + 1; j < limit; j++ {
		for _, lit := range next {
			if len(lit.at(r.tok(j).Hash)) > 0 && one(at, j) {
				return true
			}
		}
	}
	return false
}
