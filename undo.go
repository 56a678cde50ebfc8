package speckl

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// undo takes back the newest act that is not undone. That act is the parent
// of the undo's turn, so that the log tells which acts are undone.
func (c *Client) undo(tx store.Tx, turn *sir.Turn) (*engine.Outcome, error) {
	acts, err := actsOf(tx.Log(0))
	if err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	act := acts.newest()
	if act == nil {
		return nil, fmt.Errorf("undo: %w", ErrNothingToUndo)
	}
	turn.ParentTurnID = act.ID
	past, err := pastOf(tx.Log(0), act, acts)
	if err != nil {
		return nil, fmt.Errorf("undo %q: %w", act.Content, err)
	}
	slice, err := past.slice(tx)
	if err != nil {
		return nil, fmt.Errorf("undo %q: %w", act.Content, err)
	}
	if err := c.inTheWay(tx, slice, past); err != nil {
		return nil, fmt.Errorf("undo %q: %w", act.Content, err)
	}
	if past.Now, err = tx.Pending(); err != nil {
		return nil, err
	}
	out, err := engine.Undo(slice, turn, &past.Reversal)
	if err == nil {
		out.Result.Summary = c.undone(past)
	}
	return out, err
}

// acts are a document's acts, oldest first.
type acts struct {
	list []*sir.Turn
	// undone are the acts that were taken back, and the undos, by id.
	undone, undos map[string]bool
}

// actsOf reads the acts in a log. An undo names the act that it took back as
// its parent.
func actsOf(log iter.Seq2[sir.Mutation, error]) (*acts, error) {
	a := &acts{undone: map[string]bool{}, undos: map[string]bool{}}
	known := map[string]bool{}
	for m, err := range log {
		if err != nil {
			return nil, err
		}
		if m.Kind != sir.Act {
			continue
		}
		body, err := m.Decoded()
		if err != nil {
			return nil, err
		}
		t := &sir.Turn{ID: m.TurnID}
		if body != nil && body.Turn != nil {
			t = body.Turn
		}
		a.list = append(a.list, t)
		known[t.ID] = true
		if known[t.ParentTurnID] {
			a.undone[t.ParentTurnID], a.undos[t.ID] = true, true
		}
	}
	return a, nil
}

// takenBack reports whether a turn is an act that is undone, or an undo: what
// they did cancels out.
func (a *acts) takenBack(id string) bool { return a.undone[id] || a.undos[id] }

// newest is the newest act that is neither undone nor an undo; nil for none.
func (a *acts) newest() *sir.Turn {
	for _, t := range slices.Backward(a.list) {
		if !a.takenBack(t.ID) {
			return t
		}
	}
	return nil
}

// cause is the newest turn that shaped an element and was not taken back.
func (a *acts) cause(e *sir.Element) string {
	for _, entry := range slices.Backward(e.Provenance.Entries) {
		if !a.takenBack(entry.TurnID) {
			return entry.TurnID
		}
	}
	return ""
}

// past is what an act changed, and what was before.
type past struct {
	engine.Reversal
	acts    *acts
	then    *sir.Document // as the act left it
	changed []string      // ids, in the order in which the act changed them
}

// pastOf folds a log up to an act, and reads what the act did. What later
// turns did to the same elements stands in the way, unless it was an act that
// is undone.
func pastOf(log iter.Seq2[sir.Mutation, error], act *sir.Turn, acts *acts) (*past, error) {
	p := &past{acts: acts, then: sir.NewDocumentOver(func(string) (string, bool) { return "", false })}
	p.Act, p.Was = act, map[string]*sir.Element{}
	begun, ended := false, false
	var header sir.Header
	for m, err := range log {
		if err != nil {
			return nil, err
		}
		mine := m.TurnID == act.ID
		switch {
		case mine && !begun:
			begun = true
			p.Before, header = p.then.Pending(), p.then.Header()
		case begun && !mine && !ended:
			ended = true
			p.After = p.then.Pending()
		}
		if mine {
			if err := p.note(&m, header); err != nil {
				return nil, err
			}
		}
		if !ended {
			if err := p.then.Apply(&m); err != nil {
				return nil, err
			}
			continue
		}
		if _, ok := p.Was[m.ElementID]; ok && !acts.takenBack(m.TurnID) {
			return nil, fmt.Errorf("%w: the turn %s has changed %s %s since: correct that instead", ErrAct, m.TurnID, p.typeOf(m.ElementID), m.ElementID)
		}
	}
	if !ended {
		p.After = p.then.Pending()
	}
	return p, nil
}

