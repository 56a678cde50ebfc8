package sir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical encodes v as canonical JSON after RFC 8785: no white space, keys
// sorted by UTF-16 code units, the shortest escapes, nothing escaped for
// HTML. Integers are written in full whatever their size.
//
// It returns an error that wraps [ErrValue] if v has no JSON form or holds
// text that is not UTF-8.
func Canonical(v any) ([]byte, error) {
	b, err := new(canonizer).append(nil, v)
	return slices.Clip(b), err
}

// canonizer rewrites what encoding/json wrote: it may rely on its syntax.
type canonizer struct {
	src     []byte
	at      int
	members []member // of the open objects, the innermost last
	scratch []byte
	raw     bytes.Buffer
}

// member is one member of an object: its key, decoded, and where it was
// written.
type member struct {
	key        []byte
	start, end int
}

// append appends the canonical form of v to dst.
func (c *canonizer) append(dst []byte, v any) ([]byte, error) {
	c.raw.Reset()
	enc := json.NewEncoder(&c.raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return dst, fmt.Errorf("encode %T: %w: %w", v, ErrValue, err)
	}
	c.src, c.at, c.members = c.raw.Bytes(), 0, c.members[:0]
	out, err := c.value(dst)
	if err != nil {
		return dst, fmt.Errorf("encode %T: %w", v, err)
	}
	return out, nil
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
	for c.at < len(c.src) && strings.IndexByte(",]}\n", c.src[c.at]) < 0 {
		c.at++
	}
	return appendLiteral(dst, c.src[start:c.at])
}

// object writes the members as they come, and then in order.
func (c *canonizer) object(dst []byte) ([]byte, error) {
	c.at++
	first, begin, sorted := len(c.members), len(dst)+1, true
	dst = append(dst, '{')
	for c.src[c.at] != '}' {
		if c.src[c.at] == ',' {
			c.at++
			dst = append(dst, ',')
		}
		key, err := c.text()
		if err != nil {
			return dst, err
		}
		c.at++ // the colon
		start := len(dst)
		if dst, err = appendString(dst, key); err != nil {
			return dst, err
		}
		if dst, err = c.value(append(dst, ':')); err != nil {
			return dst, err
		}
		sorted = sorted && (len(c.members) == first || compareKeys(c.members[len(c.members)-1].key, key) < 0)
		c.members = append(c.members, member{key, start, len(dst)})
	}
	c.at++
	if !sorted {
		c.sort(dst, begin, c.members[first:])
	}
	c.members = c.members[:first]
	return append(dst, '}'), nil
}

// sort puts the members, which fill dst from begin on, in order.
func (c *canonizer) sort(dst []byte, begin int, members []member) {
	slices.SortFunc(members, func(a, b member) int { return compareKeys(a.key, b.key) })
	c.scratch = append(c.scratch[:0], dst[begin:]...)
	to := dst[:begin]
	for i, m := range members {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, c.scratch[m.start-begin:m.end-begin]...)
	}
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
// differs from the order of bytes only beyond the basic plane.
func compareKeys(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) || a[n] < surrogates && b[n] < surrogates {
		return bytes.Compare(a, b)
	}
	for n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return slices.Compare(utf16.Encode(bytes.Runes(a[n:])), utf16.Encode(bytes.Runes(b[n:])))
}

// surrogates is the first byte from which the two orders may differ: U+E000
// and above, which UTF-16 sorts behind its surrogates.
const surrogates = 0xee
