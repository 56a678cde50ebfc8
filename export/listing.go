package export

import (
	"io"
	"slices"

	"github.com/speckl/speckl/sir"
)

// shortest is the fewest characters of an id that are printed.
const shortest = 8

// ShortIDs returns a function that cuts ids to the fewest characters, from
// eight on, that tell the document's elements apart.
func ShortIDs(d *Document) func(id string) string {
	ids := make([]string, len(d.Elements))
	for i, e := range d.Elements {
		ids[i] = e.ID
	}
	slices.Sort(ids)
	n := shortest
	for i := 1; i < len(ids); i++ {
		n = max(n, 1+shared(ids[i-1], ids[i]))
	}
	return func(id string) string { return id[:min(n, len(id))] }
}

// shared is how many bytes two texts begin with alike.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// List writes the document's elements, of every status that it holds, one a
// line: its id as short makes it (see [ShortIDs]), confidence, type, what it
// is, and its marks. It returns w's error.
func List(w io.Writer, d *Document, short func(id string) string, o TextOptions) error {
	l := lister{view: bare(d), painter: newPainter(o)}
	kind := 0
	for _, e := range d.Elements {
		kind = max(kind, width(plain(e.ElementType)))
	}
	for _, e := range d.Elements {
		l.paint(run{short(e.ID), dim})
		l.paint(run{"  " + padLeft(e.Confidence.String(), 6), confidenceStyle(e.Confidence)})
		l.paint(run{"  " + pad(plain(e.ElementType), kind) + "  ", none})
		l.line(l.named(e)...)
		if err := l.drain(w); err != nil {
			return err
		}
	}
	return nil
}

// ElementsJSON writes the same as one object with the list "elements", each in
// the shape that it has in [JSON]. It returns w's error.
func ElementsJSON(w io.Writer, d *Document) error {
	j := newJSONWriter(w)
	j.raw(`{"document":`)
	j.value(d.Header)
	list(j, "elements", len(d.Elements), func(i int) any { return d.elementShape(d.Elements[i]) })
	j.raw("}\n")
	return j.flush()
}

// Element is an element in the shape that it has in [JSON], to be encoded with
// encoding/json.
func Element(d *Document, e *sir.Element) any { return d.elementShape(e) }

// Hits writes the document's elements as a search shows them: the document's
// name, what each is, and its first words. It returns the first error of w or
// of the document's turns.
func Hits(w io.Writer, d *Document, o TextOptions) error {
	v, err := over(d, func(v *view) {
		for _, e := range d.Elements {
			if len(e.Evidence) > 0 {
				v.want(e.Evidence[0].TurnID)
			}
		}
	})
	if err != nil {
		return err
	}
	l := lister{view: v, painter: newPainter(o)}
	for _, e := range d.Elements {
		right := []run{{confidence(e.Confidence), confidenceStyle(e.Confidence)}}
		for _, m := range standing(e) {
			right = append(right, run{" · ", dim}, run{m, markStyle(m)})
		}
		l.ends(0, []run{{plain(d.Header.Name) + "  ", bold}, {plain(e.ElementType) + "  ", none}, {plain(d.label(e)), cyan}}, right)
		if len(e.Evidence) > 0 {
			l.quote(4, e.Evidence[0].Quote, v.who(e.Evidence[0].TurnID))
		}
	}
	return l.drain(w)
}

// lister lays out one thing a line or a few.
type lister struct {
	*view
	painter
}

// named is an element in words, with its marks.
func (l *lister) named(e *sir.Element) []run {
	out := []run{{plain(l.doc.label(e)), cyan}}
	for i, m := range standing(e) {
		sep := " · "
		if i == 0 {
			sep = "  "
		}
		out = append(out, run{sep, dim}, run{m, markStyle(m)})
	}
	return out
}

// standing are an element's marks, and its status where it is not live.
func standing(e *sir.Element) []string {
	if !e.Status.Live() {
		return []string{ended(e.Status)}
	}
	return marks(e)
}

// ended says in a word how an element that is not live has ended.
func ended(s sir.Status) string {
	if s == sir.Error {
		return "rejected"
	}
	return string(s)
}

// bare is a view without looking anything up.
func bare(d *Document) *view {
	return &view{doc: d, byID: map[string]*sir.Element{}, places: map[string]place{}}
}

// over is a view that knows who spoke the turns that want names. It returns
// the error of the document's turns.
func over(d *Document, want func(v *view)) (*view, error) {
	v := bare(d)
	for _, e := range d.Elements {
		v.byID[e.ID] = e
	}
	want(v)
	return v, v.readTurns()
}
