package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// extraction is what extract, why and eval share: conversations read into a
// document of their own.
type extraction struct {
	reading
	settings
	domains []string
	mode    string
	doc     string
	org     string
	trace   bool
}

func (x *extraction) flags(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVarP(&x.domains, "domain", "d", nil, "`DOMAIN[,…]`: ids or FILE.yaml, the main one first (default: detect)")
	f.StringVar(&x.mode, "mode", string(sir.Realtime), "`MODE` of reading: realtime, or interactive, which asks instead of guessing")
	f.StringVar(&x.doc, "doc", "conversation", "the document's `NAME`")
	f.StringVar(&x.org, "org", "", "the `ORGANISATION` that owns the document (default local)")
	complete(cmd, "domain", domainIDs)
	complete(cmd, "mode", these(string(sir.Realtime), string(sir.Interactive)))
	x.reading.flags(a, cmd)
	x.settings.flags(cmd)
}

// client makes the client that the flags ask for.
func (x *extraction) client(a *app) (*speckl.Client, *chosen, error) {
	mode := sir.Mode(x.mode)
	switch {
	case !mode.Valid():
		return nil, nil, usagef("unknown mode %q: %s", x.mode, hint(x.mode, []string{"realtime", "interactive"}, "modes"))
	case mode != sir.Realtime && mode != sir.Interactive:
		return nil, nil, usagef("mode %s is not built yet: use realtime or interactive", mode)
	}
	if err := x.settings.load(); err != nil {
		return nil, nil, err
	}
	if x.tz == "" {
		x.tz = x.settings.zone
	}
	c, err := choose(x.domains)
	if err != nil {
		return nil, nil, err
	}
	for id := range x.thresholds {
		if id != "" && c.named(id) == nil {
			return nil, nil, usagef("thresholds of an unknown domain %q: %s", id, hint(id, c.all(), "domains"))
		}
	}
	x.minding(c.known)
	org, err := organization(x.org)
	if err != nil {
		return nil, nil, err
	}
	if x.doc == "" {
		return nil, nil, usagef("--doc: a document needs a name")
	}
	cfg := speckl.Config{Store: store.NewMemory(store.Config{Unlogged: true}), Domains: c.known, Organization: org, Mode: mode, Thresholds: x.thresholds}
	if x.trace {
		cfg.Trace = a.traced
	}
	client, err := speckl.Open(cfg)
	return client, c, err
}

// run reads the files into a document and returns it. keep says how much of
// each result is kept; nil keeps none.
func (x *extraction) run(ctx context.Context, a *app, cmd *cobra.Command, files []string, keep func(*sir.Result) *sir.Result) (*export.Document, error) {
	client, c, err := x.client(a)
	if err != nil {
		return nil, err
	}
	open, err := a.open(cmd, files)
	if err != nil {
		return nil, err
	}
	return x.read(ctx, a, client, c, open, keep)
}

// read reads conversations that are open.
func (x *extraction) read(ctx context.Context, a *app, client *speckl.Client, c *chosen, open []conversation, keep func(*sir.Result) *sir.Result) (*export.Document, error) {
	turns, err := x.turns(open)
	if err != nil {
		return nil, err
	}
	var results spool
	o := speckl.IngestOptions{Domains: c.ids}
	if keep != nil {
		o.OnResult = func(r *sir.Result) error {
			return results.add(keep(r))
		}
	}
	if len(c.ids) == 0 && !x.quiet {
		o.OnDetect = func(ids []string, d sir.Detection) { fmt.Fprintln(a.stderr, detected(ids, d)) }
	}
	if _, err := client.Ingest(ctx, x.doc, turns, o); err != nil {
		return nil, err
	}
	x.report(a)
	doc, err := client.Document(ctx, x.doc)
	if err != nil {
		return nil, err
	}
	if keep != nil {
		doc.Results = results.all()
	}
	if doc.Empty() && !x.quiet {
		fmt.Fprintln(a.stderr, nothing(doc, c))
	}
	return doc, nil
}

// detected says which domains a conversation is read as.
func detected(ids []string, d sir.Detection) string {
	s := fmt.Sprintf("read as %s (%s)", ids[0], twoPlaces(d.Confidence))
	if len(ids) > 1 {
		s += "; also " + strings.Join(ids[1:], ", ")
	}
	return s + "; --domain to choose"
}

func twoPlaces(c sir.Confidence) string { return fmt.Sprintf("%.2f", float64(c)/10000) }

// nothing says what was looked for where nothing was found.
func nothing(doc *export.Document, c *chosen) string {
	var types []string
	for _, id := range doc.Header.Domains {
		d := c.named(id)
		if d == nil {
			continue
		}
		for i := range d.Types {
			if p := plural(&d.Types[i]); !slices.Contains(types, p) {
				types = append(types, p)
			}
		}
	}
	if doc.Stats.TotalTurns == 0 {
		return "nothing found: there was no turn to read"
	}
	return fmt.Sprintf("nothing found in %s: looked for %s (%s); --domain for another kind",
		count(doc.Stats.TotalTurns, "turn"), strings.Join(types, ", "), strings.Join(doc.Header.Domains, ", "))
}

func plural(t *domain.Type) string {
	if t.Plural != "" {
		return strings.ToLower(t.Plural)
	}
	if stem, ok := strings.CutSuffix(t.Name, "y"); ok && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") {
		return stem + "ies"
	}
	return t.Name + "s"
}

// extract is `speckl extract`.
func (a *app) extract() *cobra.Command {
	var x extraction
	var form output
	cmd := &cobra.Command{
		Use:   "extract [FILE…|-]",
		Short: "Read conversations and print what they establish",
		Long: "Read conversations and print what they establish: elements, each with the exact words\n" +
			"that support it. Several files are several sessions of one document. Nothing is kept.",
		Example: "  speckl extract meeting.vtt\n  speckl extract --domain state-machine -o json chat.txt\n  pbpaste | speckl extract",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			doc, err := x.run(cmd.Context(), a, cmd, args, form.keep())
			if err != nil {
				return err
			}
			return form.write(a, doc, x.quiet)
		},
	}
	x.flags(a, cmd)
	form.flags(cmd, "text", "json", "jsonl", "md", "html", "csv")
	cmd.Flags().BoolVar(&x.trace, "trace", false, "print on stderr what each stage made of each turn")
	return cmd
}
