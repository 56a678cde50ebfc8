package speckl_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// cues are words from which elements arise; noise is what stands around
// them.
var (
	cues = []string{
		"idle goes to loading", "it goes from loading to ready", "The system starts in an idle state.", "idle is the initial state",
		"When the user clicks 'Search', it goes to a loading state", "the idle state has a timeout of 30s", "actually, make that 60 seconds",
		"Actually, on SEARCH idle goes to results.", "On SEARCH, idle goes to loading.", "scratch that", "no wait,", "I think", "What if",
		"spec: state idle { timeout: 120s, onTimeout: → error }", "state: loading", "transition: idle → loading on START", "event: GO with it",
		"constraint: no transition from shutdown to any state", "spec: nonsense {{{", "state: ", "After authentication, go to the dashboard.",
		"when the user logs in, go to the main screen", "if the balance is zero, show an error", "can't submit when loading",
		"```speckl\nstate idle {}\ntransition idle -> loading on SEARCH [x > 1] / act\n```", "```\nunfinished", "States:\n- IDLE: waiting\n- BUSY: working",
		"IDLE → LOADING → ERROR", "while in loading, the spinner is visible", "> quoted: idle is the final state", "Ben said that idle goes to loading.",
		"LOADING STATE: when it fails, it goes to ERROR.", "1", "2", "b", "yes", "the event", "the idle timeout is maybe more like a minute",
		"the “idle” state", "the `café` state", "e\u0301tat is a final state", "状态 goes to 完成", "it moves to either paid or refused", "that",
		"The \"Order\" belongs to the \"Customer\".", "An Order must have a number.",
	}
	noise = []string{
		" ", ". ", "\n", "\r\n", "\n\n", "; ", ", ", " — ", "\u00a0", "\u200b", "\u200f", "👍🏽 ", "שלום ", "مرحبا، ", "日本語。", "e\u0301", "\ufeff",
		"\t- ", "## ", "“", "'", "`", "(", ")", "…", "\u2028", "ﬁ", "İ", "ẞ", "\U0001F468\u200d\U0001F469\u200d\U0001F467",
	}
)

// drawTurn makes up a turn of cues, marks and arbitrary text.
func drawTurn(t *rapid.T) sir.Turn {
	piece := rapid.OneOf(rapid.SampledFrom(cues), rapid.SampledFrom(cues), rapid.SampledFrom(noise), rapid.StringN(0, 12, -1))
	words := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "joint"))
	words = strings.ReplaceAll(strings.ToValidUTF8(words, "?"), "\x00", "")
	turn := rapid.SampledFrom([]func(string) sir.Turn{ann, ann, ben, someone, bot}).Draw(t, "speaker")(words)
	turn.Metadata = &sir.Metadata{Mode: rapid.SampledFrom([]sir.Mode{sir.Realtime, sir.Realtime, sir.Interactive}).Draw(t, "mode")}
	return turn
}

// TestAnyConversation holds what the design promises for every conversation.
// It is not parallel, for it sets GOMAXPROCS.
func TestAnyConversation(t *testing.T) {
	clients := [2]*talk{fresh(t), fresh(t)}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		turns := rapid.SliceOfN(rapid.Custom(drawTurn), 1, 8).Draw(r, "turns")
		domains := rapid.SampledFrom([][]string{{"state-machine"}, {"state-machine"}, {"general"}, {"state-machine", "general"}}).Draw(r, "domains")
		var out [2]string
		for i, d := range clients {
			runtime.GOMAXPROCS(i + 1)
			k := &talk{t: t, client: d.client, store: d.store, name: fmt.Sprintf("any-%d", n)}
			if err := k.client.Create(t.Context(), k.name, domains...); err != nil {
				r.Fatal(err)
			}
			for _, turn := range turns {
				if err := k.read(turn); err != nil {
					r.Fatal(err)
				}
			}
			if err := k.sound(); err != nil {
				r.Fatal(err)
			}
			if err := k.unlikeEachOther(); err != nil {
				r.Fatal(err)
			}
			out[i] = k.bytes(r)
			if i == 0 {
				k.n = 0
				for _, turn := range turns { // known turns change nothing
					if err := k.read(turn); err != nil {
						r.Fatal(err)
					}
				}
				k.results = k.results[:len(k.results)/2]
			}
		}
		if out[0] != out[1] {
			r.Fatalf("the same turns gave other bytes:\n%s", cmp.Diff(out[0], out[1]))
		}
	})
}

// fresh is a client with a store of its own.
func fresh(t testing.TB) *talk {
	t.Helper()
	memory := store.NewMemory(store.Config{})
	c, err := speckl.Open(speckl.Config{Store: memory})
	if err != nil {
		t.Fatal(err)
	}
	return &talk{client: c, store: memory}
}

// read reads a turn and checks its results.
func (d *talk) read(turn sir.Turn) error {
	d.n++
	turn.ID = fmt.Sprintf("t%d", d.n)
	turn.Seq = d.n
	results, err := d.client.Post(d.t.Context(), d.name, turn, "")
	if err != nil {
		return fmt.Errorf("%q: %w", turn.Content, err)
	}
	d.results = append(d.results, results...)
	for _, r := range results {
		if err := exact(r, turn.Content); err != nil {
			return err
		}
	}
	return nil
}

// exact tells whether the quotes in a result stand in the turn.
func exact(r *sir.Result, content string) error {
	if r.Summary == "" || !utf8.ValidString(r.Summary) {
		return fmt.Errorf("the summary is %q", r.Summary)
	}
	for _, c := range r.Flagged {
		for _, v := range c.Evidence {
			if content[v.Bytes[0]:v.Bytes[1]] != v.Quote || string([]rune(content)[v.Chars[0]:v.Chars[1]]) != v.Quote {
				return fmt.Errorf("a candidate's evidence %+v is not in %q", v, content)
			}
		}
	}
	for _, x := range r.Dropped {
		if !strings.Contains(content, x.Text) {
			return fmt.Errorf("dropped %q, which is not in %q", x.Text, content)
		}
	}
	return nil
}

// unlikeEachOther tells whether no two live elements are the same statement.
func (d *talk) unlikeEachOther() error {
	doc, err := d.client.Document(d.t.Context(), d.name)
	if err != nil {
		return err
	}
	seen := map[string]*sir.Element{}
	for _, e := range doc.Elements {
		dom, err := d.client.Domain(e.Domain)
		if err != nil {
			return err
		}
		if !e.Status.Live() || e.Flags.IsAmbiguous {
			continue
		}
		key := e.Domain + "|" + e.ElementType + "|" + dom.Key(dom.TypeNamed(e.ElementType), e.Data)
		if was := seen[key]; was != nil {
			return fmt.Errorf("two live elements are one:\n%s\n%s", describe(was), describe(e))
		}
		seen[key] = e
	}
	return nil
}

// bytes is all that a reader sees: the document and the results.
func (d *talk) bytes(r *rapid.T) string {
	raw, err := json.Marshal(d.results)
	if err != nil {
		r.Fatal(err)
	}
	return string(d.json()) + string(raw)
}
