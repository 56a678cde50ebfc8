package ground

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// marks are characters that stand for the same mark.
var marks = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '‘': `'`, '’': `'`, '‚': `'`, 'ʼ': `'`, '`': "", '´': `'`, '"': `"`, '\'': `'`, '「': `"`, '」': `"`,
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-", '…': "...", '。': ".", '，': ",", '、': ",", '！': "!", '？': "?", '؟': "?", '،': ",",
	'*': "", '_': "", '~': "", '#': "", '>': "", '→': "->",
}

// foldText is a text as quotes are compared that are the same but for their
// looks: as [fold], without white space and markdown, with one kind of quotes
// and dashes.
func foldText(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKC.String(text) {
		if m, ok := marks[r]; ok {
			b.WriteString(m)
			continue
		}
		if unicode.IsSpace(r) || ignorable(r) {
			continue
		}
		b.WriteString(fold(string(r)))
	}
	return oneSpelling.Replace(plainNumbers(strings.ReplaceAll(b.String(), `"`, `'`)))
}

// plainNumbers takes out the marks between thousands.
func plainNumbers(text string) string {
	if !strings.Contains(text, ",") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == ',' && i > 0 && i+3 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1]) && isDigit(text[i+2]) && isDigit(text[i+3]) {
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}
