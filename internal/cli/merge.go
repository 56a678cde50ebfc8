package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// merge is `speckl merge`.
func (a *app) merge() *cobra.Command {
	return a.act(actUsage{
		"merge DOC SURVIVOR OTHER…", "Merge elements that are one thing",
		"Merge elements that are one thing: the first survives with the words of all and the highest\nconfidence, the others are replaced by it. " + elementForms,
		"merge --db talks.db checkout state:cart state:basket",
	}, 3, -1, func(t *deed, args []string) error {
		t.Kind = speckl.Merge
		return t.on(args...)
	})
}
