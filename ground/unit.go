package ground

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// unit is a word as an alignment compares it: contractions are taken apart,
// numbers put together, and each spelling is the one that stands for all.
type unit struct {
	hash       uint64
	class      class
	start, end int32 // bytes of the text
	flag       uint8 // of the token
	// plain: one token as it stands, so that equal hashes are equal words.
	plain bool
	// inner: not the first unit of its token.
	inner bool
	// beside: a number stands within reach, so that a bound bears on it.
	beside bool
	// amount: a number stands right before it.
	amount bool
}

func (u *unit) is(flag uint8) bool    { return u.flag&flag != 0 }
func (u *unit) of(text string) string { return text[u.start:u.end] }

// content reports whether the unit is a word of an open class.
func (u *unit) content() bool { return u.class&(tolerated|cNegation|cHedge|cNumber) == 0 }

// weighty reports whether the unit is more than a closed class's word.
func (u *unit) weighty() bool { return u.class&tolerated == 0 || u.critical() != "" }

// critical says why an edit must not touch the unit; "" where it may.
func (u *unit) critical() string {
	switch {
	case u.class&cNegation != 0:
		return "negation"
	case u.class&(cNumber|cOrdinal) != 0:
		return "number"
	case u.class&cCurrency != 0 && (u.amount || u.beside || u.is(isSymbol)):
		return "amount"
	case u.class&cUnit != 0 && u.amount:
		return "unit"
	case u.class&cDate != 0:
		return "date"
	case u.class&cBound != 0 && u.beside:
		return "bound"
	case u.class&cHedge != 0 && u.class&cFiller == 0:
		return "hedge"
	}
	return ""
}

// makeUnits makes the units of tokens and appends them to dst. Where at is not
// nil, at[i] becomes the first unit of token i.
func (c *context) makeUnits(dst []unit, text string, tokens []token, at []int32) []unit {
	from := len(dst)
	var known []class // of phrases, by token
	for i, end := 0, 0; i < len(tokens); i = end {
		t := tokens[i]
		first := int32(len(dst))
		var cls class
		if i < len(known) {
			cls = known[i]
		}
		if cls == 0 && !t.is(isNumber) && !t.is(isSymbol) && !c.speech.knows(t.hash()) && !mayContract(t.of(text)) { // most words
			end = i + 1
			dst = append(dst, unit{hash: t.hash(), start: t.start, end: t.end, flag: uint8(t.key & flags), plain: true})
		} else if value, n := c.amountAt(text, tokens, i); n > 0 { // "$5" is "5 $"
			end = i + 1 + n
			dst = append(dst, numberUnit(value, tokens[i+1:end]))
			dst = c.wordUnit(dst, text, t, cls)
		} else if value, n := c.readNumber(text, tokens[i:]); n > 0 {
			end = i + n
			dst = append(dst, numberUnit(value, tokens[i:end]))
		} else {
			end = i + 1
			known = c.phrasesAt(known, tokens, i)
			if i < len(known) {
				cls = known[i]
			}
			dst = c.wordUnit(dst, text, t, cls)
		}
		for k := i; at != nil && k < end; k++ {
			at[k] = first
		}
	}
	markNumbers(dst[from:])
	return dst
}

// amountAt reads the number that follows a currency sign at i, and returns it
// and how many tokens it takes; 0 where there is none.
func (c *context) amountAt(text string, tokens []token, i int) (value string, n int) {
	if !tokens[i].is(isSymbol) || i+1 == len(tokens) || !tokens[i+1].is(isNumber) || c.classOf(tokens[i].hash())&cCurrency == 0 {
		return "", 0
	}
	return c.readNumber(text, tokens[i+1:])
}

// classOf is what the languages know about a word by itself.
func (c *context) classOf(h uint64) class {
	var out class
	for _, l := range c.speech {
		if e := l.find(h); e != nil {
			out |= e.class
		}
	}
	return out
}

// phrasesAt adds the classes of the phrases that begin at token i to known.
func (c *context) phrasesAt(known []class, tokens []token, i int) []class {
	for _, l := range c.speech {
		e := l.find(tokens[i].hash())
		if e == nil {
			continue
		}
		for _, p := range e.phrases {
			if len(p.words) > len(tokens)-i || !isPhrase(p.words, tokens[i:]) {
				continue
			}
			for len(known) < i+len(p.words) {
				known = append(known, 0)
			}
			for k := range p.words {
				known[i+k] |= p.class
			}
		}
	}
	return known
}

