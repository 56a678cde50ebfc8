package transcript

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/speckl/speckl/sir"
)

// EncodeJSONL writes turns as the format "jsonl", one a line, and returns how
// many it wrote. It ends with the first error: the sequence's own, or one of
// w. What was written before stays written.
func EncodeJSONL(w io.Writer, turns iter.Seq2[sir.Turn, error]) (int, error) {
	bw := bufio.NewWriterSize(w, 64<<10)
	var buf []byte
	n := 0
	for t, err := range turns {
		if err != nil {
			if ferr := bw.Flush(); ferr != nil {
				return n, fmt.Errorf("write turns: %w", ferr)
			}
			return n, err
		}
		if buf, err = AppendJSONL(buf[:0], &t); err != nil {
			return n, err
		}
		if _, err := bw.Write(buf); err != nil {
			return n, fmt.Errorf("write turns: %w", err)
		}
		n++
	}
	if err := bw.Flush(); err != nil {
		return n, fmt.Errorf("write turns: %w", err)
	}
	return n, nil
}

// AppendJSONL appends one turn as a line. Reading the line gives the turn
// again, byte for byte; only a time within three years of 1970 is then taken
// for seconds. It returns an error where the metadata cannot be written, which
// is a mistake of the program.
func AppendJSONL(b []byte, t *sir.Turn) ([]byte, error) {
	b = appendString(append(b, `{"id":`...), t.ID)
	b = appendString(append(b, `,"sessionId":`...), t.SessionID)
	b = strconv.AppendInt(append(b, `,"seq":`...), int64(t.Seq), 10)
	b = append(b, `,"timestamp":`...)
	if t.Timestamp == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, *t.Timestamp, 10)
	}
	b = appendString(append(b, `,"speaker":`...), string(t.Speaker))
	b = append(b, `,"speakerName":`...)
	if t.SpeakerName == nil {
		b = append(b, "null"...)
	} else {
		b = appendString(b, *t.SpeakerName)
	}
	if t.AgentID != "" {
		b = appendString(append(b, `,"agentId":`...), t.AgentID)
	}
	b = appendString(append(b, `,"content":`...), t.Content)
	if t.ParentTurnID != "" {
		b = appendString(append(b, `,"parentTurnId":`...), t.ParentTurnID)
	}
	return appendMetadata(append(b, `,"metadata":`...), t)
}

// appendMetadata writes source and kind first, then what else there is.
func appendMetadata(b []byte, t *sir.Turn) ([]byte, error) {
	m := sir.Metadata{}
	if t.Metadata != nil {
		m = *t.Metadata
	}
	src := sir.Source{}
	if m.Source != nil {
		src = *m.Source
	}
	if m.Kind == "" {
		m.Kind = "message"
	}
	b = appendString(append(b, `{"source":{"file":`...), src.File)
	b = strconv.AppendInt(append(b, `,"record":`...), int64(src.Record), 10)
	b = appendString(append(b, `},"kind":`...), m.Kind)
	m.Source, m.Kind = nil, ""
	if t.Metadata != nil && !bare(&m) {
		rest, err := json.Marshal(m)
		if err != nil {
			return b, fmt.Errorf("write turn %s: %w", t.ID, err)
		}
		if len(rest) > 2 {
			b = append(append(b, ','), rest[1:len(rest)-1]...)
		}
	}
	return append(b, "}}\n"...), nil
}

// bare reports whether there is nothing in m but source and kind.
func bare(m *sir.Metadata) bool {
	return m.ExplicitMarkers == nil && m.StructuredBlock == nil && m.Edits == nil && m.TZ == "" && m.Mode == "" && m.Quoted == nil
}

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string and escapes no more than JSON asks for,
// and U+2028 and U+2029, which some readers take for the end of a line.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == 0x2028 || r == 0x2029 {
				b = append(append(b, s[from:i]...), `\u202`...)
				b = append(b, hexDigits[r&15])
				from = i + n
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
