package sir

// Provenance is an element's history. Entries are only ever appended.
type Provenance struct {
	Entries []Entry `json:"entries"`
}

// Action is what happened to an element.
type Action string

// The actions.
const (
	ActionExtracted  Action = "extracted"
	ActionRefined    Action = "refined"
	ActionConfirmed  Action = "confirmed"
	ActionDeprecated Action = "deprecated"
	ActionReplaced   Action = "replaced"
	ActionMerged     Action = "merged"
	ActionSplit      Action = "split"
	ActionFlagged    Action = "flagged"
	ActionReopened   Action = "reopened"
	ActionResolved   Action = "resolved"
)

// Entry is one event in an element's history.
type Entry struct {
	// TurnID is the turn, or the act, that caused it.
	TurnID string `json:"turnId"`
	// Action is what happened.
	Action Action `json:"action"`
	// AgentID is the agent that spoke the turn; empty for people.
	AgentID string `json:"agentId,omitempty"`
	// Version is the element's version after the event.
	Version int `json:"version"`
	// HumanConfirmed: a marker or block that a human wrote, a confirmation,
	// a correction by act, an answer. Never mere talk.
	HumanConfirmed bool `json:"humanConfirmed"`
	// Timestamp is the turn's time, Unix ms; nil where it has none.
	Timestamp *int64 `json:"timestamp"`
	// ConfidenceAtTime is the element's confidence after the event.
	ConfidenceAtTime Confidence `json:"confidenceAtTime"`
	// ExtractionRationale says why, in a sentence.
	ExtractionRationale string `json:"extractionRationale,omitempty"`
	// Diff says what changed; nil where nothing did.
	Diff *Diff `json:"diff,omitempty"`
	// Attribution is who or what caused it.
	Attribution Attribution `json:"attribution"`
}

// Diff is what changed between two versions of an element.
type Diff struct {
	FromVersion   int           `json:"fromVersion"`
	ToVersion     int           `json:"toVersion"`
	TriggerTurnID string        `json:"triggerTurnId"`
	Changes       []FieldChange `json:"changes"`
}

// FieldChange is one changed field; a list is one value.
type FieldChange struct {
	// Field begins with the element's type: "state.timeout".
	Field    string `json:"field"`
	OldValue any    `json:"oldValue"`
	NewValue any    `json:"newValue"`
	// Reason are the words that changed it.
	Reason string `json:"reason"`
}
