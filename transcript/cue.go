package transcript

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// mergeGap is how many milliseconds may lie between two cues of one turn.
const mergeGap = 2000

// cue is one caption, its tags taken off.
type cue struct {
	// start and end are milliseconds from the recording's start.
	start, end int64
	// parts are what one voice says, in order.
	parts []part
	// at is where it begins, no its number from 1.
	at line
	no int
}

// part is one line of a cue.
type part struct {
	// voice is whose words they are; "" for not known.
	voice string
	text  string
}

// captions joins cues to turns: cues of one speaker that continue a sentence
// or follow within mergeGap are one. Times count from the start of the
// recording, so the turns have none.
type captions struct {
	out *sink
	// labels says that "Name: " begins a voice's words; a cue without one
	// then goes on with the voice before.
	labels bool
	names  *census
	// rollUp says that cues repeat the lines before them.
	rollUp bool

	open  bool
	voice string
	buf   []byte
	end   int64
	at    line
	no    int
	shown []part
}

// add takes the next cue and reports whether to go on.
func (c *captions) add(q cue) bool {
	parts := c.fresh(q.parts)
	for _, p := range parts {
		voice, text := p.voice, p.text
		if c.labels && voice == "" {
			if name, rest, ok := c.label(text); ok {
				voice, text = name, rest
			} else if c.open {
				voice = c.voice
			}
		}
		switch {
		case text == "":
		case isSound(text):
			c.out.noSpeech(q.at, q.no, "a sound: "+text)
		case !c.say(q, voice, text):
			return false
		}
	}
	return true
}

// fresh leaves out the lines that the cue before showed already.
func (c *captions) fresh(parts []part) []part {
	if !c.rollUp {
		return parts
	}
	shown := c.shown
	c.shown = parts
	for n := min(len(shown), len(parts)); n > 0; n-- {
		same := true
		for i := range n {
			same = same && shown[len(shown)-n+i] == parts[i]
		}
		if same {
			return parts[n:]
		}
	}
	return parts
}

// label splits "Ann Lee: text" and "- Ann Lee: text".
func (c *captions) label(text string) (name, rest string, ok bool) {
	n, _, r, ok := cutCueLabel([]byte(text))
	if !ok {
		return "", "", false
	}
	switch c.out.cfg.labels.strength(n) {
	case noName:
		return "", "", false
	case weakName:
		if !c.names.known(string(n)) {
			return "", "", false
		}
	}
	return string(n), string(r), true
}

func cutCueLabel(text []byte) (name, clock, rest []byte, ok bool) {
	for _, dash := range []string{"- ", "-", ">> "} {
		if t, ok := bytes.CutPrefix(text, []byte(dash)); ok {
			text = trimSpaceLeft(t)
			break
		}
	}
	return cutLabel(text)
}

// say puts words into the turn, or begins another.
func (c *captions) say(q cue, voice, text string) bool {
	goesOn := c.open && voice == c.voice && (q.start-c.end <= mergeGap || !endsSentence(c.buf))
	if goesOn && len(c.buf)+1+len(text) > c.out.cfg.MaxTurn {
		goesOn = false
	}
	if !goesOn {
		if !c.flush() {
			return false
		}
		c.open, c.voice, c.at, c.no = true, voice, q.at, q.no
		c.buf = append(c.buf[:0], text...)
	} else {
		if needsSpace(c.buf, text) {
			c.buf = append(c.buf, ' ')
		}
		c.buf = append(c.buf, text...)
	}
	c.end = q.end
	return true
}

// flush gives the turn and reports whether to go on.
func (c *captions) flush() bool {
	if !c.open || c.out.stopped {
		return !c.out.stopped
	}
	c.open = false
	t := sir.Turn{Content: string(c.buf)}
	t.SpeakerName, t.Speaker = c.out.speaker([]byte(c.voice))
	return c.out.turn(t, c.at, c.no)
}

// endsSentence reports whether words end with a stop, perhaps in quotes.
func endsSentence(b []byte) bool {
	b = bytes.TrimRight(b, " \"'”’)»")
	r, _ := utf8.DecodeLastRune(b)
	return strings.ContainsRune(".?!…。？！؟।", r)
}

// needsSpace reports whether a space joins two lines: not within Chinese or
// Japanese.
func needsSpace(b []byte, text string) bool {
	last, _ := utf8.DecodeLastRune(b)
	first, _ := utf8.DecodeRuneInString(text)
	return !isIdeograph(last) || !isIdeograph(first)
}

func isIdeograph(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3001 && r <= 0x3002 || r >= 0xff01 && r <= 0xff1f
}

// isSound reports whether a line is no speech: "[laughs]", "(applause)", "♪".
func isSound(text string) bool {
	first, n := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	switch first {
	case '[':
		return last == ']' && strings.IndexByte(text, ']') == len(text)-1
	case '(':
		return last == ')' && strings.IndexByte(text, ')') == len(text)-1
	case '♪', '♫':
		return last == first || len(text) == n
	}
	return false
}
