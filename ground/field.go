package ground

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ClaimKind is what a claim is about.
type ClaimKind string

// The kinds of claim that a value can make and its words may not.
const (
	NumberClaim   ClaimKind = "number" // a number, or the unit it counts
	AmountClaim   ClaimKind = "amount" // a currency
	DateClaim     ClaimKind = "date"
	NameClaim     ClaimKind = "name"
	NegationClaim ClaimKind = "negation"
)

// Claim is something checkable that a value says.
type Claim struct {
	Kind ClaimKind
	// Text is it in the words of the value; for a negation that the value has
	// lost, in those of the support.
	Text string
}

// Derivation is a rule by which a value follows from words that do not say it
// literally, such as a date from "next Friday".
type Derivation struct {
	// Rule names it.
	Rule string
	// Derives reports whether the value follows from the support.
	Derives func(value string, support []string) bool
}

// Unsupported lists what a value claims and none of its supporting texts says:
// numbers, currencies, dates, names and negations, in the order of the value,
// a negation last. nil means that all is supported. The texts are the words
// that the value was made from, and whatever else may be named: the speaker,
// known names.
//
// The same thing written otherwise is supported, by these rules:
//
//   - numbers: digits, words, ordinals, separators of thousands, "2k",
//     "a dozen", "twice"; a part of a date, a time or a range;
//   - units: a currency's sign or word, "%" or "percent", and an equal length
//     of time ("2 minutes", "120s", "half an hour"); a bare number in the
//     support may have any unit of time;
//   - dates: any order of day, month and year, names or numbers of months;
//     a year that the support does not deny; a weekday of a date;
//   - names: in any case, without accents, in the plural or the possessive; an
//     initial; words joined to an identifier (half-open, HalfOpen);
//   - negations: any for any, and words that deny by themselves ("fails to").
//
// A value that one of the derivations gives claims nothing. Other words are
// not looked at: a title may put a thing in words of its own.
func Unsupported(value string, support []string, derived ...Derivation) []Claim {
	for _, d := range derived {
		if d.Derives(value, support) {
			return nil
		}
	}
	v := newStatement(value, support)
	if len(v.units) == 0 {
		return nil
	}
	v.dates()
	for i := range v.units {
		if !v.done[i] {
			v.number(i)
		}
	}
	for i := range v.units {
		if !v.done[i] {
			v.currency(i)
			v.day(i)
		}
	}
	v.names()
	slices.SortStableFunc(v.claims, func(a, b found) int { return a.at - b.at })
	v.negation()
	var out []Claim
	for _, f := range v.claims {
		out = append(out, f.Claim)
	}
	return out
}

// statement is a value that is being checked.
type statement struct {
	*context
	text   string
	units  []unit
	done   []bool // units that belong to a claim that was checked
	said   *said
	claims []found
}

type found struct {
	Claim
	at int // bytes of the value
}

func newStatement(value string, support []string) *statement {
	tokens := scan(nil, value)
	all := slices.Clone(tokens)
	for _, s := range support {
		all = scan(all, s)
	}
	v := &statement{context: describe(all, nil), text: value}
	v.units = v.makeUnits(nil, value, tokens, nil)
	v.done = make([]bool, len(v.units))
	v.said = v.listenTo(support)
	return v
}

func (v *statement) claim(kind ClaimKind, at int, text string) {
	start := len(v.text)
	if at < len(v.units) {
		start = int(v.units[at].start)
	}
	v.claims = append(v.claims, found{Claim{kind, text}, start})
}

// word is unit i as the value has it.
func (v *statement) word(i int) string { return v.units[i].of(v.text) }

// dates checks what reads as a whole date.
func (v *statement) dates() {
	for _, d := range v.datesIn(v.text, v.units) {
		for i := d.from; i < d.to; i++ {
			v.done[i] = true
		}
		if !slices.ContainsFunc(v.said.dates, d.agrees) {
			v.claim(DateClaim, d.from, v.text[v.units[d.from].start:v.units[d.to-1].end])
		}
	}
}

// number checks a number with its unit.
func (v *statement) number(i int) {
	u := &v.units[i]
	if u.class&cNumber == 0 && !u.is(isNumber) && strings.ContainsFunc(v.word(i), unicode.IsDigit) {
		v.label(i)
		return
	}
	if n, seconds := v.lengthAt(v.text, v.units, i); n > 0 && v.said.lasts(seconds) {
		for k := i; k < i+n; k++ {
			v.done[k] = true
		}
		return
	}
	value, ok := v.valueOf(v.text, u)
	if !ok {
		return
	}
	v.done[i] = true
	units, ok := v.said.numbers[value]
	if !ok && !v.said.parts[value] {
		v.claim(NumberClaim, i, v.word(i))
		return
	}
	if i+1 < len(v.units) && v.units[i+1].class&cUnit != 0 && len(units) > 0 {
		v.counted(i, units)
	}
}

