package syntax

import (
	"strings"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/sir"
)

// Format writes a text in canonical form, as [Print] does, and keeps what is
// not a statement:
//
//   - a comment on a line of its own stays between the same statements; one
//     after a statement stays after it; one inside braces goes to a line above
//     its statement;
//   - blank lines between statements stay, several as one;
//   - what does not parse, or has a key that is not known, stays as written,
//     and is reported as [Parse] does.
//
// Formatting what Format gives, where nothing was reported, changes nothing.
func Format(text string, o Options) (string, []diag.Diagnostic) {
	p := newParser(text, o)
	f := &formatter{text: text, comments: p.comments}
	for _, it := range p.items() {
		s := p.span(it.lo, it.hi)
		f.commentsTo(s.Start)
		if !it.clean {
			f.line(s, s.Of(text))
			for len(f.comments) > 0 && f.comments[0].Start < s.End {
				f.comments = f.comments[1:] // they are in the words
			}
			continue
		}
		for len(f.comments) > 0 && f.comments[0].Start < s.End {
			f.line(sir.Span{Start: s.Start, End: s.Start}, f.comments[0].Of(text))
			f.comments = f.comments[1:]
		}
		f.line(s, it.stmt.String())
	}
	f.commentsTo(len(text))
	if f.out.Len() > 0 {
		f.out.WriteByte('\n')
	}
	return f.out.String(), p.diags
}

type formatter struct {
	text     string
	out      strings.Builder
	comments []sir.Span
	// end is where the last thing written ends in the text.
	end int
}

// commentsTo writes the comments before off.
func (f *formatter) commentsTo(off int) {
	for len(f.comments) > 0 && f.comments[0].Start < off {
		c := f.comments[0]
		f.comments = f.comments[1:]
		if f.out.Len() > 0 && !strings.Contains(f.text[f.end:c.Start], "\n") {
			f.out.WriteString("  " + c.Of(f.text))
			f.end = c.End
			continue
		}
		f.line(c, c.Of(f.text))
	}
}

// line writes a line for the words of s, and the blank line before them.
func (f *formatter) line(s sir.Span, words string) {
	if f.out.Len() > 0 {
		f.out.WriteByte('\n')
		if strings.Count(f.text[f.end:s.Start], "\n") > 1 {
			f.out.WriteByte('\n')
		}
	}
	f.out.WriteString(words)
	f.end = max(f.end, s.End)
}
