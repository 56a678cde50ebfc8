package sqlstore

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/pgtest"
)

// Queries are the statements of queries.go, for the tests outside.
func Queries(t *testing.T) map[string]string { return queries(t) }

// Inserts are the tables that rows are appended to.
func Inserts() map[string][]string {
	out := map[string][]string{}
	for _, t := range tables {
		out[t.name] = t.columns
	}
	return out
}

var tables = []*table{&intoTurns, &intoMutations, &intoElements, &intoEvidence, &intoTerms, &intoWords, &intoSaid, &intoPending}

// OfAny is a statement without its first wall: its clauses let rows of any
// organisation through.
func OfAny(query string) string { return scoping.ReplaceAllString(query, "($0 or true)") }

var scoping = regexp.MustCompile(`\b(\w\.)?org = \?`)

// Limit lets a file of SQLite's have no more pages than so many, or than it
// has. It returns that number.
func Limit(ctx context.Context, s *Store, pages int) (now int, err error) {
	c, err := s.engine.writer(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.end(false) }()
	return now, c.c.QueryRowContext(ctx, fmt.Sprintf("pragma max_page_count = %d", pages)).Scan(&now)
}

// Unscoped is a store whose statements lack the first wall.
func Unscoped(s *Store) *Store {
	return &Store{config: s.config, engine: ofAnyEngine{s.engine}, salts: s.salts}
}

type ofAnyEngine struct{ engine }

func (e ofAnyEngine) writer(ctx context.Context) (*conn, error) {
	return ofAnyConn(e.engine.writer(ctx))
}
func (e ofAnyEngine) reader(ctx context.Context) (*conn, error) {
	return ofAnyConn(e.engine.reader(ctx))
}

func ofAnyConn(c *conn, err error) (*conn, error) {
	if err == nil {
		c.dialect = ofAnyDialect{c.dialect}
	}
	return c, err
}

type ofAnyDialect struct{ dialect }

func (d ofAnyDialect) text(query string) string { return d.dialect.text(OfAny(query)) }

// A List is a parameter for "(?…)".
type List struct{ Of any }

// RunAs runs a statement for an organisation, counts the rows that it reads
// or changes, and takes it back.
func RunAs(ctx context.Context, s *Store, organization, query string, args ...any) (n int64, err error) {
	c, err := s.engine.writer(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.end(false) }()
	if err := c.scope(ctx, organization); err != nil {
		return 0, err
	}
	for i, a := range args {
		if l, ok := a.(List); ok {
			args[i] = c.many(l.Of)
		}
	}
	if !strings.HasPrefix(query, "select") && !strings.Contains(query, "returning") {
		return c.exec(ctx, query, args...)
	}
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// Insertion is the statement that appends a row.
func Insertion(name string) string {
	for _, t := range tables {
		if t.name == name {
			return t.insertion(1)
		}
	}
	return ""
}

// TestPrepared: every statement is one on both engines.
func TestPrepared(t *testing.T) {
	for name, dsn := range map[string]func(testing.TB) string{
		"postgres": pgtest.URL,
		"sqlite":   func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "speckl.db") },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.Context(), dsn(t), Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			c, err := s.engine.writer(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.end(false) }()
			all := queries(t)
			for _, into := range tables {
				for n := 1; n <= c.batch(); n *= 2 {
					all[into.name] = s.insertion(into, n)
				}
			}
			for name, query := range all {
				stmt, err := c.c.PrepareContext(t.Context(), c.text(query))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				_ = stmt.Close()
			}
		})
	}
}
