package torture

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/pgtest"
)

// TestServerCrash kills PostgreSQL under the writers: they end with an error
// that has a name, and what they acknowledged is on the disk.
func TestServerCrash(t *testing.T) {
	unhurried(t)
	server := pgtest.Start(t, true)
	want := map[string]image{}
	for _, way := range ways {
		want[way] = undisturbed(t, way, turns())
	}
	empty := emptied(server.URL(t))
	rounds(t, 2, 10, func(t *testing.T, r *rand.Rand) {
		dsn := empty(t)
		way := ways[r.IntN(len(ways))]
		w := launch(t, job{Do: way, DSN: dsn}, nil)
		reach(w, r)
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		w.end()
		if !w.done && !strings.HasPrefix(w.fail, "unreachable ") {
			t.Errorf("the worker ended otherwise than with an error that says so: %q\n%s", w.fail, w.stderr.String())
		}
		if err := server.Run(true); err != nil {
			t.Fatal(err)
		}
		look(t, dsn, func(l *library) {
			if l.stands(w.acks) {
				l.image().beginningOf(t, want[way])
			}
		})
		launch(t, job{Do: way, DSN: dsn}, nil).finish()
		look(t, dsn, func(l *library) { l.image().same(t, "the document after all", want[way]) })
	})
}
