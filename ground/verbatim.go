package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// verbatim finds the places where a quote stands byte for byte, at most
// MostOthers and one: those where it begins and ends between words, and those
// of several words where it does not.
func (s *Source) verbatim(quote string) (whole, inside []Place) {
	quote = strings.TrimSpace(quote)
	for i := range s.parts {
		text := s.parts[i].Text
		for from := 0; from+len(quote) <= len(text) && len(whole) <= MostOthers; {
			at := strings.Index(text[from:], quote)
			if at < 0 {
				break
			}
			at += from
			span := sir.Span{Start: at, End: at + len(quote)}
			switch {
			case cuts(text, span):
			case onWords(text, span):
				whole = append(whole, Place{i, span})
			case len(inside) <= MostOthers:
				inside = append(inside, Place{i, span})
			}
			_, size := utf8.DecodeRuneInString(text[at:])
			from = at + max(size, len(quote)) // overlapping repetitions are one
		}
	}
	if !strings.ContainsFunc(quote, unicode.IsSpace) {
		inside = nil // a word that is part of another is not that word
	}
	return whole, inside
}

// cuts reports whether a span cuts a character: its marks belong to it.
func cuts(text string, s sir.Span) bool {
	for _, at := range []int{s.Start, s.End} {
		if at >= len(text) {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[at:]); !utf8.RuneStart(text[at]) || unicode.Is(unicode.M, r) || r == '\u200d' {
			return true
		}
	}
	return false
}

// onWords reports whether a span begins and ends between words.
func onWords(text string, s sir.Span) bool {
	return between(text, s.Start) && between(text, s.End)
}

// between reports whether no word goes on across an offset.
func between(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return at == 0 || at == len(text) || !inWord(before) || !inWord(after) || unspaced(before) || unspaced(after)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// hasWords reports whether there is anything to look for.
func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != utf8.RuneError && inWord(r) })
}

// unspaced reports whether a script writes without spaces between words, so
// that characters count as words do.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
