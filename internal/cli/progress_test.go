package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/sir"
)

// The line comes after a second, tells rate and time left, and goes at the end.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	clock := time.UnixMilli(0)
	p := &progress{out: &out, now: func() time.Time { return clock }, total: 4000}
	turns := func(yield func(sir.Turn, error) bool) {
		for range 1600 {
			clock = clock.Add(time.Second / 800)
			p.read++
			if !yield(sir.Turn{}, nil) {
				return
			}
		}
	}
	n := 0
	for range p.over(turns) {
		if n++; n == 799 && out.Len() > 0 {
			t.Errorf("within a second: %q", out.String())
		}
	}
	lines := strings.Split(out.String(), "\r")
	if n != 1600 || len(lines) < 5 || len(lines) > 9 {
		t.Fatalf("%d turns, %q", n, lines)
	}
	if want := "1,600 turns · 800 a second · 40% · 3s left\x1b[K"; lines[len(lines)-2] != want {
		t.Errorf("%q, want %q", lines[len(lines)-2], want)
	}
	if lines[len(lines)-1] != "\x1b[K" {
		t.Errorf("the line stays: %q", lines)
	}
}

func TestNoProgressWithoutATerminal(t *testing.T) {
	a := &app{stderr: new(bytes.Buffer)}
	if p := a.watch(nil); p != nil {
		t.Error("there is one")
	}
	n := 0
	for range (*progress)(nil).over(func(yield func(sir.Turn, error) bool) { yield(sir.Turn{}, nil) }) {
		n++
	}
	if n != 1 {
		t.Error(n)
	}
}
