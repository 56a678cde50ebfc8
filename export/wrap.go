package export

import "strings"

// style is an ANSI attribute; "" is none.
type style string

const (
	none   style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

// tied is a space that no line ends at. It cannot come from a conversation:
// visible spells it out.
const tied = "\x1f"

// run is text in one style.
type run struct {
	text  string
	style style
}

// painter lays out lines for a terminal.
type painter struct {
	b     strings.Builder
	width int
	color bool
}

func (p *painter) paint(r run) {
	if !p.color || r.style == none || r.text == "" {
		p.b.WriteString(r.text)
		return
	}
	p.b.WriteString("\x1b[" + string(r.style) + "m" + r.text + "\x1b[0m")
}

func (p *painter) line(runs ...run) {
	for _, r := range runs {
		p.paint(r)
	}
	p.b.WriteByte('\n')
}

// word is a piece that is not broken, with the spaces before it.
type word struct {
	run
	spaces, width int
}

// split cuts runs into words at spaces, and between wide characters, which
// need no space to break at. A word wider than most is cut.
func split(runs []run, most int) []word {
	var out []word
	spaces := 0
	for _, r := range runs {
		start, w := 0, 0
		flush := func(end int) {
			if end > start {
				out = append(out, word{run{r.text[start:end], r.style}, spaces, w})
				spaces, w = 0, 0
			}
			start = end
		}
		wide := false
		for i, c := range r.text {
			switch cw := runeWidth(c); {
			case c == ' ' || c == '\t':
				flush(i)
				spaces++
				start, wide = i+1, false
			case cw == 0: // stays with the character before it
			case cw == 2 && wide || w+cw > most:
				flush(i)
				w, wide = cw, cw == 2
			default:
				w, wide = w+cw, cw == 2
			}
		}
		flush(len(r.text))
	}
	return out
}

// wrap writes runs as lines of at most the width, the first indented by
// first, the others by rest.
func (p *painter) wrap(first, rest int, runs ...run) {
	most := max(p.width-max(first, rest), 10)
	col, fresh := first, true
	p.b.WriteString(strings.Repeat(" ", first))
	var open style
	for _, w := range split(runs, most) {
		gap := w.spaces
		if fresh {
			gap = 0
		} else if col+gap+w.width > p.width {
			p.close(&open)
			p.b.WriteString("\n" + strings.Repeat(" ", rest))
			col, gap = rest, 0
		}
		if w.style != open {
			p.close(&open)
		}
		p.b.WriteString(strings.Repeat(" ", gap))
		if p.color && w.style != none && open == none {
			p.b.WriteString("\x1b[" + string(w.style) + "m")
			open = w.style
		}
		p.b.WriteString(strings.ReplaceAll(w.text, tied, " "))
		col, fresh = col+gap+w.width, false
	}
	p.close(&open)
	p.b.WriteByte('\n')
}

// close ends the style that is on.
func (p *painter) close(open *style) {
	if *open != none {
		p.b.WriteString("\x1b[0m")
		*open = none
	}
}

// measure is the columns that runs take on one line.
func measure(runs []run) int {
	n := 0
	for _, r := range runs {
		n += width(r.text)
	}
	return n
}
