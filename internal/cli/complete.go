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
