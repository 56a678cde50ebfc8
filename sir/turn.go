package sir

// Role is who speaks: a person or an agent.
type Role string

// The two roles.
const (
	Human Role = "human"
	Agent Role = "agent"
)

// Valid reports whether r is one of the two roles.
func (r Role) Valid() bool { return r == Human || r == Agent }

// Turn is one thing that somebody said. It never changes once it is stored.
type Turn struct {
	// ID is the source's own message id, else derived from the content
	// (see [TurnID]).
	ID string `json:"id"`
	// SessionID names the conversation: the source's own id, else the file's
	// base name, else "stdin". It is never a path.
	SessionID string `json:"sessionId"`
	// Seq is the position in the session, from 1.
	Seq int `json:"seq"`
	// Timestamp is Unix milliseconds; nil where the source has none.
	Timestamp *int64 `json:"timestamp"`
	// Speaker is the role.
	Speaker Role `json:"speaker"`
	// SpeakerName is the name as the source has it; nil for nobody.
	SpeakerName *string `json:"speakerName"`
	// AgentID names the agent that speaks, where the source knows it.
	AgentID string `json:"agentId,omitempty"`
	// Content is UTF-8 without U+0000, stored as received.
	Content string `json:"content"`
	// ParentTurnID is the turn this one replies to; empty for none.
	ParentTurnID string `json:"parentTurnId,omitempty"`
	// Metadata holds hints of the reader; nil for none.
	Metadata *Metadata `json:"metadata,omitempty"`
}

// Metadata is what a reader knew about a turn beyond its words.
type Metadata struct {
	// ExplicitMarkers are markers that the source found ("spec:").
	ExplicitMarkers []string `json:"explicitMarkers,omitempty"`
	// StructuredBlock counts only where its content stands in the turn.
	StructuredBlock *StructuredBlock `json:"structuredBlock,omitempty"`
	// Source says where the turn was read.
	Source *Source `json:"source,omitempty"`
	// Kind is "message", "media", "deleted", "forwarded" or "act".
	Kind string `json:"kind,omitempty"`
	// Edits are earlier wordings of an edited message, oldest first.
	Edits []string `json:"edits,omitempty"`
	// TZ is the speaker's IANA zone.
	TZ string `json:"tz,omitempty"`
	// Mode overrides the mode of extraction for this turn.
	Mode Mode `json:"mode,omitempty"`
	// Quoted are byte ranges [start, end) of Content that are another's
	// words (block quotes).
	Quoted [][2]int `json:"quoted,omitempty"`
}

// StructuredBlock is a block that a pre-parser found in a turn.
type StructuredBlock struct {
	// Type is "spec", "code" or "diagram".
	Type string `json:"type"`
	// Language is the fence's language tag.
	Language string `json:"language,omitempty"`
	// Content is the block's text, without the fence.
	Content string `json:"content"`
}

// Source is a place in a conversation file.
type Source struct {
	// File is the base name.
	File string `json:"file"`
	// Record counts the file's records (lines, cues, messages) from 1.
	Record int `json:"record"`
}

// Name is the speaker's name, or "" for nobody.
func (t *Turn) Name() string {
	if t.SpeakerName == nil {
		return ""
	}
	return *t.SpeakerName
}

// SpeakerKey tells speakers apart: turns without a name in one session and
// role count as one speaker.
func (t *Turn) SpeakerKey() string {
	switch {
	case t.SpeakerName != nil:
		return string(t.Speaker) + "|" + *t.SpeakerName
	case t.AgentID != "":
		return string(t.Speaker) + "|@" + t.AgentID
	}
	return string(t.Speaker) + "|#" + t.SessionID
}

// The kinds of turn that nobody said: an act, and one that was erased.
const (
	kindAct    = "act"
	kindErased = "erased"
)

// IsErased reports whether the turn's words, and who said them, were erased.
func (t *Turn) IsErased() bool { return t.Metadata != nil && t.Metadata.Kind == kindErased }

// ErasedTurn is what is left of a turn, or an act, whose record's payload
// was erased: id, time and role.
func ErasedTurn(m *Mutation) *Turn {
	t := &Turn{ID: m.TurnID, Timestamp: m.At, Speaker: Human, Metadata: &Metadata{Kind: kindErased}}
	if m.Kind == Act {
		t.Metadata.Kind = kindAct
	}
	if m.Attribution.Type == ByAgent {
		t.Speaker = Agent
	}
	return t
}

// IsAct reports whether the turn records an act of a person on the document;
// such a turn is never input to extraction.
func (t *Turn) IsAct() bool { return t.Metadata != nil && t.Metadata.Kind == kindAct }
