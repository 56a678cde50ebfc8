package ground

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// leastShare is how much of a quote's words must stand in the source for it
// to be about them, in hundredths.
const leastShare = 60

// word is a word of a part.
func (x *index) word(part, at int) string { return x.tokens[at].of(x.parts[part].Text) }

// same reports whether a step lays a word against itself, slips included.
func (a *alignment) same(s step) bool {
	return s.source >= 0 && s.quote >= 0 && (a.x.tokens[s.source].hash == a.quote[s.quote].hash || slip(a.x.word(a.part, s.source), a.quote[s.quote].of(a.text)))
}

// trimmed cuts the stretch to the first and the last word that agree: what
// stands outside of them in the source is not said by the quote.
func (a *alignment) trimmed() *alignment {
	first, last := -1, -1
	for i, s := range a.steps {
		if a.same(s) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return nil
	}
	a.close(last)
	if a.same(a.steps[last]) && last+1 < len(a.steps) && a.steps[last+1].source >= 0 && a.steps[last+1].quote >= 0 && a.closed(a.steps[last+1]) {
		last++
	}
	var steps []step
	for i, s := range a.steps {
		if i < first || i > last {
			if s.quote < 0 {
				continue
			}
			s.source = -1
		}
		steps = append(steps, s)
	}
	a.start, a.end = a.steps[first].source, a.steps[last].source+1
	a.steps = steps
	return a
}

// close lays the quote's last word, where it alone does not agree, against the
// next one of the source: a word at the end costs less alone, but the mark
// behind both may show that one stands for the other.
func (a *alignment) close(last int) {
	next := a.steps[last].source + 1
	_, _, to := a.x.partOf(a.steps[last].source)
	if last+1 == len(a.steps)-1 && a.steps[last+1].source < 0 && next < to {
		a.steps[last+1].source = next
	}
}

// closed reports whether a step lays the quote's last word against one of the
// source that the same mark follows.
func (a *alignment) closed(s step) bool {
	if s.quote != len(a.quote)-1 {
		return false
	}
	end := int(a.x.tokens[s.source].end)
	return marksAfter(a.x.parts[a.part].Text, end, a.text[a.quote[s.quote].end:]) > end
}

// place is the stretch as a span, with the marks around it that the quote has,
// too.
func (a *alignment) place() Place {
	text := a.x.parts[a.part].Text
	span := sir.Span{Start: int(a.x.tokens[a.start].start), End: int(a.x.tokens[a.end-1].end)}
	span.End = marksAfter(text, span.End, a.text[a.quote[len(a.quote)-1].end:])
	span.Start = marksBefore(text, span.Start, a.text[:a.quote[0].start])
	return Place{a.part, span}
}

