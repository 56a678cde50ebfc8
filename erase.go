package speckl

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// ErrNothingToErase is wrapped by errors about an erasure that names nothing
// that still has words.
var ErrNothingToErase = errors.New("nothing to erase")

// Erasure names what is taken out of a document for good.
type Erasure struct {
	// Elements are ids; their data, evidence and history go.
	Elements []string
	// Words takes the turns that the elements quote, too, as if they were
	// among Turns.
	Words bool
	// Turns are ids; their words go, with every element that quotes them.
	Turns []string
	// By names the person who asks for it; empty for nobody.
	By string
	// At is the time, Unix ms; nil for none.
	At *int64
}

// Receipt says what was erased, by ids and numbers alone.
type Receipt struct {
	// TurnID is the act that stands for it in the log.
	TurnID string `json:"turnId"`
	// Records are the numbers of the records whose payloads are gone.
	Records []int64 `json:"records"`
	// Elements and Turns are the ids of what is gone.
	Elements []string `json:"elements"`
	Turns    []string `json:"turns"`
	// Remaining are turns that still hold words which erased elements quoted.
	Remaining []string `json:"remaining"`
	// Head is the document's newest link after it.
	Head sir.Head `json:"head"`
}

// Erase takes words out of a document for good: from turns, elements,
// evidence, indexes and the log, of which the hashes stay, so that it still
// verifies. An element that was given a name of what goes by an act goes with
// it. It cannot be undone.
//
// It returns an error that wraps [store.ErrNotFound] for an unknown document,
// element or turn, or [ErrNothingToErase].
func (c *Client) Erase(ctx context.Context, name string, e Erasure) (*Receipt, error) {
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("erase from %q: %w", name, err)
	}
	var out *Receipt
	err = c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error {
		out, err = e.from(tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("erase from %q: %w", name, err)
	}
	return out, nil
}

// from erases in a transaction.
func (e Erasure) from(tx store.Tx) (*Receipt, error) {
	x := erasing{
		elements: map[string]bool{}, turns: map[string]bool{}, quoted: map[string]bool{},
		about: map[string]bool{}, acts: map[string]bool{}, texts: map[string]bool{}, records: map[int64]bool{},
	}
	for _, id := range e.Turns {
		if _, err := tx.Turn(id); err != nil {
			return nil, err
		}
		x.turns[id] = true
	}
	for _, id := range e.Elements {
		found, err := tx.Element(id)
		if err != nil {
			return nil, err
		}
		x.element(found, e.Words)
	}
	for grown := true; grown; {
		before := len(x.elements) + len(x.records) + len(x.texts)
		for m, err := range tx.Log(0) {
			if err != nil {
				return nil, err
			}
			if err := x.record(&m); err != nil {
				return nil, err
			}
		}
		grown = len(x.elements)+len(x.records)+len(x.texts) > before
	}
	if len(x.records) == 0 {
		return nil, fmt.Errorf("%w: its words are gone already", ErrNothingToErase)
	}
	act := Act{By: e.By, At: e.At}
	turn, err := act.turn(tx, "erase "+strings.Join(slices.Concat(e.Elements, e.Turns), " "))
	if err != nil {
		return nil, err
	}
	commit := store.Commit{Turn: turn, Erase: sortedKeys(x.records)}
	closed, err := x.reopened(tx)
	if err != nil {
		return nil, err
	}
	if len(closed) > 0 {
		commit.Mutations = []sir.Mutation{{Kind: sir.PendingKind, Body: &sir.Payload{Pending: &sir.PendingChange{Closed: closed}}}}
	}
	if _, err := tx.Append(commit); err != nil {
		return nil, err
	}
	r := &Receipt{TurnID: turn.ID, Records: commit.Erase, Elements: sortedKeys(x.elements), Turns: sortedKeys(x.turns), Remaining: []string{}}
	for _, id := range sortedKeys(x.quoted) {
		if !x.turns[id] {
			r.Remaining = append(r.Remaining, id)
		}
	}
	r.Head, err = tx.Head()
	return r, err
}

// erasing collects what goes with what was named.
type erasing struct {
	elements, turns map[string]bool
	quoted          map[string]bool // turns that erased elements quote
	about           map[string]bool // turns that changed them: commands of acts go
	acts            map[string]bool // turns that are acts
	texts           map[string]bool // values of erased elements
	records         map[int64]bool
}

