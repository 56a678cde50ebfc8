package transcript

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultMarkers are the explicit markers every domain knows.
var DefaultMarkers = []string{"spec:", "state:", "transition:", "event:", "guard:", "action:", "constraint:"}

// cueNouns end labels that announce something and name nobody.
var cueNouns = words(`
	action actions addendum advice agenda aim answer answers appendix argument assumption assumptions attachment
	attendee attendees author background benefits blocker blockers body budget bug cause caveat cc change changes
	comment comments conclusion cons constraint constraints context cost countdown criteria date deadline decision
	decisions definition dependencies description detail details diagram draft due duration edit effort end error
	estimate event events example examples exception fact facts feature features feedback finding findings fix follow-up
	followup footnote format ftp fyi goal goals guard guess heading headline hint history http https idea ideas
	impact info input instructions invariant issue issues item items keyword keywords label language length license
	licence limit link links list location log mailto message method metadata milestone minutes mode name nb need
	needs next nota note notes objective objectives observation option options outcome outcomes output overview owner
	owners parameters part participants phase plan point points postscript price priority problem
	problems process progress properties property pros ps purpose question questions quote reason reasons
	recap recommendation reference references reminder requirement requirements resolution resources result results
	risk risks rule rules scenario scope section setup solution source sources spec specification stage start state
	states status step steps story subject suggestion summary symptom synopsis tags takeaway takeaways target task
	tasks test tests theme thing things time timeline tip tips title tldr to-do todo todos topic topics transition
	trigger type update updates url usage use version warning weakness where why workflow workaround
	monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday morning afternoon evening`)

// openers begin a sentence, not a name.
var openers = words(`
	a about after again all also although an and any anyway are as at basically because before besides both but
	by can could did do does either every except finally first firstly for from given had has have he hence here
	how however i if in instead is it it's its just last lastly let let's like look maybe meanwhile more most
	much my never next no nor not now of oh ok okay on once one only or other our overall perhaps please
	question re regarding remember right same second secondly see seriously she should similarly since so some
	sorry still such than thanks that that's the their them then there there's therefore these they third this
	those though thus to too two under unless until us we well were what what's when where whether which while
	who whose why with without would yes yet your`)

// nameables are openers which are names too, where they recur.
var nameables = words(`an can do he on so to`)

