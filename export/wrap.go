package export

import (
	"cmp"
	"io"
	"strings"
)

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

// newPainter holds the width between 40 and 100 columns; 0 is 80.
func newPainter(o TextOptions) painter {
	return painter{color: o.Color, width: min(max(cmp.Or(o.Width, 80), 40), 100)}
}

// drain hands over what was laid out so far.
func (p *painter) drain(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	p.b.Reset()
	return err
}

func (p *painter) heading(s string) { p.line(run{plain(s), bold}) }

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

// ends puts left and right at the two ends of a line, or of two where one has
// no room for both.
func (p *painter) ends(indent int, left, right []run) {
	if space := p.width - indent - measure(left) - measure(right); space >= 3 {
		p.b.WriteString(strings.Repeat(" ", indent))
		p.line(append(append(left, run{text: strings.Repeat(" ", space)}), right...)...)
		return
	}
	p.wrap(indent, indent+4, left...)
	p.wrap(max(p.width-measure(right), indent+2), indent+2, right...)
}

// close ends the style that is on.
func (p *painter) close(open *style) {
	if *open != none {
		p.b.WriteString("\x1b[0m")
		*open = none
	}
}

// quote prints words exactly, line by line, and who said them.
func (p *painter) quote(indent int, quote, who string) {
	lines := strings.Split(visible(strings.TrimSpace(quote)), "\n")
	for i, l := range lines {
		first, runs := indent+1, []run{{strings.TrimRight(l, " \t"), none}}
		if i == 0 {
			first, runs[0].text = indent, "“"+runs[0].text
		}
		if extra := len(l) - len(strings.TrimLeft(l, " \t")); i > 0 {
			first += min(extra, 8)
		}
		if i == len(lines)-1 {
			runs[0].text += "”"
			if who != "" {
				who = plain(who)
				if at := strings.LastIndex(who, " turn "); at >= 0 {
					who = who[:at] + " turn" + tied + who[at+len(" turn "):]
				}
				runs = append(runs, run{" —" + tied + who, dim})
			}
		}
		p.wrap(first, indent+1, runs...)
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

// pad fills text with spaces to n columns; padLeft puts them in front.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(n-width(s), 0)) }

func padLeft(s string, n int) string { return strings.Repeat(" ", max(n-width(s), 0)) + s }
