package ground

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ClaimKind is what a claim is about.
type ClaimKind string

// The kinds of claim that a value can make and its words may not.
const (
	NumberClaim   ClaimKind = "number"
	AmountClaim   ClaimKind = "amount" // a currency
	DateClaim     ClaimKind = "date"
	NameClaim     ClaimKind = "name"
	NegationClaim ClaimKind = "negation"
)

// Claim is something in a value that can be checked.
type Claim struct {
	Kind ClaimKind
	// Text is it as the value has it.
	Text string
}

// Derivation derives values from words that do not have them literally, such
// as a date from "next Friday".
type Derivation struct {
	// Rule names it.
	Rule string
	// Derives reports whether the words give the value.
	Derives func(value string, support []string) bool
}

// Unsupported lists what a value claims and none of the texts that support it
// says: numbers, currencies, dates, names and negations. The same number,
// length of time or date counts however it is written: "two" for 2, "2
// minutes" for "120s", "14 March" for "2026-03-14" where the year is not
// denied. A value that a derivation gives claims nothing.
//
// Other words are not looked at: a title says a thing in words of its own.
func Unsupported(value string, support []string, derived ...Derivation) []Claim {
	for _, d := range derived {
		if d.Derives(value, support) {
			return nil
		}
	}
	v := claims{text: value, tokens: tokens(value, nil)}
	said := newSaid(support)
	if day, ok := isoDate(value); ok {
		if said.date(day) {
			return nil
		}
		return []Claim{{DateClaim, strings.TrimSpace(value)}}
	}
	for i := range v.tokens {
		v.check(i, said)
	}
	v.marks(said)
	if negations(v.tokens) > said.negations {
		v.out = append(v.out, Claim{NegationClaim, value})
	}
	return v.out
}

// said is what the supporting texts say.
type said struct {
	hashes    map[uint64]bool
	words     []string // folded
	text      string   // all of it
	lengths   map[time.Duration]bool
	negations int
}

func newSaid(support []string) *said {
	s := &said{hashes: map[uint64]bool{}, lengths: map[time.Duration]bool{}}
	for _, text := range support {
		ts := tokens(text, nil)
		for i, t := range ts {
			s.hashes[t.hash] = true
			s.words = append(s.words, fold(t.of(text)))
			if d, _, ok := length(text, ts, i); ok {
				s.lengths[d] = true
			}
		}
		s.negations += negations(ts)
		s.text += text + "\n"
	}
	return s
}

// negations counts the words that deny; the "no" of an answer counts too, so
// that it errs on the side of few claims.
func negations(ts []token) int {
	n := 0
	for _, t := range ts {
		if words().classes[t.hash]&negation != 0 {
			n++
		}
	}
	return n
}

// claims gathers what a value claims.
type claims struct {
	text   string
	tokens []token
	skip   int // tokens before it belong to a claim that was checked
	out    []Claim
}

// check looks at one word of the value.
func (v *claims) check(i int, s *said) {
	t := v.tokens[i]
	word := t.of(v.text)
	if i < v.skip || i > 0 && v.tokens[i-1].start == t.start { // one word of a contraction
		return
	}
	if d, n, ok := length(v.text, v.tokens, i); ok && s.lengths[d] {
		v.skip = i + n
		return
	}
	c := words().classes[t.hash]
	switch {
	case s.hashes[t.hash], ordinal(word):
	case strings.ContainsFunc(word, unicode.IsDigit):
		v.out = append(v.out, Claim{NumberClaim, word})
	case c&negation != 0 || c&(function|filler) != 0:
	case c&number != 0:
		v.out = append(v.out, Claim{NumberClaim, word})
	case c&currency != 0 && !s.currency():
		v.out = append(v.out, Claim{AmountClaim, word})
	case c&date != 0 && t.capital:
		v.out = append(v.out, Claim{DateClaim, word})
	case c == 0 && v.isName(i) && !s.has(word):
		v.out = append(v.out, Claim{NameClaim, word})
	}
}

// ordinal reports whether a word is the ending of a number: "3rd".
func ordinal(word string) bool {
	return word == "st" || word == "nd" || word == "rd" || word == "th"
}

