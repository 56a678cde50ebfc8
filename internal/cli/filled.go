package cli

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// filled is a flag that wants some text: an empty value, such as that of a
// variable that a script has not set, would be as if the flag were not there.
type filled struct{ text *string }

// Set reads the value. It returns an error for an empty one.
func (f filled) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("it is empty: give it a value, or leave the flag out")
	}
	*f.text = text
	return nil
}

// String is the value.
func (f filled) String() string {
	if f.text == nil { // as the help asks for
		return ""
	}
	return *f.text
}

// Type is that of other flags of text.
func (f filled) Type() string { return "string" }

// textVar adds a flag that wants some text.
func textVar(f *pflag.FlagSet, into *string, name, usage string) { f.Var(filled{into}, name, usage) }
