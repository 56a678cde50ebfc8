package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// span is a part of a line.
type span struct{ from, to int }

func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// eachField calls f with the keys, in their quotes, and values of a JSON object
// that is known to be valid. encoding/json does the rest of the work, but it
// takes "Content" for "content", and a map of raw values costs a third of the
// speed.
func eachField(b []byte, f func(key, value span)) {
	i := skipSpace(b, 0) + 1 // the brace
	for i = skipSpace(b, i); i < len(b) && b[i] == '"'; {
		key := span{i, skipString(b, i)}
		i = skipSpace(b, key.to) + 1 // the colon
		i = skipSpace(b, i)
		value := span{i, skipValue(b, i)}
		f(key, value)
		i = skipSpace(b, value.to)
		if b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// skipString returns the end of the string that begins at i.
func skipString(b []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(b[i:], '"')
		n := 0
		for b[i-1-n] == '\\' {
			n++
		}
		if n%2 == 0 {
			return i + 1
		}
	}
}

func skipValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		for open := 0; ; {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				open++
			case '}', ']':
				open--
			}
			if i++; open == 0 {
				return i
			}
		}
	}
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	return i
}

// depth is how deep brackets nest, in text that may be no JSON. Few brackets
// need no close look.
func depth(b []byte) int {
	if n := bytes.Count(b, []byte("{")) + bytes.Count(b, []byte("[")); n <= 8 {
		return n
	}
	open, deepest, quoted := 0, 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open++
			deepest = max(deepest, open)
		case c == '}' || c == ']':
			open--
		}
	}
	return deepest
}

const (
	nulEscape       = `a NUL character (\u0000)`
	surrogateEscape = `half of a surrogate pair (\ud800 to \udfff)`
)

// badEscape finds an escape in valid JSON that no turn may hold.
func badEscape(b []byte) (at int, what string) {
	if !bytes.Contains(b, []byte(`\u`)) {
		return 0, ""
	}
	for i := 0; ; {
		next := bytes.IndexByte(b[i:], '\\')
		if next < 0 {
			return 0, ""
		}
		i += next
		if b[i+1] != 'u' {
			i += 2
			continue
		}
		r := hexRune(b[i:])
		switch {
		case r == 0:
			return i, nulEscape
		case !utf16.IsSurrogate(r):
			i += 6
		case utf16.DecodeRune(r, hexRune(b[i+6:])) == utf8.RuneError:
			return i, surrogateEscape
		default:
			i += 12
		}
	}
}

// hexRune reads \uXXXX at the beginning of b, -1 where there is none.
func hexRune(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

// unquote reads a valid JSON string.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // known to be valid
	return s
}

// maxMillis is the furthest instant from 1970 that calendars agree on.
const maxMillis = 8.64e15

// parseTimestamp reads a valid JSON value: Unix milliseconds, seconds where it
// is below 1e11, an RFC 3339 string, or null.
func parseTimestamp(raw []byte, zone *time.Location) (*int64, error) {
	switch c := raw[0]; {
	case c == 'n':
		return nil, nil
	case c == '"':
		s := unquote(raw)
		if s == "" {
			return nil, nil
		}
		t, ok := parseClock(s)
		if !ok || !t.dated {
			return nil, errors.New("not a time with a date")
		}
		days := calendar{zone: zone}
		return days.millis([]byte(s)), nil
	case c == '-' || isDigit(c):
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || math.Abs(f) > maxMillis {
			return nil, errors.New("out of range")
		}
		if math.Abs(f) < 1e11 {
			f *= 1000
		}
		ms := int64(math.Round(f))
		return &ms, nil
	}
	return nil, errors.New("not a number, a string or null")
}

func (r *record) seq(v span) {
	raw := v.of(r.l.text)
	if raw[0] == 'n' {
		return
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 || n > 1<<53 {
		r.fail(v.from, `"seq" is not a position`, "write a whole number from 1, or leave it out")
		return
	}
	r.turn.Seq = int(n)
}

// metadata keeps what it understands; a hint of another kind is no mistake.
func (r *record) metadata(v span) *sir.Metadata {
	raw := v.of(r.l.text)
	if raw[0] != '{' {
		return nil
	}
	m := &sir.Metadata{}
	if plainMetadata(raw, m) {
		return m
	}
	*m = sir.Metadata{}
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, m); err != nil && !errors.As(err, &kind) {
		return nil
	}
	if m.Mode != "" && !m.Mode.Valid() {
		r.fail(v.from, `"metadata.mode" is `+strconv.Quote(string(m.Mode)), "write realtime, batch, deliberative or interactive")
	}
	return m
}

// plainMetadata reads metadata with nothing but source and kind, which is what
// [EncodeJSONL] writes for most turns.
func plainMetadata(raw []byte, m *sir.Metadata) bool {
	plain := true
	eachField(raw, func(k, v span) {
		value := v.of(raw)
		switch string(k.of(raw)) {
		case `"kind"`:
			if plain = plain && value[0] == '"'; plain {
				m.Kind = kindOf(value)
			}
		case `"source"`:
			if plain = plain && value[0] == '{'; plain {
				m.Source = &sir.Source{}
				plain = plainSource(value, m.Source)
			}
		default:
			plain = false
		}
	})
	return plain
}

func plainSource(raw []byte, s *sir.Source) bool {
	plain := true
	eachField(raw, func(k, v span) {
		value := v.of(raw)
		switch string(k.of(raw)) {
		case `"file"`:
			if plain = plain && value[0] == '"'; plain {
				s.File = unquote(value)
			}
		case `"record"`:
			n, err := strconv.Atoi(string(value))
			plain = plain && err == nil
			s.Record = n
		}
	})
	return plain
}

func kindOf(raw []byte) string {
	if string(raw) == `"message"` {
		return "message" // no allocation for what nearly all are
	}
	return unquote(raw)
}

var kinds = map[string]bool{"message": true, "media": true, "deleted": true, "forwarded": true, "act": true}

// mend drops hints that do not fit the turn.
func (r *record) mend() {
	m, content := r.turn.Metadata, r.turn.Content
	if !kinds[m.Kind] {
		m.Kind = ""
	}
	fit, end := m.Quoted[:0], 0
	for _, q := range m.Quoted {
		if q[0] >= end && q[0] < q[1] && q[1] <= len(content) && onRune(content, q[0]) && onRune(content, q[1]) {
			fit, end = append(fit, q), q[1]
		}
	}
	if m.Quoted = fit; len(fit) == 0 {
		m.Quoted = nil
	}
}

func onRune(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }
