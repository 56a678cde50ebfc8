package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/speckl/speckl/sir"
)

// csvHeading names the columns. "quote", "speaker", "session", "turn" (the
// position in the session) and "turnId" are of the first evidence; "data" is
// a JSON object.
var csvHeading = []string{"id", "type", "domain", "status", "confidence", "version",
	"label", "data", "flags", "quote", "speaker", "session", "turn", "turnId"}

// CSV writes a heading and one element a row, of every status. A cell that a
// spreadsheet would take for a formula gets an apostrophe in front. It
// returns the first error of w or of the document's turns.
func CSV(w io.Writer, d *Document) error {
	v := &view{doc: d, places: map[string]place{}}
	for _, e := range d.Elements {
		if len(e.Evidence) > 0 {
			v.want(e.Evidence[0].TurnID)
		}
	}
	if err := v.readTurns(); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(csvHeading); err != nil {
		return err
	}
	for _, e := range d.Elements {
		row, err := v.csvRow(e)
		if err != nil {
			return err
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (v *view) csvRow(e *sir.Element) ([]string, error) {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.doc.dataShape(e.Domain, e.ElementType, e.Data)); err != nil {
		return nil, fmt.Errorf("encode element %s: %w", e.ID, err)
	}
	row := []string{e.ID, e.ElementType, e.Domain, string(e.Status), e.Confidence.String(), strconv.Itoa(e.Version),
		v.doc.label(e), strings.TrimSpace(data.String()), strings.Join(flagWords(e), " "), "", "", "", "", ""}
	if len(e.Evidence) > 0 {
		ev := e.Evidence[0]
		row[9], row[13] = ev.Quote, ev.TurnID
		if p := v.places[ev.TurnID]; p.pos > 0 {
			row[10], row[11], row[12] = p.speaker, p.session, strconv.Itoa(p.seq)
		}
	}
	for i, cell := range row {
		row[i] = inert(cell)
	}
	return row, nil
}

// flagWords are the flags that are set, by their JSON names.
func flagWords(e *sir.Element) []string {
	var out []string
	for _, f := range []struct {
		on   bool
		name string
	}{
		{e.Flags.NeedsReview, "needsReview"}, {e.Flags.IsAmbiguous, "isAmbiguous"}, {e.Flags.IsTentative, "isTentative"},
		{e.Flags.IsContradicted, "isContradicted"}, {e.Flags.SourceIsExplicit, "sourceIsExplicit"},
	} {
		if f.on {
			out = append(out, f.name)
		}
	}
	return out
}

// inert keeps a spreadsheet from running a cell: one that starts, blanks
// aside, like a formula gets an apostrophe.
func inert(cell string) string {
	s := strings.TrimLeft(cell, " \u00a0\u200b\ufeff")
	if s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(s)[0]) {
		return "'" + cell
	}
	return cell
}
