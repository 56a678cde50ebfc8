package prompt_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/internal/prompt"
	"github.com/speckl/speckl/sir"
)

func prompts(t testing.TB) map[string]*prompt.Prompt {
	t.Helper()
	all, err := domains.All()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*prompt.Prompt{}
	for _, d := range all {
		p, err := prompt.New(d)
		if err != nil {
			t.Fatal(err)
		}
		out[d.ID] = p
	}
	return out
}

// said is a line that somebody has said.
func said(id, words string) prompt.Line {
	name := "Ann"
	return prompt.Line{Turn: &sir.Turn{ID: id, SessionID: "s", Speaker: sir.Human, SpeakerName: &name, Content: words}, Text: words}
}

// TestExamplesAreChecked: an example that would be dropped is told to no
// model.
func TestExamplesAreChecked(t *testing.T) {
	t.Parallel()
	const head = "id: claims\nname: Claims\ntypes: [{name: claim, fields: [{name: text}], key: [text]}]\nshots:\n"
	for _, shot := range []string{
		"  - {text: It is slow., items: [{type: claim, data: {text: slow}, quote: It is fast}]}\n",
		"  - {text: It is slow., items: [{type: claim, data: {txt: slow}, quote: It is slow}]}\n",
		"  - {text: It is slow., items: [{type: clam, data: {text: slow}, quote: It is slow}]}\n",
	} {
		d, err := domain.Load("claims.yaml", []byte(head+shot))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := prompt.New(d); err == nil || !strings.Contains(err.Error(), "bad example") {
			t.Errorf("%s: %v", shot, err)
		}
	}
}

// TestSplit: chunks keep to their room, hold each line once, and begin with
// the end of the one before; a long line is cut between characters.
func TestSplit(t *testing.T) {
	t.Parallel()
	var lines []prompt.Line
	for i := range 60 {
		lines = append(lines, said(string(rune('a'+i%26))+strings.Repeat("x", i/26), strings.Repeat("some words that are said. ", 1+i%7)))
	}
	long := strings.Repeat("Ein sehr langer Satz über nichts und wieder nichts – 不过如此。 ", 200)
	lines = append(lines, said("long", long))
	const room = 500
	var got strings.Builder
	var want strings.Builder
	for _, l := range lines {
		want.WriteString(l.Text)
	}
	chunks := prompt.Split([]prompt.Line{said("before", "what was said before")}, lines, room)
	for i, c := range chunks {
		tokens, fresh := 0, 0
		for _, l := range c.Lines {
			tokens += prompt.Tokens(l.Text)
			if !utf8.ValidString(l.Text) {
				t.Errorf("chunk %d cuts a character", i)
			}
			if !l.Context {
				fresh++
				got.WriteString(l.Text)
			}
		}
		if tokens > room || fresh == 0 || !c.Lines[0].Context {
			t.Errorf("chunk %d: %d tokens, %d fresh lines, begins with context %v", i, tokens, fresh, c.Lines[0].Context)
		}
	}
	if got.String() != want.String() {
		t.Error("lines are lost or doubled")
	}
	if len(prompt.Split(nil, nil, room)) != 0 {
		t.Error("a chunk of nothing")
	}
}

// FuzzRead: whatever a reply is, what is taken from it quotes the turn, and
// what is said in its fields stands there.
func FuzzRead(f *testing.F) {
	p := prompts(f)["state-machine"]
	const words = "The system starts in an idle state. When the user clicks Search, it goes to a loading state within 30 seconds."
	for _, s := range []string{
		`{"items":[{"type":"state","data":{"name":"idle"},"quote":"idle state","confidence":0.9}]}`,
		`[{"type":"transition","data":{"from":"idle","to":"loading","actions":["x"]},"quote":"it goes to a loading state","alternatives":[{"data":{"to":"idle"}}]}]`,
		`{"items":[{"type":"state","name":"idle","quote":"idle","confidence":"95"}]}`, `{"items":[1,null,"x",[],{}]}`, `{"items":[{"type":"state","data":{"name":"idle","timeout":"30s","isInitial":"yes"},"quote":"idle"}]}`,
		"", "no", `{"items":[{"type":"state","data":[],"quote":5,"turn":"1","refines":{}}]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		ask, err := p.Ask(prompt.Chunk{Lines: []prompt.Line{said("t1", words)}}, prompt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ask.Read(reply, "m")
		for id, all := range got.Candidates {
			for _, c := range all {
				if id != "t1" || c.Span.Start < 0 || c.Span.End > len(words) || c.Span.Start >= c.Span.End {
					t.Fatalf("%q: %s %+v", reply, id, c)
				}
				if name, ok := c.Data["name"].(string); ok && c.Type == "state" {
					for _, w := range domain.ContentWords(name) {
						if !strings.Contains(domain.FoldText(words), w) {
							t.Fatalf("%q: the name %q was not said", reply, name)
						}
					}
				}
			}
		}
		if len(got.Candidates) == 0 && len(got.Dropped) == 0 && !got.Unread && strings.Contains(reply, `"quote"`) && json.Valid([]byte(reply)) {
			t.Logf("%q: nothing, and no reason", reply)
		}
	})
}
