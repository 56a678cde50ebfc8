package speckl_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// The people of the made-up conversations. Each says one turn.
func ann(words string) sir.Turn { return by("Ann", words) }
func ben(words string) sir.Turn { return by("Ben", words) }

// someone is a person whom the source does not name.
func someone(words string) sir.Turn {
	return sir.Turn{Speaker: sir.Human, SessionID: "talk", Content: words}
}

// bot is an agent.
func bot(words string) sir.Turn {
	return sir.Turn{Speaker: sir.Agent, SessionID: "talk", AgentID: "helper", Content: words}
}

func by(name, words string) sir.Turn {
	t := someone(words)
	t.SpeakerName = &name
	return t
}

// talk is a document that a test's conversation is read into, turn by turn.
// Turns without an id are t1, t2, … and are said a second apart.
type talk struct {
	t       *testing.T
	client  *speckl.Client
	store   store.Store
	results []*sir.Result // one a turn and domain
	name    string        // of the document
	n       int
}

const docName = "conversation"

// shared is the client of most tests, for making one takes its time; each
// test has its own document.
var shared = sync.OnceValues(func() (*speckl.Client, store.Store) {
	memory := store.NewMemory(store.Config{})
	c, err := speckl.Open(speckl.Config{Store: memory})
	if err != nil {
		panic(err)
	}
	return c, memory
})

var documents atomic.Int64

// about opens a document for the domains.
func about(t *testing.T, domains ...string) *talk {
	t.Helper()
	c, memory := shared()
	d := &talk{t: t, client: c, store: memory, name: fmt.Sprintf("%s-%d", docName, documents.Add(1))}
	if err := c.Create(t.Context(), d.name, domains...); err != nil {
		t.Fatal(err)
	}
	return d
}

// machines reads a conversation about a state machine.
func machines(t *testing.T, turns ...sir.Turn) *talk {
	t.Helper()
	d := about(t, "state-machine")
	for _, turn := range turns {
		d.say(turn)
	}
	return d
}

// say reads one turn in realtime and returns its first result.
func (d *talk) say(turn sir.Turn) *sir.Result { d.t.Helper(); return d.sayIn(turn, "") }

// asks reads one turn in interactive mode.
func (d *talk) asks(turn sir.Turn) *sir.Result { d.t.Helper(); return d.sayIn(turn, sir.Interactive) }

func (d *talk) sayIn(turn sir.Turn, mode sir.Mode) *sir.Result {
	d.t.Helper()
	d.n++
	if turn.ID == "" {
		turn.ID = fmt.Sprintf("t%d", d.n)
	}
	if turn.Timestamp == nil {
		at := int64(d.n) * 1000
		turn.Timestamp = &at
	}
	turn.Seq = d.n
	results, err := d.client.Post(d.t.Context(), d.name, turn, mode)
	if err != nil {
		d.t.Fatalf("%q: %v", turn.Content, err)
	}
	d.results = append(d.results, results...)
	return results[0]
}

// answer chooses an option of a question by act.
func (d *talk) answer(question, option int) *sir.Result {
	d.t.Helper()
	r, err := d.client.Act(d.t.Context(), d.name, speckl.Act{Kind: speckl.Answer, Question: question, Option: option, By: "Ann"})
	if err != nil {
		d.t.Fatal(err)
	}
	d.results = append(d.results, r)
	return r
}

func (d *talk) last() *sir.Result { return d.results[len(d.results)-1] }

// document is what stands now. It checks what holds for every document:
// exact evidence, a log that verifies and folds to what is stored.
func (d *talk) document() *export.Document {
	d.t.Helper()
	doc, err := d.client.Document(d.t.Context(), d.name)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.sound(); err != nil {
		d.t.Error(err)
	}
	return doc
}

