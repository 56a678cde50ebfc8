package jsonread_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/speckl/speckl/internal/jsonread"
)

// pieces are what the strings of generated replies are made of: all that a
// tolerant reader could take for something else.
var pieces = []string{
	`"`, `'`, `“`, `”`, `’`, `{`, `}`, `[`, `]`, `,`, `:`, `", "x": 1`, `"}, {"`, `\`, `\"`, `\u00e9`, "\n", "\n```\n", "```json", "~~~", "<think>", "</think>",
	"// no", "/* no */", "# no", "None", "NaN", " ", "é", "日本", "👍🏽", "e\u0301", "\u200b", "\u00a0", "\x00", "a", "word", "12", "it's",
}

func text(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces"), "")
}

func value(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 && kind > 4 {
		kind = 0
	}
	switch kind {
	case 1:
		return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
	case 2:
		return rapid.IntRange(-100, 100).Draw(t, "int")
	case 3:
		return rapid.Bool().Draw(t, "bool")
	case 4:
		return nil
	case 5:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "len") {
			list = append(list, value(t, depth-1))
		}
		return list
	case 6:
		return object(t, depth-1)
	}
	return text(t)
}

func object(t *rapid.T, depth int) map[string]any {
	m := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		m[text(t)] = value(t, depth)
	}
	return m
}

// reply is a valid reply whose items are known.
type reply struct {
	text  string
	items []string // as in text
	ends  []int    // where they end
}

// draw draws a reply: items in one of the forms that models use.
func draw(t *rapid.T) reply {
	var r reply
	var b strings.Builder
	compact := rapid.Bool().Draw(t, "compact")
	item := func() {
		// A member at least, and the first no list: alone, an empty object is
		// no item, and one that begins with a list may be a wrapper.
		m := object(t, 2)
		m[""] = text(t)
		var raw []byte
		var err error
		if compact {
			raw, err = json.Marshal(m)
		} else {
			raw, err = json.MarshalIndent(m, "  ", " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
		r.items, r.ends = append(r.items, string(raw)), append(r.ends, b.Len())
	}
	items := rapid.IntRange(0, 4).Draw(t, "items")
	b.WriteString(rapid.SampledFrom([]string{"", "\uFEFF", "\n", "Here it is: ", "The {a, b} of it:\n", "<think>hm {a: 1}\n```\n[{\"draft\":1},\n```\n</think>\n"}).Draw(t, "before"))
	fenced := rapid.SampledFrom([]string{"", "```", "~~~"}).Draw(t, "fence")
	if fenced != "" {
		b.WriteString("\n" + fenced + "json\n")
	}
	form := rapid.SampledFrom([]string{"[", `{"items":[`, "{\n \"items\" : [\n", `{"n": 1, "items": [`, "lines"}).Draw(t, "form")
	closer := map[byte]string{'[': "]", '{': "]}", 'l': ""}[form[0]]
	sep := ","
	if form == "lines" {
		form, sep, items = "", "\n", max(items, 1)
	}
	b.WriteString(form)
	for i := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		item()
	}
	b.WriteString(closer)
	if fenced != "" {
		b.WriteString("\n" + fenced + "\n")
	}
	b.WriteString(rapid.SampledFrom([]string{"", "\n", "\nHope this helps."}).Draw(t, "after"))
	r.text = b.String()
	return r
}

func jsons(r jsonread.Result) []string {
	list := []string{}
	for _, item := range r.Items {
		list = append(list, string(item.JSON))
	}
	return list
}

// TestWhole: a valid reply gives its items byte for byte, and loses nothing.
func TestWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t)
		got := jsonread.Items(r.text, "items")
		if diff := cmp.Diff(append([]string{}, r.items...), jsons(got)); diff != "" || len(got.Losses) > 0 || !got.Found {
			t.Fatalf("%q: %+v\n%s", r.text, got.Losses, diff)
		}
		for i, item := range got.Items {
			if item.Repaired || item.At != r.ends[i]-len(r.items[i]) {
				t.Fatalf("%q: item %d is %+v", r.text, i, item)
			}
		}
	})
}

