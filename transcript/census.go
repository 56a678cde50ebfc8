package transcript

// census counts the names that a sample's labels look like.
type census struct {
	counts map[string]int
	// strong are those that look like names on their own.
	strong map[string]bool
	// cues counts lines whose label is none.
	cues int
}

func newCensus() *census {
	return &census{counts: map[string]int{}, strong: map[string]bool{}}
}

func (n *census) add(label []byte, s strength) {
	if s == noName {
		n.cues++
		return
	}
	n.counts[string(label)]++
	if s == strongName {
		n.strong[string(label)] = true
	}
}

// known reports whether a label counts as a name: it looks like one, or it
// recurs.
func (n *census) known(label string) bool {
	return n.strong[label] || n.counts[label] > 1
}

// speech reports whether the names make a conversation: at least two of them,
// or one on three lines. Where nothing recurs and as many labels are none, it
// is a form rather than a talk.
func (n *census) speech() bool {
	names, most := 0, 0
	for label, c := range n.counts {
		if n.known(label) {
			names++
			most = max(most, c)
		}
	}
	if most == 1 && n.cues >= names {
		return false
	}
	return names >= 2 || most >= 3
}

// lines is how many lines have a name.
func (n *census) lines() int {
	sum := 0
	for label, c := range n.counts {
		if n.known(label) {
			sum += c
		}
	}
	return sum
}
