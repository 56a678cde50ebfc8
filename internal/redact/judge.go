package redact

import (
	"strings"
	"unicode/utf8"
)

// accepted reports whether the value is a secret, as far as can be told by
// what it looks like and how it is announced.
func (x *secret) accepted() bool {
	v, n := x.value, len(x.value)
	digits := allDigits(v)
	switch {
	case x.class&cPin != 0:
		switch x.sign {
		case nothing:
			return digits && n >= 3 && n <= 8
		case far:
			return digits && n >= 4 && n <= 8
		}
		return countDigits(v) >= 3 && n <= 10 || looksSecret(v)
	case isAddress(v):
		return false
	case x.class&cSecret != 0, x.class&cShort != 0:
		return x.acceptedPassword(digits)
	case x.class&cBearer != 0:
		return n >= 6
	case x.class&cToken != 0:
		if isCode(v) {
			return false
		}
		switch x.sign {
		case colon, equals:
			return looksSecret(v) && n >= 6 || n >= 16 && isRandom(v) || digits && n >= 8 || x.sign == equals && n >= 6 || x.quoted && n >= 8 && !strings.Contains(v, " ")
		case verb:
			return looksSecret(v) && n >= 8 || digits && n >= 8
		}
		return looksSecret(v) && n >= 12
	}
	return n >= 16 && isRandom(v) && countDigits(v) > 1 && !isUUID(v) && !strings.Contains(v, " ")
}

// acceptedPassword is accepted after a word for "password".
func (x *secret) acceptedPassword(digits bool) bool {
	v, n := x.value, len(x.value)
	if x.class&cSecret == 0 && x.sign != colon && x.sign != equals && x.sign != verb {
		return false
	}
	odd := looksSecret(v) || digits && n >= 4
	plain := n >= 4 && x.last && !strings.HasSuffix(v, "ed") && !strings.HasSuffix(v, "ing")
	switch x.sign {
	case equals:
		return odd || n >= 3 && !isCode(v) || x.quoted
	case colon, verb:
		return odd || plain || x.quoted
	case far:
		return looksSecret(v) && n >= 5 || digits && n >= 6 || x.quoted && !strings.Contains(v, " ")
	}
	return looksSecret(v) && n >= 6 && !isCode(v) || digits && n >= 4 || x.quoted && !strings.Contains(v, " ")
}

// isOrdinary reports whether the value is a word that says something about a
// secret, or begins with one in quotes.
func (s *scanner) isOrdinary(x secret) bool {
	c, end := s.lex.words.longest(s.low, x.start, s.wordEnds)
	if class(c)&cWord == 0 {
		return false
	}
	return end == x.end || x.quoted && s.s[end] == ' ' && strings.Count(x.value, " ") > 1 || unspaced(s.after(x.start))
}

// isStandIn reports whether a value stands for one: a variable, a mask, a
// placeholder.
func isStandIn(v string) bool {
	switch {
	case v[0] == '<' || v[0] == '%' && len(v) < 4 || strings.HasPrefix(v, "{{") || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "$("):
		return true
	case v[0] == '$' && len(v) > 1 && strings.ToUpper(v) == v && isLetter(v, 1):
		return true
	case v[0] == '[':
		return true // a placeholder, a list
	case strings.Trim(v, "*") == "", strings.Trim(v, "xX") == "", strings.Trim(v, ".") == "", strings.Trim(v, "-_•…?") == "":
		return true
	}
	if open := strings.IndexAny(v, "(["); open > 0 {
		return isName(v[:open]) // a call, an index
	}
	return false
}

// isCode reports whether a value is a name of several parts in a program:
// process.env.TOKEN.
func isCode(v string) bool { return isName(v) && strings.ContainsAny(v, "._") }

// isName reports whether a value has letters, stops and underscores alone, and
// begins and ends with none but letters.
func isName(v string) bool {
	for i := range len(v) {
		if !isLetter(v, i) && (v[i] != '.' && v[i] != '_' || i == 0 || i == len(v)-1) {
			return false
		}
	}
	return v != ""
}

// isAddress reports whether a value is a link or a path.
func isAddress(v string) bool {
	return strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1 || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/")
}

// looksSecret reports whether a value is no word: it has characters of several
// sorts.
func looksSecret(v string) bool {
	if len(v) < 4 {
		return false
	}
	small, capital, digit, mark := 0, 0, 0, 0
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case isDigit(c):
			digit = 1
		case c >= 'a' && c <= 'z' || c >= utf8.RuneSelf:
			small = 1
		case c >= 'A' && c <= 'Z':
			if i > 0 && small > 0 {
				capital = 1
			}
		case strings.IndexByte("!@#$%^&*+=~?|", c) >= 0:
			if i < len(v)-1 || digit > 0 {
				mark = 1
			}
		}
	}
	letter := small
	if strings.ContainsAny(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		letter = 1
	}
	return letter+digit+mark+capital*small >= 2
}

func countDigits(v string) int {
	n := 0
	for i := 0; i < len(v); i++ {
		if isDigit(v[i]) {
			n++
		}
	}
	return n
}

// isUUID reports whether v is a UUID in its usual form.
func isUUID(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}
