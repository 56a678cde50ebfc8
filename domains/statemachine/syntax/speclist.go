package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// entry is an item of a list: its lines, and what was read in it.
type entry struct {
	span sir.Span
	stmt Statement
	ok   bool
	// nested is set for an item under another.
	nested bool
}

// readList reads the items of a list. A run of items that are read is one
// block, as what is between two runs is left to others.
func readList(text string, lines []line, h header, head sir.Span) []block {
	items := listItems(lines)
	read, top := 0, 0
	for i := range items {
		it := &items[i]
		if it.nested {
			continue
		}
		top++
		if it.stmt, it.ok = readItem(text, it.span, h); it.ok {
			read++
		}
	}
	if read == 0 || read*2 < top || (h == noHeader && !arrowsHold(items)) {
		return nil
	}
	weak := h == weakStates && !namesHold(items)
	var out []block
	last := -1
	for i, it := range items {
		if !it.ok {
			continue
		}
		if last < 0 || last != i-1 {
			out = append(out, block{Spec{Span: it.span}, weak})
		}
		last = i
		s := &out[len(out)-1]
		s.Span.End, s.Statements = it.span.End, append(s.Statements, it.stmt)
	}
	if h != noHeader && items[0].ok {
		out[0].Span.Start = head.Start
	}
	return out
}

// listItems joins the lines of each item; the first line is a bullet.
func listItems(lines []line) []entry {
	var out []entry
	for _, l := range lines {
		switch {
		case l.blank:
		case l.bullet:
			out = append(out, entry{span: l.words, nested: l.indent > lines[0].indent+1})
		case len(out) > 0:
			out[len(out)-1].span.End = l.words.End
		}
	}
	return out
}

// arrowsHold reports whether a list without a header is of transitions: two
// or more, and an endpoint recurs or all are identifiers.
func arrowsHold(items []entry) bool {
	seen := map[string]int{}
	n, recurs, named := 0, false, true
	for i, it := range items {
		if !it.ok {
			continue
		}
		n++
		for _, name := range []string{"from", "to"} {
			f, _ := it.stmt.Field(name)
			v, _ := f.Value.(string)
			named = named && identifier(v)
			if j, ok := seen[foldKey(v)]; ok && j != i {
				recurs = true
			}
			seen[foldKey(v)] = i
		}
	}
	return n >= 2 && (recurs || named)
}

// namesHold reports whether all states of a list are identifiers, or all its
// items are single words.
func namesHold(items []entry) bool {
	named, bare := true, len(items) > 1
	for _, it := range items {
		f, _ := it.stmt.Field("name")
		v, _ := f.Value.(string)
		named = named && (!it.ok || it.stmt.Kind != State || identifier(v))
		bare = bare && it.ok && len(it.stmt.Fields) == 1 && !strings.ContainsAny(v, " \t")
	}
	return named || bare
}

// readItem reads one item under a header.
func readItem(text string, s sir.Span, h header) (Statement, bool) {
	if doubtful(s.Of(text)) {
		return Statement{}, false
	}
	toks, _ := lex(s.Of(text))
	if slices.ContainsFunc(toks, func(t token) bool { return t.kind == arrow }) {
		return readArrow(text, s)
	}
	if h == states || h == weakStates || h == both {
		return readState(text, s)
	}
	return Statement{}, false
}

// doubtful reports whether an item asks, guesses, denies or is struck out.
func doubtful(s string) bool {
	if strings.HasSuffix(s, "?") || strings.Contains(s, "?)") || strings.Contains(s, "??") || strings.Contains(s, "~~") || strings.HasPrefix(s, "[") {
		return true
	}
	fold := words(strings.ToLower(s))
	for i, w := range fold {
		switch w {
		case "maybe", "perhaps", "probably", "unsure", "tbd", "tba", "todo", "guess":
			return true
		case "sure", "decided", "clear":
			if i > 0 && fold[i-1] == "not" {
				return true
			}
		case "be":
			if i > 0 && i+1 < len(fold) && fold[i-1] == "to" && (fold[i+1] == "decided" || fold[i+1] == "confirmed" || fold[i+1] == "defined") {
				return true
			}
		case "think", "might":
			return true
		}
	}
	return false
}

// separators stand between a state's name and its description.
var separators = []string{":", " – ", " — ", " - ", " -- "}

