package prompt

import (
	"fmt"
	"strings"

	"github.com/speckl/speckl/ground"
	"github.com/speckl/speckl/internal/redact"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// Options say how a request is made. The zero value hides what is private.
type Options struct {
	// AsIs sends e-mail addresses, phone numbers, credentials and keys as
	// they are.
	AsIs bool
	// Persona is how the model is told to think; empty for nothing.
	Persona string
	// MaxReply bounds the reply, in tokens; 0 is the provider's own bound.
	MaxReply int
}

// Ask is one request with what is needed to read its reply.
type Ask struct {
	Request llm.Request
	// Chunk is what it shows.
	Chunk Chunk

	prompt *Prompt
	vault  *redact.Vault // nil: as is
	known  map[string]*sir.Element
	source *ground.Source // made when the reply is read
	turns  []Line         // see parts
}

// Ask makes the request for a chunk.
func (p *Prompt) Ask(c Chunk, o Options) (*Ask, error) {
	a := &Ask{Chunk: c, prompt: p, known: map[string]*sir.Element{}}
	if !o.AsIs {
		a.vault = redact.New(texts(&c)...)
	}
	var b strings.Builder
	if err := a.writeKnown(&b); err != nil {
		return nil, fmt.Errorf("make prompt: %w", err)
	}
	b.WriteString("<conversation>\n")
	for i, l := range c.Lines {
		w := l.wire(i + 1)
		w.Text, w.Speaker = a.hide(w.Text), a.hide(w.Speaker)
		line, err := fenced(w)
		if err != nil {
			return nil, fmt.Errorf("make prompt: turn %s: %w", l.Turn.ID, err)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("</conversation>\n")
	a.Request = llm.Request{System: withPersona(p.System, o.Persona), Prompt: b.String(), Schema: p.Schema, SchemaName: p.domain.ID + "-reply", MaxTokens: o.MaxReply}
	return a, nil
}

// withPersona adds how the model is told to think.
func withPersona(system, persona string) string {
	if persona == "" {
		return system
	}
	return system + "\n# Your part\n" + persona + "\n"
}

// Turns are the ids of the turns that the request is about, context apart.
func (a *Ask) Turns() []string {
	var out []string
	for _, l := range a.Chunk.Lines {
		if n := len(out); !l.Context && (n == 0 || out[n-1] != l.Turn.ID) {
			out = append(out, l.Turn.ID)
		}
	}
	return out
}

// Tokens estimates what the request sends, without the schema.
func (a *Ask) Tokens() int { return Tokens(a.Request.System) + Tokens(a.Request.Prompt) }

// texts are all the texts of a chunk that may be sent.
func texts(c *Chunk) []string {
	var out []string
	for _, l := range c.Lines {
		out = append(out, l.Text, l.Turn.Name())
	}
	for _, e := range c.Known {
		for _, v := range e.Data {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// knownLine is a known element as a model sees it.
type knownLine struct {
	ID   string         `json:"id"`
	Type string         `json:"type"`
	Data map[string]any `json:"data"`
}

// writeKnown shows the known elements, with what is known of each.
func (a *Ask) writeKnown(b *strings.Builder) error {
	if len(a.Chunk.Known) == 0 {
		return nil
	}
	b.WriteString("<known>\n")
	for _, e := range a.Chunk.Known {
		line, err := a.knownLine(e)
		if err != nil {
			return fmt.Errorf("element %s: %w", e.ID, err)
		}
		a.known[e.ID] = e
		b.WriteString(line + "\n")
	}
	b.WriteString("</known>\n")
	return nil
}

func (a *Ask) knownLine(e *sir.Element) (string, error) {
	return fenced(knownLine{ID: e.ID, Type: e.ElementType, Data: hidden(known(a.prompt.domain, e.ElementType, e.Data), a.hide)})
}

// hide puts placeholders for what is private.
func (a *Ask) hide(text string) string {
	if a.vault == nil {
		return text
	}
	return a.vault.Hide(text)
}

// reveal turns placeholders back.
func (a *Ask) reveal(text string) string {
	if a.vault == nil {
		return text
	}
	return a.vault.Reveal(text)
}

// hidden is a copy of data with its texts changed by fn.
func hidden(data map[string]any, fn func(string) string) map[string]any {
	out := make(map[string]any, len(data))
	for k, v := range data {
		out[k] = mapped(v, fn)
	}
	return out
}

// mapped is a JSON value with all texts in it changed by fn.
func mapped(v any, fn func(string) string) any {
	switch x := v.(type) {
	case string:
		return fn(x)
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = mapped(x[i], fn)
		}
		return list
	case map[string]any:
		return hidden(x, fn)
	}
	return v
}
