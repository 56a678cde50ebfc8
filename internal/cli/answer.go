package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
)

// answer is `speckl answer`.
func (a *app) answer() *cobra.Command {
	return a.act(actUsage{
		"answer DOC NUMBER OPTION", "Answer a question with one of its options",
		"Answer an open question, by its number, with one of its options, counted from 1. What is\nchosen is confirmed; speckl inbox lists both.",
		"answer --db talks.db checkout 3 2",
	}, 3, 3, func(t *deed, args []string) error {
		t.Kind = speckl.Answer
		var err error
		if t.Question, err = number("question", args[0]); err != nil {
			return err
		}
		t.Option, err = number("option", args[1])
		return err
	})
}

// number reads a number that counts from 1.
func number(what, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usagef("%s %q: want its number, from 1; speckl inbox lists them", what, text)
	}
	return n, nil
}
