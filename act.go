package speckl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// ErrAct is wrapped by errors about an act that cannot be done as things
// stand: on an element that no longer holds, with a field that there is not.
// They say why, and what can be done instead.
var ErrAct = engine.ErrAct

// ErrNothingToUndo is wrapped by the error of an undo where every act is
// undone, or none was done.
var ErrNothingToUndo = errors.New("nothing to undo")

// Act is what a person decides about a document. It is stored as a turn of
// its own, which extraction never reads. What a kind does not mind is
// ignored.
type Act struct {
	// Kind says what is done.
	Kind ActKind
	// Elements are ids of elements: one; for Replace the old and the new, for
	// Merge the survivor first. Answer, Undo and Rename have none.
	Elements []string
	// Question is the number of the clarification that is answered (Answer).
	Question int
	// Option is the chosen option or reading, from 1 (Answer, Resolve).
	Option int
	// Data are the fields that change, by the domain's names; nil makes one
	// unknown (Correct). Texts may stand for booleans and whole numbers.
	Data map[string]any
	// Parts are, for each part, the fields in which it differs from the
	// element (Split); at least two.
	Parts []map[string]any
	// Name is the document's new name (Rename).
	Name string
	// Reason is why, in the person's words; it goes into the history.
	Reason string
	// ID is the act's turn id; empty derives one. The same id and command
	// again do nothing, and the result says so.
	ID string
	// By names the person; empty for nobody.
	By string
	// At is the time, Unix ms; nil for none.
	At *int64
	// Command is the command as given, the content of the act's turn; empty
	// makes one of the other fields.
	Command string
}

// ActKind is the kind of an [Act].
type ActKind string

// The acts. Each is one turn and one version of the document. An act that is
// refused changes nothing, and so does a confirmation that a person repeats; of
// neither there is a turn. What refers by name to an element that an act
// renames or replaces gets the new name with it.
const (
	// Answer chooses one of the options of an open clarification.
	Answer ActKind = "answer"
	// Confirm makes an element certain and confirmed. Questions,
	// contradictions and held revisions that are about it alone are settled
	// with it; the incoming side of a contradiction is not taken. Another who
	// confirms it is noted in the history.
	Confirm ActKind = "confirm"
	// Correct changes fields: the element is confirmed at 0.99, and what waits
	// about it alone is settled, as with Confirm. The evidence stays; the
	// fields name the rule "correct". One that changes nothing confirms, and
	// keeps a higher confidence. An element that becomes equal to another is
	// one with it: the older survives.
	Correct ActKind = "correct"
	// Reject marks an element as wrongly extracted: its status is error, and
	// the same statement does not enter again by talk. What only it implied
	// stays.
	Reject ActKind = "reject"
	// Deprecate says that an element no longer holds.
	Deprecate ActKind = "deprecate"
	// Replace puts another element of the type in the place of one, linked
	// both ways.
	Replace ActKind = "replace"
	// Merge makes one of several elements of a type: the first survives with
	// the highest confidence, all evidence, and what the others know and it
	// does not; where they contradict it, its own values stand.
	Merge ActKind = "merge"
	// Split makes several elements of one, which they replace. They rest on
	// the same evidence and are as sure.
	Split ActKind = "split"
	// Reopen takes back what was decided about an element that was confirmed,
	// rejected, deprecated or replaced: it is proposed, scored again by its
	// evidence.
	Reopen ActKind = "reopen"
	// Resolve chooses a reading of an ambiguous element, or what an element is
	// meant to be that has an open question.
	Resolve ActKind = "resolve"
	// Rename gives the document another name.
	Rename ActKind = "rename"
	// Undo takes back the newest act that is not undone, as long as no later
	// turn has changed what it changed.
	Undo ActKind = "undo"
)

// Act records what a person decides and returns what it changed.
//
// It returns an error that wraps [store.ErrNotFound] for an unknown document,
// element or question, [engine.ErrOption] for an option that is not offered,
// [ErrAct] for an act that cannot be done as things stand,
// [domain.ErrUnknown] for one on the fields of an element whose domain the
// client lacks, [store.ErrExists] for a name that is taken, [store.ErrTurn]
// for a known id with another command, and [ErrNothingToUndo].
func (c *Client) Act(ctx context.Context, name string, a Act) (*sir.Result, error) {
	result, err := c.act(ctx, name, &a)
	if err != nil {
		return nil, fmt.Errorf("act on %q: %w", name, err)
	}
	return result, nil
}

