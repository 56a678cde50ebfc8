package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/speckl/speckl/sir"
)

// InboxOptions say how [Inbox] and [InboxJSON] name what a person may do.
type InboxOptions struct {
	TextOptions
	// Command is the call of a verb ("answer", "confirm") on the document; nil
	// names none, as for a document that is not stored.
	Command func(verb string, args ...string) string
}

// Inbox writes what waits for a person, each with the commands that deal with
// it: open questions, contradictions with both sides, and elements that need
// a look and are in neither. A document where nothing waits gives no output.
// It returns the first error of w or of the document's turns.
func Inbox(w io.Writer, d *Document, o InboxOptions) error {
	in, err := newInbox(d, o)
	if err != nil {
		return err
	}
	p := inboxWriter{inbox: in, painter: newPainter(o.TextOptions)}
	p.questions()
	p.conflicts()
	p.reviews()
	if n := len(d.Candidates); n > 0 && p.sections > 0 {
		p.line()
		p.wrap(0, 2, run{heldBack(n) + " and held back as too uncertain.", dim})
	}
	return p.drain(w)
}

// InboxJSON writes the same as one object of three lists; "commands" are
// those of the options, or of the two sides.
// It returns w's error, or that of the document's turns.
func InboxJSON(w io.Writer, d *Document, o InboxOptions) error {
	in, err := newInbox(d, o)
	if err != nil {
		return err
	}
	j := newJSONWriter(w)
	j.raw(`{"document":`)
	j.value(d.Header)
	list(j, "clarifications", len(d.Clarifications), func(i int) any {
		c := d.Clarifications[i]
		return struct {
			clarificationShape
			Commands []string `json:"commands"`
		}{d.clarificationShape(c), orEmpty(in.answers(&c))}
	})
	list(j, "conflicts", len(d.Conflicts), func(i int) any {
		c := d.Conflicts[i]
		return struct {
			conflictShape
			Commands []string `json:"commands"`
		}{d.conflictShape(c), in.sides(&c)}
	})
	list(j, "review", len(in.review), func(i int) any {
		e := in.review[i]
		return struct {
			elementShape
			Commands []string `json:"commands"`
		}{d.elementShape(e), orEmpty(in.decisions(e))}
	})
	j.raw("}\n")
	return j.flush()
}

// inbox is what waits, with who said it.
type inbox struct {
	*view
	InboxOptions
	short  func(string) string
	review []*sir.Element
}

func newInbox(d *Document, o InboxOptions) (*inbox, error) {
	in := &inbox{InboxOptions: o, short: ShortIDs(d)}
	asked := map[string]bool{}
	for _, c := range d.Clarifications {
		for _, id := range c.ElementIDs {
			asked[id] = true
		}
	}
	for _, c := range d.Conflicts {
		asked[c.ExistingElementID] = true
	}
	for _, e := range d.Elements {
		if e.Status.Live() && e.Flags.NeedsReview && !asked[e.ID] {
			in.review = append(in.review, e)
		}
	}
	var err error
	in.view, err = over(d, func(v *view) {
		for _, c := range d.Clarifications {
			v.want(c.SourceTurnID)
		}
		for _, c := range d.Conflicts {
			v.wantAll(c.IncomingCandidate.Evidence)
			if e := v.byID[c.ExistingElementID]; e != nil {
				v.wantAll(e.Evidence)
			}
		}
		for _, e := range in.review {
			v.wantAll(e.Evidence)
		}
	})
	return in, err
}

// answers are the commands that choose the options of a question.
func (in *inbox) answers(c *sir.Clarification) []string {
	if in.Command == nil {
		return nil
	}
	var out []string
	for i := range c.Options {
		out = append(out, in.Command("answer", fmt.Sprint(c.Number), fmt.Sprint(i+1)))
	}
	return out
}

// sides are the commands for what stands and for what was said against it.
func (in *inbox) sides(c *sir.Conflict) []string {
	if in.Command == nil {
		return []string{}
	}
	id := in.short(c.ExistingElementID)
	out := []string{in.Command("confirm", id)}
	if d := c.IncomingCandidate.Diff; d != nil && len(d.Changes) > 0 {
		args := []string{id}
		for _, x := range d.Changes {
			args = append(args, assignment(x))
		}
		out = append(out, in.Command("correct", args...))
	}
	return out
}

