package statemachine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// Interpret finds that the event of a transition could name a phase: "after
// authentication, go to the dashboard". A source, a quoted or clicked label,
// or a declared event or state of that name removes the ambiguity.
func (h *hooks) Interpret(c *domain.Candidate, view domain.View) []domain.Reading {
	noun, readings := h.phase(c, view.Turn.Content)
	event, _ := c.Data["event"].(string)
	switch {
	case noun == "" || view.Known("event", event) || view.Known("event", noun):
		return nil
	case view.Known("state", noun):
		c.Data["from"], c.Data["event"] = noun, nil
		c.Fields["from"] = c.Fields["event"]
		delete(c.Fields, "event")
		return nil
	}
	return readings(c, noun, event, c.Data["to"].(string))
}

// phase returns the noun of the phase that a transition's event could name,
// with what its readings are; "" for none.
func (h *hooks) phase(c *domain.Candidate, content string) (noun string, readings func(c *domain.Candidate, noun, event, to string) []domain.Reading) {
	event, _ := c.Data["event"].(string)
	to, _ := c.Data["to"].(string)
	if c.Type != "transition" || c.Trigger != domain.TriggerPattern || c.Data["from"] != nil || event == "" || to == "" || domain.MarkedToken(event) != "" {
		return "", nil
	}
	if src, ok := c.Fields["event"]; ok && quoteBefore(content[:src.Span.Start]) {
		return "", nil // a label
	}
	for _, w := range domain.Words(event) {
		for _, v := range h.domain.Lexicon.PointVerbs {
			if inflects(w, v) {
				return "", nil // what is pressed is a label
			}
		}
	}
	if noun, ok := h.eventNoun(c, content, event); ok {
		return noun, h.nounReadings
	}
	if noun, ok := h.phaseVerb(event); ok {
		return noun, h.verbReadings
	}
	return "", nil
}

// quoteBefore reports whether a text ends in an opening quote or back-tick.
func quoteBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("'\"`‘“«", r)
}

// eventNoun reports whether the event is a noun phrase after "after", "once"
// or "following" that could name a phase: no verb, participle, number,
// duration or marks, and its head names no instant.
func (h *hooks) eventNoun(c *domain.Candidate, content, event string) (string, bool) {
	src, ok := c.Fields["event"]
	if !ok || !afterWord(content[:src.Span.Start]) {
		return "", false
	}
	tokens := clause.Scan(nil, event, 0, len(event))
	var words []string
	for _, t := range tokens {
		w := clause.Fold(t.Of(event))
		class := clause.ClassOf(w)
		if t.Kind != clause.Word || class&(clause.Aux|clause.Pron) != 0 && class&clause.Det == 0 || t.Shape&clause.Digits != 0 {
			return "", false
		}
		if class&(clause.Prep|clause.Sub|clause.Neg) != 0 {
			return "", false
		}
		if class&clause.Det == 0 && class&clause.Adv == 0 {
			words = append(words, w)
		}
	}
	if len(words) == 0 || len(words) > 3 {
		return "", false
	}
	head := words[len(words)-1]
	if h.isPoint(head) || participle(words) {
		return "", false
	}
	return strings.Join(words, " "), true
}

func afterWord(before string) bool {
	words := strings.Fields(strings.ToLower(before))
	for len(words) > 0 && clause.ClassOf(words[len(words)-1])&clause.Det != 0 {
		words = words[:len(words)-1]
	}
	return len(words) > 0 && slices.Contains([]string{"after", "once", "following"}, words[len(words)-1])
}

func (h *hooks) isPoint(word string) bool {
	for _, p := range h.domain.Lexicon.PointNouns {
		if word == p || word == p+"s" || word == p+"es" {
			return true
		}
	}
	return false
}

// participle reports whether the words are more than a noun phrase: a verb
// in -ed ends them, or a noun in the plural meets a bare verb.
func participle(words []string) bool {
	last := words[len(words)-1]
	return strings.HasSuffix(last, "ed") || len(words) > 1 && strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss")
}

// phaseVerb finds a verb of the domain's phaseVerbs in the event and returns
// its noun.
func (h *hooks) phaseVerb(event string) (string, bool) {
	words := domain.Words(event)
	for _, verb := range slices.Sorted(maps.Keys(h.domain.Lexicon.PhaseVerbs)) {
		noun := h.domain.Lexicon.PhaseVerbs[verb]
		parts := strings.Fields(verb)
		for i := 0; i+len(parts) <= len(words); i++ {
			// the verb ends the phrase, or one word (an adverb) follows
			if i+len(parts) >= len(words)-1 && inflects(words[i], parts[0]) && slices.Equal(words[i+1:i+len(parts)], parts[1:]) {
				return noun, true
			}
		}
	}
	return "", false
}

// inflects reports whether a word is a form of a verb.
func inflects(word, verb string) bool {
	stem := strings.TrimSuffix(verb, "e")
	last := verb[len(verb)-1:]
	for _, form := range []string{verb, verb + "s", verb + "es", stem + "ing", stem + "ed", verb + last + "ing", verb + last + "ed"} {
		if word == form {
			return true
		}
	}
	return false
}

func (h *hooks) nounReadings(c *domain.Candidate, noun, event, to string) []domain.Reading {
	c.Question = fmt.Sprintf("Is '%s' a state or an event? It leads to '%s'.", noun, to)
	state := h.reading(c, 0, sir.Data{"from": noun}, fmt.Sprintf("%s is a state; a transition leads from it to %s", noun, to),
		fmt.Sprintf("%s is a state, %s is a state, with a transition between them", noun, to))
	ev := h.reading(c, 500, sir.Data{"from": "*", "event": event}, fmt.Sprintf("%s is an event that leads from any state to %s", noun, to),
		fmt.Sprintf("%s is an event, %s is a state, with a transition from any state on it", noun, to))
	guard := h.reading(c, 1000, sir.Data{"guard": noun}, fmt.Sprintf("%s is a condition of the transition to %s", noun, to),
		fmt.Sprintf("%s is a guard condition on the transition to %s", noun, to))
	return []domain.Reading{state, ev, guard}
}

func (h *hooks) verbReadings(c *domain.Candidate, noun, event, to string) []domain.Reading {
	c.Question = fmt.Sprintf("A transition to '%s' after %s: is (A) %s a state that leads there, or does (B) the event '%s' lead there from any state?", to, noun, noun, event)
	return []domain.Reading{
		h.reading(c, 0, sir.Data{"from": noun}, fmt.Sprintf("%s is a state; a transition leads from it to %s", noun, to),
			fmt.Sprintf("%s is a state that transitions to %s", noun, to)),
		h.reading(c, 500, sir.Data{"from": "*", "event": event}, fmt.Sprintf("%s is an event that leads from any state to %s", event, to),
			fmt.Sprintf("the %s event triggers a transition from any state to %s", noun, to)),
	}
}

// reading is the candidate's transition with these fields; those that the
// readings do not share are unknown unless they name them.
func (h *hooks) reading(c *domain.Candidate, less sir.Confidence, fields sir.Data, rationale, option string) domain.Reading {
	data := sir.Data{}
	for k, v := range c.Data {
		data[k] = v
	}
	data["from"], data["event"], data["guard"] = nil, nil, nil
	for k, v := range fields {
		data[k] = v
	}
	return domain.Reading{Type: c.Type, Data: data, Base: max(0, c.Base-less), Rationale: rationale, Option: option}
}
