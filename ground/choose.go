package ground

import (
	"cmp"
	"slices"
)

// finding is what a search has found: the places where a quote stands equally
// well, in the order of the source.
type finding struct {
	s    *Source
	q    *query
	hits []hit
	a    *aligner // nil where the words are all there
}

// maxApproximate bounds the words of a quote that is looked for approximately.
const maxApproximate = 1000

// search finds where a quote stands, hints aside.
func (s *Source) search(quote Quote) finding {
	q := newQuery(quote)
	f := finding{s: s, q: q}
	switch {
	case q.text == "":
		return f
	case len(q.tokens) == 0:
		f.hits = s.findMarks(q)
		return f
	}
	if f.hits = s.exact(q); len(f.hits) > 0 || len(q.tokens) > maxApproximate || len(s.tokens) == 0 {
		return f
	}
	f.hits, f.a = s.approximate(q)
	return f
}

// findMarks finds a quote that has no words, byte for byte.
func (s *Source) findMarks(q *query) []hit {
	var out []hit
	for part := range s.parts {
		text := s.parts[part].Text
		for from := 0; len(out) <= MaxPlaces; {
			i := indexFrom(text, q.text, from)
			if i < 0 {
				break
			}
			if from = i + len(q.text); onBounds(text, i, from) {
				out = append(out, hit{Place: place(part, i, from), kind: Verbatim})
			}
		}
	}
	return out
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
}

// rank orders kinds, the best first.
func rank(k Kind) int {
	return slices.Index([]Kind{Verbatim, Normalized, Approximate, Altered, None}, k)
}

// best returns the hits that are worth choosing from: those that fit the hint,
// if that leaves any as good in kind, and of these the best ones.
func (f *finding) best() (pool []hit, hinted bool) {
	pool = f.hits
	if len(pool) == 0 {
		return nil, false
	}
	top := slices.MinFunc(pool, func(a, b hit) int { return cmp.Compare(grade(a.kind), grade(b.kind)) })
	fits := func(h hit) bool {
		p := &f.s.parts[h.Part]
		return grade(h.kind) == grade(top.kind) && (f.q.hint.Part == "" || p.ID == f.q.hint.Part) && (f.q.hint.Speaker == "" || p.Speaker == f.q.hint.Speaker)
	}
	if f.q.hint.Part != "" || f.q.hint.Speaker != "" {
		if slices.ContainsFunc(pool, fits) {
			pool, hinted = slices.DeleteFunc(slices.Clone(pool), func(h hit) bool { return !fits(h) }), true
		}
	}
	least := slices.MinFunc(pool, worth)
	return slices.DeleteFunc(slices.Clone(pool), func(h hit) bool { return worth(h, least) != 0 }), hinted
}

// grade puts verbatim and normalized hits on one step: which of them is meant
// a hint may say.
func grade(k Kind) int { return max(rank(k), 1) }

func worth(a, b hit) int {
	return cmp.Or(cmp.Compare(rank(a.kind), rank(b.kind)), cmp.Compare(a.cost, b.cost))
}

// window is where a quote should stand by its neighbours: after one place and
// before another; nil for no bound. twins is how many later quotes have the
// same words.
type window struct {
	after, before *Place
	twins         int
}

// choose takes the hit that the hints favour and makes the match.
func (f *finding) choose(h Hint, w window) Match {
	pool, _ := f.best()
	if len(pool) == 0 {
		return Match{Kind: None}
	}
	if w.after == nil {
		w.after = h.After
	}
	i, sure := pick(pool, w)
	chosen := pool[i]
	m := Match{Kind: chosen.kind, Place: chosen.Place, Score: 1e4, Ambiguous: len(pool) > 1 && !sure}
	for _, o := range f.hits {
		if o.Place != chosen.Place && worth(o, chosen) <= 0 && len(m.Others) < MaxPlaces {
			m.Others = append(m.Others, o.Place)
		}
	}
	if chosen.kind == Approximate || chosen.kind == Altered {
		f.explain(&m, chosen)
	}
	return m
}

// pick returns the index of the hit that stands where its neighbours say, and
// whether they leave no other.
func pick(pool []hit, w window) (i int, sure bool) {
	if len(pool) == 1 {
		return 0, true
	}
	if i, n := w.first(pool, clear, clear); n > 0 {
		return i, n <= 1+w.twins
	}
	if i, n := w.first(pool, overlapping, overlapping); n > 0 {
		return i, false
	}
	over := w.before != nil && w.after != nil && comparePlaces(*w.before, *w.after) < 0
	if i, n := w.first(pool, clear, anywhere); n > 0 && !over {
		return i, false
	}
	if w.before != nil { // the list starts over, or the quote is out of order
		for i := len(pool) - 1; i >= 0; i-- {
			if pool[i].before(w.before, clear) {
				return i, false
			}
		}
	}
	return 0, false
}

// first returns the first hit that lies so to the neighbours, and how many do.
func (w *window) first(pool []hit, after, before int) (first, n int) {
	for i := range pool {
		if pool[i].after(w.after, after) && pool[i].before(w.before, before) {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}

// How a hit may lie to a neighbour.
const (
	clear = iota
	overlapping
	anywhere
)

func (h *hit) after(p *Place, how int) bool {
	switch {
	case p == nil || how == anywhere:
		return true
	case h.Part != p.Part:
		return h.Part > p.Part
	case how == clear:
		return h.Span.Start >= p.Span.End
	}
	return h.Span.Start >= p.Span.Start
}

func (h *hit) before(p *Place, how int) bool {
	switch {
	case p == nil || how == anywhere:
		return true
	case h.Part != p.Part:
		return h.Part < p.Part
	case how == clear:
		return h.Span.End <= p.Span.Start
	}
	return h.Span.End <= p.Span.End
}

// FindAll looks for quotes that stand in the source in about this order, as
// those of one reply do: of several occurrences it takes the one between the
// quotes before and after.
func (s *Source) FindAll(quotes []Quote) []Match {
	findings := make([]finding, len(quotes))
	later := make([]int, len(quotes)) // how many later quotes are the same
	next := make([]*Place, len(quotes))
	count := map[string]int{}
	var anchor *Place
	for i := len(quotes) - 1; i >= 0; i-- {
		f := s.search(quotes[i])
		findings[i], next[i], later[i] = f, anchor, count[quotes[i].Text]
		count[quotes[i].Text]++
		if pool, _ := f.best(); len(pool) == 1 && pool[0].kind.Accepted() {
			anchor = &pool[0].Place
		}
	}
	out := make([]Match, len(quotes))
	var last *Place
	for i := range findings {
		w := window{after: last, before: next[i], twins: later[i]}
		if quotes[i].Hint.After != nil {
			w.after = quotes[i].Hint.After
		}
		out[i] = findings[i].choose(quotes[i].Hint, w)
		if out[i].Kind.Accepted() {
			last = &out[i].Place
		}
	}
	return out
}
