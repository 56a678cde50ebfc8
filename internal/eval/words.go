package eval

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Names and phrases are compared as score_passages.py compares them.

var (
	dropped = set("the a an state mode phase status")
	loose   = set("the a an is are was were be been being has have of by to in on at for as it its this that")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// unknown reports whether a value says nothing.
func unknown(v any) bool { return v == nil || v == "" }

// text is a value as a word; lists and objects have a form that equals no
// name.
func text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case nil:
		return ""
	case bool: // as Python prints it
		if x {
			return "True"
		}
		return "False"
	}
	return fmt.Sprint(v)
}

// name is a name as it is compared: case-folded, with "-", "_" and space
// equal, without articles and the words state, mode, phase, status; empty for
// none.
func name(v any) string {
	if unknown(v) {
		return ""
	}
	s := cases.Fold().String(norm.NFC.String(text(v)))
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\'' || r == '’' || r == '`':
		case r == '*' || unicode.IsLetter(r) || unicode.IsNumber(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	all := strings.Fields(b.String())
	var kept []string
	for _, w := range all {
		if !dropped[w] {
			kept = append(kept, w)
		}
	}
	if kept == nil {
		kept = all
	}
	return strings.Join(kept, " ")
}

// endings are cut off a word, the first that leaves three letters.
var endings = []string{"ings", "ing", "ies", "ied", "ed", "es", "s"}

// content are the content words of a phrase, lightly stemmed.
func content(v any) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(name(v)) {
		if !loose[w] {
			out[stem(w)] = true
		}
	}
	return out
}

func stem(w string) string {
	for _, end := range endings {
		if strings.HasSuffix(w, end) && letters(w)-len(end) >= 3 {
			w = strings.TrimSuffix(w, end)
			if end == "ies" || end == "ied" {
				w += "y"
			}
			break
		}
	}
	if letters(w) > 4 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func letters(s string) int { return len([]rune(s)) }

// alike: both unknown, or half of the content words shared.
func alike(a, b any) bool {
	if unknown(a) || unknown(b) {
		return unknown(a) && unknown(b)
	}
	x, y := content(a), content(b)
	if len(x) == 0 || len(y) == 0 {
		return name(a) == name(b)
	}
	return 4*shared(x, y) >= len(x)+len(y)
}

func shared(x, y map[string]bool) int {
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	return n
}

// singular is a name with the plurals of its words folded.
func singular(v any) string {
	words := strings.Fields(name(v))
	for i, w := range words {
		switch {
		case letters(w) > 4 && strings.HasSuffix(w, "ies"):
			w = strings.TrimSuffix(w, "ies") + "y"
		case letters(w) > 4 && (strings.HasSuffix(w, "ses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
			w = strings.TrimSuffix(w, "es")
		case letters(w) > 2 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
			w = strings.TrimSuffix(w, "s")
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}
