package store

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/speckl/speckl/sir"
)

var words = []string{"ok", "yes", "thanks", "no", "sure", "fine", "right", "lol"}

// shortTurn is the n-th of many one-word turns, as the JSONL reader makes
// them.
func shortTurn(n int) *sir.Turn {
	at := int64(1773187200000 + 1000*n)
	name := [2]string{"Ann", "Bob"}[n&1]
	t := &sir.Turn{
		SessionID: "chat", Seq: n + 1, Timestamp: &at, Speaker: sir.Human, SpeakerName: &name,
		Content: words[n%len(words)], Metadata: &sir.Metadata{Source: &sir.Source{File: "chat.jsonl", Record: n + 1}},
	}
	t.ID = sir.TurnID(t.SessionID, t.Timestamp, t.SpeakerName, t.Content, 0)
	return t
}

// open returns a store with one document.
func open(tb testing.TB) (*Memory, Ref) {
	tb.Helper()
	s, ref := NewMemory(Config{}), RefTo("local", "conversation")
	err := s.Update(context.Background(), ref, func(tx Tx) error {
		return tx.Create(sir.Header{Name: "conversation", Domains: []string{"general"}})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s, ref
}

func appendTurn(s *Memory, ref Ref, t *sir.Turn) error {
	return s.Update(context.Background(), ref, func(tx Tx) error {
		_, err := tx.Append(Commit{Turn: t, Domain: "general"})
		return err
	})
}

// BenchmarkAppendNoEffect is a transaction with a turn that changes nothing,
// sealing included.
func BenchmarkAppendNoEffect(b *testing.B) {
	s, ref := open(b)
	turns := make([]*sir.Turn, b.N)
	for i := range turns {
		turns[i] = shortTurn(i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for _, t := range turns {
		if err := appendTurn(s, ref, t); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMillionTurns holds the memory of a million one-word turns to its bound.
func TestMillionTurns(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	s, ref := open(t)
	before := heap()
	content := 0
	for i := range n {
		turn := shortTurn(i)
		content += len(turn.Content)
		if err := appendTurn(s, ref, turn); err != nil {
			t.Fatal(err)
		}
	}
	beyond := float64(heap()-before-uint64(content)) / float64(n)
	fmt.Printf("store.Memory: %d one-word turns, %.1f bytes a turn beyond the content\n", n, beyond)
	if beyond > 120 {
		t.Errorf("%.1f bytes a turn, want at most 120", beyond)
	}
	runtime.KeepAlive(s)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkAppendElement is a transaction with a turn that gives one element.
func BenchmarkAppendElement(b *testing.B) {
	s, ref := open(b)
	commits := make([]Commit, b.N)
	for i := range commits {
		t := shortTurn(i)
		e := &sir.Element{
			ID: sir.ElementID(ref.Document, "general", "state", t.ID, 0), ElementType: "state", Domain: "general",
			Confidence: 5500, Status: sir.Proposed, Version: 1, CreatedAt: t.Timestamp, UpdatedAt: t.Timestamp,
			Data:     sir.Data{"name": "idle", "timeout": nil, "onEntry": []any{}, "parent": nil},
			Evidence: []sir.Evidence{{TurnID: t.ID, Bytes: [2]int{0, 2}, Chars: [2]int{0, 2}, Quote: t.Content[:2], Match: sir.Verbatim}},
			Scores:   sir.Scores{Trigger: "pattern", Base: 5500, Modifiers: []sir.Modifier{}, Cap: 9000},
			Provenance: sir.Provenance{Entries: []sir.Entry{{
				TurnID: t.ID, Action: sir.ActionExtracted, Version: 1, Timestamp: t.Timestamp, ConfidenceAtTime: 5500,
				ExtractionRationale: "the pattern starts-in matched", Attribution: sir.Attribution{Type: sir.BySystem, Component: "pattern:x"},
			}}},
			Keys: []string{t.ID}, Terms: []string{"name:" + t.ID},
		}
		commits[i] = Commit{Turn: t, Domain: "general", Mutations: []sir.Mutation{
			{Kind: sir.Created, ElementID: e.ID, Version: 1, Body: &sir.Payload{Element: e}},
		}}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for _, c := range commits {
		err := s.Update(context.Background(), ref, func(tx Tx) error {
			_, err := tx.Append(c)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSlice asks for one element of a document of 10 and of 100,000.
func BenchmarkSlice(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, ref := open(b)
			var c Commit
			for i := range n {
				t := shortTurn(i)
				e := &sir.Element{
					ID: t.ID, ElementType: "state", Domain: "general", Status: sir.Proposed, Version: 1,
					Terms: []string{fmt.Sprint("name:", i)}, Keys: []string{fmt.Sprint(i)},
				}
				c.Mutations = append(c.Mutations, sir.Mutation{Kind: sir.Created, ElementID: e.ID, Version: 1, Body: &sir.Payload{Element: e}})
			}
			c.Turn = shortTurn(n)
			err := s.Update(context.Background(), ref, func(tx Tx) error {
				_, err := tx.Append(c)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				err := s.View(context.Background(), ref, func(r Reader) error {
					_, err := r.Slice(sir.Ask{Domain: "general", Terms: []string{"name:7", "name:none"}})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
