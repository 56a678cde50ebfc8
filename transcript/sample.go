package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// sampleSize is how much of a conversation detection sees.
const sampleSize = 64 << 10

// sample is the beginning of a conversation.
type sample struct {
	// data is without a byte-order mark.
	data []byte
	// bom is the length of the mark that was there.
	bom int
	// whole says that data is all there is.
	whole bool
}

var bomUTF8 = []byte("\xef\xbb\xbf")

// takeSample reads the beginning of r and returns a reader that gives it
// again, before the rest. A reader that fails after the beginning fails when
// it gets there.
func takeSample(r io.Reader) (*sample, *bufio.Reader, error) {
	br, ok := r.(*bufio.Reader)
	if !ok || br.Size() < 2*sampleSize {
		// Twice the sample, so that looking ahead seldom moves the buffer.
		br = bufio.NewReaderSize(r, 2*sampleSize)
	}
	data, err := br.Peek(sampleSize)
	if err != nil && !errors.Is(err, io.EOF) && len(data) == 0 {
		return nil, br, err
	}
	s := &sample{whole: errors.Is(err, io.EOF)}
	if bytes.HasPrefix(data, bomUTF8) {
		s.bom = len(bomUTF8)
	}
	s.data = bytes.Clone(data[s.bom:])
	return s, br, nil
}

// lines calls f with each line of the sample, without its end, until f says
// stop. A last line that may be cut off is left out.
func (s *sample) lines(f func(line []byte) bool) {
	for rest := s.data; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			if s.whole {
				f(trimCR(rest))
			}
			return
		}
		if !f(trimCR(rest[:i])) {
			return
		}
		rest = rest[i+1:]
	}
}

// trimCR cuts the CR of a CRLF.
func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
