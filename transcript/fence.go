package transcript

import "bytes"

// fence follows fenced code (``` or ~~~), in which no line is a label. A fence
// counts only where its end is within sampleSize bytes, so that a stray one
// does not swallow a conversation.
type fence struct {
	char byte
	n    int
	// fails remembers, for ` and ~, the shortest fence that had no end, and
	// how far in the file that is known.
	fails [2]struct {
		n  int
		to int64
	}
}

func (f *fence) open() bool { return f.n > 0 }

// see takes the line that was read last, or what is left of it behind a
// label. It spoils that line.
func (f *fence) see(in *input, text []byte) {
	if f.open() {
		if closesFence(text, f.char, f.n) {
			f.n = 0
		}
		return
	}
	char, n := opensFence(text)
	if n > 0 && f.ends(in, char, n) {
		f.char, f.n = char, n
	}
}

// ends looks for the end of a fence in what follows.
func (f *fence) ends(in *input, char byte, n int) bool {
	fail := &f.fails[0]
	if char == '~' {
		fail = &f.fails[1]
	}
	next := in.ahead()
	from := 0
	if fail.n > 0 && n >= fail.n && fail.to > in.next {
		from = int(fail.to - in.next) // no end before this
	}
	for rest := next[min(from, len(next)):]; len(rest) > 0; {
		l, after, _ := bytes.Cut(rest, []byte("\n"))
		if closesFence(trimCR(l), char, n) {
			return true
		}
		rest = after
	}
	// The last line may be cut off: it is looked at again.
	known := bytes.LastIndexByte(next, '\n') + 1
	fail.n, fail.to = n, in.next+int64(known)
	return false
}

// opensFence returns the character and length of an opening fence, 0 for none.
func opensFence(text []byte) (char byte, n int) {
	char, n, rest := fenceRun(text)
	if n < 3 || char == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return 0, 0
	}
	return char, n
}

// closesFence reports whether a line ends a fence of n characters.
func closesFence(text []byte, char byte, n int) bool {
	c, m, rest := fenceRun(text)
	return c == char && m >= n && len(trimSpace(rest)) == 0
}

func fenceRun(text []byte) (char byte, n int, rest []byte) {
	i := 0
	for i < 3 && i < len(text) && text[i] == ' ' {
		i++
	}
	text = text[i:]
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return 0, 0, nil
	}
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return text[0], n, text[n:]
}

// isQuote reports whether a line is of a block quote.
func isQuote(text []byte) bool {
	i := 0
	for i < 3 && i < len(text) && text[i] == ' ' {
		i++
	}
	return i < len(text) && text[i] == '>'
}
