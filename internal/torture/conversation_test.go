package torture

import (
	"fmt"
	"iter"
	"strings"

	"github.com/speckl/speckl/sir"
)

// docName is the document that everybody works on.
const docName = "shop"

// domains are the document's, all that are built in.
var docDomains = []string{"state-machine", "general"}

// line is one turn of the conversation.
type line struct {
	who, words string
	mode       sir.Mode // "" is that of whoever posts it
}

// conversation gives new elements, refinements, corrections, contradictions,
// questions, answers to them and talk, for both domains.
var conversation = []line{
	{"Ann", "Morning! Before we start: is the coffee machine repaired?", ""},
	{"Ben", "An Order belongs to a Customer, and an Order contains Order Lines.", ""},
	{"Ann", "The app starts in a splash state. After that it goes from splash to idle.", ""},
	{"Cleo", "A Bin has a capacity. The capacity of a Bin is 40 kg.", ""},
	{"Ben", "The idle state has a timeout of 30s.", ""},
	{"Ann", "Actually, make that 60.", ""},
	{"bot", "When the user presses search, it goes from idle to loading.", ""},
	{"Ann", "When results arrive, it goes from loading to results.", ""},
	{"Cleo", "Sorry, one correction. The capacity of a Bin is 35 kg, not 40.", ""},
	{"Ben", "when the user logs in, go to the main screen.", sir.Interactive},
	{"Ann", "2", sir.Interactive},
	{"Cleo", "Every Order must have an invoice. An Order can't be shipped until it is paid.", ""},
	{"Ben", "state: paused (timeout: 5m)", ""},
	{"bot", "When the timer expires, it goes from paused to idle.", ""},
	{"Ann", "The capacity of a Bin is 35 kg.", ""},
	{"Cleo", "Grüße aus Köln 😀, wer bringt Kuchen mit?", ""},
	{"Ben", "When the user cancels, it goes from loading to idle.", ""},
	{"Ann", "No wait, when the user cancels it goes from loading to paused.", ""},
	{"Cleo", "A Picker is a Worker. A Picker carries a Tote.", ""},
	{"Ben", "spec: state error has a timeout of 10s", ""},
	{"bot", "It might also go from results to error when the server fails.", ""},
	{"Ann", "When the server fails, it goes from results to error.", ""},
	{"Cleo", "The SKU of a Product must be unique. A Product has a SKU, a name and a weight.", ""},
	{"Ben", "when the user logs out, go to the splash screen.", sir.Interactive},
	{"Cleo", "Let me think about that one.", ""},
	{"Ann", "The idle state has a timeout of 45s.", ""},
	{"Ben", "It must never go from error to results without a retry.", ""},
	{"bot", "transition: error -> loading on RETRY", ""},
	{"Ann", "transition: error -> loading on RETRY [attempts < 3]", ""},
	{"Cleo", "The weight of a Product is 2 kg.", ""},
	{"Ben", "Hm, who has the keys to room 12?", ""},
	{"Ann", "On exit the loading state hides the spinner.", ""},
	{"Cleo", "A Zone belongs to exactly one Warehouse.", ""},
	{"Ben", "when the user pays, go to the receipt.", sir.Interactive},
	{"Ann", "the event!", sir.Interactive},
	{"Cleo", "The reorder level of a Product is 20 by default.", ""},
	{"bot", "From receipt it goes to idle after 20s.", ""},
	{"Ben", "Scratch that, after 15s.", ""},
	{"Cleo", "A Zone belongs to a Site.", ""},
	{"Ben", "A Warehouse has an address and a manager. Each Warehouse must have a manager.", ""},
	{"Cleo", "The idle state has a timeout of 30s. A Bin has a colour.", ""},
	{"Ann", "When the server answers, it goes from error to idle. When the user presses search, it goes from idle to loading.", ""},
	{"bot", "An Order belongs to a Customer, and an Order contains Order Lines. A Product has a SKU.", ""},
	{"Ben", "The results state has a timeout of 2m. After that it goes from results to idle.", ""},
	{"Cleo", "A Site has a name. The name of a Site must be unique.", ""},
	{"Ann", "That is all, thanks. \t\"Bye\" \\ \u2028 and so on.", ""},
}

// turns are the conversation's, made anew for each caller.
func turns() []sir.Turn {
	out := make([]sir.Turn, len(conversation))
	for i, l := range conversation {
		at := int64(1_773_187_200_000 + 1000*i)
		out[i] = sir.Turn{ID: fmt.Sprintf("t%02d", i+1), SessionID: "talk", Seq: i + 1, Timestamp: &at, Speaker: sir.Human, Content: l.words}
		if l.who == "bot" {
			out[i].Speaker, out[i].AgentID = sir.Agent, "helper"
		} else {
			out[i].SpeakerName = &l.who
		}
		if l.mode != "" {
			out[i].Metadata = &sir.Metadata{Mode: l.mode}
		}
	}
	return out
}

// session is a conversation that speaks of nothing that others speak of.
func session(n int) []sir.Turn {
	words := []string{
		"The waiting# state has a timeout of 30s.",
		"Actually, make that 60.",
		"When the user presses start#, it goes from waiting# to working#.",
		"A Thing# belongs to an Owner#. A Thing# has a colour#.",
		"Sorry, when the user presses start#, it goes from waiting# to resting#.",
		"The weight# of a Thing# is 2 kg.",
		"The waiting# state has a timeout of 45s.",
	}
	name, out := fmt.Sprint("Speaker", n), make([]sir.Turn, len(words))
	for i, w := range words {
		at := int64(1_773_187_200_000 + 1000*i)
		out[i] = sir.Turn{
			ID: fmt.Sprintf("s%d-%d", n, i+1), SessionID: fmt.Sprint("session", n), Seq: i + 1, Timestamp: &at,
			Speaker: sir.Human, SpeakerName: &name, Content: strings.ReplaceAll(w, "#", string(rune('A'+n))),
		}
	}
	return out
}

// stream hands turns to Ingest.
func stream(list []sir.Turn) iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		for _, t := range list {
			if !yield(t, nil) {
				return
			}
		}
	}
}
