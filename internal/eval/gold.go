package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/speckl/speckl/sir"
)

// ErrFile is wrapped by errors about a gold or run file.
var ErrFile = errors.New("bad file")

// Row is one text with what it says.
type Row struct {
	ID string `json:"id"`
	// Text is read as one turn of a human; Turns stand in for it.
	Text  string     `json:"text"`
	Turns []sir.Turn `json:"turns"`
	// Gold are the elements that the text gives; a row without any is a
	// negative: nothing must be found in it.
	Gold []Entry `json:"gold"`
	// MustNot are patterns of elements that would be inventions.
	MustNot []Entry `json:"must_not"`
	// May are extras that are neither asked for nor wrong.
	May []Entry `json:"may"`
}

// Entry is "type" and fields, as in an element's data.
type Entry map[string]any

// Type is the element type that an entry is about; "*" is any.
func (e Entry) Type() string { s, _ := e["type"].(string); return s }

// Element is an extracted element as the scoring sees it.
type Element struct {
	Type     string         `json:"elementType"`
	Status   sir.Status     `json:"status"`
	Data     map[string]any `json:"data"`
	Evidence []sir.Evidence `json:"evidence"`
}

// Extracted is what was extracted from one row.
type Extracted struct {
	ID       string    `json:"id"`
	Elements []Element `json:"elements"`
	// Turns are what the evidence points into; none: the row's text.
	Turns []Turn `json:"turns"`
}

// Turn is a turn that evidence points into.
type Turn struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// maxLine bounds a line of a gold or run file.
const maxLine = 256 << 20

// ReadGold reads a gold file; name stands in errors, which wrap [ErrFile].
func ReadGold(r io.Reader, name string) ([]Row, error) {
	var rows []Row
	seen := map[string]bool{}
	err := lines(r, name, func(line []byte) error {
		var row Row
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		switch {
		case row.ID == "":
			return errors.New(`a row needs an "id"`)
		case seen[row.ID]:
			return fmt.Errorf("id %q stands twice", row.ID)
		}
		seen[row.ID] = true
		for _, g := range append(append([]Entry(nil), row.Gold...), row.MustNot...) {
			if g.Type() == "" {
				return fmt.Errorf(`row %q: each entry needs a "type"`, row.ID)
			}
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// ReadRun reads a run file: an id and what `extract -o json` printed, a row
// a line. Errors wrap [ErrFile].
func ReadRun(r io.Reader, name string) (Run, error) {
	run := Run{}
	err := lines(r, name, func(line []byte) error {
		var x Extracted
		if err := json.Unmarshal(line, &x); err != nil {
			return err
		}
		if x.ID == "" {
			return errors.New(`a row needs an "id"`)
		}
		run[x.ID] = x
		return nil
	})
	return run, err
}

// Run are extracted rows by id.
type Run map[string]Extracted

func lines(r io.Reader, name string, each func([]byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), maxLine)
	n := 0
	for sc.Scan() {
		n++
		if len(strings.TrimSpace(sc.Text())) == 0 {
			continue
		}
		if err := each(sc.Bytes()); err != nil {
			return fmt.Errorf("%w: %s:%d:%d: %w", ErrFile, name, n, column(err), err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%w: %s:%d:1: %w", ErrFile, name, n+1, err)
	}
	return nil
}

func column(err error) int {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return max(int(syntax.Offset), 1)
	case errors.As(err, &typ):
		return max(int(typ.Offset), 1)
	}
	return 1
}
