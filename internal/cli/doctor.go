package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/internal/jsonread"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/store"
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
	var m models
	var form output
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at what speckl needs, and say what is wrong and what to do",
		Long: "Look at the program, the settings, the domains and, where they are named, the database and\n" +
			"the model, which is sent one small request. The exit code is 1 where something is wrong, 4\n" +
			"where the model does not answer.",
		Example: "  speckl doctor --db talks.db\n  speckl doctor --llm anthropic",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := form.check(); err != nil {
				return err
			}
			rows := append(l.examine(), l.examineDatabase(cmd.Context())...)
			asked, unanswered := m.examine(cmd.Context(), &l.settings)
			if err := a.findings(append(rows, asked...), form.form); err != nil {
				return err
			}
			if unanswered != nil {
				return marked{store.ErrUnreachable, unanswered}
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
	m.connectionFlags(cmd)
	form.flags(cmd, "text", "json")
	return cmd
}

// examine asks the model for something small in a form that it must keep to.
// It returns the error of a model that did not answer.
func (m *models) examine(ctx context.Context, s *settings) ([]finding, error) {
	if m.llm == "" {
		return []finding{{"model", true, "none named: --llm PROVIDER/MODEL asks one"}}, nil
	}
	client, err := m.open(s)
	if err != nil {
		return []finding{looked("model", "", err)}, nil
	}
	reply, err := client.Complete(ctx, llm.Request{
		System: "You test a connection. Answer with one JSON object.", Prompt: "Set \"ok\" to true.", SchemaName: "connection", MaxTokens: 200,
		Schema: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`),
	})
	if err != nil {
		return []finding{looked("model", "", err)}, err
	}
	rows := []finding{{"model", true, fmt.Sprintf("%s answered as %s in %s, %d tokens sent, %d received", client, reply.Model, time.Since(m.began).Round(time.Millisecond), reply.Usage.Input, reply.Usage.Output)}}
	switch _, _, found := jsonread.Object(reply.Text); {
	case !found:
		return append(rows, finding{"structured replies", false, "the answer was not the JSON that was asked for: take a model that can give JSON"}), nil
	case client.PlainReplies():
		return append(rows, finding{"structured replies", true, "the server takes no schema: the model is told in words, which is less sure"}), nil
	}
	return append(rows, finding{"structured replies", true, "by schema"}), nil
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
