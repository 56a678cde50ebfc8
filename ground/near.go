package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// minSlip is how many letters a word needs for one wrong letter to be a
	// slip of the keys, longWord for a vowel in the place of another, which
	// in a shorter word is often another tense.
	minSlip  = 6
	longWord = 9
	// minPlural is how many letters the singular of a plural needs.
	minPlural = 3
	// minAccent is how many letters a word needs that was written without its
	// accents.
	minAccent = 4
)

// ordinary are the classes that do not matter to spelling.
const ordinary = cKnown | cUnit | cCapitalDate | cImplicit

// near reports whether two units are one word with a slip of the keys: a
// letter too many, too few, wrong, or two changed over, in a long word; the s
// of the plural; missing accents. Negations, hedges and
// dates, numbers, and words that the source has beside each other are never
// near.
func (a *aligner) near(su, qu *unit) bool {
	if su.class&^(ordinary|tolerated) != 0 || qu.class&^ordinary != 0 || !su.plain || !qu.plain || (su.flag|qu.flag)&(isNumber|isChar|isSymbol) != 0 {
		return false
	}
	x, y := su.of(a.text), qu.of(a.query.text)
	if x[0]|0x20 != y[0]|0x20 && x[0] < utf8.RuneSelf && y[0] < utf8.RuneSelf {
		return false // most words, at no cost
	}
	var bx, by [64]byte
	s, q := foldWord(bx[:0], x), foldWord(by[:0], y)
	switch a.c.likeness(s, q) {
	case withoutAccents:
		return true
	case plural:
		return !a.isName(su)
	case slip:
		return !a.isName(su) && !a.s.has(qu.hash)
	}
	return false
}

// How two words are alike.
const (
	unlike = iota
	withoutAccents
	plural
	slip
)

// likeness says how two folded words are alike.
func (c *context) likeness(a, b []byte) int {
	if d := len(a) - len(b); d > 3 && d > len(b)/2 || -d > 3 && -d > len(a)/2 {
		return unlike
	}
	if isPlural(a, b) || isPlural(b, a) {
		return plural
	}
	if !isASCII(string(a)) || !isASCII(string(b)) {
		if p := plainLetters(string(a)); !c.tones && len(p) >= minAccent && p == plainLetters(string(b)) {
			return withoutAccents
		}
	}
	if d := len(a) - len(b); d > 2 || d < -2 || len(a) < minSlip && len(b) < minSlip {
		return unlike
	}
	if isSlip([]rune(string(a)), []rune(string(b))) {
		return slip
	}
	return unlike
}

// has reports whether the source has a word.
func (s *Source) has(h uint64) bool {
	words := s.words()
	for _, p := range words.of(h * spread) {
		if s.tokens[p].hash() == h {
			return true
		}
	}
	return false
}

// isPlural reports whether long is the English plural of short.
func isPlural(short, long []byte) bool {
	n := len(short)
	if n < minPlural || len(long) <= n || short[n-1] == 's' && len(long) == n+1 {
		return false
	}
	switch {
	case string(long[:n]) == string(short):
		return string(long[n:]) == "s" || string(long[n:]) == "es" && strings.IndexByte("sxzhoe", short[n-1]) >= 0
	case short[n-1] == 'y':
		return len(long) == n+2 && string(long[:n-1]) == string(short[:n-1]) && string(long[n-1:]) == "ies"
	}
	return false
}

// plainLetters takes the accents off Latin letters.
func plainLetters(word string) string {
	var out []rune
	for _, r := range norm.NFD.String(word) {
		switch {
		case r == 'ø':
			r = 'o'
		case r == 'ł':
			r = 'l'
		case unicode.Is(unicode.Mn, r):
			continue
		case r > unicode.MaxASCII && !unicode.Is(unicode.Latin, r):
			return "" // elsewhere a mark is a letter
		}
		out = append(out, r)
	}
	return string(out)
}

// isSlip reports whether two long words of an alphabet differ by one slip of
// the keys behind their first letter.
func isSlip(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < minSlip || len(b)-len(a) > 1 || a[0] != b[0] || !alphabetic(a) || !alphabetic(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		if string(a[i:]) != string(b[i+1:]) {
			return false
		}
		return i < len(a) || !strings.ContainsRune(suffixes, b[i])
	}
	switch {
	case i == len(a):
		return false
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && string(a[i+2:]) == string(b[i+2:]):
		return true
	case string(a[i+1:]) != string(b[i+1:]):
		return false
	case strings.ContainsRune(vowels, a[i]) && strings.ContainsRune(vowels, b[i]):
		return len(a) >= longWord
	}
	return true
}

const (
	// suffixes are letters that make another form of a word: migrate, migrated.
	suffixes = "drnysex"
	vowels   = "aeiouy"
)

// alphabetic reports whether a word is of letters of an alphabet in which one
// letter more or less is seldom another word.
func alphabetic(word []rune) bool {
	for _, r := range word {
		if !unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek) {
			return false
		}
	}
	return true
}
