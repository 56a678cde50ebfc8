package clause

import (
	"bufio"
	_ "embed" // the word lists
	"strings"
	"sync"

	"github.com/speckl/speckl/sir"
)

// Class is what the closed classes of the language know about a word.
type Class uint32

// The classes; a word may be in several.
const (
	Det Class = 1 << iota
	Pron
	Prep
	Conj
	Sub
	Aux
	AuxPast
	Neg
	Modal
	Adv
	Wh
	ModQ
	NotLy
	Person
	Subj1
	Report   // verbs of reported speech
	Bound    // marks that bound a clause
	Abbr     // abbreviations that end in a stop
	Cond     // opens a clause that states a condition
	cueStart // begins a phrase of cues.txt
)

var classNames = map[string]Class{
	"det": Det, "pron": Pron, "prep": Prep, "conj": Conj, "sub": Sub, "aux": Aux, "auxpast": AuxPast,
	"neg": Neg, "modal": Modal, "adv": Adv, "wh": Wh, "modq": ModQ, "notly": NotLy, "person": Person, "subj1": Subj1, "report": Report, "bound": Bound, "abbr": Abbr, "cond": Cond,
}

//go:embed english.txt
var englishTxt string

//go:embed cues.txt
var cuesTxt string

// The cues of cues.txt that are no scopes.
const (
	cueRetracts = "retracts"
	cueCorrects = "correction"
)

// cue is a phrase that sets a scope.
type cue struct {
	words    []uint64
	what     string
	anchored bool
}

type lexicon struct {
	class map[uint64]Class
	maybe [64]uint64       // a filter before class: most words are in no class
	cues  map[uint64][]cue // by first word
	// revises are the first words of cues that correct or take back
	revises map[uint64]bool
}

// english is read once; it never changes afterwards.
var english = sync.OnceValue(func() *lexicon {
	lex := &lexicon{class: map[uint64]Class{}, cues: map[uint64][]cue{}, revises: map[uint64]bool{}}
	eachLine(englishTxt, func(name, rest string) {
		for _, w := range strings.Fields(rest) {
			lex.class[Hash(Fold(w))] |= classNames[name]
		}
	})
	eachLine(cuesTxt, func(name, rest string) {
		what := strings.TrimPrefix(name, "sentence ")
		for _, phrase := range strings.Split(rest, ";") {
			phrase = strings.TrimSpace(phrase)
			c := cue{what: what}
			phrase, c.anchored = strings.CutPrefix(phrase, "^")
			for _, w := range strings.Fields(phrase) {
				c.words = append(c.words, Hash(Fold(w)))
			}
			if len(c.words) > 0 {
				lex.cues[c.words[0]] = append(lex.cues[c.words[0]], c)
				lex.class[c.words[0]] |= cueStart
				if what == cueRetracts || what == cueCorrects {
					lex.revises[c.words[0]] = true
				}
			}
		}
	})
	for h := range lex.class {
		lex.maybe[h>>6&63] |= 1 << (h & 63)
	}
	return lex
})

func eachLine(text string, f func(name, rest string)) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if name, rest, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			f(strings.TrimSpace(name), rest)
		}
	}
}

// classOf looks a word up by its hash.
func (l *lexicon) classOf(h uint64) Class {
	if l.maybe[h>>6&63]&(1<<(h&63)) == 0 {
		return 0
	}
	return l.class[h]
}

// ClassOf returns the classes of a folded word.
func ClassOf(folded string) Class { return english().classOf(Hash(folded)) }

// classify fills in the classes of tokens.
func classify(tokens []Token, text string) {
	lex := english()
	for i := range tokens {
		t := &tokens[i]
		if t.Kind != Word && t.Kind != Punct {
			continue
		}
		t.Class = lex.classOf(t.Hash)
		if t.Class == 0 && t.Kind == Word && t.End-t.Start > 4 && strings.HasSuffix(text[t.Start:t.End], "ly") {
			t.Class = Adv
		}
	}
}

// OpensRevision reports whether a word may begin a phrase that corrects or
// takes back what was said.
func OpensRevision(h uint64) bool { return english().revises[h] }

// scopeOfCue maps the names in cues.txt that are scopes.
func scopeOfCue(what string) sir.Scope {
	s, _ := sir.ParseScope(what)
	return s
}

// ClassOfHash returns the classes of a word by its hash.
func ClassOfHash(h uint64) Class { return english().classOf(h) }
