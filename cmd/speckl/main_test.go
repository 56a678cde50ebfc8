package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/speckl/speckl/internal/cli"
	"github.com/speckl/speckl/llm/llmtest"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"speckl": main})
}

// TestScript runs testdata/script/*.txtar. Beside testscript's own commands:
//
//	code N speckl …    runs the program and wants exit code N
//	lines FILE N TEXT  writes a file of N lines of TEXT, which may hold \n
//	bytes FILE TEXT    writes a file of TEXT, a Go string without its quotes
//	append FILE TEXT   adds such a TEXT to a file
//	eventually FILE RE waits until a line of a file matches
//	provider WIRE STEP… starts a server that plays a provider of models; its
//	                   URL is in $PROVIDER. Steps: FILE (a reply), cut:FILE, refuse,
//	                   or a status such as 500; the last one is for ever
//	sent FILE          writes what the newest such server got, a body a line
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for _, e := range os.Environ() {
				if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "SPECKL_") || strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_BASE_URL") {
					env.Setenv(name, "")
				}
			}
			examples, err := filepath.Abs("../../examples")
			env.Setenv("EXAMPLES", examples)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "lines": writeLines, "bytes": writeBytes, "append": appendBytes, "eventually": eventually,
			"provider": provider, "sent": sent,
		},
	})
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N speckl …")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func provider(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: provider WIRE STEP…")
	}
	var steps []llmtest.Step
	for _, arg := range args[1:] {
		status, err := strconv.Atoi(arg)
		file, isCut := strings.CutPrefix(arg, "cut:")
		switch {
		case err == nil:
			steps = append(steps, llmtest.Status(status, "the provider says "+arg))
		case arg == "refuse":
			steps = append(steps, llmtest.Refuse())
		case isCut:
			steps = append(steps, llmtest.Cut(ts.ReadFile(file)))
		default:
			steps = append(steps, llmtest.Say(ts.ReadFile(arg)))
		}
	}
	s, stop := llmtest.Start(args[0], steps...)
	ts.Defer(stop)
	ts.Setenv("PROVIDER", s.URL)
	providers.Store(ts, s)
}

// providers are the newest of each script.
var providers sync.Map

func sent(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := providers.Load(ts)
	if neg || !ok || len(args) != 1 {
		ts.Fatalf("usage: sent FILE, after provider")
	}
	var b strings.Builder
	for _, r := range s.(*llmtest.Server).Requests() {
		b.WriteString(r.Body + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o666))
}

func writeLines(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(unquoted(ts, args[2])+"\n"), n), 0o666))
}

func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unquoted(ts, args[1])), 0o666))
}

func appendBytes(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	ts.Check(err)
	_, err = f.WriteString(unquoted(ts, args[1]))
	ts.Check(err)
	ts.Check(f.Close())
}

func eventually(ts *testscript.TestScript, _ bool, args []string) {
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	var text []byte
	for range 400 { // 20 s
		if text, _ = os.ReadFile(ts.MkAbs(args[0])); re.Match(text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%s never matched %q:\n%s", args[0], args[1], text)
}

func unquoted(ts *testscript.TestScript, s string) string {
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	ts.Check(err)
	return out
}

// TestExamples holds what extract prints of the examples to
// examples/expected; -update rewrites them.
func TestExamples(t *testing.T) {
	for _, file := range []string{"checkout.txt", "upload.jsonl", "standup.md", "interview.vtt", "planning.txt"} {
		for _, form := range []string{"text", "json"} {
			t.Run(file+"/"+form, func(t *testing.T) {
				dir := filepath.Join("..", "..", "examples")
				var out, errs bytes.Buffer
				if n := cli.Main([]string{"extract", "-o", form, filepath.Join(dir, file)}, strings.NewReader(""), &out, &errs); n != 0 {
					t.Fatalf("exit code %d: %s", n, errs.String())
				}
				got := out.String()
				if form == "text" { // what stands on stderr belongs to it
					got = errs.String() + "\n" + got
				}
				want := filepath.Join(dir, "expected", fmt.Sprintf("%s.%s", file, map[string]string{"text": "out.txt", "json": "json"}[form]))
				if *update {
					if err := os.WriteFile(want, []byte(got), 0o666); err != nil {
						t.Fatal(err)
					}
					return
				}
				old, err := os.ReadFile(want)
				if err != nil {
					t.Fatalf("%v: run with -update", err)
				}
				if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("%s differs (-want +got), -update rewrites it:\n%s", want, diff)
				}
			})
		}
	}
}

// TestCommands holds docs/commands.md to what `speckl help` lists.
func TestCommands(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "commands.md")
	got := cli.Markdown(cli.Commands())
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("docs/commands.md differs (-want +got), -update rewrites it:\n%s", diff)
	}
}
