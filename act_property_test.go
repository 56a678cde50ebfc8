package speckl_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// values that a correction of any field may be given; most do not suit most.
var given = []any{
	"idle", "loading", "ready", "SEARCH", "x > 1", "30s", "two minutes", "true", "7", "*", "(history)", "external", "forbid", "entry", "Order", "be",
	true, false, 3, nil, nil, []any{"beep"}, []any{}, []any{"beep", "blink"}, "", "soon", 1.5, "é | ü",
}

// drawAct makes up an act on a document; many cannot be done.
func drawAct(t *rapid.T, d *talk, doc *export.Document) speckl.Act {
	a := speckl.Act{
		Kind: rapid.SampledFrom([]speckl.ActKind{
			speckl.Confirm, speckl.Correct, speckl.Correct, speckl.Reject, speckl.Deprecate, speckl.Replace, speckl.Merge, speckl.Split,
			speckl.Reopen, speckl.Reopen, speckl.Resolve, speckl.Resolve, speckl.Answer, speckl.Answer, speckl.Undo, speckl.Undo, speckl.Rename,
		}).Draw(t, "act"),
		By:     rapid.SampledFrom([]string{"", "Ann", "Ben"}).Draw(t, "by"),
		Reason: rapid.SampledFrom([]string{"", "", "because"}).Draw(t, "reason"),
		Option: rapid.IntRange(1, 3).Draw(t, "option"),
	}
	n := map[speckl.ActKind]int{speckl.Replace: 2, speckl.Merge: rapid.IntRange(2, 3).Draw(t, "merged"), speckl.Answer: 0, speckl.Undo: 0, speckl.Rename: 0}
	want, ok := n[a.Kind]
	if !ok {
		want = 1
	}
	var first *sir.Element
	for range want {
		of := suited(a.Kind, doc.Elements)
		if first != nil { // of the same type, mostly
			of = slices.DeleteFunc(slices.Clone(of), func(e *sir.Element) bool { return e.ElementType != first.ElementType || e.ID == first.ID })
		}
		if len(of) == 0 {
			break
		}
		e := rapid.SampledFrom(of).Draw(t, "element")
		a.Elements = append(a.Elements, e.ID)
		if first == nil {
			first = e
		}
	}
	if len(doc.Clarifications) > 0 {
		a.Question = rapid.SampledFrom(doc.Clarifications).Draw(t, "question").Number
	}
	if first != nil {
		dom, err := d.client.Domain(first.Domain)
		if err != nil {
			t.Fatal(err)
		}
		a.Data = drawData(t, dom.TypeNamed(first.ElementType))
		for range rapid.IntRange(2, 3).Draw(t, "parts") {
			a.Parts = append(a.Parts, drawData(t, dom.TypeNamed(first.ElementType)))
		}
	}
	if a.Kind == speckl.Rename {
		a.Name = fmt.Sprintf("%s-%d", doc.Header.Name, doc.Header.Version)
	}
	return a
}

// suited are the elements that an act is for, or all where there are none.
func suited(kind speckl.ActKind, all []*sir.Element) []*sir.Element {
	of := slices.DeleteFunc(slices.Clone(all), func(e *sir.Element) bool {
		switch kind {
		case speckl.Reopen:
			return e.Status.Live()
		case speckl.Resolve:
			return !e.Flags.IsAmbiguous
		}
		return !e.Status.Live()
	})
	if len(of) == 0 {
		return all
	}
	return of
}

// drawTalk makes up a turn that is likely to give elements.
func drawTalk(t *rapid.T) sir.Turn {
	words := strings.Join(rapid.SliceOfN(rapid.SampledFrom(cues), 1, 4).Draw(t, "cues"), rapid.SampledFrom([]string{". ", "\n"}).Draw(t, "joint"))
	turn := rapid.SampledFrom([]func(string) sir.Turn{ann, ann, ben, someone, bot}).Draw(t, "speaker")(words)
	turn.Metadata = &sir.Metadata{Mode: rapid.SampledFrom([]sir.Mode{sir.Realtime, sir.Realtime, sir.Interactive}).Draw(t, "mode")}
	return turn
}

func drawData(t *rapid.T, typ *domain.Type) map[string]any {
	out := map[string]any{}
	for range rapid.IntRange(1, 2).Draw(t, "fields") {
		out[rapid.SampledFrom(typ.Fields).Draw(t, "field").Name] = rapid.SampledFrom(given).Draw(t, "value")
	}
	return out
}

// printed is the document as it is printed.
func printed(doc *export.Document) (string, error) {
	var b bytes.Buffer
	err := export.JSON(&b, doc)
	return b.String(), err
}

// verified tells whether all that holds for every document holds for this one.
func (d *talk) verified() error {
	if err := d.sound(); err != nil {
		return err
	}
	if err := d.unlikeEachOther(); err != nil {
		return err
	}
	ref, err := d.store.Find(d.t.Context(), "local", d.name)
	if err != nil {
		return err
	}
	return d.store.View(d.t.Context(), ref, func(r store.Reader) error {
		_, err := store.Verify(r)
		return err
	})
}

