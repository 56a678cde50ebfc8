package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/domaincheck"
	"github.com/speckl/speckl/sir"
)

// tryout reads sentences, each into a document of its own.
type tryout struct {
	d      *domain.Domain
	client *speckl.Client
	n      int
}

// extract is a [domaincheck.Extract] that goes all the way: what entered the
// document, and what waits in the pool.
func (t *tryout) extract(d *domain.Domain, text string) ([]domaincheck.Found, error) {
	if t.d != d {
		client, err := speckl.Open(speckl.Config{Domains: []*domain.Domain{d}})
		if err != nil {
			return nil, err
		}
		t.d, t.client, t.n = d, client, 0
	}
	t.n++
	name := fmt.Sprint("example ", t.n)
	turns := func(yield func(sir.Turn, error) bool) { yield(sir.Turn{Content: text}, nil) }
	ctx := context.Background()
	var found []domaincheck.Found
	o := speckl.IngestOptions{Domains: []string{d.ID}, OnResult: func(r *sir.Result) error {
		for _, c := range r.Flagged {
			found = append(found, domaincheck.Found{Type: c.ElementType, Data: c.Data})
		}
		return nil
	}}
	if _, err := t.client.Ingest(ctx, name, turns, o); err != nil {
		return nil, err
	}
	doc, err := t.client.Document(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, e := range doc.Elements {
		if e.Status.Live() {
			found = append(found, domaincheck.Found{Type: e.ElementType, Data: e.Data, Rule: strings.TrimPrefix(e.Attribution.Component, "pattern:")})
		}
	}
	return found, nil
}
