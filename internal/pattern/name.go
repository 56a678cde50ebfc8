package pattern

import (
	"strings"

	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// isThat reports whether token i is a "that" that opens what is said or
// proposed ("Ben said that idle …", "so that idle …"), not a determiner.
func (s *scan) isThat(i int) bool {
	if i == s.from || s.tok(i).Hash != hashThat {
		return false
	}
	before := s.tok(i - 1)
	return before.Class&clause.Report != 0 || saysThat[before.Hash]
}

var hashThat, hashAs = clause.Hash("that"), clause.Hash("as")

var saysThat = hashes("say", "think", "suggest", "propose", "believe", "guess", "assume", "suppose", "so", "means", "sure", "agree", "agreed")

func hashes(words ...string) map[uint64]bool {
	out := map[uint64]bool{}
	for _, w := range words {
		out[clause.Hash(w)] = true
	}
	return out
}

// maxName is the most tokens of a name.
const maxName = 6

// name reads a name at token i that ends at limit at the latest. It returns
// the end of the tokens it takes, 0 for none, and the value.
func (s *scan) name(i, limit int) (end int, part Part) {
	opened := i
	for i < limit && (s.tok(i).Class&clause.Det != 0 && s.tok(i).Class&clause.Neg == 0 && s.tok(i).Shape&clause.Upper == 0) && i+1 < limit {
		i++
	}
	if i == opened+1 && s.isThat(opened) {
		opened = i
	}
	start := i
	lead := -1
	for i+1 < limit && s.m.hidden[s.tok(i).Hash] && s.tok(i).Kind == clause.Word {
		lead = i
		i++
	}
	if lead >= 0 && (!s.nameWord(i, i) || s.m.finite[s.tok(i).Hash]) {
		i = start // "state" alone, or before a verb
	}
	i = s.quotedAhead(i, limit)
	first := i
	for i < limit && i-first < maxName && s.nameWord(i, first) {
		i++
		if s.m.cue[s.tok(i-1).Hash] && i-first > 1 {
			break
		}
	}
	if i == first {
		return 0, part
	}
	shown, last := first, i
	for last > shown+1 && s.m.hidden[s.tok(last-1).Hash] && s.tok(last-1).Kind == clause.Word {
		last--
	}
	if last == shown+1 && s.m.cue[s.tok(shown).Hash] && s.tok(shown).Kind == clause.Word {
		return 0, part // a cue noun alone names nothing
	}
	part.Marked = lead >= 0 || last < i || s.m.cue[s.tok(last-1).Hash] || s.marked(first) || s.marked(last-1)
	part.Bare = first == opened && last == shown+1 && i == last && s.tok(shown).Kind == clause.Word && (s.tok(shown).Shape&clause.Capital == 0 || shown == s.start)
	part.Span = s.span(shown, last)
	return i, part
}

// cueAt reports whether token i is a cue noun.
func (s *scan) cueAt(i int) bool { return i < s.to && s.m.cue[s.tok(i).Hash] }

// quotedAhead skips a few plain words before a quoted name that a cue noun
// follows: "the transient 'disconnected' state".
func (s *scan) quotedAhead(i, limit int) int {
	for j := i; j < limit && j < i+3; j++ {
		t := s.tok(j)
		if t.Kind == clause.Quoted || t.Kind == clause.Code {
			if j+1 < limit && s.m.cue[s.tok(j+1).Hash] {
				return j
			}
			return i
		}
		if t.Kind != clause.Word || t.Class != 0 || s.m.verbs[t.Hash] {
			return i
		}
	}
	return i
}

// named is a name that could name an element: its last word is none of the
// lexicon's words that never do.
func (s *scan) named(i, limit int) (end int, part Part) {
	end, part = s.name(i, limit)
	cued := s.cueAt(end) || end > i && s.m.cue[s.tok(end-1).Hash]
	for k := end - 1; k >= i; k-- {
		t := s.tok(k)
		if s.m.hidden[t.Hash] {
			continue
		}
		if t.Kind == clause.Word && t.Shape&(clause.Upper|clause.Camel) == 0 && (s.m.notName[t.Hash] || cued && s.m.quality[t.Hash]) {
			return 0, Part{}
		}
		break
	}
	return end, part
}

// span is the displayed text of tokens: without the quotes of a single
// quoted token.
func (s *scan) span(from, to int) sir.Span {
	if to == from+1 {
		start, end := s.tok(from).InnerSpan(s.text.Content)
		return sir.Span{Start: start, End: end}
	}
	return s.text.TokenSpan(from, to)
}

func (s *scan) marked(i int) bool {
	t := s.tok(i)
	return t.Kind == clause.Quoted || t.Kind == clause.Code ||
		t.Shape&(clause.Upper|clause.Camel) != 0 || t.Shape&clause.Capital != 0 && t.Shape&clause.Digits != 0 ||
		t.Shape&clause.Capital != 0 && i > s.start && t.Class == 0 ||
		s.hasUnderscore(t)
}

func (s *scan) hasUnderscore(t clause.Token) bool {
	return t.Kind == clause.Word && t.Shape&clause.Joined != 0 && strings.ContainsRune(t.Of(s.text.Content), '_')
}

// isWhole reports whether a token is a name by itself.
func (s *scan) isWhole(i int) bool {
	t := s.tok(i)
	return t.Kind == clause.Quoted || t.Kind == clause.Code || t.Shape&(clause.Upper|clause.Camel) != 0 || s.hasUnderscore(t)
}

// nameWord reports whether token i can be part of a name that began at
// first.
func (s *scan) nameWord(i, first int) bool {
	if i >= s.to {
		return false
	}
	t := s.tok(i)
	cue := t.Kind == clause.Word && s.m.cue[t.Hash]
	switch t.Kind {
	case clause.Quoted, clause.Code:
		return i == first
	case clause.Number:
		return i > first && !s.isWhole(i-1)
	case clause.Word:
	default:
		return false
	}
	if i == first {
		if i > s.from && s.tok(i-1).Class&clause.Subj1 != 0 && t.Shape&clause.Capital == 0 {
			return false // "I think": a verb
		}
		if i > s.from && s.tok(i-1).Hash == hashTo && s.m.finite[t.Hash] && i+1 < s.to && s.tok(i+1).Class&clause.Det != 0 && t.Shape&clause.Capital == 0 {
			return false // "to enter": an infinitive
		}
		if s.m.finite[t.Hash] && t.Shape&clause.Capital == 0 && i+1 < s.to && (s.tok(i+1).Class&clause.Det != 0 || s.isWhole(i+1) || s.tok(i+1).Kind == clause.Word && s.tok(i+1).Class == 0) {
			return false // "enter the": a verb with its object
		}
		if t.Shape&clause.Upper != 0 || t.Shape&clause.Camel != 0 {
			return true
		}
		if t.Shape&clause.Capital != 0 && i > s.start && t.Class&^(clause.Prep|clause.Adv) == 0 {
			return true // "go to Off"
		}
		if t.Class&^(clause.Prep|clause.Adv) == 0 && i > s.from && s.tok(i-1).Class&clause.Det != 0 && s.cueAt(i+1) {
			return true // "the off state"
		}
		if ordinals[t.Hash] && i > s.from && s.tok(i-1).Class&clause.Det != 0 && s.openWord(i+1) && !s.cueAt(i+1) {
			return true // "a first visit"
		}
		return t.Class&(clause.Det|clause.Prep|clause.Conj|clause.Sub|clause.Aux|clause.Pron|clause.Neg|clause.Adv|clause.Wh) == 0
	}
	if cue {
		return true
	}
	if s.isWhole(first) {
		return t.Shape&clause.Upper != 0 && s.tok(first).Shape&clause.Upper != 0
	}
	if t.Class&(clause.Det|clause.Prep|clause.Conj|clause.Sub|clause.Aux|clause.Pron|clause.Neg|clause.Adv|clause.Wh) != 0 || s.m.verbs[t.Hash] {
		return false
	}
	if s.tok(first).Shape&clause.Capital != 0 && first > s.start && t.Shape&clause.Capital == 0 {
		return false
	}
	if i+1 < s.to && t.End-t.Start > 4 && strings.HasSuffix(t.Of(s.text.Content), "ing") && s.tok(i+1).Class&(clause.Det|clause.Prep) != 0 {
		return false
	}
	return true
}

// ordinals are adverbs that also count things.
var ordinals = map[uint64]bool{clause.Hash("first"): true, clause.Hash("next"): true}

// names reads "A, B and C"; it needs one name at least. A cue noun after the
// last marks them all.
func (s *scan) names(i, limit int) (end int, parts []Part) {
	joined, first, marked := false, 0, true
	defer func() {
		if len(parts) > 1 && !joined && !marked {
			end, parts = first, parts[:1] // commas alone join no plain words
		}
	}()
	for {
		e, part := s.named(i, limit)
		if e == 0 {
			return end, parts
		}
		if len(parts) == 0 {
			first = e
		}
		marked = marked && part.Marked
		parts, end = append(parts, part), e
		if s.m.cue[s.tok(e-1).Hash] {
			for k := range parts {
				parts[k].Marked = true
			}
		}
		next := s.parenthesis(e, limit)
		joint := next
		for next < limit && (s.isPunct(next, ",/") || s.tok(next).Class&clause.Conj != 0 && s.tok(next).Class&clause.Adv == 0) {
			joined = joined || s.tok(next).Class&clause.Conj != 0
			next++
		}
		if next == joint || len(parts) == 40 {
			return end, parts
		}
		i = next
	}
}

// listed reports whether names that stand in the tokens [from, to) make a
// list: "A and B", "A, B and C". After "A, and B" the B begins a clause, and
// after "an A and" what has no determiner is no name but a verb: "starts at a
// depot and ends".
func (s *scan) listed(parts []Part, from, to int) bool {
	isDet := func(i int) bool { return i >= s.from && s.tok(i).Class&clause.Det != 0 }
	first := func(p Part) int {
		i := from
		for i < to && int(s.tok(i).Start) < p.Span.Start {
			i++
		}
		return i
	}
	determined := isDet(from) || isDet(from-1)
	for _, p := range parts[1:] {
		if i := first(p); determined && !isDet(i-1) && s.openWord(i) {
			return false
		}
	}
	last := first(parts[len(parts)-1])
	for last > from && s.tok(last-1).Class&(clause.Conj|clause.Bound) == 0 {
		last--
	}
	if last == from || s.tok(last-1).Class&clause.Conj == 0 {
		return false
	}
	return len(parts) > 2 || !s.isBound(last-2)
}
