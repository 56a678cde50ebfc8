package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// why is `speckl why`.
func (a *app) why() *cobra.Command {
	var x viewing
	var form output
	cmd := &cobra.Command{
		Use:   "why DOC|FILE|- ELEMENT",
		Short: "Explain an element: its words, its confidence, its history",
		Long: "Explain an element of a stored document, of a conversation, or of what extract -o json\n" +
			"printed: the words that support it and who said them, how its confidence came about, and\n" +
			"its history. " + elementForms,
		Example: "  speckl why chat.txt state:idle\n  speckl why saved.json 'transition:idle->loading'\n" +
			"  speckl why --db talks.db checkout 'transition:->RENEWING'",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("speckl why: name a file and an element, such as: speckl why chat.txt state:idle")
			}
			if err := form.check(); err != nil {
				return err
			}
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				e, err := a.element(s, args[1])
				if err != nil {
					return err
				}
				return a.explain(s.doc, e, form.form)
			})
		},
	}
	x.flags(a, cmd)
	x.pointFlags(cmd)
	form.flags(cmd, "text", "json")
	return cmd
}

// explain prints one element.
func (a *app) explain(doc *export.Document, e *sir.Element, form string) error {
	if form == "json" {
		one := *doc
		one.Elements = []*sir.Element{e}
		return export.JSONL(a.stdout, &one)
	}
	x := explanation{doc: doc, e: e, turns: map[string]*sir.Turn{}}
	if err := x.look(); err != nil {
		return err
	}
	_, err := a.stdout.WriteString(x.text())
	return err
}
