package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// counted are a document's counts.
type counted struct {
	sir.Stats
	Document sir.Header       `json:"document"`
	Sessions []export.Session `json:"sessions"`
	// ByType counts the live elements, ByStatus all of them.
	ByType   map[string]int     `json:"byType"`
	ByStatus map[sir.Status]int `json:"byStatus"`
	Review   int                `json:"needsReview"`
	Conflict int                `json:"conflicts"`
	Pool     int                `json:"candidates"`
}

func countOf(doc *export.Document) counted {
	c := counted{
		Stats: doc.Stats, Document: doc.Header, Sessions: doc.Sessions, ByType: map[string]int{}, ByStatus: map[sir.Status]int{},
		Conflict: len(doc.Conflicts), Pool: len(doc.Candidates),
	}
	for _, e := range doc.Elements {
		c.ByStatus[e.Status]++
		if e.Status.Live() {
			c.ByType[e.ElementType]++
			if e.Flags.NeedsReview {
				c.Review++
			}
		}
	}
	return c
}

// stats is `speckl stats`.
func (a *app) stats() *cobra.Command {
	var x viewing
	var form output
	var usage bool
	cmd := &cobra.Command{
		Use:     "stats DOC",
		Short:   "Count what stands in a document, or what models have cost for it",
		Example: "  speckl stats --db talks.db checkout\n  speckl stats --db talks.db checkout --usage\n  speckl stats chat.txt -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneDocument(cmd, args); err != nil {
				return err
			}
			if err := form.check(); err != nil {
				return err
			}
			if usage {
				return a.usage(cmd.Context(), &x.library, args[0], form.form)
			}
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				c := countOf(s.doc)
				if form.form == "json" {
					return a.json(c)
				}
				_, err := a.stdout.WriteString(c.text(s.doc))
				return err
			})
		},
	}
	x.flags(a, cmd)
	x.pointFlags(cmd)
	form.flags(cmd, "text", "json")
	cmd.Flags().BoolVar(&usage, "usage", false, "what models have cost for a stored document: requests, tokens, money and time")
	completeDocuments(cmd, a)
	return cmd
}

// usage prints what models have cost for a document.
func (a *app) usage(ctx context.Context, l *library, name, form string) error {
	return l.with(ctx, func(d *desk) error {
		u, err := d.Usage(ctx, name)
		if err != nil {
			return d.missing(ctx, name, err)
		}
		left, err := d.Unanswered(ctx, name)
		if err != nil {
			return err
		}
		if form == "json" {
			return a.json(struct {
				speckl.Usage
				Unanswered int `json:"unansweredTurns"`
			}{u, left})
		}
		fmt.Fprintf(a.stdout, "requests    %d\ntokens      %d sent (%d of them kept by the provider), %d received\n", u.Calls, u.InputTokens, u.CachedTokens, u.OutputTokens)
		cost := fmt.Sprintf("about $%.4f", float64(u.CostMicros)/1e6)
		if u.Unpriced > 0 {
			cost += fmt.Sprintf(", without %s of unknown price", count(u.Unpriced, "request"))
		}
		fmt.Fprintf(a.stdout, "cost        %s\ntime        %s\nunanswered  %s\n", cost, time.Duration(u.Milliseconds)*time.Millisecond, count(left, "turn"))
		return nil
	})
}

func (c *counted) text(doc *export.Document) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s  %s\n", name, safe(fmt.Sprintf(format, args...)))
	}
	line("document", "%s, version %d", c.Document.Name, c.Document.Version)
	line("domains", "%s (%s)", strings.Join(c.Document.Domains, ", "), twoPlaces(c.DomainConfidence))
	line("turns", "%d in %s", c.TotalTurns, count(len(c.Sessions), "session"))
	if c.TotalElements == 0 {
		line("elements", "none")
	} else {
		line("elements", "%d: %d confirmed, %d tentative; average confidence %s", c.TotalElements, c.ConfirmedElements, c.TentativeElements, c.AvgConfidence)
	}
	var types []string
	for _, t := range append(doc.Types, sorted(c.ByType)...) {
		if n := c.ByType[t]; n > 0 && !strings.Contains(strings.Join(types, ", ")+",", " "+t+",") {
			types = append(types, fmt.Sprintf("%d %s", n, t))
		}
	}
	if len(types) > 0 {
		line("types", "%s", strings.Join(types, ", "))
	}
	var ended []string
	for _, s := range []sir.Status{sir.Replaced, sir.Deprecated, sir.Error} {
		if n := c.ByStatus[s]; n > 0 {
			ended = append(ended, fmt.Sprintf("%d %s", n, strings.Replace(string(s), "error", "rejected", 1)))
		}
	}
	if len(ended) > 0 {
		line("ended", "%s", strings.Join(ended, ", "))
	}
	line("waiting", "%s, %s, %d to review; %s held back", count(c.PendingAmbiguities, "question"), count(c.Conflict, "contradiction"), c.Review, count(c.Pool, "candidate"))
	return b.String()
}
