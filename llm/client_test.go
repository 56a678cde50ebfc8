package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/llm/llmtest"
)

const key = "sk-very-secret-0123456789"

var wires = []string{"openai", "anthropic", "gemini"}

var request = llm.Request{
	System: "You read.", Prompt: "<conversation>\n", Schema: json.RawMessage(`{"type":"object","properties":{"items":{"type":"array"}}}`), SchemaName: "x-reply",
}

// open makes a client of a scripted server that never waits between attempts;
// what it would have waited is added to waits.
func open(t *testing.T, s *llmtest.Server, waits *[]time.Duration, change func(*llm.Config)) *llm.Client {
	t.Helper()
	cfg := llm.Config{
		Model: s.Wire + "/scripted-1", BaseURL: s.URL, Key: key, Getenv: func(string) string { return "" }, Jitter: func() float64 { return 1 },
		Now: func() time.Time { return time.Unix(1773187200, 0) },
		Sleep: func(ctx context.Context, d time.Duration) error {
			if waits != nil {
				*waits = append(*waits, d)
			}
			return ctx.Err()
		},
	}
	if change != nil {
		change(&cfg)
	}
	c, err := llm.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRequests: what is sent is in each provider's form.
func TestRequests(t *testing.T) {
	t.Parallel()
	want := map[string]struct{ path, header, body string }{
		"openai":    {"/v1/chat/completions", "Authorization: Bearer " + key, `{"max_completion_tokens":700,"messages":[{"role":"system","content":"You read."},{"role":"user","content":"\u003cconversation\u003e\n"}],"model":"scripted-1","response_format":{"json_schema":{"name":"x-reply","schema":{"type":"object","properties":{"items":{"type":"array"}}}},"type":"json_schema"},"temperature":0}`},
		"anthropic": {"/v1/messages", "X-Api-Key: " + key, `{"max_tokens":700,"messages":[{"role":"user","content":"\u003cconversation\u003e\n"}],"model":"scripted-1","output_config":{"format":{"schema":{"type":"object","properties":{"items":{"type":"array"}}},"type":"json_schema"}},"system":[{"cache_control":{"type":"ephemeral"},"text":"You read.","type":"text"}],"temperature":0}`},
		"gemini":    {"/v1beta/models/scripted-1:generateContent", "X-Goog-Api-Key: " + key, `{"contents":[{"role":"user","parts":[{"text":"\u003cconversation\u003e\n"}]}],"generationConfig":{"maxOutputTokens":700,"responseJsonSchema":{"type":"object","properties":{"items":{"type":"array"}}},"responseMimeType":"application/json","temperature":0},"systemInstruction":{"parts":[{"text":"You read."}]}}`},
	}
	for _, wire := range wires {
		s := llmtest.New(t, wire, llmtest.Say("fine"))
		r := request
		r.MaxTokens = 700
		reply, err := open(t, s, nil, nil).Complete(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		got := s.Requests()[0]
		name, value, _ := strings.Cut(want[wire].header, ": ")
		if got.Path != want[wire].path || got.Header.Get(name) != value || got.Body != want[wire].body {
			t.Errorf("%s: sent to %s, %s %q:\n%s", wire, got.Path, name, got.Header.Get(name), cmp.Diff(want[wire].body, got.Body))
		}
		u := reply.Usage
		if reply.Text != "fine" || reply.Finish != llm.FinishStop || reply.Model != "scripted-1" || u.Input != 100 || u.Output != 50 || u.Cached != 40 || u.Calls != 1 {
			t.Errorf("%s: %+v", wire, reply)
		}
	}
}

// TestFaults: each ends in its own error, within its bounds, and the key is
// in none.
func TestFaults(t *testing.T) {
	t.Parallel()
	big := `{"choices":[{"message":{"content":"` + strings.Repeat("x", 10<<20) + `"}}]}`
	tests := []struct {
		name   string
		script []llmtest.Step
		want   error // nil: a reply
		calls  int
		waits  []time.Duration
		says   string
		finish llm.Finish
	}{
		{"success", []llmtest.Step{llmtest.Say("ok")}, nil, 1, nil, "ok", llm.FinishStop},
		{"cut off", []llmtest.Step{llmtest.Cut("half")}, nil, 1, nil, "half", llm.FinishLength},
		{"schema refused", []llmtest.Step{llmtest.Status(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported"), llmtest.Say("ok")}, nil, 2, nil, "ok", llm.FinishStop},
		{"temperature refused", []llmtest.Step{llmtest.Status(400, "Unsupported value: 'temperature' does not support 0 with this model."), llmtest.Say("ok")}, nil, 2, nil, "ok", llm.FinishStop},
		{"401", []llmtest.Step{llmtest.Status(401, "Incorrect API key provided: "+key)}, llm.ErrUnauthorized, 1, nil, "", ""},
		{"400", []llmtest.Step{llmtest.Status(400, "no such thing")}, llm.ErrRejected, 1, nil, "", ""},
		{"404", []llmtest.Step{llmtest.Status(404, "model not found")}, llm.ErrRejected, 1, nil, "", ""},
		{"redirect", []llmtest.Step{llmtest.Status(307, "elsewhere", "Location", "http://127.0.0.1:1/")}, llm.ErrRejected, 1, nil, "", ""},
		{"429, then well", []llmtest.Step{llmtest.Status(429, "slow down", "Retry-After", "7"), llmtest.Say("ok")}, nil, 2, []time.Duration{7 * time.Second}, "ok", llm.FinishStop},
		{"429 with a date", []llmtest.Step{llmtest.Status(429, "slow down", "Retry-After", "Wed, 11 Mar 2026 00:00:09 GMT"), llmtest.Say("ok")}, nil, 2, []time.Duration{9 * time.Second}, "ok", llm.FinishStop},
		{"429 for an hour", []llmtest.Step{llmtest.Status(429, "slow down", "Retry-After", "3600")}, llm.ErrRateLimited, 1, nil, "", ""},
		{"429 for ever", []llmtest.Step{llmtest.Status(429, "slow down")}, llm.ErrRateLimited, 3, []time.Duration{500 * time.Millisecond, time.Second}, "", ""},
		{"500", []llmtest.Step{llmtest.Status(500, "boom")}, llm.ErrUnavailable, 3, []time.Duration{500 * time.Millisecond, time.Second}, "", ""},
		{"500, then well", []llmtest.Step{llmtest.Status(500, "boom"), llmtest.Say("ok")}, nil, 2, []time.Duration{500 * time.Millisecond}, "ok", llm.FinishStop},
		{"reset", []llmtest.Step{llmtest.Reset()}, llm.ErrUnavailable, 3, []time.Duration{500 * time.Millisecond, time.Second}, "", ""},
		{"broken off", []llmtest.Step{llmtest.Break("text"), llmtest.Say("ok")}, nil, 2, []time.Duration{500 * time.Millisecond}, "ok", llm.FinishStop},
		{"hang", []llmtest.Step{llmtest.Hang()}, llm.ErrTimeout, 1, nil, "", ""},
		{"slow drip", []llmtest.Step{llmtest.Drip(time.Millisecond)}, llm.ErrTimeout, 1, nil, "", ""},
		{"wrong JSON", []llmtest.Step{llmtest.Raw("application/json", `{"choices": nonsense`)}, llm.ErrBadReply, 1, nil, "", ""},
		{"a page", []llmtest.Step{llmtest.Raw("text/html", `<html>Welcome to the hotel</html>`)}, llm.ErrBadReply, 1, nil, "", ""},
		{"another JSON", []llmtest.Step{llmtest.Raw("application/json", `{"hello":"world"}`)}, llm.ErrBadReply, 1, nil, "", ""},
		{"no body", []llmtest.Step{llmtest.Raw("application/json", ``)}, llm.ErrBadReply, 1, nil, "", ""},
		{"empty", []llmtest.Step{llmtest.Say("")}, llm.ErrBadReply, 1, nil, "", ""},
		{"refusal", []llmtest.Step{llmtest.Refuse()}, llm.ErrRefused, 1, nil, "", ""},
		{"10 MB", []llmtest.Step{llmtest.Raw("application/json", big)}, llm.ErrTooLarge, 1, nil, "", ""},
	}
	for _, wire := range wires {
		for _, tt := range tests {
			t.Run(wire+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				s := llmtest.New(t, wire, tt.script...)
				var waits []time.Duration
				c := open(t, s, &waits, func(cfg *llm.Config) {
					if tt.want == llm.ErrTimeout {
						cfg.Timeout = 50 * time.Millisecond
					}
				})
				reply, err := c.Complete(t.Context(), request)
				if !errors.Is(err, tt.want) || tt.want == nil && err != nil {
					t.Fatalf("error %v, want %v", err, tt.want)
				}
				if reply.Text != tt.says || reply.Finish != tt.finish {
					t.Errorf("reply %+v", reply)
				}
				if n := len(s.Requests()); n != tt.calls || reply.Usage.Calls != tt.calls || c.Usage().Calls != tt.calls {
					t.Errorf("%d requests, %d and %d counted; want %d", n, reply.Usage.Calls, c.Usage().Calls, tt.calls)
				}
				if d := cmp.Diff(tt.waits, waits); d != "" {
					t.Errorf("waits: %s", d)
				}
				if err == nil {
					return
				}
				var e *llm.Error
				if !errors.As(err, &e) || e.Name != wire+"/scripted-1" {
					t.Errorf("%#v", err)
				}
				for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v %v", c, c, e)} {
					if strings.Contains(text, key) {
						t.Errorf("the key is in %q", text)
					}
				}
			})
		}
	}
}

// TestSchemaRefused: a server that takes no schema is told in words, and is
// not sent one again.
func TestSchemaRefused(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, "openai", llmtest.Status(400, "json_schema is not supported"), llmtest.Say("ok"))
	c := open(t, s, nil, nil)
	for range 2 {
		if _, err := c.Complete(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Requests()
	if len(got) != 3 || !c.PlainReplies() {
		t.Fatalf("%d requests, plain %v", len(got), c.PlainReplies())
	}
	for _, r := range got[1:] {
		if strings.Contains(r.Body, "response_format") || !strings.Contains(r.Body, "must be JSON that fits this schema") {
			t.Errorf("sent %s", r.Body)
		}
	}
}

// TestGivesUp: after three calls in a row that fail, and after a refused key
// at once, nothing more is sent.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		step llmtest.Step
		want int
	}{{llmtest.Status(503, "down"), 9}, {llmtest.Status(403, "no"), 1}} {
		s := llmtest.New(t, "openai", tt.step)
		c := open(t, s, nil, nil)
		var err error
		for range 10 {
			_, err = c.Complete(t.Context(), request)
		}
		if n := len(s.Requests()); n != tt.want || !strings.Contains(err.Error(), "not asked any more") {
			t.Errorf("%d requests, want %d; %v", n, tt.want, err)
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, "openai", llmtest.Hang())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	c := open(t, s, nil, nil)
	go func() {
		_, err := c.Complete(ctx, request)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestConcurrency: no more requests are under way than the client allows.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		most, now := 0, 0
		lock := make(chan struct{}, 1)
		transport := transport(func(r *http.Request) (*http.Response, error) {
			lock <- struct{}{}
			now++
			most = max(most, now)
			<-lock
			time.Sleep(time.Second)
			lock <- struct{}{}
			now--
			<-lock
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"choices":[{"message":{"content":"ok"}}]}`)), Request: r}, nil
		})
		c, err := llm.Open(llm.Config{Model: "openai/m", Key: key, Transport: transport, Concurrency: 3, RequestsPerMinute: 600, Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		errs := make(chan error)
		for range 20 {
			go func() {
				_, err := c.Complete(t.Context(), request)
				errs <- err
			}()
		}
		for range 20 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if most != 3 {
			t.Errorf("%d at once", most)
		}
		if took := time.Since(began); took < 7*time.Second || took > 9*time.Second {
			t.Errorf("took %s of the test's own time", took)
		}
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestOpen(t *testing.T) {
	t.Parallel()
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	tests := []struct {
		model, base string
		env         func(string) string
		endpoint    string
		err         error
		says        string
	}{
		{"openai", "", env("OPENAI_API_KEY", "k"), "https://api.openai.com/v1/chat/completions", nil, ""},
		{"openai/gpt-5", "", env("SPECKL_LLM_API_KEY", "k"), "https://api.openai.com/v1/chat/completions", nil, ""},
		{"openai/gpt-5", "", env(), "", llm.ErrNoKey, "OPENAI_API_KEY"},
		{"openai/m", "", env("OPENAI_BASE_URL", "http://localhost:9/v1/"), "http://localhost:9/v1/chat/completions", nil, ""},
		{"openai/m", "http://localhost:9", env(), "http://localhost:9/v1/chat/completions", nil, ""},
		{"openai/m", "http://localhost:9/api/chat/completions", env(), "http://localhost:9/api/chat/completions", nil, ""},
		{"openai/m", "", env("SPECKL_LLM_BASE_URL", "http://a:1", "OPENAI_BASE_URL", "http://b:2"), "http://a:1/v1/chat/completions", nil, ""},
		{"anthropic", "http://localhost:9", env(), "http://localhost:9/v1/messages", nil, ""},
		{"anthropic", "", env("ANTHROPIC_BASE_URL", "http://localhost:9/v1", "ANTHROPIC_API_KEY", "k"), "http://localhost:9/v1/messages", nil, ""},
		{"gemini/gemini-2.5-pro", "", env("GOOGLE_API_KEY", "k"), "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent", nil, ""},
		{"ollama/qwen3:8b", "", env("OLLAMA_HOST", "127.0.0.1:5"), "http://127.0.0.1:5/v1/chat/completions", nil, ""},
		{"openrouter/meta-llama/llama-3.3-70b", "", env("OPENROUTER_API_KEY", "k"), "https://openrouter.ai/api/v1/chat/completions", nil, ""},
		{"deepseek", "", env("DEEPSEEK_API_KEY", "k"), "https://api.deepseek.com/v1/chat/completions", nil, ""},
		{"vllm", "", env(), "", llm.ErrNoModel, "vllm/MODEL"},
		{"vllm/m", "", env(), "http://127.0.0.1:8000/v1/chat/completions", nil, ""},
		{"opnai/m", "", env(), "", llm.ErrUnknownProvider, "openai"},
		{"openai/m", "ftp://user:pw@host", env(), "", llm.ErrBaseURL, "http"},
		{"openai/m", "http://user:pw@host/v1?key=secret", env(), "http://host/v1/chat/completions", nil, ""},
	}
	for _, tt := range tests {
		c, err := llm.Open(llm.Config{Model: tt.model, BaseURL: tt.base, Getenv: tt.env})
		if !errors.Is(err, tt.err) {
			t.Errorf("%s %s: error %v, want %v", tt.model, tt.base, err, tt.err)
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "pw") {
				t.Errorf("%s: %v", tt.model, err)
			}
			continue
		}
		if c.Endpoint() != tt.endpoint || strings.Contains(fmt.Sprint(c), "pw") {
			t.Errorf("%s %s: %s, want %s", tt.model, tt.base, c, tt.endpoint)
		}
	}
	file := t.TempDir() + "/key"
	if err := os.WriteFile(file, []byte(" from-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := llmtest.New(t, "openai")
	c := open(t, s, nil, func(cfg *llm.Config) { cfg.Key, cfg.Getenv = "", env("OPENAI_API_KEY_FILE", file) })
	if _, err := c.Complete(t.Context(), request); err != nil || s.Requests()[0].Header.Get("Authorization") != "Bearer from-a-file" {
		t.Errorf("%v, %v", err, s.Requests())
	}
}

// TestRecordReplay: a replay gives the very bytes, from a directory without
// keys, and sends nothing.
func TestRecordReplay(t *testing.T) {
	t.Parallel()
	for _, wire := range wires {
		dir := t.TempDir()
		s := llmtest.New(t, wire, llmtest.Say("first "+key), llmtest.Status(500, "boom"), llmtest.Say("second"))
		recording, err := llm.Record(dir, http.DefaultTransport, func(text string) string { return strings.ReplaceAll(text, "Ann", "X") })
		if err != nil {
			t.Fatal(err)
		}
		strip := func(text string) string { return strings.ReplaceAll(text, "Ann", "X") }
		r := request
		r.Prompt = "Ann said " + key
		all := func(tr http.RoundTripper) []string {
			c := open(t, s, nil, func(cfg *llm.Config) { cfg.Transport = tr })
			var out []string
			for range 2 {
				reply, err := c.Complete(t.Context(), r)
				out = append(out, fmt.Sprint(reply.Text, reply.Finish, reply.Usage, err))
			}
			return out
		}
		want := all(recording)
		sent := len(s.Requests())
		for range 2 {
			replay, err := llm.Replay(dir, strip)
			if err != nil {
				t.Fatal(err)
			}
			got := all(replay)
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], key, "[key]")
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s", wire, d)
			}
		}
		if n := len(s.Requests()); n != sent || sent != 3 {
			t.Errorf("%d requests, then %d", sent, n)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 3 {
			t.Fatalf("%d recordings, %v", len(files), err)
		}
		for _, f := range files {
			b, err := os.ReadFile(dir + "/" + f.Name())
			if err != nil || strings.Contains(string(b), key) || strings.Contains(string(b), "Ann") || strings.Contains(string(b), "127.0.0.1") {
				t.Errorf("%s, %v", b, err)
			}
		}
		replay, err := llm.Replay(dir, strip)
		if err != nil {
			t.Fatal(err)
		}
		r.Prompt = "something else"
		c := open(t, s, nil, func(cfg *llm.Config) { cfg.Transport = replay })
		if _, err := c.Complete(t.Context(), r); !errors.Is(err, llm.ErrNotRecorded) {
			t.Errorf("error %v", err)
		}
		if _, err := llm.Record(dir, http.DefaultTransport, nil); err == nil {
			t.Error("it recorded over recordings")
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	b := llm.NewBudget(100)
	if err := b.Reserve(60); err != nil {
		t.Fatal(err)
	}
	if err := b.Reserve(60); !errors.Is(err, llm.ErrBudget) || !strings.Contains(err.Error(), "40 of 100") {
		t.Errorf("error %v", err)
	}
	b.Settle(60, 10)
	if err := b.Reserve(90); err != nil {
		t.Error(err)
	}
	if err := b.Reserve(1); !errors.Is(err, llm.ErrBudget) {
		t.Errorf("error %v", err)
	}
}

func TestPrices(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]llm.Usage{
		"openai/gpt-5-mini-2026": {Cost: 60*0.25 + 40*0.025 + 50*2}, // the longest name counts
		"ollama/qwen3":           {},
		"openai/unheard-of":      {Unpriced: true},
	} {
		s := llmtest.New(t, "openai")
		c := open(t, s, nil, func(cfg *llm.Config) { cfg.Model = model })
		reply, err := c.Complete(t.Context(), request)
		if err != nil || reply.Usage.Cost != want.Cost || reply.Usage.Unpriced != want.Unpriced {
			t.Errorf("%s: %+v, %v", model, reply.Usage, err)
		}
	}
}

// FuzzReply: whatever a server sends, there is a reply or an error.
func FuzzReply(f *testing.F) {
	for _, s := range []string{``, `{}`, `[]`, `null`, `{"choices":[{"message":{"content":[{"type":"text","text":"x"}]}}]}`, `{"choices":[{}]}`, `{"error":"x"}`, `{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}`, `{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}`, `[{"error":{"message":"x"}}]`, `{"usage":{"prompt_tokens":-5}}`} {
		f.Add(200, s)
		f.Add(400, s)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 200 || status > 599 {
			return
		}
		for _, wire := range wires {
			tr := transport(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
			})
			c, err := llm.Open(llm.Config{Model: wire + "/m", Key: key, Transport: tr, Retries: -1, Getenv: func(string) string { return "" }})
			if err != nil {
				t.Fatal(err)
			}
			reply, err := c.Complete(t.Context(), request)
			if (err == nil) != (reply.Text != "") {
				t.Errorf("%s %d %q: %+v, %v", wire, status, body, reply, err)
			}
		}
	})
}
