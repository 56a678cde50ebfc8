package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// extraction is what extract, why and eval share: conversations read into a
// document.
type extraction struct {
	library
	reading
	reads
	beginning
	models
	doc       string
	trace     bool
	following bool
	retry     bool
	// modeGiven: the call, or the environment, names a mode.
	modeGiven bool
	// sent is what --show-prompt prints.
	sent requests
	// call is the command, where it may be a dry run.
	call *cobra.Command
}

func (x *extraction) flags(a *app, cmd *cobra.Command) {
	x.conversationFlags(a, cmd)
	x.reads.flags(cmd)
}

// conversationFlags are those about conversations and their document.
func (x *extraction) conversationFlags(a *app, cmd *cobra.Command) {
	x.mode = modeNames[0]
	cmd.Flags().StringVar(&x.doc, "doc", "conversation", "the document's `NAME`")
	x.library.flags(cmd)
	x.reading.flags(a, cmd)
}

// prepare reads the flags and returns what a client is made of, but for its
// store.
func (x *extraction) prepare(a *app) (speckl.Config, *chosen, error) {
	var cfg speckl.Config
	if x.doc == "" {
		return cfg, nil, usagef("--doc: a document needs a name")
	}
	cfg, c, err := x.library.prepare()
	if err != nil {
		return cfg, nil, err
	}
	if x.tz == "" {
		x.tz = x.settings.zone
	}
	x.minding(c.known)
	if x.trace {
		cfg.Trace = a.traced
	}
	if err := x.checkDry(); err != nil {
		return cfg, nil, err
	}
	if err := x.models.apply(&x.settings, &cfg); err != nil {
		return cfg, nil, err
	}
	x.asking(&cfg)
	if err := x.reads.apply(&cfg); err != nil {
		return cfg, nil, err
	}
	if m := cfg.Model; m != nil && !m.Realtime && cfg.Mode == sir.Realtime && !x.quiet {
		fmt.Fprintln(a.stderr, "mode realtime asks no model: --set realtimeLLM=true asks about each turn")
	}
	x.speakers(a, &x.settings, &cfg)
	return cfg, c, nil
}

// asking says how turns are read that a model is asked about: as one batch,
// unless a mode is asked for or they come one by one.
func (x *extraction) asking(cfg *speckl.Config) {
	if cfg.Model == nil {
		return
	}
	switch {
	case x.following:
		cfg.Model.Realtime = true
	case !x.modeGiven:
		x.mode = string(sir.Batch)
	}
	if x.show {
		cfg.Model.OnRequest = x.sent.add
	}
}

// checkDry makes a dry run one of mode batch, where no mode is asked for, and
// refuses one that cannot be. Only extract has dry runs.
func (x *extraction) checkDry() error {
	x.dry = x.dry || x.batch.ConfirmBeforeApply
	if x.batch.ConfirmBeforeApply = x.dry && x.call != nil; !x.batch.ConfirmBeforeApply {
		return nil
	}
	if !x.call.Flags().Changed("mode") {
		x.mode = string(sir.Batch)
	}
	switch {
	case x.following:
		return usagef("--follow has no dry run")
	case x.mode != string(sir.Batch):
		return usagef("--dry-run: only mode batch has one, not %s", x.mode)
	case x.db == "":
		return usagef("--dry-run: name the database with --db FILE: it keeps what is shown until apply")
	}
	return nil
}

// alone makes a client of a document that ends with the run; logged keeps its
// history.
func (x *extraction) alone(a *app, logged bool) (*desk, error) {
	cfg, c, err := x.prepare(a)
	if err != nil {
		return nil, err
	}
	return newDesk(cfg, c, logged)
}

func newDesk(cfg speckl.Config, c *chosen, logged bool) (*desk, error) {
	cfg.Store = store.NewMemory(store.Config{Unlogged: !logged})
	client, err := speckl.Open(cfg)
	return &desk{Client: client, chosen: c}, err
}

// work hands over the client that the conversations are read with: the
// database's where there is one. ready comes first, so that what is wrong with
// the input leaves no new database.
func (x *extraction) work(ctx context.Context, a *app, ready func() error, fn func(*desk) error) error {
	cfg, c, err := x.prepare(a)
	if err == nil {
		err = ready()
	}
	if err != nil {
		return err
	}
	switch {
	case x.show:
		return x.rehearse(ctx, cfg, c, fn)
	case x.db != "":
		return x.serve(ctx, cfg, c, !x.retry, fn)
	}
	d, err := newDesk(cfg, c, false)
	if err != nil {
		return err
	}
	return fn(d)
}

