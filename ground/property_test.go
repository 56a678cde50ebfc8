package ground_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/speckl/speckl/ground"
)

// wordsOf are the words of retro with the offsets of each.
func wordsOf(text string) (starts, ends []int) {
	at := 0
	for _, w := range strings.Fields(text) {
		at += strings.Index(text[at:], w)
		starts, ends = append(starts, at), append(ends, at+len(w))
		at += len(w)
	}
	return starts, ends
}

// TestSubstrings: whatever is cut from a text between words is found there,
// byte for byte.
func TestSubstrings(t *testing.T) {
	t.Parallel()
	source := ground.New(ground.Part{Text: retro})
	starts, ends := wordsOf(retro)
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(starts)-1).Draw(t, "from")
		j := rapid.IntRange(i, min(i+25, len(starts)-1)).Draw(t, "to")
		quote := retro[starts[i]:ends[j]]
		m := source.Find(ground.Quote{Text: quote})
		if strings.ContainsFunc(quote, func(r rune) bool { return r > '9' }) && (m.Kind != ground.Verbatim || m.Span.Of(retro) != quote) {
			t.Fatalf("%q: %+v", quote, m)
		}
	})
}

// TestFolded: a text that only looks otherwise is found as it stands.
func TestFolded(t *testing.T) {
	t.Parallel()
	source := ground.New(ground.Part{Text: retro})
	starts, ends := wordsOf(retro)
	looks := []func(string) string{
		strings.ToUpper,
		func(s string) string { return strings.ReplaceAll(s, " ", "\n\t ") },
		func(s string) string { return strings.ReplaceAll(s, "e", "e\u200b") },
		func(s string) string {
			return strings.NewReplacer("“", `"`, "”", `"`, "'", "’", "–", "-").Replace(s)
		},
		func(s string) string { return "**" + s + "**" },
		func(s string) string {
			return strings.Map(func(r rune) rune {
				if 'a' <= r && r <= 'z' {
					return r - 'a' + 'ａ'
				}
				return r
			}, s)
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(starts)-4).Draw(t, "from")
		j := rapid.IntRange(i+3, min(i+20, len(starts)-1)).Draw(t, "to")
		quote := retro[starts[i]:ends[j]]
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(looks)-1), 1, 3).Draw(t, "looks") {
			quote = looks[n](quote)
		}
		m := source.Find(ground.Quote{Text: quote})
		if m.Kind != ground.Normalized && m.Kind != ground.Verbatim {
			t.Fatalf("%q: %+v", quote, m)
		}
	})
}

// TestNotIsNeverLost: a quote from which a negation was taken, or into which
// one was put, is no evidence.
func TestNotIsNeverLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"the", "build", "agent", "uploads", "logs", "to", "a", "bucket", "every", "night", "and", "keeps", "them", "safely", "there"})
		words := rapid.SliceOfNDistinct(word, 4, 14, rapid.ID).Draw(t, "words")
		at := rapid.IntRange(1, len(words)-2).Draw(t, "at")
		no := rapid.SampledFrom([]string{"not", "never", "without", "cannot", "no"}).Draw(t, "no")
		plain := strings.Join(words, " ")
		denied := strings.Join(words[:at], " ") + " " + no + " " + strings.Join(words[at:], " ")
		for _, pair := range [][2]string{{plain, denied}, {denied, plain}} {
			m := ground.New(ground.Part{Text: pair[0]}).Find(ground.Quote{Text: pair[1]})
			if m.Kind.Accepted() {
				t.Fatalf("%q in %q: %+v", pair[1], pair[0], m)
			}
		}
	})
}

// FuzzFind: a span is always a stretch of whole characters of its part, a
// verbatim one the quote itself, and nothing takes for ever.
func FuzzFind(f *testing.F) {
	for _, s := range [][2]string{{retro, "the worker dies"}, {"aaaa aaaa aaaa", "aaaa aaaa"}, {"不不不", "不"}, {"e\u0301e\u0301", "e"}, {"\xff\xfe", "\xff"}, {"a", ""}, {"can't won't it's", "can not"}, {"1,000.5 1,00", "1000.5"}, {"👍🏽 ok", "👍"}, {"'s 's n't", "not"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, text, quote string) {
		m := ground.New(ground.Part{Text: text}, ground.Part{Text: "second"}).Find(ground.Quote{Text: quote})
		if m.Kind == ground.None {
			return
		}
		part := []string{text, "second"}[m.Part]
		if m.Span.Start < 0 || m.Span.End <= m.Span.Start || m.Span.End > len(part) {
			t.Fatalf("%q in %q: %+v", quote, text, m)
		}
		got := m.Span.Of(part)
		if utf8.ValidString(part) && !utf8.ValidString(got) {
			t.Fatalf("%q in %q: %q cuts a character", quote, text, got)
		}
		ground.Unsupported(quote, []string{text})
		if m.Kind == ground.Verbatim && got != strings.TrimSpace(quote) {
			t.Fatalf("%q in %q: %q", quote, text, got)
		}

	})
}

