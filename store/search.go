package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Query asks for elements by their words.
type Query struct {
	// Text are the words; an element that is found has all of them. Their
	// commonest endings do not count, nor does case.
	Text string
	// Document, an id, is the only one that is searched; empty: all of the
	// organisation's.
	Document string
	// All finds elements of every status; else live ones only.
	All bool
	// Limit is the most that is found; 0 is [SearchLimit].
	Limit int
}

// SearchLimit is how many elements a search finds at most, unless it says
// otherwise.
const SearchLimit = 20

// Hit is an element that was found.
type Hit struct {
	// Document is the header of the document that it is in.
	Document sir.Header
	Element  *sir.Element
	// Score orders hits; the higher the better.
	Score int
}

// SearchWords are the words of a text as every engine keeps and looks for
// them: folded, without their commonest endings, each once, in order. Runs
// of scripts that are written without spaces give their pairs of characters.
func SearchWords(text string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(w string) {
		if w != "" && w != "*" && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	for _, word := range domain.Words(text) {
		for len(word) > 0 {
			n := strings.IndexFunc(word, unspaced)
			if n < 0 {
				add(domain.FoldLabel(word))
				break
			}
			add(domain.FoldLabel(word[:n]))
			word = word[n:]
			end := strings.IndexFunc(word, func(r rune) bool { return !unspaced(r) })
			if end < 0 {
				end = len(word)
			}
			pairs(word[:end], add)
			word = word[end:]
		}
	}
	return out
}

// unspaced reports whether a script is written without spaces.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// pairs gives each two neighbours of a run, or a lone character.
func pairs(run string, add func(string)) {
	for i, r := range run {
		_, next := utf8.DecodeRuneInString(run[i+utf8.RuneLen(r):])
		if next == 0 {
			if i == 0 {
				add(run)
			}
			return
		}
		add(run[i : i+utf8.RuneLen(r)+next])
	}
}

// DataText is what of an element's data a search looks at: its type and the
// texts of its fields.
func DataText(e *sir.Element) string {
	var b strings.Builder
	b.WriteString(e.ElementType)
	for _, k := range slices.Sorted(maps.Keys(e.Data)) {
		writeText(&b, e.Data[k])
	}
	return b.String()
}

func writeText(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteByte('\n')
		b.WriteString(v)
	case []any:
		for _, x := range v {
			writeText(b, x)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			writeText(b, v[k])
		}
	}
}

// HasWords reports whether an element has all the words of a query in its
// data or evidence.
func HasWords(e *sir.Element, words []string) bool {
	has := map[string]bool{}
	for _, w := range SearchWords(DataText(e)) {
		has[w] = true
	}
	for i := range e.Evidence {
		for _, w := range SearchWords(e.Evidence[i].Quote) {
			has[w] = true
		}
	}
	for _, w := range words {
		if !has[w] {
			return false
		}
	}
	return true
}

// Rank scores elements for the words of a query and returns the best: words
// in the data count more than words that were said, a live element more than
// one that is not. What scores alike stays in the order of documents by name
// and elements by creation, in which hits are handed in. Engines find, this
// orders, so that all answer alike.
func Rank(hits []Hit, words []string, q Query) []Hit {
	for i := range hits {
		hits[i].Score = score(hits[i].Element, words)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	limit := q.Limit
	if limit <= 0 {
		limit = SearchLimit
	}
	return hits[:min(limit, len(hits))]
}

func score(e *sir.Element, words []string) int {
	n := 0
	if e.Status.Live() {
		n = 2
	}
	data := SearchWords(DataText(e))
	for _, w := range words {
		if slices.Contains(data, w) {
			n += 4
		}
	}
	said := map[string]bool{}
	for i := range e.Evidence {
		for _, w := range SearchWords(e.Evidence[i].Quote) {
			said[w] = true
		}
	}
	for _, w := range words {
		if said[w] {
			n++
		}
	}
	return n
}
