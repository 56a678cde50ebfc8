package ground

import (
	"strconv"
	"strings"
)

// numberUnit is the unit of a number: equal numbers have equal hashes, however
// they are written.
func numberUnit(value string, tokens []token) unit {
	h := uint64(fnvOffset)
	h = (h ^ '#') * fnvPrime
	for i := 0; i < len(value); i++ {
		h = (h ^ uint64(value[i])) * fnvPrime
	}
	return unit{
		hash: mixed(h), class: cNumber,
		start: tokens[0].start, end: tokens[len(tokens)-1].end, flag: uint8(tokens[0].key & flags &^ isCapital),
	}
}

// readNumber reads a number in digits, in words, or in digits and a word ("2
// million", "10k", "3rd"). It returns the number in canonical form and how
// many tokens it takes; 0 for none. Ordinals have the form "3.".
func (c *context) readNumber(text string, tokens []token) (value string, n int) {
	t := tokens[0]
	if !t.is(isNumber) {
		return c.readWords(tokens)
	}
	value = canonical(t.of(text))
	if len(tokens) == 1 {
		return value, 1
	}
	next := c.numeral(tokens[1])
	switch glued := tokens[1].is(isGlued); {
	case glued && next.kind == ordinalSuffix:
		return value + ".", 2
	case glued && next.kind == suffixNumeral, next.kind == bigNumeral:
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			return plain(v * next.value), 2
		}
	}
	return value, 1
}

// numeral is what a token is worth as a number word.
func (c *context) numeral(t token) numeral {
	var out numeral
	c.speech.entries(t.hash(), func(e *entry) {
		if out.kind == notNumeral {
			out = e.numeral
		}
	})
	return out
}

// readWords reads a number in words, such as "two hundred and five thousand"
// or 二百三十.
func (c *context) readWords(tokens []token) (string, int) {
	var total, section, pending float64
	n := 0
	for n < len(tokens) {
		w := c.numeral(tokens[n])
		if w.kind == notNumeral && n > 0 && section > 0 && pending == 0 && n+1 < len(tokens) && tokens[n].hash() == andHash {
			if next := c.numeral(tokens[n+1]); next.kind == plainNumeral {
				n++
				w = next
			}
		}
		switch w.kind {
		case plainNumeral:
			if pending != 0 && (w.value >= 10 || int(pending)%10 != 0) || pending == 0.5 {
				return plain(total + section + pending), n
			}
			if w.value < 1 && n > 0 {
				return plain(total + section + pending), n
			}
			pending += w.value
		case scaleNumeral:
			section += max(pending, 1) * w.value
			pending = 0
		case bigNumeral:
			total += max(section+pending, 1) * w.value
			section, pending = 0, 0
		case ordinalNumeral:
			if n == 0 && c.isTime(tokens) {
				return "", 0
			}
			if w.value < 10 && int(pending)%10 == 0 || pending == 0 {
				return plain(total+section+pending+w.value) + ".", n + 1
			}
			return plain(total + section + pending), n
		default:
			if n == 0 {
				return "", 0
			}
			return plain(total + section + pending), n
		}
		n++
	}
	return plain(total + section + pending), n
}

// isTime reports whether an ordinal is a length of time here: "a second", but
// not "a second attempt".
func (c *context) isTime(tokens []token) bool {
	long := false
	c.speech.entries(tokens[0].hash(), func(e *entry) { long = long || e.seconds > 0 })
	return long && (len(tokens) == 1 || c.classOf(tokens[1].hash())&^ordinary != 0 || tokens[1].is(isFirst))
}

var andHash = hashOf("and")

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// canonical is a number in digits without separators of thousands and without
// zeros that say nothing. What is no plain number (a date, a time, a range, a
// version) stays as it is, with one kind of digits and dashes.
func canonical(digits string) string {
	if isPlain(digits) {
		return digits
	}
	var buf [32]byte
	s := string(foldDigits(buf[:0], digits))
	body, minus := strings.CutPrefix(s, "-")
	body = strings.ReplaceAll(strings.ReplaceAll(body, "'", ""), "_", "")
	if strings.ContainsAny(body, ":/-") {
		return s
	}
	whole, fraction := body, ""
	dots, commas := strings.Count(body, "."), strings.Count(body, ",")
	switch {
	case dots > 0 && commas > 0: // the last mark is the decimal one
		at := strings.LastIndexAny(body, ".,")
		whole, fraction = body[:at], body[at+1:]
		if whole = ungroup(whole, ",."); whole == "" {
			return s
		}
	case dots+commas > 1:
		if whole = ungroup(body, ",."); whole == "" {
			return s
		}
	case commas == 1:
		if whole = ungroup(body, ","); whole == "" {
			whole, fraction, _ = strings.Cut(body, ",")
		}
	case dots == 1:
		whole, fraction, _ = strings.Cut(body, ".")
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		whole += "." + fraction
	}
	if minus {
		whole = "-" + whole
	}
	return whole
}

// isPlain reports whether a number is in ASCII digits alone.
func isPlain(digits string) bool {
	for i := 0; i < len(digits); i++ {
		if byteClass[digits[i]] != bDigit {
			return false
		}
	}
	return digits[0] != '0' || len(digits) == 1
}

func foldDigits(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case isDash(r):
			dst = append(dst, '-')
		case r == '٫':
			dst = append(dst, '.')
		case r == '٬':
			dst = append(dst, ',')
		default:
			dst = foldRune(dst, r)
		}
	}
	return dst
}

// ungroup takes the marks from between groups of three digits; "" where the
// groups are others.
func ungroup(s, marks string) string {
	groups := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(marks, r) })
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) > 3 || len(g) == 0) {
			return ""
		}
	}
	return strings.Join(groups, "")
}
