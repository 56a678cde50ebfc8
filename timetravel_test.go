package speckl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// engines are the engines, each with a clock that goes on by a second each
// time it is read.
var engines = []struct {
	name string
	open func(testing.TB, store.Config) store.Store
}{
	{"memory", func(_ testing.TB, c store.Config) store.Store { return store.NewMemory(c) }},
	{"sqlite", func(tb testing.TB, c store.Config) store.Store {
		return inDatabase(tb, filepath.Join(tb.TempDir(), "speckl.db"), c)
	}},
	{"postgres", func(tb testing.TB, c store.Config) store.Store { return inDatabase(tb, pgtest.URL(tb), c) }},
}

func inDatabase(tb testing.TB, dsn string, c store.Config) store.Store {
	tb.Helper()
	s, err := sqlstore.Open(context.Background(), dsn, sqlstore.Config{Config: c})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// TestTimeTravel: whatever is said and decided, a document looked at as of
// then prints what it printed then, byte for byte, on every engine, and all
// engines print the same.
func TestTimeTravel(t *testing.T) {
	for _, s := range engines {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			now := time.UnixMilli(1_900_000_000_000)
			st := s.open(t, store.Config{Now: func() time.Time { return now }})
			client, err := speckl.Open(speckl.Config{Store: st})
			if err != nil {
				t.Fatal(err)
			}
			memory, err := speckl.Open(speckl.Config{Store: store.NewMemory(store.Config{})})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			rapid.Check(t, func(rt *rapid.T) {
				n++
				j := &journey{T: rt, client: client, store: st, memory: memory, name: fmt.Sprint("journey ", n), now: &now}
				j.begin()
				for range rapid.IntRange(1, 12).Draw(rt, "steps") {
					j.step()
				}
				j.back()
			})
		})
	}
}

// journey is a document's way through turns and acts, and what it printed.
type journey struct {
	*rapid.T
	client *speckl.Client
	memory *speckl.Client // the same, in memory
	store  store.Store
	name   string
	now    *time.Time
	id     string
	turns  int
	stops  []stop
}

// stop is what a document printed after a step.
type stop struct {
	version int
	turnID  string
	time    int64
	text    string
}

// sentences are what people say in these documents: things that add, refine,
// contradict, take back, ask and say nothing.
var sentences = []string{
	"The system starts in an idle state.",
	"When the user clicks 'Search', it goes to a loading state.",
	"spec: state idle { timeout: 30s }",
	"Actually, make that 60 seconds.",
	"No wait, scratch that.",
	"spec: transition idle -> loading on SEARCH",
	"spec: transition loading -> results on DONE",
	"Actually, from idle it should go to a fetching state, not loading.",
	"After login, it moves to the dashboard.",
	"The idle state has a timeout of 45 seconds.",
	"We might need an archived state.",
	"state: Idle Screen",
	"Should it go back to idle?",
	"ok, thanks 👍",
	"event: SEARCH",
	"The Invoice has an amount. An Order contains many Items.",
	"1",
}

func (j *journey) begin() {
	for _, c := range []*speckl.Client{j.client, j.memory} {
		if err := c.Create(context.Background(), j.name, "state-machine", "general"); err != nil {
			j.Fatal(err)
		}
	}
	ref, err := j.store.Find(context.Background(), "local", j.name)
	if err != nil {
		j.Fatal(err)
	}
	j.id = ref.Document
	j.note("")
}

// step says or decides something, on both stores alike.
func (j *journey) step() {
	*j.now = j.now.Add(time.Second)
	if rapid.IntRange(0, 3).Draw(j.T, "kind") == 0 {
		if id := j.act(); id != "" {
			j.note(id)
		}
		return
	}
	j.turns++
	at := int64(1_773_187_200_000 + 60_000*j.turns)
	name := rapid.SampledFrom([]string{"Ann", "Bob"}).Draw(j.T, "speaker")
	turn := sir.Turn{
		ID: fmt.Sprint("t", j.turns), SessionID: "talk", Seq: j.turns, Timestamp: &at, Speaker: sir.Human, SpeakerName: &name,
		Content: rapid.SampledFrom(sentences).Draw(j.T, "words"),
	}
	mode := rapid.SampledFrom([]sir.Mode{sir.Realtime, sir.Interactive}).Draw(j.T, "mode")
	for _, c := range []*speckl.Client{j.client, j.memory} {
		if _, err := c.Post(context.Background(), j.name, turn, mode); err != nil {
			j.Fatal(err)
		}
	}
	j.note(turn.ID)
}