// agentNames are whole names of assistants; agentWords may stand beside them.
var (
	agentNames = words(`
		agent ai assistant bard chatbot chatgpt claude copilot deepseek gemini gpt grok llama llm mistral model
		perplexity qwen`)
	agentWords = words(`flash github google haiku mini microsoft opus pro sonnet turbo`)
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// strength says how much a label looks like a name.
type strength int8

const (
	noName strength = iota
	// weakName could be one where it recurs: a handle, "Unknown speaker".
	weakName
	// strongName looks like one on its own: "Ann", "Trần Bảo (Guest)".
	strongName
)

// labelRules tell names from other labels.
type labelRules struct {
	markers, cues map[string]bool
	// known remembers verdicts.
	known map[string]strength
}

func newLabelRules(markers, nouns []string) *labelRules {
	r := &labelRules{markers: map[string]bool{}, cues: map[string]bool{}, known: map[string]strength{}}
	for _, m := range markers {
		r.markers[strings.ToLower(strings.TrimSuffix(strings.TrimSpace(m), ":"))] = true
	}
	for _, n := range nouns {
		r.cues[strings.ToLower(n)] = true
	}
	return r
}

// Bounds of a name.
const (
	maxNameBytes = 120
	maxNameRunes = 48
	maxNameWords = 6
)

// strength judges a label.
func (r *labelRules) strength(label []byte) strength {
	if len(label) == 0 || len(label) > maxNameBytes {
		return noName
	}
	if s, ok := r.known[string(label)]; ok {
		return s
	}
	s := nameShape(string(label))
	if s != noName {
		s = min(s, r.words(string(label)))
	}
	if len(r.known) < maxKnown {
		r.known[string(label)] = s
	}
	return s
}

// words judges a label by its words: a marker is no name, nor what begins like
// a sentence or ends in a cue noun, with or without a number behind it.
func (r *labelRules) words(label string) strength {
	fields := strings.Fields(strings.ToLower(label))
	last := len(fields) - 1
	if last > 0 && isOrdinal(fields[last]) {
		last--
	}
	noun := strings.Trim(fields[last], "()[]'’.&#")
	switch {
	case r.markers[strings.Join(fields, " ")], r.markers[noun], cueNouns[noun], r.cues[noun]:
		return noName
	case len(fields) == 1 && nameables[fields[0]]:
		return weakName
	case openers[fields[0]] && len(label) > 1:
		return noName
	}
	return strongName
}

// isOrdinal reports whether w only counts: "2", "b", "#3".
func isOrdinal(w string) bool {
	w = strings.TrimLeft(w, "#")
	return len(w) == 1 || w != "" && strings.Trim(w, "0123456789.") == ""
}

// nameShape judges a label by its letters alone.
func nameShape(label string) strength {
	if utf8.RuneCountInString(label) > maxNameRunes {
		return noName
	}
	first, _ := utf8.DecodeRuneInString(label)
	last, _ := utf8.DecodeLastRuneInString(label)
	if !unicode.IsLetter(first) && first != '@' && first != '+' && first != '~' {
		return noName
	}
	if !unicode.In(last, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(".)]'’*", last) && !isPictograph(last) {
		return noName
	}
	letters, open := 0, 0
	got := strongName
	for _, c := range label {
		switch {
		case unicode.IsLetter(c):
			letters++
		case unicode.In(c, unicode.M, unicode.N), isPictograph(c), strings.ContainsRune(" .'’-_@+/#·~&\u00a0\u202f", c):
		case c == '(' || c == '[':
			open++
		case c == ')' || c == ']':
			open--
		case c == ',':
			got = weakName
		default:
			return noName
		}
		if open < 0 {
			return noName
		}
	}
	fields := strings.Fields(label)
	if open != 0 || len(fields) > maxNameWords || letters == 0 && first != '+' {
		return noName
	}
	for i, w := range fields {
		if !capital(w, i == 0) {
			got = weakName
		}
	}
	return got
}

// capital reports whether a word of a name begins as one may. Particles are
// short; scripts without case have no say.
func capital(w string, first bool) bool {
	w = strings.TrimLeft(w, "(@+~[")
	c, _ := utf8.DecodeRuneInString(w)
	return !unicode.IsLower(c) || !first && len(w) <= 3
}

// isPictograph reports whether c is an emoji or a part of one.
func isPictograph(c rune) bool {
	return c == 0x200d || c >= 0xfe00 && c <= 0xfe0f || c >= 0x2600 && unicode.In(c, unicode.So, unicode.Sk)
}

// isAgent reports whether a name is an assistant's or a bot's. Where it could
// be either, it is: an agent's words weigh less.
func isAgent(name string) bool {
	fields := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("-_()[]./", c)
	})
	named := false
	for _, w := range fields {
		named = named || agentNames[w]
		if !agentNames[w] && !agentWords[w] && strings.Trim(w, "0123456789ov") != "" {
			named = false
			break
		}
	}
	return named || slices.Contains(fields, "bot") || len(fields) > 0 && fields[len(fields)-1] == "assistant"
}

// cutLabel splits "Name: text" and "Name (09:12): text". It looks at shape
// only; the name may be none.
func cutLabel(text []byte) (name, clock, rest []byte, ok bool) {
	head := text[:min(len(text), maxNameBytes+16)]
	i := bytes.IndexByte(head, ':')
	if j := bytes.Index(head, fullColon); j > 0 && (i < 0 || j < i) {
		return trimSpace(text[:j]), nil, trimSpaceLeft(text[j+len(fullColon):]), true
	}
	if i > 0 && !endsLabel(text, i) && bytes.IndexByte(head[:i], '(') > 0 {
		if j := bytes.Index(head, []byte("):")); j > i {
			i = j + 1 // the first colon is the clock's
		}
	}
	if i <= 0 || !endsLabel(text, i) {
		return nil, nil, nil, false
	}
	name = text[:i]
	if name[i-1] == ')' {
		name, clock = cutClock(name)
	}
	return name, clock, trimSpaceLeft(text[i+1:]), true
}

// fullColon is the colon of Chinese and Japanese.
var fullColon = []byte("：")

// endsLabel reports whether the colon at i may end a label: not that of
// "http://x" and "10:00". Chinese, Japanese and Thai need no space after it.
func endsLabel(text []byte, i int) bool {
	if i+1 >= len(text) || text[i+1] == ' ' || text[i+1] == '\t' {
		return true
	}
	c, _ := utf8.DecodeLastRune(text[:i])
	return c >= 0x0e00 && unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) && text[i+1] != '/'
}

func trimSpace(b []byte) []byte     { return bytes.Trim(b, " \t") }
func trimSpaceLeft(b []byte) []byte { return bytes.TrimLeft(b, " \t") }
