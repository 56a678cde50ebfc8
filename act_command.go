package speckl

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// command is the act as a command, without the document's name: what stands
// in its turn where the caller gives no command.
func (a *Act) command() string {
	words := []string{string(a.Kind)}
	switch a.Kind {
	case Answer:
		words = append(words, strconv.Itoa(a.Question), strconv.Itoa(a.Option))
	case Rename:
		words = append(words, word(strings.TrimSpace(a.Name)))
	case Undo:
	default:
		words = append(words, a.Elements...)
	}
	switch a.Kind {
	case Resolve:
		words = append(words, strconv.Itoa(a.Option))
	case Correct:
		words = append(words, assignments(a.Data)...)
	case Split:
		for i, p := range a.Parts {
			if i > 0 {
				words = append(words, "--and")
			}
			words = append(words, assignments(p)...)
		}
	}
	if a.Reason != "" {
		words = append(words, "--reason", word(a.Reason))
	}
	return strings.Join(words, " ")
}

// assignments are fields as "name=value", by name.
func assignments(data map[string]any) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(data)) {
		value, ok := data[name].(string)
		if !ok {
			raw, err := json.Marshal(data[name])
			if value = string(raw); err != nil {
				value = fmt.Sprint(data[name])
			}
		}
		out = append(out, name+"="+word(value))
	}
	return out
}

// word quotes what is more than one word.
func word(text string) string {
	if text == "" || strings.ContainsAny(text, " \t\r\n\"'\\") {
		return strconv.Quote(text)
	}
	return text
}
