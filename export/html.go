package export

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/speckl/speckl/sir"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string

	page = template.Must(template.New("page").Parse(pageHTML))
)

// dropsListed is how many drops the page lists; the rest is counted.
const dropsListed = 2000

// HTML writes one self-contained page: the elements beside the transcript,
// tied to their words in it, and what is unclear or was left out. It works
// from a file, loads nothing, and its content policy allows no script but its
// own. It returns the first error of w or of the document's streams.
func HTML(w io.Writer, d *Document) error {
	p := htmlPage{Document: d, CSS: template.CSS(pageCSS), JS: template.JS(pageJS)}
	sum := sha256.Sum256([]byte(pageJS))
	p.Policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	var drops []sir.Dropped
	v, err := newView(d, func(dr sir.Dropped) bool {
		p.Drops++
		if len(drops) < dropsListed {
			drops = append(drops, dr)
		}
		return len(drops) < dropsListed
	})
	if err != nil {
		return err
	}
	p.fill(v, drops)
	out := bufio.NewWriterSize(w, 1<<16)
	if err := page.Execute(out, &p); err != nil {
		return cmp.Or(p.fail, err)
	}
	if p.fail != nil {
		return p.fail
	}
	return out.Flush()
}

// htmlPage is what the template sees.
type htmlPage struct {
	*Document
	Policy     string
	CSS        template.CSS
	JS         template.JS
	Title      string
	Summary    string
	Groups     []htmlGroup
	Candidates []*htmlItem
	Questions  []htmlQuestion
	Conflicts  []htmlConflict
	Gaps       []htmlGap
	Dropped    []htmlDrop
	Drops      int
	MoreDrops  int
	Duplicates string
	Degraded   string
	// States are what can be filtered by, beside the groups.
	States []string

	spans map[string][]span
	view  *view
	fail  error
}

type htmlGroup struct {
	Title string
	// Color is the class "k0" to "k5" of what belongs to the group.
	Color int
	Items []*htmlItem
}

// htmlItem is an element or a candidate.
type htmlItem struct {
	N          int // counts the page's items from 1; marks refer to it
	ID         string
	Key        string // class: "k0" to "k5", "pool"
	Label      template.HTML
	Confidence sir.Confidence
	Percent    int
	Marks      []string
	States     string // for the filter, space-separated
	Quotes     []htmlQuote
	Readings   []htmlReading
	Gaps       []string
	Data       []htmlField
	Score      string
	History    []htmlEvent
}

type htmlQuote struct {
	Text   template.HTML
	Who    string
	Anchor string
	Note   string
	// N and I find the words in the transcript: item and quote.
	N, I int
}

type htmlReading struct {
	Label      template.HTML
	Confidence string
}

type htmlField struct {
	Name    string
	Value   template.HTML
	Unknown string // what is shown without a value
}

type htmlEvent struct{ What, Who, Anchor, Confidence, Why string }

type htmlQuestion struct {
	Number   int
	Question template.HTML
	Quote    htmlQuote
	Options  []template.HTML
	Items    []int
}

type htmlConflict struct {
	Question template.HTML
	Item     int
	Sides    []htmlQuote
}

type htmlGap struct {
	Question string
	Item     int
}

type htmlDrop struct{ Reason, Text, Detail, Who, Anchor string }

// Rows yields the transcript, a turn at a time.
func (p *htmlPage) Rows() func(yield func(template.HTML) bool) {
	return func(yield func(template.HTML) bool) {
		if p.Turns == nil {
			return
		}
		several := len(p.Sessions) > 1
		session, n := "", 0
		for t, err := range p.Turns {
			if err != nil {
				p.fail = fmt.Errorf("read turns: %w", err)
				return
			}
			head := ""
			if n++; several && (n == 1 || t.SessionID != session) {
				head = `<h3 class="session" dir="auto">` + esc(oneLine(t.SessionID)) + "</h3>\n"
			}
			session = t.SessionID
			if !yield(template.HTML(head + turnHTML(t, p.spans[t.ID]))) {
				return
			}
		}
	}
}

// turnHTML is one turn, with its spans marked.
func turnHTML(t *sir.Turn, spans []span) string {
	var b strings.Builder
	class := string(t.Speaker)
	if t.IsAct() {
		class += " act"
	}
	fmt.Fprintf(&b, `<article class="turn %s" id="%s" tabindex="-1"><header><b dir="auto">%s</b>`, esc(class), anchor(t.ID), esc(plain(speaker(t))))
	if t.Speaker == sir.Agent && speaker(t) != "agent" {
		b.WriteString(` <i>agent</i>`)
	}
	fmt.Fprintf(&b, ` <span>turn %d</span>`, t.Seq)
	if s := clock(t.Timestamp); s != "" {
		fmt.Fprintf(&b, ` <time>%s UTC</time>`, s)
	}
	b.WriteString("</header>")
	if t.Content == "" {
		b.WriteString(`<p class="none">no words</p>`)
	} else {
		b.WriteString(`<p dir="auto">`)
		broken := false
		for _, s := range cut(t.Content, spans) {
			if broken { // a span that parts \r\n does not make two line breaks of it
				s.text = strings.TrimPrefix(s.text, "\n")
			}
			broken = strings.HasSuffix(s.text, "\r")
			s.write(&b)
		}
		b.WriteString("</p>")
	}
	b.WriteString("</article>\n")
	return b.String()
}

// write prints a stretch of a turn.
func (s stretch) write(b *strings.Builder) {
	if s.text == "" {
		return
	}
	if len(s.refs) == 0 {
		b.WriteString(string(shown(s.text)))
		return
	}
	var items, quotes []string
	for _, r := range s.refs {
		if n := strconv.Itoa(r.item); !slices.Contains(items, n) {
			items = append(items, n)
		}
		quotes = append(quotes, r.String())
	}
	fmt.Fprintf(b, `<mark class="%s" data-e="%s" data-q="%s" tabindex="0" role="button">%s</mark>`,
		s.refs[0].key, strings.Join(items, " "), strings.Join(quotes, " "), shown(s.text))
}

// anchor is an id for a turn that is safe in an attribute and in a fragment.
func anchor(turnID string) string {
	var b strings.Builder
	b.WriteString("t-")
	for i := range len(turnID) {
		switch c := turnID[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

func esc(s string) string { return template.HTMLEscapeString(s) }

// shown is text as HTML, control characters spelled out.
func shown(s string) template.HTML {
	var b strings.Builder
	eachVisible(s, func(text, spelled string) {
		if text != "" {
			b.WriteString(esc(text))
			return
		}
		b.WriteString(`<span class="ctl">` + spelled + `</span>`)
	})
	return template.HTML(b.String())
}
