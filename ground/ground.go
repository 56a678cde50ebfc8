package ground

import (
	"sync"

	"github.com/speckl/speckl/sir"
)

// Kind is how a quote stands in a source.
type Kind string

// The kinds, the best first; the package comment says what each means.
const (
	Verbatim    Kind = "verbatim"
	Normalized  Kind = "normalized"
	Approximate Kind = "approximate"
	Altered     Kind = "altered"
	None        Kind = "none"
)

// Accepted reports whether a quote of this kind is evidence.
func (k Kind) Accepted() bool { return k == Verbatim || k == Normalized || k == Approximate }

// Part is what a quote must stand in whole: one turn, or one text.
type Part struct {
	// ID and Speaker are for hints, and Speaker's words are known names; both
	// may be empty.
	ID, Speaker string
	// Text need not be valid UTF-8.
	Text string
}

// Hint says which of several occurrences is meant. A hint that fits none is
// ignored. The zero value says nothing.
type Hint struct {
	// Part is the ID of the part that the quote is said to stand in.
	Part string
	// Speaker is who is said to have spoken it.
	Speaker string
	// After is a place that the quote is said to follow.
	After *Place
}

// Quote is what to look for. White space around Text is ignored.
type Quote struct {
	Text string
	Hint Hint
}

// Place is a range of bytes in one part.
type Place struct {
	// Part is the index of the part.
	Part int
	Span sir.Span
}

// Edit is one difference between a quote and what the source says. Op is
// "replace", "insert" (only the quote has it) or "delete" (only the source
// has it).
type Edit struct {
	Op     string `json:"op"`
	Source string `json:"source"`
	Quote  string `json:"quote"`
	// Why says what makes the edit an alteration: "negation", "number",
	// "amount", "unit", "bound", "date", "name", "hedge", "person",
	// "contrast", "modal", "question" or "content"; "" for a slip.
	Why string `json:"why,omitempty"`
}

// Match is the answer for one quote.
type Match struct {
	Kind Kind
	// Place is where; zero for None.
	Place
	// Score is the share of the quote that stands there, 1 for Verbatim and
	// Normalized.
	Score sir.Confidence
	// Edits are the differences in the order of the source; nil for Verbatim
	// and Normalized.
	Edits []Edit
	// Ambiguous: the quote stands equally well in other places and no hint
	// decides; Place is then the likeliest.
	Ambiguous bool
	// Others are the other places where it stands equally well, whether a hint
	// decided or not, in the order of the source, at most [MaxPlaces].
	Others []Place
}

// Accepted reports whether the quote is evidence.
func (m Match) Accepted() bool { return m.Kind.Accepted() }

// MaxPlaces bounds Match.Others.
const MaxPlaces = 64

// Source is an index over the parts of a source.
type Source struct {
	parts []Part
	// tokens are those of all parts, one after the other; ends[i] is where
	// those of part i end.
	tokens []token
	ends   []int32
	pairs  postings // by two tokens that follow each other
	// made when first needed
	words   func() postings // by one token
	context func() *context
}

// New makes the index. The texts are kept, not copied.
func New(parts ...Part) *Source {
	s := &Source{parts: parts, ends: make([]int32, len(parts))}
	size := 0
	for i := range parts {
		size += len(parts[i].Text)
	}
	s.tokens = make([]token, 0, size/5+8)
	for i := range parts {
		s.tokens = scan(s.tokens, parts[i].Text)
		s.ends[i] = int32(len(s.tokens))
	}
	s.pairs = indexPairs(s.tokens)
	s.words = sync.OnceValue(func() postings { return indexWords(s.tokens) })
	s.context = sync.OnceValue(func() *context { return newContext(s) })
	return s
}

// Parts returns the parts, in their order.
func (s *Source) Parts() []Part { return s.parts }

// Find looks for one quote.
func (s *Source) Find(q Quote) Match {
	f := s.search(q)
	return f.choose(q.Hint, window{})
}

// partOf returns the part that a token is in.
func (s *Source) partOf(i int) int {
	lo, hi := 0, len(s.ends)-1
	for lo < hi {
		mid := (lo + hi) / 2
		if int(s.ends[mid]) <= i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// bounds returns the tokens [from, to) of a part.
func (s *Source) bounds(part int) (from, to int) {
	if part > 0 {
		from = int(s.ends[part-1])
	}
	return from, int(s.ends[part])
}
