package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Each benchmark runs beside a reference in the same process and reports the
// ratio of medians; nothing fails for being slow.

// commits makes turns of one statement each, with the elements that it gives.
func commits(document string, from, n, elements int) []store.Commit {
	out := make([]store.Commit, n)
	for i := range out {
		k := from + i
		at := int64(1_773_187_200_000 + 1000*k)
		name := [2]string{"Ann", "Bob"}[k%2]
		t := &sir.Turn{
			ID: fmt.Sprintf("turn-%d", k), SessionID: "chat", Seq: k + 1, Timestamp: &at, Speaker: sir.Human, SpeakerName: &name,
			Content:  fmt.Sprintf("When the user presses key %d, it goes from idle %d to loading %d.", k, k, k),
			Metadata: &sir.Metadata{Source: &sir.Source{File: "chat.txt", Record: k + 1}},
		}
		out[i] = store.Commit{Turn: t, Domain: "state-machine"}
		for j := range elements {
			out[i].Mutations = append(out[i].Mutations, newTransition(document, t, k, j))
		}
	}
	return out
}

// newTransition is an element as the pipeline makes them.
func newTransition(document string, t *sir.Turn, k, j int) sir.Mutation {
	key := fmt.Sprintf("idle %d|press key %d|loading %d|%d", k, k, k, j)
	by := sir.Attribution{Type: sir.BySystem, Component: "pattern:when-goes-to"}
	e := &sir.Element{
		ID: sir.ElementID(document, "state-machine", "transition", key, 0), ElementType: "transition", Domain: "state-machine",
		Confidence: 5500, Status: sir.Proposed, Version: 1, CreatedAt: t.Timestamp, UpdatedAt: t.Timestamp,
		Data: sir.Data{
			"from": fmt.Sprint("idle ", k), "to": fmt.Sprint("loading ", k), "event": fmt.Sprint("the user presses key ", k), "guard": nil,
			"actions": []any{}, "priority": nil, "after": nil, "kind": "external", "unwanted": false,
		},
		Fields: map[string]sir.Field{"to": {Confidence: 5500, Evidence: []int{0}}},
		Evidence: []sir.Evidence{{
			TurnID: t.ID, Bytes: [2]int{0, len(t.Content)}, Chars: [2]int{0, len(t.Content)}, Quote: t.Content, Match: sir.Verbatim,
		}},
		Attribution: by, Scores: sir.Scores{Trigger: "pattern", Base: 5500, Modifiers: []sir.Modifier{}, Cap: 9000},
		Flags: sir.Flags{NeedsReview: true, IsTentative: true},
		Provenance: sir.Provenance{Entries: []sir.Entry{{
			TurnID: t.ID, Action: sir.ActionExtracted, Version: 1, Timestamp: t.Timestamp, ConfidenceAtTime: 5500,
			ExtractionRationale: "matches the rule when-goes-to", Attribution: by,
		}}},
		Keys: []string{key},
	}
	for _, term := range []string{"key|", "unify|from+event|", "unify|to+event|", "unify|from+to|", "slot|", "name|from|", "name|to|", "by|", "id|"} {
		e.Terms = append(e.Terms, term+key)
	}
	return sir.Mutation{Kind: sir.Created, ElementID: e.ID, Version: 1, Body: &sir.Payload{
		Element: e, Values: []sir.ValueSet{{Speaker: t.SpeakerKey(), Kind: "event", Field: "event"}},
	}}
}

