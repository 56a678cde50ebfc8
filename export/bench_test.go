package export_test

import (
	"fmt"
	"io"
	"iter"
	"runtime"
	"testing"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// noise yields n one-word turns that are made as they are read.
func noise(n int) iter.Seq2[*sir.Turn, error] {
	return func(yield func(*sir.Turn, error) bool) {
		for i := range n {
			at := int64(i)
			if !yield(&sir.Turn{ID: fmt.Sprint("t", i), SessionID: "noise", Seq: i + 1, Timestamp: &at, Speaker: sir.Human, Content: "lol"}, nil) {
				return
			}
		}
	}
}

// live is the memory in use.
func live() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// meter notes the most memory in use while it is written to.
type meter struct{ n, most uint64 }

func (m *meter) Write(p []byte) (int, error) {
	if m.n += uint64(len(p)); m.n%(64<<20) < uint64(len(p)) {
		m.most = max(m.most, live())
	}
	return len(p), nil
}

func TestBoundedMemory(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	var results export.Results
	for range n {
		results.Add(&sir.Result{})
	}
	d := &export.Document{Turns: noise(n), Results: results.All(), Sessions: []export.Session{{ID: "noise", Turns: n}}}
	for name, write := range map[string]func(io.Writer, *export.Document) error{"json": export.JSON, "html": export.HTML} {
		before := live()
		var m meter
		if err := write(&m, d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m.most = max(m.most, live())
		if grown := int64(m.most) - int64(before); grown > 20<<20 {
			t.Errorf("%s of %d turns (%d MB) took %d MB", name, n, m.n>>20, grown>>20)
		}
	}
}

func BenchmarkJSON(b *testing.B) { benchmark(b, export.JSON) }
func BenchmarkHTML(b *testing.B) { benchmark(b, export.HTML) }

func benchmark(b *testing.B, write func(io.Writer, *export.Document) error) {
	d := &export.Document{Turns: noise(100_000)}
	b.ReportAllocs()
	for b.Loop() {
		if err := write(io.Discard, d); err != nil {
			b.Fatal(err)
		}
	}
}
