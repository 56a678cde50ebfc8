package cli

import (
	"iter"
	"strings"

	"github.com/speckl/speckl/sir"
)

// beginning leaves out what was said before --since: a turn, by its id, or a
// time. What follows that turn, or in each session the first turn of that
// time, is read, also where it has no time of its own.
type beginning struct {
	since string
}

// from returns the turns from there on. Where none is the turn that is named
// the last is an error, unless it may still come.
func (b *beginning) from(r *reading, turns iter.Seq2[sir.Turn, error], mayCome bool) (iter.Seq2[sir.Turn, error], error) {
	if b.since == "" {
		return turns, nil
	}
	zone, err := r.zone()
	if err != nil {
		return nil, err
	}
	id, isTurn := strings.CutPrefix(b.since, "turn:")
	ms, isTime := moment(b.since, zone, false)
	isTime = isTime && !isTurn
	begun := map[string]bool{}
	any := false
	return func(yield func(sir.Turn, error) bool) {
		for t, err := range turns {
			if err == nil && !begun[t.SessionID] && !any {
				switch {
				case isTime && t.Timestamp != nil && *t.Timestamp >= ms:
					begun[t.SessionID] = true
				case t.ID == id || t.ID == b.since:
					any = true
				default:
					continue
				}
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
		if !isTime && !any && !mayCome {
			yield(sir.Turn{}, inputf("--since %s: there is no such turn, and it is no time (%s)", b.since, timeForms))
		}
	}, nil
}