// readState reads "NAME", "NAME: description", "**NAME** – description" and
// "NAME (initial)".
func readState(text string, s sir.Span) (Statement, bool) {
	words := s.Of(text)
	name, rest := sir.Span{Start: s.Start, End: s.End}, sir.Span{}
	cut := -1
	for _, sep := range separators {
		if i := strings.Index(words, sep); i >= 0 && (cut < 0 || i < cut) {
			cut = i
			name.End = s.Start + i
			rest = trim(text, sir.Span{Start: s.Start + i + len(sep), End: s.End})
		}
	}
	if cut >= 0 && strings.HasPrefix(rest.Of(text), "**") { // **NAME:** text
		if strings.Count(name.Of(text), "**") == 1 {
			rest = trim(text, sir.Span{Start: rest.Start + 2, End: rest.End})
			name = sir.Span{Start: name.Start + strings.Index(name.Of(text), "**") + 2, End: name.End}
		}
	}
	st := Statement{Kind: State, Span: s}
	name = trim(text, name)
	if i := strings.IndexByte(name.Of(text), '('); i > 0 && strings.HasSuffix(name.Of(text), ")") {
		inner := sir.Span{Start: name.Start + i + 1, End: name.End - 1}
		name = trim(text, sir.Span{Start: name.Start, End: name.Start + i})
		switch strings.TrimSuffix(strings.ToLower(inner.Of(text)), " state") {
		case "initial", "start", "starting":
			st.Fields = append(st.Fields, Field{Name: "isInitial", Value: true, Span: inner})
		case "final", "end", "terminal":
			st.Fields = append(st.Fields, Field{Name: "isFinal", Value: true, Span: inner})
		default:
			if rest.Len() > 0 {
				return Statement{}, false
			}
			rest = trim(text, inner)
		}
	}
	v, at, ok := itemName(text, name)
	if !ok {
		return Statement{}, false
	}
	st.Fields = append([]Field{{Name: "name", Value: v, Span: at}}, st.Fields...)
	if d := rest.Of(text); d != "" {
		st.Fields = append(st.Fields, Field{Name: "description", Value: oneLine(d), Span: rest})
	}
	return st, true
}

// notInNames are words that make an item a sentence, or a name's end unsure.
var notInNames = strings.Fields(`when if once while until unless because via by upon with then so and or but is are was has have
	can must should will would no not never the a an to from i we you he she it they this that`)

// itemName reads a name in an item: up to four words, without emphasis, a
// determiner before and the word state after.
func itemName(text string, s sir.Span) (string, sir.Span, bool) {
	for _, mark := range [...]string{"**", "__", "`", "*", `"`, "'", "“", "”"} {
		if t := s.Of(text); strings.HasPrefix(t, mark) && len(t) > len(mark) {
			s.Start += len(mark)
		}
		if t := s.Of(text); strings.HasSuffix(t, mark) && len(t) > len(mark) {
			s.End -= len(mark)
		}
	}
	if t := s.Of(text); strings.HasSuffix(t, ".") {
		s.End--
	}
	s = trim(text, s)
	for _, d := range [...]string{"the ", "a ", "an "} {
		if t := s.Of(text); len(t) > len(d) && strings.EqualFold(t[:len(d)], d) {
			s.Start += len(d)
		}
	}
	for _, d := range [...]string{" state", " status"} {
		if t := s.Of(text); len(t) > len(d) && strings.EqualFold(t[len(t)-len(d):], d) {
			s.End -= len(d)
		}
	}
	s = trim(text, s)
	v := s.Of(text)
	if v == "*" || v == "(history)" {
		return v, s, true
	}
	fold := strings.Fields(strings.ToLower(v))
	if len(fold) == 0 || len(fold) > 4 || strings.ContainsAny(v, ",;:?!()[]{}<>=|\n*`\"") {
		return "", s, false
	}
	for _, w := range fold {
		if len(fold) > 1 && slices.Contains(notInNames, w) {
			return "", s, false
		}
	}
	r, _ := utf8.DecodeRuneInString(v)
	return v, s, unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

// trim takes white space off both ends of a span.
func trim(text string, s sir.Span) sir.Span {
	v := s.Of(text)
	s.Start += len(v) - len(strings.TrimLeftFunc(v, unicode.IsSpace))
	s.End = s.Start + len(strings.TrimSpace(v))
	return s
}
