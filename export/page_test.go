package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/internal/browsertest"
	"github.com/speckl/speckl/sir"
)

// open writes a document's page to a file and opens it in a browser.
func open(t *testing.T, d *export.Document) (p *browsertest.Page, url string) {
	t.Helper()
	p = browsertest.Open(t)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(written(t, export.HTML, d)), 0o644); err != nil {
		t.Fatal(err)
	}
	url = "file://" + path
	p.Go(url)
	return p, url
}

// lit lists what is lit, elements and words, in the page's order.
const lit = `[...document.querySelectorAll('.lit')].map(e => (e.id || e.tagName.toLowerCase()) + ' ' + (e.querySelector('.label') || e).textContent)`

func expectLit(t *testing.T, p *browsertest.Page, want ...string) {
	t.Helper()
	got := browsertest.Eval[[]string](p, lit)
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("-want +lit\n%s", diff)
	}
}

// seen tells whether the first match of a selector is in the window.
func seen(p *browsertest.Page, selector string) bool {
	return browsertest.Eval[bool](p, fmt.Sprintf(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		done(r.height > 0 && r.top >= 0 && r.bottom <= innerHeight);
	})))`, selector))
}

// sampleItems of the sample's page, by what they are.
const (
	loading = "e-2 loading"
	move    = "e-5 idle → loading  on the user clicks 'Search'"
	clicks  = "mark When the user clicks 'Search', it goes to a loading state"
	starts  = "mark The system starts in an idle state"
)

func TestPage(t *testing.T) {
	p, url := open(t, sample())

	p.Click("#e-5 .label")
	expectLit(t, p, move, starts, clicks)
	p.Click("#e-5 .label")
	expectLit(t, p)

	p.Click(`mark[data-q="2.0 5.0"]`)
	expectLit(t, p, loading, move, starts, clicks)

	p.Keys(kb.Escape)
	expectLit(t, p)
	browsertest.Eval[bool](p, `document.querySelector('#e-2 .label').focus(), true`)
	p.Keys(kb.Enter)
	expectLit(t, p, loading, clicks)
	browsertest.Eval[bool](p, `document.querySelector('mark[data-q~="6.0"]').focus(), true`)
	p.Keys(kb.Enter)
	expectLit(t, p, "e-6 ? → dashboard", "mark After authentication, go to the dashboard")

	p.Click(`.chip[data-kind="1"]`)
	p.Click(`.chip[data-state="ambiguous"]`)
	if got := browsertest.Eval[string](p, `document.getElementById('count').textContent`); got != "1 of 8 shown" {
		t.Errorf("after filtering: %q", got)
	}
	p.Click(`mark[data-q="2.0 5.0"]`) // its elements are hidden: the filter goes
	if got := browsertest.Eval[int](p, `document.querySelectorAll('.group .item:not([hidden])').length`); got != 8 {
		t.Errorf("%d elements after a click on words of hidden ones", got)
	}

	if got := browsertest.Eval[int](p, `window.pwned || document.querySelectorAll('img, #found script, #transcript script').length`); got != 0 {
		t.Error("the conversation's markup came alive")
	}
	if diff := cmp.Diff([]string{url}, p.Requests()); diff != "" {
		t.Errorf("-want +requested\n%s", diff)
	}
	if got := p.Problems(); len(got) > 0 {
		t.Errorf("the page complains: %v", got)
	}
}

// TestPageNarrow: on a phone one half is seen at a time, and following words
// changes the half.
func TestPageNarrow(t *testing.T) {
	p, url := open(t, sample())
	p.Size(390, 844)
	p.Go(url)
	p.Click("#e-6 .label")
	if !seen(p, `mark[data-q="6.0"]`) || seen(p, "#e-6") {
		t.Error("a click on an element does not lead to its words")
	}
	p.Click(`mark[data-q="6.0"]`)
	if !seen(p, "#e-6 .label") || seen(p, `mark[data-q="6.0"]`) {
		t.Error("a click on words does not lead to the element")
	}
	if wide := browsertest.Eval[int](p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d wide on a screen of 390", wide)
	}
}

// TestPageLong: 10,000 turns open soon, and a click leads to the last words.
func TestPageLong(t *testing.T) {
	k := &talk{}
	for i := range 10_000 {
		k.say(fmt.Sprint("t", i), sir.Human, "Ann", strings.Repeat("We talk about this and that. ", i%7+1))
	}
	k.say("last", sir.Human, "Ann", "It starts in the idle state.")
	k.add("state", 5500, state("idle"), k.words("last", "idle"))
	k.doc.Turns = turnsOf(k.turns)
	p, _ := open(t, &k.doc)
	p.Click("#e-1 .label")
	if !seen(p, "mark") {
		t.Error("the words are not in sight")
	}
	expectLit(t, p, "e-1 idle", "mark idle")
	if ms := browsertest.Eval[float64](p, `performance.getEntriesByType('navigation')[0].domComplete`); ms > 10_000 {
		t.Errorf("the page took %.0f ms", ms)
	} else {
		t.Logf("10,001 turns open in %.0f ms", ms)
	}
}