// counted checks the unit behind number i, which the support has with other
// units, or with none (nil).
func (v *statement) counted(i int, units []*unit) {
	next := &v.units[i+1]
	v.done[i+1] = true
	same := slices.ContainsFunc(units, func(o *unit) bool { return o != nil && o.same(next) })
	bare := slices.Contains(units, nil)
	switch {
	case same:
	case next.hash == percentHash && !v.said.hashes[percentHash]:
		v.claim(NumberClaim, i+1, v.word(i+1))
	case !bare:
		v.claim(NumberClaim, i, v.text[v.units[i].start:next.end])
	}
}

var percentHash = hashOf("percent")

// label checks a word with digits in it, such as v2.
func (v *statement) label(i int) {
	v.done[i] = true
	if !v.said.hashes[v.units[i].hash] && !v.said.spells(v.word(i)) {
		v.claim(NumberClaim, i, v.word(i))
	}
}

// currency checks the currency of an amount.
func (v *statement) currency(i int) {
	u := &v.units[i]
	if u.class&cCurrency == 0 || v.said.hashes[u.hash] {
		return
	}
	if u.is(isSymbol) || u.amount || i+1 < len(v.units) && v.units[i+1].class&cNumber != 0 {
		v.done[i] = true
		v.claim(AmountClaim, i, v.word(i))
	}
}

// day checks the name of a day or a month.
func (v *statement) day(i int) {
	u := &v.units[i]
	if u.class&cDate == 0 || v.said.hashes[u.hash] {
		return
	}
	own := class(0) // without phrases
	v.speech.entries(u.hash, func(e *entry) { own |= e.class })
	if own&cDate == 0 && (own&cCapitalDate == 0 || !u.is(isCapital)) && !u.is(isChar) {
		return
	}
	v.done[i] = true
	if !v.said.fallsOn(v.context, u) {
		v.claim(DateClaim, i, v.word(i))
	}
}

// names checks the names.
func (v *statement) names() {
	if v.isTitle() {
		return
	}
	for i := range v.units {
		if !v.done[i] && v.isName(i) && !v.said.names(v.word(i)) {
			v.claim(NameClaim, i, v.word(i))
		}
	}
}

// maxName is how many words a value may have that is a name as a whole.
const maxName = 4

// isName reports whether a word of the value looks like a name: a capital
// letter inside the value, or at its beginning where it is the only word, or
// another name follows. What is in capitals throughout, or has an underscore,
// is an identifier.
func (v *statement) isName(i int) bool {
	u := &v.units[i]
	word := v.word(i)
	switch {
	case !u.is(isCapital) || u.inner || u.is(isChar) || u.class&^ordinary != 0:
		return false
	case strings.Contains(word, "_") || u.is(isUpper) && v.allUpper():
		return false
	case !u.is(isFirst):
		return !v.nouns || len(v.units) <= maxName
	}
	next := i + 1
	return len(v.units) == 1 || next < len(v.units) && len(v.units) <= maxName &&
		v.units[next].is(isCapital) && !v.units[next].inner && v.units[next].class&^ordinary == 0
}

func (v *statement) allUpper() bool {
	for i := range v.units {
		if u := &v.units[i]; !u.is(isUpper|isNumber|isSymbol) && utf8.RuneCountInString(v.word(i)) > 1 {
			return false
		}
	}
	return true
}

// isTitle reports whether the value is a title that gives its words capital
// letters: words that the support has with small ones.
func (v *statement) isTitle() bool {
	capitals, small := 0, 0
	for i := range v.units {
		if u := &v.units[i]; u.is(isCapital) && u.class&^ordinary == 0 {
			capitals++
			if v.said.small[u.hash] {
				small++
			}
		}
	}
	return capitals > 1 && small*2 >= capitals
}

// negation checks that the value denies what the support denies.
func (v *statement) negation() {
	denied := slices.IndexFunc(v.units, func(u unit) bool { return u.class&cNegation != 0 })
	if denied >= 0 {
		if !v.said.denies {
			v.claim(NegationClaim, denied, v.word(denied))
		}
		return
	}
	implied := func(u unit) bool { return u.class&cImplicit != 0 && u.class&cFunction == 0 }
	if slices.ContainsFunc(v.units, implied) {
		return
	}
	if word := v.said.denied(v); word != "" {
		v.claim(NegationClaim, len(v.units), word)
	}
}
