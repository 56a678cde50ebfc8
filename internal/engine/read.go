package engine

import "fmt"

// Degrade marks an outcome as read without its own domain: everything in it
// is tentative.
func (o *Outcome) Degrade(missing string) {
	o.Result.Metadata.Degraded = true
	o.Result.Metadata.DegradedReasons = append(o.Result.Metadata.DegradedReasons, fmt.Sprintf("domain_not_registered: %s", missing))
}

// Consulted adds what it cost to ask a model about the turn, and whether that
// failed.
func (o *Outcome) Consulted(heard *Heard) {
	if heard != nil {
		addMetadata(&o.Result.Metadata, &heard.Metadata)
	}
}
