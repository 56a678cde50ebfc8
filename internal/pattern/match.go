package pattern

import (
	"slices"
	"sort"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// Match is a rule found in a sentence.
type Match struct {
	Rule *domain.Rule
	// From and To are the tokens it takes for itself; Head is where its words
	// begin, before From where it shares a name with the match before it
	// ("A → B → C").
	Head, From, To int
	Slots          []Slot
	// Past: its verb is a past tense.
	Past bool

	order, weight int
}

// Slot returns the slot of that name, or nil.
func (m *Match) Slot(name string) *Slot {
	for i := range m.Slots {
		if m.Slots[i].Name == name {
			return &m.Slots[i]
		}
	}
	return nil
}

// Worth reports whether some rule could match among the tokens: all the
// words that it cannot do without are there. It is cheap, and says yes too
// often rather than too seldom.
func (m *Matcher) Worth(tokens []clause.Token, buf *Buffer) bool {
	if m.always {
		return true
	}
	var any bool
	if buf.bits, any = m.anchors(tokens, buf.bits); !any {
		return false
	}
	for i := range m.rules {
		for j := range m.rules[i].programs {
			if buf.bits.all(m.rules[i].programs[j].need) {
				return true
			}
		}
	}
	return false
}

// Buffer holds what the matcher reuses between calls; the zero value is
// ready. It must not be shared by goroutines.
type Buffer struct {
	bits    bits
	visited bits
	stops   []int
	third   int8 // whether a verb slot can match: 0 unknown, 1 no, 2 yes
}

// Rules finds the rules in the tokens [from, to) of a sentence. Of matches
// that overlap the one with most slots wins, then with most literal words,
// then the first in the file; weak rules only take what no other has taken.
func (m *Matcher) Rules(text *clause.Text, s clause.Sentence, from int, buf *Buffer) (found, losers []Match) {
	anchored, any := m.anchors(text.Tokens[s.From:s.To], buf.bits)
	buf.bits, buf.third = anchored, 0
	if !any && !m.always {
		return nil, nil
	}
	var all []Match
	for i := range m.rules {
		all = m.rules[i].find(all, m, text, s, from, s.To, buf)
	}
	return resolve(all)
}

// Adjuncts finds the adjuncts in the tokens [from, to) of a sentence,
// leftmost first, without overlaps.
func (m *Matcher) Adjuncts(text *clause.Text, s clause.Sentence, from, to int, buf *Buffer) []Match {
	var all []Match
	if from >= to {
		return nil
	}
	buf.bits, _ = m.anchors(text.Tokens[from:to], buf.bits)
	buf.third = 0
	for i := range m.adjuncts {
		all = m.adjuncts[i].find(all, m, text, s, from, to, buf)
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].From != all[j].From {
			return all[i].From < all[j].From
		}
		return all[i].order < all[j].order
	})
	var out []Match
	for _, a := range all {
		if len(out) == 0 || a.From >= out[len(out)-1].To {
			out = append(out, a)
		}
	}
	return out
}

// find appends the rule's matches among the tokens [from, to).
func (r *rule) find(out []Match, m *Matcher, text *clause.Text, s clause.Sentence, from, to int, buf *Buffer) []Match {
	if r.regex != nil {
		return r.findRegex(out, text, s, from, to)
	}
	for i := range r.programs {
		p := &r.programs[i]
		if !buf.bits.all(p.need) {
			continue
		}
		sc := &scan{m: m, text: text, from: from, to: to, start: s.Body, stops: buf.stops}
		if p.verb && !buf.hasVerb(sc) {
			continue
		}
		run := runner{scan: sc, p: p, slots: make([]Slot, p.slots), visited: buf.visitedFor(len(p.code) * (to - from + 1))}
		taken := from
		for at := from; at < to; at++ {
			if p.start.admits(&text.Tokens[at]) && (!r.Start || sc.opens(at)) && run.match(0, at) && run.end > at && !(r.Edge && run.compound()) {
				found := Match{Rule: r.Rule, Head: at, From: at, To: run.end, Slots: run.taken(), Past: run.past, order: r.order, weight: run.words}
				if r.Chain && at < taken {
					found.From = taken
				}
				taken = run.end
				out = append(out, found)
				at = run.end - 1
				if n := len(found.Slots); r.Chain && n > 0 && found.Slots[n-1].To == run.end && found.Slots[n-1].From > found.From {
					at = found.Slots[n-1].From - 1
				}
				clear(run.visited)
			}
			run.past, run.words = false, 0
		}
		buf.stops = sc.stops
	}
	return out
}

