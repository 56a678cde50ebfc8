package domains_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains"
)

var update = flag.Bool("update", false, "compile the domains' YAML again")

// Each built-in domain is embedded as JSON compiled from its YAML. The two
// must say the same; after a change of the YAML run
//
//	go test ./domains -update
func TestTheCompiledDomainsAreTheirYAML(t *testing.T) {
	for _, dir := range []string{"statemachine", "general"} {
		source, err := os.ReadFile(dir + "/domain.yaml")
		if err != nil {
			t.Fatal(err)
		}
		want, err := domain.Compile(dir+"/domain.yaml", source)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(dir+"/domain.json", want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(dir + "/domain.json")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s/domain.json is not its YAML: run go test ./domains -update", dir)
		}
		fromYAML, err := domain.Load(dir, source)
		if err != nil {
			t.Fatal(err)
		}
		fromJSON, err := domain.LoadCompiled(dir, got)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(fromYAML.Rules, fromJSON.Rules); d != "" {
			t.Errorf("%s: rules (-YAML +JSON):\n%s", dir, d)
		}
	}
	if _, err := domains.All(); err != nil {
		t.Error(err)
	}
}
