package jsonread_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/jsonread"
)

// told writes a result in one line: its items without white space, with ~
// where one was mended, then the reasons of the losses, each with "!". "[]"
// says that an answer without items was found, "none" that there is none.
func told(t *testing.T, r jsonread.Result) string {
	t.Helper()
	var words []string
	for _, item := range r.Items {
		var b bytes.Buffer
		if err := json.Compact(&b, item.JSON); err != nil {
			t.Fatalf("item %q: %v", item.JSON, err)
		}
		if item.Repaired {
			b.WriteByte('~')
		}
		words = append(words, b.String())
	}
	switch {
	case len(words) == 0 && r.Found:
		words = append(words, "[]")
	case !r.Found:
		words = append(words, "none")
	}
	for _, l := range r.Losses {
		words = append(words, "!"+l.Reason)
	}
	return strings.Join(words, " ")
}

// TestReplies reads thirty replies as models send them.
func TestReplies(t *testing.T) {
	data, err := os.ReadFile("testdata/replies.json")
	if err != nil {
		t.Fatal(err)
	}
	var replies []struct{ Name, Reply, Want string }
	if err := json.Unmarshal(data, &replies); err != nil {
		t.Fatal(err)
	}
	if len(replies) != 30 {
		t.Fatalf("%d replies, want 30", len(replies))
	}
	for _, r := range replies {
		t.Run(r.Name, func(t *testing.T) {
			if got := told(t, jsonread.Items(r.Reply, "extractions")); got != r.Want {
				t.Errorf("%s\n got %s\nwant %s", r.Reply, got, r.Want)
			}
		})
	}
}

