package bench

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// book is a document of many states, and what its last turn loaded of them.
type book struct {
	client *speckl.Client
	loaded int
}

// newBook makes a document of n states, hundreds a turn.
func newBook(tb testing.TB, n int) *book {
	tb.Helper()
	bk := &book{}
	var err error
	bk.client, err = speckl.Open(speckl.Config{Trace: func(t speckl.Trace) { bk.loaded = t.Loaded }})
	if err != nil {
		tb.Fatal(err)
	}
	o := speckl.IngestOptions{Domains: []string{"state-machine"}}
	if _, err := bk.client.Ingest(context.Background(), "book", specs(n), o); err != nil {
		tb.Fatal(err)
	}
	stats, err := bk.client.Stats(context.Background(), "book")
	if err != nil {
		tb.Fatal(err)
	}
	if stats.TotalElements != n {
		tb.Fatalf("%d elements, want %d", stats.TotalElements, n)
	}
	return bk
}

// specs yields turns that declare n states by marker.
func specs(n int) iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		for at := 0; at < n; {
			var lines strings.Builder
			for end := min(n, at+100); at < end; at++ {
				fmt.Fprintf(&lines, "spec: state s%d\n", at)
			}
			if !yield(sir.Turn{Speaker: sir.Human, SessionID: "specs", Content: lines.String()}, nil) {
				return
			}
		}
	}
}

// say posts the k-th turn about the ten states that every book has.
func (bk *book) say(k int) error {
	from, step := k%10, 1+k/10%9
	t := sir.Turn{ID: fmt.Sprint("k", k), Speaker: sir.Human, SessionID: "talk", Seq: k + 1}
	t.Content = fmt.Sprintf("When the user presses \"Key %d\", it goes from s%d to s%d.", k, from, (from+step)%10)
	_, err := bk.client.Post(context.Background(), "book", t, sir.Realtime)
	return err
}

// TestTurnLoadsWhatItBearsOn: the size of the document makes no difference.
func TestTurnLoadsWhatItBearsOn(t *testing.T) {
	few, many := newBook(t, 10), newBook(t, 3000)
	for k := range 30 {
		for _, bk := range []*book{few, many} {
			if err := bk.say(k); err != nil {
				t.Fatal(err)
			}
		}
		if few.loaded != many.loaded || few.loaded < 2 {
			t.Errorf("turn %d loads %d of 10 elements and %d of 3000", k, few.loaded, many.loaded)
		}
	}
}

// BenchmarkTurn posts the same turns to both documents, by turns.
func BenchmarkTurn(b *testing.B) {
	few, many := newBook(b, 10), newBook(b, 100_000)
	var cost [2]samples
	var loaded [2]samples
	const batch = 20 // turns a sample: the clock is coarse
	k := 0
	for b.Loop() {
		for range 15 {
			for i, bk := range []*book{few, many} {
				cost[i].add(took(b, func() error {
					for j := range batch {
						if err := bk.say(k + j); err != nil {
							return err
						}
					}
					return nil
				}).Seconds() / batch * 1e6)
				loaded[i].add(float64(bk.loaded))
			}
			k += batch
		}
	}
	b.ReportMetric(cost[1].median(), "µs/turn-in-100k")
	b.ReportMetric(cost[0].median(), "µs/turn-in-10")
	b.ReportMetric(cost[1].median()/cost[0].median(), "x-small")
	b.ReportMetric(loaded[1].median(), "loaded-of-100k")
	b.ReportMetric(loaded[0].median(), "loaded-of-10")
}
