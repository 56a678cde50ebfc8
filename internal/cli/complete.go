package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/transcript"
)

// complete gives a flag its values in shell completion.
func complete(cmd *cobra.Command, flag string, values func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("no flag --" + flag + ": " + err.Error())
	}
}

// completeDocuments completes a command's first argument with the names of
// stored documents, where the line or the environment names the database, and
// with files.
func completeDocuments(cmd *cobra.Command, a *app) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || a.fromEnvironment(cmd.Flags()) != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		l := library{place: place{db: flagOf(cmd, "db"), org: flagOf(cmd, "org")}}
		var names []string
		err := l.with(cmd.Context(), func(d *desk) error {
			for h, err := range d.Headers(cmd.Context()) {
				if err != nil {
					return err
				}
				names = append(names, h.Name)
			}
			return nil
		})
		if err != nil {
			names = nil
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// flagOf is the value of a flag of text, "" where there is none.
func flagOf(cmd *cobra.Command, name string) string {
	if f := cmd.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

func formatIDs() []string {
	var out []string
	for _, f := range transcript.Formats() {
		out = append(out, f.ID)
	}
	return out
}

func domainIDs() []string {
	var out []string
	all, err := domains.All()
	if err != nil {
		return nil
	}
	for _, d := range all {
		out = append(out, d.ID)
	}
	return out
}

func these(values ...string) func() []string { return func() []string { return values } }
