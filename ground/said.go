package ground

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// said is what supporting texts say.
type said struct {
	hashes map[uint64]bool
	small  map[uint64]bool // words that stand in small letters
	words  []string        // folded
	// numbers are the units behind each number; nil where there is none.
	numbers map[string][]*unit
	parts   map[string]bool // numbers within dates, times and ranges
	lengths []float64       // lengths of time, in seconds
	dates   []date
	denies  bool
	clauses []clauseOf
	// letters are those of all words in a row, for joined words.
	letters string
}

// clauseOf is a stretch of a text between marks and conjunctions.
type clauseOf struct {
	text  string
	units []unit
}

// listenTo reads supporting texts.
func (c *context) listenTo(support []string) *said {
	s := &said{hashes: map[uint64]bool{}, small: map[uint64]bool{}, numbers: map[string][]*unit{}, parts: map[string]bool{}}
	var letters strings.Builder
	for _, text := range support {
		tokens := scan(nil, text)
		us := c.makeUnits(nil, text, tokens, nil)
		s.dates = append(s.dates, c.datesIn(text, us)...)
		for i := range us {
			u := &us[i]
			s.hashes[u.hash] = true
			s.hashes[hashOf(u.of(text))] = true
			if !u.is(isCapital) {
				s.small[u.hash] = true
			}
			if !u.inner {
				w := string(foldWord(nil, u.of(text)))
				s.words = append(s.words, w)
				letters.WriteString(w)
			}
			s.denies = s.denies || u.class&(cNegation|cImplicit) != 0 || deniesByPrefix(u.of(text))
			s.addNumber(c, text, us, i)
		}
		letters.WriteByte(' ')
		s.clauses = append(s.clauses, c.clausesOf(text, us)...)
	}
	s.letters = letters.String()
	return s
}

// addNumber notes the number and the length of time at unit i.
func (s *said) addNumber(c *context, text string, us []unit, i int) {
	if n, seconds := c.lengthAt(text, us, i); n > 0 {
		s.lengths = append(s.lengths, seconds)
	}
	u := &us[i]
	var next *unit
	if i+1 < len(us) && (us[i+1].class&(cUnit|cCurrency) != 0 || us[i+1].is(isGlued)) {
		next = &us[i+1]
	}
	add := func(v string) { s.numbers[v] = append(s.numbers[v], next) }
	if v, ok := c.valueOf(text, u); ok {
		add(v)
		raw := string(foldDigits(nil, u.of(text)))
		if whole := ungroup(raw, "."); whole != "" { // 1.500, as some write it
			add(whole)
		}
		for _, p := range strings.FieldsFunc(raw, func(r rune) bool { return !unicode.IsDigit(r) }) {
			if p != raw {
				s.parts[canonical(p)] = true
			}
		}
	}
	c.speech.entries(u.hash, func(e *entry) {
		if e.times > 0 {
			add(plain(e.times))
		}
	})
	if v, ok := c.valueOf(text, u); ok && v == "0.5" && i+2 < len(us) { // half a dozen
		if w, ok := c.valueOf(text, &us[i+2]); ok && w == "12" {
			add("6")
		}
	}
}

// valueOf is the number that a unit is, in canonical form; an ordinal counts
// as its number.
func (c *context) valueOf(text string, u *unit) (string, bool) {
	if u.class&(cNumber|cOrdinal) == 0 && !u.is(isNumber) {
		return "", false
	}
	word := u.of(text)
	v, n := c.readNumber(word, scan(nil, word))
	return strings.TrimSuffix(v, "."), n > 0
}

// lasts reports whether a length of time was named.
func (s *said) lasts(seconds float64) bool {
	return slices.ContainsFunc(s.lengths, func(x float64) bool { return math.Abs(x-seconds) < 1e-9*max(1, x) })
}

// secondsOf is how long a unit of time is; 0 for other units.
func (c *context) secondsOf(u *unit) float64 {
	var out float64
	c.speech.entries(u.hash, func(e *entry) { out = max(out, e.seconds) })
	return out
}

