package prompt

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/jsonread"
	"github.com/speckl/speckl/sir"
)

//go:embed assets/critique.v1.md
var critiqueAsset string

// Claim is a candidate under debate.
type Claim struct {
	Candidate domain.Candidate
	// Quote are its words.
	Quote string
}

// Critique is a request for an opinion on others' claims.
type Critique struct {
	*Ask
	Claims []Claim
}

// critiqueSchema is the JSON Schema of the reply to a [Critique].
var critiqueSchema = func() json.RawMessage {
	b, err := json.Marshal(closed([]string{"items"}, object{"items": listOf(closed([]string{"claim", "verdict", "reason"}, object{
		"claim": is("integer"), "reason": is("string"),
		"verdict": object{"type": "string", "enum": []sir.Verdict{sir.Support, sir.Doubt, sir.Oppose}},
	}))}))
	if err != nil {
		panic(err) // it is made of maps, lists and texts
	}
	return b
}()

// Critique makes the request about claims that others made on the lines of a
// chunk.
func (p *Prompt) Critique(c Chunk, claims []Claim, o Options) (*Critique, error) {
	c.Known = nil
	ask, err := p.Ask(c, o)
	if err != nil {
		return nil, err
	}
	t, err := template.New("critique").Parse(critiqueAsset)
	if err != nil {
		return nil, fmt.Errorf("make critique: %w", err)
	}
	d := p.domain
	var system strings.Builder
	if err := t.Execute(&system, view{ID: d.ID, Name: d.Name, Description: strings.TrimSuffix(d.Description, "."), Rules: strings.TrimSpace(d.Prompt)}); err != nil {
		return nil, fmt.Errorf("make critique: %w", err)
	}
	var b strings.Builder
	b.WriteString("<claims>\n")
	for i, claim := range claims {
		line, err := fenced(struct {
			Claim int            `json:"claim"`
			Type  string         `json:"type"`
			Data  map[string]any `json:"data"`
			Quote string         `json:"quote"`
		}{i + 1, claim.Candidate.Type, hidden(known(d, claim.Candidate.Type, claim.Candidate.Data), ask.hide), ask.hide(claim.Quote)})
		if err != nil {
			return nil, fmt.Errorf("make critique: claim %d: %w", i+1, err)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("</claims>\n")
	ask.Request.System = withPersona(system.String(), o.Persona)
	ask.Request.Prompt += b.String()
	ask.Request.Schema, ask.Request.SchemaName = critiqueSchema, "critique"
	return &Critique{Ask: ask, Claims: claims}, nil
}

// Opinion is what a reply says of one claim.
type Opinion struct {
	Claim   int // from 0
	Verdict sir.Verdict
	Reason  string
}

// Opinions takes a reply apart. What names no claim, or is no verdict, is
// counted as lost; unread: the reply held nothing that could be read.
func (c *Critique) Opinions(reply string) (out []Opinion, lost int, unread bool) {
	found := jsonread.Items(reply, "items", "critiques")
	lost = len(found.Losses)
	seen := map[int]bool{}
	for _, raw := range found.Items {
		var x struct {
			Claim   int
			Verdict sir.Verdict
			Reason  string
		}
		if json.Unmarshal(raw.JSON, &x) != nil || x.Claim < 1 || x.Claim > len(c.Claims) || !x.Verdict.Valid() || seen[x.Claim] {
			lost++
			continue
		}
		seen[x.Claim] = true
		out = append(out, Opinion{Claim: x.Claim - 1, Verdict: x.Verdict, Reason: clip(c.reveal(x.Reason))})
	}
	return out, lost, !found.Found
}
