package pattern_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
)

// FuzzPhrase compiles any phrase and, where it is one, looks for it in any
// text: it is an [pattern.ErrPhrase] or gives matches within the text.
func FuzzPhrase(f *testing.F) {
	for _, p := range []string{
		"(when|once|as soon as) {event:clause} , [then] [{subject:subject}] ~(go|move) to {to:name}", "{a:name}", "{a:quoted}", "[x]", "~be", "a|b", "(a|b", "{a", "{a:what}",
		"~(", "[[a] b] c", "", " , ", "{a:names} and {b:choice}", "(a b|c) {n:number} {d:duration} {m:amount} {t:date} {w:word} {x:action}", "{a:name} → {b:name}",
	} {
		f.Add(p, "When the user clicks 'Search', it goes to a loading state → ready, A, B and C after 30s.")
	}
	f.Fuzz(func(t *testing.T, phrase, text string) {
		if !utf8.ValidString(text) || len(text) > 2000 || len(phrase) > 300 {
			return
		}
		m, err := pattern.Compile(&domain.Domain{
			ID: "x", Types: []domain.Type{{Name: "thing", Fields: []domain.Field{{Name: "name", Kind: domain.Name}}, Key: []string{"name"}}},
			Rules: []domain.Rule{{ID: "r", Phrases: []string{phrase}}}, Adjuncts: []domain.Rule{{ID: "a", Phrases: []string{phrase}}},
		})
		if err != nil {
			if !errors.Is(err, pattern.ErrPhrase) {
				t.Fatalf("%q: %v", phrase, err)
			}
			return
		}
		x := clause.Annotate(&sir.Turn{Content: text}, clause.Markers{}, nil)
		x.Parse()
		buf := new(pattern.Buffer)
		m.Worth(x.Tokens, buf)
		for _, s := range x.Sentences {
			found, losers := m.Rules(x, s, s.Body, buf)
			check(t, x, append(append(found, losers...), m.Adjuncts(x, s, s.From, s.To, buf)...))
		}
	})
}

func check(t *testing.T, x *clause.Text, found []pattern.Match) {
	t.Helper()
	for i := range found {
		f := &found[i]
		if f.Head > f.From || f.From > f.To || f.To > len(x.Tokens) || f.Head < 0 {
			t.Fatalf("match %+v of %d tokens", f, len(x.Tokens))
		}
		for _, s := range f.Slots {
			for _, p := range s.Parts {
				if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(x.Content) || !utf8.ValidString(p.Span.Of(x.Content)) {
					t.Fatalf("slot %+v in %q", s, x.Content)
				}
			}
		}
	}
}
