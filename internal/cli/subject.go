package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// viewing is how a command looks at a document: stored, in a conversation, or
// saved.
type viewing struct {
	extraction
	// at and said choose an earlier state.
	at, said string
	// logged: the command needs the document's log, or does with one what it
	// cannot do without.
	logged bool
}

// pointFlags adds --at and --said.
func (x *viewing) pointFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	textVar(f, &x.at, "at", "the document as it was at this `POINT`: v12, turn:ID, or a time such as 2026-03-11")
	textVar(f, &x.said, "said", "as if only what was said up to this `TIME` had been said")
}

// subject is a document that a command looks at.
type subject struct {
	desk *desk
	doc  *export.Document
	// name is the document's in its store; empty for a saved one, which has
	// none.
	name string
	// arg is what the user called it.
	arg string
	// stored: it is in a database, so that commands can change it.
	stored bool
}

// view finds the document that an argument names, a stored one before a file,
// and hands it over; it is good until fn returns.
func (x *viewing) view(ctx context.Context, a *app, arg string, fn func(*subject) error) error {
	stored, err := x.viewStored(ctx, a, arg, fn)
	if stored || err != nil {
		return err
	}
	return x.viewFile(ctx, a, arg, fn)
}

// viewStored hands over a stored document; false where there is none, and the
// argument may be a file.
func (x *viewing) viewStored(ctx context.Context, a *app, arg string, fn func(*subject) error) (bool, error) {
	file := arg == "-" || isFile(arg)
	switch {
	case x.db == "" && (file || looksLikeFile(arg)):
		return false, nil
	case x.db != "" && file && !x.exists():
		return false, nil
	case arg == "-":
		return false, nil
	}
	cfg, c, err := x.prepare(a)
	if err != nil {
		return true, err
	}
	found := true
	err = x.serve(ctx, cfg, c, false, func(d *desk) error {
		_, err := d.Header(ctx, arg)
		if errors.Is(err, store.ErrNotFound) && file {
			found = false
			return nil
		}
		if err != nil {
			return d.missing(ctx, arg, err)
		}
		return x.hand(ctx, &subject{desk: d, name: arg, arg: arg, stored: true}, fn)
	})
	return found, err
}

// isFile reports whether there is a file of that name.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// looksLikeFile tells a path from the name of a document.
func looksLikeFile(name string) bool { return strings.ContainsAny(name, `./\`) }

// hand shows the document at the point that the flags name.
func (x *viewing) hand(ctx context.Context, s *subject, fn func(*subject) error) error {
	var err error
	switch {
	case x.at != "" && x.said != "":
		return usagef("--at and --said: choose one")
	case x.at != "":
		s.doc, err = x.atPoint(ctx, s, x.at)
	case x.said != "":
		s.doc, err = x.saidBy(ctx, s)
	default:
		s.doc, err = s.desk.Document(ctx, s.name)
	}
	if err != nil {
		return err
	}
	return fn(s)
}

// atPoint shows the document at a point of its history.
func (x *viewing) atPoint(ctx context.Context, s *subject, text string) (*export.Document, error) {
	zone, err := x.zone()
	if err != nil {
		return nil, err
	}
	p, err := point(text, zone, func(id string) bool { return s.desk.HasTurn(ctx, s.name, id) })
	if err != nil {
		return nil, err
	}
	doc, err := s.desk.DocumentAt(ctx, s.name, p)
	if errors.Is(err, sir.ErrPoint) {
		h, herr := s.desk.Header(ctx, s.name)
		if herr != nil {
			return nil, herr
		}
		return nil, noPoint(text, s.arg, h)
	}
	return doc, err
}

// saidBy shows the document as what was said up to a time gives it.
func (x *viewing) saidBy(ctx context.Context, s *subject) (*export.Document, error) {
	zone, err := x.zone()
	if err != nil {
		return nil, err
	}
	ms, ok := moment(x.said, zone, true)
	if !ok {
		return nil, usagef("--said: %q is no time: want %s", x.said, timeForms)
	}
	return s.desk.DocumentAt(ctx, s.name, sir.Point{Said: &ms})
}

// viewFile hands over what a conversation gives, or a saved document.
func (x *viewing) viewFile(ctx context.Context, a *app, arg string, fn func(*subject) error) error {
	d, err := x.alone(a, x.logged || x.at != "" || x.said != "")
	if err != nil {
		return err
	}
	open, err := a.open(ctx, nil, []string{arg})
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(open[0].in, 64<<10)
	if isSaved(in) {
		defer closeAll(open)
		if x.at != "" || x.said != "" {
			return usagef("%s is a saved document, which has no log: --at and --said want a stored one, or a conversation", arg)
		}
		doc, err := readSaved(in, arg, d.Client)
		if err != nil {
			return err
		}
		return fn(&subject{desk: d, doc: doc, arg: arg})
	}
	open[0].in = struct {
		io.Reader
		io.Closer
	}{in, open[0].in}
	if _, err := x.read(ctx, a, d, open, nil); err != nil {
		return err
	}
	return x.hand(ctx, &subject{desk: d, name: x.doc, arg: arg}, fn)
}
