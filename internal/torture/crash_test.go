package torture

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	runs = flag.Int("runs", 0, "how often each engine's writers are killed; 0 is a few times")
	seed = flag.Uint64("seed", 0, "the first run's; 0 is one of the clock's")
)

// rounds calls fn for each run, with a seed of its own, until one fails: a
// few times, or each so many that were asked for, which is at least once.
func rounds(t *testing.T, few, each int, fn func(t *testing.T, r *rand.Rand)) {
	n, first := (*runs+each-1)/each, *seed
	if n == 0 {
		n = few
		if testing.Short() {
			n = min(n, 3)
		}
	}
	if first == 0 {
		first = uint64(time.Now().UnixNano()) % 1_000_000_000
	}
	t.Logf("%d runs, the first with seed %d", n, first)
	for i := range n {
		seed := first + uint64(i)
		ok := t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { fn(t, rand.New(rand.NewPCG(seed, 0))) })
		if !ok {
			t.Fatalf("run %d failed: again with -run '^%s$' -runs 1 -seed %d", i+1, t.Name(), seed)
		}
	}
}

// ways are those of reading, the commonest more often.
var ways = []string{"post", "post", "acts", "ingest", "batches"}

// TestCrash kills writers: at any point of what they do, up to three times
// in a run.
func TestCrash(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			want := map[string]image{}
			for _, way := range ways {
				want[way] = undisturbed(t, way, turns())
			}
			empty := e.empty(t)
			kills, inside := 0, 0
			few := 25
			if e.name == "postgres" {
				few = 10 // they take their time
			}
			rounds(t, few, 1, func(t *testing.T, r *rand.Rand) {
				dsn := empty(t)
				way := ways[r.IntN(len(ways))]
				var acks []string
				for range 1 + r.IntN(3) {
					w := launch(t, job{Do: way, DSN: dsn}, nil)
					killSomewhere(w, r)
					acks = append(acks, w.acks...)
					if w.done {
						break // it was too late
					}
					kills++
					look(t, dsn, func(l *library) {
						if l.stands(acks) {
							inside++
							l.image().beginningOf(t, want[way])
						}
					})
				}
				launch(t, job{Do: way, DSN: dsn}, nil).finish()
				look(t, dsn, func(l *library) {
					l.image().same(t, "the document after all", want[way])
					l.stands(acks)
				})
			})
			t.Logf("%d kills, %d of them after the document was made", kills, inside)
		})
	}
}

// killSomewhere kills a worker.
func killSomewhere(w *worker, r *rand.Rand) {
	w.tb.Helper()
	reach(w, r)
	w.kill()
}

// reach waits for a moment of a worker's life: while it opens the database
// and makes the document, or a little after so many acknowledged turns.
func reach(w *worker, r *rand.Rand) {
	w.tb.Helper()
	w.until("ready")
	if r.IntN(4) == 0 {
		pause(r.IntN(150_000))
	} else {
		for k := r.IntN(len(conversation) + 1); len(w.acks) < k && w.next(); {
		}
		pause(r.IntN(4_000))
	}
}

// pause is where the random delays are: they are the point of the test.
func pause(microseconds int) { time.Sleep(time.Duration(microseconds) * time.Microsecond) }
