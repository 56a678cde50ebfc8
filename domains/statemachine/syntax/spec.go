package syntax

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
)

// ReadSpec finds the specification blocks that a text holds without a marker:
//
//   - bullet or numbered lists under a header whose noun is states, statuses,
//     phases, modes or transitions ("States:", "## Transitions"): items that
//     are a name, or a name and a description, are states; items with an arrow
//     are transitions, with an event after when, on or a colon;
//   - lists without a header where at least two items have an arrow, and an
//     endpoint recurs or all are UPPER or CamelCase identifiers;
//   - lines of pairs, "state: idle; entry: hideSpinner; timeout: 30s".
//
// It would rather find nothing: a header that hedges, asks or denies, an item
// in doubt ("(unsure which radius)"), a sentence, a nested item and a single
// arrow without a header are left to the patterns, and so is a list of which
// less than half are such items. Lines in a fence or a quotation are not read.
//
// The blocks are in the order of the text and do not overlap.
func ReadSpec(text string) []Spec {
	lines := cutLines(text)
	var out []block
	for i := 0; i < len(lines); {
		l := lines[i]
		if s, ok := readPairs(text, l.words); ok {
			out = append(out, block{Spec: s})
			i++
			continue
		}
		if !l.bullet && !l.blank {
			h := readHeader(l.words.Of(text))
			if h == noHeader {
				i++
				continue
			}
			next := i + 1
			for next < len(lines) && lines[next].blank && next < i+3 {
				next++
			}
			end := listEnd(lines, next)
			out = append(out, readList(text, lines[next:end], h, l.words)...)
			i = max(next, end)
			continue
		}
		if l.bullet {
			end := listEnd(lines, i)
			if !refused(text, lines[:i]) {
				out = append(out, readList(text, lines[i:end], noHeader, sir.Span{})...)
			}
			i = end
			continue
		}
		i++
	}
	return supported(out)
}

// refused reports whether the line above a list asks, guesses or denies what
// the list says.
func refused(text string, above []line) bool {
	n := len(above)
	if n > 0 && above[n-1].blank {
		n--
	}
	if n == 0 || above[n-1].bullet {
		return false
	}
	s := strings.TrimRight(above[n-1].words.Of(text), "*_ ")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":") && hasDoubt(words(strings.ToLower(s)))
}

func hasDoubt(fold []string) bool {
	return slices.ContainsFunc(fold, func(w string) bool { return slices.Contains(doubts, w) })
}

// block is a block that was found.
type block struct {
	Spec
	// weak is set where it counts only if transitions use its names.
	weak bool
}

// supported drops the weak blocks whose names no transition uses.
func supported(found []block) []Spec {
	used := map[string]bool{}
	for _, b := range found {
		for _, st := range b.Statements {
			for _, name := range []string{"from", "to"} {
				if f, ok := st.Field(name); ok {
					used[foldKey(f.Value.(string))] = true
				}
			}
		}
	}
	var out []Spec
	for _, b := range found {
		if !b.weak || slices.ContainsFunc(b.Statements, func(st Statement) bool {
			f, ok := st.Field("name")
			return ok && used[foldKey(f.Value.(string))]
		}) {
			out = append(out, b.Spec)
		}
	}
	return out
}

// line is a line of the text.
type line struct {
	words  sir.Span // without the bullet and white space around
	indent int      // columns before the bullet or words
	bullet bool
	blank  bool
}

// cutLines cuts a text into lines; those in a fence or a quotation count as
// words that are no header.
func cutLines(text string) []line {
	var out []line
	fence := ""
	for i := 0; i < len(text); {
		raw := lineOf(text, i)
		trim := strings.TrimSpace(raw)
		mark := ""
		if strings.HasPrefix(trim, "```") || strings.HasPrefix(trim, "~~~") {
			mark = trim[:3]
		}
		switch {
		case fence != "" || mark != "" || strings.HasPrefix(trim, ">"):
			out = append(out, line{words: sir.Span{Start: i, End: i}})
			if fence == "" {
				fence = mark
			} else if mark == fence {
				fence = ""
			}
		default:
			out = append(out, cutLine(raw, i))
		}
		i += len(raw) + 1
	}
	return out
}

func cutLine(raw string, at int) line {
	body := strings.TrimLeft(raw, " \t")
	l := line{indent: len(raw) - len(body)}
	n := bulletLen(body)
	l.bullet = n > 0
	words := strings.TrimSpace(body[n:])
	start := at + len(raw) - len(strings.TrimLeft(body[n:], " \t\r"))
	l.words = sir.Span{Start: start, End: start + len(words)}
	l.blank = words == ""
	return l
}

