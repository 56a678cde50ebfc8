package sir

// Mode is how extraction runs.
type Mode string

// The four modes.
const (
	Realtime     Mode = "realtime"
	Batch        Mode = "batch"
	Deliberative Mode = "deliberative"
	Interactive  Mode = "interactive"
)

// Valid reports whether m is one of the four modes.
func (m Mode) Valid() bool {
	return m == Realtime || m == Batch || m == Deliberative || m == Interactive
}

// Result is what one extraction did: the seed's ExtractionResult with what
// was dropped. Lists are never nil.
type Result struct {
	// ExtractionID is derived from the document, the mode, the turns and the
	// document's version.
	ExtractionID string `json:"extractionId"`
	// Status is "clarification_needed" where the result asks,
	// "confirmation_needed" where nothing was applied yet (a dry run); else
	// empty.
	Status string `json:"status,omitempty"`
	// Token is what a dry run is applied by; empty otherwise.
	Token         string   `json:"token,omitempty"`
	Mode          Mode     `json:"mode"`
	SourceTurnIDs []string `json:"sourceTurnIds"`
	// Added are the elements that entered, tentative ones included.
	Added []Change `json:"added"`
	// Refined are known elements that changed or were said again.
	Refined []Change `json:"refined"`
	// Deprecated are elements that no longer hold.
	Deprecated []Change `json:"deprecated"`
	// Flagged is what did not enter: pool candidates, readings that wait,
	// held revisions.
	Flagged        []Candidate     `json:"flagged"`
	Ambiguities    []Ambiguity     `json:"ambiguities"`
	Conflicts      []Conflict      `json:"conflicts"`
	Clarifications []Clarification `json:"clarifications"`
	// Dropped is what was left out, with the reason.
	Dropped    []Dropped   `json:"dropped"`
	Duplicates []Duplicate `json:"duplicates"`
	// Summary is a sentence or two that a person can read aloud.
	Summary string `json:"summary"`
	// Timestamp is the last turn's time, Unix ms; nil where it has none.
	Timestamp *int64         `json:"timestamp"`
	Metadata  ResultMetadata `json:"metadata"`
}

// ResultMetadata tells how a result came about.
type ResultMetadata struct {
	Degraded        bool     `json:"degraded"`
	DegradedReasons []string `json:"degradedReasons"`
	Domain          string   `json:"domain"`
	LLMCalls        int      `json:"llmCalls"`
	Tokens          int      `json:"tokens"`
	CacheHits       int      `json:"cacheHits"`
	// Notes say in words how the reading differed from what was asked for,
	// such as a batch too small to be one; nil for none.
	Notes []string `json:"notes,omitempty"`
	// Deliberation is what the debaters said; nil in the other modes, and
	// where there was nothing to debate.
	Deliberation *Deliberation `json:"deliberation,omitempty"`
}

// The statuses of a result.
const (
	ClarificationNeeded = "clarification_needed"
	ConfirmationNeeded  = "confirmation_needed"
)

// Change is a mutation as a caller sees it (the seed's SIRMutation).
type Change struct {
	ElementID string `json:"elementId"`
	// Element is the element after the change.
	Element *Element `json:"element"`
	// Action is created, updated, deprecated or replaced.
	Action MutationKind `json:"action"`
	// Diff is nil where no field changed.
	Diff *Diff `json:"diff,omitempty"`
	// Provenance is the entry that was appended.
	Provenance Entry `json:"provenance"`
}

// FlagReason says why a candidate did not enter.
type FlagReason string

// The reasons of the seed's §8.2.
const (
	LowConfidence FlagReason = "low_confidence"
	IsAmbiguous   FlagReason = "ambiguous"
	Conflicts     FlagReason = "conflicts"
)