// sound tells whether the promises that hold for every document are kept:
// the log verifies and folds to what is stored, evidence is exact, and each
// version of an element can be had from its history.
func (d *talk) sound() error {
	ref, err := d.store.Find(d.t.Context(), "local", d.name)
	if err != nil {
		return err
	}
	return d.store.View(d.t.Context(), ref, func(r store.Reader) error {
		head, err := r.Head()
		if err != nil {
			return err
		}
		if err := sir.Verify(r.Log(0), head); err != nil {
			return fmt.Errorf("the log does not verify: %w", err)
		}
		folded, past := sir.NewDocument(), []*sir.Element{}
		for m, err := range r.Log(0) {
			if err == nil {
				err = folded.Apply(&m)
			}
			if err != nil {
				return fmt.Errorf("the log does not fold: %w", err)
			}
			if e := folded.Element(m.ElementID); e != nil {
				past = append(past, e)
			}
		}
		for _, was := range past {
			got, err := sir.ElementAtVersion(folded.Element(was.ID), was.Version)
			if err != nil {
				return err
			}
			if diff := cmp.Diff(was.Data, got.Data); diff != "" || got.Confidence != was.Confidence {
				return fmt.Errorf("version %d of %s is not what it was (confidence %s, was %s; -was +got):\n%s", was.Version, describe(got), got.Confidence, was.Confidence, diff)
			}
		}
		var stored []*sir.Element
		for e, err := range r.Elements() {
			if err != nil {
				return err
			}
			if err := e.Check(func(id string) *sir.Turn { t, _ := r.Turn(id); return t }); err != nil {
				return fmt.Errorf("element %s: %w", describe(e), err)
			}
			stored = append(stored, e)
		}
		if diff := cmp.Diff(slices.Collect(folded.Elements()), stored); diff != "" {
			return fmt.Errorf("the folded log is not what is stored (-folded +stored):\n%s", diff)
		}
		return nil
	})
}

// wants compares all elements, whatever their status, with one line each:
//
//	state name=idle timeout=60s | 0.95 proposed v2 needsReview
//
// Fields that are unknown or as by default, and flags that are off, are left
// out. The order does not matter.
func (d *talk) wants(want ...string) {
	d.t.Helper()
	got := lines(d.document().Elements)
	want = append([]string{}, want...)
	sort.Strings(got)
	sort.Strings(want)
	if diff := cmp.Diff(want, got); diff != "" {
		d.t.Errorf("the document has (-want +got):\n%s", diff)
	}
}

func lines(elements []*sir.Element) []string {
	out := []string{}
	for _, e := range elements {
		out = append(out, describe(e))
	}
	return out
}

func describe(e *sir.Element) string {
	var b strings.Builder
	b.WriteString(e.ElementType)
	b.WriteString(values(e.Data))
	fmt.Fprintf(&b, " | %s %s v%d", e.Confidence, e.Status, e.Version)
	for _, f := range []struct {
		name string
		on   bool
	}{
		{"needsReview", e.Flags.NeedsReview}, {"tentative", e.Flags.IsTentative}, {"ambiguous", e.Flags.IsAmbiguous},
		{"contradicted", e.Flags.IsContradicted}, {"explicit", e.Flags.SourceIsExplicit},
	} {
		if f.on {
			b.WriteString(" " + f.name)
		}
	}
	return b.String()
}

// values prints the fields that say something.
func values(data sir.Data) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(data)) {
		switch v := data[name].(type) {
		case nil:
		case bool:
			if v {
				b.WriteString(" " + name)
			}
		case []any:
			if len(v) > 0 {
				fmt.Fprintf(&b, " %s=%v", name, v)
			}
		default:
			if name != "kind" || v != "external" {
				fmt.Fprintf(&b, " %s=%v", name, v)
			}
		}
	}
	return b.String()
}

// one returns the only element that the text names: "state idle", or
// "transition idle->loading" with "" for an unknown end. Several of which
// one is live is that one.
func (d *talk) one(name string) *sir.Element {
	d.t.Helper()
	var found, live []*sir.Element
	for _, e := range d.document().Elements {
		if nameOf(e) == name {
			found = append(found, e)
			if e.Status.Live() {
				live = append(live, e)
			}
		}
	}
	if len(live) == 1 {
		return live[0]
	}
	if len(found) != 1 {
		d.t.Fatalf("%d elements are %q; there are:\n%s", len(found), name, strings.Join(lines(d.document().Elements), "\n"))
	}
	return found[0]
}

func nameOf(e *sir.Element) string {
	text := func(field string) string { s, _ := e.Data[field].(string); return s }
	switch e.ElementType {
	case "transition":
		return fmt.Sprintf("transition %s->%s", text("from"), text("to"))
	case "invariant", "constraint":
		return e.ElementType + " " + text("text")
	case "guard":
		return "guard " + text("condition")
	}
	return e.ElementType + " " + text("name")
}

// json is the document as it is exported.
func (d *talk) json() []byte {
	d.t.Helper()
	var b bytes.Buffer
	if err := export.JSON(&b, d.document()); err != nil {
		d.t.Fatal(err)
	}
	return b.Bytes()
}

// actions lists what happened to an element: "refined t2".
func actions(e *sir.Element) []string {
	var out []string
	for _, x := range e.Provenance.Entries {
		line := string(x.Action) + " " + x.TurnID
		if x.HumanConfirmed {
			line += " by a human"
		}
		out = append(out, line)
	}
	return out
}

// same compares in one line.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func reasons(r *sir.Result) []string {
	out := []string{}
	for _, x := range r.Dropped {
		out = append(out, string(x.Reason))
	}
	return out
}
