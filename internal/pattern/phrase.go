package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrPhrase is wrapped by errors about a phrase; they name the column.
var ErrPhrase = errors.New("bad phrase")

// node is a parsed phrase.
type node struct {
	op    nodeOp
	words [][]string // literal: alternatives, each of one or more words
	stem  bool       // literal: the first word of each inflects
	kids  []*node    // seq, alt, opt
	field string     // slot
	kind  SlotKind   // slot
	lit   *literal   // literal: what it accepts, set by the compiler
}

type nodeOp uint8

const (
	opLiteral nodeOp = iota
	opBound
	opSlot
	opSeq
	opAlt
	opOpt
	opEnd
)

// SlotKind is what a slot of a phrase takes.
type SlotKind string

// The kinds of slot.
const (
	SlotWord     SlotKind = "word"
	SlotName     SlotKind = "name"
	SlotNames    SlotKind = "names"   // one name or several, joined
	SlotChoice   SlotKind = "choice"  // two names at least
	SlotNoun     SlotKind = "noun"    // a noun phrase, which need not name an element
	SlotSubject  SlotKind = "subject" // a noun phrase, or one pronoun
	SlotClause   SlotKind = "clause"
	SlotAction   SlotKind = "action"
	SlotQuoted   SlotKind = "quoted"
	SlotNumber   SlotKind = "number"
	SlotAmount   SlotKind = "amount"
	SlotDuration SlotKind = "duration"
	SlotDate     SlotKind = "date"
	SlotVerb     SlotKind = "verb"     // a predicate of the present: "belongs to", "is stored in"
	SlotList     SlotKind = "list"     // names, where "A, and B" begins another clause
	SlotQuantity SlotKind = "quantity" // a number with its unit
)

func (k SlotKind) valid() bool {
	switch k {
	case SlotWord, SlotName, SlotNames, SlotChoice, SlotNoun, SlotSubject, SlotClause, SlotAction, SlotQuoted, SlotNumber, SlotAmount, SlotDuration, SlotDate, SlotVerb, SlotList, SlotQuantity:
		return true
	}
	return false
}

// parser reads the phrase language:
//
//	phrase = {item}
//	item   = word | ~word | ~(a|b) | (phrase|phrase) | [phrase] | {field:kind} | "," | "$"
//
// "$" takes nothing and stands where a noun phrase ends: not before a further
// word of it, nor before its verb.
type parser struct {
	text  string
	at    int
	depth int
}

// maxDepth bounds the nesting of a phrase.
const maxDepth = 40

// parse reads a phrase. Errors wrap [ErrPhrase] and name the column, in code
// points from 1.
func parse(text string) (*node, error) {
	p := &parser{text: text}
	n, err := p.phrase("")
	if err != nil {
		return nil, err
	}
	if p.at < len(p.text) {
		return nil, p.bad("unexpected %q", p.peek())
	}
	if len(n.kids) == 0 {
		return nil, p.bad("the phrase is empty")
	}
	if !n.takes() {
		return nil, p.bad("the phrase can do without each of its words")
	}
	return n, nil
}

// takes reports whether each match of the node takes a token.
func (n *node) takes() bool {
	switch n.op {
	case opOpt, opEnd:
		return false
	case opSeq:
		return slices.ContainsFunc(n.kids, (*node).takes)
	case opAlt:
		return !slices.ContainsFunc(n.kids, func(k *node) bool { return !k.takes() })
	}
	return true
}

func (p *parser) bad(format string, args ...any) error {
	col := utf8.RuneCountInString(p.text[:min(p.at, len(p.text))]) + 1
	return fmt.Errorf("%w %q, column %d: %s", ErrPhrase, p.text, col, fmt.Sprintf(format, args...))
}

func (p *parser) peek() string {
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	return p.text[p.at : p.at+size]
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.ContainsRune(" \t\n", rune(p.text[p.at])) {
		p.at++
	}
}

// phrase reads items up to one of the marks in stop, or the end.
func (p *parser) phrase(stop string) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.bad("nested too deep")
	}
	defer func() { p.depth-- }()
	seq := &node{op: opSeq}
	for {
		p.space()
		if p.at >= len(p.text) || strings.ContainsRune(stop, rune(p.text[p.at])) {
			return seq, nil
		}
		item, err := p.item()
		if err != nil {
			return nil, err
		}
		seq.kids = append(seq.kids, item)
	}
}

