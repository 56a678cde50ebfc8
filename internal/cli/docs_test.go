package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/cli"
)

// The domain that docs/domain-files.md shows must load and pass its own
// examples.
func TestTheDocumentedDomainHolds(t *testing.T) {
	page, err := os.ReadFile("../../docs/domain-files.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	source, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/domain-files.md shows no domain")
	}
	file := filepath.Join(t.TempDir(), "claims.yaml")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := cli.Main([]string{"domain", "check", file}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Errorf("exit %d:\n%s%s", code, &out, &errs)
	}
}
