package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// follow gives what refers to an element the name of what stands there by a
// person's act: the element itself, which has another name, or the one that
// is in its place. Else a statement under the new name would enter beside the
// one that holds. It returns what it changed.
func (s *settling) follow(old, now *sir.Element) []*sir.Element {
	t := s.d.TypeNamed(old.ElementType)
	if t == nil || len(t.Key) != 1 {
		return nil
	}
	var out []*sir.Element
	name := now.Data[t.Key[0]]
	for i := range s.d.Types {
		x := &s.d.Types[i]
		for _, e := range s.referrers(x, t, old) {
			if n := s.renameIn(x, t, e, old.ID, now.ID, name); n != nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// referrers are the live elements of type x that name an element of type t in
// a field, by any name that it has had.
func (s *settling) referrers(x, t *domain.Type, e *sir.Element) []*sir.Element {
	if !slices.ContainsFunc(x.Fields, func(f domain.Field) bool { return f.Ref == t.Name }) {
		return nil
	}
	var out []*sir.Element
	seen := map[string]bool{}
	for _, key := range e.Keys {
		if name, ok := strings.CutPrefix(key, t.Name+"|"); ok {
			for _, r := range s.with(termName + x.Name + "|" + t.Name + "|" + name) {
				if r.Status.Live() && r.Domain == e.Domain && !seen[r.ID] {
					seen[r.ID] = true
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// renameIn puts a name into the fields of an element that refer to an id, and
// another id into its refs; nil where there are none, or nothing changes.
func (s *settling) renameIn(x, t *domain.Type, e *sir.Element, id, now string, name any) *sir.Element {
	refers := func(f *domain.Field) bool {
		return f.Ref == t.Name && slices.Contains(e.Refs, sir.Ref{Rel: f.Name, ID: id}) && (id != now || !same(e.Data[f.Name], name))
	}
	if !slices.ContainsFunc(x.Fields, func(f domain.Field) bool { return refers(&f) }) {
		return nil
	}
	n := s.edit(e.ID)
	was := maps.Clone(n.Data)
	for i := range x.Fields {
		f := &x.Fields[i]
		if !refers(f) {
			continue
		}
		n.Data[f.Name] = name
		for j := range n.Refs {
			if n.Refs[j] == (sir.Ref{Rel: f.Name, ID: id}) {
				n.Refs[j].ID = now
			}
		}
	}
	s.index(n)
	named := "names " + now + " as that is called now"
	s.changed[n.ID] = append(s.changed[n.ID], sir.Changes(was, n.Data, x.Name, named)...)
	s.note(n.ID, sir.ActionRefined, named, false, s.speaker())
	s.crowd(x, n)
	return n
}

// crowd looks at what another name has brought an element together with: one
// that says the same is one with it, and where another holds its slot a
// person must look at both.
func (s *settling) crowd(t *domain.Type, n *sir.Element) {
	s.mergeEqual(t, n)
	other := s.rival(t, n, n.ID)
	if !n.Status.Live() || other == nil {
		return
	}
	for _, e := range []*sir.Element{n, s.edit(other.ID)} {
		e.Flags.NeedsReview = true
		s.note(e.ID, sir.ActionFlagged, "two hold in one place by another name", false, s.speaker())
	}
}
