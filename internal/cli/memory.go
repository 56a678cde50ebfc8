package cli

import (
	"io"
	"os"
	"runtime/debug"
)

// The promise is a peak of 200 MB and three times the input. The collector is
// told to stay below a little less, which counts what was read so far.
const (
	memoryBase  = 190 << 20
	memoryStep  = 8 << 20
	memoryTimes = 2.5
)

// metered is an input that raises the memory limit as it is read.
type metered struct {
	io.ReadCloser
	read *int64 // bytes of all inputs so far
	next *int64 // when to raise the limit again
}

// meter returns a function that wraps inputs; their sizes add up. An explicit
// GOMEMLIMIT is left alone.
func meter() func(io.ReadCloser) io.ReadCloser {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func(in io.ReadCloser) io.ReadCloser { return in }
	}
	debug.SetMemoryLimit(memoryBase)
	read, next := new(int64), new(int64)
	*next = memoryStep
	return func(in io.ReadCloser) io.ReadCloser { return &metered{in, read, next} }
}

// Read reads and, every few megabytes, raises the limit.
func (m *metered) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	if *m.read += int64(n); *m.read >= *m.next {
		*m.next = *m.read + memoryStep
		debug.SetMemoryLimit(memoryBase + int64(memoryTimes*float64(*m.read)))
	}
	return n, err
}
