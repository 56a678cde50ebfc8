package syntax

import (
	"sort"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// The codes of the diagnostics. Only unknown-key and duplicate-key are
// warnings: the statement stands without the key.
const (
	codeUnexpected = "unexpected-token"
	codeKeyword    = "unknown-keyword"
	codeUnclosed   = "unclosed-bracket"
	codeQuote      = "unclosed-quote"
	codeDeep       = "nested-too-deep"
	codeValue      = "bad-value"
	codeUnknownKey = "unknown-key"
	codeDuplicate  = "duplicate-key"
)

// places turns offsets into lines and columns. It is built when the first
// mistake is found; a look-up costs a few dozen steps however long a line is.
type places struct {
	text   string
	lines  []int      // the offset of each line's first byte
	blocks []placeRef // one at the first rune of every placeBlock bytes
}

type placeRef struct{ off, runes int }

const placeBlock = 128

func newPlaces(text string) *places {
	p := &places{text: text, lines: []int{0}, blocks: []placeRef{{}}}
	runes, next := 0, placeBlock
	for i, r := range text {
		if i >= next {
			p.blocks = append(p.blocks, placeRef{i, runes})
			next = i + placeBlock
		}
		if r == '\n' {
			p.lines = append(p.lines, i+1)
		}
		runes++
	}
	return p
}

// runesBefore is the number of code points before off.
func (p *places) runesBefore(off int) int {
	i := sort.Search(len(p.blocks), func(i int) bool { return p.blocks[i].off > off }) - 1
	n := p.blocks[i].runes
	for range p.text[p.blocks[i].off:off] {
		n++
	}
	return n
}

func (p *places) where(file string, s sir.Span) diag.Where {
	line := sort.Search(len(p.lines), func(i int) bool { return p.lines[i] > s.Start })
	col := p.runesBefore(s.Start) - p.runesBefore(p.lines[line-1]) + 1
	return diag.Where{File: file, Line: line, Col: col, Bytes: [2]int{s.Start, s.End}}
}

// report adds a diagnostic about the words of s.
func (p *parser) report(code string, sev diag.Severity, s sir.Span, text string) {
	p.diags = append(p.diags, diag.Diagnostic{Code: code, Severity: sev, Text: text, Where: p.where(s)})
}

func (p *parser) where(s sir.Span) diag.Where {
	if p.places == nil {
		p.places = newPlaces(p.text)
	}
	at, file := p.opt.At, p.opt.File
	if file == "" {
		file = at.File
	}
	w := p.places.where(file, s)
	if w.Line == 1 && at.Col > 0 {
		w.Col += at.Col - 1
	}
	if at.Line > 0 {
		w.Line += at.Line - 1
	}
	w.Bytes[0], w.Bytes[1] = w.Bytes[0]+at.Bytes[0], w.Bytes[1]+at.Bytes[0]
	return w
}

// expected reports that token i stands where something else should.
func (p *parser) expected(what string, i int) {
	t := p.toks[i]
	if t.kind == badQuote {
		p.report(codeQuote, diag.Error, sir.Span{Start: t.start, End: t.end},
			"expected a closing "+p.text[t.start:t.start+1]+", found end of line")
		return
	}
	p.report(codeUnexpected, diag.Error, sir.Span{Start: t.start, End: t.end}, "expected "+what+", found "+p.describe(t))
}

// expectedEnd reports that the tokens [lo, hi) stop too early: what follows
// them is not what was expected.
func (p *parser) expectedEnd(what string, hi int) {
	t := p.toks[hi]
	at := sir.Span{Start: t.start, End: t.end}
	if t.kind == newline || t.kind == eof {
		at = sir.Span{Start: p.wordsEnd(hi), End: p.wordsEnd(hi)}
	}
	p.report(codeUnexpected, diag.Error, at, "expected "+what+", found "+p.describe(t))
}

// wordsEnd is where the words before token hi end.
func (p *parser) wordsEnd(hi int) int {
	if hi > 0 {
		return p.toks[hi-1].end
	}
	return 0
}

// unclosed reports the opening bracket at token i, which nothing closes.
func (p *parser) unclosed(i int) {
	t := p.toks[i]
	at := sir.Span{Start: t.start, End: t.end}
	if t.match == tooDeep {
		p.report(codeDeep, diag.Error, at, "expected at most 200 nested brackets; this one holds more")
		return
	}
	end := closer[t.kind]
	w := p.where(at)
	w.File = ""
	p.report(codeUnclosed, diag.Error, at, "expected "+end+" to close the "+p.text[t.start:t.end]+" opened at "+w.String()+", found none")
}

var closer = map[tokenKind]string{lbrace: "}", lbrack: "]", lparen: ")"}

// describe names a token for a reader.
func (p *parser) describe(t token) string {
	switch t.kind {
	case newline, eof:
		return "end of line"
	case quoted, badQuote:
		return p.text[t.start:t.end]
	case word:
		s, n := p.text[t.start:t.end], 0
		for i := range s {
			if n++; n > 24 {
				s = s[:i] + "…"
				break
			}
		}
		return `"` + s + `"`
	}
	return p.text[t.start:t.end]
}
