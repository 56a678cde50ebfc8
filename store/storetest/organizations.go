package storetest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// stranger is another organisation that knows all names and ids of a
// document, and of what is in it.
type stranger struct {
	*bench
	ref     store.Ref
	turn    *sir.Turn
	element *sir.Element
}

// errNothing is what a call returns that found nothing, where the contract
// has no error for that.
var errNothing = errors.New("nothing was found")

// found says what a call that must find nothing has found.
func found(n int, err error) error {
	if err == nil && n == 0 {
		return errNothing
	}
	return err
}

// strangersCalls has an entry for each method of the contract: it calls it
// with the ids of a document of another organisation, and returns the error,
// or errNothing.
var strangersCalls = map[reflect.Type]map[string]func(*stranger) error{
	reflect.TypeFor[store.Store](): {
		"Update": func(s *stranger) error {
			return s.store.Update(context.Background(), s.ref, func(tx store.Tx) error {
				_, err := tx.Header()
				return err
			})
		},
		"View": func(s *stranger) error {
			return s.store.View(context.Background(), s.ref, func(store.Reader) error { return nil })
		},
		"List": func(s *stranger) error {
			n := 0
			for _, err := range s.store.List(context.Background(), s.ref.Organization) {
				if err != nil {
					return err
				}
				n++
			}
			return found(n, nil)
		},
		"Find": func(s *stranger) error {
			_, err := s.store.Find(context.Background(), s.ref.Organization, "conversation")
			return err
		},
		"Delete": func(s *stranger) error { return s.store.Delete(context.Background(), s.ref) },
		"Search": func(s *stranger) error {
			hits, err := s.store.Search(context.Background(), s.ref.Organization, store.Query{Text: "state", Document: s.ref.Document, All: true})
			return found(len(hits), err)
		},
		"Close": nil, // it names no document
	},
	reflect.TypeFor[store.Tx](): {
		"Header": func(s *stranger) error { return s.tx(func(tx store.Tx) error { _, err := tx.Header(); return err }) },
		"Head": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { h, err := tx.Head(); return found(int(h.Seq), err) })
		},
		"Log": func(s *stranger) error { return s.tx(func(tx store.Tx) error { return first(tx.Log(0)) }) },
		"Turn": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { _, err := tx.Turn(s.turn.ID); return err })
		},
		"Turns": func(s *stranger) error { return s.tx(func(tx store.Tx) error { return first(tx.Turns(0)) }) },
		"Cursor": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { _, err := tx.Cursor("general"); return err })
		},
		"Element": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { _, err := tx.Element(s.element.ID); return err })
		},
		"Elements": func(s *stranger) error { return s.tx(func(tx store.Tx) error { return first(tx.Elements()) }) },
		"Slice": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error {
				_, err := tx.Slice(sir.Ask{Terms: []string{"name:a"}, LastTurnOf: []string{s.turn.SpeakerKey()}})
				return err
			})
		},
		"Reviews": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { _, err := store.Reviews(tx); return err })
		},
		"Pending": func(s *stranger) error { return s.tx(func(tx store.Tx) error { _, err := tx.Pending(); return err }) },
		"Draft": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { _, err := tx.Draft("token"); return err })
		},
		"Append": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error {
				_, err := tx.Append(store.Commit{Turn: s.bench.turn("Eve"), Domain: "general"})
				return err
			})
		},
		"KeepDraft": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error { return tx.KeepDraft("token", []byte("mine")) })
		},
		"DropDraft": func(s *stranger) error { return s.tx(func(tx store.Tx) error { return tx.DropDraft("token") }) },
		"Resume":    func(s *stranger) error { return s.tx(func(tx store.Tx) error { return tx.Resume("general", 0) }) },
		"Restore": func(s *stranger) error {
			return s.tx(func(tx store.Tx) error {
				return tx.Restore(sir.Mutation{Seq: 2, DocumentID: s.ref.Document, Kind: sir.TurnKind, TurnID: "x", Body: &sir.Payload{Turn: s.turn}})
			})
		},
		"Create": nil, // the same name, and the same id, may stand in two organisations: see below
	},
}

// tx runs fn in a transaction of the stranger's that is given up.
func (s *stranger) tx(fn func(store.Tx) error) error {
	return s.store.Update(context.Background(), s.ref, func(tx store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errAbort
	})
}

// first is the error of an iterator's first item, errNothing for none.
func first[T any](seq func(func(T, error) bool)) error {
	for _, err := range seq {
		return err
	}
	return errNothing
}

// testOrganizations: whatever an organisation calls with another's ids finds
// nothing and changes nothing.
func testOrganizations(t *testing.T, b *bench) {
	turn, e := b.add("Ann", "general", "a")
	b.commit(store.Commit{Turn: b.turn("Ann"), Domain: "general", Mutations: []sir.Mutation{pending("q", 1)}})
	b.update(func(tx store.Tx) { b.want(nil, tx.KeepDraft("token", []byte("draft"))) })
	var before, after snapshot
	b.view(func(r store.Reader) { before = b.snapshot(r) })
	s := &stranger{bench: b, ref: store.Ref{Organization: "theirs", Document: b.ref.Document}, turn: turn, element: e}
	for contract, calls := range strangersCalls {
		for i := range contract.NumMethod() {
			name := contract.Method(i).Name
			call, ok := calls[name]
			switch {
			case !ok:
				t.Errorf("%s.%s is not tried with another organisation's ids", contract, name)
			case call == nil:
			default:
				if err := call(s); !errors.Is(err, store.ErrNotFound) && !errors.Is(err, errNothing) && !errors.Is(err, store.ErrBroken) {
					t.Errorf("%s.%s with another organisation's ids: %v, want nothing to be found", contract, name, err)
				}
			}
		}
	}
	b.view(func(r store.Reader) { after = b.snapshot(r) })
	b.equal("the document afterwards", after, before)

	// The same id and name in two organisations are two documents.
	b.create(s.ref, "conversation")
	theirs := &bench{TB: b.TB, store: b.store, ref: s.ref}
	theirs.add("Eve", "general", "other")
	b.view(func(r store.Reader) { after = b.snapshot(r) })
	b.equal("the document beside theirs", after, before)
	for org, want := range map[string]string{"local": e.ID, "theirs": sir.ElementID(s.ref.Document, "general", "state", "other", 0)} {
		hits, err := b.store.Search(context.Background(), org, store.Query{Text: "state"})
		b.want(nil, err)
		b.equal("found by "+org, hitIDs(hits), []string{want})
	}
	b.want(nil, b.store.Delete(context.Background(), s.ref))
	b.verify()
}

func hitIDs(hits []store.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Element.ID)
	}
	return out
}
