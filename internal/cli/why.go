package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// why is `speckl why`.
func (a *app) why() *cobra.Command {
	var x extraction
	var form output
	cmd := &cobra.Command{
		Use:   "why FILE|- ELEMENT",
		Short: "Explain an element: its words, its confidence, its history",
		Long: "Explain an element of a conversation, or of what extract -o json printed: the words that\n" +
			"support it and who said them, how its confidence came about, and its history. ELEMENT is\n" +
			"an id, at least six digits of one, or TYPE:NAME.",
		Example: "  speckl why chat.txt state:idle\n  speckl why saved.json 'transition:idle->loading'\n  speckl why saved.json 'transition:->RENEWING'",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("speckl why: name a file and an element, such as: speckl why chat.txt state:idle")
			}
			if err := form.check(); err != nil {
				return err
			}
			doc, err := x.document(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			found := find(doc, args[1])
			switch len(found) {
			case 0:
				return inputf("not found: no element %q in %s: %s", args[1], args[0], near(doc, args[1]))
			case 1:
				return a.explain(doc, found[0], form.form)
			}
			for _, e := range found {
				fmt.Fprintf(a.stdout, "%s  %s  %s  %s\n", e.ID, e.ElementType, doc.Labels(e), e.Status)
			}
			return usagef("%q is %s: choose one by its id", args[1], count(len(found), "element"))
		},
	}
	x.flags(a, cmd)
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
