// Package llmtest has a scripted server in the wire format of each provider,
// for tests: each request gets the next step of a script, the last one for
// ever.
package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Step is how one request is answered.
type Step func(s *Server, w http.ResponseWriter, r *http.Request)

// Request is one that the server got.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         string
}

// Server answers as a provider does.
type Server struct {
	// URL is what a client takes as base URL.
	URL string
	// Wire is "openai", "anthropic" or "gemini".
	Wire string

	mu     sync.Mutex
	got    []Request
	script []Step
	done   chan struct{}
}

// New starts a server that answers in a wire's format, and ends it with the
// test. wire is "openai", "anthropic" or "gemini".
func New(t testing.TB, wire string, script ...Step) *Server {
	s, stop := Start(wire, script...)
	t.Cleanup(stop)
	return s
}

// Start is New for a server that the caller ends.
func Start(wire string, script ...Step) (s *Server, stop func()) {
	s = &Server{Wire: wire, script: script, done: make(chan struct{})}
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = h.URL
	return s, sync.OnceFunc(func() {
		close(s.done)
		h.CloseClientConnections()
		h.Close()
	})
}

// Requests are those that the server got so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.got...)
}

// Then puts a new script in the place of what is left of the old one.
func (s *Server) Then(script ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	s.mu.Lock()
	s.got = append(s.got, Request{r.Method, r.URL.Path, r.Header.Clone(), string(body)})
	step := Say(`{"items":[]}`)
	if len(s.script) > 0 {
		step = s.script[0]
	}
	if len(s.script) > 1 {
		s.script = s.script[1:]
	}
	s.mu.Unlock()
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	step(s, w, r)
}

// Say answers with a text.
func Say(text string) Step {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) { s.send(w, s.answer(text, "stop")) }
}

// SayBy answers with what a function makes of the request's body.
func SayBy(fn func(body string) string) Step {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.send(w, s.answer(fn(string(body)), "stop"))
	}
}

// Cut answers with a text that ended at the bound of tokens.
func Cut(text string) Step {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) { s.send(w, s.answer(text, "length")) }
}

// Refuse answers that the model would not.
func Refuse() Step {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) { s.send(w, s.answer("", "refused")) }
}

// Status answers with a status, headers ("Retry-After", "2") and the error
// that the wire has for it.
func Status(code int, message string, headers ...string) Step {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(s.problem(code, message))
	}
}

// Raw answers with bytes as they are.
func Raw(contentType, body string) Step {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// Hang answers nothing until the client or the test ends.
func Hang() Step {
	return func(s *Server, _ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-s.done:
		}
	}
}

// Drip answers a byte at a time, for ever.
func Drip(every time.Duration) Step {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			case <-s.done:
				return
			}
		}
	}
}

// Reset breaks the connection without an answer.
func Reset() Step {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
}

// Break sends half of an answer and breaks the connection.
func Break(text string) Step {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) {
		b, err := json.Marshal(s.answer(text, "stop"))
		if err != nil {
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		_, _ = w.Write(b[:len(b)/2])
	}
}

func (s *Server) send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

type object = map[string]any

// answer is a text in the wire's format. finish is "stop", "length" or
// "refused". 100 tokens went in, of which 40 were kept from before, and 50
// came out.
func (s *Server) answer(text, finish string) any {
	switch s.Wire {
	case "anthropic":
		stop := map[string]string{"stop": "end_turn", "length": "max_tokens", "refused": "refusal"}[finish]
		content := []any{}
		if text != "" {
			content = append(content, object{"type": "text", "text": text})
		}
		return object{
			"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted-1", "content": content, "stop_reason": stop, "stop_sequence": nil,
			"usage": object{"input_tokens": 60, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 40, "output_tokens": 50},
		}
	case "gemini":
		if finish == "refused" {
			return object{"promptFeedback": object{"blockReason": "SAFETY"}, "modelVersion": "scripted-1", "usageMetadata": object{"promptTokenCount": 100, "totalTokenCount": 100}}
		}
		reason := map[string]string{"stop": "STOP", "length": "MAX_TOKENS"}[finish]
		return object{
			"candidates":   []any{object{"content": object{"role": "model", "parts": []any{object{"text": text}}}, "finishReason": reason, "index": 0}},
			"modelVersion": "scripted-1", "responseId": "r1",
			"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 50, "totalTokenCount": 150, "cachedContentTokenCount": 40},
		}
	}
	message := object{"role": "assistant", "content": text, "refusal": nil}
	reason := finish
	if finish == "refused" {
		message, reason = object{"role": "assistant", "content": nil, "refusal": "I cannot help with that."}, "stop"
	}
	return object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1773187200, "model": "scripted-1",
		"choices": []any{object{"index": 0, "message": message, "logprobs": nil, "finish_reason": reason}},
		"usage":   object{"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150, "prompt_tokens_details": object{"cached_tokens": 40}},
	}
}

// problem is an error in the wire's format.
func (s *Server) problem(code int, message string) any {
	switch s.Wire {
	case "anthropic":
		return object{"type": "error", "error": object{"type": "invalid_request_error", "message": message}, "request_id": "req_1"}
	case "gemini":
		return object{"error": object{"code": code, "message": message, "status": "INVALID_ARGUMENT"}}
	}
	return object{"error": object{"message": message, "type": "invalid_request_error", "param": nil, "code": nil}}
}
