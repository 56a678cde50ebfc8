package engine

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// The terms that an element is looked up by; each begins with its kind.
const (
	termKey   = "k:"
	termSlot  = "s:"
	termUnify = "u:"
	termName  = "n:"
	termBy    = "by:"
	termID    = "id:"
)

// terms are what an element with this data is found by, but for who said it.
func (d *Domain) terms(typ string, data sir.Data) []string {
	t := d.TypeNamed(typ)
	if t == nil {
		return nil
	}
	out := []string{termKey + d.Key(t, data)}
	if slot := d.Slot(t, data); slot != "" {
		out = append(out, termSlot+slot)
	}
	for _, u := range d.Unify(t, data) {
		out = append(out, termUnify+u)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Ref != "" && domain.Known(f, data[f.Name]) && !isFree(f, data[f.Name]) {
			out = append(out, termName+typ+"|"+f.Ref+"|"+d.Canonical(f, data[f.Name]))
		}
	}
	return out
}

func isFree(f *domain.Field, v any) bool {
	s, ok := v.(string)
	return ok && slices.Contains(f.Free, s)
}

// refKey is the key term of the element that a Ref field names.
func (d *Domain) refKey(f *domain.Field, v any) string {
	t := d.TypeNamed(f.Ref)
	data := t.Blank()
	data[t.Key[0]] = v
	return termKey + d.Key(t, data)
}

// Ask says what the proposal needs to see of the document.
func (d *Domain) Ask(p *Proposal) sir.Ask {
	var ask sir.Ask
	known := map[string]bool{}
	add := func(terms ...string) {
		for _, t := range terms {
			if !known[t] {
				known[t] = true
				ask.Terms = append(ask.Terms, t)
			}
		}
	}
	speaker := p.Turn.SpeakerKey()
	value := func(kind string) {
		k := sir.ValueKey{Speaker: speaker, Kind: kind}
		if !slices.Contains(ask.Values, k) {
			ask.Values = append(ask.Values, k)
		}
	}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		add(d.asks(c.Type, c.Data)...)
		for _, r := range c.Readings {
			add(d.asks(r.Type, r.Data)...)
		}
		if c.Correction {
			for _, f := range valueFields(d.TypeNamed(c.Type)) {
				value(c.Type + "." + f)
			}
		}
	}
	for _, f := range p.Fixes {
		value(f.Kind)
	}
	if p.Retracts {
		ask.LastTurnOf = append(ask.LastTurnOf, speaker)
		ask.Turn = p.Turn.ID
	}
	return ask
}

// asks are the terms of a statement, with the elements that its names name.
func (d *Domain) asks(typ string, data sir.Data) []string {
	t := d.TypeNamed(typ)
	var out []string
	for _, term := range d.terms(typ, data) {
		// a name's other uses are not asked for: they would grow with the
		// document
		if !strings.HasPrefix(term, termName) {
			out = append(out, term)
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Ref == "" || !domain.Known(f, data[f.Name]) || isFree(f, data[f.Name]) {
			continue
		}
		out = append(out, d.refKey(f, data[f.Name]))
		for _, other := range t.Bearing {
			out = append(out, termName+other+"|"+f.Ref+"|"+d.Canonical(f, data[f.Name]))
		}
	}
	return out
}

// mostWordsAsked bounds how many words of a text are looked up as names.
const mostWordsAsked = 2000

// AskNamed asks for the elements that a text may speak of: those whose name
// is one of its words, or of two or three together, and those that refer to
// such a name.
func (d *Domain) AskNamed(text string) sir.Ask {
	var ask sir.Ask
	known := map[string]bool{}
	words := domain.Words(text)
	words = words[:min(len(words), mostWordsAsked)]
	for i := range words {
		for n := 1; n <= 3 && i+n <= len(words); n++ {
			name := strings.Join(words[i:i+n], " ")
			if known[name] {
				continue
			}
			known[name] = true
			ask.Terms = append(ask.Terms, d.nameTerms(name)...)
		}
	}
	return ask
}

// nameTerms are the terms of what bears a name, or refers to one.
func (d *Domain) nameTerms(name string) []string {
	var out []string
	for i := range d.Types {
		t := &d.Types[i]
		if first := t.FieldNamed(t.Key[0]); first.Kind == domain.Name && first.Ref == "" && len(t.Key) == 1 {
			data := t.Blank()
			data[first.Name] = name
			out = append(out, termKey+d.Key(t, data))
		}
		for j := range t.Fields {
			if f := &t.Fields[j]; f.Ref != "" {
				out = append(out, termName+t.Name+"|"+f.Ref+"|"+d.Canonical(f, name))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
