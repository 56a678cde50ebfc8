package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command is a command as `speckl help --json` lists it.
type Command struct {
	// Name is the whole call without "speckl": "domain check".
	Name string `json:"name"`
	// Usage is the call with its arguments.
	Usage string `json:"usage"`
	// Short is one sentence, About a paragraph, which may be empty.
	Short string `json:"short"`
	About string `json:"about,omitempty"`
	// Flags are those of the command by name.
	Flags []Flag `json:"flags"`
}

// Flag is a flag of a command.
type Flag struct {
	Name      string `json:"name"`
	Shorthand string `json:"shorthand,omitempty"`
	// Value names what it takes; empty for a switch.
	Value   string `json:"value,omitempty"`
	Default string `json:"default,omitempty"`
	Usage   string `json:"usage"`
	// Repeats: it may be given several times.
	Repeats bool `json:"repeats,omitempty"`
}

// Commands lists every command, in the order of their names.
func Commands() []Command {
	return commandsOf((&app{}).root())
}

func commandsOf(root *cobra.Command) []Command {
	var out []Command
	for _, c := range root.Commands() {
		if c.Hidden {
			continue
		}
		if c.Runnable() && !c.HasSubCommands() {
			out = append(out, command(c))
		}
		out = append(out, commandsOf(c)...)
	}
	return out
}

func command(c *cobra.Command) Command {
	path := strings.TrimPrefix(c.CommandPath(), "speckl ")
	_, args, _ := strings.Cut(c.Use, " ")
	out := Command{Name: path, Usage: strings.TrimSpace("speckl " + path + " " + args), Short: c.Short, Flags: []Flag{}}
	if c.Long != "" {
		out.About = strings.ReplaceAll(c.Long, "\n", " ")
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		flag := Flag{Name: f.Name, Shorthand: f.Shorthand, Value: value, Usage: usage}
		flag.Repeats = f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice"
		if d := f.DefValue; d != "[]" && d != "false" {
			flag.Default = d
		}
		out.Flags = append(out.Flags, flag)
	})
	return out
}

// Markdown is the page of the commands: docs/commands.md.
func Markdown(commands []Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n" +
		"Made by `speckl help --markdown`; a test holds it to the program.\n\n" +
		"Results go to stdout, everything else to stderr. Exit codes: 0 done; 1 findings; 2 usage; 3 bad input; 4 unavailable.\n" +
		"A flag may also be set by the environment: `SPECKL_DOMAIN` is `--domain`. `speckl.yaml` in the working directory holds the keys of `--set`.\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "\n## %s\n\n    %s\n\n%s.\n", c.Name, c.Usage, c.Short)
		if c.About != "" {
			fmt.Fprintf(&b, "\n%s\n", c.About)
		}
		if len(c.Flags) == 0 {
			continue
		}
		b.WriteString("\n| flag | what it does | default |\n| --- | --- | --- |\n")
		for _, f := range c.Flags {
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if f.Value != "" {
				name += " " + f.Value
			}
			cell := strings.NewReplacer("|", `\|`)
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell.Replace(name), cell.Replace(f.Usage), cell.Replace(f.Default))
		}
	}
	return b.String()
}

// help is `speckl help`.
func (a *app) help() *cobra.Command {
	var asJSON, asMarkdown bool
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say how a command is used",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch {
			case asJSON:
				return a.json(struct {
					Commands []Command `json:"commands"`
				}{commandsOf(root)})
			case asMarkdown:
				_, err := a.stdout.WriteString(Markdown(commandsOf(root)))
				return err
			}
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				name := strings.Join(args, " ")
				return usagef("unknown command %q: %s", name, hint(name, commandNames(root), "commands"))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "list every command with its flags as JSON")
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "list every command with its flags as Markdown")
	return cmd
}

// jsonLines prints values, one a line.
func jsonLines[T any](a *app, values []T) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// json prints a value as indented JSON.
func (a *app) json(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
