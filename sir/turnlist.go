package sir

import "fmt"

// turnList keeps the turns of a document that was folded from its log.
type turnList struct {
	list []*Turn
	byID map[string]int
}

// add reads the turn from its record; of an erased one the id, the time and
// the role are left.
func (l *turnList) add(m *Mutation) error {
	body, err := m.Decoded()
	if err != nil {
		return err
	}
	t := ErasedTurn(m)
	if body != nil {
		if body.Turn == nil || body.Turn.ID != m.TurnID {
			return fmt.Errorf("apply turn %q (record %d): %w: it does not carry it", m.TurnID, m.Seq, ErrBroken)
		}
		t = body.Turn
	}
	if _, known := l.byID[t.ID]; known {
		return fmt.Errorf("apply turn %q (record %d): %w: it stands already", t.ID, m.Seq, ErrBroken)
	}
	l.byID[t.ID] = len(l.list)
	l.list = append(l.list, t)
	return nil
}

func (l *turnList) find(id string) *Turn {
	if n, ok := l.byID[id]; ok {
		return l.list[n]
	}
	return nil
}

func (l *turnList) speaker(id string) (key string, ok bool) {
	t := l.find(id)
	if t == nil || t.IsAct() {
		return "", false
	}
	return t.SpeakerKey(), true
}
