package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// setting is a setting, its value, and where that came from.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Source is "flag", "environment", "file" or "default"; From names the
	// flag, variable or file.
	Source string `json:"source"`
	From   string `json:"from,omitempty"`
}

// config is `speckl config`.
func (a *app) config() *cobra.Command {
	var x extraction
	var form output
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print each setting, and where its value came from",
		Long: "Print the settings as a command with the same flags would have them, each with where its\n" +
			"value came from: a flag, the environment, speckl.yaml in the working directory, or the\n" +
			"default. Flags are over the environment, and that is over the file.",
		Example: "  speckl config\n  speckl config --set thresholds.review=0.5 -o json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := form.check(); err != nil {
				return err
			}
			_, c, err := x.prepare(a)
			if err != nil {
				return err
			}
			rows := append(a.flagSettings(cmd.Flags(), &x), x.keySettings(a)...)
			rows = append(rows, x.thresholdSettings(c.known)...)
			if form.form == "json" {
				return a.json(struct {
					Settings []setting `json:"settings"`
				}{rows})
			}
			w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, r := range rows {
				from := r.Source
				if r.From != "" {
					from += " (" + r.From + ")"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.Name, safe(or(r.Value, "-")), from)
			}
			return w.Flush()
		},
	}
	x.flags(a, cmd)
	x.models.flags(cmd)
	form.flags(cmd, "text", "json")
	return cmd
}

// notSettings are flags of config that say how it is called.
var notSettings = []string{"help", "output", "set", "tz"}

// flagSettings are the flags; tz is among the keys.
func (a *app) flagSettings(flags *pflag.FlagSet, x *extraction) []setting {
	var rows []setting
	flags.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(notSettings, f.Name) {
			return
		}
		value := strings.Trim(f.Value.String(), "[]")
		if f.Name == "db" {
			value = x.where()
		}
		row := setting{Name: f.Name, Value: value, Source: "default"}
		if f.Name == "org" && value == "" {
			row.Value = "local"
		}
		if f.Changed {
			row.Source, row.From = a.setBy(f.Name)
		}
		rows = append(rows, row)
	})
	return rows
}

// setBy tells who has set a flag: the command line or the environment.
func (a *app) setBy(flag string) (source, from string) {
	if variable := a.environment[flag]; variable != "" {
		return "environment", variable
	}
	return "flag", "--" + flag
}

// keySettings are the keys of speckl.yaml, but for the thresholds.
func (x *extraction) keySettings(a *app) []setting {
	var rows []setting
	for _, key := range sorted(settingKeys) {
		row := x.row(key, settingKeys[key].standard, key)
		if key == "tz" && x.tz != "" && x.tz != x.settings.zone {
			row.Value = x.tz
			row.Source, row.From = a.setBy("tz")
		}
		rows = append(rows, row)
	}
	for _, key := range sorted(x.given) {
		if strings.HasPrefix(key, "severities.") {
			rows = append(rows, x.row(key, "", key))
		}
	}
	return rows
}

// row is a setting that one of the keys sets, the first that does.
func (s *settings) row(name, standard string, keys ...string) setting {
	for _, key := range keys {
		g, ok := s.given[key]
		switch {
		case !ok:
			continue
		case g.from == settingsFile:
			return setting{name, g.value, "file", g.from}
		case g.from == setVariable:
			return setting{name, g.value, "environment", g.from}
		}
		return setting{name, g.value, "flag", g.from}
	}
	return setting{name, standard, "default", ""}
}

// thresholdSettings are those of each domain.
func (x *extraction) thresholdSettings(known []*domain.Domain) []setting {
	var rows []setting
	for _, d := range known {
		for _, t := range []struct {
			name  string
			value sir.Confidence
		}{{"autoAccept", d.Thresholds.AutoAccept}, {"review", d.Thresholds.Review}, {"candidate", d.Thresholds.Candidate}} {
			rows = append(rows, x.row("thresholds."+d.ID+"."+t.name, t.value.String(), "thresholds."+d.ID+"."+t.name, "thresholds."+t.name))
		}
	}
	return rows
}
