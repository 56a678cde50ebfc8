package export

import (
	"io"
	"slices"

	"github.com/speckl/speckl/sir"
)

// Comparison is what is different between two states of a document.
type Comparison struct {
	Old, New *Document
	// Added are live in New and were not in Old.
	Added []*sir.Element
	// Changed are live in both, with other data, status or confidence.
	Changed []Changed
	// Ended were live in Old and are not in New: there as they ended, or as
	// they were where New does not have them at all.
	Ended []*sir.Element
	// Same counts the live elements that did not change.
	Same int
}

// Changed is an element in both states.
type Changed struct {
	Old, New *sir.Element
	// Changes are those of the data, named "type.field", then those of
	// "status" and "confidence" and the number of "evidence".
	Changes []sir.FieldChange
}

// Compare compares two states. Elements are the same by id; those of two
// documents by domain, type and identity key.
func Compare(old, new *Document) *Comparison {
	c := &Comparison{Old: old, New: new}
	name := identity(old.Header.ID == new.Header.ID)
	was, is := byName(old, name), byName(new, name)
	for _, e := range new.Elements {
		o := was[name(e)]
		switch live := o != nil && o.Status.Live(); {
		case is[name(e)] != e: // an earlier one of its name
		case e.Status.Live() && !live:
			c.Added = append(c.Added, e)
		case !e.Status.Live() && live:
			c.Ended = append(c.Ended, e)
		case live:
			if x := changes(o, e); len(x) > 0 {
				c.Changed = append(c.Changed, Changed{o, e, x})
			} else {
				c.Same++
			}
		}
	}
	for _, e := range old.Elements {
		if e.Status.Live() && is[name(e)] == nil {
			c.Ended = append(c.Ended, e)
		}
	}
	return c
}

// byName finds elements; of several of a name the live one, else the newest.
func byName(d *Document, name func(*sir.Element) string) map[string]*sir.Element {
	out := map[string]*sir.Element{}
	for _, e := range d.Elements {
		if o := out[name(e)]; o == nil || e.Status.Live() || !o.Status.Live() {
			out[name(e)] = e
		}
	}
	return out
}

// identity names elements: by id in one document, by what they are in two.
func identity(same bool) func(*sir.Element) string {
	return func(e *sir.Element) string {
		if same || len(e.Keys) == 0 {
			return e.ID
		}
		return e.Domain + "\x00" + e.ElementType + "\x00" + e.Keys[len(e.Keys)-1]
	}
}

// changes lists what is different between two states of an element.
func changes(old, new *sir.Element) []sir.FieldChange {
	out := sir.Changes(old.Data, new.Data, new.ElementType, "")
	note := func(field string, was, is any) {
		if was != is {
			out = append(out, sir.FieldChange{Field: field, OldValue: was, NewValue: is})
		}
	}
	note("status", string(old.Status), string(new.Status))
	note("confidence", old.Confidence, new.Confidence)
	note("evidence", len(old.Evidence), len(new.Evidence))
	return out
}

// Empty reports whether nothing is different.
func (c *Comparison) Empty() bool { return len(c.Added)+len(c.Changed)+len(c.Ended) == 0 }

// Text writes what is different: "+" what was added, "~" what changed and
// how, "-" what ended and why. It returns the first error of w or of the
// documents' turns.
func (c *Comparison) Text(w io.Writer, o TextOptions) error {
	v, err := over(c.New, func(v *view) {
		for _, e := range slices.Concat(c.Added, c.Ended) {
			v.wantAll(e.Evidence)
		}
		for _, x := range c.Changed {
			v.wantAll(x.New.Evidence)
		}
		for _, e := range c.Ended {
			for _, n := range e.Provenance.Entries {
				v.want(n.TurnID)
			}
		}
	})
	if err != nil {
		return err
	}
	p := compareWriter{lister{view: v, painter: newPainter(o)}}
	for _, e := range c.Added {
		p.head("+ ", green, e)
		p.said(e, e.Evidence)
	}
	for _, x := range c.Changed {
		p.head("~ ", yellow, x.New)
		p.changes(x)
	}
	for _, e := range c.Ended {
		p.head("- ", red, e)
		p.end(e)
	}
	return p.drain(w)
}

type compareWriter struct{ lister }

func (p *compareWriter) head(sign string, s style, e *sir.Element) {
	p.wrap(0, 6, append([]run{{sign, s}, {plain(e.ElementType) + "  ", none}}, p.named(e)...)...)
}

// said quotes the newest words.
func (p *compareWriter) said(e *sir.Element, words []sir.Evidence) {
	if n := len(words); n > 0 {
		p.quote(4, words[n-1].Quote, p.who(words[n-1].TurnID))
	}
}

func (p *compareWriter) changes(x Changed) {
	for _, c := range x.Changes {
		p.wrap(4, 8, run{fieldName(c.Field) + ": ", dim}, run{plain(known(c.OldValue)), none}, run{" → ", dim}, run{plain(known(c.NewValue)), none})
	}
	if len(x.New.Evidence) > len(x.Old.Evidence) {
		p.said(x.New, x.New.Evidence)
	}
}

// end says how an element ended: by its newest entry.
func (p *compareWriter) end(e *sir.Element) {
	n := len(e.Provenance.Entries)
	if e.Status.Live() || n == 0 {
		p.wrap(4, 8, run{"is not there", dim})
		return
	}
	last := e.Provenance.Entries[n-1]
	text := p.who(last.TurnID)
	if last.ExtractionRationale != "" {
		text += ": " + last.ExtractionRationale
	}
	p.wrap(4, 8, run{plain(text), dim})
}

type endShape struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version int    `json:"version"`
	Turns   int    `json:"turns"`
}

type changedShape struct {
	ElementID   string            `json:"elementId"`
	ElementType string            `json:"elementType"`
	Label       string            `json:"label"`
	FromVersion int               `json:"fromVersion"`
	ToVersion   int               `json:"toVersion"`
	Changes     []sir.FieldChange `json:"changes"`
}

// JSON writes the comparison as one object. It returns w's error.
func (c *Comparison) JSON(w io.Writer) error {
	j := newJSONWriter(w)
	end := func(d *Document) any {
		return endShape{d.Header.ID, d.Header.Name, d.Header.Version, d.Stats.TotalTurns}
	}
	j.raw(`{"old":`)
	j.value(end(c.Old))
	j.key("new")
	j.value(end(c.New))
	list(j, "added", len(c.Added), func(i int) any { return c.New.elementShape(c.Added[i]) })
	list(j, "changed", len(c.Changed), func(i int) any {
		x := c.Changed[i]
		return changedShape{x.New.ID, x.New.ElementType, c.New.label(x.New), x.Old.Version, x.New.Version, x.Changes}
	})
	list(j, "ended", len(c.Ended), func(i int) any { return c.New.elementShape(c.Ended[i]) })
	j.key("same")
	j.value(c.Same)
	j.raw("}\n")
	return j.flush()
}
