package syntax

import (
	"slices"
	"strings"
	"unicode"

	"github.com/speckl/speckl/sir"
)

// readConstraint takes the kind, the event and the state out of a
// constraint's text where its words say them; what a body gave stays, and the
// text stays whole.
//
//	no transition from shutdown to any state    forbid, shutdown
//	forbid CANCEL in shipping                   forbid, CANCEL, shipping
//	the door must stay closed                   require
func (b *builder) readConstraint() {
	i := slices.IndexFunc(b.fields, func(f Field) bool { return f.Name == "text" })
	text := b.fields[i]
	v := text.Value.(string)
	for _, f := range derive(v) {
		if b.has(f.Name) {
			continue
		}
		if text.Span.Of(b.p.text) == v {
			f.Span = sir.Span{Start: text.Span.Start + f.Span.Start, End: text.Span.Start + f.Span.End}
		} else { // written with escapes: the words have no place of their own
			f.Span = text.Span
		}
		b.fields = append(b.fields, f)
	}
}

// derive lists the fields that the words of a constraint's text say, with
// spans in it.
func derive(text string) []Field {
	w := wordSpans(text)
	fold := make([]string, len(w))
	for i, s := range w {
		fold[i] = strings.ToLower(strings.TrimRight(s.Of(text), ".,:;"))
	}
	if len(w) == 0 {
		return nil
	}
	var out []Field
	if kind, s := constraintKind(fold, w); kind != "" {
		out = append(out, Field{Name: "kind", Value: kind, Span: s})
	}
	if s, ok := sourceOf(fold, w); ok {
		return append(out, derived("state", text, s))
	}
	if !slices.Contains(constraintKinds, fold[0]) {
		return out
	}
	i := 1
	if i < len(w) && fold[i] == "event" {
		i++
	}
	if i+1 >= len(w) || !slices.Contains([]string{"in", "while", "during"}, fold[i+1]) || !identifier(w[i].Of(text)) {
		return out
	}
	if s, ok := stateIn(fold[i+2:], w[i+2:]); ok {
		out = append(out, derived("event", text, w[i]), derived("state", text, s))
	}
	return out
}

// derived is a field with the words of the span, without a full stop after
// and quotes around them.
func derived(name, text string, s sir.Span) Field {
	v := s.Of(text)
	if t := strings.TrimRight(v, ".,:;"); t != "" {
		v = t
	}
	s.End = s.Start + len(v)
	if n := len(v); n > 2 && v[0] == v[n-1] && strings.IndexByte("\"'`", v[0]) >= 0 {
		s, v = sir.Span{Start: s.Start + 1, End: s.End - 1}, v[1:n-1]
	}
	return Field{Name: name, Value: v, Span: s}
}

func constraintKind(fold []string, w []sir.Span) (string, sir.Span) {
	switch {
	case slices.Contains(constraintKinds, fold[0]):
		return fold[0], w[0]
	case fold[0] == "no" || fold[0] == "never":
		return "forbid", w[0]
	}
	for i, s := range fold {
		switch s {
		case "cannot", "can't", "mustn't", "can’t", "mustn’t":
			return "forbid", w[i]
		case "must", "shall":
			if i+1 < len(fold) && (fold[i+1] == "not" || fold[i+1] == "never") {
				return "forbid", sir.Span{Start: w[i].Start, End: w[i+1].End}
			}
			return "require", w[i]
		case "may", "can":
			if i+1 < len(fold) && fold[i+1] == "not" {
				return "forbid", sir.Span{Start: w[i].Start, End: w[i+1].End}
			}
		}
	}
	return "", sir.Span{}
}

// sourceOf is X in "transition[s] from X to …".
func sourceOf(fold []string, w []sir.Span) (sir.Span, bool) {
	for i := 0; i+2 < len(fold); i++ {
		if (fold[i] == "transition" || fold[i] == "transitions") && fold[i+1] == "from" {
			end := slices.IndexFunc(fold[i+2:], func(s string) bool { return s == "to" || s == "on" || s == "when" })
			if end < 0 {
				end = len(fold) - i - 2
			}
			return stateIn(fold[i+2:i+2+end], w[i+2:i+2+end])
		}
	}
	return sir.Span{}, false
}

// stateIn is a state's name: up to four words, without a determiner before
// and the word state after; "any state" names none.
func stateIn(fold []string, w []sir.Span) (sir.Span, bool) {
	if len(fold) > 1 && slices.Contains([]string{"the", "a", "an"}, fold[0]) {
		fold, w = fold[1:], w[1:]
	}
	if n := len(fold); n > 1 && fold[n-1] == "state" && !quantified(fold[0]) {
		fold, w = fold[:n-1], w[:n-1]
	}
	if len(w) == 0 || len(w) > 4 || quantified(fold[0]) {
		return sir.Span{}, false
	}
	return sir.Span{Start: w[0].Start, End: w[len(w)-1].End}, true
}

func quantified(s string) bool {
	return slices.Contains([]string{"any", "every", "all", "each", "no", "either", "both"}, s)
}

// identifier reports whether a word is one: quoted, UPPER or CamelCase.
func identifier(s string) bool {
	if strings.ContainsRune("\"'`", rune(s[0])) {
		return true
	}
	upper, lower, hump := 0, 0, false
	for i, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
			hump = hump || (i > 0 && lower > 0)
		case unicode.IsLower(r):
			lower++
		case r != '_' && r != '-' && !unicode.IsDigit(r):
			return false
		}
	}
	return upper > 1 && lower == 0 || hump
}

// wordSpans cuts a text at white space; a quotation is one word.
func wordSpans(text string) []sir.Span {
	var out []sir.Span
	start, quote := -1, rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case unicode.IsSpace(r):
			if start >= 0 {
				out, start = append(out, sir.Span{Start: start, End: i}), -1
			}
		case start < 0:
			if start = i; r == '"' || r == '`' {
				quote = r
			}
		}
	}
	if start >= 0 {
		out = append(out, sir.Span{Start: start, End: len(text)})
	}
	return out
}