// print is what `show -o json` prints.
func (j *journey) print(doc *export.Document, err error) string {
	if err != nil {
		j.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.JSON(&out, doc); err != nil {
		j.Fatal(err)
	}
	return out.String()
}

// note remembers what is printed now, which is the same on both stores.
func (j *journey) note(turnID string) {
	ctx := context.Background()
	doc, err := j.client.Document(ctx, j.name)
	text := j.print(doc, err)
	twin, err := j.memory.Document(ctx, j.name)
	if other := j.print(twin, err); text != other {
		j.Fatalf("the engine prints\n%s\nand memory\n%s", text, other)
	}
	j.stops = append(j.stops, stop{doc.Header.Version, turnID, j.now.UnixMilli(), text})
}

// back looks at every stop again, and at every version of every element.
func (j *journey) back() {
	ctx := context.Background()
	last := map[int]string{} // a turn without effect prints another text at the same version
	for _, s := range j.stops {
		last[s.version] = s.text
	}
	for i, s := range j.stops {
		points := map[string]sir.Point{"time": {Time: &s.time}}
		if s.turnID != "" {
			points["turn"] = sir.Point{TurnID: s.turnID}
		}
		if last[s.version] == s.text {
			points["version"] = sir.Point{Version: &s.version}
		}
		for what, p := range points {
			doc, err := j.client.DocumentAt(ctx, j.name, p)
			if err != nil {
				j.Fatalf("stop %d by %s: %v", i, what, err)
			}
			if got := j.print(doc, err); got != s.text {
				j.Fatalf("stop %d by %s prints\n%s\nand printed\n%s", i, what, got, s.text)
			}
		}
	}
	ref, err := j.store.Find(ctx, "local", j.name)
	if err != nil {
		j.Fatal(err)
	}
	err = j.store.View(ctx, ref, func(r store.Reader) error {
		if _, err := store.Verify(r); err != nil {
			return err
		}
		return j.elements(r)
	})
	if err != nil {
		j.Fatal(err)
	}
	for _, log := range []bool{false, true} {
		j.archive(log)
	}
}

// archive exports the document, restores that, and exports it again: in the
// engine, where it takes the document's place, and in memory.
func (j *journey) archive(log bool) {
	ctx := context.Background()
	export := func(c *speckl.Client) string {
		var out bytes.Buffer
		if err := c.Export(ctx, &out, j.name, log); err != nil {
			j.Fatal(err)
		}
		return out.String()
	}
	want := export(j.client)
	doc, err := j.client.Document(ctx, j.name)
	text := j.print(doc, err)
	elsewhere, err := speckl.Open(speckl.Config{})
	if err != nil {
		j.Fatal(err)
	}
	if err := j.client.Delete(ctx, j.name); err != nil {
		j.Fatal(err)
	}
	for where, c := range map[string]*speckl.Client{"memory": elsewhere, "the engine": j.client} {
		if _, err := c.Restore(ctx, strings.NewReader(want), speckl.RestoreOptions{}); err != nil {
			j.Fatalf("restore in %s: %v", where, err)
		}
		if got := export(c); got != want {
			j.Fatalf("exported again from %s\n%s\nwant\n%s", where, got, want)
		}
		doc, err := c.Document(ctx, j.name)
		if got := j.print(doc, err); got != text {
			j.Fatalf("restored in %s prints\n%s\nwant\n%s", where, got, text)
		}
	}
}

// elements finds every version of every element in its own history.
func (j *journey) elements(r store.Reader) error {
	fold := sir.NewDocument()
	for m, err := range r.Log(0) {
		if err != nil {
			return err
		}
		if err := fold.Apply(&m); err != nil {
			return err
		}
		then := fold.Element(m.ElementID)
		if then == nil {
			continue
		}
		now, err := r.Element(m.ElementID)
		if err != nil {
			return err
		}
		got, err := sir.ElementAtVersion(now, then.Version)
		if err != nil {
			return err
		}
		a, err1 := sir.Canonical([]any{got.Data, got.Confidence, got.Provenance})
		b, err2 := sir.Canonical([]any{then.Data, then.Confidence, then.Provenance})
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if !slices.Equal(a, b) {
			return fmt.Errorf("version %d of %s is\n%s\nand was\n%s", then.Version, m.ElementID, a, b)
		}
	}
	return nil
}

// act decides something on both stores alike; "" where it cannot be done, or
// changes nothing.
func (j *journey) act() string {
	ctx := context.Background()
	doc, err := j.client.Document(ctx, j.name)
	if err != nil {
		j.Fatal(err)
	}
	a := drawAct(j.T, &talk{client: j.client}, doc)
	at := j.now.UnixMilli()
	a.At = &at
	done, err := j.client.Act(ctx, j.name, a)
	_, twin := j.memory.Act(ctx, j.name, a)
	if (err == nil) != (twin == nil) {
		j.Fatalf("%s on the engine: %v, in memory: %v", a.Kind, err, twin)
	}
	if err != nil {
		return ""
	}
	if a.Kind == speckl.Rename || a.Kind == speckl.Undo { // which may be of a rename
		j.renamed()
	}
	if len(done.SourceTurnIDs) == 0 {
		return ""
	}
	return done.SourceTurnIDs[0]
}

// renamed finds the document's name again.
func (j *journey) renamed() {
	for h, err := range j.store.List(context.Background(), "local") {
		if err != nil {
			j.Fatal(err)
		}
		if h.ID == j.id {
			j.name = h.Name
		}
	}
}
