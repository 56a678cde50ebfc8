package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/eval"
)

// TestOwnGold holds the domains to what they reach on our own labelled texts.
// The bars lie below what is measured, so that a rule may trade a little;
// inventions and false spans have no slack.
func TestOwnGold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		domain, file string
		min          map[string]float64
	}{
		{"state-machine", "../../domains/statemachine/testdata/passages.jsonl", map[string]float64{"transition": 0.70, "state": 0.80}},
		{"general", "../../domains/general/testdata/gold.jsonl", map[string]float64{"entity": 0.85, "relationship": 0.80, "property": 0.85, "constraint": 0.90}},
	} {
		t.Run(c.domain, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(filepath.FromSlash(c.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			gold, err := eval.ReadGold(f, filepath.Base(c.file))
			if err != nil {
				t.Fatal(err)
			}
			client, err := speckl.Open(speckl.Config{})
			if err != nil {
				t.Fatal(err)
			}
			run, err := eval.Extract(context.Background(), client, c.domain, gold)
			if err != nil {
				t.Fatal(err)
			}
			r := eval.Score(c.domain, gold, run)
			for typ, bar := range c.min {
				if got := r.Types[typ]; got == nil || got.F1 < bar {
					t.Errorf("%s: F1 is %+v, want at least %.2f", typ, got, bar)
				}
			}
			if r.MustNot+r.NegativesHit+r.BadSpans+r.Bare > 0 {
				t.Errorf("inventions %d, negatives hit %d, false spans %d, elements without words %d", r.MustNot, r.NegativesHit, r.BadSpans, r.Bare)
			}
			for _, w := range r.Wrong {
				t.Log(w.Row, w.Kind, w.Text)
			}
		})
	}
}
