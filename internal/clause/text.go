package clause

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/speckl/speckl/sir"
)

// Text is an annotated turn.
type Text struct {
	Content string
	// Tokens are those outside blocks.
	Tokens []Token
	// Blocks are fenced blocks and what markers introduce, in order.
	Blocks []sir.Block
	// Sentences are filled in by [Text.Parse].
	Sentences []Sentence
	// Quoted are spans of another's words.
	Quoted []sir.Span
}

// SentenceKind is the layout of a sentence.
type SentenceKind uint8

// The kinds of sentence.
const (
	Prose SentenceKind = iota
	Heading
	Item
)

// Sentence is a stretch of tokens that ends at a full stop, a line's end or
// the like.
type Sentence struct {
	// From and To bound its tokens.
	From, To int
	Kind     SentenceKind
	// Body is where the sentence proper begins, after an inline heading
	// ("FIN-WAIT-1 STATE: If …"); else From. Tokens [From, Body-1) are the
	// heading, Body-1 its colon.
	Body int
	// Above is the index of the heading that it stands under, or -1; Parent
	// that of the list item it is nested in, or -1.
	Above, Parent int
	// Scope holds for the whole sentence.
	Scope sir.Scope
	// ReportedBy names whose words are reported; empty for none.
	ReportedBy string
	// Correction and Retracts: it corrects or takes back what was said.
	Correction, Retracts bool
	// CueEnd is the token after the cue that corrects or retracts.
	CueEnd int

	// Line is the offset at which its line begins.
	Line int

	indent int
}

// Span is the bytes from the sentence's first token to its last.
func (t *Text) Span(s Sentence) sir.Span { return t.TokenSpan(s.From, s.To) }

// TokenSpan is the bytes that tokens [from, to) take.
func (t *Text) TokenSpan(from, to int) sir.Span {
	if from >= to {
		return sir.Span{}
	}
	return sir.Span{Start: int(t.Tokens[from].Start), End: int(t.Tokens[to-1].End)}
}

// Parse finds the sentences with their layout and scopes.
func (t *Text) Parse() {
	classify(t.Tokens, t.Content)
	t.Sentences = t.Sentences[:0]
	heading, items := -1, []int{}
	next := 0
	for _, ln := range t.lines() {
		from := next
		for next < len(t.Tokens) && int(t.Tokens[next].Start) < ln.end {
			next++
		}
		if ln.blank {
			continue
		}
		if from == next {
			continue
		}
		body := from
		kind := Prose
		switch {
		case ln.item:
			kind = Item
			for body < next && int(t.Tokens[body].Start) < ln.body {
				body++
			}
		case ln.heading || t.leadIn(from, next):
			kind = Heading
			for body < next && t.Tokens[body].Kind == Punct && t.Tokens[body].Of(t.Content) == "#" {
				body++
			}
		}
		if body == next {
			continue
		}
		if kind == Heading {
			items = items[:0]
			heading = -1
		}
		parent := -1
		if kind == Item {
			for len(items) > 0 && t.Sentences[items[len(items)-1]].indent >= ln.indent {
				items = items[:len(items)-1]
			}
			if len(items) > 0 {
				parent = items[len(items)-1]
			}
		} else if kind == Prose {
			items = items[:0]
		}
		first := len(t.Sentences)
		for _, r := range t.split(body, next) {
			t.Sentences = append(t.Sentences, t.sentence(r[0], r[1], kind, heading, parent, ln))
		}
		if kind == Heading {
			heading = first
		} else if kind == Item {
			items = append(items, first)
		}
	}
}

type line struct {
	start, end, body     int
	indent               int
	blank, item, heading bool
}

// lines splits the content into lines and tells list items and headings by
// their marks.
func (t *Text) lines() []line {
	var out []line
	for start := 0; start < len(t.Content); {
		end := strings.IndexByte(t.Content[start:], '\n')
		if end < 0 {
			end = len(t.Content)
		} else {
			end += start + 1
		}
		ln := line{start: start, end: end, body: start}
		text := strings.TrimRight(t.Content[start:end], " \t\r\n")
		trimmed := strings.TrimLeft(text, " \t")
		ln.indent = len(text) - len(trimmed)
		switch {
		case trimmed == "":
			ln.blank = true
		case strings.HasPrefix(trimmed, "#") && strings.HasPrefix(strings.TrimLeft(trimmed, "#"), " "):
			ln.heading = true
		default:
			if n := bulletLen(trimmed); n > 0 {
				ln.item = true
				ln.body = start + ln.indent + n
			}
		}
		out = append(out, ln)
		start = end
	}
	return out
}

