// Package pattern compiles a domain's phrases into one token matcher and
// finds them in sentences.
//
// A phrase reads like the sentence that it catches. All phrases of a domain
// share one vocabulary, so that a hundred rules cost little more than ten:
// a sentence is looked at only when it has the words that some rule cannot
// do without.
package pattern

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
)

// Matcher finds a domain's rules in sentences. It never changes and may be
// shared.
type Matcher struct {
	rules    []rule
	adjuncts []rule
	words    table           // word hash -> word
	groups   int             // number of anchor groups
	verbs    map[uint64]bool // all inflections of the lexicon's verbs
	finite   map[uint64]bool // those that are no participle
	cue      map[uint64]bool
	hidden   map[uint64]bool
	notName  map[uint64]bool
	quality  map[uint64]bool // the lexicon's qualifiers
	// always: a rule without a word of its own must see each sentence
	always bool
}

// word is what the matcher knows about one word of its vocabulary.
type word struct {
	id      int
	anchors []int // groups that it belongs to
}

type rule struct {
	*domain.Rule
	order    int
	programs []program
	regex    *regexp.Regexp
	literals []string // one of these must stand in the folded sentence
}

// program is a compiled phrase.
type program struct {
	code  []instr
	slots int   // number of slots
	need  []int // anchor groups that must all stand in the sentence
	start start // words that it can begin with
	verb  bool  // each match has a verb slot
}

type instr struct {
	op   instrOp
	x, y int
	lit  *literal
	slot int
	name string
	kind SlotKind
}

type instrOp uint8

const (
	iLiteral instrOp = iota
	iBound
	iSlot
	iSplit // try x, then y
	iJump
	iMatch
	iEnd
)

// literal is a set of words, or of word sequences, that one item accepts.
type literal struct {
	first map[uint64][]sequence
	words filter // of first
	verb  bool
}

type sequence struct {
	rest []uint64
	past bool
}

// Compile builds the matcher of a domain. Errors wrap [ErrPhrase] and name
// the rule.
func Compile(d *domain.Domain) (*Matcher, error) {
	m := &Matcher{verbs: map[uint64]bool{}, finite: map[uint64]bool{}, cue: map[uint64]bool{}, hidden: map[uint64]bool{}, notName: map[uint64]bool{}, quality: map[uint64]bool{}}
	for _, v := range d.Lexicon.Verbs {
		for _, f := range inflect(v) {
			m.verbs[clause.Hash(f.word)] = true
			if !f.past && !strings.HasSuffix(f.word, "ing") {
				m.finite[clause.Hash(f.word)] = true
			}
		}
	}
	for set, words := range map[*map[uint64]bool][]string{&m.cue: d.Lexicon.CueNouns, &m.hidden: d.Lexicon.HiddenCueNouns, &m.notName: d.Lexicon.NotNames, &m.quality: d.Lexicon.Qualifiers} {
		for _, w := range words {
			(*set)[clause.Hash(clause.Fold(w))] = true
		}
	}
	c := &compiler{words: map[uint64]*word{}, sets: map[string]int{}, literals: map[string]*literal{}}
	var err error
	if m.rules, err = c.rules(d.Rules); err != nil {
		return nil, err
	}
	if m.adjuncts, err = c.rules(d.Adjuncts); err != nil {
		return nil, err
	}
	for _, r := range m.rules {
		m.always = m.always || r.regex != nil || slices.ContainsFunc(r.programs, func(p program) bool { return len(p.need) == 0 })
	}
	m.groups = c.groups
	m.words = newTable(c.words)
	return m, nil
}

type compiler struct {
	words  map[uint64]*word
	groups int
	// sets and literals are those known: phrases share most of their verbs.
	sets     map[string]int // anchor group by its words
	literals map[string]*literal
}

func (c *compiler) rules(in []domain.Rule) ([]rule, error) {
	var out []rule
	for i := range in {
		r := rule{Rule: &in[i], order: i}
		for _, phrase := range in[i].Phrases {
			n, err := parse(phrase)
			if err != nil {
				return nil, fmt.Errorf("rule %q: %w", in[i].ID, err)
			}
			c.share(n)
			r.programs = append(r.programs, c.program(n))
		}
		if in[i].Regex != "" {
			re, err := regexp.Compile(in[i].Regex)
			if err != nil {
				return nil, fmt.Errorf("rule %q: %w: %w", in[i].ID, ErrPhrase, err)
			}
			r.regex, r.literals = re, literalsOf(in[i].Regex)
		}
		out = append(out, r)
	}
	return out, nil
}

func (c *compiler) program(n *node) program {
	var p program
	p.emit(n)
	p.code = append(p.code, instr{op: iMatch})
	p.start, p.verb = p.starts(), needsVerb(n)
	for _, set := range required(n) {
		p.need = append(p.need, c.group(set))
	}
	return p
}

// share gives each literal of a phrase its words, those of an equal one where
// there is one.
func (c *compiler) share(n *node) {
	for _, kid := range n.kids {
		c.share(kid)
	}
	if n.op != opLiteral {
		return
	}
	key := fmt.Sprint(n.stem, n.words)
	if n.lit = c.literals[key]; n.lit == nil {
		n.lit = newLiteral(n)
		c.literals[key] = n.lit
	}
}

// group numbers an anchor group and teaches the vocabulary its words; equal
// sets are one group.
func (c *compiler) group(set []uint64) int {
	slices.Sort(set)
	set = slices.Compact(set)
	key := make([]byte, 0, 8*len(set))
	for _, h := range set {
		key = binary.LittleEndian.AppendUint64(key, h)
	}
	if id, ok := c.sets[string(key)]; ok {
		return id
	}
	id := c.groups
	c.sets[string(key)] = id
	c.groups++
	for _, h := range set {
		w := c.words[h]
		if w == nil {
			w = &word{id: len(c.words)}
			c.words[h] = w
		}
		w.anchors = append(w.anchors, id)
	}
	return id
}

