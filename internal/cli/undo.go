package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// undo is `speckl undo`.
func (a *app) undo() *cobra.Command {
	return a.act(actUsage{
		"undo DOC", "Take back the newest act",
		"Take back the newest act that was not taken back yet, by an act of its own: the log keeps\nboth.",
		"undo --db talks.db checkout",
	}, 1, 1, func(t *deed, _ []string) error {
		t.Kind = speckl.Undo
		return nil
	})
}
