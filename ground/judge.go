package ground

import (
	"strings"

	"github.com/speckl/speckl/sir"
)

// verdict is what an alignment is worth.
type verdict struct {
	kind  Kind
	cost  int
	span  sir.Span
	score sir.Confidence
	edits []Edit // only if asked for
}

const (
	// minShare is how much of a quote must stand in the source for the quote
	// to be about it, in percent of its words.
	minShare = 60
	// alteredCost is added for each edit that alters.
	alteredCost = 100
)

// judge says what the alignment in a.ops is worth. Edits are listed if wanted.
func (a *aligner) judge(list bool) verdict {
	j := judgement{aligner: a, list: list}
	for i := 0; i < len(a.ops); {
		if a.ops[i].kind == opMatch {
			j.step = i
			j.match(a.ops[i])
			i++
			continue
		}
		end := i
		for end < len(a.ops) && a.ops[end].kind != opMatch {
			end++
		}
		j.run(i, end)
		i = end
	}
	return j.verdict()
}

// judgement is the state of a judge.
type judgement struct {
	*aligner
	list    bool
	changes []change
	step    int // the operation that is judged
	cost    int
	matched int // units of the quote that stand there
	content int // and those that are more than function words
	added   int // units that may be added: fillers, repetitions
	altered int
	lost    int // content words of the source that the quote has not
	dropped int // any words of the source that it has not
}

// match counts a unit that stands in both. One that is written otherwise
// ("gonna", "2") is an edit all the same.
func (j *judgement) match(o op) {
	j.matched++
	q, s := &j.q[o.q], &j.u[o.s]
	if q.weighty() {
		j.content++
	}
	if q.plain && s.plain {
		return
	}
	if said, given := s.of(j.text), q.of(j.query.text); !strings.EqualFold(said, given) && hashOf(said) != hashOf(given) {
		if !q.inner && !s.inner {
			j.cost++
		}
		j.edit(s, q, "")
	}
}

// run judges the operations [from, to), which lie between two matches.
func (j *judgement) run(from, to int) {
	for i := from; i < to; i++ {
		o := j.ops[i]
		j.step = i
		switch o.kind {
		case opNear:
			j.matched++
			j.content++
			j.cost += nearCost
			j.edit(&j.u[o.s], &j.q[o.q], "")
		case opReplace:
			j.replace(o)
		case opInsert:
			n := j.repeated(i, to)
			if n > 0 {
				j.added += n
				j.cost += n
				for ; n > 0; n, i = n-1, i+1 {
					j.step = i
					j.edit(nil, &j.q[j.ops[i].q], "")
				}
				i--
				continue
			}
			j.insert(o, j.outside(i, from, to))
		case opDelete:
			if n := j.stutter(i, to); n > 0 {
				j.cost += n
				for ; n > 0; n, i = n-1, i+1 {
					j.step = i
					j.edit(&j.u[j.ops[i].s], nil, "")
				}
				i--
				continue
			}
			j.delete(o)
		}
	}
}

func (j *judgement) replace(o op) {
	s, q := &j.u[o.s], &j.q[o.q]
	why := s.critical()
	if why == "" {
		why = q.critical()
	}
	switch {
	case why != "":
	case j.isName(s) || j.nameInQuote(o.q):
		why = "name"
	case j.c.speech.opposed(s.hash, q.hash):
		why = contrastName(s, q)
	case q.class&tolerated == 0:
		why = "content"
	case s.amount && s.content():
		why = "unit" // what is counted
	}
	j.cost += int(max(weight(s), weight(q))) + otherCost
	if s.content() {
		j.lost++
		j.dropped++
	}
	j.edit(s, q, why)
}

// contrastName says what a pair of opposed words is about.
func contrastName(s, q *unit) string {
	if s.class&q.class&cModal != 0 {
		return "modal"
	}
	return "contrast"
}

// outside returns the unit of the source that an operation in [from, to), at
// an end of the quote, would be laid against if the span were longer; nil for
// operations inside.
func (j *judgement) outside(i, from, to int) *unit {
	first, last := j.ends()
	at := -1
	switch {
	case from == 0:
		at = first - (to - i)
	case to == len(j.ops):
		at = last + 1 + i - from
	}
	if at < 0 || at >= len(j.u) {
		return nil
	}
	return &j.u[at]
}

// insert judges a word that only the quote has; instead is the word of the
// source that it may stand for at the quote's end.
func (j *judgement) insert(o op, instead *unit) {
	q := &j.q[o.q]
	why := q.critical()
	switch {
	case why != "":
	case j.nameInQuote(o.q):
		why = "name"
	case q.class&tolerated == 0:
		why = "content"
	case instead == nil:
	case j.besideNegation():
		why = "negation"
	case j.c.speech.opposed(instead.hash, q.hash):
		why = contrastName(instead, q)
	}
	if q.class&cFiller != 0 {
		j.added++
	}
	j.cost += int(weight(q))
	j.edit(nil, q, why)
}

// besideNegation reports whether a negation stands right before or after the
// span, in its clause: words at the quote's end may stand in its place.
func (j *judgement) besideNegation() bool {
	first, last := j.ends()
	for i := first - 1; i >= max(0, first-edgeReach) && j.unbroken(i); i-- {
		if j.u[i].class&cNegation != 0 {
			return true
		}
	}
	for i := last + 1; i < min(len(j.u), last+1+edgeReach) && j.unbroken(i-1); i++ {
		if j.u[i].class&cNegation != 0 {
			return true
		}
	}
	return false
}

