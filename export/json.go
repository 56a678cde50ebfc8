package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/speckl/speckl/sir"
)

// JSON writes the whole document as one JSON object: a line for each
// top-level key, and for each item of its lists, so that it can be read by
// lines and compared by lines. It returns the first error of w or of the
// document's streams.
func JSON(w io.Writer, d *Document) error {
	j := newJSONWriter(w)
	j.raw(`{"document":`)
	j.value(d.Header)
	list(j, "sessions", len(d.Sessions), func(i int) any {
		s := d.Sessions[i]
		s.Participants = orEmpty(s.Participants)
		return s
	})
	stream(j, "turns", d.Turns, func(t *sir.Turn) any { return t })
	list(j, "elements", len(d.Elements), func(i int) any { return d.elementShape(d.Elements[i]) })
	list(j, "candidates", len(d.Candidates), func(i int) any { return d.candidateShape(d.Candidates[i]) })
	list(j, "clarifications", len(d.Clarifications), func(i int) any { return d.clarificationShape(d.Clarifications[i]) })
	list(j, "conflicts", len(d.Conflicts), func(i int) any { return d.conflictShape(d.Conflicts[i]) })
	if d.Results != nil {
		stream(j, "results", Fold(d.Results), func(r ResultOrNoise) any { return d.resultShape(r) })
	}
	j.key("stats")
	j.value(d.Stats)
	j.raw("}\n")
	return j.flush()
}

// JSONL writes one element a line, of every status, in the shape that it has
// in [JSON]. It returns w's error.
func JSONL(w io.Writer, d *Document) error {
	j := newJSONWriter(w)
	for _, e := range d.Elements {
		j.value(d.elementShape(e))
		j.raw("\n")
	}
	return j.flush()
}

// ResultJSON writes one result as an object, in the shape that it has in
// [JSON]. It returns w's error.
func ResultJSON(w io.Writer, d *Document, r *sir.Result) error {
	j := newJSONWriter(w)
	j.value(d.resultShape(ResultOrNoise{Result: r}))
	j.raw("\n")
	return j.flush()
}

// jsonWriter writes JSON piece by piece and keeps the first error.
type jsonWriter struct {
	w    *bufio.Writer
	buf  bytes.Buffer
	enc  *json.Encoder
	fail error
}

func newJSONWriter(w io.Writer) *jsonWriter {
	j := &jsonWriter{w: bufio.NewWriterSize(w, 1<<16)}
	j.enc = json.NewEncoder(&j.buf)
	j.enc.SetEscapeHTML(false)
	return j
}

func (j *jsonWriter) raw(s string) {
	if j.fail == nil {
		_, j.fail = j.w.WriteString(s)
	}
}

func (j *jsonWriter) key(name string) { j.raw(",\n\"" + name + "\":") }

func (j *jsonWriter) value(v any) {
	if j.fail != nil {
		return
	}
	j.buf.Reset()
	if err := j.enc.Encode(v); err != nil {
		j.fail = fmt.Errorf("encode %T: %w", v, err)
		return
	}
	_, j.fail = j.w.Write(bytes.TrimSuffix(j.buf.Bytes(), []byte("\n")))
}

func (j *jsonWriter) flush() error {
	if j.fail != nil {
		return j.fail
	}
	return j.w.Flush()
}

// list writes a key with a list of n items.
func list(j *jsonWriter, name string, n int, at func(int) any) {
	stream(j, name, func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
	}, at)
}

// stream writes a key with a list, one item at a time.
func stream[T any](j *jsonWriter, name string, items iter.Seq2[T, error], shape func(T) any) {
	j.key(name)
	j.raw("[")
	n := 0
	if items != nil {
		for x, err := range items {
			if err != nil && j.fail == nil {
				j.fail = fmt.Errorf("read %s: %w", name, err)
			}
			if j.fail != nil {
				return
			}
			if n > 0 {
				j.raw(",")
			}
			j.raw("\n")
			j.value(shape(x))
			n++
		}
	}
	if n > 0 {
		j.raw("\n")
	}
	j.raw("]")
}

// ordered is a JSON object with its keys in a given order; nil is {}.
type ordered struct {
	keys []string
	at   func(key string) any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(k); err != nil {
			return nil, fmt.Errorf("encode key %q: %w", k, err)
		}
		b.Truncate(b.Len() - 1)
		b.WriteByte(':')
		if err := enc.Encode(o.at(k)); err != nil {
			return nil, fmt.Errorf("encode field %q: %w", k, err)
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// orEmpty makes a list that prints as [] where it would print as null.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