func TestItems(t *testing.T) {
	deep := strings.Repeat("[", 250) + strings.Repeat("]", 250)
	for _, c := range []struct{ reply, want string }{
		// Where the items stand.
		{`[{"a":1},{"b":2}]`, `{"a":1} {"b":2}`},
		{`{"items":[{"a":1}],"note":"one"}`, `{"a":1}`},
		{`{"note":"one","items":[{"a":1}]}`, `{"a":1}`},
		{`{"Items ":[{"a":1}]}`, `{"a":1}`},
		{`{"items:":[{"a":1}]}`, `{"a":1}`},
		{`{"findings":[{"a":1}],"count":1}`, `{"a":1}`},
		{`{"findings":[]}`, `[]`},
		{`{"items":{"a":1}}`, `{"a":1}`},
		{`{"items":null}`, `[]`},
		{`{"response":{"items":[{"a":1}]}}`, `{"a":1}`},
		{`{"a":1,"alternatives":[{"b":2}]}`, `{"a":1,"alternatives":[{"b":2}]}`},
		{`{"a":{"items":[]},"b":2}`, `[]`},
		{`{}`, `[]`},
		{`[]`, `[]`},
		{"\uFEFF[{\"a\":1}]", `{"a":1}`},
		{`[1,"x",null,[2]]`, `1 "x" null [2]`},
		{`{"items":["x",{"a":1}]}`, `"x" {"a":1}`},
		{"{\"a\":1}\n{\"a\":1}\n{\"b\":2}", `{"a":1} {"a":1} {"b":2}`},
		{"[{\"a\":1}]\n[{\"b\":2}]", `{"a":1} {"b":2}`},
		{`"{\"items\":[{\"a\":\"x\\\"y\"}]}"`, `{"a":"x\"y"}~`},
		{`"[{\"a\":1},{\"b\":\"cu`, `{"a":1}~ !cut_off`},
		{`{"items":"[{\"a\":1}]"}`, `{"a":1}~`},
		{`"{"items": [{"a": 1}]}"`, `{"a":1}~`},

		// What stands around them.
		{"The set {a, b} and the map {a: 1} gave:\n{\"items\":[{\"a\":1}]}", `{"a":1}`},
		{"Given [1] and [the log], here: [{\"a\":1}] (see {x}).", `{"a":1}`},
		{"- [ ] read\n- [x] think\n[{\"a\":1}]", `{"a":1}`},
		{"Nothing was said. Result: []", `[]`},
		{`"Ship it", they said: [{"a":1}]`, `{"a":1}`},
		{"```\n[{\"a\":1}]\n```", `{"a":1}`},
		{"```json [{\"a\":1}] ```", `{"a":1}`},
		{"Here: ```json\n[{\"a\":1}]\n```", `{"a":1}`},
		{"  ~~~~ json5\n  [{a:1}]\n  ~~~~", `{"a":1}~`},
		{"```json\n[{\"a\":1}]\n```\nor\n```json\n[{\"b\":2}]\n```", `{"a":1} {"b":2}`},
		{"```json\n[{\"a\":1},{\"b\":2}]\n```\nagain\n```json\n[ {\"a\": 1}, {\"b\": 2} ]\n```", `{"a":1} {"b":2}`},
		{"```json\n[{\"a\":1},{\"b\":2}]\n```\nagain\n```json\n[{\"a\":1},{\"b\"", `{"a":1} {"b":2} !cut_off`},
		{"```json\n[{\"a\":1},{\"b\"\n```\nonce more\n```json\n[{\"a\":1},{\"b\":2}]\n```", `{"a":1} {"b":2} !cut_off`},
		{"```json\n{\"a\":1}\n```\nthen\n```python\nprint(x)\n```", `{"a":1}`},
		{"<answer>[{\"a\":1}]</answer>", `{"a":1}`},

		// Thoughts.
		{"<think>maybe {\"items\":[{\"draft\":1}]}?</think>{\"items\":[{\"a\":1}]}", `{"a":1}`},
		{"<Thinking>\n```json\n[{\"draft\":1}]\n```\n</THINKING>\n```json\n[{\"a\":1}]\n```", `{"a":1}`},
		{"[THINK]{[/THINK][{\"a\":1}]", `{"a":1}`},
		{"first [{\"draft\":1}]\n</think>\n[{\"a\":1}]", `{"a":1}`},
		{"<think>\" ' { [ </think>[{\"a\":1}]", `{"a":1}`},
		{"<think>hm { maybe }\n{\"items\":[{\"a\":1}]}", `{"a":1}`},
		{"<think>hm\n```json\n[{\"draft\":1}]\n```\nno:\n```json\n[{\"a\":1}]\n```", `{"a":1}`},
		{"<think>say [{\"draft\":1}] and then", `none !cut_off`},
		{"<think>say [{\"draft\":1}, {\"dr", `none !cut_off`},
		{"<think>all is said</think>", `none !not_json`},
		{"[{\"quote\":\"</think> <think> ``` { [\"},{\"a\":1}]", "{\"quote\":\"</think> <think> ``` { [\"} {\"a\":1}"},

		// Slips.
		{`[{"a":1,},{"b":[1,2,],},]`, `{"a":1}~ {"b":[1,2]}~`},
		{`[{,"a":[,],},{"b":1}]`, `{"a":[]}~ {"b":1}`},
		{`[{"a":1,,"b":2},,{"c":3}]`, `{"a":1,"b":2}~ {"c":3}`},
		{`[{"a":1 "b":2} {"c":["x" "y"]}]`, `{"a":1,"b":2}~ {"c":["x","y"]}~`},
		{`[{'it''s':1}]`, `{"it''s":1}~`},
		{`[{'a':'it's so'},{'b':'the users' list'}]`, `{"a":"it's so"}~ {"b":"the users' list"}~`},
		{`[{'a':'say "hi"','b':'don\'t'}]`, `{"a":"say \"hi\"","b":"don't"}~`},
		{`[{“a”: “x”, “b”: ‘y’}]`, `{"a":"x","b":"y"}~`},
		{`[{„a“: „er sagt “x” dazu“}]`, `{"a":"er sagt “x” dazu"}~`},
		{`[{"a":"“x”, he said, “y”","b":"’"}]`, `{"a":"“x”, he said, “y”","b":"’"}`},
		{`[{"a":"he said "x", twice","b":1}]`, `{"a":"he said \"x\", twice","b":1}~`},
		{`[{"a":"the "b" key"},{"c":["he "x" y","z"]}]`, `{"a":"the \"b\" key"}~ {"c":["he \"x\" y","z"]}~`},
		{"[{\"a\":\"x\n\ty\r\"}]", `{"a":"x\n\ty\r"}~`},
		{"[{\"a\":\"x\x01\xff\"}]", "{\"a\":\"x\\u0001\uFFFD\"}~"},
		{`[{a:1,b_c:2,$d:3,é-f:4,1:5}]`, `{"a":1,"b_c":2,"$d":3,"é-f":4,"1":5}~`},
		{`[{"a":"don\'t","b":"C:\dir","c":"\x41\xzz","d":"a\_b"}]`, `{"a":"don't","b":"C:\\dir","c":"\u0041\\xzz","d":"a_b"}~`},
		{`[{"a":"\ud83d","b":"\ud83d\ude00","c":"\ude00x","d":"\u12"}]`, "{\"a\":\"\uFFFD\",\"b\":\"\\ud83d\\ude00\",\"c\":\"\uFFFDx\",\"d\":\"\\\\u12\"}~"},
		{"[{\"a\":\"one \\\ntwo\"}]", `{"a":"one \ntwo"}~`},
		{`[{"a":None,"b":True,"c":False,"d":NULL}]`, `{"a":null,"b":true,"c":false,"d":null}~`},
		{`[{"a":NaN,"b":-Infinity,"c":undefined}]`, `{"a":null,"b":null,"c":null}~`},
		{`[{"a":+1,"b":.5,"c":5.,"d":-.5}]`, `{"a":1,"b":0.5,"c":5.0,"d":-0.5}~`},
		{`[{"a":007,"b":1.2.3,"c":2026-03-01,"d":85%}]`, `{"a":"007","b":"1.2.3","c":"2026-03-01","d":"85%"}~`},
		{"[ # all\n{\"a\":1, // one\n \"b\":/* two */2 /* three */ } // four\n]", `{"a":1,"b":2}~`},
		{"[{\"a\":\"x\" // why\n,\"b\":\"http://y\"}]", `{"a":"x","b":"http://y"}~`},
		{"[{\u00a0\"a\":\u200b1}]", `{"a":1}~`},
		{`{{"items":[{"a":1}]}}`, `{"a":1}`},
		{`{"items":[{"a":1}}]}`, `{"a":1}`},
		{`{"items":[{"a":1},{"b":2}}`, `{"a":1} {"b":2}`},
		{`{"items":[{"a":1}}, {"b":2}]}`, `{"a":1} {"b":2}`},
		{`[{"a":1,"a":2}]`, `{"a":1,"a":2}`},

		// What is cut or broken is lost, and nothing else.
		{`[{"a":1},{"b":{"c":[{"d":1},{"e`, `{"a":1} !cut_off`},
		{`[{"a":1}`, `{"a":1} !cut_off`},
		{`{"items":[{"a":1}]`, `{"a":1} !cut_off`},
		{`{"items":[{"a":1}],"note":"cu`, `{"a":1} !cut_off`},
		{`{"items":[`, `[] !cut_off`},
		{`{"it`, `none !cut_off`},
		{`{"a":1`, `none !cut_off`},
		{`[12,34`, `12 !cut_off`},
		{`[{"a":1},{"b":1,{"c":1}]`, `{"a":1} {"c":1} !broken`},
		{`[{"a":1},{"b":1]`, `{"a":1} !broken`},
		{`[{"a":1},{"b":{"x":1,"y"},"z":2},{"c":1}]`, `{"a":1} {"c":1} !broken`},
		{`[{"a":1},{"b":oops {"in":1},"z":"}"},{"c":1}]`, `{"a":1} {"c":1} !broken`},
		{`[{"a":1},...]`, `{"a":1} !broken`},
		{`[{"a":1}, and so on`, `{"a":1} !cut_off`},
		{`[{"a":1},{"b":"x]}`, `{"a":1} !cut_off`},
		{`[{"a":1},` + deep + `,{"b":2}]`, `{"a":1} {"b":2} !too_deep`},
		{`{"a":"x","b": oops {"c":1}}`, `none !broken`},
		{"```json\n[{\"a\":1},{\"b\":\"cut\n```\nSorry, I ran out of space.", `{"a":1} !cut_off`},

		// No answer.
		{"I'm sorry, but I can't help with that {or anything}.", `none !not_json`},
		{" \n\t", `none !empty`},
		{"null", `none !not_an_object`},
		{`"no items"`, `none !not_an_object`},
		{"42", `none !not_an_object`},
		{"HTTP/1.1 502 Bad Gateway", `none !not_json`},
		{"<html><body>[502]</body></html>", `none !not_json`},
	} {
		if got := told(t, jsonread.Items(c.reply, "items")); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.reply, got, c.want)
		}
	}
}

