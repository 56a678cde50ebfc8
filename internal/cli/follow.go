package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

const (
	// followEvery is how often a file that is followed is looked at.
	followEvery = 200 * time.Millisecond
	// followBusy is how long a file that never rests is left alone at most.
	followBusy = 2 * time.Second
)

// follower reads a file that grows. At each pass it reads the file from its
// start and hands on what is new: ids, positions and what belongs to a turn
// are then those of a single reading. A pass over a large file takes its
// time, so the next one waits a multiple of that.
type follower struct {
	x    *extraction
	a    *app
	path string
	file *os.File
	// format is the one that was detected when there first was something.
	format string
	// done are the turns that were handed on; last is the id of the last.
	done int
	last string
	// total counts the turns that were handed on, of all files.
	total int
	// seen is the size at the last look, read that of the last pass; whole
	// says that the pass took the last turn, too.
	seen, read int64
	whole      bool
	passed     time.Time     // when the last pass ended
	took       time.Duration // and how long it took
	gone       bool
	// waits: it was said that no format can be told; sure: one must be.
	waits, sure bool
	out         *live
}

// follow reads a growing file until the context ends.
func (a *app) follow(ctx context.Context, x *extraction, path, form string) error {
	var file *os.File
	return x.work(ctx, a, func() (err error) {
		file, err = openFile(path)
		return err
	}, func(d *desk) error {
		f := &follower{x: x, a: a, path: path, file: file, out: newLive(a, d, form)}
		defer func() { f.file.Close() }()
		err := f.run(ctx, d)
		if err == nil && !x.quiet {
			fmt.Fprintf(a.stderr, "ended after %s\n", count(f.total, "turn"))
		}
		return err
	})
}

// run looks at the file again and again.
func (f *follower) run(ctx context.Context, d *desk) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		if err := f.look(ctx, d); err != nil {
			if ctx.Err() != nil && errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		}
		if err := f.a.stdout.Flush(); err != nil {
			return err
		}
		select {
		case <-tick.C:
			continue
		case <-ctx.Done(): // what rested a moment ago is whole
			f.sure = true
			return f.pass(context.WithoutCancel(ctx), d, true)
		}
	}
}

// look reads what is new. While the file grows the last turn waits, for it
// may not be whole.
func (f *follower) look(ctx context.Context, d *desk) error {
	if err := f.turned(ctx, d); err != nil {
		return err
	}
	info, err := f.file.Stat()
	if err != nil {
		return fmt.Errorf("follow %s: %w", f.path, err)
	}
	size := info.Size()
	if size < f.read || size < f.seen {
		f.again("was cut off")
	}
	rests := size == f.seen
	f.seen = size
	since := time.Since(f.passed)
	switch {
	case size == f.read && f.whole, since < 5*f.took:
		return nil
	case !rests && since < followBusy:
		return nil
	}
	return f.pass(ctx, d, rests)
}

// turned notices that another file has the path: the rest of the old one is
// read, then the new one from its start.
func (f *follower) turned(ctx context.Context, d *desk) error {
	now, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		if !f.gone && !f.x.quiet {
			fmt.Fprintf(f.a.stderr, "%s is gone: waiting for it\n", f.path)
		}
		f.gone = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("follow %s: %w", f.path, err)
	}
	f.gone = false
	old, err := f.file.Stat()
	if err == nil && os.SameFile(old, now) {
		return nil
	}
	if err := f.pass(ctx, d, true); err != nil {
		return err
	}
	file, err := openFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // for the next look
	}
	if err != nil {
		return err
	}
	f.file.Close()
	f.file = file
	f.again("is another file now")
	return nil
}

// again begins at the start of the file.
func (f *follower) again(why string) {
	if !f.x.quiet {
		fmt.Fprintf(f.a.stderr, "%s %s: reading it from its start\n", f.path, why)
	}
	f.done, f.last, f.read, f.seen, f.whole = 0, "", 0, 0, false
}

