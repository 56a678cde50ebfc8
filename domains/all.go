// Package domains lists the built-in domains.
package domains

import (
	"fmt"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains/general"
	"github.com/speckl/speckl/domains/statemachine"
)

// All returns the built-in domains in their fixed order, new each time. It
// returns an error for a defect of a domain's embedded data.
func All() ([]*domain.Domain, error) {
	var out []*domain.Domain
	for _, load := range []func() (*domain.Domain, error){statemachine.Domain, general.Domain} {
		d, err := load()
		if err != nil {
			return nil, fmt.Errorf("load built-in domains: %w", err)
		}
		out = append(out, d)
	}
	return out, nil
}
