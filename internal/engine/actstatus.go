package engine

import (
	"reflect"
	"slices"

	"github.com/speckl/speckl/sir"
)

// confirm makes a live element certain. Another who confirms it is noted, too;
// the same person's word again is none.
func (a *acting) confirm() (string, error) {
	e, err := a.live(0)
	if err != nil {
		return "", err
	}
	if e.Flags.IsAmbiguous {
		return "", a.refuse(e, "it has %d readings: resolve it with the number of one of them", len(e.Interpretations))
	}
	a.closeWaiting(a.x.Pending, e)
	const confirms = "a person confirms it"
	if a.repeats(e, confirms) {
		return "Confirmed already: " + a.label(e) + ".", nil
	}
	n := a.edit(e.ID)
	decided(n, sir.Certain)
	a.enter(n.ID, sir.ActionConfirmed, a.because(confirms))
	return "Confirmed: " + a.label(n) + ".", nil
}

// repeats reports whether an element stands as confirming would leave it, and
// the same person has done so before.
func (a *acting) repeats(e *sir.Element, what string) bool {
	if e.Status != sir.Confirmed || e.Confidence != sir.Certain || e.Flags != (sir.Flags{SourceIsExplicit: e.Flags.SourceIsExplicit}) || len(a.pending.Closed) > 0 {
		return false
	}
	return slices.ContainsFunc(e.Provenance.Entries, func(was sir.Entry) bool {
		return was.Action == sir.ActionConfirmed && was.ExtractionRationale == a.because(what) && reflect.DeepEqual(was.Attribution, a.speaker())
	})
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
