// Package statemachine is the domain of state machines: states, transitions,
// events, guards, actions, invariants and constraints.
//
// Its types, numbers and language rules are data (domain.yaml); what data
// cannot say are the hooks of this package: the micro-syntax, specification
// blocks, and the question whether "after authentication" names a phase or
// an instant.
package statemachine

import (
	_ "embed" // the domain's data, compiled from domain.yaml

	"github.com/speckl/speckl/domain"
)

//go:embed domain.json
var source []byte

// ID is the domain's id.
const ID = "state-machine"

// Domain loads the domain. It returns an error for a defect of the embedded
// data.
func Domain() (*domain.Domain, error) {
	d, err := domain.LoadCompiled("statemachine/domain.yaml", source)
	if err != nil {
		return nil, err
	}
	d.Hooks = &hooks{domain: d}
	return d, nil
}

// hooks are what the domain does beyond its data.
type hooks struct{ domain *domain.Domain }

var (
	_ domain.BlockReader = (*hooks)(nil)
	_ domain.SpecReader  = (*hooks)(nil)
	_ domain.Interpreter = (*hooks)(nil)
	_ domain.Checker     = (*hooks)(nil)
)
