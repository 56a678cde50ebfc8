package speckl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
	"github.com/speckl/speckl/transcript"
)

const machine = `Ann: The system starts in an idle state.
Ben: When the user clicks Search, it goes from idle to loading.
Ann: spec: state loading { timeout: 30s }
Ben: After authentication, go to the dashboard.
Ann: ok
`

// stores are what whole documents are tried on.
var stores = map[string]func(t testing.TB) store.Store{
	"memory": func(testing.TB) store.Store {
		return store.NewMemory(store.Config{Now: func() time.Time { return time.UnixMilli(1790000000000) }, Random: strings.NewReader(strings.Repeat("salt", 1000))})
	},
	"sqlite": func(t testing.TB) store.Store {
		s, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "m.db"), sqlstore.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	},
}

// storeOf tells a client's store.
var storeOf sync.Map

// erase erases the words of a turn.
func erase(t testing.TB, c *speckl.Client, name, content string) {
	t.Helper()
	var seq int64
	for m, err := range c.Log(t.Context(), name) {
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(m.Payload, []byte(`"content":"`+content+`"`)) {
			seq = m.Seq
		}
	}
	s, _ := storeOf.Load(c)
	err := s.(store.Store).Update(t.Context(), store.RefTo("local", name), func(tx store.Tx) error {
		act := &sir.Turn{ID: "erase " + content, SessionID: "acts", Seq: 99, Speaker: sir.Human, Content: "erase", Metadata: &sir.Metadata{Kind: "act"}}
		_, err := tx.Append(store.Commit{Turn: act, Erase: []int64{seq}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func onStores(t *testing.T, f func(t *testing.T, open func() *speckl.Client)) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			f(t, func() *speckl.Client {
				s := open(t)
				c, err := speckl.Open(speckl.Config{Store: s})
				if err != nil {
					t.Fatal(err)
				}
				storeOf.Store(c, s)
				return c
			})
		})
	}
}

func ingest(t testing.TB, c *speckl.Client, name, talk string) {
	t.Helper()
	turns := transcript.Read(strings.NewReader(talk), transcript.Options{Name: "chat.txt"})
	if _, err := c.Ingest(t.Context(), name, turns, speckl.IngestOptions{Domains: []string{"state-machine"}}); err != nil {
		t.Fatal(err)
	}
}

func exported(t testing.TB, c *speckl.Client, name string, log bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Export(t.Context(), &b, name, log); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An archive gives the same document, and the same archive.
func TestArchiveComesBack(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		from := open()
		ingest(t, from, "m", machine)
		shown := document(t, from, "m")
		for _, log := range []bool{false, true} {
			want := exported(t, from, "m", log)
			to := open()
			if _, err := to.Restore(t.Context(), strings.NewReader(want), speckl.RestoreOptions{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, exported(t, to, "m", log)); diff != "" {
				t.Errorf("log %t: the archive of what was restored differs:\n%s", log, diff)
			}
			if diff := cmp.Diff(shown, document(t, to, "m")); diff != "" {
				t.Errorf("log %t: what was restored differs:\n%s", log, diff)
			}
			head, err := to.Verify(t.Context(), "m")
			if err != nil {
				t.Error(err)
			}
			if was, _ := from.Verify(t.Context(), "m"); log && head != was {
				t.Errorf("the head is %v, was %v", head, was)
			}
			ingest(t, to, "m", machine+"Ben: The dashboard is a final state.\n") // it goes on
			if got := document(t, to, "m"); got == shown {
				t.Error("nothing was added behind the archive")
			}
		}
	})
}

func document(t testing.TB, c *speckl.Client, name string) string {
	t.Helper()
	doc, err := c.Document(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, doc.Header.ID, doc.Header.Version)
	for _, e := range doc.Elements {
		fmt.Fprintln(&b, e.ID, e.ElementType, doc.Labels(e), e.Status, e.Version, len(e.Evidence))
	}
	return b.String()
}

// A new name is given by a record of its own; what stands is not overwritten.
func TestRestoreUnderAnotherName(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		from, to := open(), open()
		ingest(t, from, "m", machine)
		archive := exported(t, from, "m", true)
		h, err := to.Restore(t.Context(), strings.NewReader(archive), speckl.RestoreOptions{Name: "n", By: "Ann"})
		if err != nil || h.Name != "n" {
			t.Fatalf("%v, %v", h, err)
		}
		if _, err := to.Header(t.Context(), "m"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("m: %v", err)
		}
		if _, err := to.Verify(t.Context(), "n"); err != nil {
			t.Error(err)
		}
		if got := exported(t, to, "n", true); strings.Count(got, "\n") <= strings.Count(archive, "\n") {
			t.Error("there is no record of the new name")
		}
		other := open()
		ingest(t, other, "n", "Bob: Hello.\n")
		if _, err := other.Restore(t.Context(), strings.NewReader(archive), speckl.RestoreOptions{Name: "n"}); !errors.Is(err, store.ErrExists) {
			t.Errorf("a name that is taken: %v", err)
		}
		for _, o := range []speckl.RestoreOptions{{}, {Name: "other"}, {Name: "n"}} {
			if _, err := to.Restore(t.Context(), strings.NewReader(archive), o); !errors.Is(err, store.ErrExists) {
				t.Errorf("%v: %v", o, err)
			}
		}
	})
}

