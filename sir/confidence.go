package sir

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Confidence counts ten-thousandths: 0 is none, 10000 is certain, which only
// a human act gives. It is printed as a decimal of at most four places.
// Differences (a score's modifiers) may be negative.
type Confidence int

// Certain is the confidence of what a person has confirmed.
const Certain Confidence = 10000

// String prints the decimal: Confidence(5500) is "0.55".
func (c Confidence) String() string {
	sign, n := "", int(c)
	if n < 0 {
		sign, n = "-", -n
	}
	whole, rest := n/10000, n%10000
	if rest == 0 {
		return sign + strconv.Itoa(whole)
	}
	digits := fmt.Sprintf("%04d", rest)
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return sign + strconv.Itoa(whole) + "." + digits
}

// MarshalJSON writes the decimal as a JSON number.
func (c Confidence) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalJSON reads a decimal in [-1, 1] and rounds it to four places.
func (c *Confidence) UnmarshalJSON(b []byte) error {
	got, err := ParseConfidence(string(b))
	if err != nil {
		return err
	}
	*c = got
	return nil
}

// ErrConfidence is wrapped by errors about a number that is no confidence.
var ErrConfidence = errors.New("not a confidence between 0 and 1")

// ParseConfidence reads a decimal such as "0.85".
// It returns an error that wraps [ErrConfidence] unless -1 ≤ s ≤ 1.
func ParseConfidence(s string) (Confidence, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || f < -1 || f > 1 {
		return 0, fmt.Errorf("parse %q: %w", s, ErrConfidence)
	}
	return Confidence(math.Round(f * 10000)), nil
}

// Word names the confidence for a reader: "certain", "high" (≥ 0.85),
// "fair" (≥ 0.60), "low" (≥ 0.40) or "weak".
func (c Confidence) Word() string {
	switch {
	case c >= Certain:
		return "certain"
	case c >= 8500:
		return "high"
	case c >= 6000:
		return "fair"
	case c >= 4000:
		return "low"
	}
	return "weak"
}
