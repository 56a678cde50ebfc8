package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/store"
)

// apply is `speckl apply`.
func (a *app) apply() *cobra.Command {
	var l library
	var form output
	cmd := &cobra.Command{
		Use:   "apply DOC TOKEN",
		Short: "Apply what extract --dry-run has shown",
		Long: "Apply what extract --dry-run has shown, which printed the TOKEN. A document that has moved\n" +
			"on since is left alone: read the conversation again.",
		Example: "  speckl apply --db talks.db checkout 3f2a9c1e5b7d0a46",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("speckl apply: name a document and the token of its dry run")
			}
			if err := form.check(); err != nil {
				return err
			}
			return l.with(cmd.Context(), func(d *desk) error {
				if _, err := d.document(cmd.Context(), args[0]); err != nil {
					return err
				}
				r, err := d.Apply(cmd.Context(), args[0], args[1])
				switch {
				case errors.Is(err, store.ErrNotFound):
					return inputf("%s has no dry run %q that waits: it was applied, or the token is another", args[0], args[1])
				case errors.Is(err, store.ErrStale):
					return inputf("%s has moved on since that dry run: run extract --dry-run again", args[0])
				case err != nil:
					return err
				}
				doc := d.View(export.Document{})
				if form.form == "json" {
					return export.ResultJSON(a.stdout, doc, r)
				}
				return a.resultText(doc, r, "")
			})
		},
	}
	l.flags(cmd)
	form.flags(cmd, "text", "json")
	completeDocuments(cmd, a)
	return cmd
}