// TestPrefix: of any prefix the items that ended inside it come back, and no
// others; at most one loss is told, and one is if nothing was found.
func TestPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t)
		for n := range len(r.text) {
			whole := []string{}
			for i, end := range r.ends {
				if end <= n {
					whole = append(whole, r.items[i])
				}
			}
			got := jsonread.Items(r.text[:n], "items")
			if diff := cmp.Diff(whole, jsons(got)); diff != "" {
				t.Fatalf("%q: %s", r.text[:n], diff)
			}
			if len(got.Losses) > 1 || !got.Found && len(got.Losses) == 0 {
				t.Fatalf("%q: losses %+v", r.text[:n], got.Losses)
			}
		}
	})
}

// TestContent: what stands in a string comes through a lax writer that escapes
// no more than it must.
func TestContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`[a-zA-Zé日,.;:!?(){}\[\]<>/#“”’\n\t ]{0,40}`).Draw(t, "words")
		lax := fmt.Sprintf("{'items': [{quote: \"%s\", n: None,},]}", words)
		got := jsonread.Items(lax, "items")
		var item struct{ Quote string }
		if len(got.Items) != 1 || json.Unmarshal(got.Items[0].JSON, &item) != nil || item.Quote != words {
			t.Fatalf("%q: %s %+v", lax, jsons(got), got.Losses)
		}
	})
}

// TestDamage: a valid reply with a piece put in or left out anywhere gives
// valid items, and some account of itself.
func TestDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t)
		at := rapid.IntRange(0, len(r.text)).Draw(t, "at")
		to := min(len(r.text), at+rapid.IntRange(0, 3).Draw(t, "less"))
		check(t, r.text[:at]+rapid.SampledFrom(pieces).Draw(t, "more")+r.text[to:])
	})
}

// check holds what must be true of any reply.
func check(t interface{ Fatalf(string, ...any) }, text string) {
	got := jsonread.Items(text, "items")
	if !got.Found && (len(got.Items) > 0 || len(got.Losses) == 0) {
		t.Fatalf("%q: %+v", text, got)
	}
	last := 0
	for _, item := range got.Items {
		if !json.Valid(item.JSON) {
			t.Fatalf("%q: item %q is no JSON", text, item.JSON)
		}
		if item.At < last || item.At >= len(text) {
			t.Fatalf("%q: item %q at %d", text, item.JSON, item.At)
		}
		if last = item.At; !item.Repaired && !strings.HasPrefix(text[item.At:], string(item.JSON)) {
			t.Fatalf("%q: item %q at %d is another text", text, item.JSON, item.At)
		}
	}
	for _, l := range got.Losses {
		if l.Reason == "" || l.At < 0 || l.At > len(text) || utf8.RuneCountInString(l.Text) > 120 || !utf8.ValidString(l.Text) {
			t.Fatalf("%q: loss %+v", text, l)
		}
	}
	object, losses, found := jsonread.Object(text)
	if found != (object != nil) || !found && len(losses) == 0 || found && (!json.Valid(object) || bytes.TrimSpace(object)[0] != '{') {
		t.Fatalf("%q: object %q %v %+v", text, object, found, losses)
	}
}

func FuzzItems(f *testing.F) {
	for _, s := range []string{
		`{"items":[{"a":"b"},{"c":`, "```json\n[{'a': None,}]\n```", "<think>{</think>{a:1}", `[“x”, 'y' "z", 1.2.3, {"a" "b"}]`,
		`"{\"items\":[{\"a\":1}]}"`, `{"items":"[{\"a\":\"\\`, "[{\"a\":\"x\ny \"z\", w\"}] // {", "\uFEFF{{}}[[]]", "[{}}},{]", "[/think]", "~~~", "\\\"", "{'a':\"", "[\"\\x4", "{\"items\":\"0\"00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}
