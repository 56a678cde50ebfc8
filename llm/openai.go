package llm

import (
	"encoding/json"
	"net/http"
	"strings"
)

// openAI is the wire of POST /chat/completions: OpenAI's own, and that of
// most others. newer: the bound of tokens has its newer name.
type openAI struct{ newer bool }

type openAIMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (w openAI) body(model string, r *Request, without features) any {
	b := map[string]any{"model": model, "messages": []openAIMessage{{"system", r.System}, {"user", r.Prompt}}}
	if !without[temperature] {
		b["temperature"] = 0
	}
	switch {
	case r.MaxTokens == 0:
	case w.newer != without[tokenBound]: // the other name, where this one was refused
		b["max_completion_tokens"] = r.MaxTokens
	default:
		b["max_tokens"] = r.MaxTokens
	}
	if r.Schema != nil && !without[schema] {
		// not strict: that wants every field required, and our fields are
		// optional
		b["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": r.SchemaName, "schema": r.Schema}}
	}
	return b
}

func (openAI) authorize(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

// openAIContent is a text, or a list of parts.
type openAIContent string

func (c *openAIContent) UnmarshalJSON(b []byte) error {
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(b, &parts) == nil {
		for _, p := range parts {
			*c += openAIContent(p.Text)
		}
		return nil
	}
	var text *string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	if text != nil {
		*c = openAIContent(*text)
	}
	return nil
}

func (openAI) reply(body []byte) (envelope, error) {
	var x struct {
		Model   string `json:"model"`
		Choices []struct {
			Message struct {
				Content openAIContent `json:"content"`
				Refusal string        `json:"refusal"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage *struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Details    struct {
				Cached int `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &x); err != nil {
		return envelope{}, err
	}
	out := envelope{model: x.Model, failed: len(x.Error) > 0 && string(x.Error) != "null"}
	if x.Usage != nil {
		out.usage = &Usage{Input: x.Usage.Prompt, Output: x.Usage.Completion, Cached: x.Usage.Details.Cached}
	}
	if len(x.Choices) == 0 {
		return out, nil
	}
	c := x.Choices[0]
	out.answered, out.text, out.finish = true, string(c.Message.Content), FinishStop
	switch {
	case c.Message.Refusal != "":
		out.finish = FinishRefused
	case c.FinishReason == "length":
		out.finish = FinishLength
	case c.FinishReason == "content_filter":
		out.finish = FinishRefused
	}
	return out, nil
}

func (openAI) problem(body []byte) string { return problemOf(body) }

// problemOf is the message of an error as most providers give it:
// {"error":{"message":"…"}}, {"error":"…"}, {"message":"…"}, a list of these,
// or plain text.
func problemOf(body []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		return problemOf(list[0])
	}
	var x struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &x) != nil {
		if text := strings.TrimSpace(string(body)); !strings.HasPrefix(text, "<") {
			return text
		}
		return ""
	}
	for _, raw := range []json.RawMessage{x.Error, x.Detail} {
		var text string
		var inner struct {
			Message string `json:"message"`
		}
		switch {
		case json.Unmarshal(raw, &text) == nil && text != "":
			return text
		case json.Unmarshal(raw, &inner) == nil && inner.Message != "":
			return inner.Message
		}
	}
	return x.Message
}
