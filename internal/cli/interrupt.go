package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is wrapped by the error of a command that a signal ended.
var errInterrupted = errors.New("interrupted")

// untilInterrupt returns a context that Ctrl-C ends, so that what was done is
// kept and the rest left; a second Ctrl-C ends the program.
func untilInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// interrupted says of an error that came of an interrupt where what was done
// is kept; others are passed on.
func interrupted(ctx context.Context, err error, where string) error {
	switch {
	case err == nil || ctx.Err() == nil || !errors.Is(err, context.Canceled):
		return err
	case where == "":
		return marked{errInterrupted, errInterrupted}
	}
	return marked{errInterrupted, fmt.Errorf("%w: what was read by then is kept in %s; the same command goes on", errInterrupted, where)}
}

// interruptible is a reader whose reads end with a context, as those of a
// terminal would not by themselves.
type interruptible struct {
	ctx  context.Context
	read chan readDone
	in   io.Reader
	busy bool // a read that was given up is still waiting
}

type readDone struct {
	b   []byte
	err error
}

func newInterruptible(ctx context.Context, in io.Reader) io.Reader {
	if ctx.Done() == nil {
		return in
	}
	return &interruptible{ctx: ctx, in: in, read: make(chan readDone, 1)}
}

// Read reads, or returns the context's error.
func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil || r.busy {
		return 0, errors.Join(err, io.ErrClosedPipe)
	}
	go func() {
		b := make([]byte, len(p)) // p is the caller's once we return
		n, err := r.in.Read(b)
		r.read <- readDone{b[:n], err}
	}()
	select {
	case done := <-r.read:
		return copy(p, done.b), done.err
	case <-r.ctx.Done():
		r.busy = true
		return 0, r.ctx.Err()
	}
}
