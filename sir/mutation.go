package sir

import "encoding/json"

// MutationKind is what a record of the log does.
type MutationKind string

// The kinds. Created, Updated, DeprecatedKind, ReplacedKind change one
// element; Act and TurnKind bring a turn into the chain; DocumentKind opens
// the document and PendingKind keeps what waits for a person; Erased names
// records whose payloads were erased.
const (
	Created        MutationKind = "created"
	Updated        MutationKind = "updated"
	DeprecatedKind MutationKind = "deprecated"
	ReplacedKind   MutationKind = "replaced"
	Act            MutationKind = "act"
	Erased         MutationKind = "erased"
	TurnKind       MutationKind = "turn"
	DocumentKind   MutationKind = "document"
	PendingKind    MutationKind = "pending"
)

// Mutation is one record of a document's log. Records are chained: Hash
// covers PrevHash and, through PayloadHash, the payload.
type Mutation struct {
	// Seq counts the document's records from 1.
	Seq        int64  `json:"seq"`
	DocumentID string `json:"documentId"`
	// DocVersion is the document's version that this record is part of.
	DocVersion int `json:"docVersion"`
	// TurnID is the turn or act that caused it.
	TurnID string `json:"turnId"`
	// ElementID is the element it changes; empty where it changes none.
	ElementID string       `json:"elementId"`
	Kind      MutationKind `json:"kind"`
	// Version is the element's version after it; 0 without an element.
	Version int `json:"version"`
	// Payload is a [Payload] as canonical JSON; nil once erased.
	Payload json.RawMessage `json:"payload"`
	// Body is the payload before it is encoded, set by who makes a mutation;
	// [Seal] encodes it where Payload is nil. Of a record that was read it is
	// what Payload says, where the store has decoded that anyway.
	Body *Payload `json:"-"`
	// At is the turn's own time, RecordedAt the clock's at commit; Unix ms.
	At          *int64      `json:"at"`
	RecordedAt  *int64      `json:"recordedAt"`
	Attribution Attribution `json:"attribution"`
	// Salt is mixed into PayloadHash and erased with the payload.
	Salt        []byte `json:"salt,omitempty"`
	PayloadHash string `json:"payloadHash"`
	PrevHash    string `json:"prevHash"`
	Hash        string `json:"hash"`
}

// Payload is what a mutation carries: exactly one of its parts.
type Payload struct {
	Document *Header        `json:"document,omitempty"`
	Turn     *Turn          `json:"turn,omitempty"`
	Element  *Element       `json:"element,omitempty"`
	Patch    *Patch         `json:"patch,omitempty"`
	Pending  *PendingChange `json:"pending,omitempty"`
	Erased   *Erasure       `json:"erased,omitempty"`
	// Values are the values that the turn's speaker set with this mutation,
	// beside Element or Patch.
	Values []ValueSet `json:"values,omitempty"`
}

// Erasure names the records whose payloads are erased from then on.
type Erasure struct {
	// Records are their numbers, ascending.
	Records []int64 `json:"records"`
}

// Patch is the difference between two versions of an element; nil parts are
// unchanged. Version and UpdatedAt come from the mutation.
type Patch struct {
	ElementType *string     `json:"elementType,omitempty"`
	Confidence  *Confidence `json:"confidence,omitempty"`
	Status      *Status     `json:"status,omitempty"`
	// Data has the changed fields only.
	Data map[string]any `json:"data,omitempty"`
	// Fields has the changed entries; a nil entry removes the field's.
	Fields map[string]*Field `json:"fields,omitempty"`
	// Evidence, Entries and Keys are appended.
	Evidence []Evidence `json:"evidence,omitempty"`
	Entries  []Entry    `json:"entries,omitempty"`
	Keys     []string   `json:"keys,omitempty"`
	// Refs, Terms and Interpretations replace the old lists.
	Refs                     *[]Ref            `json:"refs,omitempty"`
	Terms                    *[]string         `json:"terms,omitempty"`
	Interpretations          *[]Interpretation `json:"interpretations,omitempty"`
	ResolvedInterpretationID *string           `json:"resolvedInterpretationId,omitempty"`
	ReplacesID               *string           `json:"replacesId,omitempty"`
	ReplacedByID             *string           `json:"replacedById,omitempty"`
	Attribution              *Attribution      `json:"attribution,omitempty"`
	Scores                   *Scores           `json:"scores,omitempty"`
	Flags                    *Flags            `json:"flags,omitempty"`
}

// ValueSet records that the turn's speaker set a value of a kind, so that a
// later "make that 60" finds what "that" is.
type ValueSet struct {
	// Speaker is a [Turn.SpeakerKey].
	Speaker string `json:"speaker"`
	// Kind is the domain's kind of value, such as "duration".
	Kind  string `json:"kind"`
	Field string `json:"field"`
}

// PendingChange is what a turn or act adds to, or takes from, what waits
// for a person.
type PendingChange struct {
	Candidates     []Candidate     `json:"candidates,omitempty"`
	Clarifications []Clarification `json:"clarifications,omitempty"`
	Conflicts      []Conflict      `json:"conflicts,omitempty"`
	// Closed are ids of candidates, clarifications and conflicts that no
	// longer wait.
	Closed []string `json:"closed,omitempty"`
}
