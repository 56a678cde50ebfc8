package llm

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"
)

// Config says which model is asked, and how. Only Model is needed.
type Config struct {
	// Model is PROVIDER or PROVIDER/MODEL, as in "openai/gpt-5" or
	// "openrouter/meta-llama/llama-3.3-70b-instruct".
	Model string
	// BaseURL is where the API is; empty: SPECKL_LLM_BASE_URL, the
	// provider's own variable, its usual place.
	BaseURL string
	// Key opens it; empty: SPECKL_LLM_API_KEY, the provider's own variable;
	// each with _FILE behind it names a file that holds the key.
	Key string
	// Getenv is the environment; nil is that of the process. ReadFile reads
	// files of keys; nil is [os.ReadFile].
	Getenv   func(string) string
	ReadFile func(string) ([]byte, error)
	// Transport carries requests; nil is [http.DefaultTransport]. See
	// [Record] and [Replay].
	Transport http.RoundTripper
	// Timeout bounds one attempt, from its beginning to the reply's last
	// byte; 0 is a minute.
	Timeout time.Duration
	// Retries is how often a request is sent again that failed for a while
	// only; 0 is 2, less is never.
	Retries int
	// Concurrency is how many requests are under way at once, at most; 0 is 4.
	Concurrency int
	// RequestsPerMinute bounds the rate; 0 is no bound.
	RequestsPerMinute int
	// Prices are those of models, by [Client.Name]; they go before the
	// table of the package.
	Prices map[string]Price
	// Now, Sleep and Jitter are the clock and chance; nil are the real ones.
	// Sleep returns the context's error where that ends first; Jitter returns
	// numbers from 0 to 1.
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Jitter func() float64
}

// complete sets what the zero value stands for.
func (c *Config) complete() {
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.ReadFile == nil {
		c.ReadFile = os.ReadFile
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Timeout = cmp.Or(c.Timeout, time.Minute)
	c.Retries = cmp.Or(c.Retries, 2)
	c.Concurrency = max(cmp.Or(c.Concurrency, 4), 1)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
}

// sleep waits, or until the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// baseURL is where the provider's API is.
func (c *Config) baseURL(p *Info) string {
	if c.BaseURL != "" {
		return c.BaseURL
	}
	for _, name := range append([]string{"SPECKL_LLM_BASE_URL"}, p.URLVars...) {
		if v := strings.TrimSpace(c.Getenv(name)); v != "" {
			return v
		}
	}
	return p.BaseURL
}

// key is what opens the provider's API; empty for one that needs none, and
// for a server that stands somewhere else than the provider.
// It returns an error that wraps [ErrNoKey] and names the variables.
func (c *Config) key(p *Info, elsewhere bool) (string, error) {
	if c.Key != "" {
		return c.Key, nil
	}
	for _, name := range append([]string{"SPECKL_LLM_API_KEY"}, p.KeyVars...) {
		if v := strings.TrimSpace(c.Getenv(name)); v != "" {
			return v, nil
		}
		path := c.Getenv(name + "_FILE")
		if path == "" {
			continue
		}
		b, err := c.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("%w: %s_FILE: %w", ErrNoKey, name, err)
		}
		if v := strings.TrimSpace(string(b)); v != "" {
			return v, nil
		}
		return "", fmt.Errorf("%w: %s_FILE: %s is empty", ErrNoKey, name, path)
	}
	if len(p.KeyVars) == 0 || elsewhere {
		return "", nil
	}
	return "", fmt.Errorf("%w for %s: set %s, or %s_FILE to the path of a file that holds it", ErrNoKey, p.Name, p.KeyVars[0], p.KeyVars[0])
}