// marksAfter is where the marks end that stand at an offset and that begin the
// text behind a quote's last word.
func marksAfter(text string, at int, marks string) int {
	end := at
	for _, want := range foldText(marks) {
		r, size := utf8.DecodeRuneInString(text[at:])
		for size > 0 && (unicode.IsSpace(r) || ignorable(r)) {
			at += size
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if size == 0 || foldText(string(r)) != string(want) {
			break
		}
		at += size
		end = at
	}
	for end < len(text) { // marks of the last character belong to it
		r, size := utf8.DecodeRuneInString(text[end:])
		if !unicode.Is(unicode.M, r) && r != '\u200d' {
			break
		}
		end += size
	}
	return end
}

// marksBefore is where the marks begin that stand before an offset and that
// end the text before a quote's first word.
func marksBefore(text string, at int, marks string) int {
	start := at
	want := []rune(foldText(marks))
	for i := len(want) - 1; i >= 0; i-- {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		for size > 0 && (unicode.IsSpace(r) || ignorable(r)) {
			at -= size
			r, size = utf8.DecodeLastRuneInString(text[:at])
		}
		if size == 0 || foldText(string(r)) != string(want[i]) {
			break
		}
		at -= size
		start = at
	}
	return start
}

// marksBetween are the differences of a quote that has the very words: of what
// stands between them, or of how a contraction is written.
func (a *alignment) marksBetween() []Edit {
	var out []Edit
	text := a.x.parts[a.part].Text
	for i := range a.quote {
		s, q := a.x.tokens[a.start+i], a.quote[i]
		if said, given := s.of(text), q.of(a.text); foldText(said) != foldText(given) && (i == 0 || a.quote[i-1].start != q.start || a.x.tokens[a.start+i-1].start != s.start) {
			out = append(out, Edit{Op: "replace", Source: said, Quote: given})
		}
		if i+1 == len(a.quote) || a.x.tokens[a.start+i+1].start < s.end || a.quote[i+1].start < q.end {
			continue
		}
		said, given := text[s.end:a.x.tokens[a.start+i+1].start], a.text[q.end:a.quote[i+1].start]
		if foldText(said) != foldText(given) {
			out = append(out, edit(strings.TrimSpace(said), strings.TrimSpace(given)))
		}
	}
	return out
}

// edit is a difference, by which side has something.
func edit(source, quote string) Edit {
	switch {
	case source == "":
		return Edit{Op: "insert", Quote: quote}
	case quote == "":
		return Edit{Op: "delete", Source: source}
	}
	return Edit{Op: "replace", Source: source, Quote: quote}
}

// judge says what an alignment is worth.
func (a *alignment) judge() Match {
	agree, points := 0, 0
	m := Match{Kind: Approximate, Place: a.place()}
	for i, s := range a.steps {
		if a.same(s) {
			agree++
			if a.x.tokens[s.source].hash != a.quote[s.quote].hash {
				m.Edits = append(m.Edits, Edit{Op: "replace", Source: a.x.word(a.part, s.source), Quote: a.quote[s.quote].of(a.text)})
				points += costTypo
			}
			continue
		}
		e := a.edit(i)
		points += costExtra
		if e.Why != "" {
			m.Kind = Altered
			points += costReplace
		}
		m.Edits = append(m.Edits, e)
	}
	if agree*100 < leastShare*len(a.quote) || agree < 2 && len(a.quote) > 1 {
		return Match{Kind: None}
	}
	m.Score = score(points, len(a.quote), 1)
	return m
}

// score is 1 less the share of a quote that was edited, to four places.
func score(points, words, weight int) float64 {
	s := 1 - float64(points*weight)/float64(costReplace*words+points*weight)
	return math.Round(s*10000) / 10000
}

// edit is one step that differs, with what it touches.
func (a *alignment) edit(i int) Edit {
	s := a.steps[i]
	var source, quote string
	if s.source >= 0 {
		source = a.x.word(a.part, s.source)
	}
	if s.quote >= 0 {
		quote = a.quote[s.quote].of(a.text)
	}
	e := edit(source, quote)
	e.Why = a.why(i)
	return e
}

// why says for what a step makes the quote no evidence; "" for a slip.
func (a *alignment) why(i int) string {
	s := a.steps[i]
	l := words()
	var lost, given uint64
	if s.source >= 0 {
		lost = a.x.tokens[s.source].hash
		if why := a.says(l.classes[lost], a.sourceWord(s.source), a.besideNumber(s.source)); why != "" {
			return why
		}
		if a.isName(s.source) {
			return "name"
		}
	}
	if s.quote < 0 {
		return a.unspacedWord(a.x.word(a.part, s.source), lost)
	}
	given = a.quote[s.quote].hash
	q := a.quote[s.quote]
	text := q.of(a.text)
	if why := a.says(l.classes[given], text, a.quoteBesideNumber(s.quote)); why != "" {
		return why
	}
	switch {
	case s.source >= 0 && l.opposed(lost, given):
		return "opposite"
	case s.source < 0 && a.stutter(s.quote):
		return ""
	case l.classes[given]&(function|filler) != 0:
		if s.source >= 0 {
			return a.unspacedWord(a.x.word(a.part, s.source), lost)
		}
		return ""
	case q.capital && !q.first:
		return "name"
	}
	return "content"
}

// says names what a word says by itself.
func (a *alignment) says(c class, word string, besideNumber bool) string {
	if why := c.why(); why != "" && (c&filler == 0 || c&(negation|number) != 0) {
		return why
	}
	if c&bound != 0 && besideNumber {
		return "bound"
	}
	if strings.ContainsFunc(word, unicode.IsDigit) {
		return "number"
	}
	return ""
}

func (a *alignment) sourceWord(at int) string { return a.x.word(a.part, at) }

// besideNumber reports whether a number stands within two words of a word of
// the source.
func (a *alignment) besideNumber(at int) bool {
	_, from, to := a.x.partOf(at)
	for i := max(from, at-2); i < min(to, at+3); i++ {
		if isNumber(a.x.tokens[i], a.x.word(a.part, i)) {
			return true
		}
	}
	return false
}

func (a *alignment) quoteBesideNumber(at int) bool {
	for i := max(0, at-2); i < min(len(a.quote), at+3); i++ {
		if isNumber(a.quote[i], a.quote[i].of(a.text)) {
			return true
		}
	}
	return false
}

func isNumber(t token, word string) bool {
	return words().classes[t.hash]&number != 0 || strings.ContainsFunc(word, unicode.IsDigit)
}

// isName reports whether a word of the source is a name: a capital inside a
// sentence, or one that never stands in small letters; and no word of a closed
// class.
func (a *alignment) isName(at int) bool {
	t := a.x.tokens[at]
	if !t.capital || words().classes[t.hash]&(function|filler) != 0 {
		return false
	}
	return !t.first || !a.x.small[a.x.id[at]]
}

// stutter reports whether a word of the quote repeats the one before or after
// it.
func (a *alignment) stutter(at int) bool {
	h := a.quote[at].hash
	return at > 0 && a.quote[at-1].hash == h || at+1 < len(a.quote) && a.quote[at+1].hash == h
}

// unspacedWord: in scripts without spaces a character alone cannot be judged;
// only particles come and go freely.
func (a *alignment) unspacedWord(word string, hash uint64) string {
	r, _ := utf8.DecodeRuneInString(word)
	if unspaced(r) && words().classes[hash]&(function|filler) == 0 {
		return "content"
	}
	return ""
}

// inflected reports whether two folded words are forms of one: "click",
// "clicks", "clicked".
func inflected(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	stem := 0
	for stem < len(a) && a[stem] == b[stem] {
		stem++
	}
	return stem >= 3 && ending(a[stem:]) && ending(b[stem:])
}

// ending reports whether letters are one of the commonest English endings.
func ending(s string) bool {
	switch s {
	case "", "s", "es", "ed", "d", "ing", "e", "'s", "y", "ies", "ied":
		return true
	}
	return false
}

const (
	// slipFrom is how long a word must be for one wrong key to be a slip;
	// longWord for two.
	slipFrom = 5
	longWord = 9
	// shortestPlural is how long a word must be for its plural to be told.
	shortestPlural = 3
)

// slip reports whether two words differ by slips of the keys (a letter more,
// less, another, or two changed about, behind the first), or one is the plural
// of the other. Words of a closed class and other forms of one word ("ship",
// "shipped") never do: what looks like a slip there says something else.
func slip(a, b string) bool {
	n := max(len(a), len(b))
	if len(a) == 0 || len(b) == 0 || (a[0]^b[0])&^0x20 != 0 || n-min(len(a), len(b)) > 2 || n < slipFrom && n != min(len(a), len(b))+1 {
		return false // most words, at no cost
	}
	a, b = fold(a), fold(b)
	if !ascii(a) || !ascii(b) {
		return false
	}
	l := words()
	if l.classes[hashOf(a)]|l.classes[hashOf(b)] != 0 || l.contrasts[hashOf(a)] != nil || l.contrasts[hashOf(b)] != nil {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) >= shortestPlural && (b == a+"s" || b == a+"es" && strings.IndexByte("sxzho", a[len(a)-1]) >= 0) {
		return true
	}
	if n < slipFrom || inflected(a, b) {
		return false
	}
	most := 1
	if n >= longWord {
		most = 2
	}
	return distance(a, b, most) <= most
}

// ascii reports whether a word has small ASCII letters alone: elsewhere a
// mark less or more is another word.
func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// distance is the number of edits between two words, neighbours changed about
// counting as one (optimal string alignment); more than most is most+1.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			c := 1
			if a[i-1] == b[j-1] {
				c = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+c)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
