package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/redact"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// models is which model is asked, and how.
type models struct {
	llm            string
	baseURL        string
	asIs           bool
	show           bool
	record, replay string

	client *llm.Client   // what was opened; nil for none
	others []*llm.Client // those that speak for debaters
	began  time.Time
	// reasons are why it gave no answer, or not all of one.
	reasons []string
}

func (m *models) flags(cmd *cobra.Command) {
	m.connectionFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&m.asIs, "send-as-is", false, "send e-mail addresses, phone numbers, credentials and keys to the model as they are, instead of placeholders")
	f.BoolVar(&m.show, "show-prompt", false, "print what would be sent to the model, send nothing and keep nothing")
}

// connectionFlags are those about reaching the model.
func (m *models) connectionFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.llm, "llm", "", "ask a model, too: `PROVIDER[/MODEL]`, such as openai/gpt-5-mini, anthropic, or ollama/qwen3; its key is in the environment (see docs/models.md)")
	f.StringVar(&m.baseURL, "llm-base-url", "", "the `URL` of the provider's API, where it is not the usual one")
	f.StringVar(&m.record, "record", "", "keep each exchange with the model in a `DIRECTORY`, without keys")
	f.StringVar(&m.replay, "replay", "", "answer from exchanges that were recorded in a `DIRECTORY`: nothing is sent")
	cmd.MarkFlagsMutuallyExclusive("record", "replay")
	complete(cmd, "llm", func() []string {
		var names []string
		for _, p := range llm.Providers() {
			names = append(names, p.Name)
		}
		return names
	})
}

// asked reports whether there is a model to ask.
func (m *models) asked() bool { return m.llm != "" || m.show }

// apply puts the model into a client's configuration.
func (m *models) apply(s *settings, cfg *speckl.Config) error {
	if !m.asked() {
		for name, given := range map[string]bool{"--record": m.record != "", "--replay": m.replay != "", "--send-as-is": m.asIs} {
			if given {
				return usagef("%s: there is no model to ask: name one with --llm PROVIDER/MODEL", name)
			}
		}
		return nil
	}
	cfg.Model = &speckl.ModelConfig{Name: m.llm, AsIs: m.asIs, Realtime: s.is("realtimeLLM"), NoCache: !s.is("cacheLLMExtractions"), MaxTokens: s.number("maxLLMTokens")}
	if above, err := sir.ParseConfidence(s.value("skipLLMWhenPatternConfidenceAbove")); err == nil { // checked before
		cfg.Model.SkipAbove = max(above, 1)
	}
	if n := s.number("llmBudget"); n > 0 {
		cfg.Model.Budget = llm.NewBudget(n)
	}
	if m.show {
		cfg.Model.Provider = silent{}
		return nil
	}
	client, err := m.open(s)
	if err != nil {
		return err
	}
	cfg.Model.Provider, cfg.Model.Name = client, client.Name()
	return nil
}

// speakers gives debaters the models that speak for them: that of the call
// where they name none and have a persona. One whose model cannot be opened
// is left out of the debate, which its result tells.
func (m *models) speakers(a *app, s *settings, cfg *speckl.Config) {
	for i := range cfg.Debaters {
		d := &cfg.Debaters[i]
		switch {
		case d.Model == "" && d.Persona != "" && cfg.Model != nil:
			d.Model, d.Provider = cfg.Model.Name, cfg.Model.Provider
		case d.Model == "":
		case m.show:
			d.Provider = silent{}
		default:
			one := *m
			one.llm = d.Model
			client, err := one.open(s)
			if err != nil {
				fmt.Fprintln(a.stderr, safe(fmt.Sprintf("debater %s: %v", d.ID, err)))
				continue
			}
			d.Provider = client
			m.others = append(m.others, client)
		}
	}
}

// open makes the provider's client.
func (m *models) open(s *settings) (*llm.Client, error) {
	config := llm.Config{
		Model: m.llm, BaseURL: m.baseURL, Getenv: os.Getenv, Timeout: time.Duration(s.number("llmTimeout")) * time.Second,
		Concurrency: s.number("llmConcurrency"), RequestsPerMinute: s.number("llmRequestsPerMinute"),
	}
	var err error
	switch {
	case m.record != "":
		config.Transport, err = llm.Record(m.record, http.DefaultTransport, redact.Strip)
	case m.replay != "":
		config.Key = "replayed" // nothing is sent
		config.Transport, err = llm.Replay(m.replay, redact.Strip)
	}
	if err != nil {
		return nil, inputf("%w", err)
	}
	if m.client, err = llm.Open(config); err != nil {
		return nil, usagef("--llm %s: %w", m.llm, err)
	}
	if m.began.IsZero() {
		m.began = time.Now()
	}
	return m.client, nil
}

