package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sign is what stands between a word that announces a secret and the secret.
type sign uint8

const (
	nothing sign = iota // a space
	far                 // other words, then one of the next
	verb                // "is"
	colon               // ":", or a cell of a table
	equals              // "="
)

// secret is what stands after a word that announces one.
type secret struct {
	class      class
	sign       sign
	start, end int
	value      string
	quoted     bool
	// last says that no other word follows in the sentence.
	last bool
}

// credential notes the secret that the word s[start:end] announces, if one
// follows, and returns where it ends.
func (s *scanner) credential(c class, start, end int) int {
	x := secret{class: c}
	at := s.sign(&x, end)
	if at < 0 || at >= len(s.s) {
		return end
	}
	if c&cPhrase != 0 {
		return s.phrase(x, at, end)
	}
	s.read(&x, at)
	if x.value == "" || isStandIn(x.value) || s.isOrdinary(x) {
		return end
	}
	if c&cBearer != 0 && !s.authorizes(start) && !looksSecret(x.value) || !x.accepted() {
		return end
	}
	s.add(Credential, x.start, x.end)
	return x.end
}

// authorizes reports whether "authorization:" stands right before at.
func (s *scanner) authorizes(at int) bool {
	n := len(s.labels) - 2
	return n >= 0 && s.labels[n].class&cWeak != 0 && at-s.labels[n].end <= 4
}

// sight is how far a secret may stand from the word that announces it.
const sight = 40

