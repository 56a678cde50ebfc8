package ground

import (
	"strings"

	"github.com/speckl/speckl/sir"
)

func place(part, start, end int) Place { return Place{part, sir.Span{Start: start, End: end}} }

func indexFrom(text, quote string, from int) int {
	i := strings.Index(text[from:], quote)
	if i < 0 {
		return i
	}
	return from + i
}

// explain adds the edits and the score to a match that is not exact.
func (f *finding) explain(m *Match, h hit) {
	if f.a == nil {
		m.Edits = f.markEdits(h)
		m.Score = scoreOf(len(m.Edits), len(f.q.tokens))
		for _, e := range m.Edits {
			if e.Why != "" {
				m.Kind = Altered
			}
		}
		return
	}
	f.a.align(h.at)
	v := f.a.judge(true)
	m.Edits, m.Score = v.edits, v.score
}

// markEdits are the differences of a quote whose words are all there.
func (f *finding) markEdits(h hit) []Edit {
	q, text := f.q, f.s.parts[h.Part].Text
	n := len(q.tokens)
	tokens := f.s.tokens[h.at : h.at+n]
	var out []Edit
	add := func(said, given string) {
		e := Edit{Op: "replace", Source: strings.TrimSpace(said), Quote: strings.TrimSpace(given)}
		switch {
		case e.Source == "":
			e.Op = "insert"
		case e.Quote == "":
			e.Op = "delete"
		}
		if strings.Contains(e.Source, "?") && states([]rune(e.Quote)) {
			e.Why = "question"
		}
		out = append(out, e)
	}
	if _, whole := matchBefore(text, max(0, h.Span.Start-64), int(tokens[0].start), q.lead); !whole {
		add("", q.text[:q.tokens[0].start])
	}
	for i := range n - 1 {
		a, b := q.gap(i)
		c, d := int(tokens[i].end), int(tokens[i+1].start)
		if !sameMarks(q.text[a:b], text[c:d], q.text, text, a, b, c, d) {
			add(text[c:d], q.text[a:b])
		}
	}
	end := int(tokens[n-1].end)
	limit := len(text)
	if _, hi := f.s.bounds(h.Part); h.at+n < hi {
		limit = int(f.s.tokens[h.at+n].start)
	}
	if _, whole := matchAfter(text, end, limit, q.tail); !whole {
		said := ""
		if endsAsQuestion(text, end, limit) {
			said = "?"
		}
		add(said, q.text[q.tokens[n-1].end:])
	}
	return out
}