// silent answers nothing, for --show-prompt.
type silent struct{}

func (silent) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: `{"items":[]}`, Finish: llm.FinishStop}, nil
}

// unanswered notes why a model gave no answer, or not all of one.
func (m *models) unanswered(r *sir.Result) {
	for _, reason := range r.Metadata.DegradedReasons {
		if strings.HasPrefix(reason, "llm_") {
			m.reasons = append(m.reasons, reason)
		}
	}
}

// mostReasons is how many reasons are printed.
const mostReasons = 5

// spent says on stderr what asking has cost, and what was not answered.
func (m *models) spent(a *app, x *extraction) {
	if x.quiet {
		return
	}
	all := m.others
	if m.client != nil {
		all = append([]*llm.Client{m.client}, all...)
	}
	for _, c := range all {
		u := c.Usage()
		if u.Calls == 0 {
			continue
		}
		line := fmt.Sprintf("asked %s: %s, %d tokens sent, %d received", c.Name(), count(u.Calls, "request"), u.Input, u.Output)
		if u.Cost > 0 {
			line += fmt.Sprintf(", about $%.4f", float64(u.Cost)/1e6)
		}
		fmt.Fprintf(a.stderr, "%s, in %s\n", line, time.Since(m.began).Round(time.Millisecond))
	}
	for i, reason := range m.reasons {
		if i == mostReasons {
			fmt.Fprintf(a.stderr, "and %d more such reasons\n", len(m.reasons)-i)
			break
		}
		fmt.Fprintln(a.stderr, safe("the rules alone read some turns: "+reason))
	}
	if len(m.reasons) > 0 && x.db != "" {
		fmt.Fprintf(a.stderr, "to ask again about those turns alone: %s\n", a.call(&x.place, []string{"extract", "--doc", x.doc, "--llm", m.llm, "--retry"}))
	}
}

// retried is `speckl extract --retry`.
func (a *app) retried(ctx context.Context, x *extraction, args []string, form *output) error {
	switch {
	case len(args) > 0:
		return usagef("--retry reads no file: it asks about turns that %s has", x.doc)
	case x.llm == "":
		return usagef("--retry: name the model to ask with --llm PROVIDER/MODEL")
	case x.db == "":
		return usagef("--retry: name the database with --db FILE")
	case x.following || x.dry:
		return usagef("--retry goes with neither --follow nor --dry-run")
	}
	return x.work(ctx, a, func() error { return nil }, func(d *desk) error {
		var results spool
		left, err := d.Reread(ctx, x.doc, func(r *sir.Result) error {
			x.models.unanswered(r)
			return results.add(r)
		})
		if err != nil {
			return d.missing(ctx, x.doc, err)
		}
		doc, err := d.Document(ctx, x.doc)
		if err != nil {
			return err
		}
		doc.Results = results.all()
		x.spent(a, x)
		if !x.quiet && left == 0 {
			fmt.Fprintf(a.stderr, "no turn of %s waits for an answer\n", safe(x.doc))
		}
		return form.write(a, doc, x.quiet)
	})
}

// is reports whether a setting is true.
func (s *settings) is(key string) bool { return s.value(key) == "true" }

// number is a setting that is a whole number.
func (s *settings) number(key string) int {
	n, _ := strconv.Atoi(s.value(key)) // checked when it was set
	return n
}

// value is a setting's value.
func (s *settings) value(key string) string {
	if g, ok := s.given[key]; ok {
		return g.value
	}
	return settingKeys[key].standard
}

// requests prints what would be sent to a model.
type requests struct {
	all []speckl.ModelRequest
}

func (r *requests) add(q speckl.ModelRequest) { r.all = append(r.all, q) }

// write prints them as text, or as JSON with their schemas.
func (r *requests) write(a *app, form string) error {
	switch form {
	case "json":
		if r.all == nil {
			r.all = []speckl.ModelRequest{}
		}
		return a.json(struct {
			Requests []speckl.ModelRequest `json:"requests"`
		}{r.all})
	case "text":
	default:
		return usagef("--show-prompt prints text or json: not %s", form)
	}
	for i, q := range r.all {
		fmt.Fprintf(a.stdout, "=== request %d of %d: %s, %s, about %d tokens ===\n--- system ---\n%s\n--- user ---\n%s", i+1, len(r.all), q.Domain, count(len(q.Turns), "turn"), q.Tokens, strings.TrimRight(q.System, "\n"), q.Prompt)
	}
	if len(r.all) == 0 {
		fmt.Fprintln(a.stderr, "nothing would be sent: the rules are sure of every sentence (skipLLMWhenPatternConfidenceAbove), or every turn was read before")
	}
	return nil
}
