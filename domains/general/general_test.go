package general_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/eval"
	"github.com/speckl/speckl/sir"
)

func open(t *testing.T) *speckl.Client {
	t.Helper()
	c, err := speckl.Open(speckl.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// read reads turns into a new document and returns what it holds, as text.
func read(t *testing.T, c *speckl.Client, name string, contents ...string) []string {
	t.Helper()
	turns := func(yield func(sir.Turn, error) bool) {
		for _, content := range contents {
			if !yield(sir.Turn{Speaker: sir.Human, Content: content}, nil) {
				return
			}
		}
	}
	if _, err := c.Ingest(t.Context(), name, turns, speckl.IngestOptions{Domains: []string{"general"}}); err != nil {
		t.Fatal(err)
	}
	return shown(t, c, name)
}

// shown lists the live elements of a document: "relationship Order belong to
// Customer".
func shown(t *testing.T, c *speckl.Client, name string) []string {
	t.Helper()
	doc, err := c.Document(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range doc.Elements {
		if e.Confidence > 6000 || !e.Flags.NeedsReview || !e.Flags.IsTentative {
			t.Errorf("%s %v has confidence %s, needsReview %v, isTentative %v", e.ElementType, e.Data, e.Confidence, e.Flags.NeedsReview, e.Flags.IsTentative)
		}
		if !e.Status.Live() {
			continue
		}
		words := []string{e.ElementType}
		for _, f := range [...]string{"subject", "verb", "object", "name", "kind", "value", "text"} {
			if v := e.Data[f]; v != nil {
				words = append(words, fmt.Sprint(v))
			}
		}
		out = append(out, strings.Join(words, " "))
	}
	slices.Sort(out)
	return out
}

func TestGold(t *testing.T) {
	f, err := os.Open("testdata/gold.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gold, err := eval.ReadGold(f, "gold.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	run, err := eval.Extract(context.Background(), open(t), "general", gold)
	if err != nil {
		t.Fatal(err)
	}
	r := eval.Score("general", gold, run)
	var tp, fp, fn int
	for typ, n := range r.Types {
		t.Logf("%-13s right %d, extra %d, missed %d: P %.2f R %.2f", typ, n.TP, n.FP, n.FN, n.P, n.R)
		tp, fp, fn = tp+n.TP, fp+n.FP, fn+n.FN
	}
	if p := float64(tp) / float64(tp+fp); p < 0.95 {
		t.Errorf("precision is %.3f, want at least 0.95", p)
	}
	if rec := float64(tp) / float64(tp+fn); rec < 0.88 {
		t.Errorf("recall is %.3f, want at least 0.88", rec)
	}
	if r.BadSpans > 0 || r.Bare > 0 {
		t.Errorf("%d spans are not the words, %d elements have none", r.BadSpans, r.Bare)
	}
	if t.Failed() {
		for _, w := range r.Wrong {
			t.Logf("%s %s %s", w.Kind, w.Row, w.Text)
		}
	}
}

func TestSmallTalkGivesNothing(t *testing.T) {
	f, err := os.Open("testdata/smalltalk.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	c := open(t)
	if got := read(t, c, "all", lines...); len(got) > 0 {
		t.Errorf("200 lines of small talk give %q", got)
	}
	for i, line := range lines {
		if got := read(t, c, fmt.Sprint(i), line); len(got) > 0 {
			t.Errorf("%q gives %q", line, got)
		}
	}
}

func TestWhatIsSaid(t *testing.T) {
	tests := []struct {
		text string
		want []string // "" alone: nothing
	}{
		// sp-74-1
		{`The "Order" belongs to the "Customer". An Order must have a number.`, []string{
			"constraint Order An Order must have a number", "entity Customer", "entity Order", "relationship Order belong to Customer"}},
		{"So a driver drives a van, and every van belongs to a depot.", []string{
			"entity depot", "entity driver", "entity van", "relationship driver drive van", "relationship van belong to depot"}},
		{"A Trip starts at a Depot and ends at a Customer Site.", []string{
			"entity Customer Site", "entity Depot", "entity Trip", "relationship Trip end at Customer Site", "relationship Trip start at Depot"}},
		{"A Stock Item is always stored in a Bin.", []string{"entity Bin", "entity Stock Item", "relationship Stock Item be stored in Bin"}},
		{"An Exhibit is on loan from a Lender.", []string{"entity Exhibit", "entity Lender", "relationship Exhibit be on loan from Lender"}},
		{"A course consists of modules, and a module has a title.", []string{
			"entity course", "entity module", "property module title", "relationship course consist of modules"}},
		{"A kennel holds one dog. Kennels have a number and a size.", []string{
			"entity dog", "entity kennel", "property Kennels number", "property Kennels size", "relationship kennel hold dog"}},
		{"A Member has a Library Card. A Copy has a home Branch.", []string{
			"entity Copy", "entity Library Card", "entity Member", "property Copy home Branch", "relationship Member have Library Card"}},
		{"A patient has an insurer, and the insurer pays the invoice.", []string{
			"entity insurer", "entity patient", "relationship insurer pay invoice", "relationship patient have insurer"}},
		{"Each Room's price is 90 euros.", []string{"entity Room", "property Room price 90 euros"}},
		{"The length of a first visit is 40 minutes.", []string{"entity first visit", "property first visit length 40 minutes"}},
		{`A "Season Pass" is a kind of Ticket. It has an expiry date.`, []string{
			"entity Season Pass Ticket", "entity Ticket", "property Season Pass expiry date"}},
		{"A late Loan causes a Fine.", []string{"entity Fine", "entity Loan", "relationship Loan cause Fine"}},
		{"A room can't be booked once it is full, as you know.", []string{
			"constraint room A room can't be booked once it is full", "entity room"}},
		{"An exhibit's label has to be readable.", []string{"constraint label An exhibit's label has to be readable", "entity label"}},
		{"A dog can stay for at most 14 nights.", []string{"constraint dog A dog can stay for at most 14 nights", "entity dog"}},
		{"Only a dispatcher may cancel a trip.", []string{"constraint dispatcher Only a dispatcher may cancel a trip", "entity dispatcher"}},
		{"A referral expires after 90 days.", []string{"constraint referral A referral expires after 90 days", "entity referral"}},
		{"A drawer contains at least one key.", []string{"constraint drawer A drawer contains at least one key", "entity drawer"}},

		{"Does a Zone have one Warehouse?", nil},
		{"If a Zone has a Gate, we paint it.", []string{"entity Gate", "entity Zone"}},
		{"The guy at the desk has a dog, and the dog has a bed.", nil},
		{"The BBC has a programme about it.", nil},
		{"The Smiths are in the garden.", nil},
		{"A coffee costs four quid there.", nil},
		{"An hour is an hour.", nil},
		{"A friend of mine has a boat.", nil},
		{"The kids must be bored. It must be the rain.", nil},
		{"A very faint series of braziers.", nil},
		{"He opens the door and takes a step.", nil},
	}
	c := open(t)
	for _, tt := range tests {
		if got := read(t, c, tt.text, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q gives\n  %q, want\n  %q", tt.text, got, tt.want)
		}
	}
}

func TestASecondMentionMakesAnEntity(t *testing.T) {
	got := read(t, open(t), "d", "A visitor asks the night porter.", "A night porter carries a lantern.")
	for _, want := range []string{"entity night porter", "entity visitor", "entity lantern"} {
		if !slices.Contains(got, want) {
			t.Errorf("there is no %q among %q", want, got)
		}
	}
}

func TestACorrectionChangesTheValue(t *testing.T) {
	got := read(t, open(t), "d", "The capacity of a Bin is 40 kg.", "Actually, the capacity of a Bin is 35 kg, not 40.")
	if !slices.Equal(got, []string{"entity Bin", "property Bin capacity 35 kg"}) {
		t.Errorf("there is %q", got)
	}
}
