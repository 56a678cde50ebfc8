package ground

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// class is what the closed classes know about a word; a word may be in
// several.
type class uint32

const (
	cNegation class = 1 << iota
	cNumber         // a number in words, or a quantity
	cOrdinal
	cUnit
	cCurrency
	cDate
	cCapitalDate // a date where it has a capital letter: May, Sun
	cHedge
	cBound // of an amount, beside a number
	cModal
	cFunction
	cFiller
	cImplicit // denies without a negation: failed, disabled
	cKnown    // none of these, but the subject of another line
)

// tolerated are the classes of words that may be added, or stand in another's
// place.
const tolerated = cModal | cFunction | cFiller | cBound

// classNames are the names of lines that list words, or with "-phrase"
// several words.
var classNames = map[string]class{
	"negation": cNegation, "hedge": cHedge, "date": cDate, "capital-date": cCapitalDate, "quantity": cNumber, "number": cNumber,
	"unit": cUnit, "implicit": cImplicit, "currency": cCurrency, "bound": cBound, "modal": cModal, "function": cFunction, "filler": cFiller,
}

// numeral is what a number word is worth, and how it joins others.
type numeral struct {
	value float64
	kind  numeralKind
}

type numeralKind uint8

const (
	notNumeral numeralKind = iota
	plainNumeral
	scaleNumeral  // multiplies what stands before: hundred
	bigNumeral    // multiplies all that stands before: thousand
	suffixNumeral // a big one that is glued to digits: k
	ordinalNumeral
	ordinalSuffix // glued to digits: rd
)

// entry is what is known about one word.
type entry struct {
	class    class
	canon    uint64   // hash of the spelling that stands for it; 0: its own
	full     []uint64 // hashes of the words that it is short for
	numeral  numeral
	contrast []int32  // groups of words that exclude each other
	phrases  []phrase // that begin with it
	month    int      // 1 to 12
	seconds  float64  // how long the unit is
	times    float64  // what it counts that is no number: twice
}

// phrase is a sequence of words and its class.
type phrase struct {
	words []uint64
	class class
}

// lexicon is the closed classes of one language, or of several that cannot be
// mixed up.
type lexicon struct {
	entries map[uint64]*entry
	maybe   [256]uint64 // a filter before entries: most words are in no class
}

//go:embed data/*.txt
var files embed.FS

// lexicons are the languages. The first one serves every text: English, whose
// words stand everywhere, and the languages of other scripts. The others serve
// texts in which their words stand.
var lexicons = sync.OnceValue(func() []*lexicon {
	out := []*lexicon{readLexicon("en", "ar", "asia")}
	for _, name := range others {
		out = append(out, readLexicon(name))
	}
	return out
})

var others = []string{"de", "fr", "es", "vi", "id"}