// bulletLen is the length of a bullet or number and one space after it, or 0.
func bulletLen(s string) int {
	for _, b := range [...]string{"- ", "* ", "+ ", "• ", "– ", "‣ ", "-\t", "*\t", "•\t"} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	if strings.HasPrefix(s, "•") {
		return len("•")
	}
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && (s[n+1] == ' ' || s[n+1] == '\t') {
		return n + 2
	}
	return 0
}

// listEnd is the line after the list that begins at i: bullets, single blank
// lines between them, nested bullets and indented lines that go on.
func listEnd(lines []line, i int) int {
	if i >= len(lines) || !lines[i].bullet {
		return i
	}
	end := i
	for j := i; j < len(lines); j++ {
		l := lines[j]
		switch {
		case l.bullet && l.indent >= lines[i].indent:
			end = j + 1
		case l.blank && j+1 < len(lines) && lines[j+1].bullet && lines[j+1].indent >= lines[i].indent:
		case !l.bullet && !l.blank && l.indent > lines[i].indent && end == j:
			end = j + 1
		default:
			return end
		}
	}
	return end
}

// header is what a list under it holds.
type header uint8

const (
	noHeader header = iota
	weakStates
	states
	transitions
	both
)

var headerNouns = map[string]header{
	"states": states, "statuses": states, "phases": states, "modes": states, "transitions": transitions,
}

// doubts are the words that make a header or item a question, a guess, a
// proposal or its contrary.
var doubts = strings.Fields(`maybe perhaps probably might could would unsure guess think tbd tba todo wip
	question questions open what which why whether how no not never none cannot without don't doesn't isn't aren't can't won't
	old former removed deprecated obsolete dropped forbidden invalid illegal missing impossible disallowed
	unreachable unused rejected proposed suggested example examples`)

// realStates are words before "states" that make them countries or voters.
var realStates = []string{"united", "member", "swing", "nation", "coastal", "neighbouring", "neighboring"}

// readHeader reads a line as a header: "States:", "The system has these
// states:", "## Transitions", "**States**".
func readHeader(s string) header {
	plain := strings.Trim(strings.TrimLeft(s, "# "), "*_ ")
	marked := plain != s
	text, colon := strings.CutSuffix(plain, ":")
	text = strings.TrimRight(text, "*_ ")
	fold := words(strings.ToLower(text))
	if len(fold) == 0 || len(fold) > 12 || hasDoubt(fold) || strings.ContainsAny(text, "?!.,;:→{}") || (!marked && !colon && len(fold) > 1) {
		return noHeader
	}
	h, at := noHeader, 0
	for i, w := range fold {
		switch n := headerNouns[w]; {
		case n == noHeader:
		case h == noHeader || (i == at+1 && n == transitions): // "state transitions" has no plural before
			h, at = n, i
		case n != h:
			h, at = both, i
		}
	}
	if h == noHeader || (at > 0 && slices.Contains(realStates, fold[at-1])) {
		return noHeader
	}
	if h = h.strength(fold, at); h == weakStates && strings.HasPrefix(s, "#") {
		return states // a heading is no sentence
	}
	return h
}

// strength tells "the order states:", which may be a verb, from "order
// states:" and "these states:"; a noun in the middle counts before "of", "are"
// and the like only.
func (h header) strength(fold []string, at int) header {
	if after := fold[at+1:]; len(after) > 0 && !slices.Contains([]string{"of", "are", "for", "in", "is", "overview", "list", "table"}, after[0]) {
		return noHeader
	}
	if h != states || at == 0 || fold[at] != "states" || at+1 < len(fold) {
		return h
	}
	before := fold[at-1]
	counts := strings.Fields("these following possible all the main different valid allowed several many few two three four five six seven eight nine ten has have are its their our")
	if slices.Contains(counts, before) || before[0] >= '0' && before[0] <= '9' {
		return h
	}
	for _, w := range fold[:at-1] {
		if slices.Contains(counts, w) && w != "the" && w != "its" && w != "their" && w != "our" {
			return h
		}
	}
	return weakStates
}

// words cuts at white space, and drops marks around words.
func words(s string) []string {
	out := strings.Fields(s)
	for i, w := range out {
		out[i] = strings.Trim(w, "*_`\"'().,:;")
	}
	return slices.DeleteFunc(out, func(w string) bool { return w == "" })
}
