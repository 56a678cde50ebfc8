package sir

import (
	"fmt"
	"math"
	"strconv"
)

// Points counts tenths of a point of domain detection, printed as a decimal.
type Points int

// MarshalJSON writes points as a JSON number: Points(55) is 5.5.
func (p Points) MarshalJSON() ([]byte, error) {
	return []byte(strconv.FormatFloat(float64(p)/10, 'f', -1, 64)), nil
}

// UnmarshalJSON reads a number of points. It returns an error for anything
// else.
func (p *Points) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("read points %q: %w", b, err)
	}
	*p = Points(math.Round(f * 10))
	return nil
}
