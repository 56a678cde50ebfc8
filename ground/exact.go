package ground

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// query is a quote made ready to be looked for.
type query struct {
	text   string // without white space around it
	hint   Hint
	tokens []token
	// lead and tail are the marks before the first and after the last token.
	lead, tail []rune
}

func newQuery(q Quote) *query {
	out := &query{text: strings.TrimSpace(q.Text), hint: q.Hint}
	out.tokens = scan(make([]token, 0, len(out.text)/4+4), out.text)
	if n := len(out.tokens); n > 0 {
		out.lead = marks(nil, out.text, 0, int(out.tokens[0].start))
		out.tail = marks(nil, out.text, int(out.tokens[n-1].end), len(out.text))
	}
	return out
}

// gap is what stands between token i and the next.
func (q *query) gap(i int) (from, to int) { return int(q.tokens[i].end), int(q.tokens[i+1].start) }

// hit is a place where a quote stands, or may stand.
type hit struct {
	Place
	kind Kind
	// cost orders hits of one kind, the least first.
	cost int
	// at is the token of the source that the quote's first would be.
	at int
}

// maxHits bounds the occurrences that are looked at.
const maxHits = 4096

// exact finds the places where the tokens of a quote stand in a row: verbatim
// and normalized ones, or where only marks differ, approximate ones.
func (s *Source) exact(q *query) []hit {
	var out []hit
	budget := 4*len(q.text) + 1<<22 // bytes compared, against repetitions
	for _, at := range s.runs(q) {
		h, ok := s.compare(q, at, &budget)
		if ok {
			out = append(out, h)
		}
		if budget < 0 {
			break
		}
	}
	if slices.ContainsFunc(out, func(h hit) bool { return h.kind != Approximate }) {
		out = slices.DeleteFunc(out, func(h hit) bool { return h.kind == Approximate })
	}
	return out
}

// runs returns the positions where the tokens of a quote stand in a row, at
// most maxHits.
func (s *Source) runs(q *query) []int {
	tokens := q.tokens
	n := len(tokens)
	if n == 0 || n > len(s.tokens) {
		return nil
	}
	var bucket []int32
	offset := 0
	if n == 1 {
		words := s.words()
		bucket = words.of(wordKey(tokens[0]))
	} else {
		bucket = s.pairs.of(pairKey(tokens[0], tokens[1]))
		for i := 1; i+1 < min(n, maxSeeds*4) && len(bucket) > 0; i++ {
			if b := s.pairs.of(pairKey(tokens[i], tokens[i+1])); len(b) < len(bucket) {
				bucket, offset = b, i
			}
		}
	}
	if len(bucket) > maxHits && q.hint.Part != "" {
		bucket = s.inPart(bucket, q.hint.Part)
	}
	var out []int
	work := 8*len(s.tokens) + 1<<16
	for _, p := range bucket {
		at := int(p) - offset
		if at < 0 || at+n > len(s.tokens) {
			continue
		}
		same := 0
		for same < n && s.tokens[at+same].same(tokens[same]) {
			same++
		}
		if same == n {
			out = append(out, at)
		}
		if work -= same; work < 0 {
			return s.runsOf(tokens)
		}
		if len(out) == maxHits {
			break
		}
	}
	return out
}

// inPart returns the positions that are in the part of an ID, or all where no
// part has it.
func (s *Source) inPart(positions []int32, id string) []int32 {
	i := slices.IndexFunc(s.parts, func(p Part) bool { return p.ID == id })
	if i < 0 {
		return positions
	}
	from, to := s.bounds(i)
	lo, _ := slices.BinarySearch(positions, int32(from))
	hi, _ := slices.BinarySearch(positions, int32(to))
	if lo == hi {
		return positions
	}
	return positions[lo:hi]
}

// runsOf is runs in one pass over the source (Knuth, Morris and Pratt), for
// texts that repeat themselves so much that trying each place would be
// quadratic.
func (s *Source) runsOf(tokens []token) []int {
	fail := make([]int, len(tokens))
	for i, k := 1, 0; i < len(tokens); i++ {
		for k > 0 && !tokens[i].same(tokens[k]) {
			k = fail[k-1]
		}
		if tokens[i].same(tokens[k]) {
			k++
		}
		fail[i] = k
	}
	var out []int
	for i, k := 0, 0; i < len(s.tokens); i++ {
		for k > 0 && !s.tokens[i].same(tokens[k]) {
			k = fail[k-1]
		}
		if s.tokens[i].same(tokens[k]) {
			k++
		}
		if k == len(tokens) {
			if out = append(out, i-k+1); len(out) == maxHits {
				break
			}
			k = fail[k-1]
		}
	}
	return out
}

