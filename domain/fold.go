package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Words splits a text into folded words: lower case, composed (NFC), with
// "-", "_" and spaces equal and CamelCase cut. "MAIN_SCREEN", "main-screen"
// and "MainScreen" all give "main", "screen". "*" is a word of its own.
func Words(text string) []string {
	if isSimple(text) {
		return []string{text}
	}
	text = apostrophes.Replace(norm.NFC.String(text))
	var words []string
	start, prev := -1, rune(0)
	flush := func(end int) {
		if start >= 0 && end > start {
			words = append(words, strings.ToLower(text[start:end]))
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if start >= 0 && unicode.IsUpper(r) && unicode.IsLower(prev) {
				flush(i)
			}
			if start < 0 {
				start = i
			}
		case r == '*':
			flush(i)
			words = append(words, "*")
		default:
			flush(i)
		}
		prev = r
	}
	flush(len(text))
	return words
}

// apostrophes are no part of a folded word.
var apostrophes = strings.NewReplacer("'", "", "’", "")

// isSimple reports whether text is one word that is already folded.
func isSimple(text string) bool {
	if text == "" {
		return false
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

var articles = map[string]bool{"the": true, "a": true, "an": true}

// FoldName is the key of a name: its words without articles and the
// lexicon's cue nouns, joined by spaces. A name that is nothing else keeps
// its words.
func (l *Lexicon) FoldName(name string) string {
	words := Words(name)
	kept := make([]string, 0, len(words))
	for _, w := range words {
		if !articles[w] && !l.isCue(w) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		kept = words
	}
	if n := len(kept); l.Plurals && n > 0 {
		kept[n-1] = Singular(kept[n-1])
	}
	return strings.Join(kept, " ")
}

func (l *Lexicon) isCue(word string) bool {
	for _, c := range l.CueNouns {
		if c == word {
			return true
		}
	}
	return false
}

// Singular cuts the ending of an English plural, or of a verb's third person.
func Singular(w string) string {
	if len(w) < 4 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "zzes"), strings.HasSuffix(w, "oes"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

// FoldText is a text as it is compared: its folded words joined by spaces.
func FoldText(text string) string { return strings.Join(Words(text), " ") }

// FoldLabel is a label as it is compared: its quoted, back-ticked, UPPER or
// CamelCase token, else its content words without their commonest endings.
func FoldLabel(label string) string {
	if mark := MarkedToken(label); mark != "" {
		return FoldText(mark)
	}
	words := Words(label)
	kept := make([]string, 0, len(words))
	for _, w := range words {
		if !empty[w] {
			kept = append(kept, stem(w))
		}
	}
	if len(kept) == 0 {
		kept = words
	}
	return strings.Join(kept, " ")
}

// ContentWords are the folded words of a text without those that tell nothing
// apart and without their commonest endings.
func ContentWords(text string) []string {
	var out []string
	for _, w := range Words(text) {
		if !empty[w] {
			out = append(out, stem(w))
		}
	}
	return out
}

// empty are words that tell no two labels apart.
var empty = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("the a an is are was were be been being has have had of by to in on at for as it its this that these those his her their our your my user") {
		m[w] = true
	}
	return m
}()

// stem cuts the commonest English endings, so that "clicks" and "click" are
// one word.
func stem(w string) string {
	for _, end := range [...]string{"ies", "ing", "ed", "es", "s"} {
		if root, ok := strings.CutSuffix(w, end); ok && len(root) >= 3 && !(end == "s" && strings.HasSuffix(root, "s")) {
			if end == "ies" {
				return root + "y"
			}
			return strings.TrimSuffix(root, "e")
		}
	}
	if len(w) > 3 {
		return strings.TrimSuffix(w, "e")
	}
	return w
}

// MarkedToken returns the one token of a label that is quoted, in
// back-ticks, UPPER_CASE or CamelCase, or "" where there is none or several.
func MarkedToken(label string) string {
	if q := quotedPart(label); q != "" {
		return q
	}
	found := ""
	for _, w := range strings.FieldsFunc(label, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:()[]!?", r) }) {
		if !isIdentifier(w) {
			continue
		}
		if found != "" {
			return ""
		}
		found = w
	}
	return found
}

func quotedPart(s string) string {
	for _, pair := range [...][2]string{{"'", "'"}, {"\"", "\""}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}} {
		i := strings.Index(s, pair[0])
		if i < 0 || i > 0 && isLetterBefore(s[:i]) {
			continue
		}
		rest := s[i+len(pair[0]):]
		if j := strings.Index(rest, pair[1]); j > 0 {
			return rest[:j]
		}
	}
	return ""
}

func isLetterBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// isIdentifier reports whether a word is UPPER_CASE (two letters at least)
// or CamelCase.
func isIdentifier(w string) bool {
	letters, upper, camel := 0, 0, false
	prev := rune(0)
	for _, r := range w {
		if unicode.IsLetter(r) {
			letters++
			if unicode.IsUpper(r) {
				upper++
				camel = camel || unicode.IsLower(prev)
			}
		}
		prev = r
	}
	return letters >= 2 && (upper == letters || camel)
}
