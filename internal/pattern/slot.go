package pattern

import (
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// Slot is what a slot took.
type Slot struct {
	Name string
	Kind SlotKind
	// From and To are the tokens it took, cue nouns and all.
	From, To int
	// Parts are the values: one span, or several for names.
	Parts []Part
	// Pronoun: a subject that names nothing.
	Pronoun bool
}

// Part is one value of a slot.
type Part struct {
	// Span is the value as it is displayed.
	Span sir.Span
	// Marked: quoted, UPPER, CamelCase, a capital inside the sentence, or
	// beside a cue noun.
	Marked bool
	// Bare: one small word without an article.
	Bare bool
}

// scan is a sentence under the matcher.
type scan struct {
	m        *Matcher
	text     *clause.Text
	from, to int // tokens that may be used
	start    int // the sentence's first token, for capitals
	stops    []int
}

func (s *scan) tok(i int) clause.Token { return s.text.Tokens[i] }

func (s *scan) isPunct(i int, marks string) bool {
	t := s.tok(i)
	return t.Kind == clause.Punct && strings.Contains(marks, t.Of(s.text.Content))
}

// opens reports whether token i begins a clause.
func (s *scan) opens(i int) bool {
	return i == s.start || s.tok(i-1).Class&(clause.Bound|clause.Conj|clause.Adv) != 0
}

func (s *scan) isBound(i int) bool {
	t := s.tok(i)
	return t.Kind == clause.Punct && t.Class&clause.Bound != 0 || t.Kind == clause.Arrow
}

// parenthesis returns the token after the parenthesis that opens at i, or i
// where none does.
func (s *scan) parenthesis(i, limit int) int {
	if i >= limit || s.text.Tokens[i].Kind != clause.Punct || !s.isPunct(i, "(") {
		return i
	}
	for j := i + 1; j < limit && j < i+40; j++ {
		if s.isPunct(j, ")") {
			return j + 1
		}
	}
	return i
}

// bounds lists where a clause that begins at token i may end, nearest first.
func (s *scan) bounds(i int) []int {
	out := s.stops[:0]
	for j := i + 1; j < s.to; j++ {
		if shut := s.parenthesis(j, s.to); shut > j {
			j = shut - 1
			continue
		}
		t := s.tok(j)
		if s.isBound(j) || t.Class&clause.Sub != 0 && t.Class&clause.Pron == 0 && t.Class&clause.Prep == 0 || isThen(t) {
			out = append(out, j)
		}
	}
	end := s.to
	for end > i+1 && s.isPunct(end-1, ".!?;") {
		end--
	}
	out = append(out, end)
	s.stops = out
	return out
}

var hashThen, hashOtherwise, hashElse = clause.Hash("then"), clause.Hash("otherwise"), clause.Hash("else")

func isThen(t clause.Token) bool {
	return t.Hash == hashThen || t.Hash == hashOtherwise || t.Hash == hashElse
}

// action reads what is done: words that begin with a verb of the open class.
func (s *scan) action(i int) int {
	for i < s.to && s.tok(i).Class&clause.Adv != 0 {
		i++
	}
	if i >= s.to || s.tok(i).Kind != clause.Word {
		return 0
	}
	t := s.tok(i)
	if t.Class&(clause.Det|clause.Prep|clause.Pron|clause.Sub|clause.Conj|clause.Aux|clause.Neg) != 0 ||
		t.Shape&clause.Capital != 0 && i > s.start || strings.HasSuffix(t.Of(s.text.Content), "ing") {
		return 0
	}
	if i+2 < s.to && s.tok(i+1).Hash == hashAs && s.tok(i+2).Hash == hashThat {
		return 0 // "simple as that"
	}
	for j := i + 1; j <= s.to; j++ {
		if j == s.to || s.isPunct(j, ",;:.!?") || s.tok(j).Kind == clause.Arrow || s.tok(j).Class&clause.Sub != 0 && s.tok(j).Class&(clause.Pron|clause.Prep) == 0 {
			return j
		}
	}
	return s.to
}

// quantity reads a number, an amount, a duration or a date.
func (s *scan) quantity(kind SlotKind, i int) int {
	text := s.text.Content
	switch kind {
	case SlotDuration:
		for n := 3; n >= 1; n-- {
			if i+n <= s.to {
				if _, ok := domain.ParseDuration(s.text.TokenSpan(i, i+n).Of(text)); ok {
					return i + n
				}
			}
		}
	case SlotNumber:
		if s.tok(i).Kind == clause.Number || domain.IsNumeral(clause.Fold(s.tok(i).Of(text))) && s.tok(i).Class&clause.Det == 0 {
			return i + 1
		}
	case SlotAmount:
		if s.tok(i).Kind == clause.Punct && strings.ContainsAny(s.tok(i).Of(text), "$€£¥₫") && i+1 < s.to && s.tok(i+1).Kind == clause.Number {
			return i + 2
		}
		if s.tok(i).Kind == clause.Number && i+1 < s.to && (s.isPunct(i+1, "$€£¥₫%") || s.tok(i+1).Shape&clause.Upper != 0 && s.tok(i+1).End-s.tok(i+1).Start == 3) {
			return i + 2
		}
	case SlotDate:
		t := s.tok(i).Of(text)
		if len(t) == 10 && t[4] == '-' && t[7] == '-' {
			return i + 1
		}
	}
	return 0
}

// notOpen are the classes of words that are neither noun, adjective nor verb.
const notOpen = clause.Det | clause.Pron | clause.Prep | clause.Conj | clause.Sub | clause.Adv | clause.Wh | clause.Neg

// phraseEnds reports whether a noun phrase may end before token i: no further
// noun follows and no verb, adverbs apart.
func (s *scan) phraseEnds(i int) bool {
	for i < s.to && s.tok(i).Class&clause.Adv != 0 {
		i++
	}
	if i >= s.to {
		return true
	}
	switch t := s.tok(i); t.Kind {
	case clause.Punct, clause.Arrow:
		return true
	case clause.Word:
		return t.Class&notOpen != 0
	}
	return false
}

// openWord reports whether token i is a small word of the open class.
func (s *scan) openWord(i int) bool {
	return i < s.to && s.tok(i).Kind == clause.Word && s.tok(i).Class&(notOpen|clause.Aux) == 0 && s.tok(i).Shape&(clause.Capital|clause.Digits) == 0
}

// prepAt reports whether a preposition stands at token i, but for those of
// "at most" and "at least".
func (s *scan) prepAt(i int) bool {
	return i < s.to && s.tok(i).Class&clause.Prep != 0 && !(i+1 < s.to && measures[s.tok(i+1).Hash])
}

var measures = map[uint64]bool{clause.Hash("most"): true, clause.Hash("least"): true}

var hashIs, hashAre = clause.Hash("is"), clause.Hash("are")

// verb reads a predicate of the present at token i, after adverbs: a third
// person in -s, or "is" with what belongs to it; with the preposition that
// follows. It returns where it begins and where it may end, the best first.
func (s *scan) verb(i int) (from int, ends []int) {
	for i < s.to && s.tok(i).Class&clause.Adv != 0 && s.tok(i).Class&clause.Neg == 0 {
		i++
	}
	if i >= s.to {
		return i, nil
	}
	t := s.tok(i)
	if t.Hash == hashIs || t.Hash == hashAre {
		j := i + 1
		for j < s.to && s.tok(j).Class&clause.Adv != 0 && s.tok(j).Class&(clause.Neg|clause.Prep) == 0 {
			j++
		}
		word := ""
		if s.openWord(j) {
			word = s.tok(j).Of(s.text.Content)
		}
		switch {
		case s.prepAt(j):
			if s.openWord(j+1) && s.prepAt(j+2) {
				ends = append(ends, j+3) // "is on loan from"
			}
			ends = append(ends, j+1)
		case word == "" || strings.HasSuffix(word, "ing"):
		case s.prepAt(j + 1):
			ends = append(ends, j+2)
		}
		if strings.HasSuffix(word, "ed") {
			ends = append(ends, j+1)
		}
		return i, ends
	}
	if !s.openWord(i) || !isThird(t.Of(s.text.Content)) {
		return i, nil
	}
	switch {
	case s.prepAt(i + 1):
		ends = append(ends, i+2)
	case s.prepAt(i+2) && s.openWord(i+1) && !strings.HasSuffix(s.tok(i+1).Of(s.text.Content), "s"):
		ends = append(ends, i+3) // "takes place in"
	}
	return i, append(ends, i+1)
}

// isPredicate reports whether a verb slot could begin at token i.
func (s *scan) isPredicate(i int) bool {
	t := &s.text.Tokens[i]
	return t.Hash == hashIs || t.Hash == hashAre || isThird(t.Of(s.text.Content)) && s.openWord(i)
}

// isThird reports whether a word has the form of a third person: "books".
func isThird(w string) bool {
	return len(w) > 2 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is") && !strings.ContainsAny(w, "'’")
}

// measure reads a number with its unit, or an amount, at token i. It returns
// where it may end, the best first.
func (s *scan) measure(i int) []int {
	if end := s.quantity(SlotAmount, i); end > i {
		return []int{end}
	}
	end := s.quantity(SlotNumber, i)
	if end <= i {
		return nil
	}
	if s.openWord(end) {
		return []int{end + 1, end}
	}
	return []int{end}
}
