package export

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/speckl/speckl/sir"
)

// Document is a view of a document that every writer takes. It owns nothing:
// turns and results are streams over where they are kept.
type Document struct {
	Header   sir.Header
	Sessions []Session
	// Turns yields the document's turns in order. It is ranged over more than
	// once (a writer first looks up who said what it quotes) and must yield
	// the same each time. nil is no turns.
	Turns iter.Seq2[*sir.Turn, error]
	// Elements of every status, in printing order (see [Sort]). Writers for
	// people (text, Markdown, HTML) leave out those that are not live.
	Elements []*sir.Element
	// Candidates is the pool: what was seen and did not enter.
	Candidates     []sir.Candidate
	Clarifications []sir.Clarification
	Conflicts      []sir.Conflict
	// Results yields what each extraction did, and may be ranged over more
	// than once; nil leaves "results" out, as `show` does.
	Results iter.Seq2[ResultOrNoise, error]
	Stats   sir.Stats

	// Labels says in one line what an element is; nil, or an empty answer,
	// falls back to [Label]. It is also asked about readings and candidates,
	// which have a type and data only.
	Labels func(*sir.Element) string
	// Gaps lists what would have to be asked to complete an element; nil
	// falls back to [Gaps].
	Gaps func(*sir.Element) []string
	// Fields lists the data fields of a type in the domain's order; nil, or
	// nil for a type, means by name. Fields that it leaves out come last. The
	// domain is empty for candidates and readings, which do not say theirs.
	Fields func(domain, elementType string) []string
	// Types is the order in which writers for people group elements; types
	// that it leaves out follow in the order in which they appear.
	Types []string
}

// Session is one conversation of a document.
type Session struct {
	ID string `json:"id"`
	// Turns counts them.
	Turns int `json:"turns"`
	// Participants are the speakers' names in order of appearance.
	Participants []string `json:"participants"`
	// StartedAt is the first turn's time, Unix ms; nil where it has none.
	StartedAt *int64 `json:"startedAt"`
}

// Empty reports whether there is nothing to show a reader: no live element,
// nothing held back and nothing that waits for an answer. [Text] and
// [Markdown] then write nothing.
func (d *Document) Empty() bool {
	return len(d.Candidates)+len(d.Clarifications)+len(d.Conflicts) == 0 &&
		!slices.ContainsFunc(d.Elements, func(e *sir.Element) bool { return e.Status.Live() })
}

// label asks the domain, then the shape of the data.
func (d *Document) label(e *sir.Element) string {
	if d.Labels != nil {
		if s := oneLine(d.Labels(e)); s != "" {
			return s
		}
	}
	return Label(e)
}

// labelOf labels something that is no element yet.
func (d *Document) labelOf(elementType string, data sir.Data) string {
	domain := ""
	if len(d.Header.Domains) == 1 {
		domain = d.Header.Domains[0]
	}
	return d.label(&sir.Element{ElementType: elementType, Domain: domain, Data: data})
}

func (d *Document) gaps(e *sir.Element) []string {
	if d.Gaps != nil {
		return d.Gaps(e)
	}
	return Gaps(e)
}

// keys lists the keys of m: those of the domain's order first, then the rest
// by name.
func keys[V any](d *Document, domain, elementType string, m map[string]V) []string {
	out := make([]string, 0, len(m))
	if d.Fields != nil {
		for _, k := range d.Fields(domain, elementType) {
			if _, ok := m[k]; ok && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	n := len(out)
	for k := range m {
		if !slices.Contains(out[:n], k) {
			out = append(out, k)
		}
	}
	slices.Sort(out[n:])
	return out
}

// Sort puts elements into printing order: by their first evidence (turn, then
// byte), type and id; elements without evidence come last. position gives a
// turn's place in the document; a negative one is unknown and comes last.
func Sort(elements []*sir.Element, position func(turnID string) int) {
	type at struct{ turn, start int }
	const last = int(^uint(0) >> 1)
	places := make(map[*sir.Element]at, len(elements))
	for _, e := range elements {
		p := at{turn: last}
		if len(e.Evidence) > 0 {
			if n := position(e.Evidence[0].TurnID); n >= 0 {
				p = at{n, e.Evidence[0].Bytes[0]}
			}
		}
		places[e] = p
	}
	slices.SortStableFunc(elements, func(a, b *sir.Element) int {
		pa, pb := places[a], places[b]
		return cmp.Or(cmp.Compare(pa.turn, pb.turn), cmp.Compare(pa.start, pb.start),
			cmp.Compare(a.ElementType, b.ElementType), cmp.Compare(a.ID, b.ID))
	})
}

// Sessions derives the sessions of a sequence of turns, in order of
// appearance; acts are no part of a conversation and are not counted. It
// returns the sequence's error.
func Sessions(turns iter.Seq2[*sir.Turn, error]) ([]Session, error) {
	var out []Session
	index := map[string]int{}
	seen := map[[2]string]bool{}
	for t, err := range turns {
		if err != nil {
			return nil, fmt.Errorf("read turns: %w", err)
		}
		if t.IsAct() || t.IsErased() { // of whom nobody knows the session any more
			continue
		}
		i, ok := index[t.SessionID]
		if !ok {
			i = len(out)
			index[t.SessionID] = i
			out = append(out, Session{ID: t.SessionID, Participants: []string{}, StartedAt: t.Timestamp})
		}
		out[i].Turns++
		if who := [2]string{t.SessionID, t.Name()}; t.SpeakerName != nil && !seen[who] {
			seen[who] = true
			out[i].Participants = append(out[i].Participants, *t.SpeakerName)
		}
	}
	return out, nil
}
