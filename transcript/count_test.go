package transcript

import (
	"fmt"
	"testing"
)

func TestCounter(t *testing.T) {
	var c counter
	for round := range 3 {
		for i := range 5000 {
			if n := c.add(hash(fmt.Sprint("key", i)), -1); n != round {
				t.Fatalf("key %d came %d times before, not %d", i, n, round)
			}
		}
	}
	if n := c.add(0, -1); n != 0 {
		t.Errorf("zero is a key: %d", n)
	}
}

// Beyond its capacity a counter still never says that a key is new twice, and
// seldom that a new one is old.
func TestCounterOverflow(t *testing.T) {
	if testing.Short() {
		t.Skip("two million keys")
	}
	var c counter
	const n = 2_000_000
	old := 0
	for i := range uint64(n) {
		if c.add(mix(i), int(i)+1) != 0 {
			old++
		}
	}
	if size := len(c.keys)*12 + len(c.filter)*8; size > 34<<20 {
		t.Errorf("%d bytes", size)
	}
	if old > n/1000 {
		t.Errorf("%d of %d new keys taken for old", old, n)
	}
	for i := range uint64(n) {
		if c.add(mix(i), n+int(i)) == 0 {
			t.Fatalf("key %d is new twice", i)
		}
	}
}

func mix(i uint64) uint64 {
	i = (i + 1) * 0x9e3779b97f4a7c15
	i ^= i >> 31
	return i * 0xbf58476d1ce4e5b9
}

// Sessions that alternate keep their positions; with very many, positions
// still grow.
func TestManySessions(t *testing.T) {
	s := newSink(Options{}.resolve(), nil)
	last := map[string]int{}
	for round := range 3 {
		for i := range maxKnown + 100 {
			name := fmt.Sprint("session", i)
			if name != s.session {
				s.total++
				s.enter(name)
			}
			s.seq++
			if s.seq <= last[name] || i < maxKnown-1 && s.seq != round+1 {
				t.Fatalf("round %d, %s: position %d after %d", round, name, s.seq, last[name])
			}
			last[name] = s.seq
		}
	}
}
