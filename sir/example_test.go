package sir_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/speckl/speckl/sir"
)

// Select picks the elements that a filter wants.
func ExampleSelect() {
	elements := []*sir.Element{
		{ElementType: "state", Status: sir.Confirmed, Confidence: 9800, Data: sir.Data{"name": "idle"}},
		{ElementType: "state", Status: sir.Proposed, Confidence: 5500, Data: sir.Data{"name": "loading"}},
		{ElementType: "transition", Status: sir.Proposed, Confidence: 5500, Data: sir.Data{"from": "idle", "to": "loading"}},
	}
	for e := range sir.Select(slices.Values(elements), sir.Filter{Type: "state", Unconfirmed: true}) {
		fmt.Println(e.Data["name"], e.Confidence, e.Confidence.Word())
	}
	// Output:
	// loading 0.55 low
}

// Each record of a log is sealed with the one before it: whoever changes one
// afterwards breaks the chain there.
func ExampleVerify() {
	var head sir.Head
	var records []sir.Mutation
	for i, words := range []string{"It starts idle.", "Then it loads.", "Then it is ready."} {
		turn := &sir.Turn{ID: fmt.Sprintf("t%d", i+1), SessionID: "s", Seq: i + 1, Speaker: sir.Human, Content: words}
		record := sir.TurnMutation("document", turn)
		record.Body = &sir.Payload{Turn: turn}
		var err error
		if head, err = sir.Seal(head, &record, sir.Salt{byte(i)}); err != nil {
			fmt.Println(err)
			return
		}
		records = append(records, record)
	}
	log := func(yield func(sir.Mutation, error) bool) {
		for _, m := range records {
			if !yield(m, nil) {
				return
			}
		}
	}
	fmt.Println("as it was:", sir.Verify(log, head))

	records[1].Payload = []byte(`{"turn":{"content":"Then it fails."}}`)
	err := sir.Verify(log, head)
	fmt.Println("changed:", err, errors.Is(err, sir.ErrBroken))
	// Output:
	// as it was: <nil>
	// changed: verify record 2: payload was changed true
}
