package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const hello = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"

// BenchmarkStart starts programs and waits for their end.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.go"), []byte(hello), 0o644); err != nil {
		b.Fatal(err)
	}
	greeter, speckl := program(b, dir, "greeter", filepath.Join(dir, "hello.go")), program(b, dir, "speckl", "../../cmd/speckl")
	commands := []func() *exec.Cmd{
		func() *exec.Cmd { return exec.Command(greeter) },
		func() *exec.Cmd { return exec.Command(speckl, "version") },
		func() *exec.Cmd {
			c := exec.Command(speckl, "extract", "--quiet")
			c.Stdin = strings.NewReader("Ann: It starts in the idle state.\n")
			return c
		},
	}
	wall, cpu := make([]samples, len(commands)), make([]samples, len(commands))
	for b.Loop() {
		for range 40 {
			for i, command := range commands {
				c, start := command(), time.Now()
				if out, err := c.CombinedOutput(); err != nil {
					b.Fatalf("%v: %v\n%s", c.Args, err, out)
				}
				wall[i].add(time.Since(start).Seconds() * 1e3)
				cpu[i].add((c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds() * 1e3)
			}
		}
	}
	for i, name := range []string{"hello", "version", "extract"} {
		b.ReportMetric(wall[i].median(), name+"-ms")
		b.ReportMetric(cpu[i].median(), name+"-cpu-ms")
		if i > 0 {
			b.ReportMetric(wall[i].median()/wall[0].median(), name+"-x-hello")
		}
	}
}

// program builds a program as it would be installed.
func program(b *testing.B, dir, name, source string) string {
	b.Helper()
	path := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-o", path, source).CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", name, err, out)
	}
	return path
}
