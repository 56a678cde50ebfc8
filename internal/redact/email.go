package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// email notes the address around the "@" in s[at:next].
func (s *scanner) email(at, next int) {
	if next == s.host {
		return // what stands before it is noted already
	}
	start := s.localStart(at)
	end := s.domainEnd(next)
	if start < at && end == next && s.announcesMail(start) {
		end = s.domainLabel(next) // jane@gmail
		if !isTop(s.s[next:end]) {
			return
		}
	}
	if start == at || end == next {
		return
	}
	if s.s[start:at] == "git" && strings.HasPrefix(s.s[end:], ":") {
		return // a repository, and nobody's address
	}
	s.add(Email, start, end)
}

// localStart returns where the part of an address before at begins.
func (s *scanner) localStart(at int) int {
	start := at
	if start > 0 && s.s[start-1] == '"' { // "jane doe"@example.com
		if open := strings.LastIndexByte(s.s[max(0, start-66):start-1], '"'); open >= 0 {
			return max(0, start-66) + open
		}
		return at
	}
	latin := start > 0 && s.before(start) < 0x370
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s.s[:start])
		if r < utf8.RuneSelf {
			if !isAlnum(byte(r)) && strings.IndexByte("._%+-~'!$*^`=", byte(r)) < 0 {
				break
			}
			if r == '=' && s.namesMail(start-size) {
				break
			}
		} else if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) || (r < 0x370) != latin {
			break
		}
		start -= size
	}
	for start < at && strings.IndexByte(".%'!$*^`=~-", s.s[start]) >= 0 {
		start++
	}
	return start
}

// namesMail reports whether a short word ends at at that names a field rather
// than being part of an address.
func (s *scanner) namesMail(at int) bool {
	start := at
	for start > 0 && at-start < 12 && (isLetter(s.s, start-1) || s.s[start-1] == '_' || s.s[start-1] == '-') {
		start--
	}
	return start < at && (start == 0 || strings.IndexByte(".+", s.s[start-1]) < 0 && !isAlnum(s.s[start-1]))
}

// domainEnd returns where the domain that begins at at ends; at if there is
// none.
func (s *scanner) domainEnd(at int) int {
	if at < len(s.s) && s.s[at] == '[' { // jane@[192.0.2.1]
		if n := strings.IndexByte(s.s[at:min(len(s.s), at+48)], ']'); n > 1 && isAlnum(s.s[at+1]) {
			return at + n + 1
		}
		return at
	}
	labels, end, last := 0, at, at
	for i := at; ; {
		stop := s.domainLabel(i)
		if stop == i {
			break
		}
		labels, end, last = labels+1, stop, i
		if stop >= len(s.s) || s.s[stop] != '.' {
			break
		}
		i = stop + 1
	}
	for labels > 1 && !isTop(s.s[last:end]) {
		// What follows the domain is no part of it: "a@example.com.2"
		labels, end = labels-1, last-1
		last = max(at, strings.LastIndexByte(s.s[at:end], '.')+1+at)
	}
	if labels < 2 || isDigit(s.s[at]) && (isVersion(s.s[at:end]) || s.low[at+1] == 'x' && s.s[at+2] == '.') {
		return at // react@18.2.0, logo@2x.png
	}
	return end
}

// domainLabel returns where the label of a domain that begins at at ends.
func (s *scanner) domainLabel(at int) int {
	i := at
	latin := s.after(at) < 0x370
	for i < len(s.s) {
		r, size := utf8.DecodeRuneInString(s.s[i:])
		if r < utf8.RuneSelf && !isAlnum(byte(r)) && (r != '-' || i == at) {
			break
		}
		if r >= utf8.RuneSelf && (!unicode.IsLetter(r) && !unicode.IsMark(r) || (r < 0x370) != latin) {
			break
		}
		i += size
	}
	for i > at && s.s[i-1] == '-' {
		i--
	}
	return i
}