// lengthAt reads the length of time that begins at a unit: "2 minutes", "an
// hour", "half an hour", "1 hour 30 minutes". It returns how many units it
// takes; 0 for none.
func (c *context) lengthAt(text string, us []unit, i int) (n int, seconds float64) {
	for i+n < len(us) {
		step, s := c.oneLength(text, us[i+n:])
		if step == 0 || n > 0 && s >= seconds {
			break
		}
		n, seconds = n+step, seconds+s
		if i+n+1 < len(us) && us[i+n].hash == andHash {
			if next, s := c.oneLength(text, us[i+n+1:]); next > 0 && s < seconds {
				n++
			}
		}
	}
	return n, seconds
}

func (c *context) oneLength(text string, us []unit) (n int, seconds float64) {
	at := func(k int) float64 {
		if k >= len(us) {
			return 0
		}
		return c.secondsOf(&us[k])
	}
	if v, ok := c.valueOf(text, &us[0]); ok {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return 0, 0
		}
		switch {
		case at(1) > 0 && us[1].class&cOrdinal == 0 || at(1) > 0 && us[1].class&cUnit != 0:
			return 2, f * at(1)
		case f == 0.5 && len(us) > 1 && us[1].class&cFunction != 0 && at(2) > 0: // half an hour
			return 3, f * at(2)
		}
		return 0, 0
	}
	var times float64
	c.speech.entries(us[0].hash, func(e *entry) { times = max(times, e.times) })
	switch {
	case times > 0 && times < 1 && at(2) > 0 && us[1].class&cFunction != 0: // a quarter of an hour
		return 3, times * at(2)
	case times > 0 && times < 1 && at(3) > 0 && us[1].class&us[2].class&cFunction != 0:
		return 4, times * at(3)
	case isArticle(us[0].of(text)) && at(1) > 0:
		return 2, at(1)
	}
	return 0, 0
}

// isArticle reports whether a word is an indefinite article, which counts one.
func isArticle(word string) bool {
	return slices.Contains([]string{"a", "an", "per", "ein", "eine", "einer", "eines", "une", "un", "una", "uma", "um"}, strings.ToLower(word))
}

// names reports whether a name was said: the word itself, a form of it, its
// initial, or the words that an identifier is made of.
func (s *said) names(word string) bool {
	if stem, ending := contraction(word); ending == "'s" {
		word = stem
	}
	f := foldWord(nil, word)
	plain := plainLetters(string(f))
	initial := utf8.RuneCountInString(word) == 1
	for _, w := range s.words {
		switch {
		case w == string(f), sameStem(w, string(f)), plain != "" && plain == plainLetters(w), initial && strings.HasPrefix(w, string(f)):
			return true
		}
	}
	if len(f) > 2 && strings.Contains(s.letters, string(f)) && !slices.Contains(s.words, string(f)) && joinedWords(s.words, string(f)) {
		return true
	}
	pieces := camel(word)
	for _, p := range pieces {
		if len(pieces) > 1 && len(p) > 2 && s.names(p) {
			return true
		}
	}
	return isUpperWord(word) && s.initials(string(f))
}

// spells reports whether a label was said in pieces: "L5" for "L 5".
func (s *said) spells(word string) bool {
	return joinedWords(s.words, string(foldWord(nil, word)))
}

// joinedWords reports whether words that follow each other make up a word.
func joinedWords(words []string, joined string) bool {
	for i := range words {
		rest, ok := joined, true
		for k := i; ok && k < len(words); k++ {
			if rest, ok = strings.CutPrefix(rest, words[k]); ok && rest == "" {
				return true
			}
		}
	}
	return false
}

// initials reports whether the letters are the first ones of words that follow
// each other.
func (s *said) initials(letters string) bool {
	rs := []rune(letters)
	for i := 0; i+len(rs) <= len(s.words); i++ {
		same := 0
		for same < len(rs) {
			if r, _ := utf8.DecodeRuneInString(s.words[i+same]); r != rs[same] {
				break
			}
			same++
		}
		if same == len(rs) {
			return true
		}
	}
	return false
}

func isUpperWord(word string) bool { return strings.ToUpper(word) == word }

// sameStem reports whether two folded words are forms of one: plural and
// possessive endings, and those of verbs.
func sameStem(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= 3 && isEnding(a[n:]) && isEnding(b[n:])
}

func isEnding(s string) bool {
	switch s {
	case "", "s", "es", "ed", "d", "ing", "e", "'s", "y", "ies", "ied", "er", "ion", "en", "n":
		return true
	}
	return false
}