// What is wrong with an archive is named by its line, and leaves nothing.
func TestBadArchives(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		from := open()
		ingest(t, from, "m", machine)
		bare, log := exported(t, from, "m", false), exported(t, from, "m", true)
		swapped := strings.SplitAfter(log, "\n")
		swapped[3], swapped[4] = swapped[4], swapped[3]
		for name, x := range map[string]struct {
			archive string
			line    int
			reason  string
		}{
			"empty":       {"", 1, "empty"},
			"conversion":  {machine, 1, "does not begin"},
			"newer":       {`{"speckl":"document/2"}`, 1, "newer speckl"},
			"head alone":  {strings.SplitAfter(bare, "\n")[0], 2, "without a record"},
			"cut":         {log[:len(log)*2/3], strings.Count(log[:len(log)*2/3], "\n") + 1, "no record"},
			"less":        {strings.Join(strings.SplitAfter(bare, "\n")[:5], ""), 1, "not whole"},
			"end":         {withoutLast(log), 1, "says 13 records, and has 12"},
			"bare end":    {withoutLast(bare), 1, "says 13 records, and has 12"},
			"more":        {log + log[strings.LastIndex(strings.TrimSpace(log), "\n")+1:], 15, "record 13"},
			"foreign":     {strings.Replace(bare, `"content":`, `"tone":"dry","content":`, 1), 3, "does not know"},
			"order":       {strings.Join(swapped, ""), 4, "record"},
			"words":       {strings.Replace(log, "an idle state", "an odd state!", 1), 3, "record 2"},
			"hashes":      {strings.Replace(log, `"log":true`, `"log":false`, 1), 2, "hashes"},
			"no hashes":   {strings.Replace(bare, `"log":false`, `"log":true`, 1), 2, "hashes"},
			"cursor":      {strings.Replace(bare, `{"state-machine":5}`, `{"state-machine":500}`, 1), 1, "cursor"},
			"unknown":     {strings.Replace(bare, `"kind":"turn"`, `"kind":"turn","more":1`, 1), 3, "more"},
			"two":         {strings.Replace(bare, "\n", "{}\n", 1), 1, "header"},
			"other house": {strings.Replace(bare, `"organizationId":"local"`, `"organizationId":"acme"`, 1), 1, "acme"},
		} {
			to := open()
			_, err := to.Restore(context.Background(), strings.NewReader(x.archive), speckl.RestoreOptions{})
			var bad *speckl.ArchiveError
			if !errors.As(err, &bad) || !errors.Is(err, speckl.ErrArchive) || bad.Line != x.line || !strings.Contains(bad.Error(), x.reason) {
				t.Errorf("%s: %v, want line %d: … %s", name, err, x.line, x.reason)
			}
			for h := range to.Headers(t.Context()) {
				t.Errorf("%s: left %v", name, h)
			}
		}
	})
}

// withoutLast is an archive without its last record.
func withoutLast(archive string) string {
	lines := strings.SplitAfter(archive, "\n")
	return strings.Join(lines[:len(lines)-2], "")
}

