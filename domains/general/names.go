package general

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// determiner is what stands before a name.
type determiner uint8

const (
	bare     determiner = iota
	definite            // "the Order": one that was spoken of
	generic             // "an Order", "every Order": any of them
)

// determiners are the words that tell; quantifiers speak of any.
var determiners = map[string]determiner{
	"the": definite, "its": definite, "their": definite,
	"a": generic, "an": generic, "each": generic, "every": generic, "any": generic, "no": generic, "all": generic,
	"one": generic, "two": generic, "three": generic, "four": generic, "more": generic, "many": generic,
	"several": generic, "multiple": generic, "most": generic, "least": generic, "than": generic, "exactly": generic,
}

// before returns the determiner of the name at span: the nearest one of the
// few words before it, in the same clause.
func before(content string, span sir.Span) determiner {
	rest := content[:span.Start]
	further := 1 // words of the phrase that the name leaves out
	if first, _ := utf8.DecodeRuneInString(content[span.Start:]); unicode.IsUpper(first) || strings.HasSuffix(rest, "'s ") || strings.HasSuffix(rest, "’s ") {
		further = 3
	}
	for range further {
		rest = strings.TrimRight(rest, " \t\n\"“'`‘*")
		start := strings.LastIndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) + 1
		if start < len(rest) && start > 0 {
			_, size := utf8.DecodeRuneInString(rest[start-1:])
			start += max(0, size-1)
		}
		if start >= len(rest) {
			return bare
		}
		word := strings.ToLower(rest[start:])
		if d, ok := determiners[word]; ok {
			return d
		}
		if joins[word] {
			return bare
		}
		rest = rest[:start]
	}
	return bare
}

// joins are words that no name phrase crosses.
var joins = map[string]bool{"and": true, "or": true, "but": true, "so": true, "of": true, "to": true, "in": true, "that": true, "with": true, "only": true}

// marked reports whether a name is marked by its form: quoted, or with a
// capital. After a determiner a capital never stands for a sentence's start.
func marked(content string, span sir.Span) bool {
	return quoted(content, span) || strings.IndexFunc(span.Of(content), unicode.IsUpper) >= 0
}

// quoted reports whether a quotation mark or a back-tick opens before a name.
func quoted(content string, span sir.Span) bool {
	r, _ := utf8.DecodeLastRuneInString(content[:span.Start])
	return strings.ContainsRune("\"'`“‘«", r)
}

// counted reports whether a number other than one stands before a name, or
// begins it.
func counted(content string, span sir.Span) bool {
	first, _, _ := strings.Cut(span.Of(content), " ")
	return isCount(first) || isCount(content[strings.LastIndexByte(strings.TrimRight(content[:span.Start], " "), ' ')+1:span.Start])
}

func isCount(word string) bool {
	w := strings.ToLower(strings.TrimSpace(word))
	return w != "" && w != "one" && w != "a" && w != "an" && (domain.IsNumeral(w) || w[0] >= '0' && w[0] <= '9')
}

// allCapitals reports whether each word of a name begins with a capital and
// it is no acronym: "Library Card".
func allCapitals(name string) bool {
	lower := false
	for _, w := range strings.Fields(name) {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) {
			return false
		}
		lower = lower || strings.IndexFunc(w, unicode.IsLower) >= 0
	}
	return lower
}

// trim leaves the words that only qualify out of a name: "late Loan" is
// about a Loan.
func trim(content string, span sir.Span) sir.Span {
	text := span.Of(content)
	first, _ := utf8.DecodeRuneInString(text)
	if unicode.IsUpper(first) || strings.ContainsAny(text, "\"'`") {
		return span
	}
	for i := 0; ; {
		n := strings.IndexByte(text[i:], ' ')
		if n < 0 {
			return span
		}
		i += n + 1
		if r, _ := utf8.DecodeRuneInString(text[i:]); unicode.IsUpper(r) && allCapitals(text[i:]) {
			return sir.Span{Start: span.Start + i, End: span.End}
		}
	}
}

// frequencies are adverbs that may stand inside a predicate.
var frequencies = map[string]bool{"always": true, "also": true, "often": true, "only": true, "then": true, "still": true, "ever": true, "just": true}

// base puts a predicate in its base form: "belongs to" is "belong to".
func base(verb string) string {
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(verb)), func(w string) bool {
		return frequencies[w] || strings.HasSuffix(w, "ly")
	})
	for i, w := range words {
		switch w {
		case "is", "are":
			words[i] = "be"
			return strings.Join(words, " ")
		case "has":
			words[i] = "have"
			return strings.Join(words, " ")
		}
		if s := domain.Singular(w); s != w {
			words[i] = s
			return strings.Join(words[i:], " ")
		}
	}
	return strings.Join(words, " ")
}
