package export_test

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// turnsOf streams turns, as a store does.
func turnsOf(turns []*sir.Turn) iter.Seq2[*sir.Turn, error] {
	return func(yield func(*sir.Turn, error) bool) {
		for _, t := range turns {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// talk builds a document by hand.
type talk struct {
	turns []*sir.Turn
	doc   export.Document
}

func (k *talk) say(id string, role sir.Role, name, content string) {
	at := int64(1773187200000 + 60000*len(k.turns))
	t := &sir.Turn{ID: id, SessionID: "design", Seq: len(k.turns) + 1, Timestamp: &at, Speaker: role, Content: content}
	if name != "" {
		t.SpeakerName = &name
	}
	k.turns = append(k.turns, t)
}

// words finds a quote in a turn; it panics where the turn does not say it.
func (k *talk) words(id, quote string) sir.Evidence {
	for _, t := range k.turns {
		if t.ID != id {
			continue
		}
		i := strings.Index(t.Content, quote)
		if i < 0 {
			break
		}
		c := utf8.RuneCountInString(t.Content[:i])
		return sir.Evidence{TurnID: id, Bytes: [2]int{i, i + len(quote)},
			Chars: [2]int{c, c + utf8.RuneCountInString(quote)}, Quote: quote, Match: sir.Verbatim}
	}
	panic(fmt.Sprintf("turn %s does not say %q", id, quote))
}

func (k *talk) add(typ string, c sir.Confidence, data sir.Data, evidence ...sir.Evidence) *sir.Element {
	n := len(k.doc.Elements) + 1
	at := int64(1773187200000)
	by := sir.Attribution{Type: sir.BySystem, Component: "pattern:test"}
	e := &sir.Element{
		ID: fmt.Sprintf("00000000-0000-5000-8000-%012d", n), ElementType: typ, Domain: "state-machine",
		Confidence: c, Status: sir.Proposed, Version: 1, CreatedAt: &at, UpdatedAt: &at, Data: data, Evidence: evidence,
		Attribution: by, Scores: sir.Scores{Trigger: "pattern", Base: c, Cap: 9000},
		Flags: sir.Flags{NeedsReview: true, IsTentative: true}, Keys: []string{typ}, Terms: []string{"secret"},
	}
	e.Provenance.Entries = []sir.Entry{{TurnID: evidence[0].TurnID, Action: sir.ActionExtracted, Version: 1,
		Timestamp: &at, ConfidenceAtTime: c, ExtractionRationale: "matched by a test", Attribution: by}}
	k.doc.Elements = append(k.doc.Elements, e)
	return e
}

func state(name string) sir.Data {
	return sir.Data{"name": name, "isInitial": false, "timeout": nil, "entryActions": []any{}}
}

func transition(from, to, event any) sir.Data {
	return sir.Data{"from": from, "to": to, "event": event, "guard": nil, "actions": []any{},
		"priority": nil, "after": nil, "kind": "external", "unwanted": false}
}

// hostile is what a conversation may try on a page.
const hostile = `</script><script>window.pwned=1</script>"><img src=x onerror="window.pwned=2">`

// sample is the seed's §8.4 with a conflict, drops and hard characters.
func sample() *export.Document {
	k := &talk{}
	k.say("turn-001", sir.Human, "Ann", "The system starts in an idle state. When the user clicks 'Search', it goes to a loading state.")
	k.say("turn-002", sir.Human, "Ann", "spec: state idle { isInitial: true, entry: [hideSpinner] }")
	k.say("turn-003", sir.Human, "Bob", "After authentication, go to the dashboard. But what about failed auth?")
	k.say("turn/4 ", sir.Agent, "Helper "+hostile, "Loading times out after 30 seconds 👩‍👩‍👧 and\r\n\tthen it tells us \u202eeverything\u202c \x1b[31mred\u2028"+hostile)
	k.say("turn-005", sir.Human, "", "ok")
	k.say("turn-006", sir.Human, "שרה", "המערכת מתחילה במצב מנוחה. No: loading times out after 60 seconds")
	k.say("turn-007", sir.Human, "Ann", "")

	idle := k.add("state", 9800, state("idle"), k.words("turn-001", "The system starts in an idle state"), k.words("turn-002", "spec: state idle { isInitial: true, entry: [hideSpinner] }"))
	idle.Status, idle.Version, idle.Data["isInitial"], idle.Data["entryActions"] = sir.Confirmed, 2, true, []any{"hideSpinner"}
	idle.Flags = sir.Flags{SourceIsExplicit: true}
	idle.Scores = sir.Scores{Trigger: "marker", Base: 9800, Cap: 9800}
	idle.Provenance.Entries = append(idle.Provenance.Entries, sir.Entry{TurnID: "turn-002", Action: sir.ActionRefined, Version: 2,
		HumanConfirmed: true, ConfidenceAtTime: 9800, ExtractionRationale: "written after spec:",
		Diff: &sir.Diff{FromVersion: 1, ToVersion: 2, TriggerTurnID: "turn-002", Changes: []sir.FieldChange{
			{Field: "state.isInitial", OldValue: false, NewValue: true, Reason: "spec: state idle"}}},
		Attribution: sir.Attribution{Type: sir.ByHuman, SpeakerID: "Ann"}})
	click := k.words("turn-001", "When the user clicks 'Search', it goes to a loading state")
	loading := k.add("state", 5500, state("loading"), click)
	move := k.add("transition", 5500, transition("idle", "loading", "the user clicks 'Search'"), click, k.words("turn-001", "The system starts in an idle state"))
	focus := "focus"
	move.Fields = map[string]sir.Field{"from": {Confidence: 4500, Evidence: []int{1}, Rule: &focus}, "to": {Confidence: 5500, Evidence: []int{0}}}
	move.Refs = []sir.Ref{{Rel: "from", ID: idle.ID}, {Rel: "to", ID: loading.ID}}
	auth := k.add("transition", 4500, transition(nil, "dashboard", nil), k.words("turn-003", "After authentication, go to the dashboard"))
	auth.Flags.IsAmbiguous = true
	auth.Interpretations = []sir.Interpretation{
		{ID: "i1", ElementType: "transition", Data: transition("authentication", "dashboard", nil), Confidence: 4500, Rationale: "authentication is a state", ProposedBy: "pattern:after"},
		{ID: "i2", ElementType: "transition", Data: transition("*", "dashboard", "authentication"), Confidence: 4000, Rationale: "authentication is an event", ProposedBy: "pattern:after"}}
	k.add("transition", 5000, transition(nil, "error", "it times out"), k.words("turn/4 ", "Loading times out"))
	wait := k.add("constraint", 5500, sir.Data{"kind": "require", "state": "loading", "text": "Loading times out after 30 seconds 👩‍👩‍👧", "event": nil},
		k.words("turn/4 ", "Loading times out after 30 seconds 👩‍👩‍👧 and\r\n\tthen"))
	wait.Flags.IsContradicted = true
	k.add("state", 6000, state("מנוחה"), k.words("turn-006", "המערכת מתחילה במצב מנוחה"))
	evil := k.add("state", 6500, state("=cmd|' /C calc'!A0 \u202e"+hostile), k.words("turn/4 ", "\u202eeverything\u202c \x1b[31mred\u2028"+hostile))
	evil.Evidence[0].Match = sir.Approximate
	gone := k.add("state", 5500, state("gone"), k.words("turn-001", "idle"))
	gone.Status, gone.ReplacedByID = sir.Replaced, idle.ID

	against := sir.Candidate{CandidateID: "c2", ElementType: "constraint", Data: sir.Data{"text": "loading times out after 60 seconds"},
		Evidence: []sir.Evidence{k.words("turn-006", "loading times out after 60 seconds")}, Confidence: 5500, Reason: sir.Conflicts}
	k.doc.Candidates = []sir.Candidate{{CandidateID: "c1", ElementType: "guard", Data: sir.Data{"condition": "failed auth", "negated": false},
		Evidence: []sir.Evidence{k.words("turn-003", "failed auth")}, Confidence: 4500, Reason: sir.LowConfidence, SuggestedQuestion: "Is “failed auth” a guard?"}}
	k.doc.Clarifications = []sir.Clarification{{ID: "q1", Number: 1, Question: "Is 'authentication' a state or an event?",
		Context: "After authentication, go to the dashboard", Options: []string{"authentication is a state", "authentication is an event", "authentication is a guard"},
		ElementIDs: []string{auth.ID}, SourceTurnID: "turn-003"}}
	k.doc.Conflicts = []sir.Conflict{{ID: "x1", ExistingElementID: wait.ID, IncomingCandidate: against, ConflictType: sir.ValueMismatch,
		Description: "30 seconds or 60 seconds", SuggestedResolution: sir.ResolveAskHuman, Question: "Does loading time out after 30 or after 60 seconds?"}}

	var results export.Results
	results.Add(&sir.Result{ExtractionID: "r1", Mode: sir.Realtime, SourceTurnIDs: []string{"turn-001"},
		Added:   []sir.Change{{ElementID: idle.ID, Element: &sir.Element{Version: 1}, Action: sir.Created}},
		Summary: "Added 2 states and 1 transition.", Metadata: sir.ResultMetadata{Domain: "state-machine"}})
	for range 21 {
		results.Add(&sir.Result{ExtractionID: "lol", Mode: sir.Realtime, Summary: "No formal elements detected"})
	}
	results.Add(&sir.Result{ExtractionID: "r3", Mode: sir.Interactive, Status: "clarification_needed", SourceTurnIDs: []string{"turn-003"},
		Clarifications: k.doc.Clarifications, Dropped: []sir.Dropped{
			{Reason: "question", Text: "But what about failed auth?", TurnID: "turn-003"},
			{Reason: "no_span", Text: hostile, TurnID: "turn/4 ", Detail: "the model named \x1b]0;it\a"}},
		Duplicates: []sir.Duplicate{{TurnID: "turn-001"}}})
	results.Add(&sir.Result{ExtractionID: "r4", Mode: sir.Realtime, SourceTurnIDs: []string{"turn-005"}})

	d := &k.doc
	d.Header = sir.Header{ID: "doc", Name: "search & <find>", OrganizationID: "local", Domains: []string{"state-machine"}, Version: 6}
	d.Turns = turnsOf(k.turns)
	d.Sessions, _ = export.Sessions(d.Turns)
	d.Results = results.All()
	d.Stats = sir.Stats{TotalElements: 8, ConfirmedElements: 1, TentativeElements: 7, PendingAmbiguities: 1, TotalTurns: 7, AvgConfidence: 6038, DomainConfidence: 3500}
	d.Types = []string{"state", "transition"}
	d.Fields = func(domain, typ string) []string {
		if typ == "transition" {
			return []string{"from", "to", "event", "guard", "actions", "priority", "after", "kind", "unwanted"}
		}
		return []string{"name"}
	}
	return d
}
