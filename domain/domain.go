package domain

import (
	"errors"

	"github.com/speckl/speckl/sir"
)

// ErrUnknown is wrapped by errors about a domain id that nothing answers to.
var ErrUnknown = errors.New("unknown domain")

// Domain is what a domain is, as data. The zero value of each optional part
// takes the default that its comment names.
type Domain struct {
	// ID is unique, lower case with hyphens.
	ID string
	// Name and Description are for people.
	Name, Description string
	// Types are the kinds of element, in the order in which they are shown.
	Types []Type
	// Markers are the prefixes that introduce an explicit statement.
	Markers []Marker
	// Keywords count half a point each in detection.
	Keywords []string
	// Rules spot elements in sentences.
	Rules []Rule
	// Adjuncts fill fields of what a rule found in the same sentence.
	Adjuncts []Rule
	// Lexicon are the words that the slots of phrases mind.
	Lexicon Lexicon
	// Triggers are the bases and caps of scores, by trigger.
	Triggers map[string]Trigger
	// Modifiers are added to scores.
	Modifiers Modifiers
	// Thresholds decide what enters.
	Thresholds Thresholds
	// Bands clamp the final score by trigger.
	Bands map[string][2]sir.Confidence
	// ReviewAll: every element needs review and is tentative (general).
	ReviewAll bool
	// ByNameOnly: never detected, only asked for.
	ByNameOnly bool
	// Refuse are the scopes in which no rule finds anything unless it says
	// so itself.
	Refuse sir.Scope
	// Prompt and Shots are for a model.
	Prompt string
	Shots  []Shot
	// Hooks may satisfy any of the hook interfaces; nil for none.
	Hooks any
}

// Type is a kind of element.
type Type struct {
	// Name is the elementType.
	Name string
	// Plural is the heading in text output; empty: Name + "s".
	Plural string
	// Fields are all fields of data, in the order in which they are shown.
	Fields []Field
	// Key are the fields that make two statements the same.
	Key []string
	// Slot are the fields that hold one value at a time; with any of them
	// unknown the element has no slot, but for those in SlotOptional. Empty:
	// no slot.
	Slot, SlotOptional []string
	// UnifyOn are sets of fields: two statements that share one of them, and
	// contradict in none, are one.
	UnifyOn [][]string
	// Need are fields of which at least one must be known; empty: the key's.
	Need []string
	// Negatable: words that deny something may still establish an element of
	// this type, though its data deny nothing.
	Negatable bool
	// Bearing are types whose elements on the same names are looked at, to
	// see how a statement of this type fits.
	Bearing []string
	// Label is a template of one line for people: "{from} → {to}[  on {event}]",
	// where a bracket is left out when a field in it is unknown.
	Label string
}

// Kind is what a field holds and how two of its values compare.
type Kind string

// The kinds of field.
const (
	// Text compares folded.
	Text Kind = "text"
	// Name compares folded, without articles and the domain's cue nouns.
	Name Kind = "name"
	// Label compares by its quoted, back-ticked, UPPER or CamelCase token,
	// else by its content words.
	Label Kind = "label"
	// Duration compares by value: "60s" and "1 minute" are equal.
	Duration Kind = "duration"
	// Bool, Number, Date and Any compare as they are.
	Bool   Kind = "bool"
	Number Kind = "number"
	Date   Kind = "date"
	Any    Kind = "any"
	// List is a list of texts.
	List Kind = "list"
)

// Valid reports whether k is a known kind.
func (k Kind) Valid() bool {
	switch k {
	case Text, Name, Label, Duration, Bool, Number, Date, Any, List:
		return true
	}
	return false
}

// Field is one field of a type's data.
type Field struct {
	Name string
	Kind Kind
	// Enum are the allowed values; empty: any.
	Enum []string
	// Default is the value where nothing is said; nil is unknown (lists: []).
	Default any
	// Ref names the type that the value is a name of; an element of that
	// type is made where there is none.
	Ref string
	// Context are where an unknown value may come from, in order: "heading",
	// "item", "focus".
	Context []string
	// Free are values of a Ref field that name no element ("*").
	Free []string
	// FreeCues are, by a value that has no words of its own (a free one, true),
	// words of which one must stand in the quote of a model that gives it
	// ("any" for "*"); else the value is unknown.
	FreeCues map[string][]string
	// Loose: where a model gives a value that the words do not say, the value
	// is left out and the rest of the statement stands.
	Loose bool
	// Stale names the field whose change leaves this one possibly stale.
	Stale string
}

// Marker is a prefix that introduces an explicit statement.
type Marker struct {
	// Prefix is matched case-folded at the start of a line: "state:".
	Prefix string
	// Type is the element type that the statement has; empty: it says so
	// itself.
	Type string
}

