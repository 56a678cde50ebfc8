package transcript

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// cutClock takes a clock time in brackets off the end of a label:
// "Ann (09:12)". Other brackets are part of the name: "Bao (Guest)".
func cutClock(label []byte) (name, clock []byte) {
	n := len(label)
	if n == 0 || label[n-1] != ')' && label[n-1] != ']' {
		return label, nil
	}
	open := byte('(')
	if label[n-1] == ']' {
		open = '['
	}
	i := bytes.LastIndexByte(label, open)
	if i < 0 {
		return label, nil
	}
	inner := trimSpace(label[i+1 : n-1])
	if _, ok := parseClock(string(inner)); !ok {
		return label, nil
	}
	return trimSpace(label[:i]), inner
}

// clockTime is a time of day, with a date or zone where it has them.
type clockTime struct {
	// at is set where the text has date and time.
	at time.Time
	// dated says so; zoned, that the text had the zone too.
	dated, zoned bool
	// minutes and seconds of the day.
	minutes, seconds int
}

// dateLayouts are times with a date. Only year-month-day: other orders are a
// guess.
var dateLayouts = []string{
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04",
}

// parseClock reads "09:12", "9:12:30 PM", "2026-03-11 09:12" or RFC 3339.
func parseClock(s string) (clockTime, bool) {
	if len(s) < 4 || len(s) > 40 || s[0] < '0' || s[0] > '9' {
		return clockTime{}, false
	}
	if s[min(4, len(s)-1)] == '-' {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
			return clockTime{at: t, dated: true, zoned: true}, true
		}
		for _, layout := range dateLayouts {
			if t, err := time.Parse(layout, s); err == nil {
				return clockTime{at: t, dated: true}, true
			}
		}
		return clockTime{}, false
	}
	return parseDayTime(s)
}

// clockSpaces evens out "9:12 p.m.", in which some write special spaces.
var clockSpaces = strings.NewReplacer(".", "", "\u202f", " ", "\u00a0", " ")

func parseDayTime(s string) (clockTime, bool) {
	low, half := s, ""
	if last := s[len(s)-1]; !isDigit(last) {
		low = strings.ToLower(clockSpaces.Replace(s))
	}
	for _, h := range []string{"am", "pm"} {
		if t, ok := strings.CutSuffix(low, h); ok {
			low, half = strings.TrimSpace(t), h
		}
	}
	parts := strings.Split(low, ":")
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) > 2 {
		return clockTime{}, false
	}
	n := [3]int{}
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || i > 0 && (len(p) != 2 || v > 59) {
			return clockTime{}, false
		}
		n[i] = v
	}
	h := n[0]
	if half != "" {
		if h < 1 || h > 12 {
			return clockTime{}, false
		}
		h %= 12
		if half == "pm" {
			h += 12
		}
	}
	if h > 23 {
		return clockTime{}, false
	}
	return clockTime{minutes: h*60 + n[1], seconds: n[2]}, true
}

// calendar turns clock times into instants, given the date that a heading
// names.
type calendar struct {
	zone *time.Location
	// day is midnight of the date, zero for unknown.
	day  time.Time
	last int
}

func (c *calendar) location() *time.Location {
	if c.zone == nil {
		return time.UTC
	}
	return c.zone
}

// set begins a day.
func (c *calendar) set(day time.Time) { c.day, c.last = day, 0 }

// millis is the instant of a clock time, nil where no date is known. A time
// that goes back by more than half a day is on another day, of which nothing
// is known.
func (c *calendar) millis(clock []byte) *int64 {
	if len(clock) == 0 {
		return nil
	}
	t, ok := parseClock(string(clock))
	if !ok {
		return nil
	}
	if t.dated {
		if !t.zoned {
			y, m, d := t.at.Date()
			t.at = time.Date(y, m, d, t.at.Hour(), t.at.Minute(), t.at.Second(), 0, c.location())
		}
		ms := t.at.UnixMilli()
		return &ms
	}
	if t.minutes < c.last-12*60 {
		c.day = time.Time{}
	}
	c.last = t.minutes
	if c.day.IsZero() {
		return nil
	}
	y, m, d := c.day.Date()
	ms := time.Date(y, m, d, t.minutes/60, t.minutes%60, t.seconds, 0, c.location()).UnixMilli()
	return &ms
}

// findDate finds a date of the form 2026-03-11 in a heading.
func findDate(s []byte) (time.Time, bool) {
	for i := 0; i+10 <= len(s); i++ {
		if s[i+4] != '-' || s[i+7] != '-' || i > 0 && isDigit(s[i-1]) || i+10 < len(s) && isDigit(s[i+10]) {
			continue
		}
		if t, err := time.Parse(time.DateOnly, string(s[i:i+10])); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