// isName reports whether a word of the value looks like a name: a capital
// inside it, or at its beginning where it is the only word or another capital
// follows. What is in capitals throughout is an identifier.
func (v *claims) isName(i int) bool {
	t := v.tokens[i]
	word := t.of(v.text)
	if !t.capital || strings.ToUpper(word) == word && utf8.RuneCountInString(word) > 1 {
		return false
	}
	if strings.ContainsAny(word, "_") || strings.IndexFunc(word[1:], unicode.IsUpper) >= 0 {
		return false // an identifier in CamelCase
	}
	return i > 0 || len(v.tokens) == 1 || v.tokens[1].capital
}

// has reports whether a word, or a form of it, was said.
func (s *said) has(word string) bool {
	f := fold(word)
	for _, w := range s.words {
		if w == f || inflected(w, f) {
			return true
		}
	}
	return false
}

// symbols are the marks of currencies.
const symbols = "$€£¥₫₹₩₽฿"

// currency reports whether any currency was named.
func (s *said) currency() bool {
	if strings.ContainsAny(s.text, symbols) {
		return true
	}
	for h := range s.hashes {
		if words().classes[h]&currency != 0 {
			return true
		}
	}
	return false
}

// marks checks the marks of currencies and of percent.
func (v *claims) marks(s *said) {
	for _, r := range v.text {
		switch {
		case strings.ContainsRune(symbols, r) && !strings.ContainsRune(s.text, r) && !s.currency():
			v.out = append(v.out, Claim{AmountClaim, string(r)})
		case r == '%' && !strings.ContainsRune(s.text, '%') && !s.hashes[hashOf("percent")] && !s.hashes[hashOf("percentage")]:
			v.out = append(v.out, Claim{NumberClaim, "%"})
		}
	}
}

// seconds is how long a unit of time is.
var seconds = map[string]float64{
	"ms": 0.001, "millisecond": 0.001, "milliseconds": 0.001, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
	"h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "d": 86400, "day": 86400, "days": 86400, "week": 604800, "weeks": 604800,
}

// length reads a length of time at a word: a number and a unit, "half an
// hour", "an hour"; n is how many words it takes.
func length(text string, ts []token, i int) (d time.Duration, n int, ok bool) {
	word := func(k int) string {
		if i+k >= len(ts) {
			return ""
		}
		return fold(ts[i+k].of(text))
	}
	count, isNumber := numberOf(ts[i], word(0))
	switch unit, next := seconds[word(1)], seconds[word(2)]; {
	case isNumber && unit > 0:
		return time.Duration(count * unit * float64(time.Second)), 2, true
	case word(0) == "half" && (word(1) == "a" || word(1) == "an") && next > 0:
		return time.Duration(next / 2 * float64(time.Second)), 3, true
	case word(0) == "half" && unit > 0:
		return time.Duration(unit / 2 * float64(time.Second)), 2, true
	case (word(0) == "a" || word(0) == "an") && unit > 0:
		return time.Duration(unit * float64(time.Second)), 2, true
	}
	return 0, 0, false
}

// numberOf is the value of a number in digits or in words up to twenty, and
// tens.
func numberOf(t token, word string) (float64, bool) {
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f, true
	}
	for n := range 91 {
		if (n <= 20 || n%10 == 0) && t.hash == hashOf(strconv.Itoa(n)) {
			return float64(n), true
		}
	}
	return 0, false
}

// isoDate reads a value that is a date as ISO 8601 writes it.
func isoDate(value string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(value))
	return day, err == nil
}

// date reports whether the words name a day: as it is, or its day with its
// month, as a word or a number, and no other year.
func (s *said) date(day time.Time) bool {
	if strings.Contains(s.text, day.Format(time.DateOnly)) {
		return true
	}
	d := strconv.Itoa(day.Day())
	if !s.hashes[hashOf(d)] && !s.hashes[hashOf("0"+d)] {
		return false
	}
	month := strings.ToLower(day.Month().String())
	m := strconv.Itoa(int(day.Month()))
	if !s.hashes[hashOf(month)] && !s.hashes[hashOf(month[:3])] && !s.hashes[hashOf(m)] && !s.hashes[hashOf("0"+m)] {
		return false
	}
	for _, w := range s.words {
		if y, err := strconv.Atoi(w); err == nil && len(w) == 4 && y >= 1900 && y < 2200 && y != day.Year() {
			return false
		}
	}
	return true
}
