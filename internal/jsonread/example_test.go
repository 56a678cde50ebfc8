package jsonread_test

import (
	"fmt"

	"github.com/speckl/speckl/internal/jsonread"
)

func ExampleItems() {
	reply := "Sure!\n```json\n{\"items\": [{\"type\": \"state\", name: 'idle'}, {\"type\": \"sta"
	r := jsonread.Items(reply, "items")
	for _, item := range r.Items {
		fmt.Printf("%s repaired=%v\n", item.JSON, item.Repaired)
	}
	for _, l := range r.Losses {
		fmt.Printf("%s at %d: %s\n", l.Reason, l.At, l.Text)
	}
	// Output:
	// {"type": "state", "name": "idle"} repaired=true
	// cut_off at 58: {"type": "sta
}
