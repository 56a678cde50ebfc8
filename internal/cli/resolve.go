package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// resolve is `speckl resolve`.
func (a *app) resolve() *cobra.Command {
	return a.act(actUsage{
		"resolve DOC ELEMENT N", "Choose one of an element's readings",
		"Choose the Nth reading of an ambiguous element, as speckl why and inbox list them. It is\nconfirmed, the others are kept. " + elementForms,
		"resolve --db talks.db checkout 3f2a9c1e 2",
	}, 3, 3, func(t *deed, args []string) error {
		t.Kind = speckl.Resolve
		var err error
		if t.Option, err = number("reading", args[1]); err != nil {
			return err
		}
		return t.on(args[0])
	})
}
