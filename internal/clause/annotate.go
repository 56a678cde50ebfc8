// Package clause annotates a turn: blocks and markers, tokens, sentences and
// the scopes in which they are meant. All offsets are bytes of the turn's
// content.
//
// Annotation is in two steps so that chatter costs little: [Annotate] finds
// blocks and tokens in one pass, [Text.Parse] finds sentences and scopes and
// is only worth its price where a rule could match.
package clause

import (
	"strings"

	"github.com/speckl/speckl/sir"
)

// Markers are the registered markers of a domain, lower case with colon, and
// how much text each takes.
type Markers struct {
	Prefixes []string
	// Extent returns how many bytes of the text after a marker belong to it;
	// nil: the rest of the line.
	Extent func(after, marker string) int
}

// Annotate finds the blocks and the tokens of a turn. It appends tokens to
// buf, which may be nil.
func Annotate(turn *sir.Turn, markers Markers, buf []Token) *Text {
	t := &Text{Content: turn.Content}
	if turn.Metadata != nil {
		for _, q := range turn.Metadata.Quoted {
			t.Quoted = append(t.Quoted, sir.Span{Start: q[0], End: q[1]})
		}
	}
	t.findBlocks(markers)
	at := 0
	for _, b := range t.Blocks {
		buf = Scan(buf, t.Content, at, b.Span.Start)
		at = b.Span.End
	}
	t.Tokens = Scan(buf, t.Content, at, len(t.Content))
	return t
}

// findBlocks walks the lines for fences, markers and block quotes.
func (t *Text) findBlocks(markers Markers) {
	text := t.Content
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		line := text[at:end]
		trimmed := strings.TrimLeft(line, " \t")
		switch {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			b := fence(text, at, end, trimmed)
			t.Blocks = append(t.Blocks, b)
			end = b.Span.End
		case strings.HasPrefix(trimmed, ">"):
			t.Quoted = append(t.Quoted, sir.Span{Start: at, End: end})
		default:
			if m := markerOf(trimmed, markers.Prefixes); m != "" {
				body := at + len(line) - len(trimmed) + len(m)
				stop := end
				if markers.Extent != nil {
					stop = body + markers.Extent(text[body:], m)
				}
				stop = max(stop, body)
				t.Blocks = append(t.Blocks, sir.Block{Marker: m, Span: sir.Span{Start: body - len(m), End: stop}, Body: sir.Span{Start: body, End: stop}})
				end = max(lineEnd(text, max(stop-1, at)), at+1)
			}
		}
		at = end
	}
}

// lineEnd is the offset after the line that holds at.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// fence reads the fenced block that opens on the line text[at:end].
func fence(text string, at, end int, trimmed string) sir.Block {
	mark := trimmed[:3]
	b := sir.Block{Language: strings.ToLower(strings.TrimSpace(strings.TrimLeft(strings.TrimRight(trimmed, "\r\n"), mark[:1])))}
	if lang, _, ok := strings.Cut(b.Language, " "); ok {
		b.Language = lang
	}
	b.Span = sir.Span{Start: at, End: len(text)}
	b.Body = sir.Span{Start: end, End: len(text)}
	for next := end; next < len(text); {
		stop := lineEnd(text, next)
		if strings.HasPrefix(strings.TrimLeft(text[next:stop], " \t"), mark) {
			b.Body.End, b.Span.End = next, stop
			break
		}
		next = stop
	}
	return b
}

// markerOf returns the text of the marker that the line begins with, or "".
func markerOf(line string, prefixes []string) string {
	colon := strings.IndexByte(line, ':')
	if colon <= 0 || colon > 32 {
		return ""
	}
	for _, p := range prefixes {
		if len(p) <= len(line) && strings.EqualFold(line[:len(p)], p) {
			return line[:len(p)]
		}
	}
	return ""
}
