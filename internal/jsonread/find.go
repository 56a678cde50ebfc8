package jsonread

import (
	"strings"
	"unicode/utf8"
)

// event is what a finder comes upon.
type event uint8

const (
	nothing event = iota // the end of the reply
	value                // something that may be a value begins
	fence                // a stretch between fences ended
	thought              // all until here was thinking
	musing               // thinking begins that never ends
)

// finder walks over a reply and stops where a value may begin. It knows
// fences, and leaves out what a model thought aloud.
type finder struct {
	reply string
	// at is where it goes on; whoever reads a value sets it.
	at int
	// end is where the stretch ends: at a fence that begins a line, or at the
	// end of the reply.
	end int
	// first says that nothing but white space stood before the value in its
	// stretch, fresh that this is so for its line.
	first, fresh bool
	// muses says that thinking began, at thinks, that never ends.
	muses  bool
	thinks int
}

func newFinder(reply string) *finder {
	return &finder{reply: reply, first: true, fresh: true, end: fenceAt(reply, 0)}
}

// next goes on to the next event.
func (f *finder) next() event {
	for f.at < len(f.reply) {
		if f.at >= f.end {
			f.enter(f.end)
			return fence
		}
		c := f.reply[f.at]
		if c == '<' || c == '[' {
			if tag := tagAt(f.reply[f.at:]); tag.size > 0 {
				if e := f.think(tag); e != nothing {
					return e
				}
				continue
			}
		}
		if c == '{' || c == '[' || f.first && quotes(f.reply[f.at:]) {
			return value
		}
		f.pass()
	}
	return nothing
}

// pass goes over one character of prose.
func (f *finder) pass() {
	r, size := utf8.DecodeRuneInString(f.reply[f.at:])
	f.at += size
	switch {
	case r == '\n':
		f.fresh = true
	case r > ' ' && r != '\uFEFF':
		f.first, f.fresh = false, false
	}
}

// leave goes on after a value that was read.
func (f *finder) leave(at int) { f.at, f.first, f.fresh = at, false, false }

// enter begins the stretch after the fence at at.
func (f *finder) enter(at int) {
	mark := f.reply[at]
	for at < len(f.reply) && f.reply[at] == mark {
		at++
	}
	for at < len(f.reply) && isScalar(f.reply[at]) {
		at++ // the language's name
	}
	f.at, f.end, f.first, f.fresh = at, fenceAt(f.reply, at), true, true
}

// think goes over what stands between the tags of thinking. A tag that closes
// what none opened says that all before it was thinking.
func (f *finder) think(t tag) event {
	from := f.at
	f.leave(f.at + t.size)
	f.first, f.fresh = true, true
	if t.closing {
		f.muses = false
		return thought
	}
	if f.muses {
		return nothing
	}
	n := indexFold(f.reply[f.at:], t.closer())
	if n < 0 {
		f.muses, f.thinks = true, from
		return musing
	}
	f.at += n + len(t.closer())
	if f.at > f.end {
		f.end = fenceAt(f.reply, f.at)
	}
	return nothing
}

// fenceAt returns where the next fence (``` or ~~~) that begins a line stands
// at or after at; the end of the text if there is none.
func fenceAt(text string, at int) int {
	for at < len(text) {
		line := at
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		if (line == 0 || text[line-1] == '\n') && (strings.HasPrefix(text[at:], "```") || strings.HasPrefix(text[at:], "~~~")) {
			return at
		}
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return len(text)
}

// tag is a tag that bounds what a model thought aloud.
type tag struct {
	name    string
	bracket bool // [THINK], not <think>
	closing bool
	size    int
}

// tagNames are the names of such tags.
var tagNames = []string{"think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"}

// tagAt returns the tag that s begins with; its size is 0 if there is none.
func tagAt(s string) tag {
	t := tag{bracket: s[0] == '[', size: 1}
	s = s[1:]
	if strings.HasPrefix(s, "/") {
		t.closing, t.size, s = true, 2, s[1:]
	}
	shut := byte('>')
	if t.bracket {
		shut = ']'
	}
	for _, name := range tagNames {
		if len(s) > len(name) && s[len(name)] == shut && strings.EqualFold(s[:len(name)], name) {
			t.name, t.size = name, t.size+len(name)+1
			return t
		}
	}
	return tag{}
}

func (t tag) closer() string {
	if t.bracket {
		return "[/" + t.name + "]"
	}
	return "</" + t.name + ">"
}

// indexFold is strings.Index without regard to the case of ASCII letters.
func indexFold(s, sub string) int {
	for from := 0; ; {
		n := strings.IndexByte(s[from:], sub[0])
		if n < 0 || len(s)-from-n < len(sub) {
			return -1
		}
		from += n
		if strings.EqualFold(s[from:from+len(sub)], sub) {
			return from
		}
		from++
	}
}

// quotes reports whether s begins with a quote.
func quotes(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return closers(r) != ""
}
