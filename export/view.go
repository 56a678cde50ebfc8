package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/speckl/speckl/sir"
)

// view is a document made ready for readers: the live elements in groups,
// who said what they quote, and what was left out.
type view struct {
	doc    *Document
	groups []group
	live   int
	byID   map[string]*sir.Element
	places map[string]place
	// drops counts by reason what was left out, most frequent first.
	drops      []dropCount
	duplicates int
	degraded   []string
}

type group struct {
	title    string
	elements []*sir.Element
}

// place is where a turn stands and who speaks it.
type place struct {
	pos     int // in the document, from 1
	seq     int // in its session, from 1
	session string
	speaker string
	act     bool
}

type dropCount struct {
	reason sir.DropReason
	n      int
}

// newView reads the streams once. onDrop, where given, is shown each drop and
// may want its turn to be looked up.
func newView(d *Document, onDrop func(sir.Dropped) bool) (*view, error) {
	v := &view{doc: d, byID: map[string]*sir.Element{}, places: map[string]place{}}
	for _, e := range d.Elements {
		v.byID[e.ID] = e
		if e.Status.Live() {
			v.live++
			v.wantAll(e.Evidence)
			for _, x := range e.Provenance.Entries {
				v.want(x.TurnID)
			}
		}
	}
	for _, c := range d.Candidates {
		v.wantAll(c.Evidence)
	}
	for _, c := range d.Clarifications {
		v.want(c.SourceTurnID)
	}
	for _, c := range d.Conflicts {
		v.wantAll(c.IncomingCandidate.Evidence)
		if e := v.byID[c.ExistingElementID]; e != nil {
			v.wantAll(e.Evidence)
		}
	}
	v.group()
	if err := v.readResults(onDrop); err != nil {
		return nil, err
	}
	return v, v.readTurns()
}

func (v *view) want(turnID string) {
	if turnID != "" {
		v.places[turnID] = place{}
	}
}

func (v *view) wantAll(evidence []sir.Evidence) {
	for _, e := range evidence {
		v.want(e.TurnID)
	}
}

func (v *view) readResults(onDrop func(sir.Dropped) bool) error {
	if v.doc.Results == nil {
		return nil
	}
	counts := map[sir.DropReason]int{}
	reasons := map[string]bool{}
	for x, err := range v.doc.Results {
		if err != nil {
			return fmt.Errorf("read results: %w", err)
		}
		if x.Result == nil {
			continue
		}
		for _, dr := range x.Result.Dropped {
			counts[dr.Reason]++
			if onDrop != nil && onDrop(dr) {
				v.want(dr.TurnID)
			}
		}
		v.duplicates += len(x.Result.Duplicates)
		for _, s := range x.Result.Metadata.DegradedReasons {
			if !reasons[s] {
				reasons[s] = true
				v.degraded = append(v.degraded, s)
			}
		}
	}
	for reason, n := range counts {
		v.drops = append(v.drops, dropCount{reason, n})
	}
	slices.SortFunc(v.drops, func(a, b dropCount) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.reason, b.reason))
	})
	return nil
}

func (v *view) readTurns() error {
	if v.doc.Turns == nil || len(v.places) == 0 {
		return nil
	}
	pos := 0
	for t, err := range v.doc.Turns {
		if err != nil {
			return fmt.Errorf("read turns: %w", err)
		}
		pos++
		if _, ok := v.places[t.ID]; ok {
			v.places[t.ID] = place{pos: pos, seq: t.Seq, session: t.SessionID, speaker: speaker(t), act: t.IsAct()}
		}
	}
	return nil
}

// group sorts the live elements into groups by type; a type that several
// domains have makes a group for each.
func (v *view) group() {
	type kind struct{ elementType, domain string }
	at := map[kind]int{}
	domains := map[string]map[string]bool{}
	var kinds []kind
	for _, e := range v.doc.Elements {
		if !e.Status.Live() {
			continue
		}
		k := kind{e.ElementType, e.Domain}
		i, ok := at[k]
		if !ok {
			i = len(kinds)
			at[k] = i
			kinds = append(kinds, k)
			v.groups = append(v.groups, group{title: plural(e.ElementType)})
			if domains[e.ElementType] == nil {
				domains[e.ElementType] = map[string]bool{}
			}
			domains[e.ElementType][e.Domain] = true
		}
		v.groups[i].elements = append(v.groups[i].elements, e)
	}
	for i, k := range kinds {
		if len(domains[k.elementType]) > 1 {
			v.groups[i].title += " (" + k.domain + ")"
		}
	}
	rank := func(g group) int {
		if i := slices.Index(v.doc.Types, g.elements[0].ElementType); i >= 0 {
			return i
		}
		return len(v.doc.Types)
	}
	slices.SortStableFunc(v.groups, func(a, b group) int { return cmp.Compare(rank(a), rank(b)) })
}

