package sqlstore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tables are all tables of the schema.
var tables = []string{
	"organisations", "documents", "turns", "mutations", "elements", "evidence", "terms", "words", "said", "pending", "drafts",
	"speckl_schema",
}

// unseen are the columns in which Verify does not see a change, and why.
var unseen = map[string]string{
	"organisations.id":      "nothing is read from it: it is there so that a document has one",
	"drafts.org":            "drafts are beside the document, not in it",
	"drafts.doc":            "drafts are beside the document, not in it",
	"drafts.token":          "drafts are beside the document, not in it",
	"drafts.body":           "drafts are beside the document, not in it",
	"speckl_schema.version": "it is of the database: Open sees it",
	// One that is changed within what the log allows is not seen either: see
	// TestTamperedCounters.
}

// seenOtherwise: the database itself keeps it from being changed.
var seenOtherwise = map[string]bool{"postgres documents.doc": true} // generated always

// TestTamperedColumns changes each column of each table, in the first row, in
// the last and in some between, and wants Verify to name the record or the
// element.
func TestTamperedColumns(t *testing.T) {
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		tried := 0
		for _, table := range tables {
			all := v.rows(table)
			if len(all) == 0 {
				t.Errorf("%s is empty", table)
				continue
			}
			for _, was := range some(all) {
				for _, column := range was.columns {
					what := column + " of " + was.String()
					is := was.with(column, v.changed(was, column))
					if err := v.raw.update(was, column, is.get(column)); err != nil {
						if !seenOtherwise[strings.Split(t.Name(), "/")[1]+" "+table+"."+column] {
							t.Errorf("%s: %v", what, err)
						}
						continue
					}
					tried++
					if _, ok := unseen[table+"."+column]; ok {
						if err := v.verify(); err != nil {
							t.Errorf("%s is in the list of what is not seen: %v", what, err)
						}
					} else {
						seq, words := v.named(was, column)
						v.breaks(what, seq, words)
					}
					if err := v.raw.update(is, column, was.get(column)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if err := v.verify(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d changes of columns", tried)
	})
}

// TestTamperedRows takes each of some rows out, and puts copies in beside.
func TestTamperedRows(t *testing.T) {
	// keys are the columns in which a copy differs, so that it has room.
	keys := map[string]string{
		"turns": "n id", "mutations": "seq", "elements": "n id", "evidence": "i element", "terms": "hash element",
		"words": "hash element", "said": "i speaker", "pending": "id place kind",
	}
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		for table, columns := range keys {
			for _, was := range some(v.rows(table)) {
				v.raw.delete(was)
				seq, words := v.named(was, "")
				v.breaks("without "+was.String(), seq, words)
				if err := v.raw.insert(was); err != nil {
					t.Fatal(err)
				}
				extra := was
				for column := range strings.FieldsSeq(columns) {
					extra = extra.with(column, v.changed(was, column))
				}
				if err := v.raw.insert(extra); err != nil {
					t.Fatal(err)
				}
				v.breaks("with "+extra.String()+", too", 0, "")
				v.raw.delete(extra)
			}
		}
		if err := v.verify(); err != nil {
			t.Fatal(err)
		}
	})
}

// some are a few of the rows: the first, the last, and those in which
// something is null that is not in others.
func some(all []row) []row {
	if testing.Short() {
		return all[len(all)-1:]
	}
	out := []row{all[0]}
	seen := map[string]bool{nulls(all[0]): true}
	for i, x := range all {
		if n := nulls(x); !seen[n] || i == len(all)/2 || i == len(all)-1 && i > 0 {
			seen[n] = true
			out = append(out, x)
		}
	}
	return out
}

func nulls(x row) string {
	s := fmt.Sprint(slices.Contains(x.columns, "kind") && x.get("kind") != nil, " ")
	if i := slices.Index(x.columns, "kind"); i >= 0 {
		s = fmt.Sprint(x.values[i])
	}
	for _, v := range x.values {
		s += fmt.Sprint(v == nil)
	}
	return s
}

// changed is another value for a column.
func (v *victim) changed(x row, column string) any {
	switch was := x.get(column).(type) {
	case nil:
		switch column {
		case "said_at", "recorded_at":
			return int64(1)
		case "name":
			return "x"
		}
		return []byte("{}")
	case int64:
		switch column {
		case "doc":
			return int64(999)
		case "act", "live":
			return 1 - was
		case "seq", "n", "i", "element", "place", "questions":
			return was + 1000
		case "places":
			return int64(0)
		}
		return was + 1
	case bool:
		return !was
	case string:
		switch {
		case column == "org":
			return "theirs"
		case column == "cursors":
			return strings.Replace(was, `"general":`, `"general":1`, 1)
		case was == "":
			return "x"
		}
		return was[:len(was)-1] + "~" // one byte
	case []byte:
		is := slices.Clone(was)
		is[len(is)/2] ^= 1
		return is
	default:
		v.Fatalf("%s.%s is a %T", x.table, column, was)
		return nil
	}
}

// named is what Verify must name for a change of a row: a record of the log,
// or words.
func (v *victim) named(x row, column string) (seq int64, words string) {
	switch x.table {
	case "mutations":
		return x.get("seq").(int64), ""
	case "turns":
		seq, id := v.recordOf(x.get("n").(int64)), x.get("id").(string)
		switch {
		case x.get("content") == "": // what is left of an erased one
			return 0, fmt.Sprintf("%s|record %d", id, seq)
		case column == "act" || column == "speaker":
			return 0, id
		}
		return seq, ""
	case "elements":
		return 0, x.get("id").(string)
	case "evidence", "terms", "words":
		return 0, v.elementAt(x.get("element").(int64))
	case "pending":
		return 0, "waits"
	}
	return 0, ""
}

// recordOf is the number of the record that brings a turn.
func (v *victim) recordOf(turn int64) int64 {
	return v.raw.number(fmt.Sprintf("select seq from mutations where doc = %d and turn = %d and kind in ('turn', 'act')", v.key, turn))
}

// elementAt is the id of an element.
func (v *victim) elementAt(n int64) string {
	for _, x := range v.rows("elements") {
		if x.get("n") == n {
			return x.get("id").(string)
		}
	}
	return ""
}