// decisions are the commands that settle an element.
func (in *inbox) decisions(e *sir.Element) []string {
	if in.Command == nil {
		return nil
	}
	id := in.short(e.ID)
	var out []string
	for i := range in.openReadings(e) {
		out = append(out, in.Command("resolve", id, fmt.Sprint(i+1)))
	}
	if len(out) == 0 {
		out = append(out, in.Command("confirm", id))
	}
	return append(out, in.Command("reject", id))
}

// assignment is FIELD=VALUE as the command "correct" reads it: text stands as
// it is unless it would read as JSON.
func assignment(c sir.FieldChange) string {
	_, field, ok := strings.Cut(c.Field, ".")
	if !ok {
		field = c.Field
	}
	if s, ok := c.NewValue.(string); ok && s != "" && !json.Valid([]byte(s)) {
		return field + "=" + s
	}
	b, err := json.Marshal(c.NewValue)
	if err != nil {
		return field + "=null"
	}
	return field + "=" + string(b)
}

// inboxWriter lays the inbox out.
type inboxWriter struct {
	*inbox
	painter
	sections int
}

func (p *inboxWriter) section(title string, n int) {
	if p.sections++; p.sections > 1 {
		p.line()
	}
	p.line(run{title, bold}, run{fmt.Sprintf(" (%d)", n), dim})
}

func (p *inboxWriter) questions() {
	if len(p.doc.Clarifications) > 0 {
		p.section("Questions", len(p.doc.Clarifications))
	}
	for i := range p.doc.Clarifications {
		c := &p.doc.Clarifications[i]
		p.line()
		lead := fmt.Sprintf("%d. ", c.Number)
		p.wrap(2, 2+len(lead), run{lead, bold}, run{plain(c.Question), none})
		if c.Context != "" {
			p.quote(4, c.Context, p.who(c.SourceTurnID))
		}
		commands := p.answers(c)
		for i, o := range c.Options {
			left := []run{{fmt.Sprintf("%d) ", i+1), dim}, {plain(o), none}}
			if commands == nil {
				p.wrap(6, 9, left...)
			} else {
				p.ends(6, left, []run{{plain(commands[i]), cyan}})
			}
		}
	}
}

func (p *inboxWriter) conflicts() {
	if len(p.doc.Conflicts) > 0 {
		p.section("Contradictions", len(p.doc.Conflicts))
	}
	for i := range p.doc.Conflicts {
		c := &p.doc.Conflicts[i]
		commands := p.sides(c)
		p.line()
		p.wrap(2, 4, run{"! ", red}, run{plain(cmp.Or(c.Description, c.Question, "Two statements conflict.")), none})
		if e := p.byID[c.ExistingElementID]; e != nil && len(e.Evidence) > 0 {
			last := e.Evidence[len(e.Evidence)-1]
			p.side(commands, 0, "it holds", last)
		}
		if ev := c.IncomingCandidate.Evidence; len(ev) > 0 {
			p.side(commands, 1, "this holds instead", ev[0])
		}
	}
}

// side is one side of a contradiction, with the command that takes it.
func (p *inboxWriter) side(commands []string, i int, what string, ev sir.Evidence) {
	p.quote(4, ev.Quote, p.who(ev.TurnID))
	if i < len(commands) {
		p.ends(6, []run{{what, dim}}, []run{{plain(commands[i]), cyan}})
	}
}

func (p *inboxWriter) reviews() {
	if len(p.review) > 0 {
		p.section("To review", len(p.review))
	}
	for _, e := range p.review {
		p.line()
		right := []run{{confidence(e.Confidence), confidenceStyle(e.Confidence)}}
		for _, m := range marks(e) {
			if m != "needs review" {
				right = append(right, run{" · ", dim}, run{m, markStyle(m)})
			}
		}
		p.ends(2, []run{{plain(e.ElementType) + "  ", dim}, {plain(p.doc.label(e)), cyan}}, right)
		if n := len(e.Evidence); n > 0 {
			p.quote(4, e.Evidence[n-1].Quote, p.who(e.Evidence[n-1].TurnID))
		}
		commands := p.decisions(e)
		readings := p.openReadings(e)
		for i, r := range readings {
			left := []run{{fmt.Sprintf("%d) ", i+1), dim}, {plain(cmp.Or(r.Rationale, p.doc.labelOf(r.ElementType, r.Data))), none}}
			if commands == nil {
				p.wrap(6, 9, left...)
			} else {
				p.ends(6, left, []run{{plain(commands[i]), cyan}})
			}
		}
		if len(readings) == 0 && commands != nil {
			p.ends(6, []run{{plain(commands[0]), cyan}}, []run{{"or reject, correct, deprecate", dim}})
		}
	}
}