// camel cuts a word in CamelCase into its words.
func camel(word string) []string {
	var out []string
	start := 0
	lowerBefore := false
	for i, r := range word {
		if unicode.IsUpper(r) && lowerBefore {
			out = append(out, word[start:i])
			start = i
		}
		lowerBefore = unicode.IsLower(r)
	}
	return append(out, word[start:])
}

// deniesByPrefix reports whether a word begins with a negative prefix. It errs
// on the side of yes: the value may then say "not".
func deniesByPrefix(word string) bool {
	w := strings.ToLower(word)
	for _, p := range [...]string{"un", "in", "im", "ir", "il", "dis", "non", "mis"} {
		if strings.HasPrefix(w, p) && len(w) > len(p)+3 {
			return true
		}
	}
	return strings.HasSuffix(w, "less") || strings.HasSuffix(w, "los")
}

// clausesOf cuts units at marks and at conjunctions.
func (c *context) clausesOf(text string, us []unit) []clauseOf {
	var out []clauseOf
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, clauseOf{text, us[start:end]})
		}
		start = end
	}
	for i := 1; i < len(us); i++ {
		if us[i].inner {
			continue
		}
		gap := ""
		if us[i-1].end < us[i].start {
			gap = text[us[i-1].end:us[i].start]
		}
		if strings.ContainsAny(gap, ".!?;:,\n()") || strings.ContainsAny(gap, "。，；！？、،؟") || isConjunction(us[i].of(text)) {
			cut(i)
		}
	}
	cut(len(us))
	return out
}

func isConjunction(word string) bool {
	return slices.Contains([]string{"and", "but", "or", "so", "because", "if", "when", "while", "although", "unless", "which", "that", "then", "until", "und", "aber", "weil", "dass", "et", "mais", "y", "pero", "và", "nhưng", "vì", "dan", "tapi"}, strings.ToLower(word))
}

// denied returns the word that a negation of the support bears on where the
// value asserts it; "" where none is asserted.
func (s *said) denied(v *statement) string {
	if len(v.units) < 2 || !v.asserts() {
		return ""
	}
	for _, c := range s.clauses {
		for i := range c.units {
			if c.units[i].class&cNegation == 0 {
				continue
			}
			k := i + 1
			for k < len(c.units) && c.units[k].class&(cFunction|cFiller|cModal) != 0 {
				k++
			}
			if k == len(c.units) || c.count() > 1 {
				continue
			}
			if w := &c.units[k]; v.has(w, c.text) && !s.asserted(w) && v.overlaps(&c) {
				return c.text[c.units[i].start:w.end]
			}
		}
	}
	return ""
}

// count is how many negations a clause has: two make an assertion.
func (c *clauseOf) count() int {
	n := 0
	for i := range c.units {
		if c.units[i].class&cNegation != 0 {
			n++
		}
	}
	return n
}

// asserts reports whether the value says something of something, and is not a
// mere name of it.
func (v *statement) asserts() bool {
	content := 0
	for i := range v.units {
		u := &v.units[i]
		if u.class&cModal != 0 {
			return true
		}
		if u.content() {
			content++
		}
	}
	return content >= 2
}

// has reports whether the value has a word of the support, in some form.
func (v *statement) has(w *unit, text string) bool {
	word := string(foldWord(nil, w.of(text)))
	for i := range v.units {
		if u := &v.units[i]; u.same(w) || !u.is(isChar) && sameStem(string(foldWord(nil, v.word(i))), word) {
			return true
		}
	}
	return false
}

// asserted reports whether some clause has the word without a negation.
func (s *said) asserted(w *unit) bool {
	for _, c := range s.clauses {
		if c.count() == 0 && slices.ContainsFunc(c.units, func(u unit) bool { return u.same(w) }) {
			return true
		}
	}
	return false
}

// overlaps reports whether half of the content words of the value stand in a
// clause: the value is then about it.
func (v *statement) overlaps(c *clauseOf) bool {
	all, there := 0, 0
	for i := range v.units {
		u := &v.units[i]
		if !u.content() {
			continue
		}
		all++
		if slices.ContainsFunc(c.units, func(o unit) bool {
			return o.same(u) || !o.is(isChar) && sameStem(string(foldWord(nil, o.of(c.text))), string(foldWord(nil, v.word(i))))
		}) {
			there++
		}
	}
	return there*2 >= all
}
