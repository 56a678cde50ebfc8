package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/internal/sqlstore"
)

// migrate is `speckl migrate`.
func (a *app) migrate() *cobra.Command {
	var p place
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database's schema up to date",
		Long: "Bring the database's schema up to date, and make one that is not there. Every command\n" +
			"does so by itself; this one is for a time of one's own choosing.",
		Example: "  speckl migrate --db postgres://speckl@db/speckl",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.db == "" {
				_, err := p.open(cmd.Context(), true, sqlstore.Config{})
				return err
			}
			from, to, err := sqlstore.Migrate(cmd.Context(), p.db, sqlstore.Config{})
			switch {
			case err != nil:
				return err
			case from == to:
				_, err = fmt.Fprintf(a.stdout, "%s: version %d, up to date\n", p.where(), to)
			default:
				_, err = fmt.Fprintf(a.stdout, "%s: from version %d to %d\n", p.where(), from, to)
			}
			return err
		},
	}
	p.flags(cmd)
	return cmd
}
