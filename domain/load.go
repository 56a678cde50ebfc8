package domain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/speckl/speckl/sir"
)

// ErrFile is wrapped by errors about a domain file.
var ErrFile = errors.New("bad domain file")

// file is the YAML shape of a domain.
type file struct {
	ID          string                `yaml:"id"`
	Name        string                `yaml:"name"`
	Description string                `yaml:"description"`
	Types       []fileType            `yaml:"types"`
	Markers     []fileMarker          `yaml:"markers"`
	Keywords    []string              `yaml:"keywords"`
	Fragments   map[string]string     `yaml:"fragments"`
	Rules       []fileRule            `yaml:"patterns" json:"patterns"`
	Adjuncts    []fileRule            `yaml:"adjuncts"`
	Lexicon     fileLexicon           `yaml:"lexicon"`
	Triggers    map[string]fileScore  `yaml:"triggers"`
	Modifiers   map[string]float64    `yaml:"modifiers"`
	Thresholds  map[string]float64    `yaml:"thresholds"`
	Bands       map[string][2]float64 `yaml:"bands"`
	ReviewAll   bool                  `yaml:"reviewAll"`
	ByNameOnly  bool                  `yaml:"byNameOnly"`
	Refuse      []string              `yaml:"refuse"`
	Prompt      string                `yaml:"prompt"`
	Shots       []fileShot            `yaml:"shots"`
}

type fileType struct {
	Name         string      `yaml:"name"`
	Plural       string      `yaml:"plural"`
	Fields       []fileField `yaml:"fields"`
	Key          []string    `yaml:"key"`
	Slot         []string    `yaml:"slot"`
	SlotOptional []string    `yaml:"slotOptional"`
	UnifyOn      [][]string  `yaml:"unifyOn"`
	Need         []string    `yaml:"need"`
	Negatable    bool        `yaml:"negatable"`
	Bearing      []string    `yaml:"bearing"`
	Label        string      `yaml:"label"`
}

type fileField struct {
	Name     string              `yaml:"name"`
	Kind     Kind                `yaml:"kind"`
	Enum     []string            `yaml:"enum"`
	Default  any                 `yaml:"default"`
	Ref      string              `yaml:"ref"`
	Context  []string            `yaml:"context"`
	Free     []string            `yaml:"free"`
	FreeCues map[string][]string `yaml:"freeCues"`
	Loose    bool                `yaml:"loose"`
	Stale    string              `yaml:"stale"`
}

type fileMarker struct {
	Prefix string `yaml:"prefix"`
	Type   string `yaml:"type"`
}

type fileScore struct {
	Base float64 `yaml:"base"`
	Cap  float64 `yaml:"cap"`
}

type fileLexicon struct {
	Verbs          []string            `yaml:"verbs"`
	CueNouns       []string            `yaml:"cueNouns"`
	HiddenCueNouns []string            `yaml:"hiddenCueNouns"`
	PointNouns     []string            `yaml:"pointNouns"`
	PointVerbs     []string            `yaml:"pointVerbs"`
	PhaseVerbs     map[string]string   `yaml:"phaseVerbs"`
	Corrections    map[string][]string `yaml:"corrections"`
	NotNames       []string            `yaml:"notNames"`
	Qualifiers     []string            `yaml:"qualifiers"`
	Plurals        bool                `yaml:"plurals"`
	Conditions     []string            `yaml:"conditions"`
}

type fileRule struct {
	ID        string        `yaml:"id"`
	Phrase    string        `yaml:"phrase"`
	Phrases   []string      `yaml:"phrases"`
	Regex     string        `yaml:"regex"`
	Gives     any           `yaml:"gives"`
	Base      float64       `yaml:"base"`
	Accept    []string      `yaml:"accept"`
	Refuse    []string      `yaml:"refuse"`
	Require   []string      `yaml:"require"`
	Marked    []string      `yaml:"marked"`
	Bare      []string      `yaml:"bare"`
	Doubtful  []string      `yaml:"doubtful"`
	Condition []string      `yaml:"condition"`
	Focus     string        `yaml:"focus"`
	Weak      bool          `yaml:"weak"`
	Contrary  bool          `yaml:"contrary"`
	Start     bool          `yaml:"start"`
	After     bool          `yaml:"after"`
	Mention   bool          `yaml:"mention"`
	Chain     bool          `yaml:"chain"`
	Edge      bool          `yaml:"edge"`
	Source    string        `yaml:"source"`
	Examples  []fileExample `yaml:"examples"`
	Counter   []string      `yaml:"counter"`
}

