package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/speckl/speckl/sir"
)

// Markdown writes the live elements for reading, in the order of [Text]. Text
// from the conversation is escaped, so that it can neither mark up nor embed
// anything. A document with nothing to show gives no output at all. It
// returns the first error of w or of the document's streams.
func Markdown(w io.Writer, d *Document) error {
	if d.Empty() {
		return nil
	}
	v, err := newView(d, nil)
	if err != nil {
		return err
	}
	m := mdWriter{view: v, w: bufio.NewWriter(w)}
	m.printf("# %s\n\n%s\n", md(cmp.Or(d.Header.Name, "Conversation")), md(v.summary()))
	for _, g := range v.groups {
		m.printf("\n## %s\n", md(g.title))
		for _, e := range g.elements {
			m.element(e)
		}
	}
	m.unclear()
	if len(v.drops) > 0 {
		m.printf("\n## Left out\n\n")
		for _, x := range v.drops {
			m.printf("- %d %s\n", x.n, md(dropWords(x.reason)))
		}
	}
	if len(v.degraded) > 0 {
		m.printf("\nDegraded: %s.\n", md(strings.Join(v.degraded, "; ")))
	}
	return m.w.Flush() // which also returns the first error of a write
}

type mdWriter struct {
	*view
	w *bufio.Writer
}

func (m *mdWriter) printf(format string, args ...any) { fmt.Fprintf(m.w, format, args...) }

func (m *mdWriter) element(e *sir.Element) {
	m.printf("\n- **%s** — %s\n", md(m.doc.label(e)), strings.Join(append([]string{confidence(e.Confidence)}, marks(e)...), ", "))
	for i, ev := range e.Evidence {
		if i == quotesShown && len(e.Evidence) > quotesShown+1 {
			m.printf("\n  and %d more\n", len(e.Evidence)-quotesShown)
			break
		}
		who := m.who(ev.TurnID)
		if note := m.evidenceNote(e, i); note != "" {
			who += " (" + note + ")"
		}
		m.quote("  ", ev.Quote, who)
	}
	for i, r := range m.openReadings(e) {
		if i == 0 {
			m.printf("\n  It could mean:\n")
		}
		m.printf("  %d. %s (%s)\n", i+1, md(cmp.Or(r.Rationale, m.doc.labelOf(r.ElementType, r.Data))), confidence(r.Confidence))
	}
}

// quote is a block quote with its source on a line of its own.
func (m *mdWriter) quote(indent, quote, who string) {
	m.printf("\n")
	for l := range strings.SplitSeq(visible(strings.TrimSpace(quote)), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			m.printf("%s> %s\\\n", indent, mdEscape(l))
		}
	}
	m.printf("%s> — %s\n", indent, md(who))
}

func (m *mdWriter) unclear() {
	d, gaps := m.doc, m.allGaps()
	if len(d.Clarifications)+len(d.Conflicts)+len(gaps)+len(d.Candidates) == 0 {
		return
	}
	m.printf("\n## Unclear\n")
	for _, c := range d.Clarifications {
		m.printf("\n- **Question %d.** %s\n", c.Number, md(c.Question))
		if c.Context != "" {
			m.quote("  ", c.Context, m.who(c.SourceTurnID))
		}
		if len(c.Options) > 0 {
			m.printf("\n")
		}
		for i, o := range c.Options {
			m.printf("  %d. %s\n", i+1, md(o))
		}
	}
	for _, c := range d.Conflicts {
		m.printf("\n- **Contradiction.** %s\n", md(cmp.Or(c.Question, c.Description, "Two statements conflict.")))
		if e := m.byID[c.ExistingElementID]; e != nil && len(e.Evidence) > 0 {
			last := e.Evidence[len(e.Evidence)-1]
			m.quote("  ", last.Quote, m.who(last.TurnID))
		}
		if in := c.IncomingCandidate.Evidence; len(in) > 0 {
			m.quote("  ", in[0].Quote, m.who(in[0].TurnID))
		}
	}
	for _, g := range gaps {
		m.printf("\n- %s\n", md(g.question))
	}
	if n := len(d.Candidates); n > 0 {
		m.printf("\n- %s, too uncertain to be in the document yet.\n", heldBack(n))
	}
}

// md is text on one line, escaped.
func md(s string) string { return mdEscape(plain(s)) }

var mdSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `#`, `\#`, `|`, `\|`, `~`, `\~`, `$`, `\$`,
	`<`, `&lt;`, `>`, `&gt;`, `&`, `&amp;`, "://", ":&#47;&#47;", "www.", "www&#46;", `@`, `&#64;`,
)

// mdEscape escapes what Markdown would read as markup, also a list marker at
// the start of a line, and links that some readers make of bare addresses.
func mdEscape(s string) string {
	out := mdSpecial.Replace(s)
	i := 0
	for i < len(out) && out[i] >= '0' && out[i] <= '9' {
		i++
	}
	if i < len(out) && (i > 0 && (out[i] == '.' || out[i] == ')') || i == 0 && (out[i] == '-' || out[i] == '+' || out[i] == '=')) {
		out = out[:i] + `\` + out[i:]
	}
	return out
}
