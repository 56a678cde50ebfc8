package speckl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// A person corrects what was extracted, takes it back, and confirms.
func ExampleClient_Act_undo() {
	ctx := context.Background()
	client := open("state-machine")

	if _, err := client.Post(ctx, "talk", said("Ann", "The idle state has a timeout of 30s."), sir.Realtime); err != nil {
		log.Fatal(err)
	}
	states, err := client.Query(ctx, "talk", sir.Filter{Type: "state"})
	if err != nil {
		log.Fatal(err)
	}
	idle := []string{states[0].ID}
	for _, act := range []speckl.Act{
		{Kind: speckl.Correct, Elements: idle, Data: map[string]any{"timeout": "60s"}, Command: "correct state:idle timeout=60s"},
		{Kind: speckl.Undo},
		{Kind: speckl.Confirm, Elements: idle, By: "Ann", Reason: "measured"},
	} {
		result, err := client.Act(ctx, "talk", act)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Summary)
	}
	if states, err = client.Query(ctx, "talk", sir.Filter{Type: "state"}); err != nil {
		log.Fatal(err)
	}
	for _, entry := range states[0].Provenance.Entries {
		fmt.Printf("  %d. %s at %s: %s\n", entry.Version, entry.Action, entry.ConfidenceAtTime, entry.ExtractionRationale)
	}
	// Output:
	// Corrected: state idle, times out after 60s.
	// Undone: correct state:idle timeout=60s. As before: state idle, times out after 30s.
	// Confirmed: state idle, times out after 30s.
	//   1. extracted at 0.7: matches the rule timeout-of
	//   2. refined at 0.99: a person corrects it
	//   3. refined at 0.7: undoes: correct state:idle timeout=60s
	//   4. confirmed at 1: a person confirms it: measured
}