// hasVerb reports whether some token could begin a verb slot.
func (b *Buffer) hasVerb(s *scan) bool {
	if b.third == 0 {
		b.third = 1
		for i := s.from; i < s.to; i++ {
			if s.isPredicate(i) {
				b.third = 2
				break
			}
		}
	}
	return b.third == 2
}

func (b *Buffer) visitedFor(n int) bits {
	n = (n + 63) / 64
	if cap(b.visited) < n {
		b.visited = make(bits, n)
	}
	v := b.visited[:n]
	clear(v)
	return v
}

// resolve settles overlaps.
func resolve(all []Match) (found, losers []Match) {
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		switch {
		case a.Rule.Weak != b.Rule.Weak:
			return !a.Rule.Weak
		case a.proven() != b.proven():
			return a.proven()
		case a.known() != b.known():
			return a.known() > b.known()
		case a.weight != b.weight:
			return a.weight > b.weight
		case a.order != b.order:
			return a.order < b.order
		}
		return a.From < b.From
	})
	for _, m := range all {
		free := true
		for _, f := range found {
			free = free && (m.To <= f.From || f.To <= m.From)
		}
		if free {
			found = append(found, m)
		} else if m.Rule.Weak && m.Rule.Mention && mentionFree(&m, found) {
			found = append(found, m)
		} else if !m.Rule.Weak {
			losers = append(losers, m)
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].From < found[j].From })
	return found, losers
}

// proven reports whether the names that the rule wants marked are.
func (m *Match) proven() bool {
	for i := range m.Slots {
		s := &m.Slots[i]
		if !slices.Contains(m.Rule.Marked, s.Name) {
			continue
		}
		for _, p := range s.Parts {
			if !p.Marked && !(p.Bare && slices.Contains(m.Rule.Bare, s.Name)) {
				return false
			}
		}
	}
	return true
}

// mentionFree reports whether a mention shares no token with a name, or with
// another mention: it may stand inside the clauses of other matches.
func mentionFree(m *Match, found []Match) bool {
	for i := range found {
		f := &found[i]
		if f.Rule.Mention && m.From < f.To && f.From < m.To {
			return false
		}
		for _, s := range f.Slots {
			if s.Kind != SlotClause && s.Kind != SlotAction && m.From < s.To && s.From < m.To {
				return false
			}
		}
	}
	return true
}

// known counts the slots that took something that names or says something.
func (m *Match) known() int {
	n := 0
	for _, s := range m.Slots {
		if s.Kind != SlotSubject && s.Kind != SlotNoun && s.Kind != SlotWord {
			n++
		}
	}
	return n
}

// SpanIn is the bytes of the tokens that the match takes.
func (m *Match) SpanIn(text *clause.Text) sir.Span { return text.TokenSpan(m.Head, m.To) }

// Name reads the tokens [from, to) as one name, for headings and items. ok
// is false where they are more than a name.
func (m *Matcher) Name(text *clause.Text, from, to int) (part Part, ok bool) {
	s := &scan{m: m, text: text, from: from, to: to, start: from}
	for to > from && s.isPunct(to-1, ":.*#") {
		to--
	}
	for from < to && s.isPunct(from, "*#") {
		from++
	}
	if from >= to {
		return part, false
	}
	s.from, s.to = from, to
	end, part := s.named(from, to)
	return part, end == to
}
