package arch

import (
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// built is a package as its files import.
type built struct {
	path string // as in Room
	// code: of the package; test: of its own tests; outer: of its external
	// tests, which may import upward.
	code, test, outer []string
}

// TestHouse reads the packages with go/build rather than with `go list`: it
// sees the same imports, needs no go command, and the test cache notices
// which files it has read.
func TestHouse(t *testing.T) {
	packages, err := readModule("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 10 {
		t.Fatalf("found only %d packages: is this the module's root?", len(packages))
	}
	for _, fault := range faults(House(), Outside(), packages) {
		t.Error(fault)
	}
}

// TestTables: each package stands on one floor, each line has its reason.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range House() {
		for _, r := range f.Rooms {
			if seen[r.Path] || r.Path != path.Clean(r.Path) || r.Why == "" {
				t.Errorf("%s %s: listed twice, not a clean path, or without a reason", f.Name, r.Path)
			}
			seen[r.Path] = true
		}
	}
	for _, tool := range Outside() {
		if tool.Why == "" {
			t.Errorf("%s: without a reason", tool.Path)
		}
		for _, u := range tool.Users {
			if !seen[u] {
				t.Errorf("%s: %s uses it and stands on no floor", tool.Path, u)
			}
		}
	}
}

// TestFaults tests the test: a house that is too small for every mistake.
func TestFaults(t *testing.T) {
	house := []Floor{{"F0", []Room{{"low", "-"}, {"beside", "-"}}}, {"F1", []Room{{"high", "-"}}}}
	tools := []Tool{{"example.org/tool", []string{"high"}, "-"}}
	for _, c := range []struct {
		name string
		p    built
		want string // "" for no fault
	}{
		{"down", built{path: "high", code: []string{Module + "/low", "fmt", "example.org/tool/part"}}, ""},
		{"up", built{path: "low", code: []string{Module + "/high"}}, "F1 high: imports go down only"},
		{"same floor", built{path: "low", code: []string{Module + "/beside"}}, "F0 beside: imports go down only"},
		{"up in a test", built{path: "low", test: []string{Module + "/high"}}, "F1 high: imports go down only"},
		{"up in an external test", built{path: "low", outer: []string{Module + "/high", Module + "/low"}}, ""},
		{"unknown package", built{path: "cellar"}, "cellar stands on no floor"},
		{"unknown import", built{path: "high", code: []string{Module + "/cellar"}}, "cellar, which stands on no floor"},
		{"unknown module", built{path: "high", code: []string{"example.org/tools"}}, "example.org/tools, which the table Outside does not know"},
		{"module of another", built{path: "low", code: []string{"example.org/tool"}}, "example.org/tool, which is for high"},
		{"module in a test", built{path: "low", test: []string{"example.org/tool"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(faults(house, tools, []built{c.p}), "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("faults: %q, want %q", got, c.want)
			}
		})
	}
}

// faults lists what is wrong with the packages, in their order.
func faults(house []Floor, tools []Tool, packages []built) []string {
	floor := map[string]int{}
	for i, f := range house {
		for _, r := range f.Rooms {
			floor[r.Path] = i
		}
	}
	var out []string
	for _, p := range packages {
		at, known := floor[p.path]
		if !known {
			out = append(out, fmt.Sprintf("%s stands on no floor: give it a line in House (arch.go)", p.path))
			continue
		}
		report := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("%s %s imports ", house[at].Name, p.path)+fmt.Sprintf(format, args...))
		}
		for _, kind := range []struct {
			imports   []string
			up, tools bool // may import upward; may import any known module
		}{{p.code, false, false}, {p.test, false, true}, {p.outer, true, true}} {
			for _, imp := range kind.imports {
				room, ours := within(imp)
				to, known := floor[room]
				switch {
				case !ours:
					if tool := toolFor(tools, imp); tool == nil && outside(imp) {
						report("%s, which the table Outside does not know", imp)
					} else if tool != nil && !kind.tools && !slices.Contains(tool.Users, p.path) {
						report("%s, which is for %s", imp, strings.Join(append(tool.Users, "tests"), ", "))
					}
				case !known:
					report("%s, which stands on no floor", room)
				case to >= at && !kind.up:
					report("%s %s: imports go down only", house[to].Name, room)
				}
			}
		}
	}
	return out
}

// within is the path of an import below the module's.
func within(imp string) (room string, ok bool) {
	if imp == Module {
		return ".", true
	}
	return strings.CutPrefix(imp, Module+"/")
}

// outside reports whether an import is not of the standard library, whose
// paths begin without a host.
func outside(imp string) bool {
	host, _, _ := strings.Cut(imp, "/")
	return strings.Contains(host, ".")
}

func toolFor(tools []Tool, imp string) *Tool {
	for i := range tools {
		if imp == tools[i].Path || strings.HasPrefix(imp, tools[i].Path+"/") {
			return &tools[i]
		}
	}
	return nil
}

// readModule reads all packages of the module at root.
func readModule(root string) ([]built, error) {
	var out []built
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		if rel != "." {
			if name := d.Name(); name == "testdata" || name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_' {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				return filepath.SkipDir // a module of its own
			}
		}
		p, err := build.ImportDir(dir, 0)
		var none *build.NoGoError
		if errors.As(err, &none) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read package %s: %w", rel, err)
		}
		out = append(out, built{filepath.ToSlash(rel), p.Imports, p.TestImports, p.XTestImports})
		return nil
	})
	return out, err
}
