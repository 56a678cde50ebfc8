package export

import "github.com/speckl/speckl/sir"

// The printed shapes: the fields of the sir types in the contract's order,
// lists never null, data in the domain's order. A test holds them to sir.

type elementShape struct {
	ID                       string                `json:"id"`
	ElementType              string                `json:"elementType"`
	Domain                   string                `json:"domain"`
	Confidence               sir.Confidence        `json:"confidence"`
	Status                   sir.Status            `json:"status"`
	Version                  int                   `json:"version"`
	CreatedAt                *int64                `json:"createdAt"`
	UpdatedAt                *int64                `json:"updatedAt"`
	Data                     ordered               `json:"data"`
	Fields                   ordered               `json:"fields"`
	Evidence                 []sir.Evidence        `json:"evidence"`
	Refs                     []sir.Ref             `json:"refs,omitempty"`
	ReplacesID               string                `json:"replacesId,omitempty"`
	ReplacedByID             string                `json:"replacedById,omitempty"`
	Interpretations          []interpretationShape `json:"interpretations,omitempty"`
	ResolvedInterpretationID string                `json:"resolvedInterpretationId,omitempty"`
	Attribution              sir.Attribution       `json:"attribution"`
	Scores                   sir.Scores            `json:"scores"`
	Flags                    sir.Flags             `json:"flags"`
	Provenance               sir.Provenance        `json:"provenance"`
	Keys                     []string              `json:"keys,omitempty"`
}

type interpretationShape struct {
	ID          string         `json:"id"`
	ElementType string         `json:"elementType"`
	Data        ordered        `json:"data"`
	Confidence  sir.Confidence `json:"confidence"`
	Rationale   string         `json:"rationale"`
	ProposedBy  string         `json:"proposedBy"`
}

type candidateShape struct {
	CandidateID       string         `json:"candidateId"`
	ElementType       string         `json:"elementType"`
	Data              ordered        `json:"data"`
	Evidence          []sir.Evidence `json:"evidence"`
	Confidence        sir.Confidence `json:"confidence"`
	Reason            sir.FlagReason `json:"reason"`
	SuggestedQuestion string         `json:"suggestedQuestion,omitempty"`
	Diff              *sir.Diff      `json:"diff,omitempty"`
}

type clarificationShape struct {
	ID              string                `json:"id"`
	Number          int                   `json:"number"`
	Question        string                `json:"question"`
	Context         string                `json:"context"`
	Options         []string              `json:"options"`
	ElementIDs      []string              `json:"elementIds"`
	SourceTurnID    string                `json:"sourceTurnId"`
	Timestamp       *int64                `json:"timestamp"`
	Interpretations []interpretationShape `json:"interpretations,omitempty"`
	Evidence        []sir.Evidence        `json:"evidence,omitempty"`
	CandidateID     string                `json:"candidateId,omitempty"`
}

type ambiguityShape struct {
	ID              string                `json:"id"`
	Description     string                `json:"description"`
	Interpretations []interpretationShape `json:"interpretations"`
	SourceTurnID    string                `json:"sourceTurnId"`
	SourceFragment  string                `json:"sourceFragment"`
}

type conflictShape struct {
	ID                  string           `json:"id"`
	ExistingElementID   string           `json:"existingElementId"`
	IncomingCandidate   candidateShape   `json:"incomingCandidate"`
	ConflictType        sir.ConflictType `json:"conflictType"`
	Description         string           `json:"description"`
	SuggestedResolution sir.Resolution   `json:"suggestedResolution"`
	Question            string           `json:"question,omitempty"`
}

// changeShape refers to an element; the element itself stands in "elements".
type changeShape struct {
	ElementID string           `json:"elementId"`
	Action    sir.MutationKind `json:"action"`
	Version   int              `json:"version"`
}

type noiseShape struct {
	Noise int `json:"noise"`
}

type resultShape struct {
	ExtractionID   string               `json:"extractionId"`
	Status         string               `json:"status,omitempty"`
	Token          string               `json:"token,omitempty"`
	Mode           sir.Mode             `json:"mode"`
	SourceTurnIDs  []string             `json:"sourceTurnIds"`
	Added          []changeShape        `json:"added"`
	Refined        []changeShape        `json:"refined"`
	Deprecated     []changeShape        `json:"deprecated"`
	Flagged        []candidateShape     `json:"flagged"`
	Ambiguities    []ambiguityShape     `json:"ambiguities"`
	Conflicts      []conflictShape      `json:"conflicts"`
	Clarifications []clarificationShape `json:"clarifications"`
	Dropped        []sir.Dropped        `json:"dropped"`
	Duplicates     []sir.Duplicate      `json:"duplicates"`
	Summary        string               `json:"summary"`
	Timestamp      *int64               `json:"timestamp"`
	Metadata       sir.ResultMetadata   `json:"metadata"`
}

