package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/internal/eval"
)

// bar is a number that a run must reach.
type bar struct {
	name string
	min  float64
}

// eval is `speckl eval`.
func (a *app) eval() *cobra.Command {
	var x extraction
	var form output
	var gold string
	var mins []string
	var verbose bool
	cmd := &cobra.Command{
		Use:   "eval [RUN.jsonl]",
		Short: "Score what was extracted against a gold file",
		Long: "Score what was extracted against a gold file. RUN has a row a line: an id, and what\n" +
			"`extract -o json` printed. Without RUN each row's text or turns are extracted.\n" +
			"The exit code is 1 where a --min is not reached.",
		Example: "  speckl eval --gold passages.jsonl --domain state-machine --min transition.f1=0.6",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usagef("speckl eval: takes one RUN.jsonl, got %d", len(args))
			case gold == "":
				return usagef("speckl eval: name the gold file: --gold GOLD.jsonl")
			case len(x.domains) != 1:
				return usagef("speckl eval: name one domain: --domain ID")
			}
			if err := form.check(); err != nil {
				return err
			}
			bars, err := parseBars(mins)
			if err != nil {
				return err
			}
			x.modeGiven = cmd.Flags().Changed("mode")
			report, err := x.score(cmd, a, gold, args)
			if err != nil {
				return err
			}
			if err := report.print(a, form.form, verbose); err != nil {
				return err
			}
			return report.against(a, bars)
		},
	}
	f := cmd.Flags()
	f.StringVar(&gold, "gold", "", "`GOLD.jsonl`: what is in each text")
	f.StringArrayVar(&mins, "min", nil, "`METRIC=NUMBER` that must be reached, such as transition.f1=0.6; may be repeated")
	f.BoolVarP(&verbose, "verbose", "v", false, "also print what was wrong, on stderr")
	f.StringSliceVarP(&x.domains, "domain", "d", nil, "`DOMAIN` to score: an id or FILE.yaml")
	x.reads.flags(cmd)
	x.models.flags(cmd)
	complete(cmd, "domain", domainIDs)
	x.settings.flags(cmd)
	form.flags(cmd, "text", "json")
	return cmd
}

// score reads the gold, and the run or makes one.
func (x *extraction) score(cmd *cobra.Command, a *app, goldPath string, args []string) (scored, error) {
	x.doc = "eval"
	d, err := x.alone(a, false)
	if err != nil {
		return scored{}, err
	}
	rows, err := readAs(a, goldPath, eval.ReadGold)
	if err != nil {
		return scored{}, err
	}
	if len(rows) == 0 {
		return scored{}, inputf("%s: no rows: a gold file has a JSON object a line", goldPath)
	}
	var run eval.Run
	if len(args) == 1 {
		run, err = readAs(a, args[0], eval.ReadRun)
	} else {
		run, err = eval.Extract(cmd.Context(), d.Client, d.chosen.ids[0], rows)
	}
	if err != nil {
		return scored{}, err
	}
	return scored{eval.Score(d.chosen.ids[0], rows, run)}, nil
}

// readAs reads a file, or stdin for "-".
func readAs[T any](a *app, path string, read func(io.Reader, string) (T, error)) (T, error) {
	if path == "-" {
		return read(a.stdin, "stdin")
	}
	f, err := openFile(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return read(f, path)
}

func parseBars(mins []string) ([]bar, error) {
	var bars []bar
	for _, m := range mins {
		name, value, ok := strings.Cut(m, "=")
		f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !ok || err != nil || f < 0 || f > 1 {
			return nil, usagef("--min %s: want METRIC=NUMBER between 0 and 1, such as transition.f1=0.6", m)
		}
		bars = append(bars, bar{strings.TrimSpace(name), f})
	}
	return bars, nil
}

type scored struct{ *eval.Report }

func (r scored) print(a *app, form string, verbose bool) error {
	if verbose {
		for _, w := range r.Wrong {
			fmt.Fprintf(a.stderr, "%-8s %s  %s\n", w.Kind, w.Row, w.Text)
		}
	}
	if n := len(r.Missing); n > 0 {
		fmt.Fprintf(a.stderr, "%s of the gold not in the run: %s\n", count(n, "row"), strings.Join(r.Missing[:min(n, 5)], " "))
	}
	if form == "json" {
		enc := json.NewEncoder(a.stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(r.Report)
	}
	_, err := a.stdout.WriteString(r.table())
	return err
}

func (r scored) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n\n%-24s %6s %6s %6s %7s %7s %7s\n", r.Domain, count(r.N, "text"), "", "right", "extra", "missed", "P", "R", "F1")
	rows := func(m map[string]*eval.Count) {
		for _, k := range sorted(m) {
			c := m[k]
			fmt.Fprintf(&b, "%-24s %6d %6d %6d %7.2f %7.2f %7.2f\n", k, c.TP, c.FP, c.FN, c.P, c.R, c.F1)
		}
	}
	rows(r.Types)
	if len(r.Fields) > 0 {
		b.WriteString("\n")
		rows(r.Fields)
	}
	fmt.Fprintf(&b, "\ninventions (must_not) %d; found in negatives %d of %d; spans %d, not exact %d; elements without words %d\n",
		r.MustNot, r.NegativesHit, r.Negatives, r.Spans, r.BadSpans, r.Bare)
	return b.String()
}

// against says which bars were not reached.
func (r scored) against(a *app, bars []bar) error {
	below := false
	for _, b := range bars {
		got, ok := r.Metric(b.name)
		if !ok {
			return usagef("--min %s: no such metric: NAME.p, NAME.r or NAME.f1 of %s", b.name, strings.Join(r.Metrics(), ", "))
		}
		if got < b.min {
			below = true
			fmt.Fprintf(a.stderr, "%s is %.4f, below %g\n", b.name, got, b.min)
		}
	}
	if below {
		return errFindings
	}
	return nil
}
