package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// rename is `speckl rename`.
func (a *app) rename() *cobra.Command {
	return a.act(actUsage{
		"rename DOC NEW", "Give a document another name",
		"Give a document another name. Its id, and those of its elements, stay.",
		"rename --db talks.db conversation checkout",
	}, 2, 2, func(t *deed, args []string) error {
		t.Kind, t.Name = speckl.Rename, args[0]
		return nil
	})
}
