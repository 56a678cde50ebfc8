package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Vault keeps the private values of one conversation by their placeholders.
// It is not safe for concurrent use while Hide is called; Reveal alone is.
type Vault struct {
	names  map[value]string // placeholder by value
	values map[mark]string  // and back
	// reserved are the placeholders that stand in the texts themselves.
	reserved map[mark]bool
	last     map[string]int // the last number of each name
	// secrets are credentials that are recognised where nothing announces them.
	secrets map[string]Kind
}

type value struct {
	kind Kind
	text string
}

// mark is a placeholder: {{EMAIL_1}}.
type mark struct {
	name   string
	number int
}

func (m mark) String() string { return "{{" + m.name + "_" + strconv.Itoa(m.number) + "}}" }

// New returns a vault for a conversation. texts are all that may be sent: no
// placeholder will be used that stands in one of them, and a credential that
// one of them tells is hidden in all.
func New(texts ...string) *Vault {
	v := &Vault{names: map[value]string{}, values: map[mark]string{}, reserved: map[mark]bool{}, last: map[string]int{}, secrets: map[string]Kind{}}
	for _, text := range texts {
		v.reserve(text)
		v.learn(text, Find(text))
	}
	return v
}

// Hide replaces the private values of a text by placeholders. Placeholders
// that this vault gave out stay as they are, so that to hide twice is to hide
// once.
func (v *Vault) Hide(text string) string {
	v.reserve(text)
	spans := find(text, nil)
	v.learn(text, spans)
	if len(v.secrets) > 0 {
		spans = find(text, v.secrets)
	}
	return replace(text, v.around(text, spans), func(p Private) string { return v.name(p.Kind, text[p.Start:p.End]) })
}

// around leaves out of spans the placeholders that stand in the text already:
// one may not be hidden behind another.
func (v *Vault) around(text string, spans []Private) []Private {
	if len(v.values) == 0 {
		return spans
	}
	var kept []Private
	for _, p := range spans {
		for at := p.Start; at < p.End; {
			start, end := v.nextOwn(text[:p.End], at)
			if start > at {
				kept = append(kept, Private{p.Kind, at, start})
			}
			at = end
		}
	}
	return kept
}

// nextOwn finds the next placeholder of this vault at or after at; both
// offsets are the end of the text if there is none.
func (v *Vault) nextOwn(text string, at int) (start, end int) {
	for {
		m, name, stop := nextMark(text, at)
		if stop == 0 {
			return len(text), len(text)
		}
		if _, ours := v.values[m]; ours && name >= at {
			if start, end, whole := bounds(text, name, stop, at); whole {
				return start, end
			}
		}
		at = stop
	}
}

// name returns the placeholder of a value.
func (v *Vault) name(kind Kind, text string) string {
	key := value{kind, text}
	if name, ok := v.names[key]; ok {
		return name
	}
	m := mark{name: kinds[kind.rank()].name, number: v.last[kinds[kind.rank()].name] + 1}
	for v.reserved[m] {
		m.number++
	}
	v.last[m.name] = m.number
	v.names[key], v.values[m] = m.String(), text
	return m.String()
}

// learn notes the credentials of a text that nothing else looks like.
func (v *Vault) learn(text string, spans []Private) {
	for _, p := range spans {
		if secret := text[p.Start:p.End]; p.Kind == Credential && len(secret) >= 6 && looksSecret(secret) && !strings.ContainsAny(secret, " \t\n") {
			v.secrets[secret] = Credential
		}
	}
}

// reserve notes what looks like a placeholder in a text and was not given out:
// it must never be.
func (v *Vault) reserve(text string) {
	for at := 0; at < len(text); {
		m, start, end := nextMark(text, at)
		if end == 0 {
			return
		}
		if _, ours := v.values[m]; !ours && start < end {
			v.reserved[m] = true
		}
		at = end
	}
}

// Reveal puts the values back. It knows placeholders that a model changed a
// little: in small letters, with another bracket, with a space or hyphen
// inside brackets, or bare.
func (v *Vault) Reveal(text string) string {
	if len(v.values) == 0 {
		return text
	}
	var b strings.Builder
	done := 0
	for at := 0; at < len(text); {
		m, start, end := nextMark(text, at)
		if end == 0 {
			break
		}
		at = end
		secret, ok := v.values[m]
		if !ok {
			continue
		}
		if start, end, ok = bounds(text, start, end, done); ok {
			b.WriteString(text[done:start])
			b.WriteString(secret)
			done, at = end, end
		}
	}
	b.WriteString(text[done:])
	return b.String()
}

// nextMark finds the next name and number of a placeholder at or after at,
// brackets or not; end is 0 if there is none.
func nextMark(text string, at int) (m mark, start, end int) {
	for at < len(text) {
		digit := at
		for digit < len(text) && !isDigit(text[digit]) {
			digit++
		}
		end = digit
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if digit == end {
			break
		}
		if m, start = markBefore(text, digit, end); m.number > 0 {
			return m, start, end
		}
		at = end
	}
	return mark{}, 0, 0
}

// markBefore reads the name before the number text[digit:end].
func markBefore(text string, digit, end int) (mark, int) {
	if text[digit] == '0' || end-digit > 9 {
		return mark{}, 0
	}
	stop := digit
	for stop > 0 && digit-stop < 2 && strings.IndexByte("_ -\\", text[stop-1]) >= 0 {
		stop--
	}
	for _, k := range kinds {
		start := stop - len(k.name)
		if start >= 0 && strings.EqualFold(text[start:stop], k.name) {
			number, err := strconv.Atoi(text[digit:end])
			if err != nil {
				return mark{}, 0
			}
			return mark{k.name, number}, start
		}
	}
	return mark{}, 0
}

// brackets are what may stand around a placeholder.
var brackets = map[rune]rune{'[': ']', '(': ')', '{': '}', '<': '>', '［': '］', '【': '】', '〔': '〕', '「': '」'}

// bounds returns where the placeholder text[start:end] begins and ends with
// its brackets, not before from. Bare, it must have its underscore and stand
// alone.
func bounds(text string, start, end, from int) (int, int, bool) {
	before, after := text[from:start], text[end:]
	if strings.HasSuffix(before, `\[`) && strings.HasPrefix(after, `\]`) {
		return start - 2, end + 2, true
	}
	if strings.HasSuffix(before, "{{") && strings.HasPrefix(after, "}}") {
		return start - 2, end + 2, true
	}
	open, left := utf8.DecodeLastRuneInString(before)
	shut, right := utf8.DecodeRuneInString(after)
	if brackets[open] != 0 && brackets[open] == shut {
		return start - left, end + right, true
	}
	return start, end, strings.Contains(text[start:end], "_") && !joins(open) && !joins(shut)
}

// joins reports whether a character makes a name go on.
func joins(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && r > 0 && isAlnum(byte(r))
}
