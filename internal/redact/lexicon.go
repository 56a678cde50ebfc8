package redact

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// class is what a word announces; a word may have several.
type class uint32

const (
	cPhone class = 1 << iota
	cKeep
	cLink
	cUnit
	cExt
	cCard
	cSecret
	cShort
	cToken
	cWeak
	cPhrase
	cPin
	cIs
	cWord
	cMail
	cAt
	cDot
	cBearer

	cCredential = cSecret | cShort | cToken | cWeak | cPhrase | cPin | cBearer
)

var classNames = map[string]class{
	"phone": cPhone, "keep": cKeep, "link": cLink, "unit": cUnit, "ext": cExt, "card": cCard, "secret": cSecret, "short": cShort,
	"token": cToken, "weak": cWeak, "phrase": cPhrase, "pin": cPin, "is": cIs, "word": cWord, "mail": cMail, "at": cAt, "dot": cDot, "bearer": cBearer,
}

// keyShape is how a key begins, and what must follow.
type keyShape struct {
	least int
	more  string // what follows besides letters and digits
}

// cardShape is a range of prefixes of payment cards.
type cardShape struct {
	first, last, digits int // digits of a prefix
	lengths             []int
}

// lexicon is what the data files know.
type lexicon struct {
	words trie // class by phrase
	keys  trie // index into shapes by prefix
	// shapes are the keys', from 1.
	shapes []keyShape
	phones [][]string // groups of digits, each as a row of sets
	cards  []cardShape
	ibans  map[string]int
}

//go:embed labels shapes
var files embed.FS

var theLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{shapes: make([]keyShape, 1), ibans: map[string]int{}}
	names, err := fs.Glob(files, "labels/*.txt")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		each(name, "\n", l.label)
	}
	each("shapes/keys.txt", "\n", l.key)
	each("shapes/phones.txt", "\n", l.phone)
	each("shapes/cards.txt", "\n", l.card)
	each("shapes/ibans.txt", ";", l.iban)
	return l
})

// each reads the entries of an embedded file. A mistake in one is the
// program's.
func each(name, separator string, read func(string) error) {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var entries []string
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line, _, _ = strings.Cut(line, " # ")
		entries = append(entries, strings.Split(line, separator)...)
	}
	for _, entry := range entries {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		if err := read(entry); err != nil {
			panic(fmt.Errorf("read %s: %q: %w", name, entry, err))
		}
	}
}

// label reads "class: phrase; phrase". A space in a phrase stands for a
// space, an underscore, a hyphen or nothing.
func (l *lexicon) label(line string) error {
	name, phrases, _ := strings.Cut(line, ": ")
	c, ok := classNames[name]
	if !ok {
		return fmt.Errorf("no class %q", name)
	}
	for phrase := range strings.SplitSeq(phrases, ";") {
		phrase = newView(strings.TrimSpace(phrase)).low
		for _, space := range []string{" ", "_", "-", ""} {
			*l.words.put(strings.ReplaceAll(phrase, " ", space)) |= uint32(c)
		}
	}
	return nil
}

func (l *lexicon) key(line string) error {
	fields := strings.Fields(line)
	least, err := strconv.Atoi(fields[1])
	if err != nil {
		return err
	}
	shape := keyShape{least: least}
	if len(fields) > 2 {
		shape.more = fields[2]
	}
	*l.keys.put(fields[0]) = uint32(len(l.shapes))
	l.shapes = append(l.shapes, shape)
	return nil
}

func (l *lexicon) phone(line string) error {
	l.phones = append(l.phones, strings.Fields(line))
	return nil
}

func (l *lexicon) card(line string) error {
	fields := strings.Fields(line)
	numbers := make([]int, len(fields))
	for i, f := range fields {
		var err error
		if numbers[i], err = strconv.Atoi(f); err != nil {
			return err
		}
	}
	l.cards = append(l.cards, cardShape{numbers[0], numbers[1], len(fields[0]), numbers[2:]})
	return nil
}

func (l *lexicon) iban(entry string) error {
	country, length, _ := strings.Cut(entry, " ")
	n, err := strconv.Atoi(length)
	l.ibans[country] = n
	return err
}

// trie maps strings to numbers that are not 0, by their bytes.
type trie struct {
	nodes []node
	first [256]int32 // the nodes of the first bytes
}

type node struct {
	value uint32
	next  []edge
}

type edge struct {
	c  byte
	to int32
}

// put returns the place of a string's number.
func (t *trie) put(s string) *uint32 {
	if t.nodes == nil {
		t.nodes = make([]node, 1)
	}
	at := int32(0)
	for i := 0; i < len(s); i++ {
		to := t.step(at, s[i])
		if to == 0 {
			to = int32(len(t.nodes))
			t.nodes = append(t.nodes, node{})
			t.nodes[at].next = append(t.nodes[at].next, edge{s[i], to})
			if at == 0 {
				t.first[s[i]] = to
			}
		}
		at = to
	}
	return &t.nodes[at].value
}

func (t *trie) step(at int32, c byte) int32 {
	if at == 0 {
		return t.first[c]
	}
	for _, e := range t.nodes[at].next {
		if e.c == c {
			return e.to
		}
	}
	return 0
}

// longest returns the number of the longest string that s[at:] begins with
// and that may end there, and where it ends; 0 if there is none.
func (t *trie) longest(s string, at int, ends func(int) bool) (value uint32, end int) {
	n := int32(0)
	for i := at; i < len(s); i++ {
		if n = t.step(n, s[i]); n == 0 {
			break
		}
		if v := t.nodes[n].value; v != 0 && (ends == nil || ends(i+1)) {
			value, end = v, i+1
		}
	}
	return value, end
}

// word returns the class of the longest phrase that begins at at and where it
// ends.
func (v *view) word(at int) (class, int) {
	value, end := theLexicon().words.longest(v.low, at, v.wordEnds)
	if end > 0 && strings.HasPrefix(v.s[end:], "s") && !isLetter(v.s, end+1) {
		end++
	}
	return class(value), end
}

// wordEnds reports whether a word, or one with a plural "s", ends at at.
func (v *view) wordEnds(at int) bool {
	if at >= len(v.low) {
		return at == len(v.low)
	}
	c := v.low[at]
	if c < utf8.RuneSelf && !isLetter(v.low, at) || camel(v.s, at) || c == 's' && v.low[at-1] != 's' && !isLetter(v.low, at+1) {
		return true
	}
	last, r := v.before(at), v.after(at)
	return !unicode.IsLetter(r) || !unicode.IsLetter(last) || unspaced(last) || unspaced(r) || (last < 0x370) != (r < 0x370)
}

// isLetter reports whether s has an ASCII letter at at.
func isLetter(s string, at int) bool {
	return at < len(s) && (s[at] >= 'a' && s[at] <= 'z' || s[at] >= 'A' && s[at] <= 'Z')
}

// camel reports whether a word begins at at inside another, as in userName.
func camel(s string, at int) bool {
	return at > 0 && at < len(s) && s[at] >= 'A' && s[at] <= 'Z' && s[at-1] >= 'a' && s[at-1] <= 'z'
}
