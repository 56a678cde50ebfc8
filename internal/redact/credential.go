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
	value      string // by which it is judged: how it begins
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
		for at < len(s.s) && s.s[at] != ' ' && s.s[at] != '\n' && (s.s[at] != ':' || isAlnum(byte(s.after(at+1)&0x7f))) {
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
	if at == end && !unspaced(s.before(end)) || s.after(at) >= utf8.RuneSelf {
		return -1
	}
	x.sign = nothing
	return at
}

// signs are the signs that are marks, the longer before the shorter.
var signs = []struct {
	mark string
	sign sign
}{{"=>", colon}, {"->", colon}, {":=", equals}, {"==", equals}, {"=", equals}, {":", colon}, {"| ", colon}, {"\t", colon}, {"- ", far}}

// signAt returns the sign at at and where it ends.
func (s *scanner) signAt(at int) (sign, int) {
	for _, m := range signs {
		if strings.HasPrefix(s.s[at:], m.mark) {
			return m.sign, at + len(m.mark)
		}
	}
	if r := s.after(at); unicode.IsLetter(r) && s.wordBegins(at, r) {
		if c, end := s.word(at); c&cIs != 0 {
			return verb, end
		}
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
			x.value = strings.TrimRight(inner[:n], " ")
			x.start, x.end, x.quoted, x.last = at+size, at+size+len(x.value), true, true
			return
		}
		at += size
	}
	x.start, x.end = at, s.token(at)
	x.value = s.s[x.start:min(x.end, x.start+maxJudged)]
	x.last = s.isLast(x.end)
}

// maxJudged is how much of a secret is looked at.
const maxJudged = 256

// token returns where the secret ends that begins at at and has no quotes.
func (s *scanner) token(at int) int {
	foreign := s.after(at) >= utf8.RuneSelf
	end := s.run.end
	if at < s.run.start || at > end || foreign != s.run.foreign {
		end = s.runEnd(at, foreign)
		s.run = run{at, end, foreign}
	}
	for end > at && strings.IndexByte(".,;:)]}*", s.s[end-1]) >= 0 {
		if open := strings.IndexByte(")]}", s.s[end-1]); open >= 0 && strings.IndexByte(s.s[at:min(end, at+maxJudged)], "([{"[open]) >= 0 {
			break
		}
		end--
	}
	return end
}

// run is a run of characters that could be a secret: it is read once, however
// many words in it announce one.
type run struct {
	start, end int
	foreign    bool
}

// runEnd returns where the run of characters that begins at at ends; foreign
// says that it begins with a character that is not ASCII.
func (s *scanner) runEnd(at int, foreign bool) int {
	end := at
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
	if x.value == "" || isStandIn(x.value) || s.isProse(x) {
		return end
	}
	s.add(Credential, x.start, x.end)
	return x.end
}

// isProse reports whether half of the words of a value say something about a
// secret, so that it is none.
func (s *scanner) isProse(x secret) bool {
	words, ordinary := 0, 0
	for at := x.start; at < x.end; {
		end := at
		for end < x.end && s.s[end] != ' ' {
			end++
		}
		if c, stop := s.word(at); c&cWord != 0 && stop == end {
			ordinary++
		}
		words, at = words+1, s.blanks(end+1)
	}
	return 2*ordinary >= words
}