// isTop reports whether a label may be the last one of a domain.
func isTop(label string) bool {
	if strings.HasPrefix(strings.ToLower(label), "xn--") {
		return true
	}
	n := 0
	for _, r := range label {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
		n++
	}
	return n >= 2
}

// isVersion reports whether a domain begins like a version: 18.2.
func isVersion(domain string) bool {
	labels := strings.SplitN(domain, ".", 3)
	return len(labels) == 3 && allDigits(labels[0]) && allDigits(labels[1])
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// spelledAt notes an address whose "@" is a word in brackets that open at at:
// jane [at] example [dot] com.
func (s *scanner) spelledAt(at int) {
	word := s.blanks(at + 1)
	c, end := class(0), word
	if word < len(s.s) && s.s[word] == '@' {
		c, end = cAt, word+1
	} else if word < len(s.s) {
		c, end = s.word(word)
	}
	if c&cAt == 0 {
		return
	}
	if end = s.blanks(end); end < len(s.s) && strings.IndexByte(")]}>", s.s[end]) >= 0 {
		s.spelled(at, end+1, true)
	}
}

// spelled notes an address whose "@" is what stands in s[at:next]. Without
// brackets there must be more to tell that it is one.
func (s *scanner) spelled(at, next int, brackets bool) {
	before := at
	for before > 0 && at-before < 3 && s.s[before-1] == ' ' {
		before--
	}
	start := s.localStart(before)
	if start == before {
		return
	}
	end := s.spelledDomain(s.blanks(next), brackets)
	if end < 0 {
		return
	}
	local := s.s[start:before]
	if brackets || s.announcesMail(start) || isHandle(local) && strings.Contains(s.low[next:end], " dot ") {
		s.add(Email, start, end)
	}
}

// isHandle reports whether a word is more likely the name of a mailbox than a
// word: tom_w, j.smith, ann99.
func isHandle(word string) bool {
	return isAlnum(word[len(word)-1]) && isLetter(word, 0) && strings.ContainsAny(word, "._0123456789")
}

// spelledDomain returns where a domain ends whose dots may be words; -1 if
// there is none. Without brackets around the "@", one dot must be a word.
func (s *scanner) spelledDomain(at int, brackets bool) int {
	words, labels := 0, 1
	end := s.domainLabel(at)
	if end == at {
		return -1
	}
	last := at
	for {
		dot := s.blanks(end)
		open := dot < len(s.s) && strings.IndexByte("([{<", s.s[dot]) >= 0
		if open {
			dot = s.blanks(dot + 1)
		}
		if dot >= len(s.s) {
			break
		}
		next := dot + 1
		if s.s[dot] != '.' {
			c, stop := s.word(dot)
			if c&cDot == 0 || dot == end {
				break
			}
			next, words = stop, words+1
		}
		if open {
			if next = s.blanks(next); next >= len(s.s) || strings.IndexByte(")]}>", s.s[next]) < 0 {
				break
			}
			next++
		}
		spaced := dot > end || s.s[dot] != '.'
		if spaced {
			next = s.blanks(next)
		}
		stop := s.domainLabel(next)
		if stop == next {
			break
		}
		last, end, labels = next, stop, labels+1
	}
	if labels < 2 || !isTop(s.s[last:end]) || !brackets && words == 0 {
		return -1
	}
	return end
}

// announcesMail reports whether a word shortly before at announces an address.
func (s *scanner) announcesMail(at int) bool {
	for i := len(s.labels) - 1; i >= 0; i-- {
		if l := s.labels[i]; l.class&cMail != 0 && l.end <= at && at-l.end < 24 {
			return true
		}
	}
	return false
}

// blanks goes over a few spaces.
func (s *scanner) blanks(at int) int {
	for n := 0; n < 4 && at < len(s.s) && s.s[at] == ' '; n++ {
		at++
	}
	return at
}
