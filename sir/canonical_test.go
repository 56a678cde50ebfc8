package sir

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct {
		in   any
		want string
	}{
		{nil, `null`},
		{Data{}, `{}`},
		{[]any{}, `[]`},
		{[]any{1, "a", nil, true, []any{}, map[string]any{}}, `[1,"a",null,true,[],{}]`},
		{map[string]any{"b": 1, "a": map[string]any{"d": 2, "c": []int{3}}}, `{"a":{"c":[3],"d":2},"b":1}`},
		{"<a href='x'>&amp;", `"<a href='x'>&amp;"`},
		{"\u2028\u2029\u007f\u0080é😀", "\"\u2028\u2029\u007f\u0080é😀\""},
		{"\b\t\n\f\r\"\\/\x00\x1f", `"\b\t\n\f\r\"\\/\u0000\u001f"`},
		{Confidence(5500), `0.55`},
		{Confidence(-500), `-0.05`},
		{Certain, `1`},
		{Points(55), `5.5`},
		{int64(9007199254740993), `9007199254740993`},
		{json.RawMessage(`{"b":1.0,"a":-0,"c":1e2, "d": 333333333.33333329}`), `{"a":0,"b":1,"c":100,"d":333333333.3333333}`},
		// RFC 8785, section 3.2.3: sorted by UTF-16 code units.
		{
			map[string]any{"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7},
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}",
		},
	} {
		got, err := Canonical(c.in)
		if err != nil || string(got) != c.want {
			t.Errorf("Canonical(%v) = %s, %v; want %s", c.in, got, err, c.want)
		}
	}
	for _, bad := range []any{"\xff", map[string]any{"\xff": 1}, func() {}, Turn{Content: "a\xc3"}} {
		if _, err := Canonical(bad); !errors.Is(err, ErrValue) {
			t.Errorf("Canonical(%T) gives %v, want ErrValue", bad, err)
		}
	}
	if b, err := Canonical("\ufffd"); err != nil || string(b) != "\"\ufffd\"" {
		t.Errorf("a genuine U+FFFD gives %s, %v", b, err)
	}
}

// drawTurn draws any turn.
func drawTurn(t *rapid.T) *Turn {
	text := rapid.StringN(0, 12, -1)
	turn := &Turn{
		ID: text.Draw(t, "id"), SessionID: text.Draw(t, "session"), Seq: rapid.Int().Draw(t, "seq"),
		Speaker: rapid.SampledFrom([]Role{Human, Agent}).Draw(t, "role"), Content: text.Draw(t, "content"),
		AgentID: text.Draw(t, "agent"), ParentTurnID: text.Draw(t, "parent"),
		Timestamp:   rapid.Ptr(rapid.Int64(), true).Draw(t, "time"),
		SpeakerName: rapid.Ptr(text, true).Draw(t, "name"),
	}
	switch rapid.IntRange(0, 3).Draw(t, "metadata") {
	case 1:
		turn.Metadata = &Metadata{Kind: text.Draw(t, "kind")}
	case 2:
		turn.Metadata = &Metadata{Kind: text.Draw(t, "kind"), Source: &Source{File: text.Draw(t, "file"), Record: 3}}
	case 3:
		turn.Metadata = &Metadata{Kind: text.Draw(t, "kind"), Edits: []string{text.Draw(t, "edit")}, TZ: "UTC", Quoted: [][2]int{{1, 2}}}
	}
	return turn
}

func TestTurnPayloadIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Payload{Turn: drawTurn(t)}
		want, err := Canonical(p)
		got, errFast := new(canonizer).appendPayload(nil, p)
		if (err == nil) != (errFast == nil) || err == nil && string(got) != string(want) {
			t.Fatalf("by hand %s, %v\nwant %s, %v", got, errFast, want, err)
		}
	})
	if _, err := new(canonizer).appendPayload(nil, &Payload{Turn: &Turn{ID: "a\xff"}}); !errors.Is(err, ErrValue) {
		t.Errorf("text that is not UTF-8 gives %v", err)
	}
}

// TestCanonicalIsStable: decoding and encoding again gives the same bytes,
// and the same as encoding/json but for order and escapes.
func TestCanonicalIsStable(t *testing.T) {
	value := rapid.Deferred(func() *rapid.Generator[any] { return anyValue(3) })
	rapid.Check(t, func(t *rapid.T) {
		v := Data{"v": value.Draw(t, "value")}
		one, err := Canonical(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Data
		if err := json.Unmarshal(one, &back); err != nil {
			t.Fatal(err)
		}
		two, err := Canonical(back)
		if err != nil || string(one) != string(two) {
			t.Fatalf("first %s\nthen %s (%v)", one, two, err)
		}
		if !sameValue(map[string]any(v), map[string]any(back)) {
			t.Fatalf("%v became %v", v, back)
		}
		if strings.ContainsAny(string(one), "\n\t") {
			t.Fatalf("white space in %s", one)
		}
	})
}

// anyValue draws a value that data may hold.
func anyValue(depth int) *rapid.Generator[any] {
	all := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int64().AsAny(), rapid.String().AsAny(),
		rapid.Float64Range(-1e6, 1e6).AsAny(), rapid.SliceOf(rapid.String()).AsAny(),
	}
	if depth > 0 {
		all = append(all,
			rapid.SliceOfN(anyValue(depth-1), 0, 3).AsAny(),
			rapid.MapOfN(rapid.String(), anyValue(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(all...)
}
