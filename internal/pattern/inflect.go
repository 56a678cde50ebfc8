package pattern

import (
	_ "embed" // the irregular verbs
	"slices"
	"strings"
	"sync"
)

//go:embed irregular.txt
var irregularTxt string

// irregular is read once; it never changes afterwards.
var irregular = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, line := range strings.Split(irregularTxt, "\n") {
		if forms := strings.Fields(line); len(forms) == 5 && forms[0] != "#" {
			m[forms[0]] = forms
		}
	}
	return m
})

// form is one inflection of a verb (a noun's plural is its third person).
type form struct {
	word string
	// past: the word is a past tense unless an auxiliary stands before it.
	past bool
}

// inflect returns the English inflections of a base form, itself first.
func inflect(base string) []form {
	if f, ok := irregular()[base]; ok {
		out := []form{{f[0], false}, {f[1], false}, {f[2], false}}
		if f[3] != f[0] {
			out = append(out, form{f[3], true})
		}
		if f[4] != f[3] && f[4] != f[0] {
			out = append(out, form{f[4], true})
		}
		if base == "be" {
			out = append(out, form{"are", false}, form{"were", true}, form{"am", false})
		}
		return out
	}
	return []form{{base, false}, {third(base), false}, {doubled(base, "ing"), false}, {doubled(base, "ed"), true}}
}

func third(w string) string {
	switch {
	case strings.HasSuffix(w, "y") && !vowelBefore(w, len(w)-1):
		return w[:len(w)-1] + "ies"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "z"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "o"):
		return w + "es"
	}
	return w + "s"
}

// doubled adds -ing or -ed with the spelling rules: silent e, y to i, a
// short last syllable's consonant doubled.
func doubled(w, end string) string {
	n := len(w)
	switch {
	case n < 2:
		return w + end
	case strings.HasSuffix(w, "ee"), strings.HasSuffix(w, "ye"), strings.HasSuffix(w, "oe"):
		if end == "ed" {
			return w + "d"
		}
	case strings.HasSuffix(w, "e"):
		return w[:n-1] + end
	case end == "ed" && strings.HasSuffix(w, "y") && !vowelBefore(w, n-1):
		return w[:n-1] + "ied"
	case n <= 4 && isConsonant(w[n-1]) && !strings.ContainsRune("wxy", rune(w[n-1])) && isVowel(w[n-2]) && (n < 3 || isConsonant(w[n-3])):
		return w + w[n-1:] + end
	}
	return w + end
}

func vowelBefore(w string, i int) bool { return i > 0 && isVowel(w[i-1]) }
func isVowel(c byte) bool              { return strings.IndexByte("aeiou", c) >= 0 }
func isConsonant(c byte) bool          { return c >= 'a' && c <= 'z' && !isVowel(c) }

// Inflect returns the words that ~base of a phrase stands for, base first.
func Inflect(base string) []string {
	var out []string
	for _, f := range inflect(base) {
		if !slices.Contains(out, f.word) {
			out = append(out, f.word)
		}
	}
	return out
}
