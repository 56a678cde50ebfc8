package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// valueForms says how values are written.
const valueForms = "A VALUE is JSON where it reads as JSON, else text;\nnull clears the field."

// correct is `speckl correct`.
func (a *app) correct() *cobra.Command {
	return a.act(actUsage{
		"correct DOC ELEMENT FIELD=VALUE…", "Correct fields of an element",
		"Correct fields of an element; it is confirmed as corrected. " + valueForms + " " + elementForms,
		"correct --db talks.db checkout 'state:awaiting payment' timeout=90s",
	}, 3, -1, func(t *deed, args []string) error {
		t.Kind = speckl.Correct
		data, err := assignments(args[1:])
		if err != nil {
			return err
		}
		t.Data = data
		return t.on(args[0])
	})
}
