package llm

import (
	"encoding/json"
	"net/http"
)

// gemini is the wire of POST /v1beta/models/MODEL:generateContent.
type gemini struct{}

type geminiPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

func (gemini) body(_ string, r *Request, without features) any {
	config := map[string]any{}
	if !without[temperature] {
		config["temperature"] = 0
	}
	if r.MaxTokens > 0 {
		config["maxOutputTokens"] = r.MaxTokens
	}
	if r.Schema != nil {
		config["responseMimeType"] = "application/json"
		if !without[schema] {
			config["responseJsonSchema"] = r.Schema
		}
	}
	return map[string]any{
		"systemInstruction": geminiContent{Parts: []geminiPart{{Text: r.System}}},
		"contents":          []geminiContent{{Role: "user", Parts: []geminiPart{{Text: r.Prompt}}}},
		"generationConfig":  config,
	}
}

func (gemini) authorize(h http.Header, key string) {
	if key != "" {
		h.Set("x-goog-api-key", key)
	}
}

func (gemini) reply(body []byte) (envelope, error) {
	var x struct {
		ModelVersion string `json:"modelVersion"`
		Candidates   []struct {
			Content      geminiContent `json:"content"`
			FinishReason string        `json:"finishReason"`
		} `json:"candidates"`
		PromptFeedback struct {
			BlockReason string `json:"blockReason"`
		} `json:"promptFeedback"`
		Usage *struct {
			Prompt    int `json:"promptTokenCount"`
			Candidate int `json:"candidatesTokenCount"`
			Thoughts  int `json:"thoughtsTokenCount"`
			Cached    int `json:"cachedContentTokenCount"`
		} `json:"usageMetadata"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &x); err != nil {
		return envelope{}, err
	}
	out := envelope{model: x.ModelVersion, failed: len(x.Error) > 0 && string(x.Error) != "null", finish: FinishStop}
	if u := x.Usage; u != nil {
		out.usage = &Usage{Input: u.Prompt, Output: u.Candidate + u.Thoughts, Cached: u.Cached}
	}
	if x.PromptFeedback.BlockReason != "" {
		out.answered, out.finish = true, FinishRefused
		return out, nil
	}
	if len(x.Candidates) == 0 {
		return out, nil
	}
	c := x.Candidates[0]
	out.answered = true
	for _, p := range c.Content.Parts {
		if !p.Thought {
			out.text += p.Text
		}
	}
	switch c.FinishReason {
	case "", "STOP", "FINISH_REASON_UNSPECIFIED":
	case "MAX_TOKENS":
		out.finish = FinishLength
	default: // SAFETY, RECITATION, BLOCKLIST, PROHIBITED_CONTENT, SPII, …
		out.finish = FinishRefused
	}
	return out, nil
}

func (gemini) problem(body []byte) string { return problemOf(body) }
