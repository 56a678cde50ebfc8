package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/eval"
	"github.com/speckl/speckl/internal/pattern"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
	"github.com/speckl/speckl/transcript"
)

// The exit codes.
const (
	exitDone        = 0
	exitFindings    = 1
	exitUsage       = 2
	exitInput       = 3
	exitUnavailable = 4
	// exitInterrupted is what shells give a program that Ctrl-C ended.
	exitInterrupted = 130
)

var (
	// errFindings ends a command that has printed its findings.
	errFindings = errors.New("findings")
	// errUsage is wrapped by mistakes in how a command was called.
	errUsage = errors.New("usage")
	// errInput is wrapped by mistakes in what a command has read.
	errInput = errors.New("bad input")
	// errSaid ends a command whose mistakes in the input are printed.
	errSaid = fmt.Errorf("%w: said", errInput)
)

// codes is the table of sentinels, the first that fits decides; whatever
// fits none is "unavailable".
var codes = []struct {
	is   error
	code int
}{
	{errFindings, exitFindings},
	{errInterrupted, exitInterrupted},
	{errUsage, exitUsage},
	{domain.ErrUnknown, exitUsage},
	{transcript.ErrUnknownFormat, exitUsage},
	{speckl.ErrNoDomain, exitUsage},
	{store.ErrExists, exitUsage},
	{speckl.ErrDryRun, exitUsage},
	{speckl.ErrErased, exitUsage},
	{errInput, exitInput},
	{transcript.ErrBadInput, exitInput},
	{domain.ErrFile, exitInput},
	{eval.ErrFile, exitInput},
	{pattern.ErrPhrase, exitInput},
	{store.ErrNotFound, exitInput},
	{store.ErrTurn, exitInput},
	{store.ErrName, exitInput},
	{speckl.ErrArchive, exitInput},
	{speckl.ErrTooLong, exitInput},
	{sir.ErrPoint, exitInput},
	{fs.ErrNotExist, exitInput},
}

// exit prints an error, if there is one to print, and returns its code.
func (a *app) exit(err error) int {
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return exitDone
	}
	code := exitUnavailable
	for _, c := range codes {
		if errors.Is(err, c.is) {
			code = c.code
			break
		}
	}
	if !errors.Is(err, errFindings) && !errors.Is(err, errSaid) {
		fmt.Fprintln(a.stderr, "speckl: "+oneLine(message(err)))
	}
	return code
}

// inYAML finds what the YAML reader says: "read FILE: [3:5] words", with an
// excerpt on further lines.
var inYAML = regexp.MustCompile(`read (.+): \[(\d+):(\d+)\] ([^\n]*)`)

// message is what of an error is for the user's eyes: a mistake in a file
// begins with its place, and one in a name says what has it.
func message(err error) string {
	var bad *transcript.Error
	if errors.As(err, &bad) {
		return bad.Error()
	}
	var name *store.NameError
	if errors.As(err, &name) {
		return name.Error()
	}
	if m := inYAML.FindStringSubmatch(err.Error()); m != nil && errors.Is(err, domain.ErrFile) {
		return m[1] + ":" + m[2] + ":" + m[3] + ": " + m[4]
	}
	return strings.TrimPrefix(err.Error(), errUsage.Error()+": ")
}

// oneLine keeps an error to one line.
func oneLine(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "; ")
}

// marked is an error of a kind that the table knows, with words of its own.
type marked struct {
	kind error
	err  error
}

func (m marked) Error() string   { return m.err.Error() }
func (m marked) Unwrap() []error { return []error{m.kind, m.err} }

func usagef(format string, args ...any) error {
	return marked{errUsage, fmt.Errorf(format, args...)}
}

func inputf(format string, args ...any) error {
	return marked{errInput, fmt.Errorf(format, args...)}
}