// who says who spoke a turn and which it was: "Ann, turn 3".
func (v *view) who(turnID string) string {
	p, ok := v.places[turnID]
	switch {
	case !ok || p.pos == 0:
		return "turn " + turnID
	case p.act:
		return p.speaker + ", by act"
	case len(v.doc.Sessions) > 1:
		return fmt.Sprintf("%s, turn %d of %s", p.speaker, p.seq, p.session)
	}
	return fmt.Sprintf("%s, turn %d", p.speaker, p.seq)
}

// speaker is the name, else the agent's id, else the role.
func speaker(t *sir.Turn) string {
	if t.IsAct() && t.SpeakerName == nil {
		return "somebody"
	}
	return oneLine(cmp.Or(t.Name(), t.AgentID, string(t.Speaker)))
}

// confidence is a word and the number: "low 0.55".
func confidence(c sir.Confidence) string { return c.Word() + " " + c.String() }

// marks are an element's status and flags as words.
func marks(e *sir.Element) []string {
	var out []string
	add := func(on bool, word string) {
		if on {
			out = append(out, word)
		}
	}
	add(e.Status == sir.Confirmed, "confirmed")
	add(e.Flags.IsTentative, "tentative")
	add(e.Flags.IsAmbiguous, "ambiguous")
	add(e.Flags.IsContradicted, "contradicted")
	add(e.Flags.NeedsReview, "needs review")
	return out
}

// evidenceNote says what the i-th words are for, where they support only some
// fields and were found by a rule: "from, by focus".
func (v *view) evidenceNote(e *sir.Element, i int) string {
	var parts []string
	for _, k := range keys(v.doc, e.Domain, e.ElementType, e.Fields) {
		if f := e.Fields[k]; f.Rule != nil && len(f.Evidence) == 1 && f.Evidence[0] == i {
			parts = append(parts, words(k)+", by "+words(*f.Rule))
		}
	}
	return strings.Join(parts, "; ")
}

// openReadings are the readings of an ambiguous element that no clarification
// offers already.
func (v *view) openReadings(e *sir.Element) []sir.Interpretation {
	if e.ResolvedInterpretationID != "" || v.asked(e.ID) {
		return nil
	}
	return e.Interpretations
}

// openGaps are an element's gaps that no clarification asks about already.
func (v *view) openGaps(e *sir.Element) []string {
	if v.asked(e.ID) {
		return nil
	}
	return v.doc.gaps(e)
}

func (v *view) asked(id string) bool {
	return slices.ContainsFunc(v.doc.Clarifications, func(c sir.Clarification) bool {
		return slices.Contains(c.ElementIDs, id)
	})
}

// allGaps are the open gaps of all live elements, in printing order.
func (v *view) allGaps() []gap {
	var out []gap
	for _, g := range v.groups {
		for _, e := range g.elements {
			for _, q := range v.openGaps(e) {
				out = append(out, gap{e, oneLine(q)})
			}
		}
	}
	return out
}

type gap struct {
	element  *sir.Element
	question string
}

// summary is the document in a line or two.
func (v *view) summary() string {
	s := v.doc.Stats
	out := fmt.Sprintf("%s from %s", count(v.live, "element"), count(s.TotalTurns, "turn"))
	if v.live > 0 {
		out += fmt.Sprintf(": %d confirmed, %d tentative; average confidence %s",
			s.ConfirmedElements, s.TentativeElements, s.AvgConfidence)
	}
	if n := len(v.doc.Clarifications); n > 0 {
		out += fmt.Sprintf("; %s open", count(n, "question"))
	}
	return out + "."
}

// dropLine lists what was left out: "2 only asked, 1 too weak".
func (v *view) dropLine() string {
	var parts []string
	for _, x := range v.drops {
		parts = append(parts, fmt.Sprintf("%d %s", x.n, dropWords(x.reason)))
	}
	return strings.Join(parts, ", ")
}

// dropPhrases say the reasons in words that follow a number.
var dropPhrases = map[sir.DropReason]string{
	"question":        "only asked",
	"hypothetical":    "only imagined",
	"negated":         "negated",
	"past":            "about the past",
	"reported":        "only reported",
	"retracted":       "taken back",
	"quoted":          "quoted from another",
	"no_span":         "without words that support it",
	"below_candidate": "too weak",
	"rejected_before": "rejected before",
	"no_time":         "without a time",
}

func dropWords(r sir.DropReason) string {
	if s, ok := dropPhrases[r]; ok {
		return s
	}
	return words(string(r))
}

// count is "1 turn", "2 turns", "1,200 turns".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + noun
}

// clock prints a turn's time in UTC; a turn without one has none.
func clock(ms *int64) string {
	if ms == nil {
		return ""
	}
	return time.UnixMilli(*ms).UTC().Format("2006-01-02 15:04")
}
