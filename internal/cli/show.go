package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// show is `speckl show`.
func (a *app) show() *cobra.Command {
	var x viewing
	var form output
	cmd := &cobra.Command{
		Use:   "show DOC",
		Short: "Print a document as it stands, or as it stood",
		Long: "Print a document: what extract printed, without the results of a run. --at takes it back\n" +
			"to a version (v12), to what stood after a turn (turn:ID), or to a time, which a date ends;\n" +
			"--said shows what follows from what had been said by then alone.",
		Example: "  speckl show --db talks.db checkout\n  speckl show --db talks.db checkout --at v12 -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneDocument(cmd, args); err != nil {
				return err
			}
			if err := form.check(); err != nil {
				return err
			}
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				if s.doc.Empty() && !x.quiet && s.stored {
					fmt.Fprintln(a.stderr, nothing(s.doc, s.desk.chosen))
				}
				return form.write(a, s.doc, x.quiet)
			})
		},
	}
	x.flags(a, cmd)
	x.pointFlags(cmd)
	form.flags(cmd, "text", "json", "jsonl", "md", "html", "csv")
	completeDocuments(cmd, a)
	return cmd
}

// oneDocument wants one argument.
func oneDocument(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s: name one document: see %s --help", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}
