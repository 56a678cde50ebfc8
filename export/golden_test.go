package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

type writer func(io.Writer, *export.Document) error

func text(o export.TextOptions) writer {
	return func(w io.Writer, d *export.Document) error { return export.Text(w, d, o) }
}

var writers = all(readings(), map[string]writer{
	"sample.json": export.JSON, "sample.jsonl": export.JSONL, "sample.csv": export.CSV, "sample.md": export.Markdown,
	"sample.html": export.HTML, "sample.txt": text(export.TextOptions{}),
	"sample.color.txt": text(export.TextOptions{Color: true, Width: 100}), "sample.quiet.txt": text(export.TextOptions{Quiet: true, Width: 60}),
})

func all(into, more map[string]writer) map[string]writer {
	maps.Copy(into, more)
	return into
}

func written(t testing.TB, write writer, d *export.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			got := written(t, write, sample())
			if again := written(t, write, sample()); got != again {
				t.Error("the same document gave other bytes")
			}
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (run go test -update)", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got (go test -update after a look):\n%s", diff)
			}
		})
	}
}

// TestShow: without results the object has none.
func TestShow(t *testing.T) {
	d := sample()
	d.Results = nil
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(written(t, export.JSON, d)), &got); err != nil {
		t.Fatal(err)
	}
	if _, ok := got["results"]; ok || len(got) != 8 {
		t.Errorf("results in %d keys", len(got))
	}
}

func TestEmpty(t *testing.T) {
	var d export.Document
	d.Turns = turnsOf([]*sir.Turn{{ID: "a", Seq: 1, Speaker: sir.Human, Content: "ok"}})
	if !d.Empty() {
		t.Error("not empty")
	}
	for name, want := range map[string]string{"sample.txt": "", "sample.md": "", "sample.jsonl": ""} {
		if got := written(t, writers[name], &d); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := written(t, export.CSV, &d); strings.Count(got, "\n") != 1 {
		t.Errorf("csv: %q", got)
	}
	if got := written(t, export.HTML, &d); !strings.Contains(got, "Nothing was found") || !strings.Contains(got, ">ok</p>") {
		t.Error("html does not say that nothing was found beside the transcript")
	}
	if got := written(t, export.JSON, &d); strings.Contains(strings.Split(got, "\"stats\"")[0], ":null,\n") {
		t.Errorf("json has null lists: %s", got)
	}
}

// TestErrors: an error of the stream or of the writer comes back.
func TestErrors(t *testing.T) {
	torn := errors.New("torn")
	for name, write := range writers {
		if name != "sample.jsonl" && name != "sample.list.txt" { // these need no turns
			d := sample()
			d.Turns = func(yield func(*sir.Turn, error) bool) { yield(nil, torn) }
			if err := write(io.Discard, d); !errors.Is(err, torn) {
				t.Errorf("%s: a torn stream gave %v", name, err)
			}
		}
		if err := write(closed{}, sample()); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: a closed pipe gave %v", name, err)
		}
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestCSVIsInert(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(written(t, export.CSV, sample()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a spreadsheet would run %q", cell)
			}
		}
	}
}

func TestResults(t *testing.T) {
	quiet, loud := &sir.Result{}, &sir.Result{Dropped: []sir.Dropped{{Reason: "question"}}}
	for _, c := range []struct {
		name string
		in   []any // a result, or a count of noise
		want []int // noise; 0 is a result
	}{
		{"short runs stay", []any{20, loud, 1}, append(make([]int, 20), 0, 0)},
		{"long runs fold", []any{21, loud, 30}, []int{21, 0, 30}},
		{"nothing", nil, nil},
	} {
		var r export.Results
		for _, x := range c.in {
			if n, ok := x.(int); ok {
				for range n {
					r.Add(quiet)
				}
			} else {
				r.Add(loud)
			}
		}
		for range 2 { // All may be ranged over again
			var got []int
			for x, err := range export.Fold(r.All()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, x.Noise)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: -want +got\n%s", c.name, diff)
			}
		}
	}
	if export.NoEffect(&sir.Result{Metadata: sir.ResultMetadata{Degraded: true}}) {
		t.Error("a degraded result is noise")
	}
	var in iter.Seq2[export.ResultOrNoise, error] = func(yield func(export.ResultOrNoise, error) bool) {
		_ = yield(export.ResultOrNoise{Noise: 15}, nil) && yield(export.ResultOrNoise{Result: quiet}, nil) && yield(export.ResultOrNoise{Noise: 9}, nil)
	}
	for x := range export.Fold(in) {
		if x.Noise != 25 {
			t.Errorf("folding counts gave %d", x.Noise)
		}
	}
}

func TestSort(t *testing.T) {
	at := func(id, typ, turn string, start int) *sir.Element {
		e := &sir.Element{ID: id, ElementType: typ}
		if turn != "" {
			e.Evidence = []sir.Evidence{{TurnID: turn, Bytes: [2]int{start, start + 1}}}
		}
		return e
	}
	es := []*sir.Element{at("6", "a", "", 0), at("5", "state", "b", 0), at("4", "transition", "a", 9), at("3", "state", "a", 9),
		at("2", "state", "a", 9), at("1", "state", "a", 2), at("0", "state", "unknown", 0)}
	places := map[string]int{"a": 0, "b": 1}
	export.Sort(es, func(id string) int {
		if p, ok := places[id]; ok {
			return p
		}
		return -1
	})
	got := ""
	for _, e := range es {
		got += e.ID
	}
	if got != "1234560" && got != "1234506" {
		t.Errorf("order %s", got)
	}
}
