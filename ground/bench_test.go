package ground_test

import (
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/speckl/speckl/ground"
)

// BenchmarkQuotes finds 100 quotes of a kind in 100 KB, the index apart.
func BenchmarkQuotes(b *testing.B) {
	source := ground.New(ground.Part{Text: readFile(b, "testdata/meetings.txt")})
	source.Find(ground.Quote{Text: "nothing of the kind stands there"}) // makes the index
	all := readLabelled(b, "testdata/meetings.jsonl")
	for _, kind := range []string{"exact", "fuzzy", "miss", "miss_the", "miss_plausible"} {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				for i := range all {
					if all[i].Kind == kind {
						source.Find(ground.Quote{Text: all[i].Text})
					}
				}
			}
		})
	}
}

// BenchmarkIndex makes the index of 100 KB, beside one normalisation of the
// text, which it is compared with.
func BenchmarkIndex(b *testing.B) {
	text := readFile(b, "testdata/meetings.txt")
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			ground.New(ground.Part{Text: text}).Find(ground.Quote{Text: "zyzzyva"})
		}
	})
	raw := []byte(text)
	b.Run("NFC", func(b *testing.B) {
		for b.Loop() {
			norm.NFC.Bytes(raw)
		}
	})
}
