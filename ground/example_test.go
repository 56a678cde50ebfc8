package ground_test

import (
	"fmt"

	"github.com/speckl/speckl/ground"
)

func ExampleSource_Find() {
	text := "We won't ship before Friday. The cache, you know, expires after ten minutes."
	source := ground.New(ground.Part{Text: text})
	for _, quote := range []string{
		"We won't ship",
		"we WON’T ship",
		"the cache expires after 10 minutes",
		"We will ship before Friday",
		"The board met in Lisbon",
	} {
		m := source.Find(ground.Quote{Text: quote})
		fmt.Printf("%s %q\n", m.Kind, m.Span.Of(text))
		for _, e := range m.Edits {
			fmt.Printf("  %s %q %q why=%q\n", e.Op, e.Source, e.Quote, e.Why)
		}
	}
	// Output:
	// verbatim "We won't ship"
	// normalized "We won't ship"
	// approximate "The cache, you know, expires after ten minutes"
	//   delete "you know" "" why=""
	//   replace "ten" "10" why=""
	// altered "We won't ship before Friday"
	//   replace "won't" "will" why="negation"
	// none ""
}

func ExampleSource_FindAll() {
	source := ground.New(
		ground.Part{ID: "t1", Speaker: "Ann", Text: "Ship it on Monday."},
		ground.Part{ID: "t2", Speaker: "Ben", Text: "Fine, ship it. But when?"},
	)
	for _, m := range source.FindAll([]ground.Quote{
		{Text: "ship it", Hint: ground.Hint{Speaker: "Ann"}},
		{Text: "Fine"},
		{Text: "ship it"}, // after "Fine"
	}) {
		fmt.Println(source.Parts()[m.Part].ID, m.Span, m.Ambiguous)
	}
	// Output:
	// t1 {0 7} false
	// t2 {0 4} false
	// t2 {6 13} false
}

func ExampleUnsupported() {
	words := []string{"It expires after two minutes, and Ana pays 20 dollars.", "Ben"}
	fmt.Println(ground.Unsupported("expires after 120s", words))
	fmt.Println(ground.Unsupported("Ana pays $25 to Carla", words))
	// Output:
	// []
	// [{number 25} {name Carla}]
}
