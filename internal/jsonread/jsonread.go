package jsonread

import "encoding/json"

// Item is one whole item of a reply.
type Item struct {
	// JSON is valid: as the model wrote it, or mended. It is an object, unless
	// the list holds something else. It must not be written to: it may share
	// memory with its neighbours.
	JSON json.RawMessage
	// At is where it begins: a byte offset in the reply. For JSON inside a
	// string, it is where the string begins.
	At int
	// Repaired says that something was mended.
	Repaired bool
}

// The reasons for losses.
const (
	// CutOff: the reply ended before the item did, or before the list, so that
	// more might have come.
	CutOff = "cut_off"
	// Broken: it is no JSON, and nothing that can be mended.
	Broken = "broken"
	// TooDeep: it nests deeper than 200.
	TooDeep = "too_deep"
	// NotJSON: there is no JSON in the whole reply.
	NotJSON = "not_json"
	// NotAnObject: the reply is JSON, but neither a list nor an object.
	NotAnObject = "not_an_object"
	// Empty: the reply is blank.
	Empty = "empty"
)

// Loss is something that stood in a reply and could not be used.
type Loss struct {
	// Reason is one of the constants.
	Reason string
	// At is where it begins: a byte offset in the reply.
	At int
	// Text is how it begins, at most 120 characters; empty where the reply
	// ended between two items.
	Text string
}

// Result is what a reply holds.
type Result struct {
	// Items are in the order of the reply.
	Items []Item
	// Losses are in the order of the reply. There is one at least if nothing
	// was found.
	Losses []Loss
	// Found says that there is an answer: a list, though it may be empty, or a
	// whole item. It is false for a refusal, and for nothing.
	Found bool
}

// Items reads every whole item of a model's reply: the elements of a list; of
// the list that an object holds under one of the keys, or as its first member;
// or objects that stand alone, one or several.
//
// What stands between two fences and is repeated counts once. Where a reply
// thinks aloud (<think>) and never ends that, only an answer counts that is
// whole and ends the reply: what comes before may be a draft.
func Items(reply string, keys ...string) Result {
	return read(reply, keys, 0, (*reader).items)
}

// Object reads one object of a model's reply: the last whole one, if there are
// several. Of one that is cut off or broken the whole members are kept, and of
// a list among the members the whole elements; the rest are losses. It returns
// false where there is no object.
func Object(reply string) (json.RawMessage, []Loss, bool) {
	r := read(reply, nil, 0, (*reader).members)
	switch {
	case len(r.Items) > 0:
		return r.Items[len(r.Items)-1].JSON, r.Losses, true
	case r.Found:
		return json.RawMessage("{}"), r.Losses, true
	}
	return nil, r.Losses, false
}
