package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/internal/sqlstore"
)

// finding is one thing that the doctor looked at.
type finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// doctor is `speckl doctor`.
func (a *app) doctor() *cobra.Command {
	var l library
	var form output
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at what speckl needs, and say what is wrong and what to do",
		Long: "Look at the program, the settings, the domains and, where one is named, the database. The\n" +
			"exit code is 1 where something is wrong.",
		Example: "  speckl doctor --db talks.db",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := form.check(); err != nil {
				return err
			}
			rows := append(l.examine(), l.examineDatabase(cmd.Context())...)
			if err := a.findings(rows, form.form); err != nil {
				return err
			}
			for _, r := range rows {
				if !r.OK {
					return errFindings
				}
			}
			return nil
		},
	}
	l.flags(cmd)
	form.flags(cmd, "text", "json")
	return cmd
}

// looked makes a finding of an error, or of what was seen.
func looked(name, seen string, err error) finding {
	if err != nil {
		return finding{name, false, oneLine(message(err))}
	}
	return finding{name, true, seen}
}

// examine looks at what needs no database.
func (l *library) examine() []finding {
	rows := []finding{looked("program", "speckl "+built(), nil)}
	seen := "no " + settingsFile + ", the defaults"
	if isFile(settingsFile) {
		seen = settingsFile
	}
	rows = append(rows, looked("settings", seen, l.settings.load()))
	all, err := domains.All()
	rows = append(rows, looked("domains", count(len(all), "built-in domain"), err))
	if len(l.domains) > 0 {
		_, err := choose(l.domains)
		rows = append(rows, looked("--domain", "known", err))
	}
	f, err := os.CreateTemp("", "speckl-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	return append(rows, looked("temporary files", os.TempDir()+" can be written", err))
}

// examineDatabase looks at the database.
func (l *library) examineDatabase(ctx context.Context) []finding {
	if l.db == "" {
		return []finding{{"database", true, "none named: --db or SPECKL_DB names one; without, nothing is kept"}}
	}
	s, err := l.open(ctx, false, sqlstore.Config{NoMigrate: true})
	if err != nil {
		return []finding{looked("database", "", err)}
	}
	defer s.Close()
	checks, err := s.Checks(ctx)
	rows := []finding{looked("database", l.where(), err)}
	for _, c := range checks {
		rows = append(rows, finding{c.Name, c.OK, c.Detail})
	}
	return rows
}

func (a *app) findings(rows []finding, form string) error {
	if form == "json" {
		return a.json(struct {
			Checks []finding `json:"checks"`
		}{rows})
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		state := "ok"
		if !r.OK {
			state = "wrong"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", state, r.Name, safe(r.Detail))
	}
	return w.Flush()
}
