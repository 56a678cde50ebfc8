package speckl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// found reads turns as a conversation whose domains nobody named.
func found(t *testing.T, turns ...sir.Turn) (ids []string, d sir.Detection) {
	t.Helper()
	c, err := speckl.Open(speckl.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ingest(t.Context(), docName, inOrder(turns), speckl.IngestOptions{
		OnDetect: func(i []string, x sir.Detection) { ids, d = i, x },
	}); err != nil {
		t.Fatal(err)
	}
	doc, err := c.Document(t.Context(), docName)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "kept in the document", doc.Header.Metadata.Detection, &d)
	same(t, "the document's domains", doc.Header.Domains, ids)
	same(t, "stats", doc.Stats.DomainConfidence, d.Confidence)
	return ids, d
}

func inOrder(turns []sir.Turn) func(func(sir.Turn, error) bool) {
	return func(yield func(sir.Turn, error) bool) {
		for _, turn := range turns {
			if !yield(turn, nil) {
				return
			}
		}
	}
}

func TestDetection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		turns  []sir.Turn
		domain string
		score  sir.Points // of state-machine
	}{
		{"chatter is general", []sir.Turn{ann("hello"), ben("lunch?")}, "general", 0},
		{"a marker is five points", []sir.Turn{ann("state: foo")}, "state-machine", 50},
		{"a marker counts once a turn", []sir.Turn{ann("event: A\nevent: B")}, "state-machine", 50},
		{"a marker counts in each turn", []sir.Turn{ann("event: A"), ann("event: B")}, "state-machine", 100},
		{"a pattern is two points, not enough", []sir.Turn{ann("open becomes the \"Ajar\" one")}, "general", 20},
		{"a keyword is half a point", []sir.Turn{ann("idle talk about guards at the transition")}, "general", 10},
		{"a keyword counts once a turn", []sir.Turn{ann("idle idle idle idle idle idle idle idle")}, "general", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ids, d := found(t, c.turns...)
			same(t, "domains", ids, []string{c.domain})
			same(t, "domain", d.Domain, c.domain)
			if c.score >= 0 {
				same(t, "score", d.Scores["state-machine"], c.score)
			}
			want := sir.Confidence(3000)
			if c.domain != "general" {
				want = min(sir.Confidence(d.Scores[c.domain])*50, sir.Certain)
			}
			same(t, "confidence", d.Confidence, want)
		})
	}
}

func TestDetectionIsByTheBestWindow(t *testing.T) {
	t.Parallel()
	// thirty keywords, one a turn: a window of twenty holds ten points
	var turns []sir.Turn
	for range 30 {
		turns = append(turns, ann("so idle today"))
	}
	_, d := found(t, turns...)
	same(t, "score", d.Scores["state-machine"], 100)

	// a marker among much chatter counts as much as alone
	turns = nil
	for range 60 {
		turns = append(turns, ben("hm"))
	}
	turns = append(turns, ann("event: GO"))
	ids, d := found(t, turns...)
	same(t, "score", d.Scores["state-machine"], 50)
	same(t, "domains", ids, []string{"state-machine"})

	// beyond the first 200 turns nobody looks
	turns = slices.Repeat([]sir.Turn{ben("hm")}, 200)
	ids, _ = found(t, append(turns, ann("event: GO"))...)
	same(t, "domains", ids, []string{"general"})
}

func TestDetectionReachesItsCeiling(t *testing.T) {
	t.Parallel()
	_, d := found(t, ann("spec: state a {}\nstate: b\ntransition: a -> b on GO\nevent: GO\nguard: x\nconstraint: no transition from b to any state"))
	same(t, "confidence", d.Confidence, sir.Certain)
}

