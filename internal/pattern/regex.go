package pattern

import (
	"regexp/syntax"
	"strings"

	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// findRegex appends the matches of a regex rule; named groups are its slots.
func (r *rule) findRegex(out []Match, text *clause.Text, s clause.Sentence, from, to int) []Match {
	span := text.TokenSpan(from, to)
	words := span.Of(text.Content)
	if !r.possible(words) {
		return out
	}
	for _, at := range r.regex.FindAllStringSubmatchIndex(words, -1) {
		m := Match{Rule: r.Rule, order: r.order}
		m.From, m.To = tokensOf(text, s, span.Start+at[0], span.Start+at[1])
		m.Head = m.From
		if m.From >= m.To {
			continue
		}
		for i, name := range r.regex.SubexpNames() {
			if name == "" || at[2*i] < 0 || at[2*i] == at[2*i+1] {
				continue
			}
			part := sir.Span{Start: span.Start + at[2*i], End: span.Start + at[2*i+1]}
			f, t := tokensOf(text, s, part.Start, part.End)
			m.Slots = append(m.Slots, Slot{Name: name, Kind: SlotClause, From: f, To: max(t, f+1), Parts: []Part{{Span: part}}})
		}
		out = append(out, m)
	}
	return out
}

// tokensOf are the tokens that touch the bytes [start, end).
func tokensOf(text *clause.Text, s clause.Sentence, start, end int) (from, to int) {
	from = s.From
	for from < s.To && int(text.Tokens[from].End) <= start {
		from++
	}
	to = from
	for to < s.To && int(text.Tokens[to].Start) < end {
		to++
	}
	return from, to
}

// possible is the prefilter: one of the literals that the expression cannot
// do without must stand in the text.
func (r *rule) possible(text string) bool {
	if len(r.literals) == 0 {
		return true
	}
	text = strings.ToLower(text)
	for _, l := range r.literals {
		if strings.Contains(text, l) {
			return true
		}
	}
	return false
}

// literalsOf derives from an expression a set of folded ASCII literals of
// which each match has one; nil where there is none to rely on.
func literalsOf(expr string) []string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	return needed(re.Simplify())
}

func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			// k and s fold with signs outside ASCII, which lower-casing misses
			if r >= 0x80 || r == 'k' || r == 'K' || r == 's' || r == 'S' {
				return longestPlain(re.Rune)
			}
		}
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if l := needed(sub); l != nil && (best == nil || shortest(l) > shortest(best)) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		var union []string
		for _, sub := range re.Sub {
			l := needed(sub)
			if l == nil {
				return nil
			}
			union = append(union, l...)
		}
		return union
	}
	return nil
}

// longestPlain is the longest run of runes that fold within ASCII, as the
// only literal; nil for none.
func longestPlain(runes []rune) []string {
	best, run := "", ""
	for _, r := range runes {
		if r < 0x80 && !strings.ContainsRune("kKsS", r) {
			run += string(r)
		} else {
			run = ""
		}
		if len(run) > len(best) {
			best = run
		}
	}
	if best == "" {
		return nil
	}
	return []string{strings.ToLower(best)}
}

func shortest(l []string) int {
	n := len(l[0])
	for _, s := range l {
		n = min(n, len(s))
	}
	return n
}
