package bench

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/internal/engine"
)

// prepared are the built-in domains, compiled.
func prepared(tb testing.TB) []*engine.Domain {
	tb.Helper()
	all, err := domains.All()
	if err != nil {
		tb.Fatal(err)
	}
	var out []*engine.Domain
	for _, d := range all {
		ready, err := engine.Prepare(d)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, ready)
	}
	return out
}

// propose matches each turn and returns how many candidates it gives.
func propose(d *engine.Domain, c chat) []int {
	var buf engine.Buffer
	out := make([]int, len(c.turns))
	for i := range c.turns {
		out[i] = len(d.Propose(&c.turns[i], &buf).Candidates)
	}
	return out
}

// scan runs each expression over each line, as a program without Speckl
// would, and returns how many matches there are.
func scan(exprs []*regexp.Regexp, c chat) int {
	n := 0
	for i := range c.turns {
		for line := range strings.Lines(c.turns[i].Content) {
			for _, re := range exprs {
				n += len(re.FindAllStringSubmatchIndex(line, -1))
			}
		}
	}
	return n
}

// refSize is how much of the chat the expressions get each time: they are
// slow, and the chat is the same all over.
const refSize = 60_000

// beside runs ours and the expressions by turns and reports both in MB/s,
// and how many times ours is faster.
func beside(b *testing.B, exprs []*regexp.Regexp, ours func() error) {
	b.Helper()
	c := long()
	var fast, slow samples
	at := 0
	for b.Loop() {
		for range 3 {
			part := c.part(at, refSize)
			at += 7919
			slow.add(rate(b, part.bytes, func() error { scan(exprs, part); return nil }))
			fast.add(rate(b, c.bytes, ours))
		}
	}
	b.ReportMetric(fast.median(), "MB/s")
	b.ReportMetric(slow.median(), "regexp-MB/s")
	b.ReportMetric(fast.median()/slow.median(), "x-regexp")
	b.ReportMetric(float64(len(exprs)), "regexps")
}

// BenchmarkMatch is annotate and match: what a turn says, without a document.
func BenchmarkMatch(b *testing.B) {
	for _, d := range prepared(b) {
		exprs := expressions(b, true, d.Domain)
		b.Run(d.ID, func(b *testing.B) {
			beside(b, exprs, func() error { propose(d, long()); return nil })
		})
	}
}

// BenchmarkExtract is the whole way, into a document in memory.
func BenchmarkExtract(b *testing.B) {
	all, err := domains.All()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		ids  []string
		subj bool
	}{
		{"state-machine", []string{"state-machine"}, true},
		{"general", []string{"general"}, true},
		{"both", []string{"state-machine", "general"}, true},
		{"state-machine-bare", []string{"state-machine"}, false},
	} {
		var exprs []*regexp.Regexp
		for _, d := range all {
			for _, id := range c.ids {
				if d.ID == id {
					exprs = append(exprs, expressions(b, c.subj, d)...)
				}
			}
		}
		b.Run(c.name, func(b *testing.B) {
			beside(b, exprs, func() error {
				client, err := speckl.Open(speckl.Config{Domains: all})
				if err != nil {
					return err
				}
				_, err = client.Ingest(context.Background(), "chat", long().all(), speckl.IngestOptions{Domains: c.ids})
				return err
			})
		})
	}
}
