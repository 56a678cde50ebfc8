package redact

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// group is a row of digits in a number.
type group struct {
	start, end int
	gap        string // what stands before it, since the last group
}

// maxGroups is how many groups are looked at together.
const maxGroups = 24

// number looks at the number that begins at at, with its digits, a "+" or a
// bracket, and returns where to go on.
func (s *scanner) number(at int) int {
	groups := s.groups(at)
	if len(groups) == 0 {
		return at + 1
	}
	if end := s.botToken(groups[0].start, groups[0].end); end > groups[0].start {
		return end
	}
	for k := 0; k < len(groups); {
		k += s.private(groups, k)
	}
	return groups[len(groups)-1].end
}

// groups reads the groups of digits at at and what stands between them.
func (s *scanner) groups(at int) []group {
	var groups []group
	end := at
	for len(groups) < maxGroups {
		start := end
		for start < len(s.s) && start-end < 4 && s.isGap(end, start, len(groups) == 0) {
			start++
		}
		stop := start
		for stop < len(s.s) && isDigit(s.s[stop]) {
			stop++
		}
		if stop == start {
			break
		}
		if n := len(groups); n > 0 && start == end+1 && s.s[end] != ' ' && end-groups[n-1].start >= 9 && stop-start >= 9 {
			break // two numbers
		}
		groups = append(groups, group{start, stop, s.s[end:start]})
		end = stop
	}
	return groups
}

// isGap reports whether s[at] may belong to what stands between two groups,
// which began at from; first says that no group came before.
func (s *scanner) isGap(from, at int, first bool) bool {
	c := s.s[at]
	if first {
		return (c == '+' || c == '(') && strings.IndexByte(s.s[from:at], c) < 0
	}
	return c == ' ' || strings.IndexByte("-./()", c) >= 0 && strings.IndexByte(s.s[from:at], c) < 0
}

// candidate is a row of groups that may be private.
type candidate struct {
	groups []group
	digits string
	// start and end bound the whole, with "+" and brackets.
	start, end int
	plus       bool
	area       bool // the first group stands in brackets
}

// said is what the words around a number say of it.
type said struct{ business, phone, card, amount bool }

// private notes what is private in the groups from the k-th on, and returns
// how many groups it has dealt with.
func (s *scanner) private(groups []group, k int) int {
	rest := groups[k:]
	if n := plainNumber(s.s, rest); n > 0 {
		return n
	}
	if k > 0 && !strings.ContainsAny(rest[0].gap, " (") || k == 0 && s.isCode(rest[0]) {
		// A part of something longer: INV-2026-00123
		n := 1
		for n < len(rest) && !strings.ContainsAny(rest[n].gap, " (") {
			n++
		}
		return n
	}
	if k > 0 && isSingle(groups[k-1]) && isSingle(rest[0]) {
		return 1 // inside a row of digits that stand alone
	}
	var found []candidate
	for n := min(len(rest), 11); n > 0; n-- {
		if n > 6 && !isSingle(rest[0]) {
			continue
		}
		if c, ok := s.candidate(rest[:n], len(rest) > n, rest); ok {
			found = append(found, c)
		}
	}
	for _, look := range []func(candidate) Kind{s.isCard, s.isShaped, s.isAnnounced} {
		for _, c := range found {
			kind := look(c)
			if kind == "" {
				continue
			}
			if kind == business {
				s.note(label{class: cKeep, start: c.start, end: c.end, digits: len(c.digits)})
				return max(len(c.groups), sameWidth(rest))
			}
			s.add(kind, c.start, s.extension(c, kind))
			return len(c.groups)
		}
	}
	return sameWidth(rest)
}

// isSingle reports whether a group is one digit.
func isSingle(g group) bool { return g.end-g.start == 1 }

// sameWidth returns how many groups make one long number: a row of at least
// four groups of four, with what remains; else 1.
func sameWidth(groups []group) int {
	n := 0
	for n < len(groups) && groups[n].end-groups[n].start == 4 && (n == 0 || groups[n].gap == groups[1].gap) {
		n++
	}
	if n < 4 {
		return 1
	}
	if n < len(groups) && groups[n].end-groups[n].start < 4 {
		n++
	}
	return n
}

// business is what the numbers of a business are: no kind of private value.
const business Kind = "business"

// candidate makes a candidate of groups; more says that others follow.
func (s *scanner) candidate(groups []group, more bool, rest []group) (candidate, bool) {
	first, last := groups[0], groups[len(groups)-1]
	c := candidate{groups: groups, start: first.start, end: last.end}
	if more && !strings.ContainsAny(rest[len(groups)].gap, " (") {
		return c, false
	}
	if !more && s.runsOn(last.end) {
		return c, false
	}
	total := 0
	for _, g := range groups {
		total += g.end - g.start
	}
	if total < 6 || total > 19 {
		return c, false
	}
	var digits strings.Builder
	for _, g := range groups {
		digits.WriteString(s.s[g.start:g.end])
	}
	c.digits = digits.String()
	gap := first.gap
	if n := strings.LastIndexAny(gap, "(+"); n >= 0 {
		gap = gap[strings.IndexAny(gap, "(+"):]
		c.start -= len(gap)
	} else {
		gap = ""
	}
	c.plus = strings.Contains(gap, "+")
	closed := strings.Contains(s.s[first.end:c.end], ")")
	c.area = strings.Contains(gap, "(") && closed
	if strings.HasPrefix(gap, "(") && !closed {
		c.start++ // the bracket is around the whole
	}
	return c, true
}

