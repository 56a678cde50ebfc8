package domain

import (
	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// The triggers of a score, strongest first.
const (
	TriggerMarker     = "marker"
	TriggerBlock      = "block"
	TriggerCorrection = "correction"
	TriggerSpecBlock  = "specBlock"
	TriggerPattern    = "pattern"
	TriggerModel      = "model"
)

// Candidate is an element that was seen in a turn and not yet judged.
type Candidate struct {
	Type string
	// Data has the fields that the words say; the others are unknown.
	Data sir.Data
	// Span are the words as a whole; More are further words.
	Span sir.Span
	More []sir.Span
	// Quotes are words of earlier turns that support it; where there are any,
	// Span is not evidence.
	Quotes []sir.Evidence
	// Fields tell, by field, the words and the rule where they are not
	// plainly named.
	Fields map[string]FieldSource
	// Trigger and Rule say what found it, for a model its name; Base is the
	// rule's score, or the model's own number.
	Trigger, Rule string
	Base          sir.Confidence
	// Match is how exactly a model's quote gives the words of Span; empty is
	// verbatim. Rationale is why the model thinks so, in its words.
	Match     sir.Match
	Rationale string
	// Weak: a weak rule found it. Plain: some name in it is neither marked
	// nor bare, so that its form alone says little.
	Weak, Plain bool
	// Scope is how the clause is meant.
	Scope sir.Scope
	// Subject is the folded noun that the clause is about; empty for a
	// pronoun, an imperative or nothing.
	Subject string
	// ReportedBy names the person whose words are reported; empty for none.
	ReportedBy string
	// Unproven are fields whose value must be a known name, else the
	// candidate is dropped; Doubtful are fields that become unknown then.
	Unproven, Doubtful []string
	// Correction: the words correct something said before.
	Correction bool
	// Readings are the alternatives, where the words have several; the first
	// is the most likely. Data then holds what all share.
	Readings []Reading
	// Question is to be asked where a gap or a doubt is seen; may be empty.
	Question string
	// Options and Others are the answers to Question and the elements that
	// they mean.
	Options, Others []string
	// Sentence tells the sentences of a turn apart: what one sentence joins
	// ("either paid or refused") is no conflict.
	Sentence int
}

// FieldSource is where a field of a candidate comes from.
type FieldSource struct {
	Span sir.Span
	// Quote are words of another turn, which stand for Span then; nil for
	// none.
	Quote *sir.Evidence
	// Rule is "focus", "heading", "item" …; empty where it is plainly named.
	Rule string
}

// Reading is one interpretation of an ambiguous fragment.
type Reading struct {
	Type      string
	Data      sir.Data
	Rationale string
	// Option is how the reading is offered to a person.
	Option string
	// Base is the reading's score before modifiers.
	Base sir.Confidence
}

// BlockReader reads what a marker or a fenced block says.
type BlockReader interface {
	// ReadBlock returns the statements of a block as candidates whose spans
	// are offsets into content. ok is false where the block's language is
	// none of the domain's.
	ReadBlock(content string, block sir.Block) (found []Candidate, diags []diag.Diagnostic, ok bool)
	// Extent returns how many bytes of the text after a marker belong to it.
	Extent(after string, marker string) int
}

// SpecReader reads blocks that look like a specification though nothing
// marks them.
type SpecReader interface {
	// ReadSpec returns candidates and the spans of content that they consume.
	ReadSpec(content string) (found []Candidate, consumed []sir.Span)
}

// Interpreter finds that a candidate has several readings.
type Interpreter interface {
	// Interpret returns the readings of a candidate, most likely first, or
	// nil where there is one only.
	Interpret(c *Candidate, view View) []Reading
}

// Normalizer puts a candidate's data into the domain's own form.
type Normalizer interface {
	// Normalize may change the candidate; it returns false to drop it, with
	// the reason.
	Normalize(c *Candidate, view View) (keep bool, reason string)
}

// Shaper puts what rules have read in a turn into the domain's own form,
// before the document is asked for what bears on it.
type Shaper interface {
	// Shape may change the candidate; it returns false to leave it out.
	Shape(c *Candidate, turn *sir.Turn) (keep bool)
}

// Implier says which names are worth an element of their own.
type Implier interface {
	// Implies reports whether the name in a candidate's Ref field, which
	// stands in no element yet, becomes one.
	Implies(c *Candidate, field string, view View) bool
}

// Checker says how well a candidate fits what stood before the turn.
type Checker interface {
	// Check returns how many of the domain's named checks pass, of how many
	// that could be asked.
	Check(c *Candidate, related []*sir.Element) (pass, asked int)
}

// View is what a hook may see: the turn and the part of the document that
// the turn asked for. It must not be changed.
type View struct {
	Turn  *sir.Turn
	Slice *sir.Slice
	// Known reports whether a live element of the type has the name, in the
	// document or among the turn's candidates. What was not asked for yet is
	// unknown at first; it is then fetched, and the hook runs again.
	Known func(typ, name string) bool
	// Said are the turn's candidates, the one at hand included.
	Said []Candidate
}
