package export_test

import (
	"fmt"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

func ExampleLabel() {
	for _, d := range []sir.Data{
		{"name": "idle", "isInitial": true, "isFinal": false, "timeout": "120s", "aliases": []any{}},
		{"from": "idle", "to": "loading", "event": "SEARCH", "guard": "query is not empty", "actions": []any{"showSpinner", "log"}, "kind": "external"},
		{"from": nil, "to": "RENEWING", "event": "T1", "guard": nil, "actions": []any{}, "priority": int64(2)},
		{"subject": "a patient", "verb": "has", "object": "an insurer"},
		{"subject": "waiting list", "name": "maximum size", "value": "25"},
		{"subject": "room", "text": "A room can't be\ndouble-booked"},
		{"severity": nil, "amount": int64(7)},
	} {
		fmt.Println(export.Label(&sir.Element{Data: d}))
	}
	// Output:
	// idle (initial)  {timeout: 120s}
	// idle → loading  on SEARCH  [query is not empty]  / showSpinner, log
	// ? → RENEWING  on T1  {priority: 2}
	// a patient has an insurer
	// waiting list: maximum size = 25
	// A room can't be double-booked  {subject: room}
	// ?  {amount: 7}
}

func ExampleGaps() {
	fmt.Println(export.Gaps(&sir.Element{Data: sir.Data{"from": nil, "to": "RENEWING", "event": "T1"}}))
	fmt.Println(export.Gaps(&sir.Element{Data: sir.Data{"from": "BOUND", "to": nil, "event": nil}}))
	fmt.Println(export.Gaps(&sir.Element{Data: sir.Data{"name": "idle"}}))
	// Output:
	// [From where does it go to “RENEWING” on “T1”?]
	// [Where does it go from “BOUND”?]
	// []
}

func ExampleSessions() {
	ann := "Ann"
	sessions, err := export.Sessions(turnsOf([]*sir.Turn{
		{SessionID: "monday", SpeakerName: &ann}, {SessionID: "monday"}, {SessionID: "tuesday", SpeakerName: &ann}}))
	fmt.Println(sessions, err)
	// Output:
	// [{monday 2 [Ann] <nil>} {tuesday 1 [Ann] <nil>}] <nil>
}
