package export_test

import (
	"fmt"
	"os"
	"slices"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// lamp is a document with one turn and one element.
func lamp() *export.Document {
	name := "Ann"
	turn := &sir.Turn{ID: "t1", SessionID: "lamp.txt", Seq: 1, Speaker: sir.Human, SpeakerName: &name, Content: "The lamp starts in the off state."}
	state := &sir.Element{
		ID: "e1", ElementType: "state", Domain: "state-machine", Data: sir.Data{"name": "off", "isInitial": true},
		Confidence: 5500, Status: sir.Proposed, Version: 1, Flags: sir.Flags{IsTentative: true, NeedsReview: true},
		Evidence: []sir.Evidence{{TurnID: "t1", Bytes: [2]int{0, 32}, Chars: [2]int{0, 32}, Quote: turn.Content[:32], Match: sir.Verbatim}},
	}
	return &export.Document{
		Header:   sir.Header{Name: "lamp", Domains: []string{"state-machine"}},
		Turns:    func(yield func(*sir.Turn, error) bool) { yield(turn, nil) },
		Elements: []*sir.Element{state},
		Stats:    sir.Stats{TotalElements: 1, TentativeElements: 1, TotalTurns: 1, AvgConfidence: 5500},
	}
}

// What a person reads.
func ExampleText() {
	if err := export.Text(os.Stdout, lamp(), export.TextOptions{Width: 72}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// States
	//
	//   off (initial)                      low 0.55 · tentative · needs review
	//     “The lamp starts in the off state” — Ann, turn 1
	//
	// 1 element from 1 turn: 0 confirmed, 1 tentative; average confidence
	//   0.55.
}

// One element a row, for a spreadsheet.
func ExampleCSV() {
	if err := export.CSV(os.Stdout, lamp()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// id,type,domain,status,confidence,version,label,data,flags,quote,speaker,session,turn,turnId
	// e1,state,state-machine,proposed,0.55,1,off (initial),"{""isInitial"":true,""name"":""off""}",needsReview isTentative,The lamp starts in the off state,Ann,lamp.txt,1,t1
}

// Printing order is that of the conversation.
func ExampleSort() {
	said := func(id, turn string, at int) *sir.Element {
		return &sir.Element{ID: id, Evidence: []sir.Evidence{{TurnID: turn, Bytes: [2]int{at, at + 1}}}}
	}
	elements := []*sir.Element{said("c", "t2", 0), said("b", "t1", 40), said("a", "t1", 7)}
	turns := []string{"t1", "t2"}
	export.Sort(elements, func(turnID string) int { return slices.Index(turns, turnID) })
	for _, e := range elements {
		fmt.Print(e.ID, " ")
	}
	// Output: a b c
}
