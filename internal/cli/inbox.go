package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
)

// inbox is `speckl inbox`.
func (a *app) inbox() *cobra.Command {
	var x viewing
	var form output
	cmd := &cobra.Command{
		Use:   "inbox DOC",
		Short: "Print what waits for a person, with the commands that deal with it",
		Long: "Print what waits for a person: questions with their numbers and options, contradictions\n" +
			"with the words of both sides, and elements that need a look; each with the command that\n" +
			"deals with it.",
		Example: "  speckl inbox --db talks.db checkout",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneDocument(cmd, args); err != nil {
				return err
			}
			if err := form.check(); err != nil {
				return err
			}
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				o := export.InboxOptions{TextOptions: a.text()}
				if s.stored {
					o.Command = func(verb string, args ...string) string {
						return a.call(&x.place, append([]string{verb, s.arg}, args...))
					}
				}
				if form.form == "json" {
					return export.InboxJSON(a.stdout, s.doc, o)
				}
				c := countOf(s.doc)
				if c.Review+c.PendingAmbiguities+c.Conflict == 0 && !x.quiet {
					fmt.Fprintln(a.stderr, "nothing waits")
				}
				return export.Inbox(a.stdout, s.doc, o)
			})
		},
	}
	x.flags(a, cmd)
	form.flags(cmd, "text", "json")
	completeDocuments(cmd, a)
	return cmd
}

// bare are words that a shell takes as they are.
var bare = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// call is a command line of speckl on a stored document, as a shell reads it.
// Where the flags have named the database, it does.
func (a *app) call(p *place, words []string) string {
	out := []string{"speckl", words[0]}
	for _, f := range []struct{ name, value string }{{"db", p.db}, {"org", p.org}} {
		if f.value != "" && a.environment[f.name] == "" {
			out = append(out, "--"+f.name, f.value)
		}
	}
	return quoted(append(out, words[1:]...))
}

// quoted joins words so that a shell takes them apart again.
func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; !bare.MatchString(w) {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
