package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/export"
	"github.com/speckl/speckl/sir"
)

// savedStart is what a document that `extract -o json` printed begins with;
// no conversation does.
var savedStart = []byte(`{"document":`)

// saved is the part of a printed document that is read back.
type saved struct {
	Document   sir.Header       `json:"document"`
	Sessions   []export.Session `json:"sessions"`
	Turns      []*sir.Turn      `json:"turns"`
	Elements   []*sir.Element   `json:"elements"`
	Candidates []sir.Candidate  `json:"candidates"`
	Conflicts  []sir.Conflict   `json:"conflicts"`
	Stats      sir.Stats        `json:"stats"`

	Clarifications []sir.Clarification `json:"clarifications"`
}

// isSaved looks whether in begins like a saved document.
func isSaved(in *bufio.Reader) bool {
	head, _ := in.Peek(512)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	var squeezed bytes.Buffer
	for _, b := range head {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			squeezed.WriteByte(b)
		}
		if squeezed.Len() == len(savedStart) {
			break
		}
	}
	return bytes.Equal(squeezed.Bytes(), savedStart)
}

// readSaved reads a saved document; the client knows its domains' labels.
func readSaved(in io.Reader, name string, client *speckl.Client) (*export.Document, error) {
	body, err := io.ReadAll(in)
	if err != nil {
		return nil, inputf("read %s: %w", name, err)
	}
	var s saved
	if err := json.Unmarshal(body, &s); err != nil {
		offset := int64(0)
		switch e := err.(type) {
		case *json.SyntaxError:
			offset = e.Offset - 1
		case *json.UnmarshalTypeError:
			offset = e.Offset
		}
		return nil, inputf("%s: no saved document: %w: print it anew with extract -o json", at(name, body, int(min(max(offset, 0), int64(len(body))))), err)
	}
	doc := client.View(export.Document{
		Header: s.Document, Sessions: s.Sessions, Elements: s.Elements, Candidates: s.Candidates,
		Clarifications: s.Clarifications, Conflicts: s.Conflicts, Stats: s.Stats,
	})
	doc.Turns = turnsOf(s.Turns)
	for i, e := range doc.Elements {
		if e == nil {
			return nil, inputf("%s: element %d is null: print it anew with extract -o json", name, i+1)
		}
	}
	for i, t := range s.Turns {
		if t == nil {
			return nil, inputf("%s: turn %d is null: print it anew with extract -o json", name, i+1)
		}
	}
	return doc, nil
}

func turnsOf(turns []*sir.Turn) iter.Seq2[*sir.Turn, error] {
	return func(yield func(*sir.Turn, error) bool) {
		for _, t := range turns {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// who says who spoke a turn and which it was.
func who(t *sir.Turn, sessions int) string {
	name := t.Name()
	if name == "" {
		name = string(t.Speaker)
		if t.AgentID != "" {
			name = t.AgentID
		}
	}
	switch {
	case t.IsAct() && t.SpeakerName == nil:
		return "somebody, by act"
	case t.IsAct():
		return name + ", by act"
	case sessions > 1:
		return fmt.Sprintf("%s, turn %d of %s", name, t.Seq, t.SessionID)
	}
	return fmt.Sprintf("%s, turn %d", name, t.Seq)
}
