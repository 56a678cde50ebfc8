package eval

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/speckl/speckl/sir"
)

// Count is how often something was right, found and wrong, or missed.
type Count struct {
	TP int `json:"tp"`
	FP int `json:"fp"`
	FN int `json:"fn"`
	// P, R and F1 are precision, recall and their harmonic mean.
	P  float64 `json:"p"`
	R  float64 `json:"r"`
	F1 float64 `json:"f1"`
}

func (c *Count) add(tp, got, gold int) {
	c.TP += tp
	c.FP += got - tp
	c.FN += gold - tp
}

func (c *Count) finish() {
	c.P = float64(c.TP) / float64(max(1, c.TP+c.FP))
	c.R = float64(c.TP) / float64(max(1, c.TP+c.FN))
	c.F1 = float64(2*c.TP) / float64(max(1, 2*c.TP+c.FP+c.FN))
}

// Report is how a run compares with the gold.
type Report struct {
	Domain string `json:"domain"`
	// N counts the gold rows.
	N int `json:"n"`
	// Types count elements by type; Fields what is known of them, such as
	// "transition.event".
	Types  map[string]*Count `json:"types"`
	Fields map[string]*Count `json:"fields"`
	// MustNot counts the inventions that were made.
	MustNot int `json:"mustNot"`
	// NegativesHit counts the negatives in which something was found.
	NegativesHit int `json:"negativesHit"`
	Negatives    int `json:"negatives"`
	// Spans counts the evidence of live elements, BadSpans what is not the
	// words of its turn, Bare the live elements without any.
	Spans    int `json:"spans"`
	BadSpans int `json:"badSpans"`
	Bare     int `json:"bare"`
	// Missing are rows that the run does not have.
	Missing []string `json:"missing,omitempty"`
	// Wrong says row by row what was found and is not gold, what is gold and
	// was not found, and which inventions were made.
	Wrong []Wrong `json:"-"`
}

// Wrong is one difference from the gold.
type Wrong struct {
	// Row is the row's id; Kind is "extra", "missed" or "mustNot".
	Row, Kind, Text string
}

// Score compares a run with the gold of a domain.
func Score(domain string, gold []Row, run Run) *Report {
	r := &Report{Domain: domain, N: len(gold), Types: map[string]*Count{}, Fields: map[string]*Count{}}
	for i := range gold {
		row := &gold[i]
		got, ok := run[row.ID]
		if !ok {
			r.Missing = append(r.Missing, row.ID)
		}
		live := slices.DeleteFunc(slices.Clone(got.Elements), func(e Element) bool { return !e.Status.Live() })
		var kept []Element
		switch domain {
		case "state-machine":
			kept = r.machine(row, live)
		case "general":
			kept = r.general(row, live)
		default:
			kept = r.other(row, live)
		}
		if len(row.Gold) == 0 {
			r.Negatives++
			if len(kept) > 0 {
				r.NegativesHit++
			}
		}
		for _, m := range row.MustNot {
			if forbidden(m, live) {
				r.MustNot++
				r.wrong(row, "mustNot", describe(m))
			}
		}
		r.spans(row, live, got)
	}
	for _, c := range r.Types {
		c.finish()
	}
	for _, c := range r.Fields {
		c.finish()
	}
	return r
}

func (r *Report) wrong(row *Row, kind, text string) {
	r.Wrong = append(r.Wrong, Wrong{row.ID, kind, text})
}

func (r *Report) typ(name string) *Count   { return counted(r.Types, name) }
func (r *Report) field(name string) *Count { return counted(r.Fields, name) }

func counted(m map[string]*Count, name string) *Count {
	if m[name] == nil {
		m[name] = &Count{}
	}
	return m[name]
}

// Metric returns a number by its name: "transition.f1" of a type,
// "transition.event.p" of a field. ok is false for a name that is none.
func (r *Report) Metric(name string) (value float64, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return 0, false
	}
	c := r.Types[name[:i]]
	if c == nil {
		c = r.Fields[name[:i]]
	}
	if c == nil {
		return 0, false
	}
	switch name[i+1:] {
	case "p":
		return c.P, true
	case "r":
		return c.R, true
	case "f1":
		return c.F1, true
	}
	return 0, false
}

// Metrics lists the names that Metric knows, without ".p", ".r" and ".f1".
func (r *Report) Metrics() []string {
	var out []string
	for k := range r.Types {
		out = append(out, k)
	}
	for k := range r.Fields {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// forbidden reports whether at least as many live elements as the entry's
// count (1) fit all that it names.
func forbidden(entry Entry, live []Element) bool {
	need := 1
	if n, ok := entry["count"].(float64); ok {
		need = int(n)
	}
	hit := 0
	for _, e := range live {
		if (entry.Type() == "*" || entry.Type() == e.Type) && fitsAll(entry, e) {
			hit++
		}
	}
	return hit >= need
}

func fitsAll(entry Entry, e Element) bool {
	for k, want := range entry {
		if k == "type" || k == "count" {
			continue
		}
		got := e.Data[k]
		if k == "status" {
			got = string(e.Status)
		}
		if !fits(want, k, e.Type, got) {
			return false
		}
	}
	return true
}

// whole are fields that hold a state's name: compared as a whole.
var whole = set("from to parent state")

// fits reports whether a value of a must_not entry fits what an element
// holds.
func fits(want any, key, typ string, got any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return fits(w, key, typ, got) })
	}
	empty, isList := got.([]any)
	switch w := want.(type) {
	case nil:
		return unknown(got)
	case bool:
		return got == w
	case string:
		if w == "*" && key != "from" {
			return true
		}
		if w == "!null" {
			return !unknown(got) && !(isList && len(empty) == 0)
		}
	}
	if unknown(got) {
		return false
	}
	if whole[key] || key == "name" && typ == "state" || key == "kind" || key == "when" || key == "status" {
		return name(want) == name(got)
	}
	have := set(name(got))
	for _, w := range strings.Fields(name(want)) {
		if !have[w] {
			return false
		}
	}
	return true
}

// spans checks that all evidence is the words of its turn.
func (r *Report) spans(row *Row, live []Element, got Extracted) {
	texts := map[string]string{}
	for _, t := range got.Turns {
		texts[t.ID] = t.Content
	}
	for _, e := range live {
		if len(e.Evidence) == 0 {
			r.Bare++
		}
		for _, ev := range e.Evidence {
			r.Spans++
			words, ok := texts[ev.TurnID]
			if len(row.Turns) == 0 {
				words, ok = row.Text, true
			}
			if !ok || !exact(words, ev) {
				r.BadSpans++
				r.wrong(row, "badSpan", fmt.Sprintf("%q of turn %s", ev.Quote, ev.TurnID))
			}
		}
	}
}

func exact(text string, ev sir.Evidence) bool {
	a, b := ev.Bytes[0], ev.Bytes[1]
	if ev.Quote == "" || a < 0 || a > b || b > len(text) || text[a:b] != ev.Quote {
		return false
	}
	return len([]rune(text[:a])) == ev.Chars[0] && len([]rune(text[:b])) == ev.Chars[1]
}

// describe prints an entry for a reader, the type first.
func describe(e map[string]any) string {
	var keys []string
	for k := range e {
		if k != "type" {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	s := text(e["type"])
	for _, k := range keys {
		if list, ok := e[k].([]any); unknown(e[k]) || e[k] == false || ok && len(list) == 0 {
			continue
		}
		s += fmt.Sprintf(" %s=%v", k, e[k])
	}
	return s
}