// TestHostile: sources and quotes that are made to cost much come to an end,
// within the time that a test has.
func TestHostile(t *testing.T) {
	t.Parallel()
	frame := strings.Repeat("the end of the week ", 20000)
	lines := strings.Repeat("The cache expires after ten minutes.\n", 100000)
	for name, c := range map[string]struct {
		source, quote string
		kind          ground.Kind
	}{
		"one word":          {strings.Repeat("spam ", 200000), strings.Repeat("spam ", 10000) + "eggs", ground.None},
		"one word, there":   {strings.Repeat("spam ", 200000), strings.Repeat("spam ", 10000) + "spam", ground.Verbatim},
		"one word, other":   {strings.Repeat("spam ", 200000), strings.Repeat("SPAM ", 10000) + "spam", ground.Normalized},
		"one word, few":     {strings.Repeat("spam ", 200000), strings.Repeat("spam ", 100) + "eggs", ground.Altered},
		"one letter":        {strings.Repeat("a", 1<<20), strings.Repeat("a", 1<<19) + "b", ground.None},
		"a frame":           {frame, "the end of really week the end", ground.Altered},
		"a long quote":      {frame, strings.Repeat("the end of the month ", 5000), ground.None},
		"a huge quote":      {"short", strings.Repeat("word ", 200000), ground.None},
		"a huge word":       {"short", strings.Repeat("w", 1<<20), ground.None},
		"lines, there":      {lines, "the cache expires after ten minutes", ground.Normalized},
		"lines, a slip":     {lines, "the cache really expires after ten minutes", ground.Approximate},
		"lines, altered":    {lines, "the cache expires after two minutes", ground.Altered},
		"lines, not there":  {lines, "the board met in Lisbon on a rainy day", ground.None},
		"a stop word":       {frame, "the", ground.Verbatim},
		"pairs":             {strings.Repeat("a b a b b a ", 50000), strings.Repeat("a b b a a b ", 300) + "c", ground.None},
		"marks that join":   {strings.Repeat("\u0301", 1<<18), "a", ground.None},
		"brackets":          {strings.Repeat("[", 1<<18), "a", ground.None},
		"dashes":            {strings.Repeat("-", 1<<18) + " a b", "a b", ground.Verbatim},
		"a script's letter": {strings.Repeat("不", 1<<18), strings.Repeat("不", 1000) + "是", ground.None},
		"no UTF-8":          {"\xff\xfe a cache \xff expires", "a cache", ground.Verbatim},
		"no UTF-8, quote":   {"a cache expires", "a \xff cache", ground.Approximate},
		"digits":            {strings.Repeat("7", 1<<18), strings.Repeat("7", 1<<17), ground.None},
	} {
		if m := ground.New(ground.Part{Text: c.source}).Find(ground.Quote{Text: c.quote}); m.Kind != c.kind {
			t.Errorf("%s: %s %+v, want %s", name, m.Kind, m.Place, c.kind)
		}
	}
}

// TestFindAllIsFind: what a quote is does not depend on the others, and where
// it stands is one of the places where it stands by itself.
func TestFindAllIsFind(t *testing.T) {
	t.Parallel()
	source := ground.New(ground.Part{ID: "a", Text: retro}, ground.Part{ID: "b", Speaker: "Tom", Text: retro})
	starts, ends := wordsOf(retro)
	rapid.Check(t, func(t *rapid.T) {
		var quotes []ground.Quote
		for range rapid.IntRange(1, 12).Draw(t, "quotes") {
			i := rapid.IntRange(0, len(starts)-1).Draw(t, "from")
			j := rapid.IntRange(i, min(i+8, len(starts)-1)).Draw(t, "to")
			q := ground.Quote{Text: retro[starts[i]:ends[j]]}
			q.Hint.Part = rapid.SampledFrom([]string{"", "", "a", "b", "c"}).Draw(t, "part")
			quotes = append(quotes, q)
		}
		for i, m := range source.FindAll(quotes) {
			alone := source.Find(quotes[i])
			if m.Kind != alone.Kind {
				t.Fatalf("%q: %s, alone %s", quotes[i].Text, m.Kind, alone.Kind)
			}
			if m.Kind != ground.None && m.Place != alone.Place && !slices.Contains(alone.Others, m.Place) && len(alone.Others) < ground.MaxPlaces {
				t.Fatalf("%q: %+v is not among %+v", quotes[i].Text, m.Place, alone)
			}
			if p := quotes[i].Hint.Part; m.Kind == ground.Verbatim && (p == "a" || p == "b") && source.Parts()[m.Part].ID != p {
				t.Fatalf("%q: in part %s, hint %s", quotes[i].Text, source.Parts()[m.Part].ID, p)
			}
		}
	})
}
