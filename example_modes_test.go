package speckl_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

// A dry run shows what a batch of turns would change; it is applied by its
// token, as long as the document is what it was.
func ExampleClient_Apply() {
	talk := "Ann: The idle state has a timeout of 30s.\n" +
		"Ben: Closed is a final state.\n" +
		"Ben: Scratch that.\n" +
		"Ann: Actually, make that 60 seconds.\n"

	ctx := context.Background()
	client := open("state-machine")
	var shown *sir.Result
	_, err := client.Ingest(ctx, "talk", transcript.Read(strings.NewReader(talk), transcript.Options{}), speckl.IngestOptions{
		Mode: sir.Batch, Batch: speckl.BatchOptions{ConfirmBeforeApply: true},
		OnResult: func(r *sir.Result) error { shown = r; return nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shown.Status)
	fmt.Println(shown.Summary)

	result, err := client.Apply(ctx, "talk", shown.Token)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Summary)
	// Output:
	// confirmation_needed
	// Not applied yet. Added 1 state (idle, times out after 60 seconds). Said, and no longer so at the end: state Closed (final).
	// Added 1 state (idle, times out after 60 seconds). Said, and no longer so at the end: state Closed (final).
}

// Debaters propose, criticise each other, and agree; what they leave out is
// in the result, with what was said about it.
func ExampleDebaterConfig() {
	ctx := context.Background()
	client := open("state-machine")
	turn := said("Ann", "Closed is a final state. While in hold, the valve is open.")
	results, err := client.Post(ctx, "talk", turn, sir.Deliberative)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range results[0].Added {
		fmt.Println(c.Element.ElementType, c.Element.Data["name"], c.Element.Attribution.Agents)
	}
	for _, d := range results[0].Dropped {
		fmt.Println(d.Reason, strings.ReplaceAll(d.Detail, "; ", "\n  "))
	}
	// Output:
	// state Closed [broad]
	// no_consensus invariant hold: the valve is open: supported by broad
	//   strict opposes it: only the weak rule while-in finds it
	//   structure doubts it: nothing that it names stands anywhere else
}
