package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is one run of the program: its streams.
type app struct {
	stdin  io.Reader
	stdout *bufio.Writer
	stderr io.Writer
	// screen is stdout unbuffered, to ask whether it is a terminal.
	screen io.Writer
}

// gcPercent keeps the heap near what is in use; extraction allocates little
// for each turn, so that it costs hardly any time.
const gcPercent = 50

// Main runs the command that args name (without the program's own name) and
// returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is then an error of Write
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	a := &app{stdin: stdin, stdout: bufio.NewWriterSize(stdout, 64<<10), stderr: stderr, screen: stdout}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if ferr := a.stdout.Flush(); err == nil {
		err = ferr
	}
	return a.exit(err)
}

// root is the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "speckl",
		Short: "Read conversations and keep what they establish",
		Long: "Speckl reads conversations and keeps a document of what they establish:\n" +
			"elements with the exact words that support them.",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q: %s", args[0], hint(args[0], commandNames(cmd), "commands"))
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return fromEnvironment(cmd.Flags()) },
	}
	root.Version = built()
	root.SetVersionTemplate("speckl {{.Version}}\n")
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetIn(a.stdin)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(a.extract(), a.why(), a.convert(), a.formats(), a.fmt(), a.domain(), a.eval(), a.version(), a.completion())
	root.SetHelpCommand(a.help())
	root.InitDefaultHelpCmd()
	return root
}

func commandNames(cmd *cobra.Command) []string {
	var out []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			out = append(out, c.Name())
		}
	}
	return out
}

// flagError makes a mistake in a flag a usage error that names near flags.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return usagef("unknown flag --%s of %s: %s", unknown.GetSpecifiedName(), cmd.CommandPath(), hint("--"+unknown.GetSpecifiedName(), names, "flags"))
	}
	return usagef("%s: %w; see %s --help", cmd.CommandPath(), err, cmd.CommandPath())
}

// fromEnvironment gives flags that were not set the value of SPECKL_NAME.
func fromEnvironment(flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "SPECKL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		v, ok := os.LookupEnv(name)
		if !ok || v == "" || f.Changed || f.Name == "help" || err != nil {
			return
		}
		if serr := flags.Set(f.Name, v); serr != nil {
			err = usagef("%s=%s in the environment: %w", name, v, serr)
		}
	})
	return err
}

// noArgs, oneArg and the like with one-line errors.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q: see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())
	}
	return nil
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// color reports whether stdout takes colours.
func (a *app) color() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(a.screen)
}
