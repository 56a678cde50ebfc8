package ground

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// class is what the closed classes know about a word; a word may be in
// several.
type class uint16

const (
	negation class = 1 << iota
	number
	unit
	currency
	date
	hedge
	bound
	function
	filler
)

// changes are the classes whose words say something by themselves: an edit
// that takes one away, puts one in or puts one for another changes what was
// said. A bound ("at most") is one only beside a number.
var changes = []struct {
	class class
	name  string
}{{negation, "negation"}, {number, "number"}, {currency, "currency"}, {unit, "unit"}, {date, "date"}, {hedge, "hedge"}}

// lexicon is the closed classes by the hash of the folded word.
type lexicon struct {
	classes map[uint64]class
	alias   map[uint64][]uint64
	// aliased are the low bits of the hashes in alias: most words are none,
	// and this is all that they cost.
	aliased [1 << 13]bool
	// contrasts are the groups that a word is in.
	contrasts map[uint64][]int
}

//go:embed words.txt
var wordsFile string

var words = sync.OnceValue(func() *lexicon { return parseWords(wordsFile) })

var classNames = map[string]class{
	"negation": negation, "number": number, "unit": unit, "currency": currency, "date": date, "hedge": hedge, "bound": bound,
	"function": function, "filler": filler,
}

func parseWords(file string) *lexicon {
	l := &lexicon{classes: map[uint64]class{}, alias: map[uint64][]uint64{}, contrasts: map[uint64][]int{}}
	groups := 0
	for line := range strings.Lines(file) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		groups++
		for _, w := range strings.Fields(rest) {
			switch name {
			case "contrast":
				h := hashOf(fold(w))
				l.contrasts[h] = append(l.contrasts[h], groups)
				continue
			case "alias":
			default:
				l.classes[hashOf(fold(w))] |= classNames[name]
				continue
			}
			from, to, _ := strings.Cut(w, "=")
			var full []uint64
			for _, x := range strings.Split(to, "+") {
				full = append(full, hashOf(fold(x)))
			}
			l.alias[hashOf(fold(from))] = full
		}
	}
	for from := range l.alias {
		l.aliased[from%uint64(len(l.aliased))] = true
	}
	for from, to := range l.alias { // "2" is a number as "two" is
		if len(to) == 1 {
			l.classes[to[0]] |= l.classes[from]
			l.classes[from] |= l.classes[to[0]]
		}
	}
	return l
}

// full is what a word stands for; nil for itself.
func (l *lexicon) full(hash uint64) []uint64 {
	if !l.aliased[hash%uint64(len(l.aliased))] {
		return nil
	}
	return l.alias[hash]
}

// opposed reports whether two words stand in one group of contrasts.
func (l *lexicon) opposed(a, b uint64) bool {
	for _, g := range l.contrasts[a] {
		if slices.Contains(l.contrasts[b], g) {
			return a != b
		}
	}
	return false
}

// why names the class for which a change of a word changes what is said; ""
// for none.
func (c class) why() string {
	for _, x := range changes {
		if c&x.class != 0 {
			return x.name
		}
	}
	return ""
}
