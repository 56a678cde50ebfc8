package export

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/speckl/speckl/sir"
)

// TextOptions set how [Text] looks; the zero value is plain, 80 columns wide.
type TextOptions struct {
	// Color uses ANSI colours.
	Color bool
	// Quiet prints what was found and nothing else.
	Quiet bool
	// Width in columns: 0 is 80; it is held between 40 and 100.
	Width int
}

// quotesShown is how many quotes of an element text and Markdown print.
const quotesShown = 3

// Text writes the live elements for a terminal: by type, each with the words
// that support it and who said them; then what is unclear, what was left out,
// and a summary. A document with nothing to show gives no output at all. It
// returns the first error of w or of the document's streams.
func Text(w io.Writer, d *Document, o TextOptions) error {
	if d.Empty() {
		return nil
	}
	v, err := newView(d, nil)
	if err != nil {
		return err
	}
	t := textWriter{view: v, painter: newPainter(o)}
	for i, g := range v.groups {
		if i > 0 {
			t.line()
		}
		t.heading(g.title)
		for _, e := range g.elements {
			t.element(e)
			if err := t.drain(w); err != nil {
				return err
			}
		}
	}
	if !o.Quiet {
		t.unclear()
		t.closing()
	}
	return t.drain(w)
}

type textWriter struct {
	*view
	painter
}

func (t *textWriter) element(e *sir.Element) {
	t.line()
	left := []run{{plain(t.doc.label(e)), cyan}}
	right := []run{{confidence(e.Confidence), confidenceStyle(e.Confidence)}}
	for _, m := range marks(e) {
		right = append(right, run{" · ", dim}, run{m, markStyle(m)})
	}
	t.ends(2, left, right)
	for i, ev := range e.Evidence {
		if i == quotesShown && len(e.Evidence) > quotesShown+1 {
			t.wrap(4, 4, run{fmt.Sprintf("and %d more", len(e.Evidence)-quotesShown), dim})
			break
		}
		t.quote(4, ev.Quote, t.attribution(e, i))
	}
	for i, r := range t.openReadings(e) {
		lead := fmt.Sprintf("%d) ", i+1)
		if i == 0 {
			t.wrap(4, 4, run{"It could mean:", none})
		}
		t.wrap(6, 6+len(lead), run{lead, dim}, run{plain(cmp.Or(r.Rationale, t.doc.labelOf(r.ElementType, r.Data))), none},
			run{"  " + confidence(r.Confidence), dim})
	}
}

// attribution is who said the i-th words, and what they are for.
func (t *textWriter) attribution(e *sir.Element, i int) string {
	who := t.who(e.Evidence[i].TurnID)
	if note := t.evidenceNote(e, i); note != "" {
		who += " (" + note + ")"
	}
	return who
}

// unclear prints what waits for a person, and what was held back.
func (t *textWriter) unclear() {
	d, gaps := t.doc, t.allGaps()
	if len(d.Clarifications)+len(d.Conflicts)+len(gaps)+len(d.Candidates) == 0 {
		return
	}
	if t.live > 0 {
		t.line()
	}
	t.heading("Unclear")
	for _, c := range d.Clarifications {
		t.line()
		lead := fmt.Sprintf("%d. ", c.Number)
		t.wrap(2, 2+len(lead), run{lead, bold}, run{plain(c.Question), none})
		if c.Context != "" {
			t.quote(4, c.Context, t.who(c.SourceTurnID))
		}
		for i, o := range c.Options {
			lead := fmt.Sprintf("%d) ", i+1)
			t.wrap(6, 6+len(lead), run{lead, dim}, run{plain(o), none})
		}
	}
	for _, c := range d.Conflicts {
		t.conflict(c)
	}
	if len(gaps) > 0 {
		t.line()
	}
	for _, g := range gaps {
		t.wrap(2, 4, run{"? ", yellow}, run{plain(g.question), none})
	}
	if n := len(d.Candidates); n > 0 {
		t.line()
		t.wrap(2, 4, run{fmt.Sprintf("%s, too uncertain to be in the document yet; -o json and -o html show what.",
			heldBack(n)), dim})
	}
}

func heldBack(n int) string {
	if n == 1 {
		return "1 more thing was seen"
	}
	return strings.TrimSuffix(count(n, ""), " s") + " more things were seen"
}

// conflict prints both sides.
func (t *textWriter) conflict(c sir.Conflict) {
	t.line()
	title := cmp.Or(c.Question, c.Description, "Two statements conflict.")
	t.wrap(2, 4, run{"! ", red}, run{plain(title), none})
	if e := t.byID[c.ExistingElementID]; e != nil && len(e.Evidence) > 0 {
		last := e.Evidence[len(e.Evidence)-1]
		t.quote(4, last.Quote, t.who(last.TurnID))
	}
	if in := c.IncomingCandidate.Evidence; len(in) > 0 {
		t.quote(4, in[0].Quote, t.who(in[0].TurnID))
	}
}

// closing prints what was left out, what went wrong, and the summary.
func (t *textWriter) closing() {
	t.line()
	if len(t.drops) > 0 {
		t.wrap(0, 2, run{"Left out: " + t.dropLine() + ".", dim})
	}
	if len(t.degraded) > 0 {
		t.wrap(0, 2, run{"Degraded: " + plain(strings.Join(t.degraded, "; ")) + ".", yellow})
	}
	t.wrap(0, 2, run{t.summary(), none})
}

func confidenceStyle(c sir.Confidence) style {
	switch {
	case c >= 8500:
		return green
	case c >= 6000:
		return none
	}
	return yellow
}

func markStyle(m string) style {
	switch m {
	case "confirmed":
		return green
	case "contradicted":
		return red
	case "ambiguous":
		return yellow
	}
	return dim
}
