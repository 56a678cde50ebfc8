package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/speckl/speckl/sir"
)

// jsonl reads Speckl's own turns, one JSON object a line. Only "content" is
// needed; keys it does not know are skipped.
type jsonl struct{}

func jsonlFormat() Format {
	return Format{
		ID: "jsonl", Name: "JSONL turns", Extensions: []string{".jsonl", ".ndjson"},
		Description: "One turn a line as a JSON object; only \"content\" is needed.",
		reader:      jsonl{},
	}
}

var _ reader = jsonl{}

// sniff wants a line with "content"; what looks like JSON is a little like it,
// so that a mistake in it is named.
func (jsonl) sniff(s *sample, _ *config) int {
	score, n := 0, 0
	s.lines(func(l []byte) bool {
		l = bytes.TrimSpace(l)
		if len(l) == 0 {
			return true
		}
		if l[0] != '{' {
			return false
		}
		if rest := bytes.TrimSpace(l[1:]); len(rest) > 0 && rest[0] == '"' || bytes.Equal(l, []byte("{")) {
			score = max(score, 10)
		}
		if hasContent(l) {
			score = 90
		}
		n++
		return score < 90 && n < 50
	})
	if score == 0 && bytes.HasPrefix(bytes.TrimSpace(s.data), []byte(`{"`)) {
		score = 10 // one line, longer than the sample
	}
	return score
}

func hasContent(l []byte) bool {
	found := false
	if json.Valid(l) {
		eachField(l, func(k, v span) {
			found = found || string(k.of(l)) == `"content"` && l[v.from] == '"'
		})
	}
	return found
}

func (jsonl) read(in *input, out *sink) {
	// A byte of content may be written as \u00XX.
	limit := 6*in.cfg.MaxTurn + 64<<10
	for !out.stopped {
		l, err := in.readLine(limit)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				out.fail(err)
			}
			return
		}
		bad := in.check(l, limit)
		cut := bad != nil && bad.Code == CodeUTF8 && !l.ended && bad.Offset >= l.at+int64(len(l.text)-3)
		if bad != nil && !cut {
			out.bad(bad)
			continue
		}
		if len(bytes.TrimSpace(l.text)) == 0 {
			continue
		}
		if !json.Valid(l.text) {
			notJSON(in, out, l)
			continue
		}
		r := record{in: in, out: out, l: l}
		r.decode()
		if bad = r.bad; bad != nil {
			out.bad(bad)
			continue
		}
		out.turn(r.turn, l, l.no)
	}
}

// notJSON reports a line that is no JSON. An object that ends too early on the
// last line was cut off while it was written.
func notJSON(in *input, out *sink, l line) {
	var raw json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(l.text))
	err := dec.Decode(&raw)
	at, what := 0, "not JSON"
	var syntax *json.SyntaxError
	early := errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case early:
		at, what = len(l.text), "not JSON: the line ends too early"
	case errors.As(err, &syntax):
		at, what = max(int(syntax.Offset)-1, 0), "not JSON: "+syntax.Error()
	case err == nil: // words behind the value
		at, what = int(dec.InputOffset()), "not JSON: more than one value on the line"
	}
	e := in.bad(l, at, CodeSyntax, what, "write one JSON object a line, or name another --format")
	if deep := depth(l.text); deep > in.cfg.MaxDepth {
		e = tooDeep(in, l, deep)
	}
	if early && l.text[0] == '{' && in.last() {
		e.Code, e.Text, e.Hint = CodeTorn, "the last line is torn", "it was cut off while it was written"
		out.skip(SkipTorn, e)
		return
	}
	out.bad(e)
}

func tooDeep(in *input, l line, deep int) *Error {
	return in.bad(l, 0, CodeTooDeep, fmt.Sprintf("JSON nested %d deep, above the limit of %d", deep, in.cfg.MaxDepth), "flatten it")
}

// record decodes one line of valid JSON.
type record struct {
	in   *input
	out  *sink
	l    line
	turn sir.Turn
	bad  *Error
	// content says that the record has the one key it needs.
	content bool
}

func (r *record) decode() {
	text := r.l.text
	if first := bytes.TrimSpace(text)[0]; first != '{' {
		r.fail(0, "not a JSON object", `write {"content": "…"}`)
		return
	}
	if deep := depth(text); deep > r.in.cfg.MaxDepth {
		r.bad = tooDeep(r.in, r.l, deep)
		return
	}
	if at, what := badEscape(text); what != "" {
		code := CodeUTF8
		if what == nulEscape {
			code = CodeNUL
		}
		r.bad = r.in.bad(r.l, at, code, what, "remove it")
		return
	}
	eachField(text, r.field)
	switch {
	case r.bad != nil:
	case !r.content:
		r.fail(0, `no "content"`, `each line needs "content", a string`)
	case r.turn.Metadata != nil:
		r.mend()
	}
}

func (r *record) fail(at int, text, hint string) {
	if r.bad == nil {
		r.bad = r.in.bad(r.l, at, CodeField, text, hint)
	}
}

// field takes one key and its value.
func (r *record) field(k, v span) {
	text := r.l.text
	key := k.of(text)
	if bytes.IndexByte(key, '\\') >= 0 {
		key = appendString(nil, unquote(key))
	}
	switch string(key) {
	case `"content"`:
		if text[v.from] != '"' {
			r.fail(v.from, `"content" is not a string`, "write the words as one string")
			return
		}
		r.turn.Content, r.content = unquote(v.of(text)), true
	case `"id"`:
		r.turn.ID = r.id(k, v)
	case `"sessionId"`:
		r.turn.SessionID = r.id(k, v)
	case `"agentId"`:
		r.turn.AgentID = r.id(k, v)
	case `"parentTurnId"`:
		r.turn.ParentTurnID = r.id(k, v)
	case `"speakerName"`:
		r.name(v)
	case `"speaker"`:
		r.role(v)
	case `"seq"`:
		r.seq(v)
	case `"timestamp"`:
		at, err := parseTimestamp(v.of(text), r.in.cfg.Zone)
		if err != nil {
			r.fail(v.from, `"timestamp": `+err.Error(), "write Unix milliseconds, RFC 3339 or null")
		}
		r.turn.Timestamp = at
	case `"metadata"`:
		r.turn.Metadata = r.metadata(v)
	}
}

// id reads an id: a string, or a number as it is written.
func (r *record) id(k, v span) string {
	raw := v.of(r.l.text)
	switch c := raw[0]; {
	case c == '"':
		return unquote(raw)
	case c == 'n':
		return ""
	case c == '-' || isDigit(c):
		return string(raw)
	}
	r.fail(v.from, string(k.of(r.l.text))+" is not a string", "write a string")
	return ""
}

func (r *record) name(v span) {
	raw := v.of(r.l.text)
	switch {
	case raw[0] == 'n':
		r.turn.SpeakerName = nil
	case raw[0] != '"':
		r.fail(v.from, `"speakerName" is not a string`, "write a string or null")
	case bytes.IndexByte(raw, '\\') < 0:
		r.turn.SpeakerName, _ = r.out.speaker(raw[1 : len(raw)-1])
	default:
		r.turn.SpeakerName, _ = r.out.speaker([]byte(unquote(raw)))
	}
}

func (r *record) role(v span) {
	raw := v.of(r.l.text)
	switch string(raw) {
	case `"human"`, "null":
		r.turn.Speaker = sir.Human
	case `"agent"`:
		r.turn.Speaker = sir.Agent
	default:
		r.fail(v.from, fmt.Sprintf(`"speaker" is %.40s`, raw), `write "human" or "agent"; names go to "speakerName"`)
	}
}
