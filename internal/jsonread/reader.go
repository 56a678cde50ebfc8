package jsonread

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// reader gathers what a reply holds.
type reader struct {
	parser
	Result
	find *finder
	raw  []byte // the reply
	keys []string
	// encoded is how many strings deep the reply stands in another.
	encoded int
	// take reads the list or object at at, adds what is whole in it, and
	// returns where to go on.
	take      func(r *reader, at int) int
	stretches []stretch
	// opened says that the object at hand has a key, wrapped that it holds the
	// items and is none itself, hollow that it holds an empty list alone.
	opened, wrapped, hollow bool
}

// maxEncoded is how many strings deep JSON may stand.
const maxEncoded = 3

func read(reply string, keys []string, encoded int, take func(*reader, int) int) Result {
	r := &reader{parser: parser{src: reply}, find: newFinder(reply), raw: []byte(reply), keys: keys, encoded: encoded, take: take}
	var sober Result // what was there when thinking began that never ends
	var last answer
	for e := r.find.next(); e != nothing; e = r.find.next() {
		switch e {
		case fence:
			r.endStretch()
		case thought:
			r.Result, r.stretches, last = Result{}, nil, answer{}
		case musing:
			sober, last = r.Result, answer{}
		case value:
			last = r.answer()
		}
	}
	if r.find.muses {
		r.wake(sober, last)
	} else {
		r.endStretch()
		r.once()
	}
	if !r.Found && len(r.Losses) == 0 {
		r.nothing()
	}
	return r.Result
}

// answer is what came of one value in a reply.
type answer struct {
	Result
	end int
}

// answer reads the value at hand.
func (r *reader) answer() answer {
	before := r.Result
	r.Found, r.end, r.opened, r.wrapped, r.hollow = false, r.find.end, false, false, false
	at, end := r.find.at, 0
	if quote, size := r.quote(at); quote == 0 {
		end = max(r.take(r, at), at+1)
	} else if end, _ = r.packed(at, alone); end == at {
		end = at + size
	}
	r.find.leave(end)
	a := answer{Result{r.Items[len(before.Items):], r.Losses[len(before.Losses):], r.Found}, end}
	r.Found = r.Found || before.Found
	return a
}

// wake leaves out what was thought aloud to the end of the reply, but for an
// answer that is whole and ends it.
func (r *reader) wake(sober Result, last answer) {
	r.Result = sober
	if last.Found && len(last.Losses) == 0 && strings.Trim(r.src[last.end:], " \t\r\n`~") == "" {
		r.Items, r.Found = append(r.Items, last.Items...), true
		return
	}
	r.end = len(r.src)
	r.lose(CutOff, r.find.thinks)
}

// nothing tells why there is no answer.
func (r *reader) nothing() {
	r.end = len(r.src)
	switch text := strings.TrimSpace(r.src); {
	case text == "":
		r.lose(Empty, 0)
	case json.Valid([]byte(text)):
		r.lose(NotAnObject, strings.Index(r.src, text))
	default:
		r.lose(NotJSON, strings.Index(r.src, text))
	}
}

// add adds the whole item src[at:end].
func (r *reader) add(at, end int) {
	item := Item{JSON: r.raw[at:end:end], At: at, Repaired: r.fixed}
	if r.fixed {
		item.JSON = r.mended(end)
	}
	r.Items, r.Found = append(r.Items, item), true
}

// maxText is how many characters of a loss are told.
const maxText = 120

// lose adds a loss.
func (r *reader) lose(reason string, at int) {
	text := strings.TrimSpace(r.src[at:min(r.end, at+maxText*utf8.UTFMax)])
	n := 0
	for i := range text {
		if n == maxText {
			text = text[:i]
			break
		}
		n++
	}
	r.Losses = append(r.Losses, Loss{Reason: reason, At: at, Text: strings.ToValidUTF8(text, "\uFFFD")})
}

// packed reads JSON that stands in the string at at, and returns where the
// string ends; at, as if nothing had been read, if there is no JSON in it. A
// string that ends nowhere is read as far as it goes.
func (r *reader) packed(at int, in place) (int, state) {
	depth := r.depth
	defer func() { r.begin(at); r.depth = depth }()
	r.begin(at)
	end, st := r.text(at, in)
	if r.encoded == maxEncoded {
		return at, st
	}
	encoded := r.mended(end)
	if st == cut {
		encoded, end = append(encoded, '"'), r.end
	}
	var text string
	if json.Unmarshal(encoded, &text) != nil || strings.IndexAny(strings.TrimSpace(text), "{[\"`~") != 0 {
		return at, st
	}
	inner := read(text, r.keys, r.encoded+1, r.take)
	for _, i := range inner.Items {
		r.Items = append(r.Items, Item{JSON: i.JSON, At: at, Repaired: true})
	}
	for _, l := range inner.Losses {
		if l.Reason == NotJSON || l.Reason == NotAnObject || l.Reason == Empty {
			return at, st
		}
		r.Losses = append(r.Losses, Loss{Reason: l.Reason, At: at, Text: l.Text})
	}
	r.Found = r.Found || inner.Found
	return end, st
}
