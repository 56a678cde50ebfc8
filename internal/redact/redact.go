package redact

import "strings"

// Kind is what a private value is.
type Kind string

// The kinds.
const (
	Email      Kind = "email"
	Phone      Kind = "phone"
	IBAN       Kind = "iban"
	Card       Kind = "card"       // of a bank
	Key        Kind = "key"        // a key or token that is known by its shape
	Credential Kind = "credential" // a secret that is known by what stands beside it
)

// kinds are all of them with the names of their placeholders. Where two
// overlap, the one that comes first names the whole.
var kinds = []struct {
	kind Kind
	name string
}{{Key, "KEY"}, {Credential, "SECRET"}, {Email, "EMAIL"}, {IBAN, "IBAN"}, {Card, "CARD"}, {Phone, "PHONE"}}

// rank is a kind's place among kinds.
func (k Kind) rank() int {
	for i := range kinds {
		if kinds[i].kind == k {
			return i
		}
	}
	return len(kinds)
}

// Private is a private value in a text.
type Private struct {
	Kind Kind
	// Start and End are byte offsets, on the bounds of characters.
	Start, End int
}

// Find returns the private values of a text, in order and apart.
func Find(text string) []Private {
	return find(text, nil)
}

// Strip replaces each private value of a text by its kind, as in "[EMAIL]".
// What is gone can't be put back.
func Strip(text string) string {
	return replace(text, Find(text), func(p Private) string { return "[" + kinds[p.Kind.rank()].name + "]" })
}

// replace replaces spans of a text.
func replace(text string, spans []Private, with func(Private) string) string {
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, p := range spans {
		b.WriteString(text[at:p.Start])
		b.WriteString(with(p))
		at = p.End
	}
	b.WriteString(text[at:])
	return b.String()
}
