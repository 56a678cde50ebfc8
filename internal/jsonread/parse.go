package jsonread

import (
	"slices"
	"unicode/utf8"
)

// maxDepth is how deep a value may nest.
const maxDepth = 200

// state says how reading a value ended.
type state uint8

const (
	whole  state = iota
	cut          // the text ended inside the value
	broken       // it goes on in a way that is no JSON and no known slip
	deep         // it nests deeper than maxDepth
)

// parser reads values of src[:end]. What it mends goes to out; as long as
// nothing was mended, the value is a piece of src.
type parser struct {
	src string
	end int
	// depth counts the open objects and lists. Where a value is broken, it
	// stays as it was there.
	depth int
	// out holds the value up to copied, mended.
	copied int
	out    []byte
	fixed  bool
}

// visitor reads a member's value in the parser's stead. n counts the members
// from 0; name is the key as written, without quotes.
type visitor func(n int, name string, at int) (int, state)

// begin starts a value.
func (p *parser) begin(at int) {
	p.depth, p.copied, p.out, p.fixed = 0, at, p.out[:0], false
}

// patch replaces src[from:to] in the mended value. Patches come in order.
func (p *parser) patch(from, to int, with string) {
	p.out = append(append(p.out, p.src[p.copied:from]...), with...)
	p.copied, p.fixed = to, true
}

// mended returns the mended value, which ends at end.
func (p *parser) mended(end int) []byte {
	return slices.Concat(p.out, []byte(p.src[p.copied:end]))
}

// value reads the value at at. It returns where it ends; where it is not
// whole, how far it could be read.
func (p *parser) value(at int, in place) (int, state) {
	if at >= p.end {
		return p.end, cut
	}
	switch p.src[at] {
	case '{':
		return p.object(at, nil)
	case '[':
		return p.list(at)
	}
	if quote, _ := p.quote(at); quote != 0 {
		return p.text(at, in)
	}
	return p.scalar(at)
}

// object reads the object at at. Its members are read by visit, if there is
// one.
func (p *parser) object(at int, visit visitor) (int, state) {
	if p.depth == maxDepth {
		return at, deep
	}
	p.depth++
	at = p.open(at)
	for n := 0; ; n++ {
		if at >= p.end {
			return p.end, cut
		}
		if p.src[at] == '}' {
			p.depth--
			return at + 1, whole
		}
		name, at2, st := p.key(at)
		if st != whole {
			return at2, st
		}
		if visit != nil {
			at, st = visit(n, name, at2)
		} else {
			at, st = p.value(at2, member)
		}
		if st == whole {
			at, st = p.next(at, '}')
		}
		if st != whole {
			return at, st
		}
	}
}

// list reads the list at at.
func (p *parser) list(at int) (int, state) {
	if p.depth == maxDepth {
		return at, deep
	}
	p.depth++
	at = p.open(at)
	for {
		if at >= p.end {
			return p.end, cut
		}
		if p.src[at] == ']' {
			p.depth--
			return at + 1, whole
		}
		var st state
		if at, st = p.value(at, element); st == whole {
			at, st = p.next(at, ']')
		}
		if st != whole {
			return at, st
		}
	}
}

// open goes from an opening bracket to what stands first in it, and leaves out
// commas before it.
func (p *parser) open(at int) int {
	at = p.gap(at + 1)
	for at < p.end && p.src[at] == ',' {
		p.patch(at, at+1, "")
		at = p.gap(at + 1)
	}
	return at
}

// next goes from the end of a member or element to the one that follows or
// to the closing bracket, and mends the comma between.
func (p *parser) next(at int, closer byte) (int, state) {
	at = p.gap(at)
	if at >= p.end {
		return p.end, cut
	}
	switch c := p.src[at]; c {
	case closer:
		return at, whole
	case '}', ']':
		return at, broken
	case ',':
	default:
		p.patch(at, at, ",")
		return at, whole
	}
	then := p.space(at + 1)
	several := false
	for then < p.end && p.src[then] == ',' {
		then, several = p.space(then+1), true
	}
	switch {
	case then >= p.end:
		return p.end, cut
	case p.src[then] == closer:
		p.patch(at, then, "")
	case several:
		p.patch(at, then, ",")
	default:
		p.gap(at + 1)
	}
	return then, whole
}

// key reads a key and its colon, and returns the key as written and where the
// value begins.
func (p *parser) key(at int) (name string, value int, st state) {
	end := at
	if quote, size := p.quote(at); quote != 0 {
		if end, st = p.text(at, key); st != whole {
			return "", end, st
		}
		name = p.src[at+size : end]
		_, size = utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	} else {
		if end = p.word(at); end == p.end {
			return "", end, cut
		}
		if end == at {
			return "", at, broken
		}
		name = p.src[at:end]
		p.patch(at, at, `"`)
		p.patch(end, end, `"`)
	}
	colon := p.gap(end)
	if colon >= p.end {
		return "", p.end, cut
	}
	if p.src[colon] != ':' {
		return "", colon, broken
	}
	return name, p.gap(colon + 1), whole
}

// skip goes on from where an element of a list was broken, open objects and
// lists deep in it, to where the element ends. It returns false where it does
// not end.
func (p *parser) skip(at, open int) (int, bool) {
	last := byte(0) // the byte before, blanks apart
	for at < p.end {
		c := p.src[at]
		if (c == '"' || c == '\'') && (last == '{' || last == '[' || last == ',' || last == ':') {
			var st state
			if at, st = p.text(at, anywhere); st != whole {
				return p.end, false
			}
			last = c
			continue
		}
		switch c {
		case '{', '[':
			open++
		case '}', ']':
			if open == 0 {
				return at, true
			}
			if open--; open == 0 {
				return at + 1, true
			}
		case ',':
			if open == 0 {
				return at, true
			}
		}
		if c > ' ' {
			last = c
		}
		at++
	}
	return p.end, false
}
