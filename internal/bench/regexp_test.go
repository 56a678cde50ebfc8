package bench

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/internal/pattern"
)

// expressions are the phrases of a domain's rules as plain regexps, one a
// phrase: what somebody would write who had no phrases. Words become words,
// ~verbs their inflections, slots a few words each. subject keeps an optional
// subject at the beginning; a thrifty writer would leave it out, since it may
// be anything.
func expressions(tb testing.TB, subject bool, d *domain.Domain) []*regexp.Regexp {
	tb.Helper()
	var out []*regexp.Regexp
	for _, r := range d.Rules {
		for _, phrase := range r.Phrases {
			re, err := regexp.Compile("(?i)" + translate(phrase, subject))
			if err != nil {
				tb.Fatalf("rule %s, phrase %q: %v", r.ID, phrase, err)
			}
			out = append(out, re)
		}
		if r.Regex != "" {
			out = append(out, regexp.MustCompile(r.Regex))
		}
	}
	return out
}

// translate writes a phrase as a regexp.
func translate(phrase string, subject bool) string {
	t := &translator{rest: phrase, bare: !subject}
	return t.sequence(true, "")
}

// translator reads the phrase language, which it trusts to be right.
type translator struct {
	rest string
	bare bool // leave out an optional subject at the beginning
}

// next takes the next item's first byte into view; 0 at the end or at one of
// the marks in stop.
func (t *translator) next(stop string) byte {
	t.rest = strings.TrimLeft(t.rest, " \t\n")
	if t.rest == "" || strings.IndexByte(stop, t.rest[0]) >= 0 {
		return 0
	}
	return t.rest[0]
}

// sequence reads items up to a mark in stop. first: nothing stands before
// them, so that they begin without white space.
func (t *translator) sequence(first bool, stop string) string {
	var b strings.Builder
	for {
		c := t.next(stop)
		if c == 0 {
			return b.String()
		}
		switch {
		case c == '[':
			t.rest = t.rest[1:]
			body := t.alternation(']')
			switch {
			case first && t.bare && strings.HasPrefix(body, `(?:`+slots["subject"]):
			case first:
				b.WriteString(`(?:` + body + `\s+)?`)
			default:
				b.WriteString(`(?:\s+` + body + `)?`)
			}
			continue
		case c == ',':
			t.rest = t.rest[1:]
			b.WriteString(`\s*[,;:—–-]`)
			first = false
			continue
		case c == '$':
			t.rest = t.rest[1:]
			b.WriteString(`\s*(?:[.,;:!?—–-]|$)`)
			continue
		}
		if !first {
			b.WriteString(space(c, t.rest))
		}
		b.WriteString(t.item(c))
		first = false
	}
}

// space is what stands before an item: a mark may follow at once.
func space(c byte, rest string) string {
	if c == '\\' && len(rest) > 1 {
		return `\s*`
	}
	return `\s+`
}

// alternation reads phrases separated by | up to the closing mark.
func (t *translator) alternation(shut byte) string {
	var kids []string
	for {
		kids = append(kids, t.sequence(true, "|"+string(shut)))
		mark := t.rest[0]
		t.rest = t.rest[1:]
		if mark == shut {
			return `(?:` + strings.Join(kids, "|") + `)`
		}
	}
}

func (t *translator) item(c byte) string {
	switch c {
	case '\\':
		mark := t.rest[1:2]
		t.rest = t.rest[2:]
		return regexp.QuoteMeta(mark)
	case '(':
		t.rest = t.rest[1:]
		return t.alternation(')')
	case '{':
		end := strings.IndexByte(t.rest, '}')
		_, kind, _ := strings.Cut(t.rest[1:end], ":")
		t.rest = t.rest[end+1:]
		return slot(strings.TrimSpace(kind))
	case '~':
		t.rest = t.rest[1:]
		verbs := []string{}
		if t.rest[0] == '(' {
			end := strings.IndexByte(t.rest, ')')
			verbs = strings.Split(t.rest[1:end], "|")
			t.rest = t.rest[end+1:]
		} else {
			verbs = append(verbs, t.word())
		}
		var forms []string
		for _, v := range verbs {
			verb, rest, more := strings.Cut(strings.TrimSpace(v), " ")
			for _, w := range pattern.Inflect(verb) {
				if more {
					w += " " + rest
				}
				forms = append(forms, regexp.QuoteMeta(w))
			}
		}
		return `\b(?:` + strings.Join(forms, "|") + `)\b`
	}
	return literal(t.word())
}

