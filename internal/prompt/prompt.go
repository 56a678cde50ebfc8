package prompt

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/ground"
)

// Version names the asset that requests are made with. It is part of what a
// kept reply is found by: a new asset asks anew.
const Version = "extract.v1"

//go:embed assets/extract.v1.md
var asset string

// ErrShot is wrapped by errors about a domain's examples for a model.
var ErrShot = errors.New("bad example for a model")

// Prompt is what a model is told about a domain. It never changes and may be
// shared.
type Prompt struct {
	domain *domain.Domain
	// System is the stable part of every request.
	System string
	// Schema is the JSON Schema of the reply.
	Schema json.RawMessage
}

// New makes a domain's prompt. Its examples are checked against its schema
// and by the aligner, so that no call teaches a model what would be dropped:
// errors wrap [ErrShot].
func New(d *domain.Domain) (*Prompt, error) {
	t, err := template.New(Version).Parse(asset)
	if err != nil {
		return nil, fmt.Errorf("prompt of domain %s: %w", d.ID, err)
	}
	v := view{ID: d.ID, Name: d.Name, Description: strings.TrimSuffix(d.Description, "."), Rules: strings.TrimSpace(d.Prompt)}
	for i := range d.Types {
		v.Types = append(v.Types, describe(&d.Types[i]))
	}
	for i := range d.Shots {
		shot, err := example(d, &d.Shots[i])
		if err != nil {
			return nil, fmt.Errorf("prompt of domain %s: example %d: %w", d.ID, i+1, err)
		}
		v.Shots = append(v.Shots, shot)
	}
	var out strings.Builder
	if err := t.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("prompt of domain %s: %w", d.ID, err)
	}
	return &Prompt{domain: d, System: out.String(), Schema: Schema(d)}, nil
}

// view is what the asset is filled with.
type view struct {
	ID, Name, Description, Rules string
	Types                        []typeView
	Shots                        []shotView
}

type typeView struct {
	Name   string
	Fields []string
}

type shotView struct{ Line, Reply string }

// describe lists a type's fields with what each holds: "isInitial (bool)".
func describe(t *domain.Type) typeView {
	v := typeView{Name: t.Name}
	for i := range t.Fields {
		f := &t.Fields[i]
		what := string(f.Kind)
		switch {
		case len(f.Enum) > 0:
			what = strings.Join(f.Enum, "|")
		case f.Ref != "":
			what = "name of a " + f.Ref
		}
		if len(f.Free) > 0 {
			what += " or " + strings.Join(f.Free, ", ")
		}
		v.Fields = append(v.Fields, fmt.Sprintf("%s (%s)", f.Name, what))
	}
	return v
}

// example is a domain's example as a chunk and the reply to it.
func example(d *domain.Domain, s *domain.Shot) (shotView, error) {
	source := ground.New(ground.Part{Text: s.Text})
	items := []item{}
	for _, x := range s.Items {
		t := d.TypeNamed(x.Type)
		if t == nil {
			return shotView{}, fmt.Errorf("%w: no type is named %q", ErrShot, x.Type)
		}
		if _, bad := d.Fit(t, x.Data); len(bad) > 0 {
			return shotView{}, fmt.Errorf("%w: %s.%s: %s", ErrShot, x.Type, bad[0].Field, bad[0].Problem)
		}
		if m := source.Find(ground.Quote{Text: x.Quote}); m.Kind != ground.Verbatim {
			return shotView{}, fmt.Errorf("%w: the quote %q does not stand in %q", ErrShot, x.Quote, s.Text)
		}
		items = append(items, item{Type: x.Type, Data: x.Data, Quote: x.Quote, Turn: 1, Confidence: exampleConfidence})
	}
	reply, err := plainJSON(struct {
		Items []item `json:"items"`
	}{items})
	if err != nil {
		return shotView{}, fmt.Errorf("%w: %w", ErrShot, err)
	}
	line, err := fenced(Line{Text: s.Text}.wire(1))
	return shotView{Line: line, Reply: reply}, err
}

// exampleConfidence is how sure the replies of examples are.
const exampleConfidence = 0.9

// item is one item of a reply, as the examples show it.
type item struct {
	Type       string         `json:"type"`
	Data       map[string]any `json:"data"`
	Quote      string         `json:"quote"`
	Turn       int            `json:"turn"`
	Confidence float64        `json:"confidence"`
}
