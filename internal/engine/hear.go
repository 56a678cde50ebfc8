package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// Heard is what a model said about one turn.
type Heard struct {
	// Candidates quote the turn; their trigger is [domain.TriggerModel].
	Candidates []domain.Candidate
	// Dropped is what it said and nobody can use, with the reasons.
	Dropped []sir.Dropped
	// Metadata is what asking cost, and whether it failed.
	Metadata sir.ResultMetadata
}

// Hear adds what a model said about the turn to what the rules found. How a
// clause is meant counts for a model as it does for a rule: a question or a
// supposition establishes nothing, whatever a model makes of it.
// It leaves what it is given as it is.
func (d *Domain) Hear(p *Proposal, heard *Heard) {
	if heard == nil {
		return
	}
	p.Dropped = append(p.Dropped, heard.Dropped...)
	if len(heard.Candidates) == 0 {
		return
	}
	p.parse()
	for i := range heard.Candidates {
		c := heard.Candidates[i]
		c.Data, c.Fields, c.Readings = maps.Clone(c.Data), maps.Clone(c.Fields), slices.Clone(c.Readings)
		for k := range c.Readings {
			c.Readings[k].Option = d.Describe(c.Readings[k].Type, c.Readings[k].Data)
		}
		reason := p.meant(&c, d.Refuse)
		if reason == "" && d.denied(p, &c) {
			reason = "negated"
		}
		if reason != "" {
			p.drop(reason, c.Span, fmt.Sprintf("%s says %s", c.Rule, d.Describe(c.Type, c.Data)))
			continue
		}
		d.add(p, c)
	}
	slices.SortStableFunc(p.Candidates, func(a, b domain.Candidate) int { return a.Span.Start - b.Span.Start })
}

// ProposeHeard proposes what a model said about a turn that the rules have
// read before, and nothing else.
func (d *Domain) ProposeHeard(turn *sir.Turn, heard *Heard) *Proposal {
	p := d.Propose(turn, new(Buffer))
	p.Candidates, p.Fixes, p.Retracts, p.Dropped, p.Diagnostics = nil, nil, false, nil, nil
	d.Hear(p, heard)
	return p
}

// parse finds the turn's sentences, unless it did before.
func (p *Proposal) parse() {
	if len(p.Text.Sentences) == 0 && len(p.Text.Tokens) > 0 {
		p.Text.Parse()
	}
}

// notForModels are scopes in which a rule of phrases cannot tell what holds
// and a model can: its data are checked against the words one by one.
const notForModels = sir.Negated | sir.Past

// meant gives a model's candidate the scope of the sentences that it quotes.
// It returns the scope that keeps it out, or "".
func (p *Proposal) meant(c *domain.Candidate, refuse sir.Scope) sir.DropReason {
	for _, b := range p.Consumed {
		if b.Overlaps(c.Span) {
			return "written_explicitly"
		}
	}
	c.Sentence = -1 - c.Span.Start
	for i, s := range p.Text.Sentences {
		if !p.Text.Span(s).Overlaps(c.Span) {
			continue
		}
		c.Sentence = i
		c.Scope |= s.Scope
		c.Correction = c.Correction || s.Correction
		if s.ReportedBy != "" {
			c.ReportedBy = s.ReportedBy
		}
		if p.takenBack(i, s, c) {
			return "retracted"
		}
	}
	if refused := c.Scope & refuse &^ notForModels; refused != 0 {
		return sir.DropReason(refused.Names()[0])
	}
	return ""
}

// denied reports whether the words deny something that the candidate's data
// do not deny: "it does not go to loading" is no transition to loading.
func (d *Domain) denied(p *Proposal, c *domain.Candidate) bool {
	t := d.TypeNamed(c.Type)
	if t.Negatable {
		return false
	}
	said := 0
	for i, k := range p.Text.Tokens {
		if int(k.Start) >= c.Span.Start && int(k.End) <= c.Span.End && denies(p.Text, i) {
			said++
		}
	}
	if said == 0 {
		return false
	}
	var b strings.Builder
	for i := range t.Fields {
		if v := c.Data[t.Fields[i].Name]; domain.Known(&t.Fields[i], v) {
			b.WriteString(show(v) + "\n")
		}
	}
	data := clause.Annotate(&sir.Turn{Content: b.String()}, clause.Markers{}, nil)
	data.Parse()
	for i := range data.Tokens {
		if denies(data, i) {
			said--
		}
	}
	return said > 0
}

// denies reports whether token i denies something; the "no" of an answer
// ("No, …") does not.
func denies(t *clause.Text, i int) bool {
	if t.Tokens[i].Class&clause.Neg == 0 {
		return false
	}
	return i+1 >= len(t.Tokens) || t.Tokens[i+1].Kind != clause.Punct
}

// takenBack reports whether the words of sentence i that the candidate quotes
// are taken back in the same breath or in the next one.
func (p *Proposal) takenBack(i int, s clause.Sentence, c *domain.Candidate) bool {
	tokens := p.Text.Tokens
	if s.Retracts {
		return s.CueEnd >= len(tokens) || c.Span.Start < int(tokens[s.CueEnd].Start)
	}
	return i+1 < len(p.Text.Sentences) && p.Text.Sentences[i+1].Retracts
}

