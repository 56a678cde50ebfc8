package redact

import "strings"

// key notes the key that begins at at, by its shape, and returns where it
// ends; at if there is none.
func (s *scanner) key(at int) int {
	if last := s.before(at); last < 0x80 && isAlnum(byte(last)) {
		return at
	}
	value, end := s.lex.keys.longest(s.s, at, nil)
	if value == 0 {
		return at
	}
	if at < s.dull {
		return at
	}
	shape := s.lex.shapes[value]
	stop := end
	for stop < len(s.s) && (isAlnum(s.s[stop]) || strings.IndexByte(shape.more, s.s[stop]) >= 0) {
		stop++
	}
	for stop > end && strings.IndexByte(".-/:", s.s[stop-1]) >= 0 {
		stop--
	}
	if stop-end < shape.least {
		return at
	}
	if !isRandom(s.s[end:stop]) {
		s.dull = max(s.dull, stop) // no part of it is a key's either
		return at
	}
	s.add(Key, at, stop)
	return s.partner(stop)
}

// partner notes what follows a key and looks like the other half of a pair, as
// the identity of an account and its secret; it returns where that ends, or at.
func (s *scanner) partner(at int) int {
	start := at
	for start < len(s.s) && start-at < 4 && strings.IndexByte(" ,:;/|\t\"'\n", s.s[start]) >= 0 {
		start++
	}
	end := start
	for end < len(s.s) && (isAlnum(s.s[end]) || strings.IndexByte("+/=_-", s.s[end]) >= 0) {
		end++
	}
	if start == at || end-start < 30 || end-start > maxJudged || countDigits(s.s[start:end]) == 0 || !isRandom(s.s[start:end]) || isUUID(s.s[start:end]) {
		return at
	}
	s.add(Key, start, end)
	return end
}

// isRandom reports whether what follows the beginning of a key looks like no
// words: it has a digit, or capitals among small letters.
func isRandom(rest string) bool {
	if strings.ContainsAny(rest, "0123456789") {
		return true
	}
	changes := 0
	for i := 1; i < len(rest); i++ {
		if camel(rest, i) {
			changes++
		}
	}
	return changes > 1
}

// botToken notes the token of a Telegram bot that begins with the digits in
// s[at:end], and returns where it ends; at if there is none.
func (s *scanner) botToken(at, end int) int {
	if end-at < 8 || end-at > 10 || end >= len(s.s) || s.s[end] != ':' {
		return at
	}
	stop := end + 1
	for stop < len(s.s) && (isAlnum(s.s[stop]) || s.s[stop] == '_' || s.s[stop] == '-') {
		stop++
	}
	if stop-end-1 < 30 {
		return at
	}
	s.add(Key, at, stop)
	return stop
}

// block notes the private key in PEM that begins at at, and returns where it
// ends. One that never ends is private as far as it looks like a key.
func (s *scanner) block(at int) int {
	head := s.s[at:min(len(s.s), at+80)]
	if !strings.Contains(head, "PRIVATE KEY") {
		return at + 5
	}
	const tail = "-----END "
	if !s.open {
		if n := strings.Index(s.s[at:], tail); n >= 0 {
			end := at + n + len(tail)
			if m := strings.Index(s.s[end:min(len(s.s), end+80)], "-----"); m >= 0 {
				end += m + 5
			}
			s.add(Key, at, end)
			return end
		}
		s.open = true
	}
	end := at + strings.Index(head, "PRIVATE KEY") + len("PRIVATE KEY")
	for end < len(s.s) && (isAlnum(s.s[end]) || strings.IndexByte("+/=-\\ \r\n", s.s[end]) >= 0) {
		if word := s.s[end:min(len(s.s), end+12)]; (s.s[end] == ' ' || s.s[end] == '\n') && strings.ContainsAny(word[1:], " ") {
			break // prose again
		}
		end++
	}
	s.add(Key, at, end)
	return end
}

// userinfo notes the credentials that stand before the host of the URL whose
// authority begins at at, and returns where to go on.
func (s *scanner) userinfo(at int) int {
	end, sign, colon := at, -1, -1
	path := false
	for end < len(s.s) && s.s[end] > ' ' && strings.IndexByte("\"'<>`", s.s[end]) < 0 && end-at < 512 && !strings.HasPrefix(s.s[end:], "://") {
		switch c := s.s[end]; {
		case c == '/' || c == '?' || c == '#':
			// A path, unless a password holds the character.
			if sign >= 0 || colon < 0 || isPort(s.s[colon+1:end]) {
				path = true
			}
		case c == '@' && !path:
			sign = end
		case c == ':' && colon < 0:
			colon = end
		}
		if path {
			break
		}
		end++
	}
	switch {
	case sign < 0:
		return at
	case colon >= 0 && colon < sign, sign-at >= 16 && isRandom(s.s[at:sign]):
		s.add(Credential, at, sign)
		s.host = sign + 1
	}
	return at
}

// isPort reports whether what stands between a colon and a path is a port, or
// nothing.
func isPort(s string) bool { return s == "" || len(s) <= 5 && allDigits(s) }
