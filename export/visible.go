package export

import (
	"fmt"
	"strings"
	"unicode"
)

// visible spells out what could rewrite a screen or hide: control characters
// and bidirectional controls become \x1b or \u202e. Line breaks of every kind
// become \n; tabs stay.
func visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && spell(r) != "" }) {
		return s
	}
	var b strings.Builder
	eachVisible(s, func(text, spelled string) {
		b.WriteString(text)
		b.WriteString(spelled)
	})
	return b.String()
}

// eachVisible calls f with stretches of plain text and, apart from them, with
// characters spelled out.
func eachVisible(s string, f func(text, spelled string)) {
	start := 0
	for i, r := range s {
		if i < start { // the second half of \r\n
			continue
		}
		sp := spell(r)
		if sp == "" {
			continue
		}
		if i > start {
			f(s[start:i], "")
		}
		start = i + len(string(r))
		switch {
		case sp != "\n":
			f("", sp)
		case r == '\r' && strings.HasPrefix(s[start:], "\n"):
			start++
			f("\n", "")
		default:
			f("\n", "")
		}
	}
	if start < len(s) {
		f(s[start:], "")
	}
}

// spell is how a character is shown, "" where it is shown as it is, and "\n"
// for what breaks a line.
func spell(r rune) string {
	switch {
	case r >= 0x20 && r < 0x7f || r == '\t':
		return ""
	case r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
		return "\n"
	case unicode.IsControl(r):
		return fmt.Sprintf(`\x%02x`, r)
	case r == '\u061c' || r == '\u200e' || r == '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

// plain is visible on one line.
func plain(s string) string { return visible(oneLine(s)) }

// runeWidth is how many columns a terminal gives a character: 0 for marks
// that combine and for what does not show, 2 for wide scripts and emoji.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || r >= 0xfe00 && r <= 0xfe0f:
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || // Hangul Jamo
		r >= 0x2e80 && r <= 0xa4cf && r != 0x303f || // CJK, kana, Yi
		r >= 0xac00 && r <= 0xd7a3 || // Hangul syllables
		r >= 0xf900 && r <= 0xfaff || // CJK compatibility
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 ||
		r >= 0x1f300 && r <= 0x1faff || // emoji
		r >= 0x20000 && r <= 0x3fffd)
}

// width is the columns that s takes.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}