// emit appends the code of a node.
func (p *program) emit(n *node) {
	switch n.op {
	case opLiteral:
		p.code = append(p.code, instr{op: iLiteral, lit: n.lit})
	case opBound:
		p.code = append(p.code, instr{op: iBound})
	case opEnd:
		p.code = append(p.code, instr{op: iEnd})
	case opSlot:
		p.code = append(p.code, instr{op: iSlot, slot: p.slots, name: n.field, kind: n.kind})
		p.slots++
	case opSeq:
		for _, kid := range n.kids {
			p.emit(kid)
		}
	case opOpt:
		at := len(p.code)
		p.code = append(p.code, instr{op: iSplit, x: at + 1})
		p.emit(n.kids[0])
		p.code[at].y = len(p.code)
	case opAlt:
		var jumps []int
		for i, kid := range n.kids {
			if i == len(n.kids)-1 {
				p.emit(kid)
				break
			}
			at := len(p.code)
			p.code = append(p.code, instr{op: iSplit, x: at + 1})
			p.emit(kid)
			jumps = append(jumps, len(p.code))
			p.code = append(p.code, instr{op: iJump})
			p.code[at].y = len(p.code)
		}
		for _, j := range jumps {
			p.code[j].x = len(p.code)
		}
	}
}

// start is a small filter of the words that a program can begin with; the
// zero value lets all begin.
type start struct {
	only  bool
	verb  bool // an auxiliary may stand first
	words filter
}

// filter is a set of words that says yes too often rather than too seldom.
type filter [4]uint64

func (f *filter) add(h uint64)      { b := spread(h) & 255; f[b>>6] |= 1 << (b & 63) }
func (f *filter) has(h uint64) bool { b := spread(h) & 255; return f[b>>6]&(1<<(b&63)) != 0 }

// starts computes the filter; a program that can begin with anything but a
// word has none.
func (p *program) starts() start {
	var st start
	var walk func(pc int) bool
	walk = func(pc int) bool {
		switch in := &p.code[pc]; in.op {
		case iLiteral:
			st.verb = st.verb || in.lit.verb
			for h := range in.lit.first {
				st.words.add(h)
			}
			return true
		case iJump:
			return walk(in.x)
		case iSplit:
			return walk(in.x) && walk(in.y)
		}
		return false
	}
	st.only = walk(0)
	return st
}

// admits reports whether a match may begin at the token: with one of the
// words, or with what may stand before them.
func (st *start) admits(t *clause.Token) bool {
	if !st.only || t.Class&clause.Adv != 0 || t.Kind == clause.Punct || st.verb && t.Class&clause.Aux != 0 {
		return true
	}
	return st.words.has(t.Hash)
}

// needsVerb reports whether each match of the node has a verb slot.
func needsVerb(n *node) bool {
	switch n.op {
	case opSlot:
		return n.kind == SlotVerb
	case opSeq:
		return slices.ContainsFunc(n.kids, needsVerb)
	}
	return false
}

// literalsAt lists the literals that may come next at pc.
func (p *program) literalsAt(pc int, out []*literal) []*literal {
	switch in := &p.code[pc]; in.op {
	case iLiteral:
		return append(out, in.lit)
	case iJump:
		return p.literalsAt(in.x, out)
	case iSplit:
		return p.literalsAt(in.y, p.literalsAt(in.x, out))
	}
	return out
}

// at returns the sequences that begin with the word.
func (l *literal) at(h uint64) []sequence {
	if !l.words.has(h) {
		return nil
	}
	return l.first[h]
}

func newLiteral(n *node) *literal {
	lit := &literal{first: map[uint64][]sequence{}, verb: n.stem}
	for _, words := range n.words {
		var rest []uint64
		for _, w := range words[1:] {
			rest = append(rest, clause.Hash(clause.Fold(w)))
		}
		forms := []form{{word: words[0]}}
		if n.stem {
			forms = inflect(words[0])
		}
		for _, f := range forms {
			h := wordHash(f.word)
			lit.words.add(h)
			lit.first[h] = append(lit.first[h], sequence{rest: rest, past: f.past})
		}
	}
	return lit
}

// wordHash is the hash of a literal; every arrow is one word.
func wordHash(w string) uint64 {
	switch w {
	case "->", "-->", "=>", "→":
		return clause.Hash("→")
	}
	return clause.Hash(clause.Fold(w))
}

// required returns the sets of words of which each match of the node has
// one.
func required(n *node) [][]uint64 {
	switch n.op {
	case opLiteral:
		var set []uint64
		for h := range n.lit.first {
			set = append(set, h)
		}
		return [][]uint64{set}
	case opSeq:
		var out [][]uint64
		for _, kid := range n.kids {
			out = append(out, required(kid)...)
		}
		return out
	case opAlt:
		var union []uint64
		for _, kid := range n.kids {
			sets := required(kid)
			if len(sets) == 0 {
				return nil
			}
			union = append(union, rarest(sets)...)
		}
		return [][]uint64{union}
	}
	return nil
}

// rarest picks the set with the fewest words of the closed classes.
func rarest(sets [][]uint64) []uint64 {
	best, score := sets[0], -1
	for _, set := range sets {
		s := 0
		for _, h := range set {
			if clause.ClassOfHash(h) == 0 {
				s++
			}
		}
		if s = s * 100 / len(set); s > score {
			best, score = set, s
		}
	}
	return best
}
