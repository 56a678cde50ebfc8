package prompt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// Line is what is shown of one turn, or of a part of a long one.
type Line struct {
	Turn *sir.Turn
	// Text is the part that is shown: what markers and blocks have taken is
	// left out.
	Text string
	// Context: it was reported on before, and is shown to understand others.
	Context bool
}

// Chunk is what one request shows.
type Chunk struct {
	Lines []Line
	// Known are the elements of the document that may be refined.
	Known []*sir.Element
}

// Tokens estimates how many tokens a text is: four bytes of ASCII are one,
// and so is each other character. It errs on the side of too many.
func Tokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+3)/4 + other
}

// lineTokens is what a line takes beside its text: number, speaker, role.
const lineTokens = 20

func (l *Line) tokens() int { return lineTokens + Tokens(l.Text) }

// overlapShare is the share of a chunk's room that the lines before it may
// take again, so that "it" and "there" have something to refer to.
const overlapShare = 6

// Split cuts lines into chunks of at most room tokens each. A chunk begins
// with the last lines of the one before, as context. A line that is longer
// than a chunk is cut at a blank line, a line's end, a sentence's end or a
// space, whichever comes last within the room.
// before are lines of the document that were reported on earlier.
func Split(before, lines []Line, room int) []Chunk {
	var out []Chunk
	var chunk Chunk
	used, fresh := 0, 0
	begin := func(context []Line) {
		chunk, used, fresh = Chunk{Lines: overlap(context, room/overlapShare)}, 0, 0
		for i := range chunk.Lines {
			used += chunk.Lines[i].tokens()
		}
	}
	begin(before)
	for _, whole := range lines {
		for _, l := range pieces(whole, room-room/overlapShare) {
			if n := l.tokens(); used+n > room && fresh > 0 {
				out = append(out, chunk)
				begin(chunk.Lines)
			}
			chunk.Lines = append(chunk.Lines, l)
			used += l.tokens()
			fresh++
		}
	}
	if fresh > 0 {
		out = append(out, chunk)
	}
	return out
}

// mostContext is how many lines of context a chunk may have.
const mostContext = 6

// overlap are the last lines, within the room, as context; of one that is
// longer, its end.
func overlap(lines []Line, room int) []Line {
	var out []Line
	for i := len(lines) - 1; i >= 0 && len(out) < mostContext; i-- {
		l := lines[i]
		l.Context = true
		if l.tokens() > room {
			if len(out) == 0 && room > lineTokens {
				l.Text = ending(l.Text, room-lineTokens)
				out = append(out, l)
			}
			break
		}
		room -= l.tokens()
		out = append(out, l)
	}
	slices.Reverse(out)
	return out
}

// ending is the end of a text that fits the room, from a word on.
func ending(text string, room int) string {
	at := max(0, len(text)-room) // a token is a byte at least
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	if i := strings.IndexByte(text[at:], ' '); at > 0 && i >= 0 {
		at += i + 1
	}
	return text[at:]
}

// pieces cuts a line that does not fit the room.
func pieces(l Line, room int) []Line {
	if l.tokens() <= room {
		return []Line{l}
	}
	var out []Line
	rest := l.Text
	for rest != "" {
		n := fitting(rest, max(room-lineTokens, 1))
		out = append(out, Line{Turn: l.Turn, Text: rest[:n], Context: l.Context})
		rest = rest[n:]
	}
	return out
}

// fitting is how many bytes of a text to take, so that it is cut where it
// hurts least.
func fitting(text string, room int) int {
	end, ascii, other := 0, 0, 0
	for i, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
		if (ascii+3)/4+other > room {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	if end >= len(text) || end == 0 {
		return max(end, 1)
	}
	for _, cut := range []string{"\n\n", "\n", ". ", "? ", "! ", "。", " "} {
		if at := strings.LastIndex(text[:end], cut); at > end/2 {
			return at + len(cut)
		}
	}
	return end
}

// wireLine is a line as a model sees it.
type wireLine struct {
	Turn    int    `json:"turn"`
	Context bool   `json:"context,omitempty"`
	Speaker string `json:"speaker,omitempty"`
	Role    string `json:"role,omitempty"`
	Said    string `json:"said,omitempty"`
	Text    string `json:"text"`
}

func (l Line) wire(n int) wireLine {
	w := wireLine{Turn: n, Context: l.Context, Text: l.Text}
	if l.Turn == nil {
		return w
	}
	w.Speaker, w.Role = l.Turn.Name(), string(l.Turn.Speaker)
	if l.Turn.Timestamp != nil {
		w.Said = time.UnixMilli(*l.Turn.Timestamp).UTC().Format("2006-01-02T15:04Z")
	}
	return w
}

// fenced is a value as one line of JSON in which no tag can stand: a text
// that holds "</conversation>" cannot end the conversation.
func fenced(v any) (string, error) {
	s, err := plainJSON(v)
	return strings.ReplaceAll(s, "<", `\u003c`), err
}

// plainJSON is a value as one line of JSON, with arrows and ampersands as
// they are.
func plainJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
