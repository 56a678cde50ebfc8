package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// acting is what the acts share: a person's decision about a stored document.
type acting struct {
	library
	form   output
	by     string
	reason string
	time   string
}

// actUsage is how an act is called: its words, what it does, and what an
// example looks like.
type actUsage struct{ use, short, long, example string }

// act makes the command of an act, with at least least arguments and at most
// most (-1 for any number). build makes the act of the arguments behind DOC.
func (a *app) act(u actUsage, least, most int, build func(*deed, []string) error) *cobra.Command {
	var x acting
	cmd := &cobra.Command{
		Use: u.use, Short: u.short, Long: u.long, Example: "  speckl " + u.example,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < least || most >= 0 && len(args) > most {
				return usagef("%s: the call is: speckl %s", cmd.CommandPath(), u.use)
			}
			if err := x.form.check(); err != nil {
				return err
			}
			return x.with(cmd.Context(), func(d *desk) error { return x.do(cmd, a, d, args, build) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&x.by, "by", "", "`NAME` of who decides")
	f.StringVar(&x.reason, "reason", "", "why: a `TEXT` that the history keeps")
	textVar(f, &x.time, "time", "the `TIME` of the act (default now)")
	x.library.flags(cmd)
	x.form.flags(cmd, "text", "json")
	completeDocuments(cmd, a)
	return cmd
}

// deed is an act that is being made up.
type deed struct {
	speckl.Act
	a    *app
	desk *desk
	name string
	ctx  context.Context
	doc  *subject // read when an element must be found
}

// do makes the act, records it, and prints what it changed.
func (x *acting) do(cmd *cobra.Command, a *app, d *desk, args []string, build func(*deed, []string) error) error {
	ctx := cmd.Context()
	if _, err := d.document(ctx, args[0]); err != nil {
		return err
	}
	at, err := x.moment()
	if err != nil {
		return err
	}
	t := &deed{a: a, desk: d, name: args[0], ctx: ctx}
	t.By, t.Reason, t.At, t.Command = x.by, x.reason, &at, quoted(append([]string{cmd.Name()}, args...))
	if err := build(t, args[1:]); err != nil {
		return err
	}
	r, err := d.Act(ctx, args[0], t.Act)
	if err != nil {
		return t.refused(err)
	}
	if x.form.form == "json" {
		return export.ResultJSON(a.stdout, d.View(export.Document{}), r)
	}
	return a.resultText(d.View(export.Document{}), r, verbs[t.Kind])
}

// verbs say what an act does to elements where the history's word is wider.
var verbs = map[speckl.ActKind]string{speckl.Correct: "corrected"}

// moment is when the act happens.
func (x *acting) moment() (int64, error) {
	if x.time == "" {
		return time.Now().UnixMilli(), nil
	}
	ms, ok := moment(x.time, time.UTC, false)
	if !ok {
		return 0, usagef("--time: %q is no time: want %s", x.time, timeForms)
	}
	return ms, nil
}

// subject is the document, read once.
func (t *deed) subject() (*subject, error) {
	if t.doc == nil {
		doc, err := t.desk.Client.Elements(t.ctx, t.name)
		if err != nil {
			return nil, err
		}
		t.doc = &subject{desk: t.desk, doc: doc, name: t.name, arg: t.name, stored: true}
	}
	return t.doc, nil
}

// element finds an element by what it is called. A whole id needs no look at
// the document.
func (t *deed) element(name string) (id string, err error) {
	if u, err := uuid.Parse(name); err == nil && u.String() == name {
		return name, nil
	}
	s, err := t.subject()
	if err != nil {
		return "", err
	}
	e, err := t.a.element(s, name)
	if err != nil {
		return "", err
	}
	return e.ID, nil
}

// on makes the act one on elements.
func (t *deed) on(names ...string) error {
	for _, name := range names {
		id, err := t.element(name)
		if err != nil {
			return err
		}
		t.Elements = append(t.Elements, id)
	}
	return nil
}

// refused says why the document does not take the act.
func (t *deed) refused(err error) error {
	for kind, is := range map[error][]error{
		errInput: {store.ErrNotFound},
		errUsage: {speckl.ErrAct, speckl.ErrNothingToUndo, engine.ErrOption},
	} {
		for _, sentinel := range is {
			if errors.Is(err, sentinel) {
				return marked{kind, fmt.Errorf("%s: %s", safe(t.name), strings.TrimPrefix(oneLine(err.Error()), fmt.Sprintf("act on %q: ", t.name)))}
			}
		}
	}
	return err
}

// assignments reads FIELD=VALUE words. A value is JSON where it reads as JSON,
// else text; null, and nothing, clear the field.
func assignments(words []string) (map[string]any, error) {
	out := map[string]any{}
	for _, w := range words {
		field, text, ok := strings.Cut(w, "=")
		if field = strings.TrimSpace(field); !ok || field == "" {
			return nil, usagef("%q: want FIELD=VALUE, such as timeout=60s; null clears a field", w)
		}
		if _, twice := out[field]; twice {
			return nil, usagef("%q: the field is given twice", w)
		}
		v, err := valueOf(text)
		if err != nil {
			return nil, usagef("%q: %w", w, err)
		}
		out[field] = v
	}
	return out, nil
}

func valueOf(text string) (any, error) {
	switch {
	case text == "":
		return nil, nil
	case !json.Valid([]byte(text)):
		return text, nil
	}
	var d sir.Data
	if err := json.Unmarshal([]byte(`{"v":`+text+`}`), &d); err != nil {
		return nil, err
	}
	return d["v"], nil
}