// compare looks closer at the place where the tokens of a quote are those from
// at on.
func (s *Source) compare(q *query, at int, budget *int) (hit, bool) {
	n := len(q.tokens)
	part := s.partOf(at)
	from, to := s.bounds(part)
	if at+n > to || s.cuts(part, at, at+n) != "" {
		return hit{}, false
	}
	text := s.parts[part].Text
	first, last := s.tokens[at], s.tokens[at+n-1]
	out := hit{Place: Place{Part: part, Span: sir.Span{Start: int(first.start), End: int(last.end)}}, at: at}
	*budget -= len(q.text)
	if span, ok := q.standsAt(text, int(first.start)); ok {
		out.kind, out.Span = Verbatim, span
		return out, true
	}
	out.kind = Normalized
	for i := range n - 1 {
		a, b := q.gap(i)
		if !sameMarks(q.text[a:b], text[s.tokens[at+i].end:s.tokens[at+i+1].start], q.text, text, a, b, int(s.tokens[at+i].end), int(s.tokens[at+i+1].start)) {
			out.kind = Approximate
			out.cost++
		}
	}
	limit := len(text)
	if at+n < to {
		limit = int(s.tokens[at+n].start)
	}
	start := 0
	if at > from {
		start = int(s.tokens[at-1].end)
	}
	var whole bool
	if out.Span.End, whole = matchAfter(text, out.Span.End, limit, q.tail); !whole {
		out.kind = Approximate
		out.cost++
	}
	if out.Span.Start, whole = matchBefore(text, start, out.Span.Start, q.lead); !whole {
		out.kind = Approximate
		out.cost++
	}
	if out.kind == Normalized && !s.reallySame(q, at, text) {
		return hit{}, false
	}
	return out, true
}

// standsAt reports whether the bytes of the quote stand in a text where its
// first token begins at start.
func (q *query) standsAt(text string, start int) (sir.Span, bool) {
	at := start - int(q.tokens[0].start)
	end := at + len(q.text)
	ok := at >= 0 && end <= len(text) && text[at:end] == q.text && onBounds(text, at, end)
	return sir.Span{Start: at, End: end}, ok
}

// onBounds reports whether a span begins and ends between characters.
func onBounds(text string, start, end int) bool { return onBound(text, start) && onBound(text, end) }

func onBound(text string, at int) bool {
	if at == 0 || at == len(text) {
		return true
	}
	if !utf8.RuneStart(text[at]) && utf8.ValidString(text[max(0, at-3):min(len(text), at+3)]) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return r < 0x300 || !unicode.Is(unicode.M, r) && r != 0x200D && (r < 0xFE00 || r > 0xFE0F) && (r < 0x1F3FB || r > 0x1F3FF)
}

// cuts says what the ends of the tokens [from, to) of a part would cut:
// "number" or "unit" where a number and its unit are written as one word,
// "negation" in "non-critical"; "" for nothing.
func (s *Source) cuts(part, from, to int) string {
	lo, hi := s.bounds(part)
	first := s.tokens[from]
	switch {
	case first.is(isGlued) && from > lo:
		return "number"
	case to < hi && s.tokens[to].is(isGlued):
		return "unit"
	}
	if text := s.parts[part].Text; from > lo && first.start > 0 && text[first.start-1] == '-' {
		prev := s.tokens[from-1]
		if prev.end == first.start-1 && strings.EqualFold(prev.of(text), "non") {
			return "negation"
		}
	}
	return ""
}

// sameMarks reports whether two gaps, one of the quote and one of the source,
// hold the same marks.
func sameMarks(gap, other, quote, text string, a, b, c, d int) bool {
	if gap == other || gap == " " && strings.TrimLeft(other, " \n\t\r") == "" {
		return true
	}
	var x, y [8]rune
	return slices.Equal(marks(x[:0], quote, a, b), marks(y[:0], text, c, d))
}

// matchAfter extends a span that ends at end over the marks want, up to limit;
// false where the text has others.
func matchAfter(text string, end, limit int, want []rune) (int, bool) {
	i := end
	for _, m := range want {
		got := dropped
		for i < limit && got == dropped {
			if byteClass[text[i]] == bSpace {
				i++
				continue
			}
			got, i = readMark(text, i)
		}
		if got != m {
			return end, false
		}
	}
	if len(want) > 0 {
		end = i
	}
	return end, true
}

// matchBefore extends a span that starts at start backwards over the marks
// want, down to limit.
func matchBefore(text string, limit, start int, want []rune) (int, bool) {
	if len(want) == 0 {
		return start, true
	}
	limit = max(limit, start-8*len(want)-64)
	for limit < start && !utf8.RuneStart(text[limit]) {
		limit++
	}
	var at []int
	var got []rune
	for i := limit; i < start; {
		if byteClass[text[i]] == bSpace {
			i++
			continue
		}
		m, end := readMark(text, i)
		if m != dropped {
			at, got = append(at, i), append(got, m)
		}
		i = max(end, i+1)
	}
	if len(got) < len(want) || !slices.Equal(got[len(got)-len(want):], want) {
		return start, false
	}
	return at[len(at)-len(want)], true
}

// reallySame compares the folded words themselves, since a hash may lie.
func (s *Source) reallySame(q *query, at int, text string) bool {
	var a, b []byte
	for i, t := range q.tokens {
		a = foldToken(a[:0], t.of(q.text))
		b = foldToken(b[:0], s.tokens[at+i].of(text))
		if string(a) != string(b) {
			return false
		}
	}
	return true
}

func foldToken(dst []byte, word string) []byte {
	if r, _ := utf8.DecodeRuneInString(word); unicode.IsSymbol(r) {
		return foldSymbol(dst, word)
	}
	return foldDashes(foldWord(dst, word))
}

// foldDashes writes every dash of a folded number as "-".
func foldDashes(word []byte) []byte {
	if !slices.ContainsFunc(word, func(c byte) bool { return c >= utf8.RuneSelf }) {
		return word
	}
	return []byte(strings.Map(func(r rune) rune {
		if isDash(r) {
			return '-'
		}
		return r
	}, string(word)))
}
