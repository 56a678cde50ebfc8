package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// backup is `speckl backup`.
func (a *app) backup() *cobra.Command {
	var p place
	cmd := &cobra.Command{
		Use:     "backup FILE",
		Short:   "Copy the database to a new file, while it is in use",
		Long:    "Copy the database, an SQLite file, to a new file while it is in use. PostgreSQL has\npg_dump for that.",
		Example: "  speckl backup --db talks.db talks-monday.db",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return usagef("speckl backup: name the new file")
			}
			ctx, stop := untilInterrupt(cmd.Context())
			defer stop()
			s, err := p.open(ctx, false, sqlstore.Config{NoMigrate: true})
			if err != nil {
				return err
			}
			err = s.Backup(ctx, args[0])
			if errors.Is(err, store.ErrExists) {
				err = usagef("speckl backup: %s exists: name a new file", args[0])
			}
			if err = errors.Join(err, s.Close()); err != nil {
				return interrupted(ctx, err, "")
			}
			fmt.Fprintf(a.stderr, "copied %s to %s\n", p.where(), args[0])
			return nil
		},
	}
	p.flags(cmd)
	return cmd
}
