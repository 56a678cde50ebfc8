package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// canned is a provider that always gives one reply.
type canned string

func (c canned) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: string(c), Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1}}, nil
}

// BenchmarkModel is all of `extract` on 100 KB with a reply that is there at
// once, beside decoding that reply and finding its quotes by strings.Index:
// the bar is ten times that.
func BenchmarkModel(b *testing.B) {
	source, err := os.ReadFile("../../ground/testdata/meetings.txt")
	if err != nil {
		b.Fatal(err)
	}
	text := string(source)
	var turns []sir.Turn
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		_, words, _ := strings.Cut(line, ": ")
		turns = append(turns, sir.Turn{ID: fmt.Sprint("t", i+1), SessionID: "s", Seq: i + 1, Speaker: sir.Human, Content: strings.TrimSpace(words)})
	}
	type item struct {
		Type       string         `json:"type"`
		Data       map[string]any `json:"data"`
		Quote      string         `json:"quote"`
		Confidence float64        `json:"confidence"`
		Rationale  string         `json:"rationale"`
	}
	var items []item
	thing := regexp.MustCompile(`(?:The|the) (\w+ (?:contract|invoice|vendor|cluster|rollout|index|ledger|report|budget|schema|roadmap|gateway|dashboard|pipeline|queue|policy|audit|backup|release))\b[^.,]{0,60}`)
	for _, t := range turns {
		for _, m := range thing.FindAllStringSubmatch(t.Content, -1) {
			items = append(items, item{"entity", map[string]any{"name": m[1]}, strings.TrimSpace(m[0]), 0.9, "it is spoken of"})
		}
	}
	reply, err := json.Marshal(map[string]any{"items": items})
	if err != nil {
		b.Fatal(err)
	}
	reference := func() time.Duration {
		began, found := time.Now(), 0
		var got struct{ Items []item }
		if err := json.Unmarshal(reply, &got); err != nil {
			b.Fatal(err)
		}
		for i := range got.Items {
			at := strings.Index(text, got.Items[i].Quote)
			if at < 0 {
				b.Fatal("a quote is not there")
			}
			found += at
		}
		if found == 0 {
			b.Fatal("no quote was found")
		}
		return time.Since(began)
	}
	ours := func(model bool) (time.Duration, int) {
		cfg := speckl.Config{Mode: sir.Batch}
		if model {
			cfg.Model = &speckl.ModelConfig{Name: "canned/1", Provider: canned(reply), MaxTokens: 1 << 20}
		}
		client, err := speckl.Open(cfg)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		_, err = client.Ingest(b.Context(), "doc", chat{turns: turns}.all(), speckl.IngestOptions{Domains: []string{"general"}})
		if err != nil {
			b.Fatal(err)
		}
		doc, err := client.Document(b.Context(), "doc")
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := export.JSON(&out, doc); err != nil {
			b.Fatal(err)
		}
		return time.Since(began), len(doc.Elements)
	}
	var with, without, ref samples
	n := 0
	for b.Loop() {
		t, elements := ours(true)
		n = elements
		with.add(t.Seconds())
		t, _ = ours(false)
		without.add(t.Seconds())
		ref.add(reference().Seconds())
	}
	b.ReportMetric(with.median()/ref.median(), "×parse+Index")
	b.ReportMetric(without.median()/ref.median(), "×without-model")
	b.ReportMetric(float64(len(items)), "items")
	b.ReportMetric(float64(n), "elements")
}