type fileExample struct {
	Text  string       `yaml:"text"`
	Gives []fileExpect `yaml:"gives"`
}

type fileExpect struct {
	Type string         `yaml:"type"`
	Data map[string]any `yaml:"data"`
}

type fileShot struct {
	Text  string `yaml:"text"`
	Items []struct {
		Type  string         `yaml:"type"`
		Data  map[string]any `yaml:"data"`
		Quote string         `yaml:"quote"`
	} `yaml:"items"`
}

// Load reads a domain from YAML. Unknown keys are errors that show line and
// column; name is used in them. Errors wrap [ErrFile].
func Load(name string, source []byte) (*Domain, error) {
	var f file
	if err := yaml.UnmarshalWithOptions(source, &f, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%w: read %s: %s", ErrFile, name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	return f.load(name)
}

// Compile turns a domain's YAML into JSON that [LoadCompiled] reads: in a
// fifth of the time, which is what a command's start-up has. It returns an
// error that wraps [ErrFile] for YAML that is none.
func Compile(name string, source []byte) ([]byte, error) {
	compiled, err := yaml.YAMLToJSON(source)
	if err != nil {
		return nil, fmt.Errorf("%w: compile %s: %w", ErrFile, name, err)
	}
	return compiled, nil
}

// LoadCompiled reads what [Compile] wrote; the built-in domains are embedded
// in this form. Errors wrap [ErrFile].
func LoadCompiled(name string, compiled []byte) (*Domain, error) {
	var f file
	d := json.NewDecoder(bytes.NewReader(compiled))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("%w: read %s: %w", ErrFile, name, err)
	}
	return f.load(name)
}

// load turns the shape of a file into a checked domain.
func (f *file) load(name string) (*Domain, error) {
	d, err := f.domain()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, name, err)
	}
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, name, err)
	}
	return d, nil
}

// domain turns the YAML shape into a domain with the defaults filled in.
func (f *file) domain() (*Domain, error) {
	d := &Domain{
		ID: f.ID, Name: f.Name, Description: f.Description, Keywords: f.Keywords,
		ReviewAll: f.ReviewAll, ByNameOnly: f.ByNameOnly, Prompt: f.Prompt,
		Triggers: defaultTriggers(), Modifiers: defaultModifiers(), Thresholds: defaultThresholds(),
		Bands:   map[string][2]sir.Confidence{},
		Lexicon: Lexicon(f.Lexicon),
	}
	var err error
	if d.Refuse, err = scopes(f.Refuse, sir.Question|sir.Hypothetical|sir.Negated|sir.Retracted|sir.QuotedOther); err != nil {
		return nil, err
	}
	for _, t := range f.Types {
		typ := Type{Name: t.Name, Plural: t.Plural, Key: t.Key, Slot: t.Slot, SlotOptional: t.SlotOptional, UnifyOn: t.UnifyOn, Need: t.Need, Negatable: t.Negatable, Bearing: t.Bearing, Label: t.Label}
		for _, x := range t.Fields {
			field := Field(x)
			if field.Kind == "" {
				field.Kind = Text
			}
			typ.Fields = append(typ.Fields, field)
		}
		d.Types = append(d.Types, typ)
	}
	for _, m := range f.Markers {
		d.Markers = append(d.Markers, Marker{Prefix: strings.ToLower(m.Prefix), Type: m.Type})
	}
	if d.Rules, err = f.rules(f.Rules); err != nil {
		return nil, err
	}
	if d.Adjuncts, err = f.rules(f.Adjuncts); err != nil {
		return nil, err
	}
	for name, s := range f.Triggers {
		t := Trigger{Base: confidence(s.Base), Cap: confidence(s.Cap)}
		if t.Cap == 0 {
			t.Cap = t.Base
		}
		d.Triggers[name] = t
	}
	for name, pair := range f.Bands {
		d.Bands[name] = [2]sir.Confidence{confidence(pair[0]), confidence(pair[1])}
	}
	if err := d.Modifiers.set(f.Modifiers); err != nil {
		return nil, err
	}
	if err := d.Thresholds.set(f.Thresholds); err != nil {
		return nil, err
	}
	for _, s := range f.Shots {
		shot := Shot{Text: s.Text}
		for _, item := range s.Items {
			shot.Items = append(shot.Items, ShotItem{Type: item.Type, Data: item.Data, Quote: item.Quote})
		}
		d.Shots = append(d.Shots, shot)
	}
	return d, nil
}

