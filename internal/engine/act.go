package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// ErrAct is wrapped by errors about an act that cannot be done as things
// stand. They say why, and what can be done instead.
var ErrAct = errors.New("cannot be done")

// Deed is what a person decides about elements that stand.
type Deed struct {
	// Kind is "confirm", "correct", "reject", "deprecate", "replace", "merge",
	// "split" or "reopen".
	Kind string
	// Elements are ids: one; replace: the old and the new; merge: the survivor
	// first.
	Elements []string
	// Data are the fields that a correction changes.
	Data map[string]any
	// Parts are, for each part of a split, the fields in which it differs.
	Parts []map[string]any
	// Reason is why, in the person's words; may be empty.
	Reason string
	// Pending is what waits for a person.
	Pending sir.Pending
	// Scores are, for reopen, the newest that no act gave; nil for none.
	Scores *sir.Scores
	// Successors are, for reopen, the elements that replace it.
	Successors []string
}

// deeds are the acts on elements, by kind. Each returns a sentence that says
// what it did.
var deeds = map[string]func(*acting) (string, error){
	"confirm":   (*acting).confirm,
	"correct":   (*acting).correct,
	"reject":    (*acting).reject,
	"deprecate": (*acting).deprecate,
	"replace":   (*acting).replaceBy,
	"merge":     (*acting).merge,
	"split":     (*acting).split,
	"reopen":    (*acting).reopenIt,
}

// Lacking stands in for a domain that the program does not have: enough to
// confirm, reject, deprecate or replace its elements.
func Lacking(id string) *Domain {
	return &Domain{Domain: &domain.Domain{ID: id}, fixes: &fixes{}}
}

// AskAct says what a deed needs to see of the document.
func (d *Domain) AskAct(x *Deed) sir.Ask {
	ask := sir.Ask{Domain: d.ID}
	for _, id := range slices.Concat(x.Elements, x.Successors) {
		ask.Terms = append(ask.Terms, termID+id)
	}
	return ask
}

// Act works out what a deed does to the document, of which it sees the slice
// that ask names, at first that of [Domain.AskAct]. All elements are of the
// domain.
// It returns an error that wraps [ErrAct].
func (d *Domain) Act(slice *sir.Slice, ask sir.Ask, turn *sir.Turn, x *Deed) (*Outcome, error) {
	do := deeds[x.Kind]
	if do == nil {
		return nil, fmt.Errorf("%s: %w: it is no act on an element", x.Kind, ErrAct)
	}
	a := &acting{d.settling(slice, ask, &Proposal{Turn: turn}, sir.Interactive), x}
	summary, err := do(a)
	if err != nil {
		return nil, fmt.Errorf("%s %w", x.Kind, err)
	}
	a.silent()
	out, err := a.finish()
	if err == nil && out.Result != nil {
		out.Result.Summary = summary + a.closedText()
	}
	return out, err
}

// acting is a settling that carries out a deed.
type acting struct {
	*settling
	x *Deed
}

// silent forgets which values were set: an act is no part of the
// conversation, so that "make that 60" never means what it changed.
func (s *settling) silent() { clear(s.values) }

// target returns the deed's i-th element as it stands.
func (a *acting) target(i int) (*sir.Element, error) {
	if e := a.element(a.x.Elements[i]); e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("element %s: %w: it cannot be looked up", a.x.Elements[i], ErrAct)
}

// live is target for acts on what holds.
func (a *acting) live(i int) (*sir.Element, error) {
	e, err := a.target(i)
	if err == nil && !e.Status.Live() {
		err = a.refuse(e, "it is %s: reopen it first", statusWord(e))
	}
	return e, err
}

// typed is live for acts that mind the fields.
func (a *acting) typed(i int) (*domain.Type, *sir.Element, error) {
	e, err := a.live(i)
	if err != nil {
		return nil, nil, err
	}
	t := a.d.TypeNamed(e.ElementType)
	if t == nil {
		return nil, nil, a.refuse(e, "the domain %s has no such type any more", a.d.ID)
	}
	return t, e, nil
}

func statusWord(e *sir.Element) string {
	switch e.Status {
	case sir.Error:
		return "rejected"
	case sir.Replaced:
		return "replaced by " + e.ReplacedByID
	}
	return string(e.Status)
}

// refuse is an error about an element.
func (a *acting) refuse(e *sir.Element, format string, args ...any) error {
	return fmt.Errorf("%s: %w: "+format, append([]any{a.label(e), ErrAct}, args...)...)
}

// label says in a few words what an element is.
func (s *settling) label(e *sir.Element) string { return s.d.NameOf(e) }

// NameOf says in a few words, on one line, what an element is; by its id
// where the domain lacks its type.
func (d *Domain) NameOf(e *sir.Element) string {
	if d.TypeNamed(e.ElementType) == nil {
		return e.ElementType + " " + e.ID
	}
	return strings.Join(strings.Fields(d.Describe(e.ElementType, e.Data)), " ")
}

// enter sets the one entry that an act gives an element: a person's.
func (s *settling) enter(id string, action sir.Action, reason string) {
	s.actions[id], s.reasons[id], s.human[id], s.by[id] = action, reason, true, s.speaker()
}

// idsOf lists ids for a rationale. An element's history names others by their
// ids alone, so that erasing one takes its words out of all of them.
func idsOf(elements []*sir.Element) string {
	var out []string
	for _, e := range elements {
		out = append(out, e.ID)
	}
	return strings.Join(out, ", ")
}

// because is a rationale with the person's reason, where there is one.
func (a *acting) because(what string) string {
	if a.x.Reason == "" {
		return what
	}
	return what + ": " + a.x.Reason
}

// words are what changed a field: the person's reason, else the command.
func (a *acting) words() string {
	if a.x.Reason != "" {
		return a.x.Reason
	}
	return a.turn.Content
}

// decided makes an element what a person has decided on: confirmed, as sure
// as the act is, nothing left to review.
func decided(e *sir.Element, confidence sir.Confidence) {
	e.Status, e.Confidence = sir.Confirmed, confidence
	e.Scores = sir.Scores{Trigger: "act", Base: confidence, Modifiers: []sir.Modifier{}, Cap: confidence}
	e.Flags = sir.Flags{SourceIsExplicit: e.Flags.SourceIsExplicit}
}

// ended takes an element out of what holds.
func ended(e *sir.Element, status sir.Status, by string) {
	e.Status, e.ReplacedByID = status, by
	e.Flags = sir.Flags{SourceIsExplicit: e.Flags.SourceIsExplicit}
}

// closedText says how much of what waited is settled with it.
func (a *acting) closedText() string {
	n := 0
	for _, q := range a.x.Pending.Clarifications {
		if slices.Contains(a.pending.Closed, q.ID) {
			n++
		}
	}
	for _, c := range a.x.Pending.Conflicts {
		if slices.Contains(a.pending.Closed, c.ID) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return " " + plural(n, "open question") + " settled with it."
}

// names lists labels for a sentence.
func (a *acting) names(elements []*sir.Element) string {
	var out []string
	for _, e := range elements {
		out = append(out, a.label(e))
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " and " + out[n-1]
	}
	return strings.Join(out, "")
}
