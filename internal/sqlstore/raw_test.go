package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// raw is a database past the store: nothing is checked, not even what rows
// refer to.
type raw struct {
	testing.TB
	db       *sql.DB
	postgres bool
}

func openRaw(tb testing.TB, dsn string) raw {
	tb.Helper()
	r := raw{TB: tb, postgres: strings.HasPrefix(dsn, "postgres:")}
	driver := "sqlite"
	if r.postgres {
		driver = "pgx"
		u, err := url.Parse(dsn)
		if err != nil {
			tb.Fatal(err)
		}
		u.User = url.User("postgres") // no row-level security
		u.RawQuery += "&options=-c%20session_replication_role%3Dreplica"
		dsn = u.String()
	}
	if !r.postgres {
		dsn = "file:" + (&url.URL{Path: dsn}).EscapedPath()
	}
	var err error
	if r.db, err = sql.Open(driver, dsn); err != nil {
		tb.Fatal(err)
	}
	r.db.SetMaxOpenConns(1)
	tb.Cleanup(func() { r.db.Close() })
	return r
}

// try runs a statement written with "?" and returns how many rows it changed.
func (r raw) try(statement string, args ...any) (int64, error) {
	for i := 1; r.postgres && strings.Contains(statement, "?"); i++ {
		statement = strings.Replace(statement, "?", fmt.Sprintf("$%d", i), 1)
	}
	done, err := r.db.ExecContext(context.Background(), statement, args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// one runs a statement that must change exactly one row.
func (r raw) one(statement string, args ...any) {
	r.Helper()
	if n, err := r.try(statement, args...); err != nil || n != 1 {
		r.Fatalf("%s: %d rows changed: %v", statement, n, err)
	}
}

// number reads one number.
func (r raw) number(query string) (n int64) {
	r.Helper()
	if err := r.db.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		r.Fatalf("%s: %v", query, err)
	}
	return n
}

// row is a row of a table, by column.
type row struct {
	table   string
	columns []string
	values  []any
}

// rows reads a table's rows.
func (r raw) rows(table, where string) []row {
	r.Helper()
	found, err := r.db.QueryContext(context.Background(), "select * from "+table+" where "+where)
	if err != nil {
		r.Fatal(err)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		r.Fatal(err)
	}
	var out []row
	for found.Next() {
		x := row{table, columns, make([]any, len(columns))}
		into := make([]any, len(columns))
		for i := range into {
			into[i] = &x.values[i]
		}
		if err := found.Scan(into...); err != nil {
			r.Fatal(err)
		}
		out = append(out, x)
	}
	if err := found.Err(); err != nil {
		r.Fatal(err)
	}
	return out
}

// String names the row by what is short in it.
func (x row) String() string {
	s := x.table
	for i, v := range x.values {
		if _, blob := v.([]byte); !blob {
			s += fmt.Sprintf(" %s=%.40s", x.columns[i], fmt.Sprint(v))
		}
	}
	return s
}

func (x row) get(column string) any { return x.values[slices.Index(x.columns, column)] }

// with is a copy with another value in a column.
func (x row) with(column string, value any) row {
	x.values = slices.Clone(x.values)
	x.values[slices.Index(x.columns, column)] = value
	return x
}

// where names a row by all of its values.
func (r raw) where(x row) string {
	is := " is ?"
	if r.postgres {
		is = " is not distinct from ?"
	}
	return " where " + strings.Join(x.columns, is+" and ") + is
}

// update sets one column of a row.
func (r raw) update(was row, column string, value any) error {
	n, err := r.try("update "+was.table+" set "+column+" = ?"+r.where(was), append([]any{value}, was.values...)...)
	if err == nil && n != 1 {
		err = fmt.Errorf("update %s: %d rows", was.table, n)
	}
	return err
}

func (r raw) insert(x row) error {
	how := ") values ("
	if r.postgres {
		how = ") overriding system value values ("
	}
	_, err := r.try("insert into "+x.table+" ("+strings.Join(x.columns, ", ")+how+strings.Join(slices.Repeat([]string{"?"}, len(x.columns)), ", ")+")", x.values...)
	return err
}

func (r raw) delete(x row) {
	r.Helper()
	r.one("delete from "+x.table+r.where(x), x.values...)
}

// victim is a document with something in each table, beside one more of the
// organisation and one of another.
type victim struct {
	testing.TB
	store *sqlstore.Store
	raw   raw
	ref   store.Ref
	key   int64 // documents.doc
	other int64 // that of the one beside it
}

func newVictim(tb testing.TB, dsn string) *victim {
	tb.Helper()
	v := &victim{TB: tb, store: open(tb, dsn, store.Config{}), ref: store.RefTo("local", "talk")}
	read := func(organization, name string, turns ...sir.Turn) *speckl.Client {
		c, err := speckl.Open(speckl.Config{Store: v.store, Organization: organization})
		if err == nil {
			err = c.Create(tb.Context(), name, "state-machine", "general")
		}
		for i := 0; err == nil && i < len(turns); i++ {
			_, err = c.Post(tb.Context(), name, turns[i], "")
		}
		if err != nil {
			tb.Fatal(err)
		}
		return c
	}
	said := func(n int, who, words string, m *sir.Metadata) sir.Turn {
		at := int64(1_773_187_200_000 + 1000*n)
		t := sir.Turn{ID: fmt.Sprintf("t%d", n), SessionID: "s", Seq: n, Timestamp: &at, Speaker: sir.Human, Content: words, Metadata: m}
		if t.SpeakerName = &who; who == "helper" {
			t.Speaker, t.AgentID, t.SpeakerName = sir.Agent, who, nil
		}
		return t
	}
	c := read("local", "talk",
		said(1, "Ann", "The idle state has a timeout of 30s.", &sir.Metadata{Source: &sir.Source{File: "a.txt", Record: 1}}),
		said(2, "Ben", "When the user presses search, it goes from idle to loading.", nil),
		said(3, "Ann", "An Order belongs to a Customer. Every Order must have an invoice.", nil),
		said(4, "Ben", "when the user logs in, go to the main screen.", &sir.Metadata{Mode: sir.Interactive, Source: &sir.Source{File: "a.txt", Record: 4}}),
		said(5, "Ann", "The idle state has a timeout of 45s.", nil),
		said(6, "helper", "It might also go from loading to error when the server fails.", nil),
		said(7, "Ben", "The capacity of a Bin is 40 kg. My iban is secret.", nil),
		said(8, "Ann", "Maybe it goes from error to idle?", nil),
		said(9, "Ann", "when the user logs out, go to the splash screen.", &sir.Metadata{Mode: sir.Interactive}),
		said(10, "Ben", "Hm, who has the keys?", nil),
	)
	if _, err := c.Act(tb.Context(), "talk", speckl.Act{Kind: speckl.Confirm, Elements: []string{v.elementOf("Order")}, By: "Ann"}); err != nil {
		tb.Fatal(err)
	}
	if _, err := c.Erase(tb.Context(), "talk", speckl.Erasure{Turns: []string{"t7"}}); err != nil {
		tb.Fatal(err)
	}
	if _, err := c.Post(tb.Context(), "talk", said(13, "Ben", "See you tomorrow.", nil), ""); err != nil {
		tb.Fatal(err)
	}
	if err := v.store.Update(tb.Context(), v.ref, func(tx store.Tx) error { return tx.KeepDraft("token", []byte("draft")) }); err != nil {
		tb.Fatal(err)
	}
	read("local", "beside", said(1, "Ann", "The idle state has a timeout of 30s.", nil))
	read("theirs", "eve", said(1, "Eve", "The busy state has a timeout of 30s.", nil))
	v.raw = openRaw(tb, dsn)
	v.key = v.raw.number("select doc from documents where org = 'local' and name = 'talk'")
	v.other = v.raw.number("select doc from documents where org = 'local' and name = 'beside'")
	for kind := range 3 {
		if n := v.raw.number(fmt.Sprintf("select count(*) from pending where doc = %d and kind = %d", v.key, kind)); n == 0 {
			tb.Errorf("nothing of kind %d waits in the document", kind)
		}
	}
	if err := v.verify(); err != nil {
		tb.Fatal(err)
	}
	return v
}

// elementOf is the id of an element that has a word.
func (v *victim) elementOf(word string) string {
	v.Helper()
	hits, err := v.store.Search(v.Context(), "local", store.Query{Text: word})
	if err != nil || len(hits) == 0 {
		v.Fatalf("search %s: %d found, %v", word, len(hits), err)
	}
	return hits[0].Element.ID
}

// verify is what `speckl verify` does.
func (v *victim) verify() error {
	return v.store.View(context.Background(), v.ref, func(r store.Reader) error {
		_, err := store.Verify(r)
		return err
	})
}

// head is the newest link.
func (v *victim) head() (h sir.Head) {
	v.Helper()
	err := v.store.View(context.Background(), v.ref, func(r store.Reader) (err error) {
		h, err = r.Head()
		return err
	})
	if err != nil {
		v.Fatal(err)
	}
	return h
}

// rows are the document's in a table.
func (v *victim) rows(table string) []row {
	v.Helper()
	where := fmt.Sprintf("doc = %d", v.key)
	switch table {
	case "organisations":
		where = "id = 'local'"
	case "speckl_schema":
		where = "true"
	}
	return v.raw.rows(table, where)
}

// breaks stops the test unless Verify names a record or, where that is 0,
// what it says holds some of the words, of which "|" parts the choice.
func (v *victim) breaks(what string, seq int64, words string) {
	v.Helper()
	err := v.verify()
	var chain *sir.ChainError
	switch {
	case err == nil:
		v.Errorf("%s: nobody notices", what)
	case seq > 0 && (!errors.As(err, &chain) || chain.Seq != seq):
		v.Errorf("%s: %v; want record %d named", what, err, seq)
	case !slices.ContainsFunc(strings.Split(words, "|"), func(w string) bool { return strings.Contains(err.Error(), w) }):
		v.Errorf("%s: %v; want %s named", what, err, words)
	}
}
