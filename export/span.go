package export

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// span is a range of a turn's bytes that an item of the page quotes.
type span struct {
	start, end int
	ref
}

// ref names a quote of an item.
type ref struct {
	item, quote int
	key         string // the item's class
}

// String is how marks and quotes of the page name each other.
func (r ref) String() string { return strconv.Itoa(r.item) + "." + strconv.Itoa(r.quote) }

// stretch is a part of a turn that the same quotes cover.
type stretch struct {
	text string
	refs []ref
}

// cut parts a text where spans begin and end, so that spans may overlap.
// The stretches joined are the text. Spans that do not fit it are left out;
// spans are sorted by start.
func cut(text string, spans []span) []stretch {
	spans = slices.DeleteFunc(slices.Clone(spans), func(s span) bool {
		return s.start < 0 || s.start >= s.end || s.end > len(text) ||
			!utf8.RuneStart(text[s.start]) || s.end < len(text) && !utf8.RuneStart(text[s.end])
	})
	bounds := []int{0, len(text)}
	for _, s := range spans {
		bounds = append(bounds, s.start, s.end)
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	var out []stretch
	var open []span
	for i := 0; i+1 < len(bounds); i++ {
		at := bounds[i]
		open = slices.DeleteFunc(open, func(s span) bool { return s.end <= at })
		for len(spans) > 0 && spans[0].start == at {
			open = append(open, spans[0])
			spans = spans[1:]
		}
		st := stretch{text: text[at:bounds[i+1]]}
		for _, s := range open {
			st.refs = append(st.refs, s.ref)
		}
		slices.SortFunc(st.refs, func(a, b ref) int {
			return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.quote, b.quote))
		})
		out = append(out, st)
	}
	return out
}
