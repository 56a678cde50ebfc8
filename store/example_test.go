package store_test

import (
	"context"
	"fmt"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// A document is created, gets a turn, and its log verifies.
func ExampleMemory() {
	ctx, s, ref := context.Background(), store.NewMemory(store.Config{}), store.RefTo("local", "minutes")
	turn := &sir.Turn{SessionID: "stdin", Seq: 1, Speaker: sir.Human, Content: "hello"}
	turn.ID = sir.TurnID(turn.SessionID, turn.Timestamp, turn.SpeakerName, turn.Content, 0)
	err := s.Update(ctx, ref, func(tx store.Tx) error {
		if err := tx.Create(sir.Header{Name: "minutes", Domains: []string{"general"}}); err != nil {
			return err
		}
		_, err := tx.Append(store.Commit{Turn: turn, Domain: "general"})
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = s.View(ctx, ref, func(r store.Reader) error {
		head, err := r.Head()
		if err != nil {
			return err
		}
		fmt.Println("records:", head.Seq)
		return sir.Verify(r.Log(0), head)
	})
	fmt.Println("verified:", err == nil)
	// Output:
	// records: 2
	// verified: true
}