// bulletLen is the length of a list mark with its space, or 0.
func bulletLen(s string) int {
	for _, b := range [...]string{"- ", "* ", "• ", "– ", "+ "} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		return n + 2
	}
	return 0
}

// leadIn reports whether a line is a heading by its shape: it ends in a
// colon, or all of its few words are capitals.
func (t *Text) leadIn(from, to int) bool {
	if to-from < 1 || to-from > 14 {
		return false
	}
	end := to
	for end > from && t.Tokens[end-1].Kind == Punct && t.Tokens[end-1].Of(t.Content) == "*" {
		end--
	}
	if end > from && t.Tokens[end-1].Kind == Punct && t.Tokens[end-1].Of(t.Content) == ":" {
		return true
	}
	if to-from > 6 {
		return false
	}
	for _, tok := range t.Tokens[from:to] {
		if tok.Kind != Word || tok.Shape&Upper == 0 {
			return false
		}
	}
	return to-from > 1 || t.Tokens[from].End-t.Tokens[from].Start > 3
}

// split cuts the tokens [from, to) of a line into sentences.
func (t *Text) split(from, to int) [][2]int {
	var out [][2]int
	start, end := int(t.Tokens[from].Start), int(t.Tokens[to-1].End)
	segments := sentences.FromString(t.Content[start:end])
	at, i, begin := start, from, from
	for segments.Next() {
		at += len(segments.Value())
		for i < to && int(t.Tokens[i].End) <= at {
			i++
		}
		if i > begin && (i == to || !t.joined(i)) {
			for i-begin > maxSentence {
				out = append(out, [2]int{begin, begin + maxSentence})
				begin += maxSentence
			}
			out = append(out, [2]int{begin, i})
			begin = i
		}
	}
	if begin < to {
		out = append(out, [2]int{begin, to})
	}
	return out
}

// maxSentence bounds a sentence, in tokens, so that matching stays linear in
// a text without full stops.
const maxSentence = 400

var hashNo = Hash("no")

// joined reports whether no sentence ends before token i: after an
// abbreviation, or an initial before a capital.
func (t *Text) joined(i int) bool {
	if i < 2 {
		return false
	}
	stop, word := t.Tokens[i-1], t.Tokens[i-2]
	if stop.Kind != Punct || stop.Of(t.Content) != "." || word.End != stop.Start || word.Kind != Word {
		return false
	}
	if word.Hash == hashNo && t.Tokens[i].Kind != Number {
		return false // "No. We will", not "no. 5"
	}
	return word.Class&Abbr != 0 || word.End-word.Start == 1 && word.Shape&Capital != 0 && word.Class == 0
}

// sentence fills in one sentence's inline heading and scopes.
func (t *Text) sentence(from, to int, kind SentenceKind, above, parent int, ln line) Sentence {
	s := Sentence{From: from, To: to, Kind: kind, Body: from, Above: above, Parent: parent, Line: ln.start, indent: ln.indent}
	if kind != Heading {
		s.Body = t.inlineHeading(from, to)
	}
	t.scopes(&s)
	for _, q := range t.Quoted {
		if q.Overlaps(t.TokenSpan(from, to)) {
			s.Scope |= sir.QuotedOther
		}
	}
	return s
}

// inlineHeading returns where the sentence proper begins: after "NAME:"
// where NAME is a few words without verbs, else from.
func (t *Text) inlineHeading(from, to int) int {
	for i := from; i < to && i < from+7; i++ {
		tok := t.Tokens[i]
		switch {
		case tok.Kind == Punct && tok.Of(t.Content) == ":":
			if i > from && i+1 < to {
				return i + 1
			}
			return from
		case tok.Kind == Arrow, tok.Class&(Aux|Sub|Conj|Bound) != 0 && tok.Class&Prep == 0, tok.Class&Pron != 0 && tok.Class&Det == 0:
			return from
		}
	}
	return from
}
