package ground

import (
	"strings"

	"github.com/speckl/speckl/sir"
)

// change is an edit while a quote is being judged.
type change struct {
	s, q byteRange // of the source and of the quote; empty for nothing
	why  string
	at   int // the operation
}

// byteRange is a range of bytes.
type byteRange struct{ start, end int32 }

func rangeOf(u *unit) byteRange {
	if u == nil {
		return byteRange{}
	}
	return byteRange{u.start, u.end}
}

func (r byteRange) empty() bool { return r.end == 0 }

// join is the range from r to o; either may be empty.
func (r byteRange) join(o byteRange) byteRange {
	switch {
	case r.empty():
		return o
	case o.empty():
		return r
	}
	return byteRange{min(r.start, o.start), max(r.end, o.end)}
}

// meets reports whether o begins in r: it is another word of one contraction.
func (r byteRange) meets(o byteRange) bool { return !r.empty() && !o.empty() && o.start < r.end }

// edit notes that the quote has q where the source has s; nil for nothing.
// Neighbours that were added or left out together are one edit, and so are the
// words of a contraction.
func (j *judgement) edit(s, q *unit, why string) {
	if why != "" {
		j.altered++
	}
	if !j.list {
		return
	}
	c := change{rangeOf(s), rangeOf(q), why, j.step}
	if n := len(j.changes); n > 0 {
		last := &j.changes[n-1]
		together := last.at+1 == c.at && last.why == why &&
			(last.s.empty() && c.s.empty() || last.q.empty() && c.q.empty())
		if together || last.s.meets(c.s) || last.q.meets(c.q) {
			last.s, last.q, last.at = last.s.join(c.s), last.q.join(c.q), c.at
			if why != "" {
				last.why = why
			}
			return
		}
	}
	j.changes = append(j.changes, c)
}

// edits are the changes as they are shown.
func (j *judgement) edits() []Edit {
	if !j.list {
		return nil
	}
	out := make([]Edit, len(j.changes))
	for i, c := range j.changes {
		out[i] = Edit{Op: "replace", Source: j.text[c.s.start:c.s.end], Quote: j.query.text[c.q.start:c.q.end], Why: c.why}
		switch {
		case c.s.empty():
			out[i].Op = "insert"
		case c.q.empty():
			out[i].Op = "delete"
		}
	}
	return out
}

// cutOff is the word that a span of the tokens [from, to) would cut off.
func (j *judgement) cutOff(from, to int) *unit {
	lo, hi := j.s.bounds(j.part)
	t := j.s.tokens[from]
	if from > lo {
		t = j.s.tokens[from-1]
	}
	if to < hi && j.s.tokens[to].is(isGlued) {
		t = j.s.tokens[to]
	}
	return &unit{start: t.start, end: t.end}
}

// span is the bytes of the tokens [from, to), and of the marks around them
// that the quote has, too.
func (j *judgement) span(from, to int) sir.Span {
	out := sir.Span{Start: int(j.s.tokens[from].start), End: int(j.s.tokens[to-1].end)}
	start := 0
	if lo, _ := j.s.bounds(j.part); from > lo {
		start = int(j.s.tokens[from-1].end)
	}
	out.Start, _ = matchBefore(j.text, start, out.Start, j.query.lead)
	out.End, _ = matchAfter(j.text, out.End, j.limit(to), j.query.tail)
	return out
}

// limit is where token to begins, or the part ends.
func (j *judgement) limit(to int) int {
	if _, hi := j.s.bounds(j.part); to < hi {
		return int(j.s.tokens[to].start)
	}
	return len(j.text)
}

// asked reports whether the source asks what the quote states.
func (j *judgement) asked(end, to int) bool {
	return endsAsQuestion(j.text, end, j.limit(to)) && states(j.query.tail)
}

// states reports whether marks end a statement.
func states(marks []rune) bool {
	tail := string(marks)
	return !strings.Contains(tail, "?") && strings.ContainsAny(tail, ".!")
}

func endsAsQuestion(text string, end, limit int) bool {
	got := marks(nil, text, end, min(limit, end+16))
	return len(got) > 0 && got[0] == '?'
}
