package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// List yields the headers of the organisation's documents by name.
func (s *Store) List(ctx context.Context, organization string) iter.Seq2[sir.Header, error] {
	return func(yield func(sir.Header, error) bool) {
		for after := ""; holdable(organization); {
			var page []sir.Header
			err := s.read(ctx, organization, func(c *conn) error {
				err := c.each(ctx, qDocuments, []any{organization, after, pageRows}, func(scan func(...any) error) error {
					h, err := scanHeader(scan, &after)
					page = append(page, h)
					return err
				})
				return s.failed("list documents", err)
			})
			if err != nil {
				yield(sir.Header{}, err)
				return
			}
			for _, h := range page {
				if !yield(h, nil) {
					return
				}
			}
			if len(page) == 0 {
				return
			}
		}
	}
}

func scanHeader(scan func(...any) error, before ...any) (sir.Header, error) {
	var h sir.Header
	var body []byte
	version := 0
	if err := scan(append(before, &body, &version)...); err != nil {
		return h, err
	}
	if err := json.Unmarshal(body, &h); err != nil {
		return h, fmt.Errorf("read a document's header: %w: %w", store.ErrBroken, err)
	}
	h.Version = version
	return h, nil
}

// Find returns the reference to the document of that name; see [store.Store].
func (s *Store) Find(ctx context.Context, organization, name string) (store.Ref, error) {
	ref := store.Ref{Organization: organization}
	if !holdable(organization, name) {
		return store.Ref{}, fmt.Errorf("find document %q: %w", name, store.ErrNotFound)
	}
	err := s.read(ctx, organization, func(c *conn) error {
		return c.one(ctx, qDocumentNamed, []any{organization, name}, &ref.Document)
	})
	if isNone(err) {
		return store.Ref{}, fmt.Errorf("find document %q: %w", name, store.ErrNotFound)
	}
	if err != nil {
		return store.Ref{}, s.failed(fmt.Sprintf("find document %q", name), err)
	}
	return ref, nil
}

// Delete removes a document and all that it holds; see [store.Store].
func (s *Store) Delete(ctx context.Context, ref store.Ref) (err error) {
	what := fmt.Sprintf("delete document %q", ref.Document)
	if !holdable(ref.Organization, ref.Document) {
		return fmt.Errorf("%s: %w", what, store.ErrNotFound)
	}
	c, err := s.engine.writer(ctx)
	if err != nil {
		return s.failed(what, err)
	}
	done := false
	defer func() {
		if end := c.end(done); end != nil && err == nil {
			err = s.failed(what, end)
		}
	}()
	if err := c.scope(ctx, ref.Organization); err != nil {
		return s.failed(what, err)
	}
	n, err := c.exec(ctx, qDeleteDocument, ref.Organization, ref.Document)
	switch {
	case err != nil:
		return s.failed(what, err)
	case n == 0:
		return fmt.Errorf("%s: %w", what, store.ErrNotFound)
	}
	done, c.erased = true, true
	return nil
}

// mostHits is how many elements a search looks at to find the best.
const mostHits = 1000

// Search finds elements by their words; see [store.Store].
func (s *Store) Search(ctx context.Context, organization string, q store.Query) ([]store.Hit, error) {
	words := store.SearchWords(q.Text)
	if len(words) == 0 || !holdable(organization, q.Document) {
		return nil, nil
	}
	var hits []store.Hit
	err := s.read(ctx, organization, func(c *conn) error {
		var err error
		hits, err = s.search(ctx, c, organization, words, q)
		return err
	})
	if err != nil {
		return nil, s.failed("search", err)
	}
	return store.Rank(hits, words, q), nil
}

func (s *Store) search(ctx context.Context, c *conn, organization string, words []string, q store.Query) ([]store.Hit, error) {
	var parts []string
	var args []any
	for _, w := range words {
		parts = append(parts, qWord)
		args = append(args, organization, hash(w))
	}
	query := `select e.doc, e.n from elements e join documents d on d.doc = e.doc and d.org = e.org join (` +
		strings.Join(parts, " intersect ") + `) w on w.doc = e.doc and w.element = e.n where e.org = ?`
	args = append(args, organization)
	if q.Document != "" {
		query += " and d.id = ?"
		args = append(args, q.Document)
	}
	if !q.All {
		query += " and e.live"
	}
	query += " order by d.name, e.n limit ?"
	args = append(args, mostHits)
	found := map[int64][]int64{}
	err := c.each(ctx, query, args, func(scan func(...any) error) error {
		var doc, n int64
		err := scan(&doc, &n)
		found[doc] = append(found[doc], n)
		return err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return s.hits(ctx, c, organization, words, found)
}

// hits reads what was found, by document name.
func (s *Store) hits(ctx context.Context, c *conn, organization string, words []string, found map[int64][]int64) ([]store.Hit, error) {
	var docs []int64
	for doc := range found {
		docs = append(docs, doc)
	}
	type keyed struct {
		key    int64
		header sir.Header
	}
	var headers []keyed
	err := c.each(ctx, qDocumentKeys, []any{organization, c.many(docs)}, func(scan func(...any) error) error {
		var k keyed
		var err error
		k.header, err = scanHeader(scan, &k.key)
		headers = append(headers, k)
		return err
	})
	if err != nil {
		return nil, err
	}
	var hits []store.Hit
	for _, k := range headers {
		r := session{ctx: ctx, store: s, conn: c, ref: store.Ref{Organization: organization, Document: k.header.ID}, doc: document{key: k.key}, open: true}
		elements, err := r.allElements(qElementsByN, r.args(c.many(found[k.key])))
		if err != nil {
			return nil, err
		}
		for _, x := range elements {
			if x.element != nil && store.HasWords(x.element, words) { // not only their hashes
				hits = append(hits, store.Hit{Document: k.header, Element: x.element})
			}
		}
	}
	return hits, nil
}
