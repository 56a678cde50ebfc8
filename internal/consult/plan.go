package consult

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/sir"
)

// ErrNoRoom: the instructions alone are longer than a request may be.
var ErrNoRoom = errors.New("no room for words")

// Inquiry is what one domain wants to know.
type Inquiry struct {
	Domain *engine.Domain
	Prompt *prompt.Prompt
	// Before are the last turns that were read earlier, for context.
	Before []sir.Turn
	// Turns are those to ask about, in order.
	Turns []sir.Turn
	// Known returns the elements that a text may speak of; nil for none.
	Known func(text string) ([]*sir.Element, error)
}

// Limits bound what is asked.
type Limits struct {
	// MaxTokens is the most that one request may send, estimated.
	MaxTokens int
	// SkipAbove is how sure the rules must be of every sentence of a chunk
	// for a model not to be asked about it.
	SkipAbove sir.Confidence
}

const (
	// knownShare is the share of a request's room that known elements may
	// take: one in knownShare.
	knownShare = 4
	// leastRoom is the least, in tokens, in which a chunk is worth sending.
	leastRoom = 100
)

// ContextTurns is how many earlier turns are shown again, at most.
const ContextTurns = 4

// Plan cuts an inquiry into requests, in the order of its turns. What markers
// and blocks have taken is not shown, and a chunk that the rules cover is not
// asked about.
// It returns an error that wraps [ErrNoRoom], or one of Known.
func Plan(q *Inquiry, l Limits, o prompt.Options) ([]*prompt.Ask, error) {
	var buf engine.Buffer
	lines, covered := []prompt.Line{}, map[*sir.Turn]bool{}
	for i := range q.Turns {
		t := &q.Turns[i]
		var consumed []sir.Span
		consumed, covered[t] = q.Domain.Glance(t, &buf, l.SkipAbove)
		if text := without(t.Content, consumed); strings.TrimSpace(text) != "" {
			lines = append(lines, prompt.Line{Turn: t, Text: text})
		}
	}
	if !slices.ContainsFunc(lines, func(line prompt.Line) bool { return !covered[line.Turn] }) {
		return nil, nil
	}
	system := prompt.Tokens(q.Prompt.System) + prompt.Tokens(o.Persona)
	room := l.MaxTokens - system
	if room < leastRoom {
		return nil, fmt.Errorf("%w: the instructions of domain %s take %d tokens of %d (maxLLMTokens)", ErrNoRoom, q.Domain.ID, system, l.MaxTokens)
	}
	var before []prompt.Line
	for i := max(0, len(q.Before)-ContextTurns); i < len(q.Before); i++ {
		before = append(before, prompt.Line{Turn: &q.Before[i], Text: q.Before[i].Content})
	}
	var asks []*prompt.Ask
	for _, chunk := range prompt.Split(before, lines, room-room/knownShare) {
		if !slices.ContainsFunc(chunk.Lines, func(line prompt.Line) bool { return !line.Context && !covered[line.Turn] }) {
			continue
		}
		if err := q.know(&chunk, room/knownShare); err != nil {
			return nil, err
		}
		ask, err := q.Prompt.Ask(chunk, o)
		if err != nil {
			return nil, err
		}
		asks = append(asks, ask)
	}
	return asks, nil
}

// know adds the elements that the chunk speaks of and that fit the room.
func (q *Inquiry) know(c *prompt.Chunk, room int) error {
	if q.Known == nil {
		return nil
	}
	var text strings.Builder
	for _, l := range c.Lines {
		text.WriteString(l.Text + "\n")
	}
	found, err := q.Known(text.String())
	if err != nil {
		return fmt.Errorf("find what is known: %w", err)
	}
	c.Known = q.Prompt.Fitting(found, room)
	return nil
}

// without is a text without some spans of it.
func without(text string, spans []sir.Span) string {
	slices.SortFunc(spans, func(a, b sir.Span) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.Start > at {
			b.WriteString(text[at:s.Start])
		}
		at = max(at, s.End)
	}
	b.WriteString(text[at:])
	return b.String()
}
