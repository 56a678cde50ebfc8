package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
)

// Event is one entry of an element's history, with its place in the log
// where there is one.
type Event struct {
	Element *sir.Element
	Entry   *sir.Entry
	// Seq and DocVersion are those of the record that brought it; 0 for a
	// document without its log.
	Seq        int64
	DocVersion int
	// RecordedAt is when, Unix ms; nil where nothing told.
	RecordedAt *int64
}

// Events lists the histories of elements as one: in the order of the turns,
// and of one turn in the elements' order. The caller may give them their
// places in the log, and [SortEvents] then.
// It returns the error of the document's turns.
func Events(d *Document, elements []*sir.Element) ([]Event, error) {
	position := map[string]int{}
	var out []Event
	for _, e := range elements {
		for i := range e.Provenance.Entries {
			out = append(out, Event{Element: e, Entry: &e.Provenance.Entries[i]})
			position[e.Provenance.Entries[i].TurnID] = -1
		}
	}
	if d.Turns != nil && len(out) > 0 {
		n := 0
		for t, err := range d.Turns {
			if err != nil {
				return nil, fmt.Errorf("read turns: %w", err)
			}
			if _, ok := position[t.ID]; ok {
				position[t.ID] = n
			}
			n++
		}
	}
	slices.SortStableFunc(out, func(a, b Event) int { return cmp.Compare(position[a.Entry.TurnID], position[b.Entry.TurnID]) })
	return out, nil
}

// SortEvents puts events into the order of the log.
func SortEvents(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Seq, b.Seq) })
}

// History writes events for reading: the document's version, what happened to
// which element, and under it by whom and what changed.
// It returns the first error of w or of the document's turns.
func History(w io.Writer, d *Document, events []Event, o TextOptions) error {
	v, err := over(d, func(v *view) {
		for _, x := range events {
			v.want(x.Entry.TurnID)
			v.wantAll(x.Element.Evidence)
		}
	})
	if err != nil {
		return err
	}
	p := historyWriter{lister{view: v, painter: newPainter(o)}, 0}
	for _, x := range events {
		if x.DocVersion > 0 {
			p.version = max(p.version, len(fmt.Sprint(x.DocVersion))+3)
		}
	}
	for _, x := range events {
		p.event(x)
		if err := p.drain(w); err != nil {
			return err
		}
	}
	return nil
}

type historyWriter struct {
	lister
	version int // the width of the column of versions, 0 for none
}

func (p *historyWriter) event(x Event) {
	e, n := x.Element, x.Entry
	var runs []run
	if p.version > 0 {
		runs = append(runs, run{pad(fmt.Sprintf("v%d", x.DocVersion), p.version), dim})
	}
	what := string(n.Action)
	if n.Action == sir.ActionDeprecated && strings.HasPrefix(n.ExtractionRationale, "Marked as error") {
		what = "rejected"
	}
	runs = append(runs, run{pad(what, len(sir.ActionDeprecated)+2), actionStyle(n)}, run{plain(e.ElementType) + "  ", none},
		run{plain(p.doc.label(e)), cyan}, run{"  " + n.ConfidenceAtTime.String(), confidenceStyle(n.ConfidenceAtTime)})
	p.wrap(0, p.version+4, runs...)
	by := p.who(n.TurnID)
	if c := n.Attribution.Component; c != "" {
		by += ", by " + c
	}
	if n.Diff != nil {
		for _, c := range n.Diff.Changes {
			p.wrap(p.version+2, p.version+6, run{fieldName(c.Field) + ": ", dim}, run{plain(known(c.OldValue)), none}, run{" → ", dim}, run{plain(known(c.NewValue)), none})
		}
	}
	for i := range e.Evidence {
		if ev := &e.Evidence[i]; ev.TurnID == n.TurnID {
			p.quote(p.version+2, ev.Quote, by)
			return
		}
	}
	if n.ExtractionRationale != "" {
		by += ": " + n.ExtractionRationale
	}
	p.wrap(p.version+2, p.version+6, run{plain(by), dim})
}

func actionStyle(n *sir.Entry) style {
	switch n.Action {
	case sir.ActionConfirmed, sir.ActionResolved:
		return green
	case sir.ActionDeprecated, sir.ActionReplaced:
		return red
	case sir.ActionFlagged:
		return yellow
	}
	return none
}

// fieldName strips the element's type from the name of a changed field.
func fieldName(name string) string {
	if _, field, ok := strings.Cut(name, "."); ok {
		return words(field)
	}
	return words(name)
}

// known is a value as a person reads it; unknown is "nothing".
func known(v any) string { return cmp.Or(valueText(v), "nothing") }

// HistoryJSONL writes events, one a line.
// It returns w's error.
func HistoryJSONL(w io.Writer, d *Document, events []Event) error {
	j := newJSONWriter(w)
	for _, x := range events {
		j.value(d.eventShape(x))
		j.raw("\n")
	}
	return j.flush()
}

// HistoryJSON writes events as one object with the list "events".
// It returns w's error.
func HistoryJSON(w io.Writer, d *Document, events []Event) error {
	j := newJSONWriter(w)
	j.raw(`{"document":`)
	j.value(d.Header)
	list(j, "events", len(events), func(i int) any { return d.eventShape(events[i]) })
	j.raw("}\n")
	return j.flush()
}

type eventShape struct {
	Seq         int64       `json:"seq,omitempty"`
	DocVersion  int         `json:"docVersion,omitempty"`
	RecordedAt  *int64      `json:"recordedAt,omitempty"`
	ElementID   string      `json:"elementId"`
	ElementType string      `json:"elementType"`
	Label       string      `json:"label"`
	Status      sir.Status  `json:"status"`
	Outcome     sir.Outcome `json:"outcome"`
	sir.Entry
}

func (d *Document) eventShape(x Event) eventShape {
	e := x.Element
	return eventShape{Seq: x.Seq, DocVersion: x.DocVersion, RecordedAt: x.RecordedAt, ElementID: e.ID, ElementType: e.ElementType,
		Label: d.label(e), Status: e.Status, Outcome: e.Outcome(), Entry: *x.Entry}
}
