package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// search is `speckl search`.
func (a *app) search() *cobra.Command {
	var l library
	var form output
	var doc string
	var q store.Query
	cmd := &cobra.Command{
		Use:   "search WORDS…",
		Short: "Find elements of stored documents by their words",
		Long: "Find the elements that have all of the words in what they say or in what supports them,\n" +
			"in one document or in all, the best first. Endings and case do not count.",
		Example: "  speckl search --db talks.db payment timeout\n  speckl search --db talks.db refund --doc checkout",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Text = strings.Join(args, " ")
			switch {
			case strings.TrimSpace(q.Text) == "":
				return usagef("speckl search: name the words")
			case q.Limit < 1:
				return usagef("--limit %d: want 1 or more", q.Limit)
			}
			if err := form.check(); err != nil {
				return err
			}
			return l.with(cmd.Context(), func(d *desk) error {
				found, err := d.Search(cmd.Context(), doc, q)
				if err != nil {
					return d.missing(cmd.Context(), doc, err)
				}
				if len(found) == 0 {
					fmt.Fprintf(a.stderr, "nothing found for %q\n", q.Text)
				}
				return a.found(d, found, form.form)
			})
		},
	}
	f := cmd.Flags()
	textVar(f, &doc, "doc", "only in the document of this `NAME`")
	f.BoolVar(&q.All, "all", false, "also elements that no longer hold")
	f.IntVar(&q.Limit, "limit", store.SearchLimit, "the most that is found, a `NUMBER`")
	l.flags(cmd)
	form.flags(cmd, "text", "json", "jsonl")
	return cmd
}

// foundRow is an element that was found.
type foundRow struct {
	Document sir.Header `json:"document"`
	Score    int        `json:"score"`
	Element  any        `json:"element"`
}

// found prints what was found.
func (a *app) found(d *desk, found []speckl.Found, form string) error {
	rows := []foundRow{}
	for _, f := range found {
		doc := d.View(export.Document{Header: f.Document})
		rows = append(rows, foundRow{f.Document, f.Score, export.Element(doc, f.Element)})
	}
	switch form {
	case "json":
		return a.json(struct {
			Hits []foundRow `json:"hits"`
		}{rows})
	case "jsonl":
		return jsonLines(a, rows)
	}
	for _, f := range found {
		doc := d.View(export.Document{Header: f.Document, Elements: []*sir.Element{f.Element}})
		if f.Said != nil {
			doc.Turns = turnsOf([]*sir.Turn{f.Said})
		}
		if err := export.Hits(a.stdout, doc, a.text()); err != nil {
			return err
		}
	}
	return nil
}