// likes is a second domain, in which people like things.
func likes(t *testing.T, id string) *domain.Domain {
	t.Helper()
	d, err := domain.Load(id+".yaml", []byte(`
id: `+id+`
name: Likes
types: [{name: like, fields: [{name: what, kind: name}], key: [what]}]
markers: [{prefix: "like:", type: like}]
keywords: [adore]
patterns: [{id: likes, phrase: "i adore {what:name}", gives: "like { what }", base: 0.70}]
`))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// withLikes is a document of these domains, state machines and likes.
func withLikes(t *testing.T, domains ...string) *talk {
	t.Helper()
	memory := store.NewMemory(store.Config{})
	c, err := speckl.Open(speckl.Config{Store: memory, Domains: []*domain.Domain{mustDomain(t, "state-machine"), likes(t, "likes")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(t.Context(), docName, domains...); err != nil {
		t.Fatal(err)
	}
	return &talk{t: t, client: c, store: memory, name: docName}
}

func TestTwoDomainsAtOnce(t *testing.T) {
	t.Parallel()
	d := withLikes(t, "state-machine", "likes")
	d.say(ann("idle is the starting state, and I adore Istanbul."))
	d.wants(
		"like what=Istanbul | 0.7 proposed v1 needsReview tentative",
		"state isInitial name=idle | 0.55 proposed v1 needsReview tentative")
	same(t, "results", len(d.results), 2)
	same(t, "domains", []string{d.results[0].Metadata.Domain, d.results[1].Metadata.Domain}, []string{"state-machine", "likes"})
	same(t, "version: one a turn and domain", d.document().Header.Version, 2)
	d.say(ann("I adore rain."))
	same(t, "stated in one domain only", len(d.results[2].Added), 0)
}

func TestARetractionIsOfTheLastTurnInWhateverDomain(t *testing.T) {
	t.Parallel()
	d := withLikes(t, "state-machine", "likes")
	d.say(ann("idle is the starting state"))
	d.say(ann("I adore rain."))
	d.say(ann("Scratch that."))
	for _, e := range d.document().Elements {
		same(t, describe(e), e.Status == sir.Deprecated, e.Data["what"] == "rain")
	}
}

func TestACorrectionKeepsToItsDomain(t *testing.T) {
	t.Parallel()
	d := withLikes(t, "likes", "state-machine")
	d.say(ann("the idle state has a timeout of 30s"))
	d.say(ann("I adore rain."))
	d.say(ann("Actually, make that 60 seconds."))
	same(t, "timeout", d.one("state idle").Data["timeout"], any("60 seconds"))
}

func TestSecondDomainsNeedSixPointsAndHalfOfTheBest(t *testing.T) {
	t.Parallel()
	machine := mustDomain(t, "state-machine")
	for _, c := range []struct {
		turns []sir.Turn
		want  string
	}{
		{[]sir.Turn{ann("event: GO\nlike: tea")}, "state-machine"}, // a tie; 5 each is not 6
		{[]sir.Turn{ann("event: GO"), ann("like: tea\nI adore rain.")}, "likes"},
		{[]sir.Turn{ann("event: A"), ann("event: B"), ann("like: tea\nI adore rain.")}, "state-machine likes"},
		{[]sir.Turn{ann("event: A"), ann("event: B"), ann("event: C"), ann("event: D"), ann("like: tea\nI adore rain.")}, "state-machine"},
	} {
		cl, err := speckl.Open(speckl.Config{Domains: []*domain.Domain{machine, likes(t, "likes")}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if _, err := cl.Ingest(t.Context(), docName, inOrder(c.turns), speckl.IngestOptions{
			OnDetect: func(ids []string, _ sir.Detection) { got = ids },
		}); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint(len(c.turns), " turns"), strings.Join(got, " "), c.want)
	}
}

func TestADomainThatOnlyANameOpensIsNeverDetected(t *testing.T) {
	t.Parallel()
	byName := likes(t, "likes")
	byName.ByNameOnly = true
	c, err := speckl.Open(speckl.Config{Domains: []*domain.Domain{byName, mustDomain(t, "general")}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if _, err := c.Ingest(t.Context(), docName, inOrder([]sir.Turn{ann("like: tea"), ann("like: coffee")}), speckl.IngestOptions{
		OnDetect: func(ids []string, _ sir.Detection) { got = ids },
	}); err != nil {
		t.Fatal(err)
	}
	same(t, "domains", got, []string{"general"})
}

func TestTurnsPostedSinglyNeedADocument(t *testing.T) {
	t.Parallel()
	turn := ann("state: idle")
	if _, err := opened(t).Post(t.Context(), "nowhere", turn, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("post to no document: %v", err)
	}
	if err := opened(t).Create(t.Context(), "x"); !errors.Is(err, speckl.ErrNoDomain) {
		t.Errorf("create without domains: %v", err)
	}
	if err := opened(t).Create(t.Context(), "x", "state-machin"); !errors.Is(err, domain.ErrUnknown) || !strings.Contains(err.Error(), "state-machine") {
		t.Errorf("create with an unknown domain: %v", err)
	}
}

func TestAnAnswerIsForTheDomainThatAsked(t *testing.T) {
	t.Parallel()
	for _, domains := range [][]string{{"state-machine", "likes"}, {"likes", "state-machine"}} {
		d := withLikes(t, domains...)
		d.asks(ann("I adore rain. When the user logs in, go to the main screen."))
		d.asks(ann("The event, and I adore snow."))
		same(t, "answered", d.one("transition *->main screen").Status, sir.Confirmed)
		for _, e := range d.document().Elements {
			if e.Data["what"] == "snow" {
				t.Errorf("an answer gives no element itself: %s", describe(e))
			}
		}
	}
}

func TestWordsThatAreNoTextAreRefused(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"\xff", "state: \x00"} {
		d := machines(t)
		if _, err := d.client.Post(t.Context(), d.name, ann(words), ""); err == nil {
			t.Errorf("%q is taken", words)
		}
		d.wants()
	}
}

func opened(t *testing.T) *speckl.Client {
	t.Helper()
	c, err := speckl.Open(speckl.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustDomain(t *testing.T, id string) *domain.Domain {
	t.Helper()
	d, err := opened(t).Domain(id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