// rules turns rules with their fragments spliced in.
func (f *file) rules(in []fileRule) ([]Rule, error) {
	var out []Rule
	for _, r := range in {
		rule := Rule{ID: r.ID, Regex: r.Regex, Base: confidence(r.Base), Marked: r.Marked, Bare: r.Bare, Doubtful: r.Doubtful, Condition: r.Condition, Focus: r.Focus, Weak: r.Weak, Contrary: r.Contrary, Start: r.Start, After: r.After, Mention: r.Mention, Chain: r.Chain, Edge: r.Edge, Source: r.Source, Counter: r.Counter}
		phrases := r.Phrases
		if r.Phrase != "" {
			phrases = append([]string{r.Phrase}, phrases...)
		}
		for _, p := range phrases {
			spliced, err := splice(p, f.Fragments, 0)
			if err != nil {
				return nil, fmt.Errorf("rule %q: %w", r.ID, err)
			}
			rule.Phrases = append(rule.Phrases, spliced)
		}
		var err error
		if rule.Accept, err = scopes(r.Accept, 0); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.ID, err)
		}
		if rule.Refuse, err = scopes(r.Refuse, 0); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.ID, err)
		}
		if rule.Require, err = scopes(r.Require, 0); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.ID, err)
		}
		if rule.Gives, err = gives(r.Gives); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.ID, err)
		}
		for _, x := range r.Examples {
			example := Example{Text: x.Text}
			for _, g := range x.Gives {
				example.Gives = append(example.Gives, Expect(g))
			}
			rule.Examples = append(rule.Examples, example)
		}
		out = append(out, rule)
	}
	return out, nil
}

// gives reads one or several of "type { field, field: slot, field = "text" }".
// A field alone takes the slot of its own name.
func gives(v any) ([]Give, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		g, err := give(v)
		return []Give{g}, err
	case []any:
		var out []Give
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("gives %v: want text such as \"state { name }\"", item)
			}
			g, err := give(text)
			if err != nil {
				return nil, err
			}
			out = append(out, g)
		}
		return out, nil
	}
	return nil, fmt.Errorf("gives %v: want text such as \"state { name }\"", v)
}

func give(text string) (Give, error) {
	typ, rest, ok := strings.Cut(text, "{")
	g := Give{Type: strings.TrimSpace(typ), Fields: map[string]string{}}
	if !ok {
		return g, nil
	}
	body, after, ok := strings.Cut(rest, "}")
	if !ok || strings.TrimSpace(after) != "" {
		return g, fmt.Errorf("gives %q: the { of %s has no } at the end", text, g.Type)
	}
	for _, part := range strings.Split(body, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		i := strings.IndexAny(part, ":=")
		if i < 0 {
			g.Fields[part] = part
			continue
		}
		g.Fields[strings.TrimSpace(part[:i])] = strings.TrimSpace(part[i+1:])
	}
	return g, nil
}

// splice puts the named fragments "<name>" into a phrase.
func splice(phrase string, fragments map[string]string, depth int) (string, error) {
	if depth > 8 {
		return "", errors.New("fragments are nested too deep: does one name itself?")
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(phrase, "<")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, ">")
		if !ok {
			return "", fmt.Errorf("phrase %q: a fragment's < has no >", phrase)
		}
		body, known := fragments[name]
		if !known {
			return "", fmt.Errorf("phrase %q: no fragment is named %q", phrase, name)
		}
		inner, err := splice(body, fragments, depth+1)
		if err != nil {
			return "", err
		}
		b.WriteString(inner)
		phrase = after
	}
}

func scopes(names []string, otherwise sir.Scope) (sir.Scope, error) {
	if names == nil {
		return otherwise, nil
	}
	var out sir.Scope
	for _, n := range names {
		s, ok := sir.ParseScope(n)
		if !ok {
			return 0, fmt.Errorf("unknown scope %q: want question, hypothetical, proposal, reported, negated, hedged, past, retracted, quoted or conditional", n)
		}
		out |= s
	}
	return out, nil
}
