package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// filtering are the flags that choose elements.
type filtering struct {
	sir.Filter
	status, outcome string
	all             bool
}

func (f *filtering) flags(cmd *cobra.Command) {
	s := cmd.Flags()
	s.BoolVar(&f.Unconfirmed, "unconfirmed", false, "those that no person has confirmed")
	s.BoolVar(&f.NeedsReview, "needs-review", false, "those that need a person's look")
	textVar(s, &f.Type, "type", "those of this `TYPE`, such as state")
	textVar(s, &f.status, "status", "those of this `STATUS`: proposed, confirmed, deprecated, replaced or error")
	textVar(s, &f.Session, "session", "those that this `SESSION` has said or changed")
	textVar(s, &f.Turn, "turn", "those that the turn of this `ID` has said or changed")
	s.BoolVar(&f.all, "all", false, "those that no longer hold, too")
	f.agentFlags(cmd)
	complete(cmd, "status", these("proposed", "confirmed", "deprecated", "replaced", "error"))
}

// agentFlags are those that the log knows, too.
func (f *filtering) agentFlags(cmd *cobra.Command) {
	textVar(cmd.Flags(), &f.Agent, "agent", "those that this `AGENT` has proposed")
	textVar(cmd.Flags(), &f.outcome, "outcome", "those with this `OUTCOME`: open, confirmed, rejected, deprecated or replaced")
	complete(cmd, "outcome", these("open", "confirmed", "rejected", "deprecated", "replaced"))
}

// check reads the flags. Live elements are wanted where none asks for others.
func (f *filtering) check() error {
	f.Status, f.Outcome = sir.Status(f.status), sir.Outcome(f.outcome)
	if f.status != "" && !f.Status.Valid() {
		return usagef("unknown status %q: %s", f.status, hint(f.status, []string{"proposed", "confirmed", "deprecated", "replaced", "error"}, "statuses"))
	}
	if f.outcome != "" && !f.Outcome.Valid() {
		return usagef("unknown outcome %q: %s", f.outcome, hint(f.outcome, []string{"open", "confirmed", "rejected", "deprecated", "replaced"}, "outcomes"))
	}
	f.Live = !f.all && f.status == "" && f.outcome == "" && f.Agent == ""
	return nil
}

// choose returns the elements that the flags want. It returns an error for a
// type that no element or domain of the document has.
func (f *filtering) choose(s *subject) ([]*sir.Element, error) {
	if f.Type != "" {
		if err := knownType(s.doc, f.Type); err != nil {
			return nil, err
		}
	}
	filter := f.Filter
	sessions, agents := map[string]string{}, map[string]bool{} // by turn
	if f.Session != "" || f.Agent != "" {
		for t, err := range s.doc.Turns {
			if err != nil {
				return nil, err
			}
			sessions[t.ID] = t.SessionID
			agents[t.ID] = t.Speaker == sir.Agent && strings.EqualFold(t.Name(), f.Agent)
		}
	}
	filter.SessionOf = func(id string) string { return sessions[id] }
	var out []*sir.Element
	for _, e := range s.doc.Elements {
		if filter.Agent = f.Agent; len(e.Provenance.Entries) > 0 && agents[e.Provenance.Entries[0].TurnID] {
			filter.Agent = "" // it goes by that name
		}
		if filter.Match(e) {
			out = append(out, e)
		}
	}
	return out, nil
}

func knownType(doc *export.Document, name string) error {
	types := map[string]bool{}
	for _, t := range doc.Types {
		types[t] = true
	}
	for _, e := range doc.Elements {
		types[e.ElementType] = true
	}
	if !types[name] {
		return usagef("unknown type %q: %s", name, hint(name, sorted(types), "types"))
	}
	return nil
}

// ls is `speckl ls`.
func (a *app) ls() *cobra.Command {
	var x viewing
	var f filtering
	var form output
	cmd := &cobra.Command{
		Use:   "ls [DOC]",
		Short: "List documents, or the elements of one",
		Long: "Without an argument the stored documents are listed, with what waits in each for a\n" +
			"person; with one the elements of that document that hold now, or those that the flags\n" +
			"choose.",
		Example: "  speckl ls --db talks.db\n  speckl ls --db talks.db checkout --unconfirmed\n  speckl ls chat.txt --type state",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("speckl ls: takes one document, got %d", len(args))
			}
			if err := form.check(); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if len(args) == 0 {
				return x.with(cmd.Context(), func(d *desk) error { return a.documents(cmd, d, form.form, x.quiet) })
			}
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				chosen, err := f.choose(s)
				if err != nil {
					return err
				}
				return a.elements(s, chosen, form.form, x.quiet)
			})
		},
	}
	f.flags(cmd)
	x.flags(a, cmd)
	x.pointFlags(cmd)
	form.flags(cmd, "text", "json", "jsonl", "csv")
	completeDocuments(cmd, a)
	return cmd
}

// elements lists elements.
func (a *app) elements(s *subject, chosen []*sir.Element, form string, quiet bool) error {
	if n := len(s.doc.Elements) - len(chosen); len(chosen) == 0 && !quiet {
		fmt.Fprintf(a.stderr, "none of %s is one of these\n", count(n, "element"))
	}
	short := export.ShortIDs(s.doc)
	one := *s.doc
	one.Elements = chosen
	switch form {
	case "json":
		return export.ElementsJSON(a.stdout, &one)
	case "jsonl":
		return export.JSONL(a.stdout, &one)
	case "csv":
		return export.CSV(a.stdout, &one)
	}
	return export.List(a.stdout, &one, short, a.text())
}

// documentRow is a document in a list.
type documentRow struct {
	sir.Header
	Waiting int `json:"waiting"`
	Review  int `json:"needsReview"`
}

// documents lists the stored documents.
func (a *app) documents(cmd *cobra.Command, d *desk, form string, quiet bool) error {
	all, err := d.Documents(cmd.Context())
	if err != nil {
		return err
	}
	rows := []documentRow{}
	for _, s := range all {
		rows = append(rows, documentRow{s.Header, s.Waiting, s.Review})
	}
	if len(rows) == 0 && !quiet {
		fmt.Fprintf(a.stderr, "no documents in %s: speckl extract --db keeps one\n", d.where)
	}
	switch form {
	case "json":
		return a.json(struct {
			Documents []documentRow `json:"documents"`
		}{rows})
	case "jsonl":
		return jsonLines(a, rows)
	case "csv":
		return usagef("speckl ls: csv is for the elements of a document: name one")
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\tversion %d\t%d waiting, %d to review\n", safe(r.Name), strings.Join(r.Domains, ", "), r.Version, r.Waiting, r.Review)
	}
	return w.Flush()
}