// Candidate is something that was seen and did not enter the document.
type Candidate struct {
	CandidateID       string     `json:"candidateId"`
	ElementType       string     `json:"elementType"`
	Data              Data       `json:"data"`
	Evidence          []Evidence `json:"evidence"`
	Confidence        Confidence `json:"confidence"`
	Reason            FlagReason `json:"reason"`
	SuggestedQuestion string     `json:"suggestedQuestion,omitempty"`
	// Diff is the revision that is held, where the candidate would change a
	// known element.
	Diff *Diff `json:"diff,omitempty"`
}

// Ambiguity is a fragment with several readings.
type Ambiguity struct {
	ID              string           `json:"id"`
	Description     string           `json:"description"`
	Interpretations []Interpretation `json:"interpretations"`
	SourceTurnID    string           `json:"sourceTurnId"`
	// SourceFragment are the words that are ambiguous.
	SourceFragment string `json:"sourceFragment"`
}

// ConflictType is how a candidate conflicts with an element.
type ConflictType string

// The conflict types of the seed's §8.2.
const (
	ValueMismatch         ConflictType = "value_mismatch"
	SemanticContradiction ConflictType = "semantic_contradiction"
	Redundant             ConflictType = "redundant"
)

// Resolution is what is suggested about a conflict.
type Resolution string

// The resolutions of the seed's §8.2.
const (
	ResolveReplace  Resolution = "replace"
	ResolveMerge    Resolution = "merge"
	ResolveReject   Resolution = "reject"
	ResolveAskHuman Resolution = "ask_human"
)

// Conflict is a contradiction between a candidate and an element.
type Conflict struct {
	ID                  string       `json:"id"`
	ExistingElementID   string       `json:"existingElementId"`
	IncomingCandidate   Candidate    `json:"incomingCandidate"`
	ConflictType        ConflictType `json:"conflictType"`
	Description         string       `json:"description"`
	SuggestedResolution Resolution   `json:"suggestedResolution"`
	// Question quotes both sides; empty where nobody needs to be asked.
	Question string `json:"question,omitempty"`
}

// Clarification is a question that waits for a person.
type Clarification struct {
	ID string `json:"id"`
	// Number is short and unique in the document, from 1.
	Number   int    `json:"number"`
	Question string `json:"question"`
	// Context is the fragment that is unclear, as it was said.
	Context string `json:"context"`
	// Options are the answers offered; empty for an open question.
	Options []string `json:"options"`
	// ElementIDs are the elements it bears on.
	ElementIDs   []string `json:"elementIds"`
	SourceTurnID string   `json:"sourceTurnId"`
	Timestamp    *int64   `json:"timestamp"`
	// Interpretations are the readings behind the options where no element
	// has entered yet (interactive mode).
	Interpretations []Interpretation `json:"interpretations,omitempty"`
	// Evidence are the words that are asked about, for an element that the
	// answer makes.
	Evidence []Evidence `json:"evidence,omitempty"`
	// CandidateID is the candidate that waits for the answer; empty for none.
	CandidateID string `json:"candidateId,omitempty"`
}

// DropReason says why something was left out.
type DropReason string

// The reasons of whole modes; the engine and the domains have further ones.
const (
	// NoConsensus: too few debaters supported it (deliberative).
	NoConsensus DropReason = "no_consensus"
	// TakenBack and Superseded: it was said in the batch, and before the
	// batch ended it no longer held, or something else stood in its place.
	TakenBack  DropReason = "retracted"
	Superseded DropReason = "superseded"
)

// Dropped is something that was seen and left out.
type Dropped struct {
	// Reason is a code such as "no_span", "below_candidate" or "question".
	Reason DropReason `json:"reason"`
	// Text are the words.
	Text   string `json:"text"`
	TurnID string `json:"turnId"`
	// Detail says more, for a person; may be empty.
	Detail string `json:"detail,omitempty"`
}

// Duplicate is a known turn, or an agent's repetition of a known element.
type Duplicate struct {
	ElementID string `json:"elementId,omitempty"`
	TurnID    string `json:"turnId"`
}
