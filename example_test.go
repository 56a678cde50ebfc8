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

// From a conversation to its elements, each with the words that support it.
func Example() {
	talk := "Ann: The player starts in the stopped state.\n" +
		"Ben: When the user presses Play, it goes from stopped to playing.\n"

	ctx := context.Background()
	client, err := speckl.Open(speckl.Config{})
	if err != nil {
		log.Fatal(err)
	}
	turns := transcript.Read(strings.NewReader(talk), transcript.Options{})
	if _, err := client.Ingest(ctx, "player", turns, speckl.IngestOptions{Domains: []string{"state-machine"}}); err != nil {
		log.Fatal(err)
	}
	doc, err := client.Document(ctx, "player")
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range doc.Elements {
		fmt.Printf("%s: %s\n  %q\n", e.ElementType, doc.Labels(e), e.Evidence[0].Quote)
	}
	// Output:
	// state: stopped (initial)
	//   "The player starts in the stopped state"
	// state: playing
	//   "When the user presses Play, it goes from stopped to playing"
	// transition: stopped → playing  on the user presses Play
	//   "When the user presses Play, it goes from stopped to playing"
}

// In interactive mode Speckl asks instead of guessing. The answer is an act:
// only a person confirms.
func ExampleClient_Act() {
	ctx := context.Background()
	client := open("state-machine")

	results, err := client.Post(ctx, "talk", said("Ann", "After authentication, go to the dashboard."), sir.Interactive)
	if err != nil {
		log.Fatal(err)
	}
	question := results[0].Clarifications[0]
	fmt.Println(question.Question)
	for i, option := range question.Options {
		fmt.Printf("  %d. %s\n", i+1, option)
	}

	result, err := client.Act(ctx, "talk", speckl.Act{Kind: speckl.Answer, Question: question.Number, Option: 1, By: "Ann"})
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range result.Added {
		fmt.Printf("%s %s, %s\n", change.Action, change.Element.ElementType, change.Element.Status)
	}
	// Output:
	// Is 'authentication' a state or an event? It leads to 'dashboard'.
	//   1. authentication is a state, dashboard is a state, with a transition between them
	//   2. authentication is an event, dashboard is a state, with a transition from any state on it
	//   3. authentication is a guard condition on the transition to dashboard
	// created transition, confirmed
	// created state, proposed
	// created state, proposed
}

// What stood after the first turn, and what stands now.
func ExampleClient_At() {
	ctx := context.Background()
	client := open("state-machine")
	for i, words := range []string{
		"The idle state has a timeout of 30 seconds.",
		"Actually, make that 60 seconds.",
	} {
		turn := said("Ann", words)
		turn.ID = fmt.Sprintf("t%d", i+1)
		if _, err := client.Post(ctx, "talk", turn, sir.Realtime); err != nil {
			log.Fatal(err)
		}
	}
	for _, id := range []string{"t1", "t2"} {
		then, err := client.At(ctx, "talk", sir.Point{TurnID: id})
		if err != nil {
			log.Fatal(err)
		}
		for e := range then.Elements() {
			fmt.Printf("after %s: %s, timeout %s, version %d\n", id, e.Data["name"], e.Data["timeout"], e.Version)
		}
	}
	// Output:
	// after t1: idle, timeout 30 seconds, version 1
	// after t2: idle, timeout 60 seconds, version 2
}

// What waits for a person's review.
func ExampleClient_Query() {
	ctx := context.Background()
	client := open("state-machine")
	for _, words := range []string{
		"spec: transition paid -> disputed on CHARGEBACK",
		"When support issues a refund, it goes from paid to refunded.",
	} {
		if _, err := client.Post(ctx, "talk", said("Ann", words), sir.Realtime); err != nil {
			log.Fatal(err)
		}
	}
	elements, err := client.Query(ctx, "talk", sir.Filter{Type: "transition", NeedsReview: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range elements {
		fmt.Printf("%s to %s, %s at %s\n", e.Data["from"], e.Data["to"], e.Status, e.Confidence)
	}
	// Output:
	// paid to refunded, proposed at 0.7
}

// open makes a client with the document "talk".
func open(domains ...string) *speckl.Client {
	client, err := speckl.Open(speckl.Config{})
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Create(context.Background(), "talk", domains...); err != nil {
		log.Fatal(err)
	}
	return client
}

func said(name, words string) sir.Turn {
	return sir.Turn{Speaker: sir.Human, SpeakerName: &name, Content: words}
}
