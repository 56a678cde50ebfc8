package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/domains"
)

// chosen are the domains that a command works with.
type chosen struct {
	// known are all of them: the built-in ones and those of files.
	known []*domain.Domain
	// ids are the ones asked for, in order; none: detect.
	ids []string
}

// choose loads the built-in domains and finds those that --domain names: ids
// and files. It returns an error that wraps [domain.ErrUnknown] and names the
// nearest ids.
func choose(names []string) (*chosen, error) {
	known, err := domains.All()
	if err != nil {
		return nil, fmt.Errorf("load the built-in domains: %w", err)
	}
	c := &chosen{known: known}
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			return nil, usagef("--domain: an empty id")
		}
		d := c.named(name)
		if d == nil && isDomainFile(name) {
			if d, err = loadDomain(name); err != nil {
				return nil, err
			}
			c.known = append(slices.DeleteFunc(c.known, func(k *domain.Domain) bool { return k.ID == d.ID }), d)
		}
		if d == nil {
			return nil, fmt.Errorf("%w %q: %s", domain.ErrUnknown, name, hint(name, c.all(), "domains"))
		}
		if !slices.Contains(c.ids, d.ID) {
			c.ids = append(c.ids, d.ID)
		}
	}
	return c, nil
}

func (c *chosen) named(id string) *domain.Domain {
	for _, d := range c.known {
		if d.ID == id {
			return d
		}
	}
	return nil
}

func (c *chosen) all() []string {
	var ids []string
	for _, d := range c.known {
		ids = append(ids, d.ID)
	}
	return ids
}

// isDomainFile tells a file from an id, which has no dot and no slash.
func isDomainFile(name string) bool { return strings.ContainsAny(name, `./\`) }

// maxDomainFile bounds a domain's file.
const maxDomainFile = 8 << 20

func loadDomain(path string) (*domain.Domain, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, maxDomainFile+1))
	if err != nil {
		return nil, inputf("read %s: %w", path, err)
	}
	if len(source) > maxDomainFile {
		return nil, inputf("%s: larger than 8 MiB: that is no domain", path)
	}
	return domain.Load(path, source)
}

// organization is --org, which the environment may set, else "local".
func organization(flag string) (string, error) {
	if flag == "" {
		return "local", nil
	}
	if strings.ContainsFunc(flag, func(r rune) bool { return r < ' ' }) {
		return "", usagef("--org: %w", errors.New("a name has no control characters"))
	}
	return flag, nil
}
