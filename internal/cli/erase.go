package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// erase is `speckl erase`.
func (a *app) erase() *cobra.Command {
	var x acting
	var words, yes bool
	cmd := &cobra.Command{
		Use:   "erase DOC ELEMENT|turn:ID… --yes",
		Short: "Take words out of a document for good",
		Long: "Take words out of a document for good: an element with its data, evidence and history, or a\n" +
			"turn with every element that quotes it. The log keeps the hashes, so that it still verifies;\n" +
			"nothing brings the words back. An element's own words stay in the turns that said them,\n" +
			"unless --words takes those, too. Copies that were exported or backed up are not reached.\n" +
			"Without --yes nothing is erased. " + elementForms,
		Example: "  speckl erase --db talks.db checkout state:cart --words --yes\n  speckl erase --db talks.db checkout turn:a1 --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return usagef("%s: name a document, and what is to be erased, such as: speckl erase checkout state:cart --yes", cmd.CommandPath())
			case !yes:
				return usagef("this erases for good: add --yes")
			}
			if err := x.form.check(); err != nil {
				return err
			}
			return x.with(cmd.Context(), func(d *desk) error {
				if _, err := d.document(cmd.Context(), args[0]); err != nil {
					return err
				}
				return x.eraseFrom(cmd, a, d, args[0], args[1:], words)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&x.by, "by", "", "`NAME` of who decides")
	textVar(f, &x.time, "time", "the `TIME` of the erasure (default now)")
	f.BoolVar(&words, "words", false, "take the turns that the elements quote, too")
	f.BoolVar(&yes, "yes", false, "do it")
	x.library.flags(cmd)
	x.form.flags(cmd, "text", "json")
	completeDocuments(cmd, a)
	return cmd
}

func (x *acting) eraseFrom(cmd *cobra.Command, a *app, d *desk, name string, names []string, words bool) error {
	at, err := x.moment()
	if err != nil {
		return err
	}
	e := speckl.Erasure{Words: words, By: x.by, At: &at}
	t := &deed{a: a, desk: d, name: name, ctx: cmd.Context()}
	for _, n := range names {
		if id, ok := strings.CutPrefix(n, "turn:"); ok {
			e.Turns = append(e.Turns, id)
			continue
		}
		id, err := t.element(n)
		if err != nil {
			return err
		}
		e.Elements = append(e.Elements, id)
	}
	r, err := d.Erase(cmd.Context(), name, e)
	if errors.Is(err, speckl.ErrNothingToErase) {
		return usagef("%s: %w", safe(name), err)
	}
	if err != nil {
		return t.refused(err)
	}
	if x.form.form == "json" {
		return json.NewEncoder(a.stdout).Encode(r)
	}
	fmt.Fprintf(a.stdout, "erased %s and %s from %s (%s of the log)\n",
		count(len(r.Elements), "element"), count(len(r.Turns), "turn"), safe(name), count(len(r.Records), "record"))
	if len(r.Remaining) > 0 {
		fmt.Fprintf(a.stdout, "their words still stand in %s: erase with --words, or turn:%s\n", count(len(r.Remaining), "turn"), safe(r.Remaining[0]))
	}
	_, err = fmt.Fprintf(a.stdout, "receipt: record %d %s\n", r.Head.Seq, r.Head.Hash)
	return err
}
