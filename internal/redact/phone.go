package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isPhoneShape reports whether a number is written as phone numbers are, and
// as little else is.
func (s *scanner) isPhoneShape(c candidate) bool {
	n, first := len(c.digits), c.groups[0].end-c.groups[0].start
	if n > 1 && len(c.groups) > 1 && c.groups[len(c.groups)-1].end-c.groups[len(c.groups)-1].start == 1 && !c.allSingle() {
		return false
	}
	switch {
	case n > 17:
		return false
	case c.plus:
		return n >= 8 && n <= 15 && c.digits[0] != '0'
	case strings.HasPrefix(c.digits, "00"):
		if c.digits[2] == '0' {
			return false
		}
		if len(c.groups) == 1 {
			return n >= 12 && n <= 16
		}
		return n >= 10 && first != 3
	case c.area:
		return s.isAreaShape(c)
	case c.digits[0] == '0' && c.digits[1] != '0':
		return isNational(c)
	}
	if s.isListed(c) {
		return true
	}
	// China's mobile numbers in one piece look like any other number but among
	// Chinese words.
	return len(c.groups) == 1 && n == 11 && c.digits[0] == '1' && c.digits[1] >= '3' && s.amongHan(c)
}

// allSingle reports whether a number is spelled digit by digit.
func (c candidate) allSingle() bool {
	for i, g := range c.groups {
		if g.end-g.start != 1 || i > 1 && g.gap != c.groups[1].gap {
			return false
		}
	}
	return true
}

// isAreaShape is isPhoneShape for a number whose first group stands in
// brackets: (415) 555-2671, (02) 9374 4000, (11) 91234-5678.
func (s *scanner) isAreaShape(c candidate) bool {
	first, n := c.groups[0].end-c.groups[0].start, len(c.digits)
	if n < 9 || n > 12 {
		return false
	}
	switch first {
	case 2:
		return c.digits[0] == '0' || n >= 10 && n <= 11
	case 3:
		return c.digits[0] == '0' || c.digits[0] >= '2' && n >= 10 && n <= 11
	case 4, 5:
		return c.digits[0] == '0'
	}
	return first == 1 && c.digits[0] == '0' // (0)171 1234567
}

// isNational is isPhoneShape for a number that begins with one zero.
func isNational(c candidate) bool {
	n, first := len(c.digits), c.groups[0].end-c.groups[0].start
	if len(c.groups) == 1 {
		return n >= 10 && n <= 12 || n == 13 && c.digits[1] == '8'
	}
	if c.allSingle() {
		return n == 10 || n == 11
	}
	if n < 9 || n > 12 || first < 2 || first > 6 || len(c.groups) > 6 {
		return false
	}
	for _, g := range c.groups {
		if width := g.end - g.start; n == 12 && width < 3 || width > 8 {
			return false
		}
	}
	return true
}

// isListed reports whether the groups are like one of the shapes in the data.
func (s *scanner) isListed(c candidate) bool {
	for _, shape := range s.lex.phones {
		if len(shape) != len(c.groups) {
			continue
		}
		match := true
		for i, g := range c.groups {
			match = match && matches(shape[i], s.s[g.start:g.end])
		}
		if match {
			return true
		}
	}
	return false
}

// matches reports whether digits are like a pattern of "#", digits and ranges
// in brackets.
func matches(pattern, digits string) bool {
	for i := range len(digits) {
		if pattern == "" {
			return false
		}
		low, high := pattern[0], pattern[0]
		switch pattern[0] {
		case '#':
			low, high, pattern = '0', '9', pattern[1:]
		case '[':
			set, after, _ := strings.Cut(pattern[1:], "]")
			low, high, pattern = set[0], set[len(set)-1], after
			if !strings.Contains(set, "-") && digits[i] != low && digits[i] != high {
				return false
			}
		default:
			pattern = pattern[1:]
		}
		if digits[i] < low || digits[i] > high {
			return false
		}
	}
	return pattern == ""
}

// amongHan reports whether Chinese stands near a number.
func (s *scanner) amongHan(c candidate) bool {
	near := s.s[max(0, c.start-24):min(len(s.s), c.end+24)]
	for _, r := range near {
		if r >= 0x3400 && unspaced(r) {
			return true
		}
	}
	return false
}

// said gathers what the words around a number say of it.
func (s *scanner) said(c candidate) said {
	w := said{business: s.belongs(c), amount: s.isAmount(c)}
	words := 0
	for i := len(s.labels) - 1; i >= 0; i-- {
		l := s.labels[i]
		if l.start >= c.start || l.spent {
			continue
		}
		if c.start-l.end > 56 || words > 4 || s.breaks(l.end, c.start) {
			break
		}
		if l.class&(cPhone|cCard) != 0 {
			w.phone, w.card = l.class&cPhone != 0, l.class&cCard != 0
			break
		}
		if l.class&cKeep != 0 {
			break
		}
	}
	if w.phone || w.card {
		return w
	}
	w.phone = s.named(c.end)
	return w
}