// note remembers what one record of the act changes.
func (p *past) note(m *sir.Mutation, header sir.Header) error {
	body, err := m.Decoded()
	switch {
	case err != nil:
		return err
	case m.Kind == sir.Erased:
		return fmt.Errorf("%w: words that were erased are gone for good, and no act before that is undone", ErrAct)
	case body == nil && m.Kind != sir.Act:
		return fmt.Errorf("%w: what it did was erased", ErrAct)
	case m.Kind == sir.DocumentKind:
		p.Header = &header
	case m.ElementID != "":
		if _, ok := p.Was[m.ElementID]; !ok {
			p.Was[m.ElementID] = p.then.Element(m.ElementID)
			p.changed = append(p.changed, m.ElementID)
		}
	}
	return nil
}

func (p *past) typeOf(id string) string {
	if e := p.then.Element(id); e != nil {
		return e.ElementType
	}
	return "element"
}

// slice holds the elements that the act changed, as they stand now.
func (p *past) slice(tx store.Tx) (*sir.Slice, error) {
	header, err := tx.Header()
	if err != nil {
		return nil, err
	}
	s := &sir.Slice{Header: header}
	for _, id := range p.changed {
		e, err := tx.Element(id)
		if err != nil {
			return nil, err
		}
		s.Elements = append(s.Elements, e)
	}
	return s, nil
}

// inTheWay refuses an undo that would bring back what something else has
// taken the place of since.
func (c *Client) inTheWay(tx store.Tx, now *sir.Slice, p *past) error {
	for _, e := range now.Elements {
		was := p.Was[e.ID]
		if was == nil || !was.Status.Live() || e.Status.Live() && reflect.DeepEqual(e.Data, was.Data) {
			continue
		}
		d := c.domains[was.Domain]
		if d == nil || d.TypeNamed(was.ElementType) == nil {
			continue
		}
		slice, err := tx.Slice(d.AskRival(was))
		if err != nil {
			return err
		}
		if r := d.Rival(slice, was, p.stood); r != nil {
			return fmt.Errorf("%w: %s (%s), of the turn %s, has taken the place of %s since: deprecate it first",
				ErrAct, d.NameOf(r), r.ID, p.acts.cause(r), d.NameOf(was))
		}
	}
	return nil
}

// stood reports whether an element was beside the act's before it, or is one
// of them.
func (p *past) stood(e *sir.Element) bool {
	if _, ok := p.Was[e.ID]; ok {
		return true
	}
	was := p.then.Element(e.ID)
	return was != nil && was.Status.Live() && reflect.DeepEqual(was.Data, e.Data)
}

// undone says what was taken back.
func (c *Client) undone(p *past) string {
	var names []string
	for _, id := range p.changed {
		e := p.Was[id]
		if e == nil {
			continue
		}
		d := c.domains[e.Domain]
		if d == nil {
			d = engine.Lacking(e.Domain)
		}
		names = append(names, d.NameOf(e))
	}
	text := fmt.Sprintf("Undone: %s.", strings.Join(strings.Fields(p.Act.Content), " "))
	if n := len(names); n > 3 {
		names = append(names[:3], fmt.Sprintf("%d more", n-3))
	}
	if len(names) > 0 {
		text += " As before: " + strings.Join(names, ", ") + "."
	}
	if p.Header != nil {
		text += fmt.Sprintf(" The name is %q again.", p.Header.Name)
	}
	return text
}
