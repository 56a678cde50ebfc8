package export_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// readings are the writers of what a document went through.
func readings() map[string]writer {
	options := export.InboxOptions{Command: func(verb string, args ...string) string { return "do " + verb + " " + strings.Join(args, " ") }}
	history := func(write func(io.Writer, *export.Document, []export.Event) error) writer {
		return func(w io.Writer, d *export.Document) error {
			events, err := export.Events(d, d.Elements)
			if err != nil {
				return err
			}
			for i := range events {
				events[i].DocVersion = i + 1
			}
			return write(w, d, events)
		}
	}
	return map[string]writer{
		"sample.list.txt": func(w io.Writer, d *export.Document) error {
			return export.List(w, d, export.ShortIDs(d), export.TextOptions{})
		},
		"sample.inbox.txt":  func(w io.Writer, d *export.Document) error { return export.Inbox(w, d, options) },
		"sample.inbox.json": func(w io.Writer, d *export.Document) error { return export.InboxJSON(w, d, options) },
		"sample.blame.txt":  func(w io.Writer, d *export.Document) error { return export.Blame(w, d, 2, export.TextOptions{}) },
		"sample.blame.json": func(w io.Writer, d *export.Document) error { return export.BlameJSON(w, d, 4) },
		"sample.log.txt": history(func(w io.Writer, d *export.Document, events []export.Event) error {
			return export.History(w, d, events, export.TextOptions{})
		}),
		"sample.log.json": history(export.HistoryJSON),
		"sample.hits.txt": func(w io.Writer, d *export.Document) error { return export.Hits(w, d, export.TextOptions{}) },
		"sample.diff.txt": func(w io.Writer, d *export.Document) error {
			return export.Compare(d, later(d)).Text(w, export.TextOptions{})
		},
	}
}

// later is the document a while on: idle was changed, loading ended, a state
// is gone, another came.
func later(d *export.Document) *export.Document {
	out := *d
	out.Elements = slices.Clone(d.Elements)
	change := func(i int, f func(e *sir.Element)) {
		e := *out.Elements[i]
		f(&e)
		out.Elements[i] = &e
	}
	change(0, func(e *sir.Element) {
		e.Data = sir.Data{"name": "idle", "isInitial": true, "timeout": "30 seconds", "entryActions": []any{}}
		e.Confidence = 9900
		e.Evidence = append(slices.Clone(e.Evidence), e.Evidence[0])
	})
	change(1, func(e *sir.Element) {
		e.Status = sir.Error
		e.Provenance.Entries = append(slices.Clone(e.Provenance.Entries), sir.Entry{TurnID: "turn-003", Action: sir.ActionDeprecated, Version: 2, ExtractionRationale: "Marked as error"})
	})
	fresh := *out.Elements[2]
	fresh.ID = "00000000-0000-5000-8000-000000000099"
	out.Elements[2] = &fresh
	return &out
}

func TestCompare(t *testing.T) {
	old := sample()
	if c := export.Compare(old, sample()); !c.Empty() || c.Same != 8 {
		t.Errorf("a document and itself: %v", c)
	}
	c := export.Compare(old, later(old))
	var got []string
	for _, e := range c.Added {
		got = append(got, "+"+e.ID[30:])
	}
	for _, x := range c.Changed {
		got = append(got, "~"+x.New.ID[30:])
		for _, f := range x.Changes {
			got = append(got, f.Field)
		}
	}
	for _, e := range c.Ended {
		got = append(got, "-"+e.ID[30:])
	}
	want := []string{"+000099", "~000001", "state.entryActions", "state.timeout", "confidence", "evidence", "-000002", "-000003"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if back := export.Compare(later(old), old); len(back.Added) != 2 || len(back.Ended) != 1 || len(back.Changed) != 1 {
		t.Errorf("backwards: %v", back)
	}
	var b bytes.Buffer
	if err := c.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var shape struct {
		Added, Changed, Ended []map[string]any
		Same                  int
	}
	if err := json.Unmarshal(b.Bytes(), &shape); err != nil || len(shape.Added) != 1 || len(shape.Changed) != 1 || len(shape.Ended) != 2 || shape.Same != 5 {
		t.Errorf("%v: %s", err, b.String())
	}
}

// Elements of two documents are the same by what they are.
func TestCompareTwoDocuments(t *testing.T) {
	one := func(id string, es ...*sir.Element) *export.Document {
		return &export.Document{Header: sir.Header{ID: id}, Elements: es}
	}
	e := func(id, key string, status sir.Status, timeout any) *sir.Element {
		return &sir.Element{ID: id, ElementType: "state", Domain: "d", Keys: []string{key}, Status: status, Data: sir.Data{"timeout": timeout}}
	}
	c := export.Compare(
		one("a", e("1", "idle", sir.Replaced, nil), e("2", "idle", sir.Proposed, nil), e("3", "gone", sir.Proposed, nil)),
		one("b", e("8", "idle", sir.Proposed, "60s"), e("9", "idle", sir.Error, nil), e("7", "new", sir.Proposed, nil)))
	if len(c.Added) != 1 || c.Added[0].ID != "7" || len(c.Changed) != 1 || c.Changed[0].Old.ID != "2" || len(c.Ended) != 1 || c.Ended[0].ID != "3" {
		t.Errorf("%+v", c)
	}
}

// No words of a conversation can rewrite the screen.
func TestListsAreVisible(t *testing.T) {
	for name, write := range writers {
		if !strings.HasSuffix(name, ".txt") || strings.Contains(name, "color") {
			continue
		}
		if s := written(t, write, sample()); strings.ContainsFunc(s, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r == '\u202e' || r == '\u2028'
		}) {
			t.Errorf("%s has control characters", name)
		}
	}
}

func TestShortIDs(t *testing.T) {
	d := &export.Document{Elements: []*sir.Element{{ID: "aaaaaaaa-1"}, {ID: "aaaaaaaa-2"}, {ID: "bbbbbbbb-1"}}}
	if got := export.ShortIDs(d)("bbbbbbbb-1"); got != "bbbbbbbb-1" {
		t.Error(got)
	}
	d.Elements = d.Elements[1:]
	if got := export.ShortIDs(d)("bbbbbbbb-1"); got != "bbbbbbbb" {
		t.Error(got)
	}
}