// breaks reports whether a sentence or a paragraph ends in s[from:to].
func (s *scanner) breaks(from, to int) bool {
	gap := s.s[from:to]
	if strings.Count(gap, " ") > 6 || strings.Contains(gap, "\n") && strings.Trim(gap, " :*\r\n.-") != "" || strings.Count(gap, "\n") > 1 {
		return true
	}
	for i := 1; i+1 < len(gap); i++ {
		if strings.IndexByte(".!?;", gap[i]) >= 0 && gap[i+1] == ' ' && (gap[i] != '.' || !s.isShort(from+i)) {
			return true
		}
	}
	return false
}

// named reports whether what follows calls the number a phone's:
// 90123456 (mobile), 90123456 is my cell.
func (s *scanner) named(at int) bool {
	at = s.blanks(at)
	if at >= len(s.s) {
		return false
	}
	if strings.IndexByte("(/-", s.s[at]) >= 0 {
		at++
	} else if c, end := s.word(at); c&cIs != 0 {
		at = s.blanks(end)
		if at >= len(s.s) {
			return false
		}
		if c, _ := s.word(at); c&cPhone != 0 { // his number
			return true
		}
		for n := 0; n < 5 && isLetter(s.s, at); n++ { // my, his, her
			at++
		}
	} else {
		return false
	}
	if at = s.blanks(at); at >= len(s.s) {
		return false
	}
	c, _ := s.word(at)
	return c&cPhone != 0
}

// belongs reports whether a number belongs to a business: a word right before
// it says so, or it goes on a row of such numbers.
func (s *scanner) belongs(c candidate) bool {
	at := c.start
	for range 5 {
		end := at
		for end > 0 && at-end < 4 && strings.IndexByte(" :#.-=/\"'*_,", s.s[end-1]) >= 0 {
			end--
		}
		between := s.s[end:at]
		l := s.labelEnding(end)
		switch {
		case l == nil || strings.Contains(between, " - ") || strings.Contains(between, ". ") && !s.isShort(end):
			return false
		case l.class&cKeep != 0 && l.digits > 0:
			return l.digits == len(c.digits)
		case strings.Contains(between, ","):
			return false
		case l.class&cKeep != 0:
			l.spent = true
			return true
		case l.class&cLink == 0:
			return false
		}
		at = l.start
	}
	return false
}

// isShort reports whether the word that ends at at is short enough to be an
// abbreviation: the stop after it ends no sentence.
func (s *scanner) isShort(at int) bool {
	start := at
	for start > 0 && at-start < 5 {
		r, size := utf8.DecodeLastRuneInString(s.s[:start])
		if !unicode.IsLetter(r) {
			break
		}
		start -= size
	}
	return at-start <= 4 || strings.HasSuffix(s.low[:at], "nr")
}

// labelEnding returns the label that ends at at.
func (s *scanner) labelEnding(at int) *label {
	for i := len(s.labels) - 1; i >= 0; i-- {
		if s.labels[i].end == at {
			return &s.labels[i]
		}
	}
	return nil
}

// isAmount reports whether a currency or a unit stands beside a number.
func (s *scanner) isAmount(c candidate) bool {
	if strings.ContainsRune("$€£¥₫₹฿₩₽₱₺₴", s.before(c.start)) {
		return true
	}
	start := c.start
	for start > 0 && c.start-start < 3 && s.s[start-1] == ' ' {
		start--
	}
	if l := s.labelEnding(start); l != nil && l.class&cUnit != 0 {
		return true
	}
	at := s.blanks(c.end)
	r := s.after(at)
	if r == utf8.RuneError || r == 0 {
		return false
	}
	if strings.ContainsRune("$€£¥₫₹฿₩₽₱₺₴%°", r) {
		return true
	}
	class, _ := s.word(at)
	return class&cUnit != 0
}

// extension returns where a number ends with its extension, if it has one.
func (s *scanner) extension(c candidate, kind Kind) int {
	if kind != Phone {
		return c.end
	}
	at := c.end
	for at < len(s.s) && at-c.end < 3 && strings.IndexByte(" ,;(", s.s[at]) >= 0 {
		at++
	}
	class, end := s.word(at)
	if class&cExt == 0 {
		return c.end
	}
	for end < len(s.s) && strings.IndexByte(" .:#", s.s[end]) >= 0 {
		end++
	}
	digits := end
	for digits < len(s.s) && isDigit(s.s[digits]) {
		digits++
	}
	if digits == end || digits-end > 6 {
		return c.end
	}
	return digits
}
