package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/ground"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

// plainFormats are formats of conversation that any text has: a source that
// looks like one is a text, unless --format says otherwise.
var plainFormats = map[string]bool{"text": true, "markdown": true, "prose": true}

// ground is `speckl ground`.
func (a *app) ground() *cobra.Command {
	var r reading
	var form output
	cmd := &cobra.Command{
		Use:   "ground SOURCE QUOTES.jsonl",
		Short: "Find quotes in a source, and say which are not there or change what was said",
		Long: "Find quotes in a source. Each line of QUOTES has a quote, and may have an id, and the\n" +
			"turnId or speaker that it is by; each line of the output says where it stands: verbatim,\n" +
			"normalized (but for case, white space, marks and the like), approximate (but for slips),\n" +
			"altered (it changes what was said: no evidence), or none.\n" +
			"SOURCE is a text, whose offsets count from its first byte and character, or a conversation\n" +
			"in one of the formats, of whose turns they count; --format text reads a log as turns, too.",
		Example: "  speckl ground minutes.txt quotes.jsonl\n  speckl ground meeting.vtt - < quotes.jsonl",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("%s: name a source and a file of quotes: see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			c, err := choose(nil)
			if err != nil {
				return err
			}
			r.minding(c.known)
			s, err := a.groundSource(cmd, &r, args[0])
			if err != nil {
				return err
			}
			return a.groundAll(s, args[1])
		},
	}
	r.flags(a, cmd)
	form.flags(cmd, "jsonl")
	return cmd
}

// grounded is a source that quotes are looked for in.
type grounded struct {
	*ground.Source
	// turns: its parts are turns, which the output names.
	turns bool
	chars []sir.CharCounter // by part
}

// groundSource reads a source: a text as it is, a conversation as its turns.
func (a *app) groundSource(cmd *cobra.Command, r *reading, path string) (*grounded, error) {
	open, err := a.open(cmd.Context(), cmd, []string{path})
	if err != nil {
		return nil, err
	}
	o, err := r.options(open[0].name)
	if err != nil {
		closeAll(open)
		return nil, err
	}
	in := bufio.NewReaderSize(open[0].in, 64<<10)
	if r.format == "" {
		format, rest, err := transcript.Detect(in, o)
		if err != nil || plainFormats[format.ID] {
			defer closeAll(open)
			return a.groundText(rest, in, path, int64(r.maxBytes))
		}
		in = bufio.NewReaderSize(rest, 64<<10)
		o.Format = format.ID
	}
	defer closeAll(open)
	var parts []ground.Part
	for t, err := range transcript.Read(in, o) {
		if err != nil {
			return nil, err
		}
		id := t.ID
		if id == "" {
			id = fmt.Sprint(t.Seq)
		}
		parts = append(parts, ground.Part{ID: id, Speaker: t.Name(), Text: t.Content})
	}
	r.report(a)
	return &grounded{Source: ground.New(parts...), turns: true, chars: make([]sir.CharCounter, len(parts))}, nil
}

// groundText reads a source that is one text.
func (a *app) groundText(rest io.Reader, in *bufio.Reader, path string, most int64) (*grounded, error) {
	if rest == nil {
		rest = in
	}
	b, err := io.ReadAll(io.LimitReader(rest, most+1))
	switch {
	case err != nil:
		return nil, inputf("read %s: %w", path, err)
	case int64(len(b)) > most:
		return nil, inputf("%s: larger than --max-bytes (%d)", path, most)
	case !utf8.Valid(b):
		return nil, inputf("%s: no UTF-8 text", path)
	}
	return &grounded{Source: ground.New(ground.Part{Text: string(b)}), chars: make([]sir.CharCounter, 1)}, nil
}

// quoteLine is a line of QUOTES.
type quoteLine struct {
	ID      json.RawMessage `json:"id"`
	Quote   string          `json:"quote"`
	Text    string          `json:"text"`
	TurnID  string          `json:"turnId"`
	Speaker string          `json:"speaker"`
}

// groundLine is a line of the output.
type groundLine struct {
	ID     json.RawMessage `json:"id"`
	Quote  string          `json:"quote"`
	Kind   ground.Kind     `json:"kind"`
	TurnID string          `json:"turnId,omitempty"`
	Bytes  *[2]int         `json:"bytes"`
	Chars  *[2]int         `json:"chars"`
	Source *string         `json:"source"`
	Score  sir.Confidence  `json:"score"`
	Edits  []ground.Edit   `json:"edits"`
	Flags  []string        `json:"flags"`
	Others [][2]int        `json:"others"`
	// OtherTurnIDs are the turns of Others, where the source has turns.
	OtherTurnIDs []string `json:"otherTurnIds,omitempty"`
}

// groundAll reads quotes, a line each, and prints where each stands. Their
// order tells which of several occurrences is meant, so that all are read
// before the first is looked for.
func (a *app) groundAll(s *grounded, path string) error {
	lines, err := a.quoteLines(path)
	if err != nil {
		return err
	}
	quotes := make([]ground.Quote, len(lines))
	for i, l := range lines {
		quotes[i] = ground.Quote{Text: l.Quote, Hint: ground.Hint{Part: l.TurnID, Speaker: l.Speaker}}
	}
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	for i, m := range s.FindAll(quotes) {
		if err := enc.Encode(s.line(&lines[i], m)); err != nil {
			return err
		}
	}
	return nil
}

// quoteLines reads the quotes.
func (a *app) quoteLines(path string) ([]quoteLine, error) {
	in := a.stdin
	if path != "-" {
		f, err := openFile(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	var out []quoteLine
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxQuoteLine)
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		var q quoteLine
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, inputf(`%s:%d: %w: want {"quote":"…"} on each line, perhaps with id, turnId and speaker`, path, n, err)
		}
		if q.Quote == "" {
			q.Quote = q.Text
		}
		out = append(out, q)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, inputf("%s:%d: a line of more than %d MiB", path, n+1, maxQuoteLine>>20)
	}
	return out, lines.Err()
}

// maxQuoteLine bounds a line of QUOTES.
const maxQuoteLine = 16 << 20

// line is what is printed for one quote.
func (s *grounded) line(q *quoteLine, m ground.Match) groundLine {
	out := groundLine{ID: q.ID, Quote: q.Quote, Kind: m.Kind, Score: m.Score, Edits: m.Edits, Flags: []string{}, Others: [][2]int{}}
	if out.ID == nil {
		out.ID = json.RawMessage("null")
	}
	if out.Edits == nil {
		out.Edits = []ground.Edit{}
	}
	if m.Kind == ground.None {
		return out
	}
	part := &s.Parts()[m.Part]
	source := m.Span.Of(part.Text)
	chars := &s.chars[m.Part]
	out.Bytes = &[2]int{m.Span.Start, m.Span.End}
	out.Chars = &[2]int{chars.Before(part.Text, m.Span.Start), chars.Before(part.Text, m.Span.End)}
	out.Source = &source
	if s.turns {
		out.TurnID = part.ID
	}
	if m.Ambiguous {
		out.Flags = append(out.Flags, "ambiguous")
	}
	for _, o := range m.Others {
		if s.turns {
			out.OtherTurnIDs = append(out.OtherTurnIDs, s.Parts()[o.Part].ID)
		}
		out.Others = append(out.Others, [2]int{o.Span.Start, o.Span.End})
	}
	return out
}