func isPhrase(words []uint64, tokens []token) bool {
	for i, h := range words {
		if tokens[i].hash() != h {
			return false
		}
	}
	return true
}

// wordUnit appends the units of one token that is no number.
func (c *context) wordUnit(dst []unit, text string, t token, cls class) []unit {
	u := unit{hash: t.hash(), class: cls, start: t.start, end: t.end, flag: uint8(t.key & flags), plain: true}
	var full []uint64
	c.speech.entries(u.hash, func(e *entry) {
		u.class |= e.class
		if full == nil {
			full = e.full
		}
		if e.canon != 0 {
			u.hash, u.plain = e.canon, false
		}
	})
	if !u.plain {
		c.speech.entries(u.hash, func(e *entry) { u.class |= e.class })
	}
	if full != nil {
		return c.shortUnits(dst, u, full)
	}
	if u.class&cCapitalDate != 0 && u.is(isCapital) && !u.is(isFirst) {
		u.class = cDate
	}
	if u.is(isSymbol) {
		u.class |= symbolClass(t.of(text))
	}
	if stem, ending := contraction(t.of(text)); u.class&^ordinary == 0 && ending != "" {
		return c.shortUnits(dst, u, []uint64{hashOf(stem), hashOf(ending)})
	}
	return append(dst, u)
}

// symbolClass is what a symbol is by itself: ½ is a number, an emoji says no
// more than a filler.
func symbolClass(symbol string) class {
	switch r, _ := utf8.DecodeRuneInString(symbol); {
	case unicode.In(r, unicode.No, unicode.Nl):
		return cNumber
	case unicode.Is(unicode.So, r):
		return cFiller
	}
	return 0
}

// endings are what may stand behind the apostrophe of a contraction, and what
// it is short for. An 's may be an owner's, "is" or "has".
var endings = []struct{ short, long string }{{"n't", "not"}, {"'re", "are"}, {"'ll", "will"}, {"'ve", "have"}, {"'d", "would"}, {"'s", "'s"}}

// contraction takes the ending from a word such as "Ana'll"; "" where there is
// none.
func contraction(word string) (stem, ending string) {
	if !mayContract(word) {
		return "", ""
	}
	var buf [64]byte
	folded := foldWord(buf[:0], word)
	for _, e := range endings {
		if len(folded) > len(e.short) && string(folded[len(folded)-len(e.short):]) == e.short {
			return string(folded[:len(folded)-len(e.short)]), e.long
		}
	}
	return "", ""
}

// mayContract reports whether an apostrophe may stand before the last letters
// of a word.
func mayContract(word string) bool {
	for i := len(word) - 1; i > 0 && i >= len(word)-5; i-- {
		if word[i] == '\'' || word[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// shortUnits appends the words that u is short for.
func (c *context) shortUnits(dst []unit, u unit, full []uint64) []unit {
	for i, h := range full {
		v := unit{hash: h, start: u.start, end: u.end, flag: u.flag, inner: i > 0}
		if i > 0 {
			v.flag &^= isCapital | isFirst | isUpper
		}
		c.speech.entries(h, func(e *entry) { v.class |= e.class })
		dst = append(dst, v)
	}
	return dst
}

// reach is how many units apart a bound and its number may stand.
const reach = 3

// markNumbers tells the units near numbers.
func markNumbers(us []unit) {
	for i := range us {
		if us[i].class&cNumber == 0 || us[i].class&cFunction != 0 {
			continue
		}
		for k := max(0, i-reach); k < min(len(us), i+reach); k++ {
			us[k].beside = true
		}
		if i+1 < len(us) {
			us[i+1].amount = true
		}
	}
}

// same reports whether two units are the same word.
func (u *unit) same(v *unit) bool { return u.hash == v.hash }

// folded is the folded text of units that follow each other.
func folded(text string, us []unit) []byte {
	var out []byte
	for i := range us {
		if !us[i].inner {
			out = foldWord(out, us[i].of(text))
		}
	}
	return slices.DeleteFunc(out, func(c byte) bool { return c == '\'' })
}
