package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/transcript"
)

// convert is `speckl convert`.
func (a *app) convert() *cobra.Command {
	var r reading
	var form output
	cmd := &cobra.Command{
		Use:   "convert [FILE…|-]",
		Short: "Read any conversation and print its turns",
		Long: "Read any conversation and print its turns, one a line. Memory stays the same whatever\n" +
			"the size of the file.",
		Example: "  speckl convert meeting.vtt > turns.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			c, err := choose(nil)
			if err != nil {
				return err
			}
			r.minding(c.known)
			open, err := a.open(cmd.Context(), cmd, args)
			if err != nil {
				return err
			}
			turns, err := r.turns(open)
			if err != nil {
				return err
			}
			n, err := transcript.EncodeJSONL(a.stdout, turns)
			if err != nil {
				return err
			}
			r.report(a)
			if n == 0 && !r.quiet {
				fmt.Fprintln(a.stderr, "nothing found: there was no turn to read")
			}
			return nil
		},
	}
	r.flags(a, cmd)
	form.flags(cmd, "jsonl")
	return cmd
}

// formats is `speckl formats`.
func (a *app) formats() *cobra.Command {
	var form output
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats of conversation that are read",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := form.check(); err != nil {
				return err
			}
			if form.form == "json" {
				type row struct {
					ID          string   `json:"id"`
					Name        string   `json:"name"`
					Extensions  []string `json:"extensions"`
					Description string   `json:"description"`
				}
				rows := []row{}
				for _, f := range transcript.Formats() {
					rows = append(rows, row{f.ID, f.Name, append([]string{}, f.Extensions...), f.Description})
				}
				return a.json(rows)
			}
			w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, f := range transcript.Formats() {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.ID, f.Name, strings.Join(f.Extensions, " "), f.Description)
			}
			return w.Flush()
		},
	}
	form.flags(cmd, "text", "json")
	return cmd
}