// Trigger is what started a score.
type Trigger struct{ Base, Cap sir.Confidence }

// Modifiers are what is added to scores.
type Modifiers struct {
	Hedge, Agent, Consistency, Repetition, RepetitionMax, Completeness sir.Confidence
	// FieldContext is added to the confidence of a field that came from
	// context.
	FieldContext sir.Confidence
	// Implied is the most that an element made for a Ref field can have.
	Implied sir.Confidence
}

// Thresholds decide what enters a document.
type Thresholds struct{ AutoAccept, Review, Candidate sir.Confidence }

// Lexicon are the words that the slots of phrases mind.
type Lexicon struct {
	// Verbs end a name, in all inflections.
	Verbs []string
	// CueNouns are no part of a name's key; HiddenCueNouns are no part of
	// the displayed name either.
	CueNouns, HiddenCueNouns []string
	// PointNouns name an instant, never a phase.
	PointNouns []string
	// PointVerbs are what one does to a label ("press"): their object is no
	// phase.
	PointVerbs []string
	// PhaseVerbs map a verb that could name a phase to its noun.
	PhaseVerbs map[string]string
	// Corrections map a kind of value ("duration") to the fields that a bare
	// correction may change: "state.timeout".
	Corrections map[string][]string
	// NotNames are words that never end a name ("current", "user").
	NotNames []string
	// Qualifiers are words that name nothing before a cue noun ("the new
	// state").
	Qualifiers []string
	// Plurals: a name and its plural are one.
	Plurals bool
	// Conditions are words that name a condition where they stand alone as
	// the subject ("idle goes to loading").
	Conditions []string
}

// Rule finds elements in a sentence.
type Rule struct {
	ID string
	// Phrases are alternatives in the phrase language; Regex is RE2, for
	// what phrases cannot say. Named groups are its slots.
	Phrases []string
	Regex   string
	// Gives are the elements that a match gives.
	Gives []Give
	// Base is the score of a match.
	Base sir.Confidence
	// Accept are scopes that the domain refuses and this rule wants; Refuse
	// are further scopes that it does not.
	Accept, Refuse sir.Scope
	// Require are scopes of which one must hold.
	Require sir.Scope
	// Marked are name slots that must be marked (quoted, UPPER, CamelCase,
	// capital inside a sentence, a cue noun) or known, else the match gives
	// nothing. For those in Bare one word without an article will also do.
	// Those in Doubtful give nothing to their field unless they are marked,
	// known or a condition word; the rest of the match stands.
	// For those in Condition a condition word will also do.
	Marked, Bare, Doubtful, Condition []string
	// Focus is the slot that becomes what the following sentences are about.
	Focus string
	// Weak rules match only where no other rule has.
	Weak bool
	// Start: the match must begin its clause.
	Start bool
	// After: an adjunct that only stands behind what it belongs to.
	After bool
	// Mention: a weak rule that may also match inside the clauses of other
	// matches.
	Mention bool
	// Chain: the next match may begin with the last name of this one.
	Chain bool
	// Edge: the match must not end inside a compound noun.
	Edge bool
	// Contrary: where the rule loses an overlap, its reading is kept as a
	// second one if it contradicts the winner's.
	Contrary bool
	// Source is what a field that an adjunct fills is said to come from
	// ("scope"); empty: it is named.
	Source string
	// Examples and Counter are what `domain check` runs.
	Examples []Example
	Counter  []string
}

// Give is one element that a match gives: fields to slots ("to"), constants
// ("\"forbid\""), or "$otherwise".
type Give struct {
	Type   string
	Fields map[string]string
}

// Example is a sentence and the elements that it must give.
type Example struct {
	Text  string
	Gives []Expect
}

// Expect is a partial element: type and the fields that matter.
type Expect struct {
	Type string
	Data map[string]any
}

// Shot is a few-shot example for a model.
type Shot struct {
	Text  string
	Items []ShotItem
}

// ShotItem is one item of a few-shot example's reply.
type ShotItem struct {
	Type  string
	Data  map[string]any
	Quote string
}

// TypeNamed returns the type of that name, or nil.
func (d *Domain) TypeNamed(name string) *Type {
	for i := range d.Types {
		if d.Types[i].Name == name {
			return &d.Types[i]
		}
	}
	return nil
}

// FieldNamed returns the field of that name, or nil.
func (t *Type) FieldNamed(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Blank returns the type's data with nothing said: defaults, else nil, and
// [] for lists.
func (t *Type) Blank() sir.Data {
	data := make(sir.Data, len(t.Fields))
	for _, f := range t.Fields {
		switch {
		case f.Default != nil:
			data[f.Name] = f.Default
		case f.Kind == List:
			data[f.Name] = []any{}
		default:
			data[f.Name] = nil
		}
	}
	return data
}
