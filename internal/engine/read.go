package engine

import "fmt"

// Degrade marks an outcome as read without its own domain: everything in it
// is tentative.
func (o *Outcome) Degrade(missing string) {
	o.Result.Metadata.Degraded = true
	o.Result.Metadata.DegradedReasons = append(o.Result.Metadata.DegradedReasons, fmt.Sprintf("domain_not_registered: %s", missing))
}
