package cli

import (
	"cmp"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// output is the form of a command's result.
type output struct {
	form  string
	forms []string
}

// flags adds -o with its forms, the default first.
func (o *output) flags(cmd *cobra.Command, forms ...string) {
	o.forms = forms
	cmd.Flags().StringVarP(&o.form, "output", "o", forms[0], "`FORM` of the output: "+list(forms))
	complete(cmd, "output", these(forms...))
}

func list(words []string) string {
	out := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			out += " or "
		default:
			out += ", "
		}
		out += w
	}
	return out
}

func (o *output) check() error {
	if slices.Contains(o.forms, o.form) {
		return nil
	}
	return usagef("unknown output %q: %s", o.form, hint(o.form, o.forms, "outputs"))
}

// keep says what of each result the form prints, so that no more is held in
// memory; nil for none.
func (o *output) keep() func(*sir.Result) *sir.Result {
	switch o.form {
	case "json":
		return func(r *sir.Result) *sir.Result { return r }
	case "html":
		return func(r *sir.Result) *sir.Result { return leftOut(r, true) }
	case "text", "md":
		return func(r *sir.Result) *sir.Result { return leftOut(r, false) }
	}
	return nil
}

// slim is a result without what stands in the document anyway: the printed
// form refers to elements by id and version.
func slim(r *sir.Result) *sir.Result {
	out := *r
	out.Added, out.Refined, out.Deprecated = changes(r.Added), changes(r.Refined), changes(r.Deprecated)
	return &out
}

func changes(in []sir.Change) []sir.Change {
	if len(in) == 0 {
		return nil
	}
	out := make([]sir.Change, len(in))
	for i, c := range in {
		out[i] = sir.Change{ElementID: c.ElementID, Action: c.Action, Provenance: sir.Entry{Version: c.Provenance.Version}}
		if c.Element != nil {
			out[i].Provenance.Version = c.Element.Version
		}
	}
	return out
}

// leftOut is what the outputs for people show of a result; a result that has
// none of it counts as one without effect.
func leftOut(r *sir.Result, words bool) *sir.Result {
	if len(r.Dropped)+len(r.Duplicates) == 0 && !r.Metadata.Degraded {
		return &quietResult
	}
	out := &sir.Result{Duplicates: r.Duplicates, Dropped: r.Dropped, Metadata: r.Metadata}
	if !words {
		out.Dropped = make([]sir.Dropped, len(r.Dropped))
		for i, d := range r.Dropped {
			out.Dropped[i].Reason = d.Reason
		}
	}
	return out
}

// quietResult stands for each result of which nothing is shown.
var quietResult = sir.Result{SourceTurnIDs: []string{""}}

func (o *output) write(a *app, doc *export.Document, quiet bool) error {
	switch o.form {
	case "json":
		return export.JSON(a.stdout, doc)
	case "jsonl":
		return export.JSONL(a.stdout, doc)
	case "md":
		return export.Markdown(a.stdout, doc)
	case "html":
		return export.HTML(a.stdout, doc)
	case "csv":
		return export.CSV(a.stdout, doc)
	}
	opts := a.text()
	opts.Quiet = quiet
	return export.Text(a.stdout, doc, opts)
}

// text says how text for people looks.
func (a *app) text() export.TextOptions {
	return export.TextOptions{Color: a.color(), Width: columns()}
}

// columns is COLUMNS, or 0 for the default.
func columns() int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("COLUMNS"), "0"))
	if err != nil {
		return 0
	}
	return n
}
