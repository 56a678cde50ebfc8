package speckl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
	"github.com/speckl/speckl/transcript"
)

func TestDocumentsOfAnOrganisation(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		c := open()
		if all, err := c.Documents(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%v, %v", all, err)
		}
		ingest(t, c, "b", machine)
		ingest(t, c, "a", "Ann: The system starts in an idle state.\n")
		all, err := c.Documents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range all {
			got = append(got, fmt.Sprint(s.Header.Name, " ", s.Header.Version, " ", s.Waiting, " ", s.Review))
		}
		if diff := cmp.Diff([]string{"a 1 0 1", "b 5 1 3"}, got); diff != "" {
			t.Error(diff)
		}
		if err := c.Delete(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		for _, f := range []func(name string) error{
			func(name string) error { return c.Delete(t.Context(), name) },
			func(name string) error { _, err := c.Header(t.Context(), name); return err },
			func(name string) error { _, err := c.Elements(t.Context(), name); return err },
			func(name string) error { _, err := c.Verify(t.Context(), name); return err },
			func(name string) error { _, err := c.History(t.Context(), name, "x"); return err },
			func(name string) error { return c.Export(t.Context(), new(bytes.Buffer), name, false) },
			func(name string) error { _, err := c.Search(t.Context(), name, store.Query{Text: "idle"}); return err },
		} {
			if err := f("a"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("of a document that is gone: %v", err)
			}
		}
	})
}

func TestSearchTellsWhoSaidIt(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		c := open()
		ingest(t, c, "m", machine)
		found, err := c.Search(t.Context(), "", store.Query{Text: "clicks search"})
		if err != nil || len(found) == 0 {
			t.Fatalf("%v, %v", found, err)
		}
		if f := found[0]; f.Label != "idle → loading  on the user clicks Search" || f.Said == nil || f.Said.Name() != "Ben" || f.Document.Name != "m" {
			t.Errorf("%+v", f)
		}
		if !c.HasTurn(t.Context(), "m", found[0].Said.ID) || c.HasTurn(t.Context(), "m", "none") || c.HasTurn(t.Context(), "n", "none") {
			t.Error("which turns there are")
		}
	})
}

// Before there was a document there is nothing to show.
func TestDocumentBeforeItWas(t *testing.T) {
	c, err := speckl.Open(speckl.Config{Store: stores["sqlite"](t)})
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, c, "m", machine)
	early := int64(1)
	if _, err := c.DocumentAt(t.Context(), "m", sir.Point{Time: &early}); !errors.Is(err, sir.ErrPoint) {
		t.Error(err)
	}
}

// A document is moved whole, from one store to another.
func ExampleClient_Export() {
	ctx := context.Background()
	from, err := speckl.Open(speckl.Config{})
	if err != nil {
		log.Fatal(err)
	}
	turns := transcript.Read(strings.NewReader("Ann: The system starts in an idle state.\n"), transcript.Options{Name: "chat.txt"})
	if _, err := from.Ingest(ctx, "player", turns, speckl.IngestOptions{Domains: []string{"state-machine"}}); err != nil {
		log.Fatal(err)
	}
	var archive bytes.Buffer
	if err := from.Export(ctx, &archive, "player", true); err != nil {
		log.Fatal(err)
	}
	to, err := speckl.Open(speckl.Config{})
	if err != nil {
		log.Fatal(err)
	}
	header, err := to.Restore(ctx, bytes.NewReader(archive.Bytes()), speckl.RestoreOptions{})
	if err != nil {
		log.Fatal(err)
	}
	old, _ := from.Verify(ctx, "player")
	head, err := to.Verify(ctx, "player")
	fmt.Println(header.Name, header.Version, head == old, err)
	// Output: player 1 true <nil>
}
