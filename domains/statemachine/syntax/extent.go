package syntax

import "strings"

// maxBody is how many lines a brace may span after a marker.
const maxBody = 1000

// Extent is the number of bytes of text, which follows a marker, that belong
// to the marker ("spec:", "state:").
//
// A marker takes its line, and the lines up to the brace that closes what its
// line opens, where no blank line comes first. "spec:" takes also the lines
// after while a brace is open or the line begins with a statement keyword, to
// the next marker or blank line. A keyword with a capital counts only where
// its line holds an arrow or a brace: "State machines are fine." is prose. The
// line's end is not counted.
func Extent(text, marker string) int {
	spec := strings.EqualFold(strings.TrimSuffix(strings.TrimSpace(marker), ":"), "spec")
	end, depth := lineTaken(text, 0, 0)
	for open := false; ; { // open is set where a brace is known not to close
		if depth > 0 && !open {
			closed, ok := bodyEnd(text, end, depth)
			if !ok && !spec {
				return end
			}
			if ok {
				end, depth = closed, 0
				continue
			}
			open = true
		}
		if !spec || end >= len(text) {
			return end
		}
		line := lineOf(text, end+1)
		if strings.TrimSpace(line) == "" || (depth > 0 && isMarker(line)) || (depth == 0 && !continues(line)) {
			return end
		}
		end, depth = lineTaken(text, end+1, depth)
	}
}

// lineOf is the line that begins at i, without its end.
func lineOf(text string, i int) string {
	line, _, _ := strings.Cut(text[i:], "\n")
	return line
}

// lineTaken is where the line at i ends and how many braces are open then.
func lineTaken(text string, i, depth int) (end, open int) {
	line := lineOf(text, i)
	if !strings.ContainsAny(line, "{}") {
		return i + len(line), depth
	}
	toks, _ := lex(line)
	for _, t := range toks {
		switch {
		case t.kind == lbrace:
			depth++
		case t.kind == rbrace && depth > 0:
			depth--
		}
	}
	return i + len(line), depth
}

// bodyEnd is the end of the line that closes the open braces, where one does
// before a blank line.
func bodyEnd(text string, end, depth int) (int, bool) {
	for range maxBody {
		if end >= len(text) || strings.TrimSpace(lineOf(text, end+1)) == "" {
			return 0, false
		}
		if end, depth = lineTaken(text, end+1, depth); depth == 0 {
			return end, true
		}
	}
	return 0, false
}

// isMarker reports whether a line begins with spec: or a type marker.
func isMarker(line string) bool {
	head, _, ok := strings.Cut(strings.TrimSpace(line), ":")
	return ok && (strings.EqualFold(head, "spec") || Kind(strings.ToLower(head)).Valid())
}

// continues reports whether a line begins with a statement keyword and is no
// marker.
func continues(line string) bool {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t")
	if i < 0 || isMarker(line) {
		return false
	}
	k := line[:i]
	if Kind(k).Valid() {
		return true
	}
	if !Kind(strings.ToLower(k)).Valid() {
		return false
	}
	toks, _ := lex(line)
	for _, t := range toks {
		if t.kind == arrow || t.kind == lbrace {
			return true
		}
	}
	return false
}
