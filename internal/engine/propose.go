package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
)

// Domain is a domain made ready to run. It never changes and may be shared.
type Domain struct {
	*domain.Domain
	matcher *pattern.Matcher
	markers clause.Markers
	fixes   *fixes
	surest  sir.Confidence // the most that a rule's words alone are worth
}

// Prepare compiles a domain's patterns. Errors wrap [pattern.ErrPhrase].
func Prepare(d *domain.Domain) (*Domain, error) {
	m, err := pattern.Compile(d)
	if err != nil {
		return nil, fmt.Errorf("compile domain %q: %w", d.ID, err)
	}
	out := &Domain{Domain: d, matcher: m, fixes: newFixes(d)}
	for _, mk := range d.Markers {
		out.markers.Prefixes = append(out.markers.Prefixes, mk.Prefix)
	}
	for _, r := range d.Rules {
		out.surest = max(out.surest, min(r.Base, d.Triggers[domain.TriggerPattern].Cap))
	}
	if r, ok := d.Hooks.(domain.BlockReader); ok {
		out.markers.Extent = r.Extent
	}
	return out, nil
}

// Buffer is what a caller keeps between turns so that chatter allocates
// next to nothing; the zero value is ready. It must not be shared by
// goroutines.
type Buffer struct {
	tokens []clause.Token
	match  pattern.Buffer
}

// Proposal is what a turn says, before anything is known of the document.
type Proposal struct {
	Turn *sir.Turn
	// Text is the annotated turn; its sentences are found only where a rule
	// could match.
	Text       *clause.Text
	Candidates []domain.Candidate
	// Consumed are the spans that markers, blocks and specifications took:
	// no pattern reads them, and no model is shown them.
	Consumed []sir.Span
	// specified are those of Consumed that no mark introduces.
	specified []sir.Span
	// Fixes are corrections without a statement of their own ("make that 60").
	Fixes []Fix
	// Retracts: the turn takes back what the speaker said in his last turn.
	Retracts bool
	// RetractSpan are the words that do so.
	RetractSpan sir.Span
	Dropped     []sir.Dropped
	Diagnostics []diag.Diagnostic
}

// Empty reports whether the turn says nothing to the domain.
func (p *Proposal) Empty() bool {
	return len(p.Candidates) == 0 && len(p.Fixes) == 0 && !p.Retracts && len(p.Dropped) == 0 && len(p.Diagnostics) == 0
}

// Propose finds what a turn says. It reads the turn alone.
func (d *Domain) Propose(turn *sir.Turn, buf *Buffer) *Proposal {
	p := d.explicitly(turn, buf)
	if len(p.Text.Tokens) > 0 && (d.matcher.Worth(p.Text.Tokens, &buf.match) || d.fixes.worth(p.Text.Tokens)) {
		p.Text.Parse()
		m := &matching{d: d, p: p, buf: buf, consumed: p.specified, line: -1}
		m.run()
	}
	if shaper, ok := d.Hooks.(domain.Shaper); ok {
		kept := p.Candidates[:0]
		for _, c := range p.Candidates {
			if shaper.Shape(&c, turn) {
				kept = append(kept, c)
			}
		}
		p.Candidates = kept
	}
	slices.SortStableFunc(p.Candidates, func(a, b domain.Candidate) int { return a.Span.Start - b.Span.Start })
	return p
}

// explicitly finds what markers, blocks and specifications say.
func (d *Domain) explicitly(turn *sir.Turn, buf *Buffer) *Proposal {
	p := &Proposal{Turn: turn}
	p.Text = clause.Annotate(turn, d.markers, buf.tokens[:0])
	buf.tokens = p.Text.Tokens[:0]
	d.readBlocks(p)
	p.specified = d.readSpec(p)
	p.Consumed = slices.Concat(spans(p.Text.Blocks), p.specified)
	return p
}

// readBlocks reads what markers and fenced blocks say.
func (d *Domain) readBlocks(p *Proposal) {
	reader, _ := d.Hooks.(domain.BlockReader)
	for _, b := range p.Text.Blocks {
		if reader != nil {
			found, diags, ok := reader.ReadBlock(p.Turn.Content, b)
			if ok {
				p.Candidates = append(p.Candidates, found...)
				p.Diagnostics = append(p.Diagnostics, diags...)
				continue
			}
		}
		if b.Marker != "" {
			if c, ok := d.plainMarker(p.Turn.Content, b); ok {
				p.Candidates = append(p.Candidates, c)
			}
		}
	}
	for _, g := range p.Diagnostics {
		p.drop("syntax", sir.Span{Start: g.Where.Bytes[0], End: g.Where.Bytes[1]}, g.String())
	}
	if b := structured(p.Turn); b != nil && !strings.Contains(p.Turn.Content, b.Content) {
		p.Dropped = append(p.Dropped, sir.Dropped{Reason: "block_not_in_turn", Text: b.Content, TurnID: p.Turn.ID, Detail: "the structuredBlock hint is not in the turn's content; it was ignored"})
	}
}

func structured(t *sir.Turn) *sir.StructuredBlock {
	if t.Metadata == nil {
		return nil
	}
	return t.Metadata.StructuredBlock
}

// plainMarker reads "type: words" for a domain without a syntax of its own:
// the words fill the type's first field.
func (d *Domain) plainMarker(content string, b sir.Block) (domain.Candidate, bool) {
	var typ *domain.Type
	for _, m := range d.Markers {
		if strings.EqualFold(m.Prefix, b.Marker) {
			typ = d.TypeNamed(m.Type)
		}
	}
	body := trim(content, b.Body)
	if typ == nil || body.Len() == 0 {
		return domain.Candidate{}, false
	}
	data := typ.Blank()
	field := typ.Fields[0].Name
	data[field] = body.Of(content)
	return domain.Candidate{
		Type: typ.Name, Data: data, Span: sir.Span{Start: b.Span.Start, End: body.End},
		Fields:  map[string]domain.FieldSource{field: {Span: body}},
		Trigger: domain.TriggerMarker, Rule: "marker:" + strings.TrimSuffix(strings.ToLower(b.Marker), ":"), Sentence: -1 - b.Span.Start,
	}, true
}

func trim(content string, s sir.Span) sir.Span {
	text := s.Of(content)
	s.Start += len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	s.End -= len(text) - len(strings.TrimRight(text, " \t\r\n"))
	return sir.Span{Start: s.Start, End: max(s.Start, s.End)}
}

// readSpec reads blocks that look like a specification; it returns what they
// consume.
func (d *Domain) readSpec(p *Proposal) []sir.Span {
	reader, ok := d.Hooks.(domain.SpecReader)
	if !ok || !strings.ContainsAny(p.Turn.Content, "\n;") {
		return nil
	}
	found, consumed := reader.ReadSpec(p.Turn.Content)
	inBlock := func(s sir.Span) bool {
		for _, b := range slices.Concat(spans(p.Text.Blocks), p.Text.Quoted) {
			if b.Overlaps(s) {
				return true
			}
		}
		return false
	}
	for _, c := range found {
		if !inBlock(c.Span) {
			p.Candidates = append(p.Candidates, c)
		}
	}
	return consumed
}

func spans(blocks []sir.Block) []sir.Span {
	var out []sir.Span
	for _, b := range blocks {
		out = append(out, b.Span)
	}
	return out
}

// drop records words that were left out.
func (p *Proposal) drop(reason sir.DropReason, span sir.Span, detail string) {
	p.Dropped = append(p.Dropped, sir.Dropped{Reason: reason, Text: span.Of(p.Turn.Content), TurnID: p.Turn.ID, Detail: detail})
}