func readLexicon(names ...string) *lexicon {
	l := &lexicon{entries: map[uint64]*entry{}}
	groups := int32(0)
	for _, name := range names {
		file, err := files.ReadFile("data/" + name + ".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		for n, line := range strings.Split(string(file), "\n") {
			key, rest, ok := strings.Cut(line, ": ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			groups++
			if err := l.line(key, rest, groups); err != nil {
				panic(fmt.Sprintf("%s.txt:%d: %v", name, n+1, err))
			}
		}
	}
	for h := range l.entries {
		l.maybe[h>>6&255] |= 1 << (h & 63)
	}
	return l
}

func (l *lexicon) line(key, rest string, group int32) error {
	words := strings.Fields(rest)
	if name, ok := strings.CutSuffix(key, "-phrase"); ok {
		for _, p := range strings.Split(rest, ";") {
			l.add(p, classNames[name])
		}
		return nil
	}
	switch key {
	case "expand":
		for _, pair := range strings.Split(rest, ";") {
			short, long, ok := strings.Cut(pair, "=")
			if !ok {
				return fmt.Errorf("no \"=\" in %q", pair)
			}
			if ts := scan(nil, short); len(ts) == 1 {
				l.entry(ts[0].hash()).full = hashes(long)
			}
		}
	case "same":
		for _, w := range words[1:] {
			l.entry(hashOf(w)).canon = hashOf(words[0])
		}
	case "contrast":
		for _, w := range words {
			e := l.entry(hashOf(w))
			e.contrast = append(e.contrast, group)
			e.class |= cKnown
		}
	case "ordinal-suffix":
		for _, w := range words {
			l.entry(hashOf(w)).numeral = numeral{0, ordinalSuffix}
		}
	case "number", "scale", "big", "big-suffix", "ordinal", "month", "seconds", "times":
		for _, w := range words {
			if err := l.value(key, w); err != nil {
				return err
			}
		}
	default:
		c, ok := classNames[key]
		if !ok {
			return fmt.Errorf("unknown line %q", key)
		}
		for _, w := range words {
			l.add(w, c)
		}
	}
	return nil
}

// value reads "word=value".
func (l *lexicon) value(key, pair string) error {
	word, number, _ := strings.Cut(pair, "=")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return fmt.Errorf("%q: %w", pair, err)
	}
	e := l.entry(hashOf(word))
	switch key {
	case "times":
		e.times = v
	case "month":
		e.month = int(v)
	case "seconds":
		e.seconds = v
	case "number":
		e.class, e.numeral = e.class|cNumber, numeral{v, plainNumeral}
	case "scale":
		e.class, e.numeral = e.class|cNumber, numeral{v, scaleNumeral}
	case "big":
		e.class, e.numeral = e.class|cNumber, numeral{v, bigNumeral}
	case "big-suffix":
		e.numeral = numeral{v, suffixNumeral}
	case "ordinal":
		e.class, e.numeral = e.class|cOrdinal, numeral{v, ordinalNumeral}
	}
	return nil
}

// add gives words a class: one word, or a phrase.
func (l *lexicon) add(words string, c class) {
	hs := hashes(words)
	switch {
	case len(hs) == 1:
		l.entry(hs[0]).class |= c
	case len(hs) > 1:
		e := l.entry(hs[0])
		e.phrases = append(e.phrases, phrase{hs, c})
	default: // a mark: the scanner makes no token of it
	}
}

func (l *lexicon) entry(h uint64) *entry {
	e := l.entries[h]
	if e == nil {
		e = &entry{}
		l.entries[h] = e
	}
	return e
}

// hashes are those of the tokens of a text.
func hashes(text string) []uint64 {
	var out []uint64
	for _, t := range scan(nil, text) {
		out = append(out, t.hash())
	}
	return out
}

// find returns the entry of a word, or nil.
func (l *lexicon) find(h uint64) *entry {
	if l.maybe[h>>6&255]&(1<<(h&63)) == 0 {
		return nil
	}
	return l.entries[h]
}

// speech is the languages that a text is in.
type speech []*lexicon

// languageShare is how many of a text's words must be known to a language
// beside English, and to English not, one in so many.
const languageShare = 7

// maxSample bounds the words that are looked at.
const maxSample = 4000

// listen finds the languages of some words: those that know most of what
// English does not.
func listen(tokens []token) speech {
	all := lexicons()
	out := speech{all[0]}
	if len(tokens) > maxSample {
		tokens = tokens[:maxSample]
	}
	own := make([]int, len(all))
	most := 0
	for i, l := range all[1:] {
		for _, t := range tokens {
			if h := t.hash(); l.find(h) != nil && all[0].find(h) == nil {
				own[i+1]++
			}
		}
		most = max(most, own[i+1])
	}
	for i, l := range all {
		if n := own[i]; n > 0 && n*languageShare >= len(tokens) && 2*n >= most {
			out = append(out, l)
		}
	}
	return out
}

// knows reports whether any of the languages knows a word.
func (s speech) knows(h uint64) bool {
	for _, l := range s {
		if l.find(h) != nil {
			return true
		}
	}
	return false
}

// entries calls f with what each language knows about a word.
func (s speech) entries(h uint64, f func(*entry)) {
	for _, l := range s {
		if e := l.find(h); e != nil {
			f(e)
		}
	}
}

// opposed reports whether two words exclude each other.
func (s speech) opposed(a, b uint64) bool {
	for _, l := range s {
		x, y := l.find(a), l.find(b)
		if x == nil || y == nil || a == b {
			continue
		}
		for _, g := range x.contrast {
			for _, h := range y.contrast {
				if g == h {
					return true
				}
			}
		}
	}
	return false
}
