package sir

// Ask says what a turn needs to see of a document. The engine works on what
// was asked for, never on the whole document.
type Ask struct {
	// Domain is whose values and last turns are meant: a domain that runs
	// late must not see what another has read since. Empty: any domain's.
	Domain string
	// Terms: elements that carry any of these (see [Element.Terms]).
	Terms []string
	// Values: the newest value of a kind that a speaker set.
	Values []ValueKey
	// LastTurnOf: the elements that each speaker's last turn touched; none
	// where that turn touched none. Turn is the turn at hand, which is nobody's
	// last.
	LastTurnOf []string
	Turn       string
}

// ValueKey asks for the newest value of a kind by a speaker.
type ValueKey struct {
	Speaker string
	Kind    string
}

// Newest is where a speaker last set values of a kind: all of one turn.
type Newest struct {
	TurnID string
	Values []ValueAt
}

// ValueAt is one field of one element.
type ValueAt struct {
	ElementID string
	Field     string
}

// Slice is the part of a document that an [Ask] named, with its neighbours
// (elements that are referred to). It is read-only.
type Slice struct {
	Header Header
	// Elements are in the order in which they were created.
	Elements []*Element
	// Newest answers Ask.Values; an absent key was never set.
	Newest map[ValueKey]Newest
	// LastTurn answers Ask.LastTurnOf: speaker key to turn id; absent where
	// the last turn touched nothing.
	LastTurn map[string]string
	// Open are the clarifications that wait.
	Open []Clarification
	// Generations counts, by birth key, the slice's elements born with it,
	// of any type (see [Slice.Generation]).
	Generations map[string]int
	// NextClarification is the number that the next clarification takes.
	NextClarification int
}

// ByID returns the element of that id, or nil.
func (s *Slice) ByID(id string) *Element {
	for _, e := range s.Elements {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// Generation is the generation of an element that is born now (see
// [ElementID]): it counts the slice's elements of that domain and type that
// were born with the key. The key must have been asked for.
func (s *Slice) Generation(domain, elementType, birthKey string) int {
	n := 0
	for _, e := range s.Elements {
		if e.Domain == domain && e.ElementType == elementType && len(e.Keys) > 0 && e.Keys[0] == birthKey {
			n++
		}
	}
	return n
}

// WithTerm returns the elements that carry the term, oldest first.
func (s *Slice) WithTerm(term string) []*Element {
	var out []*Element
	for _, e := range s.Elements {
		for _, t := range e.Terms {
			if t == term {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// Header is what a document is, apart from what stands in it.
type Header struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	OrganizationID string `json:"organizationId"`
	// Domains are the active domains, the main one first.
	Domains []string `json:"domains"`
	// Version counts committed (turn, domain) pairs and acts that changed
	// something.
	Version int `json:"version"`
	// Metadata tells how the domains were chosen; nil where they were given.
	Metadata *DocumentMetadata `json:"metadata,omitempty"`
}

// DocumentMetadata tells how a document's domains were chosen.
type DocumentMetadata struct {
	Domain    string     `json:"domain"`
	Detection *Detection `json:"detection,omitempty"`
}

// Detection is the outcome of looking for the domain of a conversation.
type Detection struct {
	Domain     string     `json:"domain"`
	Confidence Confidence `json:"confidence"`
	// Scores by domain, in tenths of a point where the design counts points
	// and half points: a marker is 50, a pattern 20, a keyword 5.
	Scores map[string]Points `json:"scores"`
}

// Head is the newest link of a document's chain.
type Head struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
}
