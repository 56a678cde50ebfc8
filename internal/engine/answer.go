package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// ErrOption is wrapped by errors about an answer that is none of the options.
var ErrOption = errors.New("not an option")

// Answered returns the newest open question that a human's turn answers, and
// the option, from 0; nil where it answers none.
func Answered(open []sir.Clarification, turn *sir.Turn) (*sir.Clarification, int) {
	if turn.Speaker != sir.Human || len(open) == 0 {
		return nil, 0
	}
	q := &open[len(open)-1]
	if i := match(q.Options, turn.Content); i >= 0 {
		return q, i
	}
	return nil, 0
}

// match finds the option that a text chooses: by number, by letter, by its
// text, or by content words that it alone has; -1 for none.
func match(options []string, text string) int {
	folded := domain.FoldText(text)
	if folded == "" {
		return -1
	}
	if n, err := strconv.Atoi(folded); err == nil && n >= 1 && n <= len(options) {
		return n - 1
	}
	if len(folded) == 1 {
		if i := int(folded[0]) - 'a'; i >= 0 && i < len(options) {
			return i
		}
	}
	counts := map[string]int{}
	words := make([][]string, len(options))
	for i, o := range options {
		if domain.FoldText(o) == folded {
			return i
		}
		words[i] = contentWords(o)
		for _, w := range words[i] {
			counts[w]++
		}
	}
	said := contentWords(text)
	found := -1
	for i := range options {
		for _, w := range words[i] {
			if counts[w] == 1 && slices.Contains(said, w) {
				if found >= 0 && found != i {
					return -1
				}
				found = i
			}
		}
	}
	return found
}

