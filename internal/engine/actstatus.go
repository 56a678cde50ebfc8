package engine

import "github.com/speckl/speckl/sir"

// confirm makes a live element certain. Who confirms again is noted, too.
func (a *acting) confirm() (string, error) {
	e, err := a.live(0)
	if err != nil {
		return "", err
	}
	if e.Flags.IsAmbiguous {
		return "", a.refuse(e, "it has %d readings: resolve it with the number of one of them", len(e.Interpretations))
	}
	a.closeWaiting(a.x.Pending, e)
	n := a.edit(e.ID)
	decided(n, sir.Certain)
	a.enter(n.ID, sir.ActionConfirmed, a.because("a person confirms it"))
	return "Confirmed: " + a.label(n) + ".", nil
}

// reject marks an element as wrongly extracted (the seed's
// markExtractionError). The confidence stays; elements that only it implied
// stay.
func (a *acting) reject() (string, error) {
	return a.end(sir.Error, "Marked as error", "Rejected")
}

// deprecate says that an element no longer holds.
func (a *acting) deprecate() (string, error) {
	return a.end(sir.Deprecated, "a person says that it no longer holds", "No longer holds")
}

// end takes an element out of what holds. One that is out in this way is
// noted again.
func (a *acting) end(status sir.Status, reason, done string) (string, error) {
	e, err := a.target(0)
	if err == nil && e.Status != status {
		e, err = a.live(0)
	}
	if err != nil {
		return "", err
	}
	a.closeWaiting(a.x.Pending, e)
	ended(a.edit(e.ID), status, "")
	a.enter(e.ID, sir.ActionDeprecated, a.because(reason))
	return done + ": " + a.label(e) + ".", nil
}
