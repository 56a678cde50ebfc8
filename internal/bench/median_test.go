package bench

import (
	"slices"
	"testing"
	"time"
)

// samples are samples of something in units a second, or seconds.
type samples []float64

func (s *samples) add(v float64) { *s = append(*s, v) }

func (s samples) median() float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}

// rate runs fn over n bytes and returns MB/s.
func rate(tb testing.TB, n int, fn func() error) float64 {
	tb.Helper()
	return float64(n) / 1e6 / took(tb, fn).Seconds()
}

// took is the processor time of fn, garbage collection included.
func took(tb testing.TB, fn func() error) time.Duration {
	tb.Helper()
	start := clock()
	if err := fn(); err != nil {
		tb.Fatal(err)
	}
	return clock() - start
}
