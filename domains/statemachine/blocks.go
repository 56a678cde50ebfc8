package statemachine

import (
	"strings"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains/statemachine/syntax"
	"github.com/speckl/speckl/sir"
)

// ReadBlock reads what stands after a marker, or in a ```speckl block.
func (h *hooks) ReadBlock(content string, b sir.Block) ([]domain.Candidate, []diag.Diagnostic, bool) {
	opts, trigger := syntax.Options{}, domain.TriggerBlock
	switch {
	case b.Marker != "":
		trigger = domain.TriggerMarker
		if kind := syntax.Kind(strings.TrimSuffix(strings.ToLower(b.Marker), ":")); kind.Valid() {
			opts.Kind = kind
		}
	case b.Language != "speckl":
		return nil, nil, false
	}
	stmts, diags := syntax.Parse(b.Body.Of(content), opts)
	for i := range diags {
		diags[i].Where.Bytes[0] += b.Body.Start
		diags[i].Where.Bytes[1] += b.Body.Start
		line, col := position(content, b.Body.Start)
		if diags[i].Where.Line == 1 {
			diags[i].Where.Col += col - 1
		}
		diags[i].Where.Line += line - 1
	}
	var out []domain.Candidate
	for i, s := range stmts {
		c := h.candidate(s, b.Body.Start, trigger)
		c.Sentence = -1 - c.Span.Start
		if i == 0 && b.Marker != "" && opts.Kind != "" {
			c.Span.Start = b.Span.Start
		}
		out = append(out, c)
	}
	return out, diags, true
}

// position is the line and the column, from 1 and in code points, of an
// offset.
func position(content string, offset int) (line, col int) {
	before := content[:offset]
	line = strings.Count(before, "\n") + 1
	return line, len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
}

// Extent is how much of the text after a marker belongs to it.
func (h *hooks) Extent(after, marker string) int { return syntax.Extent(after, marker) }

// ReadSpec reads blocks that look like a specification.
func (h *hooks) ReadSpec(content string) (found []domain.Candidate, consumed []sir.Span) {
	for _, spec := range syntax.ReadSpec(content) {
		for _, s := range spec.Statements {
			c := h.candidate(s, 0, domain.TriggerSpecBlock)
			c.Sentence = -1 - c.Span.Start
			found = append(found, c)
		}
		consumed = append(consumed, spec.Span)
	}
	return found, consumed
}

// candidate turns a statement into a candidate; offset is where its text
// begins in the turn.
func (h *hooks) candidate(s syntax.Statement, offset int, trigger string) domain.Candidate {
	t := h.domain.TypeNamed(string(s.Kind))
	c := domain.Candidate{
		Type: t.Name, Data: t.Blank(), Trigger: trigger, Rule: "syntax", Fields: map[string]domain.FieldSource{},
		Span: sir.Span{Start: s.Span.Start + offset, End: s.Span.End + offset},
	}
	for _, f := range s.Fields {
		c.Data[f.Name] = f.Value
		c.Fields[f.Name] = domain.FieldSource{Span: sir.Span{Start: f.Span.Start + offset, End: f.Span.End + offset}}
	}
	return c
}