func TestObject(t *testing.T) {
	const none = ""
	for _, c := range []struct{ reply, want, losses string }{
		{`{"added":[{"text":"a"}],"invalidated":[]}`, `{"added":[{"text":"a"}],"invalidated":[]}`, ""},
		{"Here you go:\n{\"added\":[],\"invalidated\":[]}\nDone.", `{"added":[],"invalidated":[]}`, ""},
		{"```json\n{'added': [{text: 'a',}],}\n```", `{"added":[{"text":"a"}]}`, ""},
		{`<think>{"added":[1]}</think>{"added":[2]}`, `{"added":[2]}`, ""},
		{"```\n{\"n\":1}\n```\nbetter:\n```\n{\"n\":2}\n```", `{"n":2}`, ""},
		{"```\n{\"n\":1}\n```\nbetter:\n```\n{\"n\":2,\"m\":", `{"n":1}`, "cut_off"},
		{`"{\"added\":[{\"text\":\"a\"}]}"`, `{"added":[{"text":"a"}]}`, ""},
		{`[{"added":[]}]`, `{"added":[]}`, ""},
		{`{}`, `{}`, ""},
		{`{"a":1,"b":{"c":`, `{"a":1}`, "cut_off"},
		{`{"a":1,"b":"cu`, `{"a":1}`, "cut_off"},
		{`{"a":1,`, `{"a":1}`, "cut_off"},
		{`{"a":1`, none, "cut_off"},
		{`{"added":[{"text":"a"},{"text":"b`, `{"added":[{"text":"a"}]}`, "cut_off"},
		{`{"added":[{"text":12}],"invalid`, `{"added":[{"text":12}]}`, "cut_off"},
		{`{"added":[{"text":"a"},{"text" "b"}],"n":1}`, `{"added":[{"text":"a"}],"n":1}`, "broken"},
		{`{"a":1,"b":oops,"c":{"d":oops},e:2}`, `{"a":1,"e":2}`, "broken broken"},
		{"no json here {at all}", none, "not_json"},
		{"[1,2]", none, "not_an_object"},
		{"", none, "empty"},
	} {
		object, lost, found := jsonread.Object(c.reply)
		var got bytes.Buffer
		if found {
			if err := json.Compact(&got, object); err != nil {
				t.Fatalf("%s: %q: %v", c.reply, object, err)
			}
		}
		var losses []string
		for _, l := range lost {
			losses = append(losses, l.Reason)
		}
		if got.String() != c.want || strings.Join(losses, " ") != c.losses {
			t.Errorf("%s\n got %s %v\nwant %s %s", c.reply, &got, losses, c.want, c.losses)
		}
	}
}

// TestLoss: a loss tells where, and how the lost text begins.
func TestLoss(t *testing.T) {
	reply := `[{"a":1}, {"b":"` + strings.Repeat("é", 200)
	want := jsonread.Loss{Reason: jsonread.CutOff, At: 10, Text: `{"b":"` + strings.Repeat("é", 114)}
	got := jsonread.Items(reply)
	if len(got.Losses) != 1 || got.Losses[0] != want {
		t.Errorf("losses %+v, want %+v", got.Losses, want)
	}
}
