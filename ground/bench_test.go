package ground_test

import (
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/speckl/speckl/ground"
)

// BenchmarkGround tells what 100 quotes of each kind cost in 100 KB: alone,
// the index being made, and with a new index. "x" is the ratio to 100 exact
// ones of the same run.
func BenchmarkGround(b *testing.B) {
	text := readFile(b, "testdata/meetings.txt")
	quotes := map[string][]ground.Quote{}
	for _, l := range readLabelled(b, "testdata/meetings.jsonl") {
		quotes[l.Kind] = append(quotes[l.Kind], ground.Quote{Text: l.Text})
	}
	warm := ground.New(ground.Part{Text: text})
	warm.FindAll(quotes["fuzzy"])
	for _, how := range []struct {
		name   string
		source func() *ground.Source
	}{
		{"quotes", func() *ground.Source { return warm }},
		{"fresh", func() *ground.Source { return ground.New(ground.Part{Text: text}) }},
	} {
		var exact float64
		for _, kind := range []string{"exact", "fuzzy", "miss", "miss_the", "miss_plausible"} {
			b.Run(how.name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					s := how.source()
					for _, q := range quotes[kind] {
						s.Find(q)
					}
				}
				ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				if kind == "exact" {
					exact = ns
				}
				b.ReportMetric(ns/exact, "x")
			})
		}
	}
}

// BenchmarkGroundIndex tells what the index of 100 KB costs; "x" is the ratio
// to one normalisation (NFC) of the text.
func BenchmarkGroundIndex(b *testing.B) {
	text := readFile(b, "testdata/meetings.txt")
	raw := []byte(text)
	var nfc float64
	for _, x := range []struct {
		name string
		run  func()
	}{
		{"nfc", func() { norm.NFC.Bytes(raw) }},
		{"index", func() { ground.New(ground.Part{Text: text}) }},
		{"index-and-words", func() { ground.New(ground.Part{Text: text}).Find(ground.Quote{Text: "the xylophone sings"}) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				x.run()
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			if x.name == "nfc" {
				nfc = ns
			}
			b.ReportMetric(ns/nfc, "x")
		})
	}
}