// What is wrong with an archive's lines is found before anything is restored.
func TestProofreadArchive(t *testing.T) {
	from, err := speckl.Open(speckl.Config{Store: stores["memory"](t)})
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, from, "m", machine)
	bare, log := exported(t, from, "m", false), exported(t, from, "m", true)
	for name, x := range map[string]struct {
		archive string
		line    int
		reason  string
	}{
		"whole":       {bare, 0, ""},
		"with log":    {log, 0, ""},
		"end":         {withoutLast(bare), 1, "says 13 records, and has 12"},
		"words":       {strings.Replace(log, "an idle state", "an odd state!", 1), 3, "was changed"},
		"no payload":  {strings.Replace(bare, `"payload":{`, `"payload":null,"p":{`, 1), 2, "no record"},
		"foreign":     {strings.Replace(bare, `"content":`, `"tone":"dry","content":`, 1), 3, "does not know"},
		"other house": {strings.Replace(bare, `"organizationId":"local"`, `"organizationId":"acme"`, 1), 1, "acme"},
	} {
		err := from.Proofread(t.Context(), strings.NewReader(x.archive))
		var bad *speckl.ArchiveError
		switch {
		case x.line == 0 && err != nil:
			t.Errorf("%s: %v", name, err)
		case x.line > 0 && (!errors.As(err, &bad) || bad.Line != x.line || !strings.Contains(bad.Error(), x.reason)):
			t.Errorf("%s: %v, want line %d: … %s", name, err, x.line, x.reason)
		}
	}
}

// An archive that another program has written with other spaces and orders
// is the same archive.
func TestArchiveInAnotherHand(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		from, to := open(), open()
		ingest(t, from, "m", machine)
		want := exported(t, from, "m", false)
		var other strings.Builder
		for line := range strings.Lines(want) {
			var v map[string]any // json.Marshal sorts keys
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			if v["speckl"] != nil { // the first key says what it is
				other.WriteString(line)
				continue
			}
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			other.WriteString(strings.ReplaceAll(string(b), `":`, `" : `) + "\n")
		}
		if _, err := to.Restore(t.Context(), strings.NewReader(other.String()), speckl.RestoreOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Verify(t.Context(), "m"); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, exported(t, to, "m", false)); diff != "" {
			t.Error(diff)
		}
	})
}

// What was erased stays erased in an archive with its log, and there is none
// without.
func TestArchiveOfErasedRecords(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		from := open()
		ingest(t, from, "m", machine)
		bot := sir.Turn{ID: "bot", SessionID: "s", Speaker: sir.Agent, Content: "I agree"}
		if _, err := from.Post(t.Context(), "m", bot, ""); err != nil {
			t.Fatal(err)
		}
		erase(t, from, "m", "ok")
		erase(t, from, "m", "I agree")
		var part bytes.Buffer
		if err := from.Export(t.Context(), &part, "m", false); !errors.Is(err, speckl.ErrErased) || part.Len() > 0 {
			t.Errorf("without its log: %v, and %d bytes of it", err, part.Len())
		}
		want := exported(t, from, "m", true)
		if strings.Contains(want, `"content":"ok"`) {
			t.Error("the words are in the archive")
		}
		to := open()
		if _, err := to.Restore(t.Context(), strings.NewReader(want), speckl.RestoreOptions{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, exported(t, to, "m", true)); diff != "" {
			t.Error(diff)
		}
		if _, err := to.Verify(t.Context(), "m"); err != nil {
			t.Error(err)
		}
		there, err := from.Document(t.Context(), "m")
		here, err2 := to.Document(t.Context(), "m")
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		was, err := printed(there)
		is, err2 := printed(here)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Error(diff)
		}
	})
}

// Turns that were kept are read when the conversation is.
func TestKeptTurnsAreRead(t *testing.T) {
	onStores(t, func(t *testing.T, open func() *speckl.Client) {
		at, kept := open(), open()
		ingest(t, at, "m", machine)
		o := speckl.IngestOptions{Domains: []string{"state-machine"}}
		for want := range []int{5, 0} {
			n, err := kept.Keep(t.Context(), "m", transcript.Read(strings.NewReader(machine), transcript.Options{Name: "chat.txt"}), o)
			if err != nil || n != []int{5, 0}[want] {
				t.Fatalf("%d, %v", n, err)
			}
		}
		if doc, err := kept.Document(t.Context(), "m"); err != nil || doc.Stats.TotalTurns != 5 || len(doc.Elements) != 0 {
			t.Fatalf("%v %v", doc, err)
		}
		ingest(t, kept, "m", machine)
		was, is := names(t, at), names(t, kept)
		if diff := cmp.Diff(was, is); diff != "" {
			t.Error(diff)
		}
	})
}

func names(t testing.TB, c *speckl.Client) []string {
	es, err := c.Query(t.Context(), "m", sir.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range es {
		out = append(out, fmt.Sprint(e.ID, e.Confidence, e.Status))
	}
	return out
}
