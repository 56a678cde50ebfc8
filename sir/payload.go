package sir

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Decoded returns what the mutation carries: Body, else Payload decoded; nil
// if it was erased.
// It returns an error that wraps [ErrBroken] if the payload is unreadable or
// missing.
func (m *Mutation) Decoded() (*Payload, error) {
	switch {
	case m.Body != nil:
		return m.Body, nil
	case m.Payload != nil:
		p := new(Payload)
		if err := json.Unmarshal(m.Payload, p); err != nil {
			return nil, fmt.Errorf("read payload of record %d: %w: %w", m.Seq, ErrBroken, err)
		}
		return p, nil
	case m.PayloadHash == "" && m.Kind != Erased:
		return nil, fmt.Errorf("read payload of record %d: %w: it has none", m.Seq, ErrBroken)
	}
	return nil, nil
}

// TurnMutation returns the record that brings a turn into the log; the store
// sets DocVersion and RecordedAt.
func TurnMutation(document string, t *Turn) Mutation {
	kind := TurnKind
	if t.IsAct() {
		kind = Act
	}
	return Mutation{DocumentID: document, TurnID: t.ID, Kind: kind, At: t.Timestamp, Attribution: t.attribution()}
}

// attribution says who spoke.
func (t *Turn) attribution() Attribution {
	if t.Speaker == Agent {
		return Attribution{Type: ByAgent, AgentID: t.AgentID, SpeakerID: t.Name()}
	}
	return Attribution{Type: ByHuman, SpeakerID: t.Name()}
}

// Encode returns the payload as the log keeps it: canonical JSON.
// It returns an error that wraps [ErrValue] if it has no such form.
func (p *Payload) Encode() ([]byte, error) { return new(canonizer).appendPayload(nil, p) }

// Evidence are the words that the payload brings to an element.
func (p *Payload) Evidence() []Evidence {
	switch {
	case p.Element != nil:
		return p.Element.Evidence
	case p.Patch != nil:
		return p.Patch.Evidence
	}
	return nil
}

// Attribution is what a record of this payload carries: the turn's speaker,
// or what the newest entry says.
func (p *Payload) Attribution() Attribution {
	var entries []Entry
	switch {
	case p == nil:
	case p.Turn != nil:
		return p.Turn.attribution()
	case p.Element != nil:
		entries = p.Element.Provenance.Entries
	case p.Patch != nil:
		entries = p.Patch.Entries
	}
	if len(entries) == 0 {
		return Attribution{}
	}
	return entries[len(entries)-1].Attribution
}

// appendPayload appends the canonical form. A turn, of which a document may
// hold a million, goes without reflection.
func (c *canonizer) appendPayload(dst []byte, p *Payload) ([]byte, error) {
	if p.Turn == nil {
		return c.append(dst, p)
	}
	return appendTurnPayload(dst, p.Turn)
}

// appendTurnPayload appends what Canonical(Payload{Turn: t}) gives.
func appendTurnPayload(dst []byte, t *Turn) ([]byte, error) {
	w := writer{b: append(dst, `{"turn":{`...)}
	if t.AgentID != "" {
		w.text(`"agentId":`, t.AgentID)
		w.b = append(w.b, ',')
	}
	w.text(`"content":`, t.Content)
	w.text(`,"id":`, t.ID)
	if t.Metadata != nil {
		w.b = append(w.b, `,"metadata":`...)
		w.metadata(t.Metadata)
	}
	if t.ParentTurnID != "" {
		w.text(`,"parentTurnId":`, t.ParentTurnID)
	}
	w.number(`,"seq":`, int64(t.Seq))
	w.text(`,"sessionId":`, t.SessionID)
	w.text(`,"speaker":`, string(t.Speaker))
	if t.SpeakerName == nil {
		w.b = append(w.b, `,"speakerName":null`...)
	} else {
		w.text(`,"speakerName":`, *t.SpeakerName)
	}
	w.time(`,"timestamp":`, t.Timestamp)
	w.b = append(w.b, "}}"...)
	if w.err != nil {
		return dst, fmt.Errorf("encode turn %q: %w", t.ID, w.err)
	}
	return w.b, nil
}

// writer appends members of an object and remembers the first error.
type writer struct {
	b   []byte
	err error
}

func (w *writer) text(key, value string) {
	var err error
	if w.b, err = appendString(append(w.b, key...), value); err != nil && w.err == nil {
		w.err = err
	}
}

func (w *writer) number(key string, n int64) {
	w.b = strconv.AppendInt(append(w.b, key...), n, 10)
}

// time writes Unix ms or null.
func (w *writer) time(key string, ms *int64) {
	if ms == nil {
		w.b = append(append(w.b, key...), "null"...)
		return
	}
	w.number(key, *ms)
}

// metadata writes the common hints by hand, others by way of [Canonical].
func (w *writer) metadata(m *Metadata) {
	if !m.Plain() {
		var err error
		if w.b, err = new(canonizer).append(w.b, m); err != nil && w.err == nil {
			w.err = err
		}
		return
	}
	w.b = append(w.b, '{')
	if m.Kind != "" {
		w.text(`"kind":`, m.Kind)
	}
	if s := m.Source; s != nil {
		if m.Kind != "" {
			w.b = append(w.b, ',')
		}
		w.text(`"source":{"file":`, s.File)
		w.number(`,"record":`, int64(s.Record))
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, '}')
}

// Plain reports whether the metadata hold nothing but a kind and a source,
// which is what most turns have.
func (m *Metadata) Plain() bool {
	return m.ExplicitMarkers == nil && m.StructuredBlock == nil && m.Edits == nil &&
		m.TZ == "" && m.Mode == "" && m.Quoted == nil
}

func sameAttribution(a, b Attribution) bool {
	return a.Type == b.Type && a.SpeakerID == b.SpeakerID && a.AgentID == b.AgentID &&
		a.Model == b.Model && a.Component == b.Component && slices.Equal(a.Agents, b.Agents)
}
