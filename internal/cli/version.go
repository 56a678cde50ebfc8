package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is `speckl version`.
func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.WriteString("speckl " + built() + "\n")
			return err
		},
	}
}

// built says which version this is and what it was built with.
func built() string {
	version, revision, golang := "devel", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		golang = info.GoVersion
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				revision = " " + s.Value[:12]
			}
		}
	}
	return fmt.Sprintf("%s%s (%s)", version, revision, golang)
}

// shells are those that completion is written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completion is `speckl completion`.
func (a *app) completion() *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script for bash, zsh, fish or powershell",
		Example:   "  source <(speckl completion bash)",
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("speckl completion: name one shell: %s", list(shells))
			}
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usagef("unknown shell %q: %s", args[0], hint(args[0], shells, "shells"))
		},
	}
}
