package prompt

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/ground"
	"github.com/speckl/speckl/sir"
)

// support checks the data of an item against the words that it quotes, and
// for a field that may come from elsewhere (see [domain.Field].Context)
// against what was said before. The rest of the sentence is no support: a
// model that quotes one thing and says another is not to be believed.
type support struct {
	ask  *Ask
	turn *sir.Turn
	part int // the turn's place among the chunk's
	span sir.Span
	// refines is the known element that the words are said to be about: what
	// names it need not be said again; nil for none.
	refines *sir.Element
}

func (r *reading) support() *support {
	return &support{ask: r.ask, turn: r.turn(), part: r.match.Part, span: r.match.Span}
}

// fields finds the words for each known field. problem says which value has
// none: the item is then no statement of these words. A value of a field that
// the domain calls loose becomes unknown instead.
func (s *support) fields(t *domain.Type, data sir.Data) (out map[string]domain.FieldSource, problem string) {
	out = map[string]domain.FieldSource{}
	blank := t.Blank()
	for i := range t.Fields {
		f := &t.Fields[i]
		if v := data[f.Name]; v != nil && !s.cued(f.FreeCues[fmt.Sprint(v)]) {
			data[f.Name] = blank[f.Name]
		}
		if !domain.Known(f, data[f.Name]) {
			continue
		}
		src, lacks := s.field(f, data[f.Name])
		switch {
		case lacks == "":
			out[f.Name] = src
		case s.refines != nil && slices.Contains(t.Key, f.Name) && s.ask.prompt.domain.Equal(f, data[f.Name], s.refines.Data[f.Name]):
			out[f.Name] = domain.FieldSource{Span: s.span, Rule: refinesRule}
		case f.Loose:
			data[f.Name] = blank[f.Name]
		default:
			return nil, fmt.Sprintf("%s: %s", f.Name, lacks)
		}
	}
	return out, ""
}

// field finds the words for one value; lacks says what no words say.
func (s *support) field(f *domain.Field, value any) (src domain.FieldSource, lacks string) {
	src.Span = s.span
	texts := textsOf(value)
	if len(texts) == 0 || len(f.Enum) > 0 || f.Kind == domain.Bool || len(texts) == 1 && slices.Contains(f.Free, texts[0]) {
		return src, "" // a choice, which has no words of its own
	}
	if lacks = s.lacks(f, texts); lacks == "" {
		return src, ""
	}
	if len(f.Context) == 0 {
		return src, lacks
	}
	if found, ok := s.before(texts[0]); ok {
		return found, ""
	}
	return src, lacks
}

// cued reports whether one of the words stands in the quote; no words need
// none.
func (s *support) cued(cues []string) bool {
	if len(cues) == 0 {
		return true
	}
	said := domain.Words(s.span.Of(s.turn.Content))
	return slices.ContainsFunc(cues, func(w string) bool { return slices.Contains(said, w) })
}

// textsOf are the texts of a value.
func textsOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case int64, float64:
		return []string{fmt.Sprint(v)}
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, textsOf(x)...)
		}
		return out
	}
	return nil
}

// lacks says what of the texts the quote does not say; "" for nothing.
func (s *support) lacks(f *domain.Field, texts []string) string {
	words := s.span.Of(s.turn.Content)
	for _, text := range texts {
		if claims := ground.Unsupported(text, []string{words, s.turn.Name()}); len(claims) > 0 {
			return fmt.Sprintf("%s %q does not stand in %q", claims[0].Kind, claims[0].Text, clip(words))
		}
		if s.strange(f, text, words) {
			return fmt.Sprintf("%q does not stand in %q", clip(text), clip(words))
		}
	}
	return ""
}

// paraphrase is how many of the content words of a free text may be a
// model's own: a title puts a statement in other words, a name does not.
const paraphrase = 2 // one in two

// strange reports whether a value is in words that the quote does not have:
// any word of a name or a label, too many of a free text. Who speaks may be
// named by his name.
func (s *support) strange(f *domain.Field, text, words string) bool {
	have, speaker := newWordSet(words), newWordSet(s.turn.Name())
	lacking := 0
	content := domain.ContentWords(text)
	for _, w := range content {
		if !have.has(w) && !speaker.has(w) {
			lacking++
		}
	}
	switch f.Kind {
	case domain.Name, domain.Label:
		return lacking > 0
	case domain.Text, domain.List, domain.Any:
		return lacking*paraphrase > len(content)
	}
	return false
}

