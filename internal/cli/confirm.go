package cli

import (
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// plain is an act on one element that needs nothing else.
func (a *app) plain(kind speckl.ActKind, short, long string) *cobra.Command {
	verb := string(kind)
	return a.act(actUsage{
		verb + " DOC ELEMENT", short, long + " " + elementForms, verb + " --db talks.db checkout state:cart",
	}, 2, 2, func(t *deed, args []string) error {
		t.Kind = kind
		return t.on(args...)
	})
}

// confirm is `speckl confirm`.
func (a *app) confirm() *cobra.Command {
	return a.plain(speckl.Confirm, "Confirm an element: it holds, certainly",
		"Confirm an element: its confidence becomes 1, and it no longer needs review.")
}

// reject is `speckl reject`.
func (a *app) reject() *cobra.Command {
	return a.plain(speckl.Reject, "Reject an element: it was a mistake",
		"Reject an element: it should never have been in the document. It stays in the log, and only\na person's explicit statement brings it back.")
}

// deprecate is `speckl deprecate`.
func (a *app) deprecate() *cobra.Command {
	return a.plain(speckl.Deprecate, "Deprecate an element: it no longer holds",
		"Deprecate an element: it held, and does no longer.")
}

// reopen is `speckl reopen`.
func (a *app) reopen() *cobra.Command {
	return a.plain(speckl.Reopen, "Reopen an element: what was decided about it is open again",
		"Reopen an element that was confirmed, rejected, deprecated or replaced: it is proposed again,\nas sure as its words make it.")
}
