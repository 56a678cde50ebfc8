package llm

import (
	"encoding/json"
	"net/http"
)

// anthropic is the wire of POST /v1/messages.
type anthropic struct{}

// anthropicVersion is the version of the API that the wire speaks.
const anthropicVersion = "2023-06-01"

// anthropicMaxTokens bounds a reply where the request does not: the API wants
// a number.
const anthropicMaxTokens = 8192

func (anthropic) body(model string, r *Request, without features) any {
	b := map[string]any{
		"model": model, "max_tokens": anthropicMaxTokens,
		// the stable part is marked, so that it is kept between requests
		"system":   []any{map[string]any{"type": "text", "text": r.System, "cache_control": map[string]string{"type": "ephemeral"}}},
		"messages": []openAIMessage{{"user", r.Prompt}},
	}
	if r.MaxTokens > 0 {
		b["max_tokens"] = r.MaxTokens
	}
	if !without[temperature] {
		b["temperature"] = 0
	}
	if r.Schema != nil && !without[schema] {
		b["output_config"] = map[string]any{"format": map[string]any{"type": "json_schema", "schema": r.Schema}}
	}
	return b
}

func (anthropic) authorize(h http.Header, key string) {
	h.Set("anthropic-version", anthropicVersion)
	if key != "" {
		h.Set("x-api-key", key)
	}
}

func (anthropic) reply(body []byte) (envelope, error) {
	var x struct {
		Type    string `json:"type"`
		Model   string `json:"model"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string `json:"stop_reason"`
		Usage      *struct {
			Input   int `json:"input_tokens"`
			Output  int `json:"output_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Created int `json:"cache_creation_input_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &x); err != nil {
		return envelope{}, err
	}
	out := envelope{model: x.Model, failed: x.Type == "error", answered: x.Content != nil || x.StopReason != "", finish: FinishStop}
	if u := x.Usage; u != nil {
		out.usage = &Usage{Input: u.Input + u.Read + u.Created, Output: u.Output, Cached: u.Read}
	}
	for _, c := range x.Content {
		if c.Type == "text" {
			out.text += c.Text
		}
	}
	switch x.StopReason {
	case "max_tokens", "model_context_window_exceeded":
		out.finish = FinishLength
	case "refusal":
		out.finish = FinishRefused
	}
	return out, nil
}

func (anthropic) problem(body []byte) string { return problemOf(body) }