// newDocument makes a document and returns its reference.
func newDocument(tb testing.TB, s *sqlstore.Store, name string) store.Ref {
	tb.Helper()
	ref := store.RefTo("local", name)
	err := s.Update(context.Background(), ref, func(tx store.Tx) error {
		return tx.Create(sir.Header{Name: name, Domains: []string{"state-machine"}})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return ref
}

// appendAll commits turns, each in a transaction of its own.
func appendAll(tb testing.TB, s *sqlstore.Store, ref store.Ref, all []store.Commit) {
	tb.Helper()
	for _, c := range all {
		err := s.Update(context.Background(), ref, func(tx store.Tx) error {
			_, err := tx.Append(c)
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}

// BenchmarkCommit is a turn with two elements, against a program that inserts
// the same rows in the same transactions by statements that it has prepared.
// The aim is at least 0.6 of its rate.
func BenchmarkCommit(b *testing.B) {
	for _, e := range engines {
		b.Run(e.name, func(b *testing.B) {
			const each = 100
			s := open(b, e.dsn(b), store.Config{})
			dsn := e.dsn(b)
			open(b, dsn, store.Config{}) // its schema
			hand := newByHand(b, e.name, dsn)
			ref := newDocument(b, s, "bench")
			var ours, theirs []time.Duration
			k := 0
			for b.Loop() {
				all := commits(ref.Document, k, each, 2)
				k += each
				start := time.Now()
				appendAll(b, s, ref, all)
				ours = append(ours, time.Since(start))
				groups := hand.rows(b, s, ref, all)
				start = time.Now()
				hand.insert(b, groups)
				theirs = append(theirs, time.Since(start))
			}
			b.ReportMetric(each/median(ours), "commits/s")
			b.ReportMetric(each/median(theirs), "by-hand/s")
			b.ReportMetric(median(theirs)/median(ours), "of-by-hand")
		})
	}
}

// BenchmarkCommitFlat is a turn with two elements in a document of many
// elements against one of a thousand. The aim is at most 1.5.
func BenchmarkCommitFlat(b *testing.B) {
	for _, e := range engines {
		b.Run(e.name, func(b *testing.B) {
			const each, few, many = 50, 1000, 1_000_000
			size := many
			if testing.Short() || e.name == "postgres" {
				size = many / 10
			}
			s := open(b, e.dsn(b), store.Config{})
			small, large := newDocument(b, s, "small"), newDocument(b, s, "large")
			fill(b, s, small, few)
			fill(b, s, large, size)
			var onSmall, onLarge []time.Duration
			k := 10 * many
			b.ResetTimer()
			for b.Loop() {
				for _, side := range []struct {
					ref   store.Ref
					times *[]time.Duration
				}{{small, &onSmall}, {large, &onLarge}} {
					all := commits(side.ref.Document, k, each, 2)
					k += each
					start := time.Now()
					appendAll(b, s, side.ref, all)
					*side.times = append(*side.times, time.Since(start))
				}
			}
			b.ReportMetric(float64(size), "elements")
			b.ReportMetric(each/median(onLarge), "commits/s")
			b.ReportMetric(median(onLarge)/median(onSmall), "x-thousand")
		})
	}
}

// fill gives a document n elements, thousands in a transaction.
func fill(tb testing.TB, s *sqlstore.Store, ref store.Ref, n int) {
	tb.Helper()
	fillFrom(tb, s, ref, 0, n)
}

func fillFrom(tb testing.TB, s *sqlstore.Store, ref store.Ref, at, n int) {
	tb.Helper()
	for n += at; at < n; {
		part := min(5000, n-at)
		err := s.Update(context.Background(), ref, func(tx store.Tx) error {
			for _, c := range commits(ref.Document, at, part/20, 20) {
				if _, err := tx.Append(c); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
		at += part
	}
}

// BenchmarkAt folds a document of 10,000 turns up to its last version,
// against reading its log's rows. The aim is at most 20.
func BenchmarkAt(b *testing.B) {
	for _, e := range engines {
		b.Run(e.name, func(b *testing.B) {
			const turns = 10_000
			dsn := e.dsn(b)
			s := open(b, dsn, store.Config{})
			ref := newDocument(b, s, "bench")
			err := s.Update(context.Background(), ref, func(tx store.Tx) error {
				for _, c := range commits(ref.Document, 0, turns, 1) {
					if _, err := tx.Append(c); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			raw := newByHand(b, e.name, dsn)
			version := turns
			var fold, read []time.Duration
			b.ResetTimer()
			for b.Loop() {
				start := time.Now()
				err := s.View(context.Background(), ref, func(r store.Reader) error {
					_, err := sir.At(r.Log(0), sir.Point{Version: &version})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				fold = append(fold, time.Since(start))
				start = time.Now()
				raw.read(b)
				read = append(read, time.Since(start))
			}
			b.ReportMetric(median(fold)*1e3, "ms")
			b.ReportMetric(median(read)*1e3, "rows-ms")
			b.ReportMetric(median(fold)/median(read), "x-rows")
		})
	}
}

// byHand is a program that knows SQL and nothing else.
type byHand struct {
	db      *sql.DB
	engine  string
	inserts map[string]*sql.Stmt
	update  *sql.Stmt
	seq     int
}

func newByHand(tb testing.TB, engine, dsn string) *byHand {
	tb.Helper()
	h := &byHand{engine: engine, inserts: map[string]*sql.Stmt{}}
	driver := "sqlite"
	if engine == "postgres" {
		driver, dsn = "pgx", dsn+"&options=-c%20speckl.org%3Dlocal"
	} else {
		dsn = "file:" + dsn + "?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)&_txlock=immediate"
	}
	var err error
	if h.db, err = sql.Open(driver, dsn); err != nil {
		tb.Fatal(err)
	}
	h.db.SetMaxOpenConns(1)
	tb.Cleanup(func() { h.db.Close() })
	return h
}

// handTables are the tables in the order in which rows go in.
var handTables = []string{"turns", "mutations", "elements", "evidence", "terms", "words", "said"}

// rows reads what our commits have stored, by commit.
func (h *byHand) rows(tb testing.TB, s *sqlstore.Store, ref store.Ref, all []store.Commit) []map[string][][]any {
	tb.Helper()
	groups, err := sqlstore.RowsOf(context.Background(), s, ref, handTables, all)
	if err != nil {
		tb.Fatal(err)
	}
	if len(h.inserts) == 0 {
		h.prepare(tb, groups[0])
	}
	return groups
}

func (h *byHand) prepare(tb testing.TB, group map[string][][]any) {
	tb.Helper()
	exec := func(q string) {
		if _, err := h.db.Exec(q); err != nil {
			tb.Fatal(err)
		}
	}
	none := "x''"
	if h.engine == "postgres" {
		none = "''"
	}
	exec("insert into organisations (id) values ('local')")
	exec(`insert into documents (org, id, name, header, version, seq, hash, turns, elements, places, questions, cursors)
		values ('local', 'd', 'd', ` + none + `, 0, 0, ` + none + `, 0, 0, 0, 0, '{}')`)
	for _, t := range handTables {
		marks := make([]string, len(group[t][0]))
		for i := range marks {
			marks[i] = "?"
			if h.engine == "postgres" {
				marks[i] = fmt.Sprintf("$%d", i+1)
			}
		}
		stmt, err := h.db.Prepare("insert into " + t + " values (" + strings.Join(marks, ", ") + ")")
		if err != nil {
			tb.Fatal(err)
		}
		h.inserts[t] = stmt
	}
	q := "update documents set seq = ?, cursors = ? where doc = 1"
	if h.engine == "postgres" {
		q = "update documents set seq = $1, cursors = $2 where doc = 1"
	}
	var err error
	if h.update, err = h.db.Prepare(q); err != nil {
		tb.Fatal(err)
	}
}

// insert writes the rows, a transaction a commit.
func (h *byHand) insert(tb testing.TB, groups []map[string][][]any) {
	tb.Helper()
	for _, g := range groups {
		tx, err := h.db.Begin()
		if err != nil {
			tb.Fatal(err)
		}
		for _, t := range handTables {
			stmt := tx.Stmt(h.inserts[t])
			for _, row := range g[t] {
				if _, err := stmt.Exec(row...); err != nil {
					tb.Fatalf("insert into %s: %v", t, err)
				}
			}
		}
		h.seq++
		if _, err := tx.Stmt(h.update).Exec(h.seq, fmt.Sprintf(`{"state-machine":%d}`, h.seq)); err != nil {
			tb.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			tb.Fatal(err)
		}
	}
}

// read reads every row of the log.
func (h *byHand) read(tb testing.TB) {
	tb.Helper()
	rows, err := h.db.Query("select m.*, t.* from mutations m left join turns t on t.doc = m.doc and t.n = m.turn order by m.doc, m.seq")
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		tb.Fatal(err)
	}
	into := make([]any, len(columns))
	for i := range into {
		into[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			tb.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
}
