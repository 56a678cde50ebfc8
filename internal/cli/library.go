package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// place is where stored documents are, and whose they are.
type place struct {
	db  string
	org string
}

func (p *place) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.db, "db", "", "the `DATABASE` of stored documents: a file, or a postgres:// URL")
	f.StringVar(&p.org, "org", "", "the `ORGANISATION` that owns the documents (default local)")
}

// open opens the database. One that is a file and not there is made only
// where make says so: a mistyped name must not leave an empty database.
func (p *place) open(ctx context.Context, make bool, c sqlstore.Config) (*sqlstore.Store, error) {
	if p.db == "" {
		return nil, usagef("no database: name one with --db FILE (or a postgres:// URL), or set SPECKL_DB")
	}
	if !make && !p.exists() {
		return nil, marked{store.ErrUnreachable, errors.New(p.where() + ": no such database: check the path; speckl extract --db makes one")}
	}
	return sqlstore.Open(ctx, p.db, c)
}

// exists reports whether the database may be there; a server's always may.
func (p *place) exists() bool {
	if strings.Contains(p.db, "://") {
		return true
	}
	_, err := os.Stat(p.db)
	return !errors.Is(err, fs.ErrNotExist)
}

// where names the database for the user, without a password.
func (p *place) where() string { return sqlstore.Redacted(p.db) }

// library is how a command reaches documents: where they are, which domains
// are known, and the settings.
type library struct {
	place
	settings
	domains []string
}

func (l *library) flags(cmd *cobra.Command) {
	l.place.flags(cmd)
	l.settings.flags(cmd)
	cmd.Flags().StringSliceVarP(&l.domains, "domain", "d", nil, "`DOMAIN[,…]`: ids or FILE.yaml, the main one first (default: detect)")
	complete(cmd, "domain", domainIDs)
}

// prepare reads the settings and returns what a client is made of, but for
// its store.
func (l *library) prepare() (speckl.Config, *chosen, error) {
	var cfg speckl.Config
	if err := l.settings.load(); err != nil {
		return cfg, nil, err
	}
	c, err := choose(l.domains)
	if err != nil {
		return cfg, nil, err
	}
	for id := range l.thresholds {
		if id != "" && c.named(id) == nil {
			return cfg, nil, usagef("thresholds of an unknown domain %q: %s", id, hint(id, c.all(), "domains"))
		}
	}
	org, err := organization(l.org)
	if err != nil {
		return cfg, nil, err
	}
	cfg = speckl.Config{Domains: c.known, Organization: org, Thresholds: l.thresholds}
	cfg.AutoSwitch, cfg.MinBatchSize = l.autoSwitch, l.minBatch
	return cfg, c, nil
}

// desk is a client at work.
type desk struct {
	*speckl.Client
	chosen *chosen
	// store is the database; nil for a document of this run alone.
	store *sqlstore.Store
	where string
}

// with opens the database, hands over a client, and closes it again.
func (l *library) with(ctx context.Context, fn func(*desk) error) error {
	cfg, c, err := l.prepare()
	if err != nil {
		return err
	}
	return l.serve(ctx, cfg, c, false, fn)
}

// serve is with for a client of one's own configuration.
func (l *library) serve(ctx context.Context, cfg speckl.Config, c *chosen, make bool, fn func(*desk) error) (err error) {
	s, err := l.open(ctx, make, sqlstore.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	cfg.Store = s
	client, err := speckl.Open(cfg)
	if err != nil {
		return err
	}
	return fn(&desk{client, c, s, l.where()})
}

// missing says that there is no such document, and which there are; any other
// error is passed on.
func (d *desk) missing(ctx context.Context, name string, err error) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	var names []string
	for h, herr := range d.Headers(ctx) {
		if herr != nil {
			return err
		}
		names = append(names, h.Name)
	}
	return inputf("no document %q in %s: %s", name, d.where, nearNames(name, names))
}

// document finds a document by name; its error names near ones.
func (d *desk) document(ctx context.Context, name string) (sir.Header, error) {
	h, err := d.Header(ctx, name)
	if err != nil {
		err = d.missing(ctx, name, err)
	}
	return h, err
}

// nearNames says which of the documents a name may have meant.
func nearNames(name string, names []string) string {
	switch near := nearest(name, names); {
	case len(names) == 0:
		return "it holds none: speckl extract --db keeps one"
	case len(near) > 0:
		return "did you mean " + strings.Join(near, " or ") + "?"
	case len(names) > 8:
		return "speckl ls lists them"
	}
	return "there are: " + strings.Join(names, ", ")
}
