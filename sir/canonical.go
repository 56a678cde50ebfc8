package sir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical encodes v as canonical JSON after RFC 8785: no white space, keys
// sorted by UTF-16 code units, the shortest escapes, nothing escaped for
// HTML. Integers are written in full whatever their size.
//
// It returns an error that wraps [ErrValue] if v has no JSON form or holds
// text that is not UTF-8.
func Canonical(v any) ([]byte, error) { return appendCanonical(nil, v) }

// appendCanonical appends the canonical form of v to dst.
func appendCanonical(dst []byte, v any) ([]byte, error) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return dst, fmt.Errorf("encode %T: %w: %w", v, ErrValue, err)
	}
	c := canonizer{src: raw.Bytes()}
	dst, err := c.value(dst)
	if err != nil {
		return dst, fmt.Errorf("encode %T: %w", v, err)
	}
	return dst, nil
}

// canonizer rewrites what encoding/json wrote: it may rely on its syntax.
type canonizer struct {
	src []byte
	at  int
}

// member is one member of an object: its key, decoded, and its value,
// canonical.
type member struct {
	key   string
	value []byte
}

func (c *canonizer) value(dst []byte) ([]byte, error) {
	switch c.src[c.at] {
	case '{':
		return c.object(dst)
	case '[':
		return c.array(dst)
	case '"':
		s, err := c.text()
		if err != nil {
			return dst, err
		}
		return appendString(dst, s)
	}
	start := c.at
	for c.at < len(c.src) && !bytes.ContainsRune([]byte(",]} \n"), rune(c.src[c.at])) {
		c.at++
	}
	return appendLiteral(dst, c.src[start:c.at])
}

func (c *canonizer) object(dst []byte) ([]byte, error) {
	c.at++
	var members []member
	var room []byte // values, one after the other
	for c.src[c.at] != '}' {
		if c.src[c.at] == ',' {
			c.at++
		}
		key, err := c.text()
		if err != nil {
			return dst, err
		}
		c.at++ // the colon
		start := len(room)
		if room, err = c.value(room); err != nil {
			return dst, err
		}
		members = append(members, member{string(key), room[start:len(room):len(room)]})
	}
	c.at++
	slices.SortFunc(members, func(a, b member) int { return compareKeys(a.key, b.key) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendString(dst, m.key); err != nil {
			return dst, err
		}
		dst = append(append(dst, ':'), m.value...)
	}
	return append(dst, '}'), nil
}

func (c *canonizer) array(dst []byte) ([]byte, error) {
	c.at++
	dst = append(dst, '[')
	for c.src[c.at] != ']' {
		if c.src[c.at] == ',' {
			c.at++
			dst = append(dst, ',')
		}
		var err error
		if dst, err = c.value(dst); err != nil {
			return dst, err
		}
	}
	c.at++
	return append(dst, ']'), nil
}

// text reads a string. encoding/json writes the escape \ufffd only for bytes
// that are not UTF-8, so that one is an error.
func (c *canonizer) text() ([]byte, error) {
	start := c.at + 1
	end, plain := start, true
	for c.src[end] != '"' {
		if c.src[end] == '\\' {
			plain = false
			if bytes.HasPrefix(c.src[end:], []byte(`\ufffd`)) {
				return nil, fmt.Errorf("read text: %w: not UTF-8", ErrValue)
			}
			end++
		}
		end++
	}
	c.at = end + 1
	if plain {
		return c.src[start:end], nil
	}
	var s string
	if err := json.Unmarshal(c.src[start-1:end+1], &s); err != nil {
		return nil, fmt.Errorf("read text: %w", err)
	}
	return []byte(s), nil
}

// appendLiteral writes a number, true, false or null.
func appendLiteral(dst, lit []byte) ([]byte, error) {
	switch {
	case string(lit) == "-0":
		return append(dst, '0'), nil
	case lit[0] != '-' && (lit[0] < '0' || lit[0] > '9'), !bytes.ContainsAny(lit, ".eE"):
		return append(dst, lit...), nil
	}
	f, err := strconv.ParseFloat(string(lit), 64)
	if err != nil {
		return dst, fmt.Errorf("read number %s: %w", lit, ErrValue)
	}
	b, err := json.Marshal(f) // ECMAScript's form, which RFC 8785 asks for
	return append(dst, b...), err
}

// appendString writes text as a JSON string with the escapes of RFC 8785.
// It returns an error that wraps [ErrValue] for text that is not UTF-8.
func appendString[T string | []byte](dst []byte, s T) ([]byte, error) {
	dst = append(dst, '"')
	from, ascii := 0, true
	for i := 0; i < len(s); i++ {
		ch := s[i]
		if ch >= 0x20 && ch != '"' && ch != '\\' {
			ascii = ascii && ch < utf8.RuneSelf
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch ch {
		case '"', '\\':
			dst = append(dst, '\\', ch)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[ch>>4], hexDigits[ch&15])
		}
	}
	dst = append(append(dst, s[from:]...), '"')
	if !ascii && !utf8.ValidString(string(s)) {
		return dst, fmt.Errorf("write text: %w: not UTF-8", ErrValue)
	}
	return dst, nil
}

const hexDigits = "0123456789abcdef"

// compareKeys orders keys by UTF-16 code units, as RFC 8785 has it; that
// differs from byte order only beyond the basic plane.
func compareKeys(a, b string) int {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			return int(firstUnit(ra)) - int(firstUnit(rb)) + tail(ra, rb)
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

// firstUnit is the rune's first UTF-16 code unit.
func firstUnit(r rune) rune {
	if hi, _ := utf16.EncodeRune(r); hi != utf8.RuneError {
		return hi
	}
	return r
}

// tail decides between two runes that share a high surrogate.
func tail(a, b rune) int {
	if firstUnit(a) != firstUnit(b) {
		return 0
	}
	return int(a) - int(b)
}
