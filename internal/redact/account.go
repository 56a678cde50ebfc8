package redact

import (
	"slices"
	"strconv"
	"strings"
)

// isCard tells a payment card: by its label, else by its prefix, length and
// check digit.
func (s *scanner) isCard(c candidate) Kind {
	n := len(c.digits)
	if n < 13 || c.plus || c.area {
		return ""
	}
	said := s.said(c)
	if said.card && n <= 19 {
		return Card
	}
	if !luhn(c.digits) || !s.isCardShape(c.digits) {
		return ""
	}
	switch {
	case len(c.groups) == 1:
		if said.business {
			return ""
		}
		return Card
	case len(c.groups) == 3 && c.groups[0].end-c.groups[0].start == 4:
		return Card // 4-6-5
	}
	for _, g := range c.groups[:len(c.groups)-1] {
		if g.end-g.start != 4 {
			return ""
		}
	}
	return Card
}

func (s *scanner) isCardShape(digits string) bool {
	for _, shape := range s.lex.cards {
		prefix, err := strconv.Atoi(digits[:shape.digits])
		if err == nil && prefix >= shape.first && prefix <= shape.last && slices.Contains(shape.lengths, len(digits)) {
			return true
		}
	}
	return false
}

// luhn checks the last digit (ISO/IEC 7812-1, annex B).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// iban notes the IBAN that begins at at and returns where it ends; at if there
// is none.
func (s *scanner) iban(at int) int {
	if at+15 > len(s.s) || !isLetter(s.s, at+1) || !isDigit(s.s[at+2]) || !isDigit(s.s[at+3]) {
		return at
	}
	length := s.lex.ibans[strings.ToUpper(s.s[at:at+2])]
	if length == 0 {
		return at
	}
	var plain strings.Builder
	end := at
	for end < len(s.s) && plain.Len() < length {
		switch c := s.s[end]; {
		case isAlnum(c):
			plain.WriteByte(strings.ToUpper(s.s[end : end+1])[0])
		case c != ' ' && c != '-' && c != '.' || end+1 < len(s.s) && !isAlnum(s.s[end+1]):
			return at
		}
		end++
	}
	if plain.Len() < length || end < len(s.s) && isAlnum(s.s[end]) || !mod97(plain.String()) {
		return at
	}
	s.add(IBAN, at, end)
	return end
}

// mod97 checks an IBAN (ISO 13616, ISO 7064 MOD 97-10).
func mod97(iban string) bool {
	rest := 0
	for _, c := range iban[4:] + iban[:4] {
		if isDigit(byte(c)) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
