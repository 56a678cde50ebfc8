package engine

import (
	"fmt"

	"github.com/speckl/speckl/sir"
)

// Read settles a proposal, or takes the turn as the answer to an open
// question where it is one.
func (d *Domain) Read(slice *sir.Slice, p *Proposal, mode sir.Mode) (*Outcome, error) {
	if mode == sir.Interactive {
		if q, option := answered(slice.Open, p.Turn); q != nil {
			return d.Answer(slice, p.Turn, *q, option, mode)
		}
	}
	if p.Empty() {
		out := &Outcome{Result: NewResult(d.ID, slice, p.Turn, mode)}
		out.Result.Summary = nothing
		return out, nil
	}
	return d.Settle(slice, p, mode)
}

// nothing is the summary of a turn that says nothing (seed §10.1).
const nothing = "No formal elements detected"

// Degrade marks an outcome as read without its own domain: everything in it
// is tentative.
func (o *Outcome) Degrade(missing string) {
	o.Result.Metadata.Degraded = true
	o.Result.Metadata.DegradedReasons = append(o.Result.Metadata.DegradedReasons, fmt.Sprintf("domain_not_registered: %s", missing))
}
