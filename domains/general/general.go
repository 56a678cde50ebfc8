// Package general is the domain of a conversation that fits no other:
// entities, relationships, properties and constraints, all of it to be
// reviewed.
package general

import (
	_ "embed" // the domain's data, compiled from domain.yaml

	"github.com/speckl/speckl/domain"
)

//go:embed domain.json
var source []byte

// ID is the domain's id.
const ID = "general"

// Domain loads the domain. It returns an error for a defect of the embedded
// data.
func Domain() (*domain.Domain, error) {
	d, err := domain.LoadCompiled("general/domain.yaml", source)
	if err != nil {
		return nil, err
	}
	d.Hooks = hooks{d}
	return d, nil
}
