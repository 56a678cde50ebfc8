package sqlstore_test

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// stranger stands in a statement's parameters for the organisation that asks
// for what is not its own.
const stranger = "theirs"

// theirs are the parameters with which a stranger runs each statement of
// queries.go on the victim's rows: they find something, if nothing but the
// parameter keeps it away.
func (v *victim) theirs() map[string][]any {
	text := func(table, column string) string { return v.rows(table)[0].get(column).(string) }
	number := func(table, column string) int64 { return v.rows(table)[0].get(column).(int64) }
	list := func(x any) sqlstore.List { return sqlstore.List{Of: x} }
	org, doc, one := any(stranger), any(v.key), list([]int64{1})
	element, term, word := text("elements", "id"), number("terms", "hash"), number("words", "hash")
	ofTerm, ofWord := number("terms", "element"), number("words", "element")
	kind, waiting := number("pending", "kind"), text("pending", "id")
	said := v.rows("said")[0]
	head := v.head().Seq
	question := v.raw.number("select min(number) from pending where kind = 1")
	hash := v.rows("documents")[0].get("hash")
	secret := v.raw.number("select min(hash) from words where org = 'local' and hash not in (select hash from words where org = 'theirs')")
	turn := []any{"s", 1, nil, "human", nil, "", "", "", nil, false, ""}
	return map[string][]any{
		"qDocument":       {org, v.ref.Document},
		"qDocumentLocked": {org, v.ref.Document},
		"qDocumentNamed":  {org, "talk"},
		"qDocuments":      {org, "sz", 100}, // theirs is "eve"
		"qDocumentKeys":   {org, list([]int64{v.key})},
		"qSaveDocument":   {"mine", []byte("{}"), 1, 1, hash, 1, 1, 1, 1, "{}", org, doc, head},
		"qDeleteDocument": {org, v.ref.Document},
		"qTurn":           {org, doc, "t1"},
		"qTurnsAfter":     {org, doc, 0, 100},
		"qTurnIDs":        {org, doc, one},
		"qTurnRows":       {org, doc, 0, 100},
		"qSaidAfter":      {org, doc, 0},
		"qLastSaid":       {org, doc, "human|Ann", 100},
		"qLog":            {org, doc, 0, 100},
		"qHashAt":         {org, doc, 1},
		"qPayloads":       {org, doc, list([]string{element})},
		"qTouched":        {org, doc, 1, "", ""},
		"qElementsAfter":  {org, doc, 0, 100},
		"qElementsByID":   {org, doc, list([]string{element})},
		"qElementsByTerm": {org, doc, org, doc, list([]int64{term})},
		"qElementsByN":    {org, doc, one},
		"qLive":           {org, doc},
		"qSaveElement":    {"d", "t", "s", false, nil, org, doc, 1},
		"qEvidence":       {org, doc, one},
		"qEvidenceRows":   {org, doc},
		"qDropTerm":       {org, doc, term, ofTerm},
		"qDropWord":       {org, word, doc, ofWord},
		"qTerms":          {org, doc},
		"qWords":          {org, doc},
		"qNewest":         {org, doc, said.get("speaker"), said.get("kind"), "", ""},
		"qSaid":           {org, doc},
		"qPending":        {org, doc},
		"qOpen":           {org, doc},
		"qWaiting":        {org, doc, list([]string{waiting})},
		"qNumbered":       {org, doc, question},
		"qSavePending":    {1, []byte("{}"), org, doc, kind, waiting},
		"qDropPending":    {org, doc, kind, waiting},
		"qDraft":          {org, doc, "token"},
		"qDropDraft":      {org, doc, "token"},
		"qErasePayloads":  {org, doc, list([]int64{1, 2, 3})},
		"qEraseSaid":      {org, doc, list([]int64{said.get("seq").(int64)})},
		"qEraseElements":  {org, doc, one},
		"qEraseEvidence":  {org, doc, one},
		"qEraseTerms":     {org, doc, list([]int64{ofTerm})},
		"qEraseWords":     {org, doc, list([]int64{ofWord})},
		"qEraseTurn":      append(turn, org, doc, 1),
		"qErasePending":   {org, doc},
		"qEraseDrafts":    {org, doc},
		"qWord":           {org, secret},
	}
}

// intruding are the parameters with which a stranger writes into what is the
// victim's, by a statement that names the organisation as a value.
func (v *victim) intruding() map[string][]any {
	return map[string][]any{
		"qNewOrg":      {"fourth"},
		"qNewDocument": {"local", "new", "new", []byte("{}"), 1, 1, []byte{}, 1, 1, 1, 1, "{}"},
		"qKeepDraft":   {"local", v.key, "token", []byte("mine")},
	}
}