func (d *Document) elementShape(e *sir.Element) elementShape {
	s := elementShape{
		ID: e.ID, ElementType: e.ElementType, Domain: e.Domain,
		Confidence: e.Confidence, Status: e.Status, Version: e.Version,
		CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
		Data: d.dataShape(e.Domain, e.ElementType, e.Data), Evidence: orEmpty(e.Evidence),
		Fields: ordered{keys(d, e.Domain, e.ElementType, e.Fields), func(k string) any {
			f := e.Fields[k]
			f.Evidence = orEmpty(f.Evidence)
			return f
		}},
		Refs: e.Refs, ReplacesID: e.ReplacesID, ReplacedByID: e.ReplacedByID,
		ResolvedInterpretationID: e.ResolvedInterpretationID,
		Attribution:              e.Attribution, Scores: e.Scores, Flags: e.Flags,
		Provenance: sir.Provenance{Entries: orEmpty(e.Provenance.Entries)}, Keys: e.Keys,
	}
	s.Scores.Modifiers = orEmpty(s.Scores.Modifiers)
	s.Interpretations = mapped(e.Interpretations, func(i sir.Interpretation) interpretationShape {
		return d.interpretationShape(e.Domain, i)
	})
	return s
}

func (d *Document) dataShape(domain, elementType string, data sir.Data) ordered {
	return ordered{keys(d, domain, elementType, data), func(k string) any { return data[k] }}
}

func (d *Document) interpretationShape(domain string, i sir.Interpretation) interpretationShape {
	return interpretationShape{ID: i.ID, ElementType: i.ElementType, Data: d.dataShape(domain, i.ElementType, i.Data),
		Confidence: i.Confidence, Rationale: i.Rationale, ProposedBy: i.ProposedBy}
}

func (d *Document) readings(is []sir.Interpretation) []interpretationShape {
	return mapped(is, func(i sir.Interpretation) interpretationShape { return d.interpretationShape("", i) })
}

func (d *Document) candidateShape(c sir.Candidate) candidateShape {
	return candidateShape{CandidateID: c.CandidateID, ElementType: c.ElementType,
		Data: d.dataShape("", c.ElementType, c.Data), Evidence: orEmpty(c.Evidence), Confidence: c.Confidence,
		Reason: c.Reason, SuggestedQuestion: c.SuggestedQuestion, Diff: c.Diff}
}

func (d *Document) clarificationShape(c sir.Clarification) clarificationShape {
	return clarificationShape{Evidence: c.Evidence, CandidateID: c.CandidateID, ID: c.ID, Number: c.Number, Question: c.Question, Context: c.Context,
		Options: orEmpty(c.Options), ElementIDs: orEmpty(c.ElementIDs), SourceTurnID: c.SourceTurnID,
		Timestamp: c.Timestamp, Interpretations: d.readings(c.Interpretations)}
}

func (d *Document) ambiguityShape(a sir.Ambiguity) ambiguityShape {
	return ambiguityShape{ID: a.ID, Description: a.Description, Interpretations: d.readings(a.Interpretations),
		SourceTurnID: a.SourceTurnID, SourceFragment: a.SourceFragment}
}

func (d *Document) conflictShape(c sir.Conflict) conflictShape {
	return conflictShape{ID: c.ID, ExistingElementID: c.ExistingElementID,
		IncomingCandidate: d.candidateShape(c.IncomingCandidate), ConflictType: c.ConflictType,
		Description: c.Description, SuggestedResolution: c.SuggestedResolution, Question: c.Question}
}

// resultShape is a result, or {"noise": n}.
func (d *Document) resultShape(x ResultOrNoise) any {
	r := x.Result
	if r == nil {
		return noiseShape{x.Noise}
	}
	s := resultShape{ExtractionID: r.ExtractionID, Status: r.Status, Token: r.Token, Mode: r.Mode,
		SourceTurnIDs: orEmpty(r.SourceTurnIDs), Added: mapped(r.Added, change),
		Refined: mapped(r.Refined, change), Deprecated: mapped(r.Deprecated, change),
		Flagged: mapped(r.Flagged, d.candidateShape), Ambiguities: mapped(r.Ambiguities, d.ambiguityShape),
		Conflicts: mapped(r.Conflicts, d.conflictShape), Clarifications: mapped(r.Clarifications, d.clarificationShape),
		Dropped: orEmpty(r.Dropped), Duplicates: orEmpty(r.Duplicates),
		Summary: r.Summary, Timestamp: r.Timestamp, Metadata: r.Metadata}
	s.Metadata.DegradedReasons = orEmpty(s.Metadata.DegradedReasons)
	return s
}

func change(c sir.Change) changeShape {
	s := changeShape{ElementID: c.ElementID, Action: c.Action, Version: c.Provenance.Version}
	if c.Element != nil {
		s.Version = c.Element.Version
	}
	return s
}

// mapped is f over s; never nil.
func mapped[A, B any](s []A, f func(A) B) []B {
	out := make([]B, 0, len(s))
	for _, x := range s {
		out = append(out, f(x))
	}
	return out
}