// pass reads the file up to its last whole line.
func (f *follower) pass(ctx context.Context, d *desk, whole bool) error {
	began := time.Now()
	info, err := f.file.Stat()
	if err != nil {
		return fmt.Errorf("follow %s: %w", f.path, err)
	}
	end, err := lastLine(f.file, info.Size())
	if err != nil {
		return fmt.Errorf("follow %s: %w", f.path, err)
	}
	if end > 0 {
		if err := f.detect(end); err != nil {
			return err
		}
	}
	if f.format != "" {
		fresh, err := f.fresh(end, whole)
		if err != nil {
			return err
		}
		o := f.x.options(f.a, d)
		o.OnResult = f.out.result
		first, stop := iter.Pull2(fresh)
		t, terr, any := first()
		if any {
			_, err = d.Ingest(ctx, f.x.doc, f.out.seen(chain(t, terr, first)), o)
		}
		stop()
		if err != nil {
			return err
		}
	}
	f.read, f.whole, f.passed, f.took = info.Size(), whole, time.Now(), time.Since(began)
	return nil
}

// chain is a turn and those behind it.
func chain(t sir.Turn, err error, next func() (sir.Turn, error, bool)) iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		for ok := true; ok; t, err, ok = next() {
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// detect finds the format. What looks like plain prose may be the first lines
// of something else: it waits for more, until it is the end.
func (f *follower) detect(end int64) error {
	if f.format != "" {
		return nil
	}
	o, err := f.x.reading.options(filepath.Base(f.path))
	if err != nil {
		return err
	}
	format, _, err := transcript.Detect(io.NewSectionReader(f.file, 0, end), o)
	if err != nil {
		return err
	}
	if format.ID == proseFormat && o.Format == "" && end < proseAfter && !f.sure {
		if !f.waits && !f.x.quiet {
			fmt.Fprintf(f.a.stderr, "%s: no format can be told yet: waiting for more lines; --format names one\n", f.path)
		}
		f.waits = true
		return nil
	}
	f.format = format.ID
	return nil
}

// proseFormat is what detection falls back to; a file of proseAfter bytes
// without anything else in it is prose.
const (
	proseFormat = "prose"
	proseAfter  = 64 << 10
)

// fresh yields the turns of the first end bytes that were not handed on yet.
func (f *follower) fresh(end int64, whole bool) (iter.Seq2[sir.Turn, error], error) {
	o, err := f.x.reading.options(filepath.Base(f.path))
	if err != nil {
		return nil, err
	}
	o.Format = f.format
	o.OnSkip = nil
	all, err := f.x.from(&f.x.reading, transcript.Read(bufio.NewReaderSize(io.NewSectionReader(f.file, 0, end), 64<<10), o), true)
	if err != nil {
		return nil, err
	}
	if !whole {
		all = withoutLast(all)
	}
	return func(yield func(sir.Turn, error) bool) {
		n := 0
		for t, err := range all {
			if err != nil {
				yield(t, err)
				return
			}
			n++
			if n < f.done || n == f.done && t.ID == f.last {
				continue
			}
			f.done, f.last = n, t.ID
			f.total++
			if !yield(t, nil) {
				return
			}
		}
	}, nil
}

// withoutLast yields all turns but the last; an error is none.
func withoutLast(turns iter.Seq2[sir.Turn, error]) iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		var held *sir.Turn
		for t, err := range turns {
			if err != nil {
				yield(t, err)
				return
			}
			if held != nil && !yield(*held, nil) {
				return
			}
			held = &t
		}
	}
}

// lastLine is where the last whole line of a file ends.
func lastLine(f io.ReaderAt, size int64) (int64, error) {
	var buf [32 << 10]byte
	for end := size; end > 0; {
		from := max(end-int64(len(buf)), 0)
		n, err := f.ReadAt(buf[:end-from], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for i := n - 1; i >= 0; i-- {
			if buf[i] == '\n' {
				return from + int64(i) + 1, nil
			}
		}
		end = from
	}
	return 0, nil
}
