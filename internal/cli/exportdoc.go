package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// export is `speckl export`.
func (a *app) export() *cobra.Command {
	var l library
	var log bool
	cmd := &cobra.Command{
		Use:   "export DOC",
		Short: "Write a whole document as an archive that import restores",
		Long: "Write a stored document as JSON lines: what it is, then its log, turns included. Without\n" +
			"--log the bytes depend only on what was read and done; with it each record carries its\n" +
			"salt, hashes and time of recording, so that import restores the very chain.",
		Example: "  speckl export --db talks.db checkout > checkout.speckl.jsonl\n  speckl export --db talks.db checkout --log | speckl import --db other.db -",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneDocument(cmd, args); err != nil {
				return err
			}
			return l.with(cmd.Context(), func(d *desk) error {
				if _, err := d.document(cmd.Context(), args[0]); err != nil {
					return err
				}
				err := d.Export(cmd.Context(), a.stdout, args[0], log)
				if errors.Is(err, speckl.ErrErased) {
					return usagef("%s: words in it were erased for good, which only the log can say: add --log", args[0])
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&log, "log", false, "with salts, hashes and times of recording")
	l.flags(cmd)
	completeDocuments(cmd, a)
	return cmd
}
