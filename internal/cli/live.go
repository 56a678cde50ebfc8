package cli

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// live prints what results change, a line each, as they come.
type live struct {
	a    *app
	d    *desk
	form string
	doc  *export.Document
	// said tells who spoke the newest turns: a result is about one of them.
	said map[string]string
	ring []string
	enc  *json.Encoder
}

// liveTurns is how many turns are remembered: more than are read ahead.
const liveTurns = 1024

func newLive(a *app, d *desk, form string) *live {
	l := &live{a: a, d: d, form: form, doc: d.View(export.Document{}), said: map[string]string{}, enc: json.NewEncoder(a.stdout)}
	l.enc.SetEscapeHTML(false)
	return l
}

// seen remembers who speaks the turns that pass.
func (l *live) seen(turns iter.Seq2[sir.Turn, error]) iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		for t, err := range turns {
			if err == nil {
				if len(l.ring) == liveTurns {
					delete(l.said, l.ring[0])
					l.ring = l.ring[1:]
				}
				l.ring = append(l.ring, t.ID)
				l.said[t.ID] = who(&t, 1)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// result prints a result's changes and questions.
func (l *live) result(r *sir.Result) error {
	for _, part := range []struct {
		sign    string
		changes []sir.Change
	}{{"+", r.Added}, {"~", r.Refined}, {"-", r.Deprecated}} {
		for _, c := range part.changes {
			if c.Element == nil {
				continue
			}
			if err := l.change(part.sign, c.Element, r.SourceTurnIDs); err != nil {
				return err
			}
		}
	}
	if l.form == "jsonl" {
		return nil
	}
	for _, q := range r.Clarifications {
		fmt.Fprintf(l.a.stdout, "? %d. %s\n", q.Number, safe(q.Question))
	}
	for _, c := range r.Conflicts {
		fmt.Fprintf(l.a.stdout, "! %s\n", safe(c.Description))
	}
	return nil
}

// change prints an element with the words of the turns that changed it.
func (l *live) change(sign string, e *sir.Element, turns []string) error {
	if l.form == "jsonl" {
		return l.enc.Encode(export.Element(l.doc, e))
	}
	line := fmt.Sprintf("%s %s  %s  %s", sign, e.ElementType, l.doc.Labels(e), e.Confidence)
	for i := len(e.Evidence) - 1; i >= 0; i-- {
		ev := e.Evidence[i]
		if said, ok := l.said[ev.TurnID]; ok {
			line += fmt.Sprintf("  “%s” — %s", ev.Quote, said)
			break
		}
	}
	_, err := fmt.Fprintln(l.a.stdout, safe(line))
	return err
}
