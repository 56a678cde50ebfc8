package domain

import (
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a duration as people say it: "30s", "60 seconds",
// "1.5 h", "a minute", "half an hour". ok is false for anything else.
func ParseDuration(text string) (d time.Duration, ok bool) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 1 {
		i := strings.IndexFunc(words[0], func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if i <= 0 {
			return 0, false
		}
		words = []string{words[0][:i], strings.TrimPrefix(words[0][i:], "-")}
	}
	if len(words) == 3 && words[0] == "half" {
		unit, ok := units[words[2]]
		return unit / 2, ok && articles[words[1]]
	}
	if len(words) != 2 {
		return 0, false
	}
	unit, ok := units[words[1]]
	if !ok {
		return 0, false
	}
	if n, ok := numerals[words[0]]; ok {
		return time.Duration(n) * unit, true
	}
	n, err := strconv.ParseFloat(words[0], 64)
	if err != nil || n < 0 || n > 1e6 {
		return 0, false
	}
	return time.Duration(n * float64(unit)), true
}

// IsDurationUnit reports whether a folded word is a unit of time.
func IsDurationUnit(word string) bool { _, ok := units[word]; return ok }

// IsNumeral reports whether a folded word is a small number in words.
func IsNumeral(word string) bool { _, ok := numerals[word]; return ok }

var units = func() map[string]time.Duration {
	m := map[string]time.Duration{}
	for names, d := range map[string]time.Duration{
		"ms msec msecs millisecond milliseconds": time.Millisecond,
		"s sec secs second seconds":              time.Second,
		"m min mins minute minutes":              time.Minute,
		"h hr hrs hour hours":                    time.Hour,
		"d day days":                             24 * time.Hour,
		"week weeks":                             7 * 24 * time.Hour,
	} {
		for _, n := range strings.Fields(names) {
			m[n] = d
		}
	}
	return m
}()

var numerals = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90}
