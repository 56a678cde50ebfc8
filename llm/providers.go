package llm

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Info is a provider as the package knows it.
type Info struct {
	// Name is what it is called by: "openai".
	Name string
	// Model is the default one; empty where one must be named.
	Model string
	// BaseURL is where its API is.
	BaseURL string
	// KeyVars and URLVars are environment variables that hold its key and its
	// base URL, the first that is set counts. No KeyVars: it needs no key.
	KeyVars, URLVars []string

	wire wire
	path string // of its API below the host: what a bare host gets
	end  string // of the request below the base URL; {model} stands for the model
}

// Providers lists what the package knows.
func Providers() []Info {
	chat := func(name, model, base string, keys ...string) Info {
		upper := strings.ToUpper(name)
		u, _ := url.Parse(base) // they are ours
		return Info{Name: name, Model: model, BaseURL: base, KeyVars: keys, URLVars: []string{upper + "_BASE_URL"}, wire: openAI{}, path: u.Path, end: "/chat/completions"}
	}
	openai := chat("openai", "gpt-5-mini", "https://api.openai.com/v1", "OPENAI_API_KEY")
	openai.wire = openAI{newer: true}
	openai.URLVars = append(openai.URLVars, "OPENAI_API_BASE")
	ollama := chat("ollama", "qwen3", "http://127.0.0.1:11434/v1")
	ollama.URLVars = append(ollama.URLVars, "OLLAMA_HOST")
	return []Info{
		openai,
		{
			Name: "anthropic", Model: "claude-haiku-4-5", BaseURL: "https://api.anthropic.com/v1", KeyVars: []string{"ANTHROPIC_API_KEY"}, URLVars: []string{"ANTHROPIC_BASE_URL"},
			wire: anthropic{}, path: "/v1", end: "/messages",
		},
		{
			Name: "gemini", Model: "gemini-2.5-flash", BaseURL: "https://generativelanguage.googleapis.com/v1beta",
			KeyVars: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, URLVars: []string{"GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"},
			wire: gemini{}, path: "/v1beta", end: "/models/{model}:generateContent",
		},
		chat("openrouter", "openai/gpt-5-mini", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
		chat("deepseek", "deepseek-chat", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
		ollama,
		chat("vllm", "", "http://127.0.0.1:8000/v1"),
		chat("llamacpp", "default", "http://127.0.0.1:8080/v1"),
		chat("lmstudio", "", "http://127.0.0.1:1234/v1"),
	}
}

// named finds a provider by name, and the model of "PROVIDER/MODEL".
// It returns an error that wraps [ErrUnknownProvider] or [ErrNoModel].
func named(model string) (Info, string, error) {
	name, rest, _ := strings.Cut(model, "/")
	all := Providers()
	i := slices.IndexFunc(all, func(p Info) bool { return p.Name == strings.ToLower(name) })
	if i < 0 {
		var names []string
		for _, p := range all {
			names = append(names, p.Name)
		}
		return Info{}, "", fmt.Errorf("%w %q: want PROVIDER/MODEL with one of %s (openai with a base URL speaks to any server of that protocol)", ErrUnknownProvider, name, strings.Join(names, ", "))
	}
	if rest == "" {
		rest = all[i].Model
	}
	if rest == "" {
		return Info{}, "", fmt.Errorf("%w: %s serves what it was started with: name it as %s/MODEL", ErrNoModel, name, name)
	}
	return all[i], rest, nil
}

// endpoint is where requests go. A base URL is taken as users write them:
// without a scheme, as a bare host, with the version of the API, or with the
// whole path of the endpoint.
// It returns an error that wraps [ErrBaseURL], and does not quote what may
// hold a password.
func (p *Info) endpoint(base, model string) (string, error) {
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%w of %s: want http://HOST or https://HOST, perhaps with a path", ErrBaseURL, p.Name)
	}
	end := strings.ReplaceAll(p.end, "{model}", model)
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(path, end):
		end = ""
	case path == "":
		path = p.path
	}
	u.RawPath, u.Path = "", path+end
	return u.String(), nil
}
