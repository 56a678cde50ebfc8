package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/diag"
	"github.com/speckl/speckl/domains/statemachine/syntax"
)

// maxSource bounds a file of micro-syntax.
const maxSource = 64 << 20

// fmt is `speckl fmt`.
func (a *app) fmt() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "fmt [FILE…|-]",
		Short: "Print state machine statements in their canonical form",
		Long: "Print the statements of the state machine micro-syntax in their canonical form, which\n" +
			"gives the same elements. What does not parse is named by line and column; then nothing\n" +
			"is printed or written, and the exit code is 3.",
		Example: "  speckl fmt machine.speckl\n  speckl fmt -w *.speckl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if isTerminal(a.stdin) {
					return usagef("speckl fmt: name a file, or pipe statements in")
				}
				args = []string{"-"}
			}
			if write && slices.Contains(args, "-") {
				return usagef("speckl fmt: -w rewrites files; stdin is none")
			}
			var bad error
			for _, path := range args {
				if err := a.format(path, write); err == errSaid {
					bad = err
				} else if err != nil {
					return err
				}
			}
			return bad
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "rewrite the files in place instead of printing")
	return cmd
}

// format prints or rewrites one file; errSaid where it does not parse.
func (a *app) format(path string, write bool) error {
	source, err := readSource(a, path)
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	if path == "-" {
		name = "stdin"
	}
	text, diags := syntax.Format(string(source), syntax.Options{File: name})
	failed := false
	for _, d := range diags {
		fmt.Fprintln(a.stderr, oneLine(d.String()))
		failed = failed || d.Severity == diag.Error
	}
	switch {
	case failed:
		return errSaid
	case !write:
		_, err = a.stdout.WriteString(text)
		return err
	case text == string(source):
		return nil
	}
	return rewrite(path, text)
}

func readSource(a *app, path string) ([]byte, error) {
	in := a.stdin
	if path != "-" {
		f, err := openFile(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	source, err := io.ReadAll(io.LimitReader(in, maxSource+1))
	switch {
	case err != nil:
		return nil, inputf("read %s: %w", path, err)
	case len(source) > maxSource:
		return nil, inputf("%s: larger than 64 MiB: split it", path)
	}
	for i, b := range source {
		if b == 0 {
			return nil, inputf("%s: U+0000: text has none: is it a text file?", at(path, source, i))
		}
	}
	if i := invalid(source); i >= 0 {
		return nil, inputf("%s: not UTF-8: save it as UTF-8", at(path, source, i))
	}
	return source, nil
}

// invalid is the offset of the first byte that is not UTF-8, or -1.
func invalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// at is an offset as file:line:column.
func at(path string, b []byte, i int) string {
	start := bytes.LastIndexByte(b[:i], '\n') + 1
	name := filepath.Base(path)
	if path == "-" {
		name = "stdin"
	}
	return fmt.Sprintf("%s:%d:%d", name, bytes.Count(b[:i], []byte("\n"))+1, utf8.RuneCount(b[start:i])+1)
}

// rewrite replaces a file in one step, so that it is never half written.
func rewrite(path, text string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".speckl-*")
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // fails when it was renamed, as it should be
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	return nil
}
