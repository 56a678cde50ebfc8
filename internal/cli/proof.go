package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/speckl/speckl/transcript"
)

// proofread reads conversations through, so that a bad record ends the
// command before anything is written. What cannot be read twice is copied to
// a file of its own first.
func (r *reading) proofread(cs []conversation) (err error) {
	defer func() {
		if err != nil {
			closeAll(cs)
		}
	}()
	for i := range cs {
		c := &cs[i]
		if c.file == nil {
			if err := c.spool(r.maxBytes); err != nil {
				return err
			}
		}
		o, err := r.options(c.name)
		if err != nil {
			return err
		}
		o.OnSkip = nil // the second reading counts
		for _, err := range transcript.Read(bufio.NewReaderSize(c.file, 64<<10), o) {
			if err != nil {
				return err
			}
		}
		if _, err := c.file.Seek(0, io.SeekStart); err != nil {
			return inputf("read %s again: %w", c.name, err)
		}
	}
	return nil
}

// spool copies a conversation that is a stream to a file, which goes when it
// is closed. It returns an error for more than most bytes.
func (c *conversation) spool(most size) error {
	f, err := os.CreateTemp("", "speckl-*")
	if err != nil {
		return fmt.Errorf("read %s: %w", c.name, err)
	}
	_ = os.Remove(f.Name()) // where that works it is gone even after a crash
	n, err := io.Copy(f, io.LimitReader(c.in, int64(most)+1))
	switch {
	case err == nil && n > int64(most):
		err = fmt.Errorf("larger than %s: split it, or raise --max-bytes", most.String())
	case err == nil:
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		_ = os.Remove(f.Name())
		return inputf("read %s: %w", c.name, err)
	}
	c.in.Close()
	c.file, c.in = f, &spooled{f}
	return nil
}

// spooled is a temporary file.
type spooled struct{ *os.File }

// Close closes and removes it.
func (s *spooled) Close() error {
	err := s.File.Close()
	_ = os.Remove(s.Name())
	return err
}
