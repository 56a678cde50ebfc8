package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
)

// colors is how many colours the page has for groups.
const colors = 6

// fill makes the parts of the page that are held: all but the transcript.
func (p *htmlPage) fill(v *view, drops []sir.Dropped) {
	p.view, p.spans = v, map[string][]span{}
	p.Title = plain(cmp.Or(p.Header.Name, "Conversation"))
	p.Summary = v.summary()
	numbers := map[string]int{}
	n := 0
	for i, g := range v.groups {
		hg := htmlGroup{Title: plain(g.title), Color: i % colors}
		for _, e := range g.elements {
			n++
			numbers[e.ID] = n
			hg.Items = append(hg.Items, p.item(n, e, fmt.Sprintf("k%d", i%colors)))
		}
		p.Groups = append(p.Groups, hg)
	}
	for i := range p.Document.Candidates {
		n++
		p.Candidates = append(p.Candidates, p.candidate(n, &p.Document.Candidates[i]))
	}
	p.waiting(numbers)
	for _, dr := range drops {
		p.Dropped = append(p.Dropped, htmlDrop{Reason: dropWords(dr.Reason), Text: visible(dr.Text), Detail: plain(dr.Detail),
			Who: p.place(dr.TurnID), Anchor: anchor(dr.TurnID)})
	}
	p.MoreDrops = p.Drops - len(p.Dropped)
	if v.duplicates > 0 {
		p.Duplicates = count(v.duplicates, "repetition")
	}
	p.Degraded = plain(strings.Join(v.degraded, "; "))
	for _, s := range p.spans {
		slices.SortFunc(s, func(a, b span) int {
			return cmp.Compare(a.start, b.start)
		})
	}
}

func (p *htmlPage) place(turnID string) string { return plain(p.view.who(turnID)) }

func (p *htmlPage) item(n int, e *sir.Element, key string) *htmlItem {
	v := p.view
	it := &htmlItem{N: n, ID: e.ID, Key: key, Label: shown(v.doc.label(e)),
		Confidence: e.Confidence, Percent: int(e.Confidence) / 100, Marks: marks(e)}
	states := slices.Clone(it.Marks)
	if e.Status == sir.Proposed {
		states = append(states, string(e.Status))
	}
	for i, s := range states {
		if !slices.Contains(p.States, s) {
			p.States = append(p.States, s)
		}
		states[i] = strings.ReplaceAll(s, " ", "-")
	}
	it.States = strings.Join(states, " ")
	for i, ev := range e.Evidence {
		note := v.evidenceNote(e, i)
		if ev.Match != sir.Verbatim && ev.Match != "" {
			note = strings.TrimPrefix(note+"; "+string(ev.Match)+" match", "; ")
		}
		it.Quotes = append(it.Quotes, p.quote(n, i, ev, key, note))
	}
	for _, r := range v.openReadings(e) {
		it.Readings = append(it.Readings, htmlReading{shown(oneLine(cmp.Or(r.Rationale, v.doc.labelOf(r.ElementType, r.Data)))), confidence(r.Confidence)})
	}
	for _, k := range keys(v.doc, e.Domain, e.ElementType, e.Data) {
		f := htmlField{Name: words(k), Value: shown(valueText(e.Data[k])), Unknown: "unknown"}
		if e.Data[k] != nil {
			f.Unknown = "none" // known to be empty
		}
		if fd, ok := e.Fields[k]; ok && f.Value != "" && fd.Confidence != e.Confidence {
			f.Name += " (" + confidence(fd.Confidence) + ")"
		}
		it.Data = append(it.Data, f)
	}
	it.Score = score(e)
	for _, x := range e.Provenance.Entries {
		what := string(x.Action)
		if x.HumanConfirmed {
			what += " by a person"
		}
		it.History = append(it.History, htmlEvent{what, p.place(x.TurnID), anchor(x.TurnID), confidence(x.ConfidenceAtTime), plain(x.ExtractionRationale)})
	}
	return it
}

