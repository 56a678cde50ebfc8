package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

func TestAnUnloggedStoreKeepsTheTurnsAndNoLog(t *testing.T) {
	ctx := context.Background()
	s := store.NewMemory(store.Config{Unlogged: true})
	ref := store.RefTo("local", "notes")
	err := s.Update(ctx, ref, func(tx store.Tx) error {
		if err := tx.Create(sir.Header{Name: "notes", Domains: []string{"general"}}); err != nil {
			return err
		}
		_, err := tx.Append(store.Commit{Turn: &sir.Turn{ID: "t1", SessionID: "s", Seq: 1, Speaker: sir.Human, Content: "hello"}, Domain: "general"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(ctx, ref, func(r store.Reader) error {
		turn, err := r.Turn("t1")
		if err != nil || turn.Content != "hello" {
			t.Errorf("turn is %v, %v", turn, err)
		}
		for _, err := range r.Log(0) {
			return err
		}
		return nil
	})
	if !errors.Is(err, store.ErrUnlogged) {
		t.Errorf("log: %v, want ErrUnlogged", err)
	}
}
