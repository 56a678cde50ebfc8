package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
)

// blame is `speckl blame`.
func (a *app) blame() *cobra.Command {
	var x viewing
	var form output
	var least int
	cmd := &cobra.Command{
		Use:   "blame DOC|FILE|-",
		Short: "Print who said what: the turns behind the elements",
		Long: "Print the turns whose words support elements, each with these elements and the words.\n" +
			"--min-elements 4 leaves out turns behind fewer than four.",
		Example: "  speckl blame --db talks.db checkout\n  speckl blame chat.txt --min-elements 4",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneDocument(cmd, args); err != nil {
				return err
			}
			if err := form.check(); err != nil {
				return err
			}
			if least < 1 {
				return usagef("--min-elements %d: want 1 or more", least)
			}
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				switch form.form {
				case "json":
					return export.BlameJSON(a.stdout, s.doc, least)
				case "jsonl":
					return export.BlameJSONL(a.stdout, s.doc, least)
				}
				return export.Blame(a.stdout, s.doc, least, a.text())
			})
		},
	}
	cmd.Flags().IntVar(&least, "min-elements", 1, "only turns behind at least this `NUMBER` of elements")
	x.flags(a, cmd)
	x.pointFlags(cmd)
	form.flags(cmd, "text", "json", "jsonl")
	completeDocuments(cmd, a)
	return cmd
}
