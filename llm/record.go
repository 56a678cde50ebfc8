package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// exchange is a request and its response as a recording keeps them: one file
// of JSON each, named by the request and by how often it was sent before.
// Hosts, headers that open anything, and the key itself are in none.
type exchange struct {
	Request struct {
		Method string `json:"method"`
		Path   string `json:"path"`
		Body   string `json:"body"`
	} `json:"request"`
	Response struct {
		Status int                 `json:"status"`
		Header map[string][]string `json:"header"`
		Body   string              `json:"body,omitempty"`
		// Base64 holds a body that is no text.
		Base64 []byte `json:"base64,omitempty"`
	} `json:"response"`
}

// keptHeaders are the headers of responses that a client reads.
var keptHeaders = []string{"Content-Type", "Retry-After", "Retry-After-Ms"}

// secretHeaders are the headers of requests that open something; their values
// are taken out of bodies, too.
var secretHeaders = []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"}

// Record returns a transport that passes requests on to base and keeps each
// exchange in a directory, which it makes. It refuses one that holds
// recordings already: they would answer for each other. strip takes out of
// both bodies what must not be kept; nil keeps all but keys.
func Record(dir string, base http.RoundTripper, strip func(string) string) (http.RoundTripper, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("record to %s: %w", dir, err)
	}
	old, err := recordings(dir)
	if err != nil {
		return nil, err
	}
	if len(old) > 0 {
		return nil, fmt.Errorf("record to %s: %w: it holds %d recordings; name an empty directory", dir, fs.ErrExist, len(old))
	}
	return &recorder{dir: dir, base: base, strip: strip, times: map[string]int{}}, nil
}

// Replay returns a transport that answers from a directory of recordings, in
// the order in which equal requests were recorded, and sends nothing. A
// request without a recording gets an error that wraps [ErrNotRecorded].
// strip must be that of the recording.
func Replay(dir string, strip func(string) string) (http.RoundTripper, error) {
	found, err := recordings(dir)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("replay from %s: %w: it holds no recordings", dir, ErrNotRecorded)
	}
	return &replayer{dir: dir, strip: strip, times: map[string]int{}}, nil
}

func recordings(dir string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*.exchange.json"))
	if err != nil {
		return nil, fmt.Errorf("look for recordings in %s: %w", dir, err)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("look for recordings: %w", err)
	}
	return found, nil
}

// nameOf is the file of the n-th exchange of a request, from 0.
func nameOf(dir, key string, n int) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%d.exchange.json", key, n+1))
}

// keyOf names a request by its method, path and body.
func keyOf(method, path string, body []byte) string {
	sum := sha256.Sum256(slices.Concat([]byte(method+" "+path+"\n"), body))
	return hex.EncodeToString(sum[:12])
}

type recorder struct {
	dir   string
	base  http.RoundTripper
	strip func(string) string
	mu    sync.Mutex
	times map[string]int
}

// RoundTrip implements [http.RoundTripper].
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := bodyOf(req)
	if err != nil {
		return nil, err
	}
	sent := req.Clone(req.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	resp, err := r.base.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	cerr := resp.Body.Close()
	if err := errors.Join(err, cerr); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if err := r.keep(req, body, resp, got); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(got))
	return resp, nil
}

// bodyOf is the body of a request.
func bodyOf(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(req.Body)
	if err = errors.Join(err, req.Body.Close()); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	return body, nil
}

// keep writes one exchange.
func (r *recorder) keep(req *http.Request, body []byte, resp *http.Response, got []byte) error {
	clean := func(text string) string { return withoutSecrets(req, text, r.strip) }
	var x exchange
	x.Request.Method, x.Request.Path, x.Request.Body = req.Method, req.URL.Path, clean(string(body))
	x.Response.Status, x.Response.Header = resp.StatusCode, map[string][]string{}
	for _, name := range keptHeaders {
		if v := resp.Header.Values(name); len(v) > 0 {
			x.Response.Header[name] = v
		}
	}
	if utf8.Valid(got) {
		x.Response.Body = clean(string(got))
	} else {
		x.Response.Base64 = got
	}
	b, err := json.MarshalIndent(&x, "", "  ")
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	key := keyOf(req.Method, req.URL.Path, []byte(x.Request.Body))
	r.mu.Lock()
	n := r.times[key]
	r.times[key]++
	r.mu.Unlock()
	if err := os.WriteFile(nameOf(r.dir, key, n), append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// withoutSecrets is a text without the values of what opens the API, and
// without what strip takes out.
func withoutSecrets(req *http.Request, text string, strip func(string) string) string {
	for _, name := range secretHeaders {
		for _, v := range req.Header.Values(name) {
			v = strings.TrimSpace(strings.TrimPrefix(v, "Bearer "))
			if v != "" {
				text = strings.ReplaceAll(text, v, "[key]")
			}
		}
	}
	if strip != nil {
		text = strip(text)
	}
	return text
}

type replayer struct {
	dir   string
	strip func(string) string
	mu    sync.Mutex
	times map[string]int
}

// RoundTrip implements [http.RoundTripper].
func (r *replayer) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := bodyOf(req)
	if err != nil {
		return nil, err
	}
	key := keyOf(req.Method, req.URL.Path, []byte(withoutSecrets(req, string(body), r.strip)))
	r.mu.Lock()
	n := r.times[key]
	r.times[key]++
	r.mu.Unlock()
	source, err := os.ReadFile(nameOf(r.dir, key, n))
	for ; errors.Is(err, fs.ErrNotExist) && n > 0; n-- { // sent more often than it was recorded
		source, err = os.ReadFile(nameOf(r.dir, key, n-1))
	}
	if err != nil {
		return nil, fmt.Errorf("%w in %s: POST %s with this body (%s)", ErrNotRecorded, r.dir, req.URL.Path, key)
	}
	var x exchange
	if err := json.Unmarshal(source, &x); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrNotRecorded, nameOf(r.dir, key, n), err)
	}
	got := x.Response.Base64
	if got == nil {
		got = []byte(x.Response.Body)
	}
	return &http.Response{
		Status: http.StatusText(x.Response.Status), StatusCode: x.Response.Status, Header: x.Response.Header, Request: req,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(got)), Body: io.NopCloser(bytes.NewReader(got)),
	}, nil
}
