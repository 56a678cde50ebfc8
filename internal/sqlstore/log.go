package sqlstore

import (
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Log yields the records behind after. A turn's payload is made again from
// the turn's row, so that the chain covers that row, too.
func (r *reader) Log(after int64) iter.Seq2[sir.Mutation, error] {
	return func(yield func(sir.Mutation, error) bool) {
		if err := r.usable("log"); err != nil {
			yield(sir.Mutation{}, err)
			return
		}
		after := max(after, 0) // its own in each run
		prev, err := r.hashAt(after)
		if err != nil {
			yield(sir.Mutation{}, r.failed("read log", err))
			return
		}
		for {
			if err := r.usable("log"); err != nil {
				yield(sir.Mutation{}, err)
				return
			}
			records, err := page(&r.session, qLog, r.args(after, pageRows), r.scanRecord)
			for i := range records { // one that cannot be read comes behind those before it
				m := records[i]
				m.PrevHash = prev
				prev, after = m.Hash, m.Seq
				if !yield(m, nil) {
					return
				}
			}
			if link := (*sir.ChainError)(nil); errors.As(err, &link) {
				yield(sir.Mutation{}, link) // it says where
			} else if err != nil {
				yield(sir.Mutation{}, r.failed(fmt.Sprintf("read record %d", after+1), err))
			}
			if err != nil || len(records) == 0 {
				return
			}
		}
	}
}

// hashAt is the hash of a record, "" for the one before the first. Where it
// is missing the chain will not hold, and says so.
func (s *session) hashAt(seq int64) (string, error) {
	if seq == 0 {
		return "", nil
	}
	var b []byte
	err := s.conn.one(s.ctx, qHashAt, s.args(seq), &b)
	if isNone(err) {
		return "", nil
	}
	return hex.EncodeToString(b), err
}

// scanRecord reads a row of qLog.
func (s *session) scanRecord(scan func(...any) error) (sir.Mutation, int, error) {
	m := sir.Mutation{DocumentID: s.ref.Document}
	var t sir.Turn
	var payloadHash, hash, metadata []byte
	var turn int64
	var turnID, session, role, agent, parent, content *string
	var position *int
	err := scan(&m.Seq, &m.DocVersion, &turn, &turnID, &m.ElementID, &m.Kind, &m.Version, &m.At, &m.RecordedAt,
		(*[]byte)(&m.Payload), &payloadHash, &m.Salt, &hash,
		&session, &position, &t.Timestamp, &role, &t.SpeakerName, &agent, &parent, &content, &metadata)
	if err != nil {
		return m, 0, err
	}
	m.PayloadHash, m.Hash = hex.EncodeToString(payloadHash), hex.EncodeToString(hash)
	if turn > 0 && turnID == nil {
		return m, 0, &sir.ChainError{Seq: m.Seq, Reason: "names a turn that is missing"}
	}
	if turnID != nil {
		m.TurnID = *turnID
	}
	if (m.Kind == sir.TurnKind || m.Kind == sir.Act) && m.Salt != nil && turnID != nil {
		t.ID, t.SessionID, t.Seq, t.Speaker, t.AgentID, t.ParentTurnID, t.Content = *turnID, *session, *position, sir.Role(*role), *agent, *parent, *content
		if m.Payload != nil {
			return m, 0, &sir.ChainError{Seq: m.Seq, Reason: "has a payload beside its turn"}
		}
		m.Body = &sir.Payload{Turn: &t}
		err := readMetadata(&t, metadata)
		if err == nil {
			m.Payload, err = m.Body.Encode()
		}
		if err != nil {
			return m, 0, &sir.ChainError{Seq: m.Seq, Reason: "is of a turn that cannot be read: " + err.Error()}
		}
	}
	if m.Salt == nil && turnID != nil && role != nil && *role == string(sir.Agent) && m.Payload == nil && m.ElementID == "" {
		m.Attribution = sir.Attribution{Type: sir.ByAgent} // all that is left of an erased turn's speaker
	} else if m.Salt == nil && m.Payload == nil && (m.Kind == sir.TurnKind || m.Kind == sir.Act) {
		m.Attribution = sir.Attribution{Type: sir.ByHuman}
	}
	if body, err := m.Decoded(); err == nil && body != nil { // an unreadable one is for the reader to find
		m.Body, m.Attribution = body, body.Attribution()
	}
	return m, len(m.Payload), nil
}

// recordRow are the values of intoMutations.
func (s *session) recordRow(m *sir.Mutation, turn int) ([]any, error) {
	payloadHash, err1 := hex.DecodeString(m.PayloadHash)
	hash, err2 := hex.DecodeString(m.Hash)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("store record %d: %w: %w", m.Seq, store.ErrBroken, err)
	}
	payload := []byte(m.Payload)
	if m.Kind == sir.TurnKind || m.Kind == sir.Act {
		payload = nil // the turn's row has it
	}
	return []any{
		s.ref.Organization, s.doc.key, m.Seq, m.DocVersion, turn, m.ElementID, string(m.Kind), m.Version,
		m.At, m.RecordedAt, payload, payloadHash, []byte(m.Salt), hash,
	}, nil
}
