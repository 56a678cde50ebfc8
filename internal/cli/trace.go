package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// traced prints what each stage made of a turn, on stderr.
func (a *app) traced(t speckl.Trace) {
	var b strings.Builder
	who := cmp.Or(t.Turn.Name(), t.Turn.AgentID, string(t.Turn.Speaker))
	fmt.Fprintf(&b, "turn %d of %s, %s, as %s\n", t.Turn.Seq, t.Turn.SessionID, who, t.Domain)
	fmt.Fprintf(&b, "  1 annotate  %s\n", orNone(len(t.Sentences), "sentence", "no rule could match, so no sentences were looked for"))
	for _, s := range t.Sentences {
		scopes := ""
		if len(s.Scopes) > 0 {
			scopes = "  [" + strings.Join(s.Scopes, ", ") + "]"
		}
		fmt.Fprintf(&b, "      %q%s\n", s.Text, scopes)
	}
	fmt.Fprintf(&b, "  2 match     %s\n", orNone(len(t.Candidates), "candidate", "none"))
	for i := range t.Candidates {
		b.WriteString(tracedCandidate(t.Turn, &t.Candidates[i]))
	}
	b.WriteString("  3 model     none set\n")
	fmt.Fprintf(&b, "  4 look up   %s, %s came back\n", count(len(t.Asked), "term"), count(t.Loaded, "element"))
	r := t.Result
	fmt.Fprintf(&b, "  5 conflicts %s\n", orNone(len(r.Conflicts), "conflict", "none"))
	for _, c := range r.Conflicts {
		fmt.Fprintf(&b, "      %s\n", c.Description)
	}
	fmt.Fprintf(&b, "  6 ambiguous %s\n", orNone(len(r.Ambiguities), "fragment", "none"))
	for _, x := range r.Ambiguities {
		fmt.Fprintf(&b, "      %q: %s\n", x.SourceFragment, x.Description)
	}
	fmt.Fprintf(&b, "  7 decide    %s\n", oneLine(r.Summary))
	for _, part := range []struct {
		name    string
		changes []sir.Change
	}{{"added", r.Added}, {"refined", r.Refined}, {"deprecated", r.Deprecated}} {
		for _, c := range part.changes {
			if c.Element != nil {
				fmt.Fprintf(&b, "      %s %s %s  %s\n", part.name, c.Element.ElementType, data(c.Element.Data), scores(c.Element))
			}
		}
	}
	for _, f := range r.Flagged {
		fmt.Fprintf(&b, "      flagged (%s) %s %s  %s\n", f.Reason, f.ElementType, data(f.Data), f.Confidence)
	}
	for _, d := range r.Dropped {
		fmt.Fprintf(&b, "      dropped (%s) %q %s\n", d.Reason, d.Text, d.Detail)
	}
	fmt.Fprintln(a.stderr, b.String())
}

func orNone(n int, noun, none string) string {
	if n == 0 {
		return none
	}
	return count(n, noun)
}

func tracedCandidate(turn *sir.Turn, c *domain.Candidate) string {
	s := fmt.Sprintf("      %s %s  by %s %s", c.Type, data(c.Data), c.Trigger, c.Rule)
	if c.Base > 0 {
		s += " base " + c.Base.String()
	}
	if names := c.Scope.Names(); len(names) > 0 {
		s += " [" + strings.Join(names, ", ") + "]"
	}
	if 0 <= c.Span.Start && c.Span.Start <= c.Span.End && c.Span.End <= len(turn.Content) {
		s += fmt.Sprintf("  %q", c.Span.Of(turn.Content))
	}
	return s + "\n"
}

// data prints the fields that are known.
func data(d sir.Data) string {
	var parts []string
	for _, k := range sorted(d) {
		switch v := d[k].(type) {
		case nil:
		case bool:
			if v {
				parts = append(parts, k)
			}
		case []any:
			if len(v) > 0 {
				parts = append(parts, fmt.Sprintf("%s=%q", k, v))
			}
		case string:
			parts = append(parts, fmt.Sprintf("%s=%q", k, v))
		default:
			parts = append(parts, fmt.Sprintf("%s=%v", k, v))
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// scores is the sum behind a confidence: "0.5 = pattern 0.55 − hedge 0.05".
func scores(e *sir.Element) string {
	s := fmt.Sprintf("%s = %s %s", e.Confidence, e.Scores.Trigger, e.Scores.Base)
	for _, m := range e.Scores.Modifiers {
		if m.Value < 0 {
			s += fmt.Sprintf(" − %s %s", m.Name, -m.Value)
		} else {
			s += fmt.Sprintf(" + %s %s", m.Name, m.Value)
		}
	}
	return s
}