// runsOn reports whether what follows a number makes it part of something
// else: a letter after which there are digits again, a sign.
func (s *scanner) runsOn(at int) bool {
	r := s.after(at)
	switch {
	case r == '_' || r == '%' || r == '@':
		return true
	case r == '-' || r == '/' || r == ':':
		next := s.after(at + 1)
		return r != ':' && unicode.IsLetter(next) && next < utf8.RuneSelf || r == ':' && unicode.IsDigit(next)
	case r == 'x' || r == 'X':
		return !isDigit(byte(s.after(at+1) & 0x7f))
	case r >= utf8.RuneSelf || !isLetter(s.s, at):
		return false
	}
	end := at
	for isLetter(s.s, end) {
		end++
	}
	// "0912345678nhe" is a number and a word, "0912345678ab3" is a code.
	return end-at == 1 || isDigit(byte(s.after(end)&0x7f)) || strings.Trim(s.low[at:end], "abcdef") == ""
}

// isCode reports whether what stands right before a number makes it part of a
// code or a path.
func (s *scanner) isCode(g group) bool {
	if g.gap != "" {
		return false // "+" or a bracket
	}
	r := s.before(g.start)
	if r == 0 || r == ' ' || r == '\n' {
		return false
	}
	if l := s.lastLabel(g.start); l != nil && l.class&(cPhone|cCard) != 0 && strings.Trim(s.s[l.end:g.start], ":.-/=_+") == "" {
		return false
	}
	if r == '_' || r < utf8.RuneSelf && unicode.IsLetter(r) {
		return true
	}
	if r == '#' {
		return true
	}
	if r != '-' && r != '.' && r != '/' || g.start < 2 {
		return false
	}
	last := s.before(g.start - 1)
	switch {
	case unicode.IsDigit(last):
		n := len(s.found)
		return n == 0 || s.found[n-1].End != g.start-1 // unless it follows a private one
	case !unicode.IsLetter(last):
		return false
	case r == '.':
		return false // a stop without a space after it
	}
	start := g.start - 1
	for start > 0 && g.start-start < 64 && s.s[start-1] > ' ' {
		start--
	}
	word := s.s[start : g.start-1]
	if r == '/' {
		return strings.ContainsAny(word, "/.")
	}
	return strings.ToUpper(word) == word || strings.ContainsAny(word, "0123456789/.-_")
}

// lastLabel returns the label that ends last before at.
func (s *scanner) lastLabel(at int) *label {
	for i := len(s.labels) - 1; i >= 0; i-- {
		if s.labels[i].end <= at {
			return &s.labels[i]
		}
	}
	return nil
}

// plainNumber returns how many groups at the beginning are a date or an
// address of a machine.
func plainNumber(s string, groups []group) int {
	if len(groups) >= 4 && isIP(s, groups[:4]) && (len(groups) == 4 || groups[4].gap != ".") {
		return 4
	}
	if len(groups) >= 3 && isDate(s, groups[:3]) && (len(groups) == 3 || groups[3].gap != groups[2].gap) {
		return 3
	}
	return 0
}

func isIP(s string, groups []group) bool {
	for i, g := range groups {
		d := s[g.start:g.end]
		if n, err := strconv.Atoi(d); err != nil || n > 255 || len(d) > 1 && d[0] == '0' || i > 0 && g.gap != "." {
			return false
		}
	}
	return true
}

// isDate reports whether three groups are a date.
func isDate(s string, groups []group) bool {
	if gap := groups[1].gap; gap != groups[2].gap || gap != "-" && gap != "." && gap != "/" {
		return false
	}
	var n, width [3]int
	for i, g := range groups {
		var err error
		if n[i], err = strconv.Atoi(s[g.start:g.end]); err != nil {
			return false
		}
		width[i] = g.end - g.start
	}
	if width[0] == 4 && width[1] <= 2 && width[2] <= 2 {
		return n[0] >= 1000 && n[1] <= 12 && n[2] <= 31
	}
	return width[0] <= 2 && width[1] <= 2 && (width[2] == 4 && n[2] >= 1000 || width[2] == 2) && n[0] <= 31 && n[1] <= 31
}

// isShaped tells a number that has the shape of a phone number.
func (s *scanner) isShaped(c candidate) Kind {
	if !s.isPhoneShape(c) {
		return ""
	}
	said := s.said(c)
	if said.amount && c.digits[0] != '0' || said.business && !c.plus {
		return business
	}
	return Phone
}

// isAnnounced tells a number that a word announces as a phone number.
func (s *scanner) isAnnounced(c candidate) Kind {
	n, said := len(c.digits), s.said(c)
	switch {
	case said.business:
		return business
	case !said.phone || said.amount || n > 15:
		return ""
	case len(c.groups) == 1 && n == 8 && isDay(c.digits):
		return ""
	case len(c.groups) > 1 && n <= 8 && isYears(c):
		return ""
	}
	return Phone
}

// isDay reports whether eight digits are a day: 20260301.
func isDay(d string) bool {
	return (d[:2] == "19" || d[:2] == "20") && d[4:6] >= "01" && d[4:6] <= "12" && d[6:] >= "01" && d[6:] <= "31"
}

// isYears reports whether two groups are years: 2019-2024.
func isYears(c candidate) bool {
	if len(c.groups) != 2 || len(c.digits) != 8 {
		return false
	}
	a, b := c.digits[:4], c.digits[4:]
	return c.groups[0].end-c.groups[0].start == 4 && a >= "1900" && a < "2100" && b >= "1900" && b < "2100"
}
