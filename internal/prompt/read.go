package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/ground"
	"github.com/speckl/speckl/internal/jsonread"
	"github.com/speckl/speckl/sir"
)

// Said is what a reply gives, by turn.
type Said struct {
	// Candidates are grounded, by the id of the turn that they quote.
	Candidates map[string][]domain.Candidate
	// Dropped is what nobody can use, with the reasons.
	Dropped []sir.Dropped
	// Unread: the reply held nothing that could be read, so that the model
	// has not answered.
	Unread bool
	// Lost counts what was cut off or broken.
	Lost int
}

// The reasons for which an item of a reply is dropped.
const (
	NoQuote     sir.DropReason = "no_quote"     // it quotes nothing
	NoSpan      sir.DropReason = "no_span"      // the quote stands nowhere
	Altered     sir.DropReason = "altered"      // the quote changes what was said
	ReadBefore  sir.DropReason = "read_before"  // only lines of context say it
	UnknownType sir.DropReason = "unknown_type" // the domain has no such type
	Misfit      sir.DropReason = "misfit"       // a value does not fit the schema
	Unsupported sir.DropReason = "unsupported"  // the words do not say it
	SaysNothing sir.DropReason = "says_nothing" // no field is left that says something
	UnknownID   sir.DropReason = "unknown_id"   // it refines what was not shown
)

// Read takes a reply apart. by names the model, for attributions.
func (a *Ask) Read(reply, by string) *Said {
	out := &Said{Candidates: map[string][]domain.Candidate{}}
	found := jsonread.Items(reply, "items", "extractions")
	out.Unread, out.Lost = !found.Found, len(found.Losses)
	for _, l := range found.Losses {
		out.Dropped = append(out.Dropped, sir.Dropped{Reason: sir.DropReason(l.Reason), Text: a.reveal(l.Text), TurnID: a.turnAt(0), Detail: fmt.Sprintf("the reply of %s, at byte %d", by, l.At)})
	}
	var items []*replyItem
	var quotes []ground.Quote
	for _, raw := range found.Items {
		it, err := a.decode(raw.JSON)
		if err != nil {
			out.Lost++
			out.Dropped = append(out.Dropped, sir.Dropped{Reason: "not_an_object", Text: clip(a.reveal(string(raw.JSON))), TurnID: a.turnAt(0), Detail: "the reply of " + by})
			continue
		}
		items = append(items, it)
		quotes = append(quotes, ground.Quote{Text: it.quote, Hint: a.hint(it)})
	}
	if len(items) == 0 {
		return out
	}
	for i, m := range a.grounds().FindAll(quotes) {
		r := &reading{ask: a, out: out, item: items[i], match: m, by: by}
		r.run()
	}
	return out
}

// grounds is the index of the chunk's turns: each whole, once.
func (a *Ask) grounds() *ground.Source {
	if a.source == nil {
		var parts []ground.Part
		for _, l := range a.parts() {
			parts = append(parts, ground.Part{ID: l.Turn.ID, Speaker: l.Turn.Name(), Text: l.Turn.Content})
		}
		a.source = ground.New(parts...)
	}
	return a.source
}

// parts are the chunk's lines, of each turn the first.
func (a *Ask) parts() []Line {
	if a.turns == nil {
		for _, l := range a.Chunk.Lines {
			if n := len(a.turns); n == 0 || a.turns[n-1].Turn != l.Turn {
				a.turns = append(a.turns, l)
			}
		}
	}
	return a.turns
}

// turnAt is the id of the turn on line n, from 1; of the first turn that is
// not context where there is no such line.
func (a *Ask) turnAt(n int) string {
	if n >= 1 && n <= len(a.Chunk.Lines) {
		return a.Chunk.Lines[n-1].Turn.ID
	}
	for _, l := range a.Chunk.Lines {
		if !l.Context {
			return l.Turn.ID
		}
	}
	return ""
}

func (a *Ask) hint(it *replyItem) ground.Hint {
	if it.turn < 1 || it.turn > len(a.Chunk.Lines) {
		return ground.Hint{}
	}
	return ground.Hint{Part: a.Chunk.Lines[it.turn-1].Turn.ID}
}

// replyItem is one item of a reply, with placeholders turned back.
type replyItem struct {
	typ, quote, rationale, refines string
	data                           map[string]any
	confidence                     sir.Confidence
	turn                           int
	alternatives                   []replyItem
}

// decode reads an item. Models give names of their own to what they were
// asked for; those that can only mean one thing are taken.
func (a *Ask) decode(raw json.RawMessage) (*replyItem, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var fields map[string]any
	if err := dec.Decode(&fields); err != nil {
		return nil, err
	}
	return a.item(mapped(fields, a.reveal).(map[string]any)), nil
}

func (a *Ask) item(fields map[string]any) *replyItem {
	taken := map[string]bool{}
	first := func(names ...string) any {
		for _, n := range names {
			if v, ok := fields[n]; ok && v != nil {
				taken[n] = true
				return v
			}
		}
		return nil
	}
	it := &replyItem{
		typ: str(first("type", "elementType", "element_type", "kind")), quote: str(first("quote", "evidence", "evidence_span", "evidenceSpan", "span", "fragment")),
		rationale: str(first("rationale", "reason", "explanation")), refines: str(first("refines", "refines_id", "refinesId")),
		confidence: share(first("confidence", "score")), turn: int(number(first("turn", "turnId", "turn_id"))),
	}
	data, ok := first("data", "fields", "attributes", "properties").(map[string]any)
	if !ok { // the fields stand beside the type
		data = map[string]any{}
		if t := a.prompt.domain.TypeNamed(it.typ); t != nil {
			for i := range t.Fields {
				if v, ok := fields[t.Fields[i].Name]; ok && !taken[t.Fields[i].Name] {
					data[t.Fields[i].Name] = v
				}
			}
		}
	}
	it.data, _ = sir.NormalData(plainNumbers(data))
	if list, ok := fields["alternatives"].([]any); ok {
		for _, x := range list {
			if f, ok := x.(map[string]any); ok {
				it.alternatives = append(it.alternatives, *a.item(f))
			}
		}
	}
	return it
}

// plainNumbers is data with numbers as Go has them.
func plainNumbers(data map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range data {
		out[k] = plainNumber(v)
	}
	return out
}

func plainNumber(v any) any {
	switch x := v.(type) {
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n
		}
		if f, err := x.Float64(); err == nil && !math.IsInf(f, 0) {
			return f
		}
		return x.String()
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = plainNumber(x[i])
		}
		return list
	case map[string]any:
		return plainNumbers(x)
	}
	return v
}

func str(v any) string {
	switch x := v.(type) {
	case string:
		return strings.TrimSpace(x)
	case json.Number:
		return x.String()
	}
	return ""
}

func number(v any) float64 {
	switch x := v.(type) {
	case json.Number:
		f, _ := x.Float64()
		return f
	case string:
		f, _ := json.Number(strings.TrimSpace(x)).Float64()
		return f
	}
	return 0
}

// share is a confidence between 0 and 1; one above 1 counts in percent. 0 is
// for none given.
func share(v any) sir.Confidence {
	f := number(v)
	if f > 1 {
		f /= 100
	}
	if math.IsNaN(f) || f <= 0 {
		return 0
	}
	return sir.Confidence(math.Round(min(f, 1) * 10000))
}

// clipped is the most of a text that a report quotes.
const clipped = 200

// clip is the beginning of a text.
func clip(s string) string {
	if r := []rune(s); len(r) > clipped {
		return string(r[:clipped]) + "…"
	}
	return s
}
