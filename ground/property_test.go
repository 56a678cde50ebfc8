package ground_test

import (
	"strings"
	"testing"
	"time"
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
		if m.Kind == ground.Verbatim && got != strings.TrimSpace(quote) {
			t.Fatalf("%q in %q: %q", quote, text, got)
		}
		ground.Unsupported(quote, []string{text})
	})
}

// TestHostile: sources and quotes that are made to cost much end.
func TestHostile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("the end of the week ", 20000)
	for name, c := range map[string][2]string{
		"one word":       {strings.Repeat("spam ", 200000), strings.Repeat("spam ", 10000) + "eggs"},
		"one character":  {strings.Repeat("a", 1<<20), strings.Repeat("a", 1<<19) + "b"},
		"a frame":        {long, "the end of really week the end"},
		"a long quote":   {long, strings.Repeat("the end of the month ", 5000)},
		"a huge quote":   {"short", strings.Repeat("word ", 200000)},
		"marks":          {strings.Repeat("\u0301", 1<<18), "a"},
		"one character ": {strings.Repeat("不", 1<<18), strings.Repeat("不", 1000) + "是"},
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			ground.New(ground.Part{Text: c[0]}).Find(ground.Quote{Text: c[1]})
		}()
		select {
		case <-done:
		case <-time.After(time.Minute): // it would be hours
			t.Fatalf("%s: it does not end", name)
		}
	}
}
