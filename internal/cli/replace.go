package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// replace is `speckl replace`.
func (a *app) replace() *cobra.Command {
	return a.act(actUsage{
		"replace DOC OLD NEW", "Replace an element by another",
		"Replace an element by another of the document; they are linked both ways. " + elementForms,
		"replace --db talks.db checkout state:cart state:basket",
	}, 3, 3, func(t *deed, args []string) error {
		t.Kind = speckl.Replace
		return t.on(args...)
	})
}
