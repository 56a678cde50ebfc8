package export

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/speckl/speckl/sir"
)

// blamed is a turn and the elements that its words support.
type blamed struct {
	turn     *sir.Turn
	elements []*sir.Element
}

// Blame writes who said what: the turns whose words are evidence of at least
// n elements (0 counts as 1), in order, each with these elements and the
// words. It returns the first error of w or of the document's turns.
func Blame(w io.Writer, d *Document, n int, o TextOptions) error {
	p := lister{view: bare(d), painter: newPainter(o)}
	first := true
	for b, err := range blame(d, n) {
		if err != nil {
			return err
		}
		if !first {
			p.line()
		}
		first = false
		p.places[b.turn.ID] = place{pos: 1, seq: b.turn.Seq, session: b.turn.SessionID, speaker: speaker(b.turn), act: b.turn.IsAct()}
		p.line(run{plain(p.who(b.turn.ID)), bold}, run{"  " + count(len(b.elements), "element"), dim})
		for _, e := range b.elements {
			p.wrap(2, 6, append([]run{{plain(e.ElementType) + "  ", dim}}, p.named(e)...)...)
			for _, ev := range e.Evidence {
				if ev.TurnID == b.turn.ID {
					p.quote(4, ev.Quote, "")
				}
			}
		}
		if err := p.drain(w); err != nil {
			return err
		}
	}
	return nil
}

// BlameJSONL writes the same, a turn a line.
// It returns the first error of w or of the document's turns.
func BlameJSONL(w io.Writer, d *Document, n int) error {
	j := newJSONWriter(w)
	for b, err := range blame(d, n) {
		if err != nil {
			return err
		}
		j.value(d.blameShape(b))
		j.raw("\n")
	}
	return j.flush()
}

// BlameJSON writes the same as one object with the list "turns".
// It returns the first error of w or of the document's turns.
func BlameJSON(w io.Writer, d *Document, n int) error {
	j := newJSONWriter(w)
	j.raw(`{"document":`)
	j.value(d.Header)
	stream(j, "turns", blame(d, n), func(b blamed) any { return d.blameShape(b) })
	j.raw("}\n")
	return j.flush()
}

// blame yields the turns with at least n elements in the document's order.
func blame(d *Document, n int) iter.Seq2[blamed, error] {
	return func(yield func(blamed, error) bool) {
		behind := map[string]bool{}
		for _, c := range sir.TurnsBehind(slices.Values(d.Elements), max(n, 1)-1) {
			behind[c.TurnID] = true
		}
		by := map[string][]*sir.Element{}
		for _, e := range d.Elements {
			for _, ev := range e.Evidence {
				if at := by[ev.TurnID]; behind[ev.TurnID] && (len(at) == 0 || at[len(at)-1] != e) {
					by[ev.TurnID] = append(at, e)
				}
			}
		}
		if d.Turns == nil || len(by) == 0 {
			return
		}
		for t, err := range d.Turns {
			if err != nil {
				yield(blamed{}, fmt.Errorf("read turns: %w", err))
				return
			}
			if es := by[t.ID]; es != nil {
				slices.SortStableFunc(es, func(a, b *sir.Element) int { return cmp.Compare(start(a, t.ID), start(b, t.ID)) })
				if !yield(blamed{t, es}, nil) {
					return
				}
			}
		}
	}
}

// start is where the first words of a turn for an element begin.
func start(e *sir.Element, turnID string) int {
	at := -1
	for _, ev := range e.Evidence {
		if ev.TurnID == turnID && (at < 0 || ev.Bytes[0] < at) {
			at = ev.Bytes[0]
		}
	}
	return at
}

type blameShape struct {
	TurnID      string         `json:"turnId"`
	SessionID   string         `json:"sessionId"`
	Seq         int            `json:"seq"`
	Timestamp   *int64         `json:"timestamp"`
	Speaker     sir.Role       `json:"speaker"`
	SpeakerName *string        `json:"speakerName"`
	Elements    []blameElement `json:"elements"`
}

type blameElement struct {
	ID          string         `json:"id"`
	ElementType string         `json:"elementType"`
	Label       string         `json:"label"`
	Status      sir.Status     `json:"status"`
	Confidence  sir.Confidence `json:"confidence"`
	Evidence    []sir.Evidence `json:"evidence"`
}

func (d *Document) blameShape(b blamed) blameShape {
	t := b.turn
	s := blameShape{TurnID: t.ID, SessionID: t.SessionID, Seq: t.Seq, Timestamp: t.Timestamp, Speaker: t.Speaker, SpeakerName: t.SpeakerName}
	s.Elements = mapped(b.elements, func(e *sir.Element) blameElement {
		x := blameElement{ID: e.ID, ElementType: e.ElementType, Label: d.label(e), Status: e.Status, Confidence: e.Confidence}
		for _, ev := range e.Evidence {
			if ev.TurnID == t.ID {
				x.Evidence = append(x.Evidence, ev)
			}
		}
		return x
	})
	return s
}
