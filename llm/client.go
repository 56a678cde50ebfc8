package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Client asks one model. It is safe for concurrent use.
type Client struct {
	cfg   Config
	info  Info
	model string
	url   string
	key   string
	http  *http.Client
	slots chan struct{} // requests under way

	mu      sync.Mutex
	usage   Usage
	without features
	next    time.Time // when the rate allows the next request
	failed  int       // calls that failed in a row, for reasons that pass
	down    *Error    // why no request is sent any more; nil while some are
}

const (
	// maxReply bounds a response, in bytes.
	maxReply = 8 << 20
	// maxMessage bounds what is quoted of a provider's error, in bytes.
	maxMessage = 300
	// firstWait is the wait before the first retry, doubled with each
	// further one; maxWait bounds it, and what a provider may ask for.
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second
	// giveUpAfter is after how many failed calls in a row no more are sent.
	giveUpAfter = 3
)

// Open makes a client. Nothing is sent yet.
// It returns an error that wraps [ErrUnknownProvider], [ErrNoModel],
// [ErrNoKey] or [ErrBaseURL].
func Open(cfg Config) (*Client, error) {
	cfg.complete()
	info, model, err := named(cfg.Model)
	if err != nil {
		return nil, err
	}
	base := cfg.baseURL(&info)
	c := &Client{cfg: cfg, info: info, model: model, slots: make(chan struct{}, cfg.Concurrency), without: features{}}
	if c.url, err = info.endpoint(base, model); err != nil {
		return nil, err
	}
	if c.key, err = cfg.key(&info, base != info.BaseURL); err != nil {
		return nil, err
	}
	c.http = &http.Client{
		Transport: cfg.Transport,
		// a redirect would carry the key, and the conversation, elsewhere
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Name is provider and model: "openai/gpt-5".
func (c *Client) Name() string { return c.info.Name + "/" + c.model }

// Endpoint is where requests go, without what may be secret in it.
func (c *Client) Endpoint() string {
	u, err := url.Parse(c.url)
	if err != nil {
		return c.info.Name
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// Usage is what all requests so far have cost, failed attempts included.
func (c *Client) Usage() Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.usage
}

// PlainReplies reports whether the server has refused schemas, so that the
// model is told in words what its replies must look like.
func (c *Client) PlainReplies() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.without[schema]
}

// String names the client; a key is in no text of it.
func (c *Client) String() string { return c.Name() + " at " + c.Endpoint() }

// GoString is String, for "%#v".
func (c *Client) GoString() string { return c.String() }

// Format prints String whatever the verb is, so that none prints the key.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// Complete asks the model. See [Provider].
func (c *Client) Complete(ctx context.Context, r Request) (Reply, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Reply{}, ctx.Err()
	}
	call := &call{c: c, r: &r}
	reply, err := call.run(ctx)
	c.account(call, err)
	reply.Usage = call.usage
	return reply, err
}

// account adds what a call has cost, and gives the server up that fails call
// after call.
func (c *Client) account(x *call, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.usage.Add(x.usage)
	var failed *Error
	switch {
	case err == nil:
		c.failed = 0
	case !errors.As(err, &failed) || x.usage.Calls == 0:
	case errors.Is(err, ErrUnauthorized):
		c.down = failed
	case errors.Is(err, ErrTimeout) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrRateLimited):
		if c.failed++; c.failed >= giveUpAfter {
			c.down = failed
		}
	}
}

// call is one request with its attempts.
type call struct {
	c     *Client
	r     *Request
	usage Usage
}

// run tries, as often as it may help.
func (x *call) run(ctx context.Context) (Reply, error) {
	for retry := 0; ; {
		if err := x.admitted(ctx); err != nil {
			return Reply{}, err
		}
		without := x.c.features()
		reply, err := x.attempt(ctx, without)
		if err == nil {
			return reply, nil
		}
		if ctx.Err() != nil {
			return Reply{}, ctx.Err()
		}
		err.Usage = x.usage
		if x.c.refused(err, without) {
			continue // at once, and it is no retry: what was refused is left out
		}
		wait, again := x.wait(err, retry)
		if !again {
			return Reply{}, err
		}
		if serr := x.c.cfg.Sleep(ctx, wait); serr != nil {
			return Reply{}, serr
		}
		retry++
	}
}