// add adds a model's candidate to a proposal: to the candidate that says
// the same, as a second reading of one that says otherwise with the same
// words, else as one of its own.
func (d *Domain) add(p *Proposal, c domain.Candidate) {
	t := d.TypeNamed(c.Type)
	for i := range p.Candidates {
		other := &p.Candidates[i]
		if other.Type != c.Type || other.ReportedBy != c.ReportedBy || len(other.Readings) > 0 {
			continue
		}
		switch {
		case d.Alike(other, &c):
			d.unite(t, other, &c)
			return
		case other.Span.Overlaps(c.Span) && len(c.Readings) == 0 && d.differs(t, other, &c):
			d.addReadings(other, c)
			return
		}
	}
	p.Candidates = append(p.Candidates, c)
}

// Alike reports whether two candidates of a type say the same thing, one
// perhaps more of it than the other.
func (d *Domain) Alike(a, b *domain.Candidate) bool {
	t := d.TypeNamed(a.Type)
	if d.contradicts(t.Name, a.Data, b.Data) {
		return false
	}
	if d.Key(t, a.Data) == d.Key(t, b.Data) {
		return true
	}
	mine := d.Unify(t, a.Data)
	return slices.ContainsFunc(d.Unify(t, b.Data), func(u string) bool { return slices.Contains(mine, u) })
}

// differs reports whether two candidates give one thing different values.
func (d *Domain) differs(t *domain.Type, a, b *domain.Candidate) bool {
	if !d.contradicts(t.Name, a.Data, b.Data) {
		return false
	}
	slot := d.Slot(t, a.Data)
	return d.Key(t, a.Data) == d.Key(t, b.Data) || slot != "" && slot == d.Slot(t, b.Data)
}

// unite adds what a model's candidate says to one that says the same. The
// surer of the two gives the number; a marker or a block stays one.
func (d *Domain) unite(t *domain.Type, into, c *domain.Candidate) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if !domain.Known(f, c.Data[f.Name]) {
			continue
		}
		known := domain.Known(f, into.Data[f.Name])
		if !known {
			into.Data[f.Name] = c.Data[f.Name]
		}
		if src, ok := c.Fields[f.Name]; ok && !known {
			into.Fields[f.Name] = src
		}
		// a name that the words and a model agree on needs no further proof
		into.Unproven, into.Doubtful = without(into.Unproven, f.Name), without(into.Doubtful, f.Name)
	}
	if !into.Span.Overlaps(c.Span) && !slices.Contains(into.More, c.Span) {
		into.More = append(into.More, c.Span)
	}
	if explicit(into.Trigger) || d.base(c) <= d.base(into) {
		return
	}
	into.Trigger, into.Base, into.Rule, into.Rationale = c.Trigger, c.Base, c.Rule, c.Rationale
	into.Weak = false
}

// without is a list without one name; the list itself may be a rule's.
func without(list []string, name string) []string {
	if !slices.Contains(list, name) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(n string) bool { return n == name })
}

// base is a candidate's score before modifiers.
func (d *Domain) base(c *domain.Candidate) sir.Confidence {
	if c.Base > 0 {
		return c.Base
	}
	return d.Triggers[c.Trigger].Base
}

// fewWords are too few for a sentence to be worth a model's while.
const fewWords = 3

// Glance looks at what a turn would give a model to read: it returns the
// spans that markers, blocks and specifications have taken, and whether what
// the rules find leaves nothing: each other sentence of a few words or more
// has a candidate that is at least so sure. Rules that cannot be so sure are
// not run.
func (d *Domain) Glance(turn *sir.Turn, buf *Buffer, sure sir.Confidence) (consumed []sir.Span, covered bool) {
	p := d.explicitly(turn, buf)
	p.parse()
	if !p.worth() {
		return p.Consumed, true
	}
	if d.surest < sure {
		return p.Consumed, false
	}
	p = d.Propose(turn, buf)
	p.parse()
	return p.Consumed, d.covers(p, sure)
}

// worth reports whether some sentence of the turn is worth reading.
func (p *Proposal) worth() bool {
	return slices.ContainsFunc(p.Text.Sentences, func(s clause.Sentence) bool { return p.worthy(s) })
}

func (p *Proposal) worthy(s clause.Sentence) bool {
	return words(p.Text, s) >= fewWords && !slices.ContainsFunc(p.Consumed, p.Text.Span(s).Overlaps)
}

func (d *Domain) covers(p *Proposal, sure sir.Confidence) bool {
	for _, s := range p.Text.Sentences {
		span := p.Text.Span(s)
		if p.worthy(s) && !slices.ContainsFunc(p.Candidates, func(c domain.Candidate) bool {
			if !c.Span.Overlaps(span) {
				return false
			}
			confidence, _ := d.score(&c, p.Turn, nil)
			return confidence >= sure
		}) {
			return false
		}
	}
	return true
}

// words counts the words of a sentence.
func words(t *clause.Text, s clause.Sentence) int {
	n := 0
	for _, k := range t.Tokens[s.From:s.To] {
		if k.Kind != clause.Punct {
			n++
		}
	}
	return n
}
