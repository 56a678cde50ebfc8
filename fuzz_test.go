package speckl_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// FuzzExtract reads any string as two turns of a conversation, in both
// domains: nothing panics, and the document keeps its promises.
func FuzzExtract(f *testing.F) {
	for _, c := range cues {
		f.Add(c, c+". Scratch that.")
	}
	f.Add("\r\n", "\xff\xfe")
	f.Fuzz(func(t *testing.T, first, second string) {
		run := about(t, "state-machine", "general")
		for i, words := range []string{first, second} {
			valid := utf8.ValidString(words) && !strings.ContainsRune(words, 0)
			turn := ann(words)
			if i == 1 {
				turn.Metadata = &sir.Metadata{Mode: sir.Interactive}
			}
			if err := run.read(turn); err != nil && valid {
				t.Fatal(err)
			}
		}
		if err := run.sound(); err != nil {
			t.Fatal(err)
		}
	})
}
