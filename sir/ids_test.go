package sir

import (
	"testing"

	"github.com/google/uuid"
)

func TestIDs(t *testing.T) {
	at, other, ann, empty := int64(1), int64(12), "Ann", ""
	seen := map[string]string{}
	for what, id := range map[string]string{
		"document":             DocumentID("local", "m"),
		"other organisation":   DocumentID("loca", "lm"),
		"turn":                 TurnID("s", &at, &ann, "hi", 0),
		"turn again":           TurnID("s", &at, &ann, "hi", 1),
		"no time":              TurnID("s", nil, &ann, "hi", 0),
		"nobody":               TurnID("s", &at, nil, "hi", 0),
		"empty name":           TurnID("s", &at, &empty, "hi", 0),
		"time runs over":       TurnID("s", &other, nil, "hi", 0),
		"content runs over":    TurnID("s", &at, &ann, "hi1", 0),
		"session runs over":    TurnID("s1", nil, &ann, "hi", 0),
		"element":              ElementID("d", "x", "state", "a", 0),
		"next generation":      ElementID("d", "x", "state", "a", 1),
		"key runs over":        ElementID("d", "x", "statea", "", 0),
		"extraction":           ExtractionID("d", Realtime, []string{"a", "b"}, 1),
		"turns run over":       ExtractionID("d", Realtime, []string{"ab"}, 1),
		"no turns":             ExtractionID("d", Realtime, nil, 21),
		"derived":              DerivedID("candidate", "d", "a"),
		"derived without":      DerivedID("candidate", "da"),
		"derived with nothing": DerivedID("candidate", "da", ""),
	} {
		u, err := uuid.Parse(id)
		if err != nil || u.Version() != 5 || u.Variant() != uuid.RFC4122 || u.String() != id {
			t.Errorf("%s: %q is no UUIDv5: %v", what, id, err)
		}
		if was, dup := seen[id]; dup {
			t.Errorf("%s and %s have the same id", what, was)
		}
		seen[id] = what
	}
	want := uuid.NewSHA1(uuid.NewSHA1(namespace, []byte("local")), []byte("m")).String()
	if got := DocumentID("local", "m"); got != want {
		t.Errorf("document id is %s, want %s", got, want)
	}
	// Ids are for ever: documents that exist hold them.
	for got, want := range map[string]string{
		DocumentID("local", "conversation"):           "1fa4bb50-aa67-545a-a0d7-cc0a11a860dc",
		TurnID("stdin", nil, nil, "hello", 0):         "736c4ea8-8239-5727-963a-2dffedbc5fde",
		ElementID("d", "general", "decision", "k", 0): "93812b3b-fb65-5add-a4ec-e5918459ec5a",
	} {
		if got != want {
			t.Errorf("id is %s, want %s", got, want)
		}
	}
}

func TestTurnIDAllocates(t *testing.T) {
	at, name := int64(1773187200000), "Ann"
	if n := testing.AllocsPerRun(100, func() { TurnID("chat", &at, &name, "one short turn", 0) }); n > 1 {
		t.Errorf("TurnID allocates %v times, want 1 (the string)", n)
	}
}
