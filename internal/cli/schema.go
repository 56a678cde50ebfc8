package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/internal/prompt"
)

// replySuffix is what the name of a reply's schema ends in.
const replySuffix = "-reply"

// schema is `speckl schema`.
func (a *app) schema() *cobra.Command {
	var domains []string
	cmd := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema; without a name, list them",
		Long: "Print a JSON Schema: DOMAIN-reply is what a model is asked to answer about a domain.\n" +
			"Without a name the names are listed.",
		Example: "  speckl schema state-machine-reply\n  speckl schema -d claims.yaml claims-reply",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("%s takes one name, got %d", cmd.CommandPath(), len(args))
			}
			c, err := choose(domains)
			if err != nil {
				return err
			}
			var names []string
			for _, d := range c.known {
				names = append(names, d.ID+replySuffix)
			}
			if len(args) == 0 {
				_, err := fmt.Fprintln(a.stdout, strings.Join(names, "\n"))
				return err
			}
			d := c.named(strings.TrimSuffix(args[0], replySuffix))
			if d == nil || !strings.HasSuffix(args[0], replySuffix) {
				return usagef("no schema %q: %s", args[0], hint(args[0], names, "schemas"))
			}
			var out bytes.Buffer
			if err := json.Indent(&out, prompt.Schema(d), "", "  "); err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, out.String())
			return err
		},
	}
	cmd.Flags().StringSliceVarP(&domains, "domain", "d", nil, "also know this `DOMAIN`: a FILE.yaml")
	complete(cmd, "domain", domainIDs)
	return cmd
}