func (t *translator) word() string {
	end := strings.IndexAny(t.rest, " \t\n()[]{}|,~")
	if end < 0 {
		end = len(t.rest)
	}
	w := t.rest[:end]
	t.rest = t.rest[end:]
	return w
}

// literal is a word as it stands, with bounds where it has letters.
func literal(w string) string {
	if strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
		return `\b` + regexp.QuoteMeta(w) + `\b`
	}
	if w == "→" || w == "->" {
		return `(?:→|-+>|=+>)`
	}
	return regexp.QuoteMeta(w)
}

// slots say what a kind of slot takes.
var slots = map[string]string{
	"word":     `(\S+)`,
	"name":     `(\S+(?: \S+){0,5})`,
	"names":    `(\S+(?: \S+){0,11})`,
	"list":     `(\S+(?: \S+){0,11})`,
	"choice":   `(\S+(?: \S+){1,11})`,
	"subject":  `(\S+(?: \S+){0,5})`,
	"clause":   `([^.!?,;\n]+)`,
	"action":   `([^.!?,;\n]+)`,
	"quoted":   "([\"“'`][^\"”'`\\n]+[\"”'`])",
	"number":   `(\d+(?:[.,]\d+)*|one|two|three|four|five|six|seven|eight|nine|ten)`,
	"amount":   `([$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥%]|[A-Z]{3}))`,
	"duration": `(\S+ ?(?:ms|s|m|h|d|milliseconds?|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?))\b`,
	"date":     `(\d{4}-\d\d-\d\d)`,
	"verb":     `((?:is |are )?\w+s?(?: (?:to|in|on|with|from|by|for|of|at))?)`,
	"quantity": `(\d+(?:[.,]\d+)* \S+)`,
}

// slot is the expression of a kind; one that is not listed takes a name.
func slot(kind string) string {
	if s, ok := slots[kind]; ok {
		return s
	}
	return slots["name"]
}

func TestTranslate(t *testing.T) {
	for _, c := range [][2]string{
		{"~(take|fall back) to {to:name} $", `\b(?:take|takes|taking|took|taken|fall back|falls back|falling back|fell back|fallen back)\b\s+\bto\b\s+(\S+(?: \S+){0,5})\s*(?:[.,;:!?—–-]|$)`},
		{"[{subject:subject}] ~be (in|at)", `(?:(?:(\S+(?: \S+){0,5}))\s+)?\b(?:be|is|being|was|been|are|were|am)\b\s+(?:\bin\b|\bat\b)`},
		{"in [the] {s:word} , {t:clause}", `\bin\b(?:\s+(?:\bthe\b))?\s+(\S+)\s*[,;:—–-]\s+([^.!?,;\n]+)`},
		{"{a:name} → {b:name}", `(\S+(?: \S+){0,5})\s+(?:→|-+>|=+>)\s+(\S+(?: \S+){0,5})`},
	} {
		if got := translate(c[0], true); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// TestExpressionsFindTheExamples: the reference does comparable work. It
// knows no adverbs and no clauses, so that it misses some.
func TestExpressionsFindTheExamples(t *testing.T) {
	all, err := domains.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		exprs := expressions(t, true, d)
		found, n := 0, 0
		for _, r := range d.Rules {
			for _, e := range r.Examples {
				n++
				if slices.ContainsFunc(exprs, func(re *regexp.Regexp) bool { return re.MatchString(e.Text) }) {
					found++
				} else {
					t.Logf("%s, rule %s: no expression matches %q", d.ID, r.ID, e.Text)
				}
			}
		}
		if found*10 < n*9 {
			t.Errorf("%s: the expressions match %d of %d examples", d.ID, found, n)
		}
	}
}