// edgeReach is how far from the span a negation counts.
const edgeReach = 2

// unbroken reports whether no mark stands between unit i and the next.
func (j *judgement) unbroken(i int) bool {
	from, to := int(j.u[i].end), int(j.u[i+1].start)
	var buf [4]rune
	return from >= to || len(marks(buf[:0], j.text, from, to)) == 0
}

func (j *judgement) delete(o op) {
	s := &j.u[o.s]
	why := s.critical()
	if why == "" && j.isName(s) {
		why = "name"
	}
	j.cost += int(weight(s))
	j.dropped++
	if s.content() {
		j.lost++
	}
	j.edit(s, nil, why)
}

// repeated returns how many inserted units from operation i on repeat what
// stands right before or after them in the quote: a stutter. A repeated
// negation or number is none.
func (j *judgement) repeated(i, to int) int {
	end := i
	for end < to && j.ops[end].kind == opInsert && j.q[j.ops[end].q].class&(cNegation|cNumber) == 0 {
		end++
	}
	at := j.ops[i].q
	for n := end - i; n > 0; n-- {
		if at >= n && sameUnits(j.q[at-n:at], j.q[at:at+n]) || at+2*n <= len(j.q) && sameUnits(j.q[at:at+n], j.q[at+n:at+2*n]) {
			return n
		}
	}
	return 0
}

// stutter is repeated for units that only the source has.
func (j *judgement) stutter(i, to int) int {
	end := i
	for end < to && j.ops[end].kind == opDelete && j.u[j.ops[end].s].class&cNumber == 0 {
		end++
	}
	at := j.ops[i].s
	for n := end - i; n > 0; n-- {
		if at >= n && sameUnits(j.u[at-n:at], j.u[at:at+n]) || at+2*n <= len(j.u) && sameUnits(j.u[at:at+n], j.u[at+n:at+2*n]) {
			return n
		}
	}
	return 0
}

func sameUnits(a, b []unit) bool {
	for i := range a {
		if !a[i].same(&b[i]) {
			return false
		}
	}
	return true
}

// isName reports whether a word of the source is a name: a capital letter
// inside a sentence, or a word that has one elsewhere.
func (a *aligner) isName(u *unit) bool {
	if u.is(isChar) || !u.is(isCapital) || u.class&^ordinary != 0 {
		return false
	}
	return a.c.names[u.hash] || !u.is(isFirst) && !a.c.nouns
}

// nameInQuote is isName for the quote.
func (a *aligner) nameInQuote(i int) bool {
	u := &a.q[i]
	if u.class&^ordinary != 0 {
		return false
	}
	return a.c.names[u.hash] && !u.is(isChar) || u.is(isCapital) && !u.is(isFirst) && !a.c.nouns
}

// verdict sums up.
func (j *judgement) verdict() verdict {
	words := len(j.q) - j.added
	if words <= 0 || j.matched*100 < minShare*words || j.matched < min(2, words) || j.content == 0 && hasWeighty(j.q) {
		return verdict{kind: None}
	}
	first, last := j.ends()
	from, to := j.tokensOf(first, last)
	j.step = len(j.ops)
	if why := j.s.cuts(j.part, from, to); why != "" {
		j.edit(j.cutOff(from, to), nil, why)
	}
	v := verdict{kind: Approximate, span: j.span(from, to)}
	if most := max(1, (words+2)/3); j.altered == 0 && (j.lost > most || j.dropped > max(3, j.matched/2)) {
		j.altered++ // too much was left out
		if n := len(j.changes); n > 0 {
			j.changes[n-1].why = "content"
		}
	}
	v.edits = j.edits()
	if j.asked(v.span.End, to) {
		j.altered++
		if j.list {
			v.edits = append(v.edits, Edit{Op: "replace", Source: "?", Quote: string(j.query.tail), Why: "question"})
		}
	}
	v.cost = j.cost
	if j.altered > 0 {
		v.kind = Altered
		v.cost += alteredCost * j.altered
	}
	v.score = scoreOf(j.cost+closedCost*j.altered, len(j.q))
	return v
}

func hasWeighty(us []unit) bool {
	for i := range us {
		if us[i].weighty() {
			return true
		}
	}
	return false
}

// scoreOf is the share of the quote that was not edited.
func scoreOf(cost, words int) sir.Confidence {
	whole := openCost * words
	return max(sir.Certain*sir.Confidence(whole)/sir.Confidence(whole+cost), 1)
}

// tokensOf are the tokens that units first to last are made of.
func (j *judgement) tokensOf(first, last int) (from, to int) {
	start, end := j.u[first].start, j.u[last].end
	if last > first { // a currency sign may stand before its number
		for i := first; i <= last; i++ {
			start, end = min(start, j.u[i].start), max(end, j.u[i].end)
		}
	}
	from = j.at
	for j.s.tokens[from].start < start {
		from++
	}
	to = from
	for to < j.to && j.s.tokens[to].end <= end {
		to++
	}
	return from, to
}
