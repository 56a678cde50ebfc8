package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a flag of bytes: 1048576, 1MiB, 1MB or 1M.
type size int64

var units = []struct {
	suffix string
	bytes  float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"b", 1},
}

// Set reads a size. It returns an error for what is none or not positive.
func (s *size) Set(text string) error {
	number, factor := strings.ToLower(strings.TrimSpace(text)), 1.0
	for _, u := range units {
		if n, ok := strings.CutSuffix(number, u.suffix); ok {
			number, factor = strings.TrimSpace(n), u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f*factor < 1 || f*factor > 1<<50 {
		return fmt.Errorf("%q is no size: want bytes, or 4MiB", text)
	}
	*s = size(f * factor)
	return nil
}

// String prints the largest unit that divides the size.
func (s *size) String() string {
	n := int64(*s)
	for i := 2; i >= 0; i-- {
		if u := int64(units[i].bytes); n >= u && n%u == 0 {
			return fmt.Sprintf("%d%s", n/u, []string{"KiB", "MiB", "GiB"}[i])
		}
	}
	return strconv.FormatInt(n, 10)
}

// Type names the kind of value for help.
func (s *size) Type() string { return "SIZE" }

// count is "1 turn", "2 turns", "1,200 turns".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// thousands is a number with commas: "1,200".
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
