package engine

import "github.com/speckl/speckl/sir"

// Manner is how a turn is settled.
type Manner struct {
	// Mode is the mode of extraction.
	Mode sir.Mode
	// AskAmbiguous: in the modes realtime and batch, a turn with an ambiguity
	// is settled as in interactive mode. AskUnsure: one with a statement too
	// unsure to enter is, too.
	AskAmbiguous, AskUnsure bool
	// Again: the turn was read before, and what is settled now is what a
	// model says of it; words of it that stand as evidence are no repetition.
	Again bool
	// Debaters take part in mode deliberative; nil is [Debaters].
	Debaters []Debater
}

// Settle works out what a proposal does to the document, of which it sees
// the slice that ask names, at first that of [Domain.Ask]. It changes nothing
// it is given.
// It returns an error only for a defect of a domain's hook.
func (d *Domain) Settle(slice *sir.Slice, ask sir.Ask, p *Proposal, how Manner) (*Outcome, error) {
	out, err := d.settle(slice, ask, p, how)
	if err != nil || len(out.More) > 0 || !how.switches(out.Result) {
		return out, err
	}
	// from the beginning: what is asked about must not have entered
	how.Mode = sir.Interactive
	return d.settle(slice, ask, p, how)
}

// switches reports whether a result should have asked.
func (m *Manner) switches(r *sir.Result) bool {
	if m.Mode != sir.Realtime && m.Mode != sir.Batch {
		return false
	}
	if m.AskUnsure {
		for i := range r.Flagged {
			if r.Flagged[i].Reason == sir.LowConfidence {
				return true
			}
		}
	}
	return (m.AskAmbiguous || m.AskUnsure) && len(r.Ambiguities) > 0
}
