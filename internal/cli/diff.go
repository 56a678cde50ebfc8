package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
)

// diff is `speckl diff`.
func (a *app) diff() *cobra.Command {
	var x viewing
	var form output
	cmd := &cobra.Command{
		Use:   "diff DOC|FILE A B | diff FILE FILE",
		Short: "Print what changed between two points, or two documents",
		Long: "Print what changed in a document from point A to point B, each a version (v12), a turn\n" +
			"(turn:ID) or a time; without B, from A to now. Or compare two documents: stored, saved by\n" +
			"extract -o json, or conversations. + is what was added, ~ what changed, - what no longer\n" +
			"holds.",
		Example: "  speckl diff --db talks.db checkout v3 v12\n  speckl diff --db talks.db checkout 2026-03-11\n  speckl diff old.json new.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return usagef("speckl diff: name a document and two points, or two documents")
			}
			if err := form.check(); err != nil {
				return err
			}
			print := func(old, new *export.Document) error {
				c := export.Compare(old, new)
				if c.Empty() && !x.quiet {
					fmt.Fprintf(a.stderr, "no difference: %s the same\n", are(c.Same, "element"))
				}
				if form.form == "json" {
					return c.JSON(a.stdout)
				}
				return c.Text(a.stdout, a.text())
			}
			if len(args) == 2 && !x.isPoint(args[1]) {
				return x.two(cmd.Context(), a, args[0], args[1], print)
			}
			return x.points(cmd.Context(), a, args, print)
		},
	}
	x.flags(a, cmd)
	form.flags(cmd, "text", "json")
	completeDocuments(cmd, a)
	return cmd
}

// isPoint tells a point from another document: what reads as one, and is no
// file.
func (x *viewing) isPoint(arg string) bool {
	if arg == "-" || isFile(arg) {
		return false
	}
	zone, err := x.zone()
	if err != nil {
		return true // and that error is told
	}
	_, err = point(arg, zone, func(string) bool { return false })
	return err == nil || x.db == ""
}

// points hands over a document at two points.
func (x *viewing) points(ctx context.Context, a *app, args []string, fn func(old, new *export.Document) error) error {
	x.logged = true
	return x.view(ctx, a, args[0], func(s *subject) error {
		if s.name == "" {
			return usagef("%s is a saved document, which has no log: name two of them, or a stored one", args[0])
		}
		old, err := x.atPoint(ctx, s, args[1])
		if err != nil {
			return err
		}
		now := s.doc
		if len(args) == 3 {
			if now, err = x.atPoint(ctx, s, args[2]); err != nil {
				return err
			}
		}
		return fn(old, now)
	})
}

// two hands over two documents, or one since the turn of an id.
func (x *viewing) two(ctx context.Context, a *app, one, other string, fn func(old, new *export.Document) error) error {
	second := *x
	return x.view(ctx, a, one, func(s *subject) error {
		if s.stored && s.desk.HasTurn(ctx, s.name, other) {
			old, err := x.atPoint(ctx, s, other)
			if err != nil {
				return err
			}
			return fn(old, s.doc)
		}
		return second.view(ctx, a, other, func(t *subject) error { return fn(s.doc, t.doc) })
	})
}

// are is "1 element is", "2 elements are".
func are(n int, noun string) string {
	if n == 1 {
		return count(n, noun) + " is"
	}
	return count(n, noun) + " are"
}