// sign reads what stands between the announcing word and the secret, and
// returns where the secret begins; -1 if the word announces none.
func (s *scanner) sign(x *secret, end int) int {
	at := end
	for at < len(s.s) && at-end < 4 && strings.IndexByte("\"'`*_] ", s.s[at]) >= 0 {
		at++
	}
	if strings.HasPrefix(s.s[at:], "(") {
		if n := strings.IndexByte(s.s[at:min(len(s.s), at+sight)], ')'); n >= 0 {
			at = s.blanks(at + n + 1)
		}
	}
	for words := 0; at < len(s.s) && at-end < sight && words < 6; {
		kind, next := s.signAt(at)
		if kind != nothing {
			if x.sign = kind; words > 0 {
				x.sign = far
			}
			return s.opening(next)
		}
		r, _ := utf8.DecodeRuneInString(s.s[at:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		for at < len(s.s) && s.s[at] != ' ' && s.s[at] != '\n' && s.s[at] != ':' && s.s[at] != '=' {
			if strings.IndexByte(".,;!?", s.s[at]) >= 0 {
				at = len(s.s)
				break
			}
			if r, size := utf8.DecodeRuneInString(s.s[at:]); unspaced(r) {
				at += size // each may be a word
				break
			}
			at++
		}
		at, words = s.blanks(at), words+1
	}
	// The secret itself, without a sign.
	at = s.blanks(end)
	if at == end && s.after(at) < utf8.RuneSelf {
		return -1
	}
	x.sign = nothing
	return at
}

// signAt returns the sign at at and where it ends.
func (s *scanner) signAt(at int) (sign, int) {
	rest := s.s[at:]
	for _, w := range []struct {
		text string
		sign sign
	}{{"=>", colon}, {"->", colon}, {":=", equals}, {"==", equals}, {"=", equals}, {":", colon}, {"| ", colon}, {"|", colon}, {"\t", colon}} {
		if strings.HasPrefix(rest, w.text) {
			return w.sign, at + len(w.text)
		}
	}
	if c, end := s.word(at); c&cIs != 0 && s.wordBegins(at, s.after(at)) {
		return verb, end
	}
	return nothing, at
}

// opening goes over what may stand between the sign and the secret: spaces,
// marks of emphasis, one new line.
func (s *scanner) opening(at int) int {
	lines := 0
	for n := 0; n < 12 && at < len(s.s); n++ {
		switch c := s.s[at]; {
		case c == '\n':
			if lines++; lines > 1 {
				return -1
			}
		case c != ' ' && c != '\t' && c != '\r' && c != '*':
			if c == ':' || c == '=' {
				break
			}
			return at
		}
		at++
	}
	return at
}

// quotes are the quotes that may stand around a secret.
var quotes = map[rune]string{'"': `"`, '\'': `'`, '`': "`", '“': "”", '„': "“", '«': "»", '「': "」", '‘': "’"}

// read reads the secret at at.
func (s *scanner) read(x *secret, at int) {
	open, size := utf8.DecodeRuneInString(s.s[at:])
	if closer, ok := quotes[open]; ok {
		inner := s.s[at+size : min(len(s.s), at+size+300)]
		if n := strings.Index(inner, closer); n > 0 && !strings.Contains(inner[:n], "\n") {
			x.start, x.end, x.quoted, x.last = at+size, at+size+n, true, true
			x.value = s.s[x.start:x.end]
			return
		}
		at += size
	}
	x.start, x.end = at, s.token(at)
	x.value = s.s[x.start:x.end]
	x.last = s.isLast(x.end)
}

// token returns where the secret ends that begins at at and has no quotes.
func (s *scanner) token(at int) int {
	end := at
	foreign := s.after(at) >= utf8.RuneSelf
loop:
	for end < len(s.s) {
		r, size := utf8.DecodeRuneInString(s.s[end:])
		switch {
		case r <= ' ' || strings.ContainsRune("\"`<>“”„«»「」", r):
			break loop
		case r == '\'' && !unicode.IsLetter(s.after(end+1)):
			break loop
		case r == ',' || r == ';' || r == '&' || r == '|':
			if next := s.after(end + 1); next <= ' ' || next >= utf8.RuneSelf || next == '"' || s.assigns(end+1) {
				break loop
			}
		case r >= utf8.RuneSelf && (!unicode.IsLetter(r) || unspaced(r) && !foreign):
			break loop
		}
		end += size
	}
	for end > at && strings.IndexByte(".,;:)]}*", s.s[end-1]) >= 0 {
		if open := strings.IndexByte(")]}", s.s[end-1]); open >= 0 && strings.IndexByte(s.s[at:end], "([{"[open]) >= 0 {
			break
		}
		end--
	}
	return end
}

// assigns reports whether a name and a sign stand at at: the next field.
func (s *scanner) assigns(at int) bool {
	end := at
	for end < len(s.s) && end-at < 32 && (isAlnum(s.s[end]) || strings.IndexByte("_-. ", s.s[end]) >= 0) {
		end++
	}
	return end > at && end < len(s.s) && (s.s[end] == '=' || s.s[end] == ':')
}

// isLast reports whether the sentence ends at at, or another begins.
func (s *scanner) isLast(at int) bool {
	for at < len(s.s) && (s.s[at] == ' ' || s.s[at] == '*' || s.s[at] == '\'' || s.s[at] == '"') {
		at++
	}
	r := s.after(at)
	return r < ' ' || strings.ContainsRune(",;.!?)]}|/&-", r) || r >= utf8.RuneSelf && !unicode.IsLetter(r) || unspaced(r)
}

// phrase notes a secret of several words: the rest of the sentence, or what
// stands in quotes.
func (s *scanner) phrase(x secret, at, end int) int {
	if x.sign == nothing || x.sign == far {
		return end
	}
	s.read(&x, at)
	if !x.quoted {
		n := strings.IndexAny(s.s[x.start:min(len(s.s), x.start+400)], "\n.;\"“”")
		if n < 0 {
			n = min(len(s.s), x.start+400) - x.start
		}
		for n > 0 && !utf8.RuneStart(s.s[min(len(s.s)-1, x.start+n)]) {
			n--
		}
		x.end = x.start + len(strings.TrimRight(s.s[x.start:x.start+n], " \r,"))
		x.value = s.s[x.start:x.end]
	}
	first, _, several := strings.Cut(x.value, " ")
	if isStandIn(x.value) || s.isOrdinary(secret{start: x.start, end: x.start + len(first), value: first}) || !several && !looksSecret(x.value) && x.sign == verb {
		return end
	}
	if x.value == "" {
		return end
	}
	s.add(Credential, x.start, x.end)
	return x.end
}

// accepted reports whether the value is a secret, as far as can be told by
// what it looks like and how it is announced.
func (x *secret) accepted() bool {
	v, n := x.value, len(x.value)
	digits := allDigits(v)
	switch {
	case x.class&cPin != 0:
		d := countDigits(v)
		if x.sign == nothing || x.sign == far {
			return digits && n >= 4 && n <= 8 || x.class&cPin != 0 && x.sign == nothing && digits && n == 3
		}
		return d >= 3 && n <= 10 || looksSecret(v)
	case isAddress(v):
		return false
	case x.class&cSecret != 0, x.class&cShort != 0:
		return x.acceptedPassword(digits)
	case x.class&cBearer != 0:
		return n >= 6
	case x.class&cToken != 0:
		switch x.sign {
		case colon, equals:
			return looksSecret(v) && n >= 6 || n >= 16 && isRandom(v) || digits && n >= 8 || x.sign == equals && n >= 6 && !isCode(v) || x.quoted && n >= 8 && !strings.Contains(v, " ")
		case verb:
			return looksSecret(v) && n >= 8 || digits && n >= 8
		}
		return looksSecret(v) && n >= 12
	}
	return n >= 16 && isRandom(v) && countDigits(v) > 1 && !isUUID(v) && !strings.Contains(v, " ")
}

// acceptedPassword is accepted after a word for "password".
func (x *secret) acceptedPassword(digits bool) bool {
	v, n := x.value, len(x.value)
	if x.class&cSecret == 0 && x.sign != colon && x.sign != equals && x.sign != verb {
		return false
	}
	odd := looksSecret(v) || digits && n >= 4
	plain := n >= 4 && x.last && !strings.HasSuffix(v, "ed") && !strings.HasSuffix(v, "ing")
	switch x.sign {
	case equals:
		return odd || n >= 3 && !isCode(v) || x.quoted
	case colon:
		return odd || plain || x.quoted
	case verb:
		return odd || plain || x.quoted
	case far:
		return looksSecret(v) && n >= 5 || digits && n >= 6 || x.quoted && !strings.Contains(v, " ")
	}
	return looksSecret(v) && n >= 6 && !isCode(v) || digits && n >= 5 || x.quoted && !strings.Contains(v, " ")
}

// isOrdinary reports whether the value is a word that says something about a
// secret, or begins with one in quotes.
func (s *scanner) isOrdinary(x secret) bool {
	c, end := s.lex.words.longest(s.low, x.start, s.wordEnds)
	if class(c)&cWord == 0 {
		return false
	}
	return end == x.end || x.quoted && s.s[end] == ' ' && strings.Count(x.value, " ") > 1
}

// isStandIn reports whether a value stands for one: a variable, a mask, a
// placeholder.
func isStandIn(v string) bool {
	switch {
	case v[0] == '<' || v[0] == '%' && len(v) < 4 || strings.HasPrefix(v, "{{") || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "$("):
		return true
	case v[0] == '$' && len(v) > 1 && strings.ToUpper(v) == v && isLetter(v, 1):
		return true
	case v[0] == '[':
		return true // a placeholder, a list
	case strings.Trim(v, "*") == "", strings.Trim(v, "xX") == "", strings.Trim(v, ".") == "", strings.Trim(v, "-_•…?") == "":
		return true
	}
	if open := strings.IndexByte(v, '('); open > 0 {
		return isCode(v[:open]) // a call
	}
	return false
}

// isCode reports whether a value is a name in a program: process.env.TOKEN.
func isCode(v string) bool {
	dots := 0
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '.':
			dots++
		case !isLetter(v, i) && c != '_':
			return false
		}
	}
	return dots > 0 && v[0] != '.' && v[len(v)-1] != '.' || strings.Contains(v, "_")
}

// isAddress reports whether a value is a link or a path.
func isAddress(v string) bool {
	return strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1 || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/")
}

// looksSecret reports whether a value is no word: it has characters of several
// sorts.
func looksSecret(v string) bool {
	if len(v) < 4 {
		return false
	}
	small, capital, digit, mark := 0, 0, 0, 0
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case isDigit(c):
			digit = 1
		case c >= 'a' && c <= 'z' || c >= utf8.RuneSelf:
			small = 1
		case c >= 'A' && c <= 'Z':
			if i > 0 && small > 0 {
				capital = 1
			}
		case strings.IndexByte("!@#$%^&*+=~?|", c) >= 0:
			if i < len(v)-1 || digit > 0 {
				mark = 1
			}
		}
	}
	letter := small
	if strings.ContainsAny(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		letter = 1
	}
	return letter+digit+mark+capital*small >= 2
}

func countDigits(v string) int {
	n := 0
	for i := 0; i < len(v); i++ {
		if isDigit(v[i]) {
			n++
		}
	}
	return n
}

// isUUID reports whether v is a UUID in its usual form.
func isUUID(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}
