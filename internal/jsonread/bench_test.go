package jsonread_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/internal/jsonread"
)

// clean is a reply of n items, as a model sends it.
func clean(n int) string {
	var b strings.Builder
	b.WriteString(`{"items": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `{"type": "transition", "data": {"from": "idle", "event": "the user clicks \"Search\"", "to": "loading %d", "actions": []}, "quote": "When the user clicks “Search”, it goes to a loading state", "confidence": 0.82, "rationale": "said in so many words"}`, i)
	}
	b.WriteString("]}")
	return b.String()
}

// hostile are replies of about n bytes that are made to be costly.
func hostile(n int) map[string]string {
	replies := map[string]string{}
	for name, piece := range map[string]string{
		"lists": "[", "objects": `{"a":`, "quotes": `"`, "keys": `{"`, "prose braces": "{a ", "broken": `{"a": b `, "items": `[{"a":1 `,
		"quotes and commas": `",`, "inner quotes": `a" ,"`, "comments": `"//`, "open comments": "[/*", "escapes": `\`, "lists of one": "[{}",
		"tags": "<think>", "closing tags": "</think>", "fences": "\n```", "fenced lists": "\n```\n[{},", "spaces": `"          ,`, "blocks": "\n```\n[{}]\n", "typographic": "“",
	} {
		replies[name] = strings.Repeat(piece, n/len(piece))
		replies["list of "+name] = "[{\"a\":" + replies[name]
	}
	return replies
}

// TestHostile: such replies end, and account for themselves.
func TestHostile(t *testing.T) {
	for name, reply := range hostile(100_000) {
		t.Run(name, func(t *testing.T) { check(t, reply) })
	}
}

// BenchmarkItems reports how many times the work of encoding/json a clean
// reply costs, and one with slips.
func BenchmarkItems(b *testing.B) {
	text := clean(1000)
	slips := strings.ReplaceAll(strings.ReplaceAll(text, `"type"`, "type"), "]}", ",]}")
	reference := least(func() {
		var v struct{ Items []json.RawMessage }
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			b.Fatal(err)
		}
	})
	for _, c := range []struct{ name, text string }{{"clean", text}, {"slips", slips}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				if r := jsonread.Items(c.text, "items"); len(r.Items) != 1000 {
					b.Fatalf("%d items", len(r.Items))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(reference), "x_unmarshal")
		})
	}
}

// BenchmarkHostile reports what ten times the text costs: about 10 where the
// cost is linear.
func BenchmarkHostile(b *testing.B) {
	small, large := hostile(300_000), hostile(3_000_000)
	for name := range small {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				jsonread.Items(small[name], "items")
			}
			one := least(func() { jsonread.Items(small[name], "items") })
			ten := least(func() { jsonread.Items(large[name], "items") })
			b.ReportMetric(float64(ten)/float64(one), "x_for_10x")
		})
	}
}

// least is the shortest time of several runs.
func least(run func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range 5 {
		start := time.Now()
		run()
		best = min(best, time.Since(start))
	}
	return best
}