// element takes an element; words: and the turns that it quotes.
func (x *erasing) element(e *sir.Element, words bool) {
	x.elements[e.ID] = true
	for i := range e.Evidence {
		x.quoted[e.Evidence[i].TurnID] = true
		if words {
			x.turns[e.Evidence[i].TurnID] = true
		}
	}
}

// record takes a record that holds words which go, and notes elements that
// go with it.
func (x *erasing) record(m *sir.Mutation) error {
	if m.Payload == nil || m.Kind == sir.Erased {
		return nil
	}
	body, err := m.Decoded()
	if err != nil {
		return err
	}
	goes := false
	switch { // by what it carries
	case body.Turn != nil:
		x.acts[m.TurnID] = m.Kind == sir.Act
		goes = x.turns[body.Turn.ID] || m.Kind == sir.Act && x.about[body.Turn.ID]
	case body.Pending != nil:
		goes = x.waits(m, body.Pending)
	case m.ElementID != "":
		if x.turns[m.TurnID] || x.quotes(body) || x.acts[m.TurnID] && x.about[m.TurnID] && x.copies(body) {
			x.elements[m.ElementID] = true
		}
		goes = x.elements[m.ElementID]
		if goes {
			x.about[m.TurnID] = true
			for _, text := range textsOf(body) {
				x.texts[text] = true
			}
			for _, v := range body.Evidence() {
				x.quoted[v.TurnID] = true
			}
		}
	}
	if goes {
		x.records[m.Seq] = true
	}
	return nil
}

// quotes reports whether a payload has words of a turn that goes.
func (x *erasing) quotes(p *sir.Payload) bool {
	return slices.ContainsFunc(p.Evidence(), func(v sir.Evidence) bool { return x.turns[v.TurnID] })
}

// copies reports whether an act that was about what goes has given another
// element a value of that: a name that it has had.
func (x *erasing) copies(p *sir.Payload) bool {
	return slices.ContainsFunc(textsOf(p), func(text string) bool { return x.texts[text] })
}

// textsOf are the texts among the values that a payload gives an element.
func textsOf(p *sir.Payload) []string {
	var data map[string]any
	switch {
	case p.Element != nil:
		data = p.Element.Data
	case p.Patch != nil:
		data = p.Patch.Data
	}
	var out []string
	for _, v := range data {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// waits reports whether what waits for a person is about what goes.
func (x *erasing) waits(m *sir.Mutation, p *sir.PendingChange) bool {
	quotes := func(list []sir.Evidence) bool {
		return slices.ContainsFunc(list, func(v sir.Evidence) bool { return x.turns[v.TurnID] })
	}
	is := func(id string) bool { return x.elements[id] }
	adds := len(p.Candidates)+len(p.Clarifications)+len(p.Conflicts) > 0
	return adds && (x.turns[m.TurnID] ||
		slices.ContainsFunc(p.Candidates, func(c sir.Candidate) bool { return quotes(c.Evidence) }) ||
		slices.ContainsFunc(p.Clarifications, func(q sir.Clarification) bool {
			return x.turns[q.SourceTurnID] || quotes(q.Evidence) || slices.ContainsFunc(q.ElementIDs, is)
		}) ||
		slices.ContainsFunc(p.Conflicts, func(f sir.Conflict) bool {
			return is(f.ExistingElementID) || quotes(f.IncomingCandidate.Evidence)
		}))
}

// reopened are the ids of what waits again without the records: an erased
// record may have closed it.
func (x *erasing) reopened(tx store.Tx) ([]string, error) {
	before, err := tx.Pending()
	if err != nil {
		return nil, err
	}
	left, err := sir.Fold(x.without(tx.Log(0)))
	if err != nil {
		return nil, err
	}
	open := map[string]bool{}
	for _, id := range before.IDs() {
		open[id] = true
	}
	return slices.DeleteFunc(left.Pending().IDs(), func(id string) bool { return open[id] }), nil
}

// without is the log as it will be.
func (x *erasing) without(log iter.Seq2[sir.Mutation, error]) iter.Seq2[sir.Mutation, error] {
	return func(yield func(sir.Mutation, error) bool) {
		for m, err := range log {
			if x.records[m.Seq] {
				m.Payload, m.Body = nil, nil
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

func sortedKeys[K int64 | string](m map[K]bool) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
