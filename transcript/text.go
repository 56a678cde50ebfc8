package transcript

import "bytes"

// text reads logs of "Name: text" lines. A line without a name goes on with
// the turn above; "[09:12] Name: text" and "Name (09:12): text" are read too.
// A time counts only where it has a date.
type text struct{}

func textFormat() Format {
	return Format{
		ID: "text", Name: "Name: text", Extensions: []string{".txt", ".log"},
		Description: "Lines of \"Name: text\"; a line without a name continues the turn above.",
		reader:      text{},
	}
}

var _ reader = text{}

func (text) sniff(s *sample, c *config) int {
	if textNames(s, c).speech() {
		return 60
	}
	return 0
}

func (text) read(in *input, out *sink) {
	names := textNames(in.sample, in.cfg)
	rules := in.cfg.labels
	days := calendar{zone: in.cfg.Zone}
	sp := &speech{in: in, out: out}
	sp.run(func(l line) ([]byte, bool) {
		name, clock, rest, ok := cutLine(l.text)
		if !ok {
			return l.text, true
		}
		switch rules.strength(name) {
		case noName:
			return l.text, true
		case weakName:
			if !names.known(string(name)) {
				return l.text, true
			}
		}
		sp.begin(l, name, days.millis(clock))
		return rest, true
	})
}

// textNames counts the names in a sample.
func textNames(s *sample, c *config) *census {
	names := newCensus()
	s.logLines(func(l []byte) {
		if name, _, _, ok := cutLine(l); ok {
			names.add(name, c.labels.strength(name))
		}
	})
	return names
}

// cutLine splits a line that begins with a label, or with a time and a label.
func cutLine(l []byte) (name, clock, rest []byte, ok bool) {
	if len(l) == 0 || l[0] == ' ' || l[0] == '\t' {
		return nil, nil, nil, false
	}
	if l[0] == '[' {
		i := bytes.IndexByte(l, ']')
		if i < 0 || i > 40 {
			return nil, nil, nil, false
		}
		clock = trimSpace(l[1:i])
		if _, ok := parseClock(string(clock)); !ok {
			return nil, nil, nil, false
		}
		l = trimSpaceLeft(l[i+1:])
	}
	name, inner, rest, ok := cutLabel(l)
	if inner != nil {
		clock = inner
	}
	return name, clock, rest, ok
}

// logLines calls f with the sample's lines that are not in fenced code.
func (s *sample) logLines(f func(l []byte)) {
	var char byte
	open := 0
	at := 0
	s.lines(func(l []byte) bool {
		at += len(l) + 1
		if open > 0 {
			if closesFence(l, char, open) {
				open = 0
			}
			return true
		}
		f(l)
		if _, _, rest, ok := cutLine(l); ok && len(rest) > 0 {
			l = rest
		}
		char, open = opensFence(l)
		return true
	})
}
