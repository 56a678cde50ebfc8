package cli

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/speckl/speckl/sir"
)

// versionPoint is a version of a document.
var versionPoint = regexp.MustCompile(`^v\d{1,9}$`)

// firstMillis is the least number that is taken for Unix milliseconds: less
// is a mistyped version.
const firstMillis = 100_000_000_000 // March 1973

// clocks are the ways to write a time of day or a day.
var clocks = []struct {
	layout string
	day    bool
}{
	{time.RFC3339Nano, false}, {"2006-01-02T15:04:05.999", false}, {"2006-01-02T15:04", false},
	{"2006-01-02 15:04:05.999", false}, {"2006-01-02 15:04", false}, {"2006-01-02", true},
}

// moment reads a time: RFC 3339, a date, or Unix milliseconds; a time that
// names no zone is in zone. A date is its last moment where end says so, else
// its first.
func moment(text string, zone *time.Location, end bool) (ms int64, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, n >= firstMillis
	}
	for _, c := range clocks {
		t, err := time.ParseInLocation(c.layout, text, zone)
		switch {
		case err != nil:
			continue
		case c.day && end:
			return t.AddDate(0, 0, 1).UnixMilli() - 1, true
		}
		return t.UnixMilli(), true
	}
	return 0, false
}

// point reads a place in a document's history: v12, turn:ID, or a time. The
// bare id of a turn that exists is one, too.
func point(text string, zone *time.Location, isTurn func(id string) bool) (sir.Point, error) {
	if id, ok := strings.CutPrefix(text, "turn:"); ok && id != "" {
		return sir.Point{TurnID: id}, nil
	}
	if isTurn(text) {
		return sir.Point{TurnID: text}, nil
	}
	if versionPoint.MatchString(text) {
		n, err := strconv.Atoi(text[1:])
		return sir.Point{Version: &n}, err
	}
	if ms, ok := moment(text, zone, true); ok {
		return sir.Point{Time: &ms}, nil
	}
	return sir.Point{}, usagef("%q is no point of a history: want a version (v12), a turn (turn:ID) or a time (%s)", text, timeForms)
}

const timeForms = "2026-03-11, 2026-03-11T09:30:00Z or Unix milliseconds"

// zone is --tz, else UTC.
func (r *reading) zone() (*time.Location, error) {
	if r.tz == "" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(r.tz)
	if err != nil || r.tz == "Local" {
		return nil, usagef("unknown zone %q: --tz takes an IANA name such as Europe/Lisbon, or UTC", r.tz)
	}
	return zone, nil
}

// noPoint says what history there is, where a point is none of it.
func noPoint(text, name string, h sir.Header) error {
	if versionPoint.MatchString(text) {
		return inputf("%s has no version %s: its versions are v0 to v%d", name, text[1:], h.Version)
	}
	if _, ok := moment(text, time.UTC, true); ok {
		return inputf("%s: nothing was recorded by %s: show --said takes the time when something was said", name, text)
	}
	return inputf("%s has no turn %q: speckl show -o json %s lists its turns", name, strings.TrimPrefix(text, "turn:"), name)
}
