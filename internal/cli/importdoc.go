package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/store"
)

// importing is what the command import works with.
type importing struct {
	extraction
	by string
}

// importDoc is `speckl import`.
func (a *app) importDoc() *cobra.Command {
	var x importing
	cmd := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Restore an exported document, or store a conversation without reading it",
		Long: "Restore what export wrote, all of it or nothing; --doc gives it another name. Any other\n" +
			"file is a conversation, whose turns are stored and wait: extract --db of the same file\n" +
			"reads them.",
		Example: "  speckl import --db other.db checkout.speckl.jsonl\n  speckl import --db talks.db --doc standup monday.vtt",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("speckl import: name one file, or - for stdin")
			}
			ctx, stop := untilInterrupt(cmd.Context())
			defer stop()
			named := cmd.Flags().Changed("doc")
			cfg, c, err := x.prepare(a)
			if err != nil {
				return err
			}
			open, err := a.open(ctx, cmd, args)
			if err != nil {
				return err
			}
			in := &open[0]
			archive, err := in.isArchive(x.maxBytes)
			switch {
			case err != nil:
			case archive && !x.exists():
				err = a.proofreadArchive(ctx, &x, in, args[0])
			case !archive && !x.lenient:
				err = x.proofread(open)
			}
			if err != nil {
				closeAll(open)
				return interrupted(ctx, err, "")
			}
			return x.serve(ctx, cfg, c, true, func(d *desk) error {
				if archive {
					defer closeAll(open)
					return a.restore(ctx, d, &x, in, args[0], named)
				}
				return a.keep(ctx, d, &x, open)
			})
		},
	}
	cmd.Flags().StringVar(&x.by, "by", "", "`NAME` of who gives an archive another name")
	x.conversationFlags(a, cmd)
	return cmd
}

// isArchive looks whether a conversation is an archive; that is read again
// from its start.
func (c *conversation) isArchive(most size) (bool, error) {
	if c.file == nil {
		if err := c.spool(most); err != nil {
			return false, err
		}
	}
	in := bufio.NewReader(c.file)
	head, _ := in.Peek(512)
	if isSaved(in) {
		return false, inputf("%s: this is what extract -o json printed, which has no log: import the conversation, or what export wrote", c.name)
	}
	if _, err := c.file.Seek(0, io.SeekStart); err != nil {
		return false, inputf("read %s again: %w", c.name, err)
	}
	return speckl.IsArchive(head), nil
}

// proofreadArchive reads an archive through before there is a database for
// it, so that a bad one leaves none.
func (a *app) proofreadArchive(ctx context.Context, x *importing, in *conversation, file string) error {
	d, err := x.alone(a, false)
	if err != nil {
		return err
	}
	if err := d.Proofread(ctx, in.file); err != nil {
		return notRestored(file, err)
	}
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return inputf("read %s again: %w", file, err)
	}
	return nil
}

// notRestored says what is wrong with an archive.
func notRestored(file string, err error) error {
	var bad *speckl.ArchiveError
	switch {
	case errors.As(err, &bad):
		return inputf("%s:%d: %w: nothing was restored", file, bad.Line, errors.Join(unlined(bad)...))
	case errors.Is(err, store.ErrExists):
		return usagef("%s: %w", file, err)
	}
	return err
}

// restore restores an archive.
func (a *app) restore(ctx context.Context, d *desk, x *importing, in *conversation, file string, named bool) error {
	o := speckl.RestoreOptions{By: x.by}
	if named {
		now := time.Now().UnixMilli()
		o.Name, o.At = x.doc, &now
	}
	h, err := d.Restore(ctx, in.file, o)
	if err != nil {
		return interrupted(ctx, notRestored(file, err), "")
	}
	if !x.quiet {
		fmt.Fprintf(a.stderr, "restored %s, version %d\n", safe(h.Name), h.Version)
	}
	return nil
}

// unlined is an archive's error without its line.
func unlined(e *speckl.ArchiveError) []error {
	if e.Err == nil {
		return []error{errors.New(e.Reason)}
	}
	return []error{fmt.Errorf("%s: %w", e.Reason, e.Err)}
}

// keep stores the turns of a conversation.
func (a *app) keep(ctx context.Context, d *desk, x *importing, open []conversation) error {
	progress := a.watch(open)
	turns, err := x.turns(open)
	if err != nil {
		return err
	}
	n, err := d.Keep(ctx, x.doc, progress.over(turns), x.options(a, d))
	if err != nil {
		return interrupted(ctx, err, d.where)
	}
	x.report(a)
	if !x.quiet {
		fmt.Fprintf(a.stderr, "stored %s in %s; speckl extract --db reads them\n", count(n, "new turn"), safe(x.doc))
	}
	return nil
}
