package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/internal/domaincheck"
)

// domain is `speckl domain`.
func (a *app) domain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "domain",
		Short: "List domains, and check them",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q of speckl domain: %s", args[0], hint(args[0], commandNames(cmd), "commands"))
			}
			return usagef("speckl domain: name one of list, check")
		},
	}
	cmd.AddCommand(a.domainList(), a.domainCheck())
	return cmd
}

// domainList is `speckl domain list`.
func (a *app) domainList() *cobra.Command {
	var form output
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in domains",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := form.check(); err != nil {
				return err
			}
			c, err := choose(nil)
			if err != nil {
				return err
			}
			type row struct {
				ID          string   `json:"id"`
				Name        string   `json:"name"`
				Description string   `json:"description"`
				Types       []string `json:"types"`
			}
			var rows []row
			for _, d := range c.known {
				r := row{ID: d.ID, Name: d.Name, Description: d.Description}
				for _, t := range d.Types {
					r.Types = append(r.Types, t.Name)
				}
				rows = append(rows, r)
			}
			if form.form == "json" {
				return a.json(rows)
			}
			w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, r := range rows {
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, strings.Join(r.Types, " "), r.Description)
			}
			return w.Flush()
		},
	}
	form.flags(cmd, "text", "json")
	return cmd
}

// domainCheck is `speckl domain check`.
func (a *app) domainCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [FILE.yaml|ID…]",
		Short: "Run the examples of domains, and say which fail",
		Long: "Run each rule's examples and counter-examples through the domain's phrases and schema.\n" +
			"Without an argument all built-in domains are checked. The exit code is 1 where one fails.",
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := choose(args)
			if err != nil {
				return err
			}
			ids := c.ids
			if len(args) == 0 {
				ids = c.all()
			}
			failed := false
			for _, id := range ids {
				r, err := domaincheck.Check(c.named(id), new(tryout).extract)
				if err != nil {
					return err
				}
				for _, f := range r.Failures {
					failed = true
					fmt.Fprintf(a.stdout, "%s: rule %s: %s\n", id, f.Rule, f)
				}
				fmt.Fprintf(a.stdout, "%s: %s with examples of %s, %s, %s, %d failed\n", id, count(r.WithExamples, "rule"),
					count(r.Rules, "rule"), count(r.Examples, "example"), count(r.Counters, "counter-example"), len(r.Failures))
			}
			if failed {
				return errFindings
			}
			return nil
		},
	}
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return domainIDs(), cobra.ShellCompDirectiveDefault
	}
	return cmd
}
