package clause

import (
	"strings"
	"unicode"

	"github.com/speckl/speckl/sir"
)

// scopes finds the cues of a sentence.
func (t *Text) scopes(s *Sentence) {
	cues := english().cues
	text := t.Content
	last := t.Tokens[s.To-1]
	for i := s.To - 1; i >= s.Body; i-- {
		last = t.Tokens[i]
		if last.Kind != Punct || last.Of(text) != ")" && last.Of(text) != "\"" {
			break
		}
	}
	if last.Kind == Punct && strings.ContainsAny(last.Of(text), "?？؟") || t.inverted(s.Body, s.To) {
		s.Scope |= sir.Question
	}
	for i := s.From; i < s.To; i++ {
		tok := t.Tokens[i]
		if tok.Class&cueStart != 0 {
			for _, c := range cues[tok.Hash] {
				if c.anchored && i > s.Body+1 || !t.at(i, s.To, c.words) {
					continue
				}
				switch c.what {
				case cueRetracts:
					if !t.opens(i, s.Body) {
						continue
					}
					s.Retracts, s.CueEnd = true, max(s.CueEnd, i+len(c.words))
				case cueCorrects:
					s.Correction, s.CueEnd = true, max(s.CueEnd, i+len(c.words))
				default:
					s.Scope |= scopeOfCue(c.what)
				}
			}
		}
		if tok.Class&Report != 0 && i > s.From {
			if by := t.reporter(i, s.From); by != "" {
				s.Scope |= sir.Reported
				s.ReportedBy = by
			}
		}
	}
	t.conditional(s)
}

// opens reports whether token i begins a clause: in front of the body or its
// first word, or after a mark or a small word.
func (t *Text) opens(i, body int) bool {
	return i <= body || t.Tokens[i-1].Class&(Bound|Conj|Adv) != 0
}

// conditional marks what would only be: "if we added …, it would …", and
// what somebody offers to do, "I could …, so that it would …".
func (t *Text) conditional(s *Sentence) {
	ifPerson, offer, would, hasIf := false, false, false, false
	for i := s.From; i < s.To; i++ {
		switch tok := t.Tokens[i]; {
		case tok.Class == 0:
		case tok.Hash == hashIf:
			hasIf = true
			ifPerson = ifPerson || i+1 < s.To && t.Tokens[i+1].Class&Person != 0
		case tok.Hash == hashWould || tok.Hash == hashWed || tok.Hash == hashItd:
			would = true
		case tok.Class&Subj1 != 0 && i+1 < s.To:
			next := t.Tokens[i+1].Hash
			offer = offer || next == hashCan || next == hashCould
		}
	}
	if would && (ifPerson || hasIf && offer) {
		s.Scope |= sir.Hypothetical
	}
}

var (
	hashIf, hashCan, hashCould  = Hash("if"), Hash("can"), Hash("could")
	hashWould, hashWed, hashItd = Hash("would"), Hash("we'd"), Hash("it'd")
)

// inverted reports whether a sentence begins like a question: an auxiliary
// before its subject.
func (t *Text) inverted(from, to int) bool {
	if to-from < 3 || t.Tokens[from].Class&ModQ == 0 {
		return false
	}
	return t.Tokens[from+1].Class&(Pron|Det) != 0 && t.Tokens[from+1].Class&Neg == 0
}

// at reports whether the words stand at token i.
func (t *Text) at(i, to int, words []uint64) bool {
	for _, w := range words {
		for i < to && t.Tokens[i].Class&Bound != 0 && w != t.Tokens[i].Hash {
			i++
		}
		if i >= to || t.Tokens[i].Hash != w {
			return false
		}
		i++
	}
	return true
}

// reporter names the subject of the reporting verb at token i, or "".
func (t *Text) reporter(i, from int) string {
	subject := t.Tokens[i-1]
	if subject.Kind != Word {
		return ""
	}
	text := subject.Of(t.Content)
	switch {
	case subject.Class&(Subj1|Aux|Prep|Sub|Conj|Det) != 0:
		return ""
	case subject.Class&Person != 0:
		return strings.ToLower(text)
	case subject.Class != 0:
		return ""
	case subject.Shape&Capital != 0 && unicode.IsLetter(rune(text[0])):
		return text
	}
	return ""
}
