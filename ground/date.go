package ground

import (
	"strconv"
	"strings"
	"time"
)

// date is a day that a text names; year is 0 where it names none.
type date struct {
	year, month, day int
	// swapped: day and month may be the other way round (3/4).
	swapped  bool
	from, to int // units
}

// agrees reports whether two dates may be one day.
func (d date) agrees(o date) bool {
	if d.year != 0 && o.year != 0 && d.year != o.year {
		return false
	}
	same := d.month == o.month && d.day == o.day
	if d.swapped || o.swapped {
		same = same || d.month == o.day && d.day == o.month
	}
	return same
}

// datesIn finds the dates in units: 2026-03-14, 14/3/2026, 14 March, March
// 14th 2026, 14 tháng 3, 3月14日.
func (c *context) datesIn(text string, us []unit) []date {
	var out []date
	for i := 0; i < len(us); i++ {
		d, ok := c.numericDate(text, us, i)
		if !ok {
			d, ok = c.namedDate(text, us, i)
		}
		if !ok {
			d, ok = c.markedDate(text, us, i)
		}
		if ok {
			out = append(out, d)
			i = d.to - 1
		}
	}
	return out
}

// numericDate reads a date in digits with marks between.
func (c *context) numericDate(text string, us []unit, i int) (date, bool) {
	if !us[i].is(isNumber) {
		return date{}, false
	}
	raw := string(foldDigits(nil, us[i].of(text)))
	raw, _, _ = strings.Cut(raw, ":")
	sep := strings.IndexAny(raw, "-/.")
	if sep < 0 {
		return date{}, false
	}
	var n [3]int
	parts := strings.Split(raw, raw[sep:sep+1])
	if len(parts) > 3 || len(parts) == 2 && raw[sep] != '/' {
		return date{}, false
	}
	for k, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil {
			return date{}, false
		}
		n[k] = v
	}
	d := date{from: i, to: i + 1}
	switch {
	case len(parts) == 3 && len(parts[0]) == 4:
		d.year, d.month, d.day = n[0], n[1], n[2]
	case len(parts) == 3 && len(parts[2]) == 4:
		d.year, d.month, d.day, d.swapped = n[2], n[1], n[0], true
	case len(parts) == 2 && len(parts[0]) <= 2 && len(parts[1]) <= 2:
		d.month, d.day, d.swapped = n[1], n[0], true
	default:
		return date{}, false
	}
	if d.swapped && d.month > 12 {
		d.month, d.day = d.day, d.month
	}
	return d, isDay(d)
}

func isDay(d date) bool { return d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= 31 }

// namedDate reads a date with the name of its month.
func (c *context) namedDate(text string, us []unit, i int) (date, bool) {
	d := date{from: i}
	k := i
	if day := c.small(text, us, k, 31); day > 0 { // 14 (of) March
		k++
		for k < len(us) && us[k].class&cFunction != 0 && k < i+3 {
			k++
		}
		if k == len(us) || c.monthOf(&us[k]) == 0 {
			return date{}, false
		}
		d.day, d.month = day, c.monthOf(&us[k])
		k++
	} else if m := c.monthOf(&us[i]); m > 0 {
		k++
		for k < len(us) && us[k].class&cFunction != 0 && k < i+2 {
			k++
		}
		day := c.small(text, us, k, 31)
		if day == 0 {
			return date{}, false
		}
		d.day, d.month = day, m
		k++
	} else {
		return date{}, false
	}
	d.to = k
	for skip := 0; skip < 2 && k < len(us); skip++ {
		if y := c.small(text, us, k, 2999); y > 1000 {
			d.year, d.to = y, k+1
			break
		}
		if us[k].class&cFunction == 0 {
			break
		}
		k++
	}
	return d, isDay(d)
}

// markedDate reads a date whose parts say what they are: 2026年3月14日,
// ngày 14 tháng 3 năm 2026.
func (c *context) markedDate(text string, us []unit, i int) (date, bool) {
	word := func(k int) string {
		if k < 0 || k >= len(us) {
			return ""
		}
		return strings.ToLower(us[k].of(text))
	}
	if m := c.small(text, us, i, 12); m > 0 && (word(i+1) == "月" || word(i+1) == "월" || word(i+1) == "เดือน") {
		if day := c.small(text, us, i+2, 31); day > 0 {
			d := date{month: m, day: day, from: i, to: min(i+4, len(us))}
			if word(i-1) == "年" || word(i-1) == "년" {
				d.year = c.small(text, us, i-2, 2999)
			}
			return d, true
		}
	}
	if day := c.small(text, us, i, 31); day > 0 && word(i+1) == "tháng" {
		if m := c.small(text, us, i+2, 12); m > 0 {
			d := date{month: m, day: day, from: i, to: i + 3}
			if word(i+3) == "năm" {
				if y := c.small(text, us, i+4, 2999); y > 1000 {
					d.year, d.to = y, i+5
				}
			}
			return d, true
		}
	}
	return date{}, false
}

// small is the whole number at unit i, if it is at most most; else 0.
func (c *context) small(text string, us []unit, i, most int) int {
	if i < 0 || i >= len(us) {
		return 0
	}
	v, ok := c.valueOf(text, &us[i])
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n
}

// monthOf is the number of a month by its name; 0 for other words.
func (c *context) monthOf(u *unit) int {
	m := 0
	c.speech.entries(u.hash, func(e *entry) { m = max(m, e.month) })
	return m
}

// fallsOn reports whether a date of the support has the month, or the weekday,
// that a word names.
func (s *said) fallsOn(c *context, u *unit) bool {
	m := c.monthOf(u)
	for _, d := range s.dates {
		if m > 0 && d.month == m {
			return true
		}
		if d.year > 0 {
			day := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Weekday()
			if u.hash == hashOf(day.String()) {
				return true
			}
		}
	}
	return false
}
