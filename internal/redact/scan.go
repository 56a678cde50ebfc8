package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner goes over a text once and notes what is private in it.
type scanner struct {
	*view
	lex    *lexicon
	found  []Private // offsets in s
	labels []label   // the last few
	// dull is where a run of characters ends in which no key was found.
	dull int
	run  run
	// host is where a host begins that stands after credentials.
	host int
	// open says that a block of a private key began that never ends.
	open bool
}

// label is a word that announces something.
type label struct {
	class      class
	start, end int
	// digits is, where the "label" is itself a number that belongs to a
	// business, how many it has: others like it may follow.
	digits int
	spent  bool // a number followed
}

// maxLabels is how many labels are remembered.
const maxLabels = 16

// find returns the private values of a text; known tells of others by name.
func find(text string, known map[string]Kind) []Private {
	s := &scanner{view: newView(text), lex: theLexicon()}
	for at := 0; at < len(s.s); {
		at = s.step(at)
	}
	for i, p := range s.found {
		s.found[i].Start, s.found[i].End = s.span(p.Start, p.End)
	}
	if len(known) > 0 {
		s.recall(known)
	}
	return merge(s.found)
}

// step looks at what begins at at and returns where to go on.
func (s *scanner) step(at int) int {
	switch c := s.s[at]; {
	case isDigit(c) || c == '+':
		return s.number(at)
	case c == '(':
		s.spelledAt(at)
		return s.number(at)
	case c == '[' || c == '{' || c == '<':
		s.spelledAt(at)
	case c == '@':
		s.email(at, at+1)
	case c == '%' || c == '&' || c == '\\':
		for _, sign := range []string{"%40", "&#64;", "&#x40;", "&commat;", `\u0026#64;`} {
			if strings.HasPrefix(s.low[at:], sign) {
				s.email(at, at+len(sign))
			}
		}
	case c == ':':
		if strings.HasPrefix(s.s[at:], "://") {
			return s.userinfo(at + 3)
		}
	case c == '-':
		if strings.HasPrefix(s.s[at:], "-----BEGIN ") {
			return s.block(at)
		}
	case isLetter(s.s, at) || c >= utf8.RuneSelf:
		return s.letter(at)
	}
	return at + 1
}

// letter looks at the word that begins at at, if one does.
func (s *scanner) letter(at int) int {
	r, size := utf8.DecodeRuneInString(s.s[at:])
	if !s.wordBegins(at, r) {
		return s.wordGoesOn(at + size)
	}
	if r < utf8.RuneSelf {
		if end := s.key(at); end > at {
			return end
		}
		if end := s.iban(at); end > at {
			return end
		}
	}
	c, end := s.word(at)
	if c == 0 {
		return s.wordGoesOn(at + size)
	}
	s.note(label{class: c, start: at, end: end})
	if c&cAt != 0 {
		s.spelled(at, end, false)
	}
	if c&cCredential != 0 {
		return max(end, s.credential(c, at, end))
	}
	return end
}

// note remembers a label.
func (s *scanner) note(l label) {
	if len(s.labels) == maxLabels {
		s.labels = slices.Delete(s.labels, 0, maxLabels/2)
	}
	s.labels = append(s.labels, l)
}

// wordGoesOn goes over the small letters in which no word can begin.
func (s *scanner) wordGoesOn(at int) int {
	if s.s[at-1] >= utf8.RuneSelf {
		return at
	}
	for at < len(s.s) && s.s[at] >= 'a' && s.s[at] <= 'z' {
		at++
	}
	return at
}

// wordBegins reports whether a word may begin with the letter r at at.
func (s *scanner) wordBegins(at int, r rune) bool {
	last := s.before(at)
	if !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		return true
	}
	return unspaced(last) || unspaced(r) || camel(s.s, at) || (last < 0x370) != (r < 0x370)
}

// add notes a private value of s.
func (s *scanner) add(kind Kind, start, end int) {
	s.found = append(s.found, Private{kind, start, end})
}

// merge sorts spans and joins those that overlap.
func merge(spans []Private) []Private {
	slices.SortStableFunc(spans, func(a, b Private) int { return a.Start - b.Start })
	kept := spans[:0]
	for _, p := range spans {
		if n := len(kept); n > 0 && p.Start < kept[n-1].End {
			last := &kept[n-1]
			last.End = max(last.End, p.End)
			if p.Kind.rank() < last.Kind.rank() {
				last.Kind = p.Kind
			}
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// recall notes the words of the text that are known to be private.
func (s *scanner) recall(known map[string]Kind) {
	at := 0
	for word := range strings.FieldsSeq(s.text) {
		start := at + strings.Index(s.text[at:], word)
		at = start + len(word)
		bare := strings.TrimLeft(word, "\"'`([{<*“‘«")
		start += len(word) - len(bare)
		bare = strings.TrimRight(bare, "\"'`)]}>*”’».,;:!?")
		if kind, ok := known[bare]; ok {
			s.found = append(s.found, Private{kind, start, start + len(bare)})
		}
	}
}
