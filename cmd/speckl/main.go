package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

func main() {
	c, err := speckl.Open(speckl.Config{Trace: func(t speckl.Trace) {
		for _, s := range t.Sentences {
			fmt.Fprintln(os.Stderr, "S", s.Scopes, s.Text)
		}
		for _, c := range t.Candidates {
			fmt.Fprintln(os.Stderr, "C", c.Type, c.Rule, c.Data, c.Unproven, c.Doubtful)
		}
	}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	sc := bufio.NewScanner(os.Stdin)
	_, err = c.Ingest(context.Background(), "x", func(y func(sir.Turn, error) bool) {
		for sc.Scan() {
			if !y(sir.Turn{Content: sc.Text()}, nil) {
				return
			}
		}
	}, speckl.IngestOptions{Domains: []string{"state-machine"}, OnResult: func(r *sir.Result) error { fmt.Println(r.Summary, r.Dropped); return nil }})
	if err != nil {
		fmt.Println(err)
	}
	d, err := c.Document(context.Background(), "x")
	if err != nil {
		fmt.Println(err)
		return
	}
	export.Text(os.Stdout, d, export.TextOptions{})
}