// wordSet is the content words of a text.
type wordSet struct {
	words map[string]bool
	text  string // folded, for scripts without spaces
}

func newWordSet(text string) wordSet {
	out := wordSet{words: map[string]bool{}, text: domain.FoldText(text)}
	last := ""
	for _, w := range domain.ContentWords(text) {
		out.words[w] = true
		out.words[last+w] = true // "log in" is "login"
		last = w
	}
	for i, w := 0, strings.Fields(out.text); i+1 < len(w); i++ {
		out.words[w[i]+w[i+1]] = true
	}
	return out
}

// has reports whether the text has a word; one of another script may be part
// of a run of letters.
func (t wordSet) has(w string) bool {
	if t.words[w] {
		return true
	}
	r, _ := utf8.DecodeRuneInString(w)
	return r >= firstUnspaced && strings.Contains(t.text, w)
}

// firstUnspaced is where the scripts begin that write without spaces (Thai
// and what follows it); see the Unicode blocks.
const firstUnspaced = 0x0E00

// before finds a name in what was said before the quote, the nearest first:
// in the turn itself, then in the turns shown before it.
func (s *support) before(name string) (domain.FieldSource, bool) {
	if at := lastMention(s.turn.Content[:s.span.Start], name); at.Len() > 0 {
		return domain.FieldSource{Span: at, Rule: contextRule}, true
	}
	parts := s.ask.parts()
	for i := s.part - 1; i >= 0; i-- {
		t := parts[i].Turn
		if at := lastMention(t.Content, name); at.Len() > 0 {
			var chars sir.CharCounter
			return domain.FieldSource{Rule: contextRule, Quote: &sir.Evidence{
				TurnID: t.ID, Bytes: [2]int{at.Start, at.End}, Quote: at.Of(t.Content), Match: sir.Verbatim,
				Chars: [2]int{chars.Before(t.Content, at.Start), chars.Before(t.Content, at.End)},
			}}, true
		}
	}
	return domain.FieldSource{}, false
}

// refinesRule is how a field is marked that names the element that the words
// are said to refine.
const refinesRule = "refines"

// contextRule is how a field is marked that comes from what was said before.
const contextRule = "context"

// lastMention is the last clause of a text that has all words of a name;
// empty for none.
func lastMention(text, name string) sir.Span {
	content := domain.ContentWords(name)
	if len(content) == 0 {
		return sir.Span{}
	}
	for end := len(text); end > 0; {
		span := sentenceAround(text, sir.Span{Start: end - 1, End: end})
		have := newWordSet(span.Of(text))
		if !slices.ContainsFunc(content, func(w string) bool { return !have.has(w) }) {
			return span
		}
		end = span.Start
		for end > 0 && strings.ContainsRune(" \t\r\n", rune(text[end-1])) {
			end--
		}
		if span.Start == 0 {
			break
		}
	}
	return sir.Span{}
}

// sentenceAround widens a span to the line, or the sentence in it, that it
// stands in.
func sentenceAround(text string, span sir.Span) sir.Span {
	start, end := span.Start, span.End
	for start > 0 && !sentenceEnds(text, start) {
		start--
	}
	for end < len(text) && !sentenceEnds(text, end) {
		end++
	}
	for start < span.Start && (text[start] == ' ' || text[start] == '\t' || text[start] == '\n' || text[start] == '\r') {
		start++
	}
	return sir.Span{Start: start, End: end}
}

// sentenceEnds reports whether a sentence ends before byte i: at a line's
// end, or at a mark that a space follows.
func sentenceEnds(text string, i int) bool {
	if text[i-1] == '\n' || i < len(text) && text[i] == '\n' {
		return true
	}
	if i < len(text) && text[i] == ' ' && strings.IndexByte(".!?;", text[i-1]) >= 0 {
		return true
	}
	return strings.HasSuffix(text[:i], "。") || strings.HasSuffix(text[:i], "！") || strings.HasSuffix(text[:i], "？")
}