// rehearse hands over a client of a copy of the document in memory, so that
// nothing is kept of what is done to it.
func (x *extraction) rehearse(ctx context.Context, cfg speckl.Config, c *chosen, fn func(*desk) error) error {
	d, err := newDesk(cfg, c, true)
	if err != nil {
		return err
	}
	if x.db != "" && x.exists() {
		err = x.with(ctx, func(stored *desk) error {
			var archive bytes.Buffer
			err := stored.Export(ctx, &archive, x.doc, true)
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			if err == nil {
				_, err = d.Restore(ctx, bytes.NewReader(archive.Bytes()), speckl.RestoreOptions{})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return fn(d)
}

// read reads conversations into the document and returns it. keep says how
// much of each result is kept; nil keeps none.
func (x *extraction) read(ctx context.Context, a *app, d *desk, open []conversation, keep func(*sir.Result) *sir.Result) (*export.Document, error) {
	progress := a.watch(open)
	turns, err := x.turns(open)
	if err == nil {
		turns, err = x.from(&x.reading, progress.over(turns), false)
	}
	if err != nil {
		return nil, err
	}
	if err := x.keepsDomains(ctx, a, d); err != nil {
		return nil, err
	}
	var results spool
	known := 0
	o := x.options(a, d)
	o.OnResult = func(r *sir.Result) error {
		x.models.unanswered(r)
		for _, d := range r.Duplicates {
			if d.ElementID == "" {
				known++
			}
		}
		if keep == nil {
			return nil
		}
		if r = keep(r); r == nil {
			return nil
		}
		return results.add(r)
	}
	if _, err := d.Ingest(ctx, x.doc, turns, o); err != nil {
		return nil, err
	}
	x.report(a)
	doc, err := d.Document(ctx, x.doc)
	if err != nil {
		return nil, err
	}
	if keep != nil {
		doc.Results = results.all()
	}
	x.spent(a, x)
	switch {
	case x.quiet || x.show || x.batch.ConfirmBeforeApply:
	case doc.Empty():
		fmt.Fprintln(a.stderr, nothing(doc, d.chosen))
	case known > 0 && d.store != nil:
		fmt.Fprintf(a.stderr, "%s read before\n", were(known, "turn"))
	}
	return doc, nil
}

// keepsDomains says that a document that stands is read as before, where the
// flags say otherwise.
func (x *extraction) keepsDomains(ctx context.Context, a *app, d *desk) error {
	if d.store == nil || len(d.chosen.ids) == 0 || x.quiet {
		return nil
	}
	h, err := d.Header(ctx, x.doc)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err == nil && !slices.Equal(h.Domains, d.chosen.ids):
		fmt.Fprintf(a.stderr, "%s goes on as %s: --domain counts for a new document\n", safe(x.doc), strings.Join(h.Domains, ", "))
	}
	return err
}

// options are how the conversations are read.
func (x *extraction) options(a *app, d *desk) speckl.IngestOptions {
	o := speckl.IngestOptions{Domains: d.chosen.ids, Batch: x.batch}
	if len(d.chosen.ids) == 0 && !x.quiet {
		o.OnDetect = func(ids []string, d sir.Detection) { fmt.Fprintln(a.stderr, detected(ids, d)) }
	}
	return o
}

// were is "1 turn was", "2 turns were".
func were(n int, noun string) string {
	if n == 1 {
		return count(n, noun) + " was"
	}
	return count(n, noun) + " were"
}

// detected says which domains a conversation is read as.
func detected(ids []string, d sir.Detection) string {
	s := fmt.Sprintf("read as %s (%s)", ids[0], twoPlaces(d.Confidence))
	if len(ids) > 1 {
		s += "; also " + strings.Join(ids[1:], ", ")
	}
	return s + "; --domain to choose"
}

func twoPlaces(c sir.Confidence) string { return fmt.Sprintf("%.2f", float64(c)/10000) }

// nothing says what was looked for where nothing was found.
func nothing(doc *export.Document, c *chosen) string {
	var types []string
	for _, id := range doc.Header.Domains {
		d := c.named(id)
		if d == nil {
			continue
		}
		for i := range d.Types {
			if p := plural(&d.Types[i]); !slices.Contains(types, p) {
				types = append(types, p)
			}
		}
	}
	if doc.Stats.TotalTurns == 0 {
		return "nothing found: there was no turn to read"
	}
	return fmt.Sprintf("nothing found in %s: looked for %s (%s); --domain for another kind",
		count(doc.Stats.TotalTurns, "turn"), strings.Join(types, ", "), strings.Join(doc.Header.Domains, ", "))
}

func plural(t *domain.Type) string {
	if t.Plural != "" {
		return strings.ToLower(t.Plural)
	}
	if stem, ok := strings.CutSuffix(t.Name, "y"); ok && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") {
		return stem + "ies"
	}
	return t.Name + "s"
}

// extract is `speckl extract`.
func (a *app) extract() *cobra.Command {
	var x extraction
	var form output
	cmd := &cobra.Command{
		Use:   "extract [FILE…|-]",
		Short: "Read conversations and print what they establish",
		Long: "Read conversations and print what they establish: elements, each with the exact words\n" +
			"that support it. Several files are several sessions of one document. With --db the\n" +
			"document is kept: what was read before is known again, and what is new is added; without,\n" +
			"nothing is written.",
		Example: "  speckl extract meeting.vtt\n  speckl extract --domain state-machine -o json chat.txt\n" +
			"  speckl extract --db talks.db --doc checkout monday.txt\n  speckl extract --llm openai/gpt-5-mini meeting.vtt\n  pbpaste | speckl extract",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			if err := x.checkFollow(args, form.form); err != nil {
				return err
			}
			x.call, x.modeGiven = cmd, cmd.Flags().Changed("mode")
			ctx, stop := untilInterrupt(cmd.Context())
			defer stop()
			switch {
			case x.retry:
				return a.retried(ctx, &x, args, &form)
			case x.following:
				return a.follow(ctx, &x, args[0], form.form)
			}
			return a.extracted(ctx, cmd, &x, args, &form)
		},
	}
	x.flags(a, cmd)
	x.models.flags(cmd)
	form.flags(cmd, "text", "json", "jsonl", "md", "html", "csv")
	f := cmd.Flags()
	f.BoolVar(&x.retry, "retry", false, "ask the model again about the turns of a stored document that it gave no answer for; reads no file")
	f.BoolVar(&x.trace, "trace", false, "print on stderr what each stage made of each turn")
	f.BoolVar(&x.dry, "dry-run", false, "in mode batch: print what would change, with the token that apply takes, and change nothing")
	f.BoolVar(&x.following, "follow", false, "read one growing file until interrupted, and print what is new line by line (text or jsonl)")
	f.StringVar(&x.since, "since", "", "leave out what was said before this `POINT`: a turn's id, or a time such as 2026-03-11")
	return cmd
}

// checkFollow refuses what does not go with --follow.
func (x *extraction) checkFollow(args []string, form string) error {
	switch {
	case !x.following:
		return nil
	case len(args) != 1 || args[0] == "-":
		return usagef("--follow: name one file; a pipe is read to its end without")
	case form != "text" && form != "jsonl":
		return usagef("--follow prints text or jsonl, line by line: not %s", form)
	}
	return nil
}

// extracted reads files and prints the document, or what a dry run shows.
func (a *app) extracted(ctx context.Context, cmd *cobra.Command, x *extraction, args []string, form *output) error {
	var open []conversation
	where := "" // until something is kept
	err := x.work(ctx, a, func() (err error) {
		if open, err = a.open(ctx, cmd, args); err == nil && x.db != "" && !x.lenient {
			err = x.proofread(open)
		}
		return err
	}, func(d *desk) error {
		where = d.where
		plan := x.batch.ConfirmBeforeApply && form.form == "text"
		keep := form.keep()
		if plan {
			keep = func(r *sir.Result) *sir.Result { a.planned(d, x, r); return nil }
		}
		doc, err := x.read(ctx, a, d, open, keep)
		switch {
		case err != nil || plan:
			return err
		case x.show:
			return x.sent.write(a, form.form)
		}
		return form.write(a, doc, x.quiet)
	})
	return interrupted(ctx, err, where)
}

// planned prints what a dry run would change.
func (a *app) planned(d *desk, x *extraction, r *sir.Result) {
	_ = a.resultText(d.View(export.Document{}), r, "")
	if r.Token != "" {
		fmt.Fprintf(a.stdout, "not applied yet: %s\n", a.call(&x.place, []string{"apply", x.doc, r.Token}))
	}
}
