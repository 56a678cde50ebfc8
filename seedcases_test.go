package speckl_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// seedCase is one line of testdata/seed-cases.jsonl: what the seed says that
// a conversation must give. See testdata/README.md for the vocabulary.
type seedCase struct {
	ID, Section, Domain, Note string
	Turns                     []sir.Turn
	Steps                     []seedStep
	Expect                    map[string]any
}

// seedStep is one thing that is done; without steps all turns are extracted.
type seedStep struct {
	Do                             string
	Turns                          []string
	Mode                           sir.Mode
	Clarification, Option          int
	Confidence, Existing, Incoming float64
	// of a batch
	Options struct{ Deduplicate, Summarize, ConfirmBeforeApply bool }
	// of a model: its reply as JSON, or as it is
	LLM *struct {
		Reply json.RawMessage
		Raw   string
	}
	// of an act
	Kind             speckl.ActKind
	Target           *struct{ ElementType, Name string }
	TargetID, Reason string
	Turn             string
}

// notYet are the cases that ask for what this version does not do.
var notYet = map[string]string{
	"sp-111-2": "validate",
	"sp-112-1": "validate",
}

func TestSeedCases(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/seed-cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c seedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			if why := notYet[c.ID]; why != "" {
				t.Skip("not in this version: " + why)
			}
			runSeedCase(t, &c)
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func runSeedCase(t *testing.T, c *seedCase) {
	if len(c.Steps) == 1 && c.Steps[0].Do == "decide" {
		decides(t, c)
		return
	}
	if len(c.Steps) == 1 && c.Steps[0].Do == "conflict" {
		settlesConflict(t, c)
		return
	}
	r := runSeedSteps(t, c)
	for key, want := range c.Expect {
		check := seedChecks[key]
		if check == nil {
			t.Errorf("the runner knows no expectation %q", key)
			continue
		}
		if m := check(r, want); m != "" {
			t.Errorf("%s: %s", key, m)
		}
	}
	if t.Failed() {
		for _, e := range r.final().elements {
			t.Logf("element %s", short(e))
		}
		for _, e := range r.final().candidates {
			t.Logf("candidate %s", short(e))
		}
	}
}
