package transcript

// prose reads a text without speakers as one turn, cut at the last blank line
// before MaxTurn. Blank lines around a turn are not kept.
type prose struct{}

func proseFormat() Format {
	return Format{
		ID: "prose", Name: "Prose", Extensions: []string{".txt", ".md"},
		Description: "A text without speakers: one turn, cut at a blank line where it is too long.",
		reader:      prose{},
	}
}

var _ reader = prose{}

// sniff is content with anything.
func (prose) sniff(*sample, *config) int { return 1 }

func (prose) read(in *input, out *sink) {
	sp := &speech{in: in, out: out, split: true}
	sp.run(func(l line) ([]byte, bool) {
		if sp.bad != nil && len(trimSpace(l.text)) == 0 {
			sp.flush() // after a bad paragraph, lenient reading goes on
		}
		return l.text, true
	})
}
