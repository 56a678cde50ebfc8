package speckl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains"
	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// ErrNoDomain is wrapped by errors about a turn for a document that does not
// exist yet and was given no domains.
var ErrNoDomain = errors.New("the document has no domains")

// Config says how a [Client] works. The zero value is useful: an in-memory
// store, all built-in domains, organisation "local", realtime mode.
type Config struct {
	// Store keeps the documents; nil is a new [store.Memory].
	Store store.Store
	// Domains are the known ones; nil is [domains.All].
	Domains []*domain.Domain
	// Organization owns the documents; empty is "local".
	Organization string
	// Mode is how turns are read unless they or a call say otherwise; empty
	// is realtime.
	Mode sir.Mode
	// Thresholds override those of a domain by its id; the id "" overrides
	// all. See [domain.Thresholds.Set] for the names.
	Thresholds map[string]map[string]sir.Confidence
	// Now and Random are handed to the in-memory store (see [store.Config]).
	Now    func() time.Time
	Random io.Reader
	// Trace hears of each stage of each turn; nil for none.
	Trace func(Trace)
	// AutoSwitch is when a turn that is read in realtime or in a batch asks
	// instead of guessing; empty is never.
	AutoSwitch AutoSwitch
	// MinBatchSize is how many turns a batch needs: fewer are read turn by
	// turn, and their results say so. 0 is 3.
	MinBatchSize int
	// Debaters take part in mode deliberative; none given are the three that
	// need no model: "strict", "broad" and "structure".
	Debaters []DebaterConfig
	// Model is asked besides the rules; nil is no model.
	Model *ModelConfig
}

// Client reads conversations into documents. It is safe for concurrent use.
type Client struct {
	cfg      Config
	domains  map[string]*engine.Domain
	order    []*engine.Domain
	debaters []engine.Debater // nil: the engine's own
	buffers  sync.Pool
	prompts  sync.Map // *prompt.Prompt by domain, made when first needed
}

// Open makes a client. It returns an error for a domain whose patterns do
// not compile, and for a mode, a threshold, a switch or a debater that there
// cannot be.
func Open(cfg Config) (*Client, error) {
	if err := cfg.complete(); err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	known := cfg.Domains
	if known == nil {
		all, err := domains.All()
		if err != nil {
			return nil, fmt.Errorf("open: %w", err)
		}
		known = all
	}
	c := &Client{cfg: cfg, domains: map[string]*engine.Domain{}, debaters: debaters(cfg.Debaters)}
	c.buffers.New = func() any { return new(engine.Buffer) }
	if err := c.add(known); err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	if cfg.Store == nil {
		c.cfg.Store = store.NewMemory(store.Config{Now: cfg.Now, Random: cfg.Random})
	}
	return c, nil
}

// complete sets what the zero value stands for, and checks the rest.
func (c *Config) complete() error {
	if c.Mode == "" {
		c.Mode = sir.Realtime
	}
	if c.Organization == "" {
		c.Organization = "local"
	}
	if c.AutoSwitch == "" {
		c.AutoSwitch = SwitchNever
	}
	if c.MinBatchSize == 0 {
		c.MinBatchSize = 3
	}
	switch {
	case !c.Mode.Valid():
		return fmt.Errorf("unknown mode %q", c.Mode)
	case !c.AutoSwitch.Valid():
		return fmt.Errorf("unknown switch to interactive %q: want %s, %s or %s", c.AutoSwitch, SwitchNever, SwitchOnAmbiguity, SwitchOnLowConfidence)
	case c.MinBatchSize < 0:
		return fmt.Errorf("a batch of at least %d turns: want 1 or more", c.MinBatchSize)
	}
	if c.Model != nil {
		m := *c.Model
		if err := m.complete(); err != nil {
			return err
		}
		c.Model = &m
	}
	return checkDebaters(c.Debaters)
}

// add prepares domains, side by side: it is most of what a short command
// does. Of two with one id the later one counts.
func (c *Client) add(known []*domain.Domain) error {
	ready, errs := make([]*engine.Domain, len(known)), make([]error, len(known))
	var wait sync.WaitGroup
	for i, d := range known {
		wait.Go(func() { ready[i], errs[i] = c.prepare(d) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, d := range ready {
		if c.domains[d.ID] == nil {
			c.order = append(c.order, d)
		}
		c.domains[d.ID] = d
	}
	return nil
}

// prepare compiles one domain with the overridden thresholds.
func (c *Client) prepare(d *domain.Domain) (*engine.Domain, error) {
	copied := *d
	for _, id := range []string{"", d.ID} {
		for name, v := range c.cfg.Thresholds[id] {
			if err := copied.Thresholds.Set(name, v); err != nil {
				return nil, fmt.Errorf("domain %s: %w", d.ID, err)
			}
		}
	}
	return engine.Prepare(&copied)
}

// Domain returns a known domain. It returns an error that wraps
// [domain.ErrUnknown] and names the nearest ids.
func (c *Client) Domain(id string) (*domain.Domain, error) {
	d, err := c.domain(id)
	if err != nil {
		return nil, err
	}
	return d.Domain, nil
}

func (c *Client) domain(id string) (*engine.Domain, error) {
	if d := c.domains[id]; d != nil {
		return d, nil
	}
	var ids []string
	for known := range c.domains {
		ids = append(ids, known)
	}
	sort.Strings(ids)
	return nil, fmt.Errorf("%w %q: known are %s", domain.ErrUnknown, id, strings.Join(ids, ", "))
}

// find returns the reference to the document of that name.
// It returns an error that wraps [store.ErrNotFound].
func (c *Client) find(ctx context.Context, name string) (store.Ref, error) {
	return c.cfg.Store.Find(ctx, c.cfg.Organization, name)
}

// Create opens a document for the domains, the main one first. It returns an
// error that wraps [store.ErrExists], or [domain.ErrUnknown].
func (c *Client) Create(ctx context.Context, name string, ids ...string) error {
	for _, id := range ids {
		if _, err := c.domain(id); err != nil {
			return fmt.Errorf("create document %q: %w", name, err)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("create document %q: %w: name at least one", name, ErrNoDomain)
	}
	_, err := c.create(ctx, sir.Header{Name: name, Domains: ids})
	return err
}

// create opens a document under a name that none has. Its id follows from
// the name, unless a document that was renamed still has that one.
func (c *Client) create(ctx context.Context, h sir.Header) (store.Ref, error) {
	if ref, err := c.find(ctx, h.Name); !errors.Is(err, store.ErrNotFound) {
		if err == nil {
			err = store.ErrExists
		}
		return ref, fmt.Errorf("create document %q: %w", h.Name, err)
	}
	for n := 1; ; n++ {
		ref := store.RefTo(c.cfg.Organization, h.Name)
		if n > 1 {
			ref = store.RefTo(c.cfg.Organization, fmt.Sprintf("%s\x00%d", h.Name, n))
		}
		err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { return tx.Create(h) })
		if err == nil {
			return ref, nil
		}
		if errors.Is(err, store.ErrExists) {
			if _, found := c.find(ctx, h.Name); errors.Is(found, store.ErrNotFound) {
				continue // the id is that of a document with another name by now
			}
		}
		return ref, fmt.Errorf("create document %q: %w", h.Name, err)
	}
}
