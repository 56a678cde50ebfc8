package general_test

import (
	"bufio"
	"encoding/json"
	"os"
	"syscall"
	"testing"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains/general"
	"github.com/speckl/speckl/domains/statemachine"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
)

func BenchmarkTmp(b *testing.B) {
	for _, file := range []string{"crd", "ami"} {
		var turns []sir.Turn
		size := 0
		f, _ := os.Open("/tmp/" + file + ".jsonl")
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<24)
		for sc.Scan() {
			var t sir.Turn
			json.Unmarshal(sc.Bytes(), &t)
			turns = append(turns, t)
			size += len(t.Content)
		}
		g, _ := general.Domain()
		s, _ := statemachine.Domain()
		for _, d := range []*domain.Domain{g, s} {
			e, err := engine.Prepare(d)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(file+"/"+d.ID, func(b *testing.B) {
				var buf engine.Buffer
				cpu := func() float64 {
					var r syscall.Rusage
					syscall.Getrusage(0, &r)
					return float64(r.Utime.Sec) + float64(r.Utime.Usec)/1e6
				}
				t0 := cpu()
				n := 0
				for b.Loop() {
					n++
					for i := range turns {
						e.Propose(&turns[i], &buf)
					}
				}
				b.ReportMetric(float64(size*n)/1e6/(cpu()-t0), "MB/cpu-s")
			})
		}
	}
}
