package speckl_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// posted posts turns to a new document of state machines.
func posted(t *testing.T, contents ...string) (*speckl.Client, store.Store) {
	t.Helper()
	s := store.NewMemory(store.Config{})
	client, err := speckl.Open(speckl.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := client.Create(ctx, "m", "state-machine"); err != nil {
		t.Fatal(err)
	}
	for i, content := range contents {
		turn := sir.Turn{ID: "t" + string(rune('1'+i)), SessionID: "s", Seq: i + 1, Speaker: sir.Human, Content: content}
		if _, err := client.Post(ctx, "m", turn, ""); err != nil {
			t.Fatal(err)
		}
	}
	return client, s
}

// verified returns all that can be read of the document, which must verify.
func verified(t *testing.T, client *speckl.Client, s store.Store) string {
	t.Helper()
	ctx := context.Background()
	var out bytes.Buffer
	doc, err := client.Document(ctx, "m")
	if err != nil {
		t.Fatal(err)
	}
	if err := export.JSON(&out, doc); err != nil {
		t.Fatal(err)
	}
	err = s.View(ctx, store.RefTo("local", "m"), func(r store.Reader) error {
		for m, err := range r.Log(0) {
			if err != nil {
				return err
			}
			out.Write(m.Payload)
		}
		_, err := store.Verify(r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestErasedWordsAreNowhere(t *testing.T) {
	client, s := posted(t, "spec: state vault { timeout: 30s }", "spec: state idle", "spec: state closed", "Actually, make that 45 seconds.")
	ctx := context.Background()
	if text := verified(t, client, s); !strings.Contains(text, "vault") {
		t.Fatal("nothing to erase")
	}
	found, err := client.Query(ctx, "m", sir.Filter{Type: "state"})
	if err != nil {
		t.Fatal(err)
	}
	var vault string
	for _, e := range found {
		if e.Data["name"] == "vault" {
			vault = e.ID
		}
	}
	r, err := client.Erase(ctx, "m", speckl.Erasure{Elements: []string{vault}, Words: true, By: "Ann"})
	if err != nil {
		t.Fatal(err)
	}
	text := verified(t, client, s)
	if strings.Contains(text, "vault") {
		t.Errorf("the words are still there: %s", text)
	}
	if !strings.Contains(text, "spec: state idle") {
		t.Error("the words of another turn are gone, too")
	}
	if len(r.Remaining) != 0 || len(r.Turns) < 2 || r.Head.Hash == "" {
		t.Errorf("receipt %+v", r)
	}
	if _, err := client.Erase(ctx, "m", speckl.Erasure{Elements: []string{vault}}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := client.Erase(ctx, "m", speckl.Erasure{Turns: []string{"t1"}}); !errors.Is(err, speckl.ErrNothingToErase) {
		t.Errorf("an erased turn: %v", err)
	}
	if _, err := client.Post(ctx, "m", sir.Turn{ID: "t9", SessionID: "s", Speaker: sir.Human, Content: "spec: state vault"}, ""); err != nil {
		t.Fatal(err) // what is said anew enters anew
	}
	verified(t, client, s)
}

func TestAnErasedElementLeavesItsWordsInTheTurn(t *testing.T) {
	client, s := posted(t, "spec: state vault", "state: idle")
	found, err := client.Query(context.Background(), "m", sir.Filter{Type: "state"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.Erase(context.Background(), "m", speckl.Erasure{Elements: []string{found[0].ID}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Elements) != 1 || len(r.Turns) != 0 || len(r.Remaining) != 1 || r.Remaining[0] != "t1" {
		t.Errorf("receipt %+v", r)
	}
	if text := verified(t, client, s); !strings.Contains(text, "spec: state vault") {
		t.Error("the turn was erased, too")
	}
}

// What acts have written of an erased element into the history of others goes
// with it, and nothing else does.
func TestErasedWordsAreNotInOthersHistories(t *testing.T) {
	ctx := context.Background()
	type acts func(id map[string]string) []speckl.Act
	of := func(kind speckl.ActKind, ids ...string) speckl.Act { return speckl.Act{Kind: kind, Elements: ids} }
	for name, c := range map[string]struct {
		acts acts
		left string // states and transitions that are left
	}{
		"nothing done": {func(map[string]string) []speckl.Act { return nil }, "idle shelf idle->shelf"},
		"replaced": {func(id map[string]string) []speckl.Act {
			return []speckl.Act{of(speckl.Replace, id["vault"], id["idle"])}
		}, "idle shelf idle->shelf"},
		"replaced, and undone": {func(id map[string]string) []speckl.Act {
			return []speckl.Act{of(speckl.Replace, id["vault"], id["idle"]), of(speckl.Undo)}
		}, "idle shelf idle->shelf"},
		"replaced, and reopened": {func(id map[string]string) []speckl.Act {
			return []speckl.Act{of(speckl.Replace, id["vault"], id["idle"]), of(speckl.Reopen, id["vault"])}
		}, "idle shelf idle->shelf"},
		"in another's place": {func(id map[string]string) []speckl.Act {
			return []speckl.Act{of(speckl.Replace, id["shelf"], id["vault"])}
		}, "idle shelf"},
		"the survivor": {func(id map[string]string) []speckl.Act {
			return []speckl.Act{of(speckl.Merge, id["vault"], id["shelf"])}
		}, "idle"},
		"one with another": {func(id map[string]string) []speckl.Act {
			return []speckl.Act{of(speckl.Merge, id["idle"], id["vault"])}
		}, "shelf idle->shelf"},
		"split": {func(id map[string]string) []speckl.Act {
			a := of(speckl.Split, id["vault"])
			a.Parts = []map[string]any{{"name": "vault one"}, {"name": "vault two"}}
			return []speckl.Act{a}
		}, "idle shelf idle->shelf"},
		"named anew": {func(id map[string]string) []speckl.Act {
			a, b := of(speckl.Correct, id["shelf"]), of(speckl.Replace, id["vault"], id["shelf"])
			a.Data = map[string]any{"name": "rack"}
			return []speckl.Act{a, b}
		}, "idle rack idle->rack"},
	} {
		t.Run(name, func(t *testing.T) {
			client, s := posted(t, "spec: state idle", "spec: state vault { timeout: 30s }", "spec: state shelf", "When the key turns, it goes from idle to shelf.")
			doc, err := client.Document(ctx, "m")
			if err != nil {
				t.Fatal(err)
			}
			id := map[string]string{}
			for _, e := range doc.Elements {
				if e.ElementType == "state" {
					id[e.Data["name"].(string)] = e.ID
				}
			}
			for _, a := range c.acts(id) {
				if _, err := client.Act(ctx, "m", a); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := client.Erase(ctx, "m", speckl.Erasure{Elements: []string{id["vault"]}, Words: true}); err != nil {
				t.Fatal(err)
			}
			if text := verified(t, client, s); strings.Contains(text, "vault") {
				t.Errorf("the word is in %.300s", text[strings.Index(text, "vault")-100:])
			}
			if doc, err = client.Document(ctx, "m"); err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, e := range doc.Elements {
				switch e.ElementType {
				case "state":
					left = append(left, e.Data["name"].(string))
				case "transition":
					left = append(left, e.Data["from"].(string)+"->"+e.Data["to"].(string))
				}
			}
			if got := strings.Join(left, " "); got != c.left {
				t.Errorf("left is %q, want %q", got, c.left)
			}
		})
	}
}