// admitted waits until the rate allows a request; it returns why none is sent
// to a server that was given up.
func (x *call) admitted(ctx context.Context) error {
	c := x.c
	c.mu.Lock()
	if down := c.down; down != nil {
		c.mu.Unlock()
		err := *down
		err.Usage, err.Err = x.usage, fmt.Errorf("not asked any more: %w", down.Err)
		return &err
	}
	var wait time.Duration
	if n := c.cfg.RequestsPerMinute; n > 0 {
		now := c.cfg.Now()
		if c.next.Before(now) {
			c.next = now
		}
		wait = c.next.Sub(now)
		c.next = c.next.Add(time.Minute / time.Duration(n))
	}
	c.mu.Unlock()
	if wait == 0 {
		return ctx.Err()
	}
	return c.cfg.Sleep(ctx, wait)
}

func (c *Client) features() features {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.without)
}

// refused reports whether a server has rejected a request for a feature that
// it can do without, and notes that.
func (c *Client) refused(err *Error, without features) bool {
	if err.Status != http.StatusBadRequest && err.Status != http.StatusUnprocessableEntity && err.Status != http.StatusNotFound {
		return false
	}
	said := strings.ToLower(err.Message)
	for _, r := range refusals {
		for _, w := range r.words {
			if !without[r.feature] && strings.Contains(said, w) {
				c.mu.Lock()
				c.without[r.feature] = true
				c.mu.Unlock()
				return true
			}
		}
	}
	return false
}

// wait is how long to wait before a request is sent again, and whether that
// may help.
func (x *call) wait(err *Error, retry int) (time.Duration, bool) {
	passes := errors.Is(err, ErrUnavailable) || errors.Is(err, ErrRateLimited)
	if !passes || retry >= x.c.cfg.Retries || err.RetryAfter > maxWait {
		return 0, false
	}
	wait := min(firstWait<<retry, maxWait)
	wait = wait/2 + time.Duration(float64(wait/2)*x.c.cfg.Jitter())
	return max(wait, err.RetryAfter), true
}

