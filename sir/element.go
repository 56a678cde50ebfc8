package sir

// Status is where an element stands in its life.
type Status string

// The statuses. Proposed and Confirmed elements are live.
const (
	Proposed   Status = "proposed"
	Confirmed  Status = "confirmed"
	Deprecated Status = "deprecated"
	Replaced   Status = "replaced"
	Error      Status = "error"
)

// Valid reports whether s is a known status.
func (s Status) Valid() bool {
	switch s {
	case Proposed, Confirmed, Deprecated, Replaced, Error:
		return true
	}
	return false
}

// Live reports whether an element of this status is part of what the
// document says now.
func (s Status) Live() bool { return s == Proposed || s == Confirmed }

// Data is an element's own fields, all of them, always: unknown is nil, an
// empty list is []any{}. Values are string, bool, int64, nil, []any and
// map[string]any of these.
type Data map[string]any

// Element is one thing that a conversation establishes. The header is the
// same for every domain; Data is the domain's.
type Element struct {
	// ID is minted once and never changes (see [ElementID]).
	ID string `json:"id"`
	// ElementType is a type of the domain, such as "state".
	ElementType string `json:"elementType"`
	// Domain is the id of the domain that found it.
	Domain string `json:"domain"`
	// Confidence is how sure we are, explained by Scores.
	Confidence Confidence `json:"confidence"`
	// Status is the place in its life.
	Status Status `json:"status"`
	// Version grows by one per mutation, from 1.
	Version int `json:"version"`
	// CreatedAt and UpdatedAt are times of turns, Unix ms; nil where the
	// source has no time.
	CreatedAt *int64 `json:"createdAt"`
	UpdatedAt *int64 `json:"updatedAt"`
	// Data holds the domain's fields.
	Data Data `json:"data"`
	// Fields tells, by field, what differs from the element as a whole.
	Fields map[string]Field `json:"fields"`
	// Evidence are the words, in the order in which they were found. It only
	// grows.
	Evidence []Evidence `json:"evidence"`
	// Refs link to other elements of the document.
	Refs []Ref `json:"refs,omitempty"`
	// ReplacesID and ReplacedByID link a replaced element and its successor.
	ReplacesID   string `json:"replacesId,omitempty"`
	ReplacedByID string `json:"replacedById,omitempty"`
	// Interpretations are the readings of an ambiguous fragment, the most
	// confident first.
	Interpretations []Interpretation `json:"interpretations,omitempty"`
	// ResolvedInterpretationID is the chosen reading.
	ResolvedInterpretationID string `json:"resolvedInterpretationId,omitempty"`
	// Attribution is who or what proposed it.
	Attribution Attribution `json:"attribution"`
	// Scores say how the confidence came about.
	Scores Scores `json:"scores"`
	// Flags are what a reader should mind.
	Flags Flags `json:"flags"`
	// Provenance is the history, append-only.
	Provenance Provenance `json:"provenance"`
	// Keys are all identity keys the element has had, oldest first.
	Keys []string `json:"keys,omitempty"`
	// Terms are what the element is looked up by (see [Ask]).
	Terms []string `json:"terms,omitempty"`
}

// Flags are what a reader of an element should mind.
type Flags struct {
	// NeedsReview: a person should look at it.
	NeedsReview bool `json:"needsReview"`
	// IsAmbiguous: there are several readings and none was chosen.
	IsAmbiguous bool `json:"isAmbiguous"`
	// IsTentative: not written explicitly, and below AUTO_ACCEPT.
	IsTentative bool `json:"isTentative"`
	// IsContradicted: later words conflict and nobody has decided.
	IsContradicted bool `json:"isContradicted"`
	// SourceIsExplicit: a marker, a fenced block or a spec block.
	SourceIsExplicit bool `json:"sourceIsExplicit"`
}

// Field is what is known about one field of an element.
type Field struct {
	// Confidence of this field alone.
	Confidence Confidence `json:"confidence"`
	// Evidence are indexes into the element's evidence.
	Evidence []int `json:"evidence"`
	// Rule names what found it where that is not plain naming ("focus",
	// "heading", "scope"); nil otherwise.
	Rule *string `json:"rule"`
}

// Match is how a quote was found in its turn.
type Match string

// The kinds of match.
const (
	Verbatim    Match = "verbatim"
	Normalized  Match = "normalized"
	Approximate Match = "approximate"
)

// Evidence is somebody's words: a span of one turn's content.
type Evidence struct {
	// TurnID is the turn.
	TurnID string `json:"turnId"`
	// Bytes are UTF-8 offsets [start, end) into the turn's content.
	Bytes [2]int `json:"bytes"`
	// Chars are the same span in Unicode code points.
	Chars [2]int `json:"chars"`
	// Quote is what the turn says there, byte for byte.
	Quote string `json:"quote"`
	// Match is how it was found.
	Match Match `json:"match"`
}

// Ref links an element to another.
type Ref struct {
	// Rel is the field or relation, such as "from".
	Rel string `json:"rel"`
	// ID is the other element.
	ID string `json:"id"`
}

// Interpretation is one reading of an ambiguous fragment.
type Interpretation struct {
	ID          string     `json:"id"`
	ElementType string     `json:"elementType"`
	Data        Data       `json:"data"`
	Confidence  Confidence `json:"confidence"`
	// Rationale says in words what this reading takes the fragment to mean.
	Rationale string `json:"rationale"`
	// ProposedBy names the rule, agent or model.
	ProposedBy string `json:"proposedBy"`
}

// AttributionType is the kind of proposer.
type AttributionType string

// The proposers of the seed's §4.3.
const (
	ByHuman     AttributionType = "human"
	ByAgent     AttributionType = "agent"
	BySystem    AttributionType = "system"
	ByConsensus AttributionType = "consensus"
)

// Attribution is who or what proposed something; the fields that do not
// apply to its type are empty.
type Attribution struct {
	Type      AttributionType `json:"type"`
	SpeakerID string          `json:"speakerId,omitempty"`
	AgentID   string          `json:"agentId,omitempty"`
	Model     string          `json:"model,omitempty"`
	Component string          `json:"component,omitempty"`
	Agents    []string        `json:"agents,omitempty"`
}

// Scores explain a confidence: trigger + modifiers, then the cap.
type Scores struct {
	// Trigger is what set the base: "marker", "block", "correction",
	// "specBlock", "pattern", "model" or "act".
	Trigger string `json:"trigger"`
	// Base is the trigger's number.
	Base Confidence `json:"base"`
	// Modifiers were added to it, in this order.
	Modifiers []Modifier `json:"modifiers"`
	// Cap is the most that the trigger can reach.
	Cap Confidence `json:"cap"`
}

// Modifier is one addition to a score.
type Modifier struct {
	// Name is "hedge", "agent", "consistency", "repetition" or "completeness".
	Name string `json:"name"`
	// Value may be negative.
	Value Confidence `json:"value"`
}
