package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// headHash is the hash of a head.
var headHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// verified is what was found of a document.
type verified struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	// Problem says what is wrong; Record is where, 0 for no record.
	Problem string `json:"problem,omitempty"`
	Record  int64  `json:"record,omitempty"`
}

// verify is `speckl verify`.
func (a *app) verify() *cobra.Command {
	var l library
	var form output
	var expect string
	cmd := &cobra.Command{
		Use:   "verify [DOC]",
		Short: "Check that nobody has changed a document's log, or what it gives",
		Long: "Check a document, or all: that the chain of its log holds, that no payload was changed, and\n" +
			"that folding the log gives the stored elements, evidence and index. Printed is the head:\n" +
			"its number and hash. --expect HASH compares with a head that was kept elsewhere, which\n" +
			"alone tells whether the end of the log was rewritten; it may be that of an earlier record.\n" +
			"The exit code is 1 where something is wrong, and the first broken link is named.",
		Example: "  speckl verify --db talks.db checkout",
		RunE: func(cmd *cobra.Command, args []string) error {
			expect = strings.ToLower(strings.TrimSpace(expect))
			switch {
			case len(args) > 1:
				return usagef("speckl verify: takes one document, got %d", len(args))
			case expect != "" && len(args) == 0:
				return usagef("speckl verify: --expect wants a document")
			case expect != "" && !headHash.MatchString(expect):
				return usagef("--expect %s: want the 64 hex digits that verify has printed", expect)
			}
			if err := form.check(); err != nil {
				return err
			}
			return l.with(cmd.Context(), func(d *desk) error {
				names, err := d.names(cmd.Context(), args)
				if err != nil {
					return err
				}
				if len(names) == 0 {
					fmt.Fprintf(a.stderr, "no documents in %s\n", d.where)
				}
				rows := []verified{}
				bad := false
				for _, name := range names {
					v, err := d.check(cmd.Context(), name, expect)
					if err != nil {
						return err
					}
					rows = append(rows, v)
					bad = bad || !v.OK
				}
				if err := a.verified(rows, form.form, len(args) == 1); err != nil || !bad {
					return err
				}
				return errFindings
			})
		},
	}
	textVar(cmd.Flags(), &expect, "expect", "the `HASH` of a head that was kept elsewhere")
	l.flags(cmd)
	form.flags(cmd, "text", "json")
	completeDocuments(cmd, a)
	return cmd
}

// names are those of the documents that were asked for: all where none was.
func (d *desk) names(ctx context.Context, args []string) ([]string, error) {
	if len(args) > 0 {
		_, err := d.document(ctx, args[0])
		return args, err
	}
	var names []string
	for h, err := range d.Headers(ctx) {
		if err != nil {
			return nil, err
		}
		names = append(names, h.Name)
	}
	return names, nil
}

// check verifies a document. Its error is about the database, not about what
// is in it.
func (d *desk) check(ctx context.Context, name, expect string) (verified, error) {
	head, err := d.Verify(ctx, name)
	v := verified{Name: name, OK: err == nil, Seq: head.Seq, Hash: head.Hash}
	var chain *sir.ChainError
	var stored *store.StoredError
	switch {
	case errors.As(err, &chain):
		v.Problem, v.Record = fmt.Sprintf("record %d %s", chain.Seq, chain.Reason), chain.Seq
	case errors.As(err, &stored):
		v.Problem, v.Record = fmt.Sprintf("%s %s", stored.What, stored.Reason), stored.Seq
	case errors.Is(err, sir.ErrBroken) || errors.Is(err, sir.ErrStale):
		v.Problem = oneLine(err.Error())
	case err != nil:
		return v, err
	case expect != "" && expect != head.Hash:
		known, err := d.hasLink(ctx, name, expect)
		if err != nil {
			return v, err
		}
		if !known {
			v.OK, v.Problem = false, fmt.Sprintf("the log has no record of hash %s: its end was rewritten or cut off", expect)
		}
	}
	return v, nil
}

// hasLink reports whether a record of the log has that hash.
func (d *desk) hasLink(ctx context.Context, name, hash string) (bool, error) {
	for m, err := range d.Log(ctx, name) {
		if err != nil || m.Hash == hash {
			return err == nil, err
		}
	}
	return false, nil
}

// verified prints what was found: the head alone of the one document that was
// asked for.
func (a *app) verified(rows []verified, form string, one bool) error {
	if form == "json" {
		return a.json(struct {
			Documents []verified `json:"documents"`
		}{rows})
	}
	for _, v := range rows {
		line := fmt.Sprintf("%d %s", v.Seq, v.Hash)
		if !v.OK {
			line = "broken: " + v.Problem
		}
		if !one || !v.OK {
			line = safe(v.Name) + ": " + line
		}
		if _, err := fmt.Fprintln(a.stdout, line); err != nil {
			return err
		}
	}
	return nil
}
