package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/speckl/speckl"
)

// split is `speckl split`.
func (a *app) split() *cobra.Command {
	var cuts cuts
	cmd := a.act(actUsage{
		"split DOC ELEMENT FIELD=VALUE… --and FIELD=VALUE…", "Split an element into several",
		"Split an element into several, which take its place: the fields of each, with --and between\nthem; what is not given is as it was. " + valueForms + " " + elementForms,
		"split --db talks.db checkout state:busy name=loading --and name=saving",
	}, 3, -1, func(t *deed, args []string) error {
		t.Kind = speckl.Split
		call := []string{"split", t.name, args[0]}
		for i, words := range cuts.parts(args[1:], 2) {
			if i > 0 {
				call = append(call, "--and")
			}
			call = append(call, words...)
			part, err := assignments(words)
			if err != nil {
				return err
			}
			if len(part) == 0 {
				return usagef("speckl split: a part has no FIELD=VALUE")
			}
			t.Parts = append(t.Parts, part)
		}
		if len(t.Parts) < 2 {
			return usagef("speckl split: name two parts or more: FIELD=VALUE… --and FIELD=VALUE…")
		}
		t.Command = quoted(call)
		return t.on(args[0])
	})
	cuts.flags = cmd.Flags()
	f := cmd.Flags().VarPF(&cuts, "and", "", "stands between the parts")
	f.NoOptDefVal = "true"
	return cmd
}

// cuts is a flag that stands between arguments: it remembers behind how many
// of them it stood.
type cuts struct {
	flags *pflag.FlagSet
	at    []int
}

// Set remembers a cut; it is called when the flag is read.
func (c *cuts) Set(string) error {
	c.at = append(c.at, c.flags.NArg())
	return nil
}

// String is for the help, which has no default to show.
func (c *cuts) String() string { return "false" }

// Type is that of a switch.
func (c *cuts) Type() string { return "bool" }

// parts cuts arguments of which the first before are missing.
func (c *cuts) parts(args []string, before int) [][]string {
	var out [][]string
	from := 0
	for _, at := range c.at {
		to := min(max(at-before, from), len(args))
		out = append(out, args[from:to])
		from = to
	}
	return append(out, args[from:])
}
