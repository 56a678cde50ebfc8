package store

// arena is append-only memory for packed rows. A row lies in one chunk, and
// chunks never move; they grow from one to 1024 KiB, so that small documents
// stay small. The collector sees one pointer a chunk.
type arena struct{ chunks [][]byte }

// place is where a row begins: chunk and offset.
type place uint64

const (
	smallChunk = 1 << 10
	largeChunk = 1 << 20
)

// put appends a row and returns where it stands.
func (a *arena) put(row []byte) place {
	n := len(a.chunks)
	if n == 0 || len(a.chunks[n-1])+len(row) > cap(a.chunks[n-1]) {
		size := smallChunk
		if n > 0 {
			size = min(2*cap(a.chunks[n-1]), largeChunk)
		}
		a.chunks = append(a.chunks, make([]byte, 0, max(size, len(row))))
		n++
	}
	at := a.end()
	a.chunks[n-1] = append(a.chunks[n-1], row...)
	return at
}

// at returns the bytes from a place to the end of its chunk.
func (a *arena) at(p place) []byte { return a.chunks[p>>32][uint32(p):] }

// end is where the next row begins, if it fits.
func (a *arena) end() place {
	n := len(a.chunks)
	if n == 0 {
		return 0
	}
	return place(n-1)<<32 | place(len(a.chunks[n-1]))
}

// next is the place of the row that stands at p or, where a chunk ends there,
// at the beginning of the following one.
func (a *arena) next(p place) place {
	if c := int(p >> 32); c < len(a.chunks)-1 && int(uint32(p)) == len(a.chunks[c]) {
		return place(c+1) << 32
	}
	return p
}

// cut takes back all rows from a place on.
func (a *arena) cut(p place) {
	if len(a.chunks) == 0 {
		return
	}
	c := int(p >> 32)
	clear(a.chunks[c+1:])
	a.chunks = a.chunks[:c+1]
	a.chunks[c] = a.chunks[c][:uint32(p)]
}

// places is a list that grows by pages and is never copied.
type places struct {
	pages []*[4096]place
	n     int
}

func (l *places) add(p place) {
	if l.n>>12 == len(l.pages) {
		l.pages = append(l.pages, new([4096]place))
	}
	l.pages[l.n>>12][l.n&4095] = p
	l.n++
}

func (l *places) at(i int) place { return l.pages[i>>12][i&4095] }
