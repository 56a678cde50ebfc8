package speckl_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
)

// A document lives on: what was said on Monday is there on Tuesday, and so is
// what a person decided in between.
func ExampleDatabase() {
	dir, err := os.MkdirTemp("", "speckl")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "talks.db")
	at := func(day func(*speckl.Client) error) {
		db, err := speckl.Database(context.Background(), file)
		if err != nil {
			log.Fatal(err)
		}
		defer db.Close()
		client, err := speckl.Open(speckl.Config{Store: db})
		if err != nil {
			log.Fatal(err)
		}
		if err := day(client); err != nil {
			log.Fatal(err)
		}
	}
	ctx := context.Background()
	at(func(c *speckl.Client) error { // Monday
		if err := c.Create(ctx, "player", "state-machine"); err != nil {
			return err
		}
		_, err := c.Post(ctx, "player", sir.Turn{Speaker: sir.Human, Content: "It starts in the idle state."}, "")
		return err
	})
	at(func(c *speckl.Client) error { // Tuesday
		found, err := c.Query(ctx, "player", sir.Filter{Type: "state"})
		if err != nil {
			return err
		}
		r, err := c.Act(ctx, "player", speckl.Act{Kind: speckl.Confirm, Elements: []string{found[0].ID}, By: "Ann"})
		if err == nil {
			fmt.Println(r.Summary)
		}
		return err
	})
	at(func(c *speckl.Client) error {
		now, err := c.Stats(ctx, "player")
		if err != nil {
			return err
		}
		first := 1
		then, err := c.DocumentAt(ctx, "player", sir.Point{Version: &first})
		fmt.Println("confirmed now:", now.ConfirmedElements, "and on Monday:", then.Stats.ConfirmedElements)
		return err
	})
	// Output:
	// Confirmed: state idle (initial).
	// confirmed now: 1 and on Monday: 0
}
