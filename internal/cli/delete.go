package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// delete is `speckl delete`.
func (a *app) delete() *cobra.Command {
	var l library
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete DOC --yes",
		Short: "Remove a document with its log, for good",
		Long: "Remove a document with its turns, elements and log. It cannot be taken back: export --log\n" +
			"keeps a copy. Without --yes the command says what would go, and removes nothing.",
		Example: "  speckl delete --db talks.db checkout --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneDocument(cmd, args); err != nil {
				return err
			}
			return l.with(cmd.Context(), func(d *desk) error {
				h, err := d.document(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if !yes {
					s, err := d.Stats(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					return usagef("this removes %s for good: %s, %s, version %d: add --yes; speckl export --log keeps a copy",
						safe(h.Name), count(s.TotalTurns, "turn"), count(s.TotalElements, "element"), h.Version)
				}
				if err := d.Delete(cmd.Context(), args[0]); err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.stdout, "deleted %s\n", safe(h.Name))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	l.flags(cmd)
	completeDocuments(cmd, a)
	return cmd
}
