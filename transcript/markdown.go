package transcript

import (
	"bytes"
	"strings"
)

// markdown reads chat logs in Markdown. Three ways to name a speaker are
// known: "**Ann Lee** (09:12): text", "**Ann:** text", and headings, "## You
// said:", "## Ann:". A heading with a date dates the clock times under it.
// Where a file has "said" or role headings, other bold labels and headings are
// text unless they are a name that was met before: an assistant's answer is
// full of them.
type markdown struct{}

func markdownFormat() Format {
	return Format{
		ID: "markdown", Name: "Markdown chat log", Extensions: []string{".md", ".markdown"},
		Description: "Speakers in bold or as headings; block quotes are another's words.",
		reader:      markdown{},
	}
}

var _ reader = markdown{}

func (markdown) sniff(s *sample, c *config) int {
	m := surveyMarkdown(s, c)
	switch {
	case !m.names.speech():
		return 0
	case m.sure:
		return 80
	case m.names.lines() >= textNames(s, c).lines():
		return 70
	}
	return 0
}

func (markdown) read(in *input, out *sink) {
	m := surveyMarkdown(in.sample, in.cfg)
	days := calendar{zone: in.cfg.Zone}
	dateLevel := 1
	sp := &speech{in: in, out: out}
	sp.run(func(l line) ([]byte, bool) {
		h := cutHead(l.text)
		if h.ok && m.speaks(h, in.cfg.labels) {
			sp.begin(l, h.name, days.millis(h.clock))
			return h.rest, true
		}
		if h.level == 0 {
			return l.text, true
		}
		preamble := !sp.open || sp.turn.SpeakerName == nil
		day, dated := findDate(l.text)
		if !preamble && (!dated || h.level > dateLevel) {
			return l.text, true // a heading within an answer
		}
		if dated {
			days.set(day)
			if preamble {
				dateLevel = max(dateLevel, h.level)
			}
		}
		if sp.flush() {
			out.noSpeech(l, l.no, "a heading")
		}
		return nil, false
	})
}

// head is a line that may begin a turn, or is a heading.
type head struct {
	name, clock, rest []byte
	// level is a heading's, 0 for another line.
	level int
	// said is "You said:"; bare is a heading without a colon.
	said, bare bool
	ok         bool
}

// sure reports whether the line's form alone tells a speaker.
func (h head) sure() bool { return h.said || h.clock != nil }

// cutHead takes a line apart by its form.
func cutHead(l []byte) head {
	switch {
	case len(l) < 3:
	case l[0] == '#':
		return cutHeading(l)
	case l[0] == '*' && l[1] == '*', l[0] == '_' && l[1] == '_':
		return cutBold(l)
	}
	return head{}
}

func cutHeading(l []byte) head {
	n := 0
	for n < len(l) && l[n] == '#' {
		n++
	}
	if n > 6 || n < len(l) && l[n] != ' ' && l[n] != '\t' {
		return head{}
	}
	h := head{level: n}
	t := trimSpace(bytes.TrimRight(trimSpace(l[n:]), "#"))
	t, colon := bytes.CutSuffix(t, []byte(":"))
	t = trimBold(trimSpace(t))
	if inner, ok := bytes.CutSuffix(t, []byte(":")); ok {
		t, colon = inner, true
	}
	if name, ok := bytes.CutSuffix(t, []byte(" said")); ok && colon {
		h.name, h.said, h.ok = trimSpace(name), true, true
		return h
	}
	h.name, h.clock = cutClock(t)
	h.name = trimBold(h.name)
	h.bare = !colon && h.clock == nil
	h.ok = len(h.name) > 0
	return h
}

func trimBold(t []byte) []byte {
	if n := len(t); n > 4 && (t[0] == '*' && bytes.HasPrefix(t, []byte("**")) && bytes.HasSuffix(t, []byte("**")) ||
		bytes.HasPrefix(t, []byte("__")) && bytes.HasSuffix(t, []byte("__"))) {
		return trimSpace(t[2 : n-2])
	}
	return t
}