func (c *Client) act(ctx context.Context, name string, a *Act) (*sir.Result, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, err
	}
	var result *sir.Result
	err = c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { // perhaps run more than once
		turn, known, err := a.recorded(tx)
		if err != nil {
			return err
		}
		if known {
			result, err = repeated(tx, turn)
			return err
		}
		out, err := c.outcome(tx, turn, a)
		if err != nil {
			return err
		}
		result = out.Result
		if len(out.Mutations) == 0 {
			result.SourceTurnIDs = []string{} // there is no turn of it
			return nil
		}
		_, err = tx.Append(store.Commit{Turn: turn, Mutations: out.Mutations})
		return err
	})
	return result, err
}

// outcome works out what the act does.
func (c *Client) outcome(tx store.Tx, turn *sir.Turn, a *Act) (*engine.Outcome, error) {
	switch a.Kind {
	case Answer:
		return c.answer(tx, turn, a)
	case Resolve:
		return c.resolve(tx, turn, a)
	case Rename:
		return c.rename(tx, turn, a)
	case Undo:
		return c.undo(tx, turn)
	}
	return c.deed(tx, turn, a)
}

// wanted is how many elements an act names.
type wanted struct {
	least, most int
	words       string
}

var (
	none = wanted{}
	one  = wanted{1, 1, "one"}
)

// elementsOf tells it by kind.
var elementsOf = map[ActKind]wanted{
	Answer: none, Undo: none, Rename: none,
	Confirm: one, Correct: one, Reject: one, Deprecate: one, Split: one, Reopen: one, Resolve: one,
	Replace: {2, 2, "the old and the new"},
	Merge:   {2, 1 << 20, "the survivor and at least one other"},
}

// check refuses what is no act whatever the document holds.
func (a *Act) check() error {
	want, ok := elementsOf[a.Kind]
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w: "+format, append([]any{a.Kind, ErrAct}, args...)...)
	}
	ids := slices.Sorted(slices.Values(a.Elements))
	switch {
	case !ok:
		var kinds []string
		for kind := range elementsOf {
			kinds = append(kinds, string(kind))
		}
		slices.Sort(kinds)
		return fmt.Errorf("%w: unknown kind %q: want one of %s", ErrAct, a.Kind, strings.Join(kinds, ", "))
	case want.most > 0 && (len(ids) < want.least || len(ids) > want.most):
		return bad("it names %d elements: want %s", len(ids), want.words)
	case want.most > 0 && len(slices.Compact(ids)) < len(a.Elements):
		return bad("it names an element twice")
	case a.Kind == Correct && len(a.Data) == 0:
		return bad("it names no field that changes: confirm it where it is right")
	case a.Kind == Split && len(a.Parts) < 2:
		return bad("it has %d parts: want at least two", len(a.Parts))
	case a.Kind == Rename && strings.TrimSpace(a.Name) == "":
		return bad("the new name is empty")
	}
	for _, text := range []string{a.Name, a.Reason, a.By, a.ID, a.Command} {
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return bad("%q is no UTF-8 text without U+0000", text)
		}
	}
	return nil
}

// actSession is the session of acts.
const actSession = "acts"

// recorded is the act as a turn, and whether that very act was recorded
// before.
func (a *Act) recorded(tx store.Tx) (t *sir.Turn, known bool, err error) {
	command := a.Command
	if strings.TrimSpace(command) == "" {
		command = a.command()
	}
	if t, err = a.turn(tx, command); err != nil || a.ID == "" {
		return t, false, err
	}
	known, err = store.Admit(tx, t)
	return t, known, err
}

// turn is the act as a turn; its content is the command.
func (a Act) turn(tx store.Tx, command string) (*sir.Turn, error) {
	n, err := tx.Cursor("")
	if err != nil {
		return nil, err
	}
	t := &sir.Turn{
		ID: a.ID, SessionID: actSession, Seq: n + 1, Timestamp: a.At, Speaker: sir.Human,
		Content: strings.TrimSpace(command), Metadata: &sir.Metadata{Kind: "act"},
	}
	if a.By != "" {
		t.SpeakerName = &a.By
	}
	if t.ID == "" {
		t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, n)
	}
	return t, nil
}

// repeated is the result of an act that is known.
func repeated(tx store.Tx, turn *sir.Turn) (*sir.Result, error) {
	header, err := tx.Header()
	if err != nil {
		return nil, err
	}
	r := actResult(header, turn)
	r.Duplicates = append(r.Duplicates, sir.Duplicate{TurnID: turn.ID})
	r.Summary = "Nothing new: the act was recorded before."
	return r, nil
}

// actResult is the result of an act that changes no element.
func actResult(h sir.Header, turn *sir.Turn) *sir.Result {
	domain := ""
	if len(h.Domains) > 0 {
		domain = h.Domains[0]
	}
	return engine.NewResult(domain, &sir.Slice{Header: h}, turn, sir.Interactive)
}
