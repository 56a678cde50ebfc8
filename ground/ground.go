package ground

import (
	"sync"

	"github.com/speckl/speckl/sir"
)

// Kind is how exactly a quote was found.
type Kind string

// The kinds.
const (
	// Verbatim: the same bytes.
	Verbatim Kind = "verbatim"
	// Normalized: the same after folding.
	Normalized Kind = "normalized"
	// Approximate: the same words but for slips.
	Approximate Kind = "approximate"
	// Altered: it is about these words and changes what they say.
	Altered Kind = "altered"
	// None: it stands nowhere.
	None Kind = "none"
)

// Accepted reports whether a quote that was found so is evidence.
func (k Kind) Accepted() bool { return k == Verbatim || k == Normalized || k == Approximate }

// Part is a stretch of the source that no quote crosses: a text, or one turn
// of a conversation.
type Part struct {
	// ID and Speaker are for hints; they may be empty.
	ID, Speaker string
	Text        string
}

// Hint tells which of several occurrences is meant.
type Hint struct {
	// Part is the ID of the part, Speaker who spoke it; empty for any.
	Part, Speaker string
}

// Quote is what is looked for.
type Quote struct {
	Text string
	Hint Hint
}

// Place is a span of a part.
type Place struct {
	// Part is the index of the part.
	Part int
	// Span are bytes of its text.
	Span sir.Span
}

// Edit is a difference between the source and a quote.
type Edit struct {
	// Op is "replace", "insert" (the quote has more) or "delete" (it has
	// less).
	Op string `json:"op"`
	// Source and Quote are the words.
	Source string `json:"source"`
	Quote  string `json:"quote"`
	// Why is what it touches where it makes the quote no evidence: "number",
	// "name", "negation", …; else empty.
	Why string `json:"why,omitempty"`
}

// Match is where a quote was found.
type Match struct {
	Kind Kind
	// Place is where; nothing for None.
	Place
	// Score is 1 for the same text, less with each edit; 0 for None.
	Score float64
	Edits []Edit
	// Ambiguous: it stands at several places, and no hint tells which is
	// meant. Others are these, in order, at most [MostOthers].
	Ambiguous bool
	Others    []Place
}

// MostOthers bounds how many other places of a quote are listed.
const MostOthers = 100

// Source is an index of parts. It never changes and is safe for concurrent
// use.
type Source struct {
	parts []Part
	once  sync.Once
	words *index // made when the first quote is not found verbatim
}

// New makes the index of parts. What takes time is done once, with the first
// quote that needs it.
func New(parts ...Part) *Source { return &Source{parts: parts} }

// Parts are the parts that the index was made of.
func (s *Source) Parts() []Part { return s.parts }

// Find looks for a quote.
func (s *Source) Find(q Quote) Match { return s.find(q, Place{}) }

// FindAll looks for quotes that stand in the source in about their order, as
// those of a model's reply do: of several occurrences the next one after the
// quote before is chosen.
func (s *Source) FindAll(quotes []Quote) []Match {
	out := make([]Match, len(quotes))
	var after Place
	for i, q := range quotes {
		out[i] = s.find(q, after)
		if out[i].Kind.Accepted() {
			after = Place{out[i].Part, sir.Span{Start: out[i].Span.Start, End: out[i].Span.Start}}
		}
	}
	return out
}

// FindAfter is Find for a quote that is taken to stand at or after a place,
// if it stands at several.
func (s *Source) FindAfter(q Quote, after Place) Match { return s.find(q, after) }

// find looks for a quote, at or after a place if it stands at several.
func (s *Source) find(q Quote, after Place) Match {
	if !hasWords(q.Text) {
		return Match{Kind: None}
	}
	whole, inside := s.verbatim(q.Text)
	if len(whole) > 0 {
		return s.choose(Match{Kind: Verbatim, Score: 1}, whole, q.Hint, after)
	}
	s.once.Do(func() { s.words = newIndex(s.parts) })
	m := s.byWords(q, after)
	if !m.Kind.Accepted() && len(inside) > 0 {
		return s.choose(Match{Kind: Verbatim, Score: 1}, inside, q.Hint, after)
	}
	return m
}

// choose picks one of the places by the hints, then by the order.
func (s *Source) choose(m Match, places []Place, h Hint, after Place) Match {
	fit := make([]Place, 0, len(places))
	for _, p := range places {
		if part := &s.parts[p.Part]; (h.Part == "" || part.ID == h.Part) && (h.Speaker == "" || part.Speaker == h.Speaker) {
			fit = append(fit, p)
		}
	}
	if len(fit) == 0 { // the hint is wrong, which the words are not
		fit = places
	}
	at := 0
	for i, p := range fit {
		if p.Part > after.Part || p.Part == after.Part && p.Span.Start >= after.Span.Start {
			at = i
			break
		}
	}
	m.Place = fit[at]
	m.Ambiguous = len(fit) > 1
	for _, p := range places {
		if p != m.Place && len(m.Others) < MostOthers {
			m.Others = append(m.Others, p)
		}
	}
	return m
}