// contentWords are the words of the open classes, without their commonest
// endings, and "no".
func contentWords(text string) []string {
	const closed = clause.Det | clause.Pron | clause.Prep | clause.Conj | clause.Sub | clause.Aux | clause.Modal | clause.Adv | clause.Wh
	var out []string
	for _, w := range domain.Words(text) {
		if class := clause.ClassOf(w); class&closed == 0 || class&clause.Neg != 0 {
			out = append(out, domain.FoldLabel(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// AskAnswer says what an answer needs to see of the document.
func (d *Domain) AskAnswer(q sir.Clarification) sir.Ask {
	ask := sir.Ask{Domain: d.ID}
	for _, r := range q.Interpretations {
		if d.TypeNamed(r.ElementType) != nil {
			ask.Terms = append(ask.Terms, d.asks(r.ElementType, r.Data)...)
		}
	}
	for _, id := range q.ElementIDs {
		ask.Terms = append(ask.Terms, termID+id)
	}
	return ask
}

// Reply is a person's answer to a question.
type Reply struct {
	Question sir.Clarification
	// Option counts from 0.
	Option int
	// Pending is what waits besides; what bears on the answered element alone
	// is settled with it. An answer in talk settles its question only.
	Pending sir.Pending
	// Reason is why, in the person's words; may be empty.
	Reason string
}

// Answer is [Domain.Reply] to a question alone.
func (d *Domain) Answer(slice *sir.Slice, ask sir.Ask, turn *sir.Turn, q sir.Clarification, option int, mode sir.Mode) (*Outcome, error) {
	return d.Reply(slice, ask, turn, Reply{Question: q, Option: option}, mode)
}

// Reply settles a question: the chosen reading stands, confirmed by a human,
// and the others are kept. ask is what the slice was asked for, at first that
// of [Domain.AskAnswer].
// It returns an error that wraps [ErrOption].
func (d *Domain) Reply(slice *sir.Slice, ask sir.Ask, turn *sir.Turn, r Reply, mode sir.Mode) (*Outcome, error) {
	q := r.Question
	if r.Option < 0 || r.Option >= len(q.Options) {
		return nil, fmt.Errorf("option %d: %w: %q has %d", r.Option+1, ErrOption, q.Question, len(q.Options))
	}
	s := d.settling(slice, ask, &Proposal{Turn: turn}, mode)
	s.pending.Closed = append(s.pending.Closed, q.ID)
	if q.CandidateID != "" {
		s.pending.Closed = append(s.pending.Closed, q.CandidateID)
	}
	switch {
	case r.Option < len(q.Interpretations):
		s.choose(r, q.Interpretations[r.Option])
	case len(q.Interpretations) == 0 && len(q.ElementIDs) > 0:
		s.identify(r)
	}
	if turn.IsAct() {
		s.silent()
	}
	return s.finish()
}

// because is the rationale of what an answer changes.
func (r *Reply) because() string {
	if r.Reason == "" {
		return "answers: " + r.Question.Question
	}
	return "answers: " + r.Question.Question + " " + r.Reason
}

// choose makes a reading stand.
func (s *settling) choose(reply Reply, r sir.Interpretation) {
	q := reply.Question
	t := s.d.TypeNamed(r.ElementType)
	if t == nil {
		return
	}
	c := &domain.Candidate{
		Type: t.Name, Data: r.Data, Span: sir.Span{End: len(s.turn.Content)}, Trigger: domain.TriggerMarker, Rule: "answer",
		Fields: map[string]domain.FieldSource{},
	}
	scores := sir.Scores{Trigger: "act", Base: sir.Certain, Modifiers: []sir.Modifier{}, Cap: sir.Certain}
	var e *sir.Element
	for _, id := range q.ElementIDs {
		if x := s.slice.ByID(id); x != nil && x.Flags.IsAmbiguous {
			e = x
		}
	}
	if e == nil {
		if known, _ := s.find(t, c); known != nil && known.Status.Live() {
			e = known
		}
	}
	c.Quotes = s.askedAbout(q, e)
	var n *sir.Element
	old := sir.Data{}
	if e == nil {
		n = s.mint(t, c, r.Data, sir.Certain, scores)
	} else {
		s.closeWaiting(reply.Pending, e)
		n = s.edit(e.ID)
		old = n.Data
		n.ElementType = t.Name
		n.Data = s.d.compare(t, &sir.Element{Data: complete(t, n.Data)}, c).merged
		s.citeFields(n, c, sir.Certain)
		s.index(n)
	}
	if len(q.Interpretations) > 1 {
		n.Interpretations = q.Interpretations
		n.ResolvedInterpretationID = r.ID
	}
	n.Status, n.Confidence, n.Scores = sir.Confirmed, sir.Certain, scores
	n.Flags = sir.Flags{SourceIsExplicit: e != nil && e.Flags.SourceIsExplicit}
	n.Attribution = s.speaker()
	s.actions[n.ID] = sir.ActionResolved
	if e == nil {
		s.actions[n.ID] = sir.ActionExtracted
	}
	s.reasons[n.ID] = reply.because()
	s.human[n.ID], s.by[n.ID] = true, s.speaker()
	if e != nil {
		s.change(n, old, c)
	}
	s.link(t, n, c, sir.Certain)
	if e != nil {
		s.keepOne(t, n)
	}
}

// askedAbout are the words that a question is about: its own, else those of
// the element that it settles, else of the first that it bears on.
func (s *settling) askedAbout(q sir.Clarification, e *sir.Element) []sir.Evidence {
	switch {
	case len(q.Evidence) > 0:
		return q.Evidence
	case e == nil && len(q.ElementIDs) > 0:
		e = s.slice.ByID(q.ElementIDs[0])
	}
	if e == nil {
		return nil
	}
	return e.Evidence
}

// complete is data with all the fields of a type.
func complete(t *domain.Type, data sir.Data) sir.Data {
	out := t.Blank()
	for k, v := range data {
		if t.FieldNamed(k) != nil {
			out[k] = v
		}
	}
	return out
}

// identify settles "which one is meant": the new element, the first of the
// question's, is the chosen one, or stands for itself.
func (s *settling) identify(reply Reply) {
	q, option := reply.Question, reply.Option
	n := s.slice.ByID(q.ElementIDs[0])
	if n == nil || !n.Status.Live() {
		return
	}
	if option+1 >= len(q.ElementIDs) {
		e := s.edit(n.ID)
		e.Flags.NeedsReview = false
		s.note(n.ID, sir.ActionResolved, reply.because(), true, s.speaker())
		return
	}
	e := s.slice.ByID(q.ElementIDs[option+1])
	if e == nil || !e.Status.Live() {
		return
	}
	t := s.d.TypeNamed(e.ElementType)
	c := &domain.Candidate{Type: t.Name, Data: n.Data, Span: sir.Span{End: len(s.turn.Content)}, Trigger: domain.TriggerMarker, Rule: "answer", Fields: map[string]domain.FieldSource{}, Quotes: n.Evidence}
	o := s.edit(e.ID)
	old := o.Data
	o.Data = s.d.compare(t, e, c).merged
	for _, ev := range n.Evidence {
		adopt(o, ev)
	}
	s.index(o)
	s.note(o.ID, sir.ActionMerged, reply.because(), true, s.speaker())
	s.change(o, old, c)
	s.link(t, o, c, o.Confidence)
	y := s.edit(n.ID)
	y.Status, y.ReplacedByID = sir.Replaced, o.ID
	y.Flags.NeedsReview, y.Flags.IsTentative, y.Flags.IsAmbiguous = false, false, false
	s.note(y.ID, sir.ActionReplaced, reply.because(), true, s.speaker())
}
