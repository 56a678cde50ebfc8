package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// log is `speckl log`.
func (a *app) log() *cobra.Command {
	var x viewing
	var f filtering
	var form output
	cmd := &cobra.Command{
		Use:   "log DOC|FILE|- [ELEMENT]",
		Short: "Print what happened to a document's elements, and by whom",
		Long: "Print the history of a document, or of one element, oldest first: each change with the\n" +
			"document's version, the words or the act that caused it, and the values it changed.\n" +
			"--agent and --outcome choose elements by who proposed them and what became of them. " + elementForms,
		Example: "  speckl log --db talks.db checkout state:cart\n  speckl log --db talks.db checkout --agent helper --outcome rejected",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("speckl log: name a document, and perhaps an element")
			}
			if err := form.check(); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			x.logged = true
			return x.view(cmd.Context(), a, args[0], func(s *subject) error {
				f.all, f.Live = true, false
				elements, err := f.choose(s)
				if err != nil {
					return err
				}
				if len(args) == 2 {
					e, err := a.element(s, args[1])
					if err != nil {
						return err
					}
					elements = slices.DeleteFunc(elements, func(o *sir.Element) bool { return o != e })
				}
				return a.history(cmd.Context(), s, elements, form.form, x.quiet)
			})
		},
	}
	f.agentFlags(cmd)
	x.flags(a, cmd)
	x.pointFlags(cmd)
	form.flags(cmd, "text", "json", "jsonl")
	completeDocuments(cmd, a)
	return cmd
}

// history prints what happened to elements.
func (a *app) history(ctx context.Context, s *subject, elements []*sir.Element, form string, quiet bool) error {
	events, err := export.Events(s.doc, elements)
	if err != nil {
		return err
	}
	if s.name != "" {
		if err := s.place(ctx, events); err != nil {
			return err
		}
	}
	asThen(events)
	if form == "text" {
		naming(s.doc, events)
	}
	if len(events) == 0 && !quiet {
		fmt.Fprintf(a.stderr, "none of %s is one of these\n", count(len(s.doc.Elements), "element"))
	}
	switch form {
	case "json":
		return export.HistoryJSON(a.stdout, s.doc, events)
	case "jsonl":
		return export.HistoryJSONL(a.stdout, s.doc, events)
	}
	return export.History(a.stdout, s.doc, events, a.text())
}

// asThen lets each event show its element with the values that it had then.
func asThen(events []export.Event) {
	data := map[string]sir.Data{} // by element, as events newer than this one have left it
	for i := range slices.Backward(events) {
		x := &events[i]
		was := *x.Element
		if d, ok := data[was.ID]; ok {
			was.Data = d
		}
		x.Element = &was
		if x.Entry.Diff == nil || len(x.Entry.Diff.Changes) == 0 {
			continue
		}
		before := maps.Clone(was.Data)
		for _, c := range slices.Backward(x.Entry.Diff.Changes) {
			before[fieldOf(c.Field)] = c.OldValue
		}
		data[was.ID] = before
	}
}

// naming puts names for the ids that rationales hold.
func naming(doc *export.Document, events []export.Event) {
	named := namesIn(doc)
	for i := range events {
		entry := *events[i].Entry
		entry.ExtractionRationale = named(entry.ExtractionRationale)
		events[i].Entry = &entry
	}
}

// place gives events their places in the log.
func (s *subject) place(ctx context.Context, events []export.Event) error {
	type key struct {
		element string
		version int
	}
	at := map[key][]*export.Event{}
	for i := range events {
		k := key{events[i].Element.ID, events[i].Entry.Version}
		at[k] = append(at[k], &events[i])
	}
	for m, err := range s.desk.Log(ctx, s.name) {
		if errors.Is(err, store.ErrUnlogged) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, x := range at[key{m.ElementID, m.Version}] {
			x.Seq, x.DocVersion, x.RecordedAt = m.Seq, m.DocVersion, m.RecordedAt
		}
	}
	export.SortEvents(events)
	return nil
}