// attempt sends the request once.
func (x *call) attempt(ctx context.Context, without features) (Reply, *Error) {
	c := x.c
	r := *x.r
	if without[schema] && r.Schema != nil {
		r.System += "\n\nThe reply must be JSON that fits this schema, and nothing else:\n" + string(r.Schema) + "\n"
	}
	body, err := json.Marshal(c.info.wire.body(c.model, &r, without))
	if err != nil {
		return Reply{}, c.fail(0, "", fmt.Errorf("%w: encode: %w", ErrRejected, err))
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return Reply{}, c.fail(0, "", ErrBaseURL)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	c.info.wire.authorize(req.Header, c.key)
	x.usage.Calls++
	resp, err := c.http.Do(req)
	if err != nil {
		return Reply{}, c.unreached(ctx, err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case len(got) > maxReply:
		return Reply{}, c.fail(resp.StatusCode, "", fmt.Errorf("%w: more than %d MiB", ErrTooLarge, maxReply>>20))
	case err != nil:
		return Reply{}, c.unreached(ctx, err)
	case resp.StatusCode != http.StatusOK:
		return Reply{}, c.rejected(resp, got)
	}
	return x.read(&r, got)
}

// read reads the body of a good response.
func (x *call) read(r *Request, body []byte) (Reply, *Error) {
	c := x.c
	e, err := c.info.wire.reply(body)
	switch {
	case err != nil:
		x.spend(r, nil, "")
		return Reply{}, c.fail(http.StatusOK, "", fmt.Errorf("%w: it is not in the form of %s", ErrBadReply, c.info.Name))
	case e.failed:
		x.spend(r, e.usage, "")
		return Reply{}, c.fail(http.StatusOK, c.info.wire.problem(body), ErrUnavailable)
	case !e.answered:
		x.spend(r, e.usage, "")
		return Reply{}, c.fail(http.StatusOK, "", fmt.Errorf("%w: it has no answer in it", ErrBadReply))
	}
	x.spend(r, e.usage, e.text)
	if strings.TrimSpace(e.text) == "" {
		if e.finish == FinishRefused {
			return Reply{}, c.fail(0, "", ErrRefused)
		}
		return Reply{}, c.fail(0, "", fmt.Errorf("%w: it is empty", ErrBadReply))
	}
	if e.model == "" {
		e.model = c.model
	}
	return Reply{Text: e.text, Finish: e.finish, Model: e.model}, nil
}

// spend counts what an attempt has cost: as the provider says, else as is
// estimated.
func (x *call) spend(r *Request, said *Usage, text string) {
	u := Usage{Estimated: true, Input: (len(r.System) + len(r.Prompt) + 3) / 4, Output: (len(text) + 3) / 4}
	if said != nil {
		u = *said
	}
	price, ok := x.c.price()
	if ok {
		u.Cost = price.of(&u)
	}
	u.Unpriced = !ok
	x.usage.Add(u)
}

// unreached is the error of a request without a whole response.
func (c *Client) unreached(ctx context.Context, err error) *Error {
	if ctx.Err() != nil {
		return c.fail(0, "", fmt.Errorf("%w: no whole reply within %s", ErrTimeout, c.cfg.Timeout))
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL, which may hold a key
	}
	if errors.Is(err, ErrNotRecorded) {
		return c.fail(0, "", err)
	}
	return c.fail(0, err.Error(), fmt.Errorf("%w at %s", ErrUnavailable, c.Endpoint()))
}

// rejected is the error of a response that is none of the good ones.
func (c *Client) rejected(resp *http.Response, body []byte) *Error {
	kind := ErrRejected
	switch s := resp.StatusCode; {
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		kind = ErrUnauthorized
	case s == http.StatusTooManyRequests:
		kind = ErrRateLimited
	case s == http.StatusPaymentRequired:
		kind = fmt.Errorf("%w: the account has no credit", ErrUnauthorized)
	case s == http.StatusRequestTimeout || s == http.StatusConflict || s >= 500:
		kind = ErrUnavailable
	case s >= 300 && s < 400:
		kind = fmt.Errorf("%w: it is somewhere else, and redirects are not followed: set its base URL", ErrRejected)
	}
	e := c.fail(resp.StatusCode, c.info.wire.problem(body), kind)
	e.RetryAfter = c.retryAfter(resp.Header)
	if e.RetryAfter > maxWait {
		e.Err = fmt.Errorf("%w for %s", e.Err, e.RetryAfter.Round(time.Second))
	}
	return e
}

// retryAfter is how long a provider wants to be left alone: seconds, or a
// date (RFC 9110, 10.2.3), or milliseconds as some give them.
func (c *Client) retryAfter(h http.Header) time.Duration {
	if ms, err := time.ParseDuration(h.Get("Retry-After-Ms") + "ms"); err == nil {
		return max(ms, 0)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := time.ParseDuration(v + "s"); err == nil {
		return max(s, 0)
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(t.Sub(c.cfg.Now()), 0)
	}
	return 0
}

// fail makes an error without the key.
func (c *Client) fail(status int, message string, err error) *Error {
	return &Error{Name: c.Name(), Status: status, Message: c.scrub(message), Err: err}
}

// scrub shortens what a provider said to a line, and takes the key out.
func (c *Client) scrub(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, "[key]")
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if len(text) > maxMessage {
		cut := maxMessage
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return text
}
