package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
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
	// environment are the flags that the environment has set: flag → variable.
	environment map[string]string
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
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.fromEnvironment(cmd.Flags()) },
	}
	root.Version = built()
	root.SetVersionTemplate("speckl {{.Version}}\n")
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetIn(a.stdin)
	root.SetFlagErrorFunc(flagError)
	for _, g := range a.groups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("The program")
	root.SetHelpCommand(a.help())
	root.InitDefaultHelpCmd()
	return root
}

// group is commands that the help lists together.
type group struct {
	title    string
	commands []*cobra.Command
}

func (a *app) groups() []group {
	return []group{
		{"Read conversations, and look at what they establish", []*cobra.Command{
			a.extract(), a.apply(), a.show(), a.ls(), a.stats(), a.why(), a.log(), a.blame(), a.diff(), a.search(),
		}},
		{"Decide about it", []*cobra.Command{
			a.inbox(), a.answer(), a.confirm(), a.correct(), a.reject(), a.deprecate(), a.replace(), a.merge(), a.split(),
			a.reopen(), a.resolve(), a.undo(),
		}},
		{"Keep whole documents", []*cobra.Command{
			a.export(), a.importDoc(), a.rename(), a.erase(), a.delete(), a.verify(), a.backup(), a.migrate(), a.doctor(), a.config(),
		}},
		{"Formats, domains and scores", []*cobra.Command{a.ground(), a.convert(), a.formats(), a.fmt(), a.schema(), a.domain(), a.eval()}},
		{"The program", []*cobra.Command{a.version(), a.completion()}},
	}
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

// notFromEnvironment are flags that only the call itself may set; set is read
// by the settings.
var notFromEnvironment = []string{"help", "set", "yes", "and"}

// fromEnvironment gives flags that were not set the value of SPECKL_NAME.
func (a *app) fromEnvironment(flags *pflag.FlagSet) error {
	a.environment = map[string]string{}
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "SPECKL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		v, ok := os.LookupEnv(name)
		if !ok || v == "" || f.Changed || slices.Contains(notFromEnvironment, f.Name) || err != nil {
			return
		}
		if serr := flags.Set(f.Name, v); serr != nil {
			err = usagef("%s=%s in the environment: %w", name, v, serr)
		}
		a.environment[f.Name] = name
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
