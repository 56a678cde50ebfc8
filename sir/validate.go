package sir

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Check tells whether the element keeps the promises that hold for all
// elements: exact evidence, a history, flags and links that agree with the
// status, certainty by people alone. turn finds a turn, or returns nil.
// It returns all that is wrong, each wrapping [ErrBroken], or nil.
func (e *Element) Check(turn func(id string) *Turn) error {
	c := checker{id: e.ID}
	c.header(e)
	for i := range e.Evidence {
		c.evidence(i, &e.Evidence[i], turn(e.Evidence[i].TurnID))
	}
	c.history(e)
	c.flags(e)
	c.links(e)
	return errors.Join(c.errs...)
}

// checker collects what is wrong with one element.
type checker struct {
	id   string
	errs []error
}

// want notes the complaint unless ok.
func (c *checker) want(ok bool, format string, args ...any) {
	if !ok {
		c.errs = append(c.errs, fmt.Errorf("check element %s: %w: %s", c.id, ErrBroken, fmt.Sprintf(format, args...)))
	}
}

func (c *checker) header(e *Element) {
	c.want(e.ID != "" && e.ElementType != "" && e.Domain != "", "id, type or domain is missing")
	c.want(e.Status.Valid(), "status %q is unknown", e.Status)
	c.want(e.Confidence >= 0 && e.Confidence <= Certain, "confidence is %d", e.Confidence)
	c.want(e.Version >= 1, "version is %d", e.Version)
	c.want(len(e.Evidence) > 0, "it has no evidence")
	for name, f := range e.Fields {
		for _, i := range f.Evidence {
			c.want(i >= 0 && i < len(e.Evidence), "field %q has evidence %d of %d", name, i, len(e.Evidence))
		}
	}
}

func (c *checker) evidence(i int, v *Evidence, t *Turn) {
	if t == nil {
		c.want(false, "evidence %d is of the unknown turn %q", i, v.TurnID)
		return
	}
	from, to := v.Bytes[0], v.Bytes[1]
	if from < 0 || to <= from || to > len(t.Content) {
		c.want(false, "evidence %d has bytes [%d,%d) of %d", i, from, to, len(t.Content))
		return
	}
	c.want(t.Content[from:to] == v.Quote, "evidence %d quotes %q, the turn says %q", i, v.Quote, t.Content[from:to])
	c.want(utf8.RuneStart(t.Content[from]) && (to == len(t.Content) || utf8.RuneStart(t.Content[to])), "evidence %d cuts a character", i)
	start := utf8.RuneCountInString(t.Content[:from])
	end := start + utf8.RuneCountInString(t.Content[from:to])
	c.want(v.Chars == [2]int{start, end}, "evidence %d has chars %v, should be [%d %d]", i, v.Chars, start, end)
	c.want(v.Match == Verbatim || v.Match == Normalized || v.Match == Approximate, "evidence %d has match %q", i, v.Match)
}

func (c *checker) history(e *Element) {
	entries := e.Provenance.Entries
	c.want(len(entries) > 0, "it has no history")
	version := 0
	for i := range entries {
		c.want(entries[i].Version >= max(version, 1) && entries[i].Version <= e.Version, "entry %d has version %d", i, entries[i].Version)
		version = entries[i].Version
	}
	confirmed := slices.ContainsFunc(entries, func(n Entry) bool { return n.HumanConfirmed })
	c.want(confirmed || e.Status != Confirmed, "it is confirmed by nobody")
	c.want(confirmed || e.Confidence < Certain, "it is certain by nobody's word")
}

func (c *checker) flags(e *Element) {
	f := e.Flags
	c.want(!f.IsTentative || !f.SourceIsExplicit, "it is tentative and explicit")
	c.want(!f.IsTentative || e.Status != Confirmed, "it is tentative and confirmed")
	c.want(!f.IsAmbiguous || len(e.Interpretations) > 1, "it is ambiguous with %d readings", len(e.Interpretations))
	c.want(!f.IsAmbiguous || e.ResolvedInterpretationID == "", "it is ambiguous and resolved")
	c.want(e.ResolvedInterpretationID == "" || slices.ContainsFunc(e.Interpretations, func(r Interpretation) bool {
		return r.ID == e.ResolvedInterpretationID
	}), "the chosen reading %s is none of its own", e.ResolvedInterpretationID)
}

func (c *checker) links(e *Element) {
	c.want((e.Status == Replaced) == (e.ReplacedByID != ""), "status is %s, replaced by %q", e.Status, e.ReplacedByID)
	c.want(e.ReplacesID != e.ID && e.ReplacedByID != e.ID, "it replaces itself")
	for _, r := range e.Refs {
		c.want(r.Rel != "" && r.ID != "", "ref %q to %q", r.Rel, r.ID)
	}
}