// TestAnyActs: whatever is said and decided, in any order, the document is
// sound, every version can be had again as it was printed, an act that is
// refused changes nothing, and one that is undone leaves all as it was.
func TestAnyActs(t *testing.T) {
	d := fresh(t)
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		k := &talk{t: t, client: d.client, store: d.store, name: fmt.Sprintf("acts-%d", n)}
		domains := rapid.SampledFrom([][]string{{"state-machine"}, {"state-machine"}, {"state-machine", "general"}}).Draw(r, "domains")
		if err := k.client.Create(t.Context(), k.name, domains...); err != nil {
			r.Fatal(err)
		}
		past := map[int]string{}
		look := func() *export.Document {
			doc, err := k.client.Document(t.Context(), k.name)
			if err != nil {
				r.Fatal(err)
			}
			if err := k.verified(); err != nil {
				r.Fatal(err)
			}
			if past[doc.Header.Version], err = printed(doc); err != nil {
				r.Fatal(err)
			}
			return doc
		}
		doc := look()
		for range rapid.IntRange(2, 12).Draw(r, "steps") {
			before := doc
			if len(doc.Elements) == 0 || rapid.IntRange(0, 2).Draw(r, "talks") == 0 {
				if err := k.read(drawTalk(r)); err != nil {
					r.Fatal(err)
				}
				doc = look()
				continue
			}
			a := drawAct(r, k, doc)
			if !k.tries(r, a, doc, past) {
				continue
			}
			doc = look()
			if a.Kind == speckl.Undo || rapid.IntRange(0, 2).Draw(r, "keeps") == 0 {
				continue
			}
			if !k.tries(r, speckl.Act{Kind: speckl.Undo}, doc, past) {
				r.Fatalf("%+v cannot be undone", a)
			}
			doc = look()
			if err := asBefore(before, doc); err != nil {
				r.Fatalf("%s undone: %v", a.Kind, err)
			}
		}
		for version, want := range past {
			doc, err := k.client.DocumentAt(t.Context(), k.name, sir.Point{Version: &version})
			if err != nil {
				r.Fatal(err)
			}
			got, err := printed(doc)
			if err != nil {
				r.Fatal(err)
			}
			if got != want {
				r.Fatalf("version %d is not what it was:\n%s", version, cmp.Diff(want, got))
			}
		}
	})
}

// tries carries out an act that may be refused, or repeat another; then
// nothing has changed.
func (d *talk) tries(r *rapid.T, a speckl.Act, before *export.Document, past map[int]string) bool {
	result, err := d.client.Act(d.t.Context(), d.name, a)
	if err == nil && result.Summary == "" {
		r.Fatalf("%+v has no summary", a)
	}
	if err == nil && len(result.SourceTurnIDs) > 0 {
		doc, found := d.client.Document(d.t.Context(), d.name)
		if found != nil { // it was renamed
			d.name = a.Name
			if a.Kind == speckl.Undo {
				d.name = before.Header.Name[:lastDash(before.Header.Name)]
			}
			if doc, found = d.client.Document(d.t.Context(), d.name); found != nil {
				r.Fatal(found)
			}
		}
		if doc.Header.Version != before.Header.Version+1 {
			r.Fatalf("%+v leads from version %d to %d", a, before.Header.Version, doc.Header.Version)
		}
		return true
	}
	ok := err == nil
	for _, is := range []error{speckl.ErrAct, speckl.ErrNothingToUndo, engine.ErrOption, store.ErrNotFound} {
		ok = ok || errors.Is(err, is)
	}
	if !ok {
		r.Fatalf("%+v: %v", a, err)
	}
	doc, err := d.client.Document(d.t.Context(), d.name)
	if err != nil {
		r.Fatal(err)
	}
	now, err := printed(doc)
	if err != nil {
		r.Fatal(err)
	}
	if now != past[before.Header.Version] {
		r.Fatalf("%+v was refused and changed the document:\n%s", a, cmp.Diff(past[before.Header.Version], now))
	}
	return false
}

func lastDash(name string) int { return bytes.LastIndexByte([]byte(name), '-') }

// asBefore tells whether an act and its undo have left a document as it was,
// but for what only grows.
func asBefore(before, now *export.Document) error {
	if before.Header.Name != now.Header.Name {
		return fmt.Errorf("the name is %q, was %q", now.Header.Name, before.Header.Name)
	}
	ids := map[string]*sir.Element{}
	for _, e := range before.Elements {
		ids[e.ID] = e
	}
	found := 0
	for _, e := range now.Elements {
		was := ids[e.ID]
		if was == nil {
			if e.Status != sir.Deprecated {
				return fmt.Errorf("the act made %s", describe(e))
			}
			continue
		}
		found++
		if diff := cmp.Diff(was, e, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(sir.Element{}, "Version", "UpdatedAt", "Evidence", "Provenance", "Keys")); diff != "" {
			return fmt.Errorf("%s is not as it was (-was +now):\n%s", describe(e), diff)
		}
	}
	if found != len(before.Elements) {
		return fmt.Errorf("%d of %d elements are left", found, len(before.Elements))
	}
	pending := func(d *export.Document) sir.Pending {
		return sir.Pending{Candidates: d.Candidates, Clarifications: d.Clarifications, Conflicts: d.Conflicts}
	}
	if diff := cmp.Diff(pending(before), pending(now), cmpopts.EquateEmpty()); diff != "" {
		return fmt.Errorf("what waits is not as it was (-was +now):\n%s", diff)
	}
	return nil
}