// cutBold splits "**Ann Lee** (09:12): text", "**Ann:** text" and
// "**Ann** (09:12)" alone on its line.
func cutBold(l []byte) head {
	inner, _, ok := bytes.Cut(l[2:min(len(l), maxNameBytes+16)], l[:2])
	if !ok {
		return head{}
	}
	rest := l[len(inner)+4:]
	var h head
	name, colon := bytes.CutSuffix(trimSpace(inner), []byte(":"))
	h.name, h.clock = cutClock(trimSpace(name))
	if h.name = trimSpace(h.name); len(h.name) == 0 {
		return head{}
	}
	if colon { // "**Ann:** text"
		h.ok = len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t'
		h.rest = trimSpaceLeft(rest)
		return h
	}
	rest = trimSpaceLeft(rest)
	if clock, after, ok := leadingClock(rest); ok && h.clock == nil {
		h.clock, rest = clock, trimSpaceLeft(after)
	}
	after, colon := bytes.CutPrefix(rest, []byte(":"))
	h.ok = colon || h.clock != nil && len(rest) == 0
	h.rest = trimSpaceLeft(after)
	return h
}

// leadingClock splits "(09:12): text".
func leadingClock(t []byte) (clock, rest []byte, ok bool) {
	if len(t) == 0 || t[0] != '(' && t[0] != '[' {
		return nil, nil, false
	}
	end := bytes.IndexAny(t[:min(len(t), 48)], ")]")
	if end < 0 {
		return nil, nil, false
	}
	clock = trimSpace(t[1:end])
	_, ok = parseClock(string(clock))
	return clock, t[end+1:], ok
}

// roles are speakers that a heading may name without a colon.
var roles = words(`assistant chatgpt claude copilot gemini human user you`)

// survey is what a sample tells about a Markdown log.
type survey struct {
	names *census
	// sure says that the file has forms that tell a speaker by themselves;
	// strict, that no others are speakers; roles, that headings name roles
	// without a colon.
	sure, strict, roles bool
	// level is that of the first "## Ann:".
	level int
}

func surveyMarkdown(s *sample, c *config) *survey {
	m := &survey{}
	var heads []head
	s.logLines(func(l []byte) {
		h := cutHead(l)
		if !h.ok || len(heads) >= maxKnown {
			return
		}
		heads = append(heads, h)
		low := strings.ToLower(string(h.name))
		name := c.labels.strength(h.name) != noName
		m.sure = m.sure || name && h.sure()
		m.strict = m.strict || name && h.said
		m.roles = m.roles || h.bare && roles[low] && isAgent(low)
		if name && h.level > 0 && !h.sure() && !h.bare && m.level == 0 {
			m.level = h.level
		}
	})
	m.sure, m.strict = m.sure || m.roles, m.strict || m.roles
	m.names = newCensus()
	for _, h := range heads {
		if m.isSure(h) {
			m.addSure(h.name, c.labels.strength(h.name))
		}
	}
	for _, h := range heads {
		switch {
		case m.isSure(h), h.bare:
		case !m.strict:
			m.names.add(h.name, c.labels.strength(h.name))
		case m.names.known(string(h.name)):
			m.names.counts[string(h.name)]++
		}
	}
	return m
}

// addSure counts a name that the form of its line makes one, however it looks.
func (m *survey) addSure(name []byte, n strength) {
	if n == weakName {
		n = strongName
	}
	m.names.add(name, n)
}

// isSure reports whether the form of a line tells a speaker in this file.
func (m *survey) isSure(h head) bool {
	return h.sure() || m.roles && h.bare && roles[strings.ToLower(string(h.name))]
}

// speaks reports whether a line begins a turn.
func (m *survey) speaks(h head, rules *labelRules) bool {
	n := rules.strength(h.name)
	switch {
	case n == noName:
		return false
	case m.isSure(h):
		if len(m.names.strong) < maxKnown {
			m.names.strong[string(h.name)] = true
		}
		return true
	case h.bare:
		return false
	case m.strict:
		return m.names.known(string(h.name))
	case h.level > 0 && h.level != m.level:
		return false
	}
	return n == strongName || m.names.known(string(h.name))
}