func (p *parser) item() (*node, error) {
	switch p.text[p.at] {
	case ',':
		p.at++
		return &node{op: opBound}, nil
	case '$':
		p.at++
		return &node{op: opEnd}, nil
	case '~':
		return p.inflected()
	case '(':
		return p.alternatives()
	case '[':
		p.at++
		kid, err := p.alternation("]")
		if err != nil {
			return nil, err
		}
		return &node{op: opOpt, kids: []*node{kid}}, nil
	case '{':
		return p.slot()
	case ')', ']', '}', '|':
		return nil, p.bad("unexpected %q", p.peek())
	}
	word := p.word()
	if word == "" {
		return nil, p.bad("unexpected %q", p.peek())
	}
	return &node{op: opLiteral, words: [][]string{{word}}}, nil
}

// word reads up to the next mark of the language, or a mark behind a
// backslash, which stands for itself.
func (p *parser) word() string {
	start := p.at
	if rest := p.text[p.at:]; len(rest) > 1 && rest[0] == '\\' && strings.ContainsRune("()[]{}|,~", rune(rest[1])) {
		p.at += 2
		return rest[1:2]
	}
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if unicode.IsSpace(r) || strings.ContainsRune("()[]{}|,~", r) {
			break
		}
		p.at += size
	}
	return p.text[start:p.at]
}

// inflected reads ~word or ~(a|b c).
func (p *parser) inflected() (*node, error) {
	p.at++
	n := &node{op: opLiteral, stem: true}
	if p.at < len(p.text) && p.text[p.at] == '(' {
		start := p.at
		p.at++
		end := strings.IndexByte(p.text[p.at:], ')')
		if end < 0 {
			p.at = start
			return nil, p.bad("( has no )")
		}
		for _, alt := range strings.Split(p.text[p.at:p.at+end], "|") {
			words := strings.Fields(alt)
			if len(words) == 0 || strings.ContainsAny(alt, "([{~,") {
				return nil, p.bad("want words between | in ~( )")
			}
			n.words = append(n.words, words)
		}
		p.at += end + 1
		return n, nil
	}
	word := p.word()
	if word == "" {
		return nil, p.bad("want a word or ( after ~")
	}
	n.words = [][]string{{word}}
	return n, nil
}

// alternatives reads ( phrase | phrase ).
func (p *parser) alternatives() (*node, error) {
	p.at++
	return p.alternation(")")
}

// alternation reads phrases separated by | up to the closing mark.
func (p *parser) alternation(shut string) (*node, error) {
	open := p.at - 1
	alt := &node{op: opAlt}
	for {
		kid, err := p.phrase("|" + shut)
		if err != nil {
			return nil, err
		}
		if len(kid.kids) == 0 {
			return nil, p.bad("an alternative is empty")
		}
		alt.kids = append(alt.kids, kid)
		if p.at >= len(p.text) {
			p.at = open
			return nil, p.bad("%q has no %q", p.text[open:open+1], shut)
		}
		p.at++
		if p.text[p.at-1] == shut[0] {
			if len(alt.kids) == 1 {
				return alt.kids[0], nil
			}
			return alt, nil
		}
	}
}

// slot reads {field:kind}.
func (p *parser) slot() (*node, error) {
	end := strings.IndexByte(p.text[p.at:], '}')
	if end < 0 {
		return nil, p.bad("{ has no }")
	}
	field, kind, ok := strings.Cut(p.text[p.at+1:p.at+end], ":")
	n := &node{op: opSlot, field: strings.TrimSpace(field), kind: SlotKind(strings.TrimSpace(kind))}
	if !ok || n.field == "" {
		return nil, p.bad("want {field:kind}")
	}
	if !n.kind.valid() {
		return nil, p.bad("unknown slot kind %q: want word, name, names, choice, noun, subject, clause, action, quoted, number, amount, duration, date, verb, list or quantity", n.kind)
	}
	p.at += end + 1
	return n, nil
}