func (p *htmlPage) candidate(n int, c *sir.Candidate) *htmlItem {
	it := &htmlItem{N: n, ID: c.CandidateID, Key: "pool", Label: shown(p.labelOf(c.ElementType, c.Data)),
		Confidence: c.Confidence, Percent: int(c.Confidence) / 100, Marks: []string{words(c.ElementType), words(string(c.Reason))}}
	if c.SuggestedQuestion != "" {
		it.Gaps = []string{plain(c.SuggestedQuestion)}
	}
	for i, ev := range c.Evidence {
		it.Quotes = append(it.Quotes, p.quote(n, i, ev, it.Key, ""))
	}
	return it
}

// quote is somebody's words, whose span in the transcript is noted.
func (p *htmlPage) quote(n, i int, ev sir.Evidence, key, note string) htmlQuote {
	p.spans[ev.TurnID] = append(p.spans[ev.TurnID], span{ev.Bytes[0], ev.Bytes[1], ref{n, i, key}})
	return p.said(ev.Quote, ev.TurnID, n, i, note)
}

func (p *htmlPage) said(text, turnID string, n, i int, note string) htmlQuote {
	return htmlQuote{Text: shown(strings.TrimSpace(text)), Who: p.place(turnID), Anchor: anchor(turnID), Note: note, N: n, I: i}
}

// waiting fills in what waits for a person.
func (p *htmlPage) waiting(numbers map[string]int) {
	for _, c := range p.Clarifications {
		q := htmlQuestion{Number: c.Number, Question: shown(oneLine(c.Question)), Quote: p.said(c.Context, c.SourceTurnID, 0, 0, "")}
		for _, o := range c.Options {
			q.Options = append(q.Options, shown(oneLine(o)))
		}
		for _, id := range c.ElementIDs {
			if n := numbers[id]; n > 0 {
				q.Items = append(q.Items, n)
			}
		}
		p.Questions = append(p.Questions, q)
	}
	for _, c := range p.Document.Conflicts {
		h := htmlConflict{Question: shown(oneLine(cmp.Or(c.Question, c.Description, "Two statements conflict."))), Item: numbers[c.ExistingElementID]}
		if e := p.view.byID[c.ExistingElementID]; e != nil && len(e.Evidence) > 0 {
			i := len(e.Evidence) - 1
			h.Sides = append(h.Sides, p.said(e.Evidence[i].Quote, e.Evidence[i].TurnID, h.Item, i, "stands"))
		}
		if in := c.IncomingCandidate.Evidence; len(in) > 0 {
			h.Sides = append(h.Sides, p.said(in[0].Quote, in[0].TurnID, 0, 0, "against it"))
		}
		p.Conflicts = append(p.Conflicts, h)
	}
	for _, g := range p.view.allGaps() {
		p.Gaps = append(p.Gaps, htmlGap{plain(g.question), numbers[g.element.ID]})
	}
}

// score explains a confidence: "pattern 0.55, agent -0.1, at most 0.9".
func score(e *sir.Element) string {
	if e.Scores.Trigger == "" {
		return ""
	}
	parts := []string{words(e.Scores.Trigger) + " " + e.Scores.Base.String()}
	for _, m := range e.Scores.Modifiers {
		sign := "+"
		if m.Value < 0 {
			sign = "" // the number has its own
		}
		parts = append(parts, words(m.Name)+" "+sign+m.Value.String())
	}
	if e.Scores.Cap > 0 {
		parts = append(parts, "at most "+e.Scores.Cap.String())
	}
	by := ""
	if a := e.Attribution; a.Component != "" || a.AgentID != "" || a.Model != "" {
		by = fmt.Sprintf("; by %s", cmp.Or(a.Component, a.AgentID, a.Model))
	}
	return plain(strings.Join(parts, ", ") + by)
}

// UnclearCount is how much waits for a person.
func (p *htmlPage) UnclearCount() int { return len(p.Questions) + len(p.Conflicts) + len(p.Gaps) }

// HasUnclear tells whether the page has a section "Unclear".
func (p *htmlPage) HasUnclear() bool { return p.UnclearCount() > 0 }

// HasLeftOut tells whether the page has a section "Left out".
func (p *htmlPage) HasLeftOut() bool {
	return len(p.Candidates)+len(p.Dropped) > 0 || p.Duplicates != "" || p.Degraded != ""
}

// Slug is a filter's name as it stands in a class list.
func (p *htmlPage) Slug(s string) string { return strings.ReplaceAll(s, " ", "-") }
