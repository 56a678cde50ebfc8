package cli

import (
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/speckl/speckl/sir"
)

const (
	// progressAfter is how long a reading takes before it shows progress.
	progressAfter = time.Second
	// progressEvery is how often the line is rewritten.
	progressEvery = 200 * time.Millisecond
)

// progress is a line on a terminal that tells how far a reading has come; nil
// shows nothing.
type progress struct {
	out   io.Writer
	now   func() time.Time
	total int64 // bytes; 0 where a stream does not tell
	read  int64 // bytes so far

	began, shown time.Time
	turns        int
}

// watch makes a progress for conversations that are about to be read, where
// stderr is a terminal.
func (a *app) watch(cs []conversation) *progress {
	if !isTerminal(a.stderr) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	p := &progress{out: a.stderr, now: time.Now}
	for i := range cs {
		c := &cs[i]
		if f, ok := c.file.(interface{ Stat() (os.FileInfo, error) }); ok && p.total >= 0 {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				p.total += info.Size()
			}
		} else {
			p.total = -1 // a stream among them
		}
		c.in = &tallied{c.in, &p.read}
	}
	p.total = max(p.total, 0)
	return p
}

// tallied counts what is read.
type tallied struct {
	io.ReadCloser
	n *int64
}

// Read reads and counts.
func (c *tallied) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	*c.n += int64(n)
	return n, err
}

// over passes turns on and rewrites the line; it is gone at the end.
func (p *progress) over(turns iter.Seq2[sir.Turn, error]) iter.Seq2[sir.Turn, error] {
	if p == nil {
		return turns
	}
	return func(yield func(sir.Turn, error) bool) {
		p.began = p.now()
		defer func() {
			if !p.shown.IsZero() {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
		}()
		for t, err := range turns {
			if p.turns++; p.turns%16 == 0 {
				p.show()
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

func (p *progress) show() {
	now := p.now()
	took := now.Sub(p.began)
	if took < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	fmt.Fprint(p.out, "\r"+p.line(took)+"\x1b[K")
}

// line is "12,345 turns · 4,100 a second · 34% · 2m10s left".
func (p *progress) line(took time.Duration) string {
	s := fmt.Sprintf("%s · %s a second", count(p.turns, "turn"), thousands(int(float64(p.turns)/took.Seconds())))
	if p.total == 0 {
		return s
	}
	part := min(float64(p.read)/float64(p.total), 1)
	if part > 0 {
		left := time.Duration(float64(took) * (1 - part) / part).Round(time.Second)
		s += fmt.Sprintf(" · %d%% · %s left", int(100*part), left)
	}
	return s
}
