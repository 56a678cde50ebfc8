package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/speckl/speckl/store"
)

// Config says how a database is opened. The zero value works.
type Config struct {
	// Config's Now is the clock of RecordedAt, Random the source of salts;
	// nil is the system's. Unlogged is not for databases: it is an error.
	store.Config
	// Busy is how long a transaction waits for others; 0 is ten seconds.
	Busy time.Duration
	// NoMigrate leaves the schema as it is; one that is not up to date is
	// then an error.
	NoMigrate bool
}

const defaultBusy = 10 * time.Second

// Store is a [store.Store] in a database. It is safe for concurrent use.
type Store struct {
	config Config
	engine engine
	salts  io.Reader
	// inserts holds the statements that append rows: insertKey → string.
	inserts sync.Map
}

var _ store.Store = (*Store)(nil)

// Open opens the database that a DSN names, a file or a postgres:// URL; a
// file is made where there is none. The schema is brought up to date.
//
// It returns an error that wraps [store.ErrUnreachable], [store.ErrCorrupt]
// for what is no database of ours, [store.ErrNewer], or another of the
// store's sentinels.
func Open(ctx context.Context, dsn string, c Config) (*Store, error) {
	s, err := open(ctx, dsn, c)
	if err != nil {
		return nil, err
	}
	if c.NoMigrate {
		err = s.current(ctx)
	} else {
		_, _, err = s.migrate(ctx)
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Migrate brings the schema of a database up to date and returns the version
// that it had, 0 for none, and the one that it has. It is safe to run twice,
// and from two processes at once. It returns errors as [Open] does.
func Migrate(ctx context.Context, dsn string, c Config) (from, to int, err error) {
	s, err := open(ctx, dsn, c)
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	return s.migrate(ctx)
}

// open connects, and leaves the schema alone.
func open(ctx context.Context, dsn string, c Config) (*Store, error) {
	if c.Unlogged {
		return nil, errors.New("open database: a stored document needs its log")
	}
	if c.Busy <= 0 {
		c.Busy = defaultBusy
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	var e engine
	var err error
	switch kind := scheme(dsn); kind {
	case "":
		e, err = openSQLite(ctx, dsn, c.Busy)
	case "postgres", "postgresql":
		e, err = openPostgres(ctx, kind+dsn[len(kind):], c.Busy)
	default:
		err = fmt.Errorf("open database %s: %w: there is no kind of database %q: name a file, or a postgres:// URL", Redacted(dsn), store.ErrUnreachable, kind)
	}
	if err != nil {
		return nil, err
	}
	return &Store{config: c, engine: e, salts: &lockedReader{r: c.Random}}, nil
}

// Close gives back the connections. It returns an error of the driver's.
func (s *Store) Close() error {
	if err := s.engine.close(); err != nil {
		return s.failed("close", err)
	}
	return nil
}

// attempts is how often a transaction runs that loses races.
const attempts = 20

// Update runs fn in a transaction on one document; see [store.Store].
func (s *Store) Update(ctx context.Context, ref store.Ref, fn func(store.Tx) error) error {
	for n := 1; ; n++ {
		err := s.update(ctx, ref, fn)
		if err == nil || n == attempts || !s.engine.lostRace(err) {
			return err
		}
	}
}

// errAborted is returned inside a transaction that a failed statement ended.
var errAborted = errors.New("the transaction has failed")

func (s *Store) update(ctx context.Context, ref store.Ref, fn func(store.Tx) error) (err error) {
	if err := cmp.Or(store.CheckName("the name of an organisation", ref.Organization), store.CheckName("the id of a document", ref.Document)); err != nil {
		return err
	}
	c, err := s.engine.writer(ctx)
	if err != nil {
		return s.failed("update document "+ref.Document, err)
	}
	done := false
	defer func() { // on a panic, too
		if end := c.end(done); end != nil && err == nil {
			err = s.failed("commit to document "+ref.Document, end)
		}
	}()
	t := &tx{reader: reader{session: session{ctx: ctx, store: s, conn: c, ref: ref, open: true}}}
	defer func() { t.open = false }()
	if err := c.scope(ctx, ref.Organization); err != nil {
		return s.failed("update document "+ref.Document, err)
	}
	if err := t.load(true); err != nil {
		return s.failed("update document "+ref.Document, err)
	}
	switch err := fn(t); {
	case err != nil:
		return err
	case t.broken != nil:
		return fmt.Errorf("update document %s: %w: %w", ref.Document, errAborted, t.broken)
	}
	if err := t.save(); err != nil {
		return s.failed("update document "+ref.Document, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("update document %s: %w", ref.Document, err)
	}
	done = true
	return nil
}

// View runs fn on one state of a document; see [store.Store].
func (s *Store) View(ctx context.Context, ref store.Ref, fn func(store.Reader) error) error {
	if !holdable(ref.Organization, ref.Document) {
		return fmt.Errorf("view document %q: %w", ref.Document, store.ErrNotFound)
	}
	return s.read(ctx, ref.Organization, func(c *conn) error {
		r := &reader{session: session{ctx: ctx, store: s, conn: c, ref: ref, open: true}}
		defer func() { r.open = false }()
		if err := r.load(false); err != nil {
			return s.failed("view document "+ref.Document, err)
		}
		if !r.doc.created() {
			return fmt.Errorf("view document %s: %w", ref.Document, store.ErrNotFound)
		}
		return fn(r)
	})
}

// read runs fn in a transaction that only reads. fn's error is passed on.
func (s *Store) read(ctx context.Context, organization string, fn func(*conn) error) error {
	c, err := s.engine.reader(ctx)
	if err != nil {
		return s.failed("read", err)
	}
	defer func() { _ = c.end(false) }()
	if err := c.scope(ctx, organization); err != nil {
		return s.failed("read", err)
	}
	return fn(c)
}
