package ground

// context is what the words of a source say about themselves: its languages,
// and which of its words are names. It is made when the first quote needs it.
type context struct {
	speech speech
	names  map[uint64]bool
	// nouns: the language gives all nouns a capital letter, so that a capital
	// tells nothing.
	nouns bool
	// tones: a mark on a letter makes another word, as in Vietnamese.
	tones bool
	// units are those of all tokens of the source, unitAt the first one of
	// each token, and one more.
	units  []unit
	unitAt []int32
	// others are the hashes of units that are no single token: numbers, the
	// words of contractions.
	others map[uint64]bool
	// long are the different folded words that a slip may have changed, by
	// their first byte.
	long [256][]string
}

// newContext reads a source, whose speakers are names.
func newContext(s *Source) *context {
	c := describe(s.tokens, speakers(s.parts))
	c.others = map[uint64]bool{}
	c.units = make([]unit, 0, len(s.tokens)+len(s.tokens)/8)
	c.unitAt = make([]int32, len(s.tokens)+1)
	for part := range s.parts {
		from, to := s.bounds(part)
		c.units = c.makeUnits(c.units, s.parts[part].Text, s.tokens[from:to], c.unitAt[from:to])
	}
	c.unitAt[len(s.tokens)] = int32(len(c.units))
	c.learn(s)
	return c
}

func speakers(parts []Part) []string {
	var out []string
	for i := range parts {
		if i == 0 || parts[i].Speaker != parts[i-1].Speaker {
			out = append(out, parts[i].Speaker)
		}
	}
	return out
}

// describe makes the context of some words, without units.
func describe(tokens []token, speakers []string) *context {
	all := lexicons()
	c := &context{speech: listen(tokens), names: map[uint64]bool{}}
	for _, l := range c.speech {
		c.nouns = c.nouns || l == all[langGerman]
		c.tones = c.tones || l == all[langVietnamese]
	}
	for _, s := range speakers {
		for _, t := range scan(nil, s) {
			if t.is(isCapital|isChar) && !c.closed(t.hash()) {
				c.names[t.hash()] = true
			}
		}
	}
	if !c.nouns {
		c.findNames(tokens)
	}
	return c
}

// The places of the languages in lexicons that have rules of their own.
const (
	langGerman     = 1
	langVietnamese = 4
)

// findNames adds the words that stand with a capital letter inside sentences,
// and more often so than with a small one.
func (c *context) findNames(tokens []token) {
	balance := map[uint64]int{}
	var maybe [64]uint64 // a filter before balance
	for _, t := range tokens {
		if t.is(isCapital) && !t.is(isFirst) {
			h := t.hash()
			balance[h]++
			maybe[h>>6&63] |= 1 << (h & 63)
		}
	}
	for _, t := range tokens {
		if h := t.hash(); !t.is(isCapital) && maybe[h>>6&63]&(1<<(h&63)) != 0 {
			if n, ok := balance[h]; ok {
				balance[h] = n - 1
			}
		}
	}
	for h, n := range balance {
		if n > 0 && !c.closed(h) {
			c.names[h] = true
		}
	}
}

// closed reports whether a word is in a closed class.
func (c *context) closed(h uint64) bool {
	known := false
	c.speech.entries(h, func(e *entry) { known = known || e.class&^ordinary != 0 || e.full != nil })
	return known
}

// learn fills others and long.
func (c *context) learn(s *Source) {
	words := s.words()
	for i := range s.tokens {
		t := s.tokens[i]
		u := &c.units[c.unitAt[i]]
		if !u.plain || u.start != t.start {
			continue
		}
		if t.end-t.start < minPlural || u.class&^(ordinary|tolerated) != 0 || t.is(isNumber|isChar|isSymbol) || !words.isFirst(s.tokens, i) {
			continue
		}
		word := foldWord(nil, t.of(s.parts[s.partOf(i)].Text))
		if len(word) > 0 {
			c.long[word[0]] = append(c.long[word[0]], string(word))
		}
	}
	for i := range c.units {
		if u := &c.units[i]; !u.plain {
			c.others[u.hash] = true
		}
	}
}

// isFirst reports whether a token is the first one of its word.
func (p *postings) isFirst(tokens []token, i int) bool {
	for _, at := range p.of(wordKey(tokens[i])) {
		if tokens[at].same(tokens[i]) {
			return int(at) == i
		}
	}
	return false
}
