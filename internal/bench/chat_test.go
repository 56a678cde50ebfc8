package bench

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

// chat is a conversation made of what the repository has: mostly small talk,
// some of the examples' lines, and now and then a sentence that establishes
// something, at most one in a kilobyte. The same size gives the same chat.
type chat struct {
	turns []sir.Turn
	bytes int // of all contents
}

// chatSize is what the goals speak of.
const chatSize = 10_000_000

// long is the chat of chatSize.
var long = sync.OnceValue(func() chat { return newChat(chatSize) })

// every is how many bytes of other talk stand between two cues.
const every = 2_000

func newChat(size int) chat {
	talk, r := smallTalk(), rand.New(rand.NewPCG(1, 2))
	var c chat
	var line strings.Builder
	names := []string{"Priya", "Marcus", "Jun", "Ann Lee"}
	for next := every; c.bytes < size; {
		line.Reset()
		for k := r.IntN(3); k >= 0; k-- {
			if line.Len() > 0 {
				line.WriteByte(' ')
			}
			if c.bytes+line.Len() > next {
				line.WriteString(cue(r))
				next += every
				continue
			}
			line.WriteString(talk[r.IntN(len(talk))])
			if r.IntN(4) == 0 {
				fmt.Fprintf(&line, " %d of them.", r.IntN(1000))
			}
		}
		name, at := names[r.IntN(len(names))], int64(1773187200000+1000*len(c.turns))
		t := sir.Turn{ID: fmt.Sprint("m", len(c.turns)), SessionID: "chat", Seq: len(c.turns) + 1, Timestamp: &at, Speaker: sir.Human, SpeakerName: &name, Content: line.String()}
		c.turns, c.bytes = append(c.turns, t), c.bytes+len(t.Content)
	}
	return c
}

// cue is a sentence of which a rule of a domain makes something.
func cue(r *rand.Rand) string {
	a, b := fmt.Sprintf("%s%d", states[r.IntN(len(states))], r.IntN(40)), states[r.IntN(len(states))]
	switch r.IntN(5) {
	case 0:
		return fmt.Sprintf("When the user presses \"Next %d\", it goes from %s to %s.", r.IntN(40), a, b)
	case 1:
		return fmt.Sprintf("The %s state has a timeout of %d seconds.", a, 5+r.IntN(90))
	case 2:
		return fmt.Sprintf("It starts in the %s state.", a)
	case 3:
		return fmt.Sprintf("%s is a final state.", a)
	}
	return fmt.Sprintf("A Shelf%d has a Label%d.", r.IntN(40), r.IntN(40))
}

var states = []string{"idle", "loading", "ready", "paused", "shipped", "refunded"}

// smallTalk is the domains' small talk, and what of the examples' lines is
// talk, too: a question, a joke, a greeting.
func smallTalk() []string {
	root := filepath.Join("..", "..")
	source, err := os.ReadFile(filepath.Join(root, "domains", "general", "testdata", "smalltalk.txt"))
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSpace(string(source)), "\n")
	for _, name := range []string{"checkout.txt", "planning.txt", "standup.md", "interview.vtt"} {
		source, err := os.ReadFile(filepath.Join(root, "examples", name))
		if err != nil {
			panic(err)
		}
		for t, err := range transcript.Read(bytes.NewReader(source), transcript.Options{Name: name}) {
			if err != nil {
				panic(err)
			}
			if len(t.Content) < 60 && !strings.ContainsAny(t.Content, "\n`\"") {
				lines = append(lines, t.Content)
			}
		}
	}
	return lines
}

// all yields the turns as a reader would.
func (c chat) all() iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		for _, t := range c.turns {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// part is about size bytes of the chat, from turn at.
func (c chat) part(at, size int) chat {
	out := chat{}
	for i := at % len(c.turns); i < len(c.turns) && out.bytes < size; i++ {
		out.turns, out.bytes = append(out.turns, c.turns[i]), out.bytes+len(c.turns[i].Content)
	}
	return out
}

// TestChatIsMostlyTalk: the goals are for a chat with at most one candidate
// in a kilobyte, and one that had none would show nothing.
func TestChatIsMostlyTalk(t *testing.T) {
	c := newChat(300_000)
	for _, d := range prepared(t) {
		n := 0
		for _, p := range propose(d, c) {
			n += p
		}
		perKB := float64(n) / float64(c.bytes) * 1000
		t.Logf("%s: %.2f candidates a KB", d.ID, perKB)
		if perKB > 1 || perKB < 0.1 {
			t.Errorf("%s: %.2f candidates a KB, want 0.1 to 1", d.ID, perKB)
		}
	}
}
