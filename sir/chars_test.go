package sir_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

func TestCharCounter(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a é 不 👍🏽 ", 700)
	var c sir.CharCounter
	for _, at := range []int{0, 1023, len(text), 1024, 5, 2048, 4097} {
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
		if got, want := c.Before(text, at), utf8.RuneCountInString(text[:at]); got != want {
			t.Errorf("before %d: %d, want %d", at, got, want)
		}
	}
}
