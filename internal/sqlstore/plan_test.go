package sqlstore

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// whole are the queries that are meant to go through all rows of a document,
// or of an organisation.
var whole = map[string]bool{
	"qTerms": true, "qWords": true, "qSaid": true, "qEvidenceRows": true, // to compare the index
	"qLive":       true,                     // to count what waits in a list of documents
	"qEraseTerms": true, "qEraseSaid": true, // rare, and the log is walked through then
	"qDeleteDocument": true, "qNewDocument": true, // what a foreign key may have to do
}

// TestQueriesUseIndexes: no query of a turn goes through all rows of a table,
// or of a document, however many there are.
func TestQueriesUseIndexes(t *testing.T) {
	s, err := Open(context.Background(), filepath.Join(t.TempDir(), "speckl.db"), Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, query := range queries(t) {
		err := s.read(context.Background(), "local", func(c *conn) error {
			text := c.text(query)
			args := make([]any, strings.Count(text, "?"))
			for i := range args {
				args[i] = "[]"
			}
			rows, err := c.c.QueryContext(context.Background(), "explain query plan "+text, args...)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var id, parent, unused int
				var detail string
				if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
					return err
				}
				t.Logf("%s: %s", name, detail)
				if strings.HasPrefix(detail, "SCAN") && !strings.Contains(detail, "json_each") && !whole[name] {
					t.Errorf("%s goes through all rows: %s", name, detail)
				}
				if strings.Contains(detail, "(doc=?)") && !whole[name] && !perDocument[name] {
					t.Errorf("%s goes through all rows of a document: %s", name, detail)
				}
			}
			return rows.Err()
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// perDocument are the queries for what is small in every document, and those
// that end after a few rows of the order in which they go.
var perDocument = map[string]bool{
	"qPending": true, "qErasePending": true, "qEraseDrafts": true, "qOpen": true, "qSaveDocument": true, "qNumbered": true,
}

// queries are the constants of queries.go by name, those that others are made
// of written out.
func queries(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "queries.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	var text func(ast.Expr) string
	text = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			return strings.Trim(e.Value, "`")
		case *ast.Ident:
			return texts[e.Name]
		case *ast.BinaryExpr:
			return text(e.X) + text(e.Y)
		}
		t.Fatalf("a query is made of %T", e)
		return ""
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			texts[v.Names[0].Name] = text(v.Values[0])
		}
	}
	for name := range texts {
		if !strings.HasPrefix(name, "q") {
			delete(texts, name)
		}
	}
	if len(texts) < 40 {
		t.Fatalf("found %d queries", len(texts))
	}
	return texts
}