// TestWalls runs every statement of queries.go as another organisation that
// knows all ids: with the clause that names the organisation and without it,
// with row-level security and without. Each wall alone keeps it out; without
// both it is in, or this test would show nothing.
func TestWalls(t *testing.T) {
	run := func(t *testing.T, v *victim, s *sqlstore.Store, clause, kept bool) {
		t.Helper()
		all, args := sqlstore.Queries(t), v.theirs()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if _, writes := v.intruding()[name]; writes {
				continue
			}
			query := all[name]
			if !clause {
				query = sqlstore.OfAny(query)
			}
			if args[name] == nil {
				t.Errorf("%s is not tried", name)
				continue
			}
			n, err := sqlstore.RunAs(context.Background(), s, stranger, query, args[name]...)
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case kept && n > 0:
				t.Errorf("%s gives another organisation %d rows", name, n)
			case !kept && n == 0:
				t.Errorf("%s finds nothing, even without walls: the test shows nothing", name)
			}
		}
	}
	onEach(t, func(t *testing.T, dsn string) {
		v := newVictim(t, dsn)
		run(t, v, v.store, true, true)
		if !v.raw.postgres {
			run(t, v, v.store, false, false)
			return
		}
		run(t, v, v.store, false, true) // row-level security alone
		super := open(t, asSuperuser(t, dsn), store.Config{})
		run(t, v, super, true, true) // the clause alone
		run(t, v, super, false, false)
		v.intrusion(v.store, true)
		v.intrusion(super, false)
		v.stranger(sqlstore.Unscoped(v.store), true)
		v.stranger(sqlstore.Unscoped(super), false)
		if err := v.verify(); err != nil {
			t.Error(err)
		}
	})
}

// stranger calls the store as another organisation.
func (v *victim) stranger(s *sqlstore.Store, kept bool) {
	v.Helper()
	ctx, ref := v.Context(), store.Ref{Organization: stranger, Document: v.ref.Document}
	found := map[string]bool{}
	hits, err := s.Search(ctx, stranger, store.Query{Text: "idle", All: true})
	found["Search"] = len(hits) > 0 || err != nil
	_, err = s.Find(ctx, stranger, "talk")
	found["Find"] = !errors.Is(err, store.ErrNotFound)
	err = s.View(ctx, ref, func(store.Reader) error { return nil })
	found["View"] = !errors.Is(err, store.ErrNotFound)
	n := 0
	for _, err := range s.List(ctx, stranger) {
		if n++; err != nil {
			v.Error(err)
		}
	}
	found["List"] = n > 1 // it has one
	err = s.Update(ctx, ref, func(tx store.Tx) error {
		_, err := tx.Header()
		found["Update"] = !errors.Is(err, store.ErrNotFound)
		return err
	})
	if kept {
		found["Delete"] = !errors.Is(errors.Join(err, s.Delete(ctx, ref)), store.ErrNotFound)
	}
	for call, leaks := range found {
		if leaks == kept {
			v.Errorf("%s by another organisation finds something: %v, want %v", call, leaks, !kept)
		}
	}
}

// intrusion tries to write rows of the victim's organisation as another.
func (v *victim) intrusion(s *sqlstore.Store, kept bool) {
	v.Helper()
	try := func(what, query string, args []any) {
		v.Helper()
		_, err := sqlstore.RunAs(context.Background(), s, stranger, query, args...)
		if refused := err != nil && strings.Contains(err.Error(), "row-level security"); refused != kept {
			v.Errorf("%s by another organisation: refused %v (%v), want %v", what, refused, err, kept)
		}
	}
	all := sqlstore.Queries(v.TB.(*testing.T))
	for name, args := range v.intruding() {
		try(name, all[name], args)
	}
	for table, columns := range sqlstore.Inserts() {
		was := v.rows(table)[0]
		for _, column := range []string{"n", "seq", "element", "id"} {
			if slices.Contains(columns, column) {
				was = was.with(column, v.changed(was, column))
			}
		}
		var values []any
		for _, c := range columns {
			values = append(values, was.get(c))
		}
		try("insert into "+table, sqlstore.Insertion(table), values)
	}
}

// asSuperuser is the DSN for somebody whom row-level security does not hold.
func asSuperuser(tb testing.TB, dsn string) string {
	tb.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		tb.Fatal(err)
	}
	u.User = url.User("postgres")
	return u.String()
}
