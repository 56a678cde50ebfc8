package sir

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// DiffElements returns what leads from old to new, both versions of one
// element. Version and UpdatedAt are not compared: the mutation has them.
//
// It returns an error that wraps [ErrRewritten] if new has another id, domain
// or creation time, or if evidence, entries or keys of old are missing or
// changed in new: these only grow.
func DiffElements(old, new *Element) (Patch, error) {
	var p Patch
	switch {
	case old.ID != new.ID, old.Domain != new.Domain:
		return p, fmt.Errorf("compare element %s with %s: %w", old.ID, new.ID, ErrRewritten)
	case !samePointer(old.CreatedAt, new.CreatedAt):
		return p, fmt.Errorf("compare creation of element %s: %w", old.ID, ErrRewritten)
	}
	var ok [3]bool
	p.Evidence, ok[0] = grown(old.Evidence, new.Evidence)
	p.Entries, ok[1] = grown(old.Provenance.Entries, new.Provenance.Entries)
	p.Keys, ok[2] = grown(old.Keys, new.Keys)
	for i, what := range []string{"evidence", "entries", "keys"} {
		if !ok[i] {
			return Patch{}, fmt.Errorf("compare %s of element %s: %w", what, old.ID, ErrRewritten)
		}
	}
	p.Data, p.ElementType = diffData(old, new)
	p.Fields = diffFields(old.Fields, new.Fields)
	p.Confidence = changed(old.Confidence, new.Confidence)
	p.Status = changed(old.Status, new.Status)
	p.ReplacesID = changed(old.ReplacesID, new.ReplacesID)
	p.ReplacedByID = changed(old.ReplacedByID, new.ReplacedByID)
	p.ResolvedInterpretationID = changed(old.ResolvedInterpretationID, new.ResolvedInterpretationID)
	p.Flags = changed(old.Flags, new.Flags)
	p.Refs = changedList(old.Refs, new.Refs)
	p.Terms = changedList(old.Terms, new.Terms)
	p.Interpretations = changedList(old.Interpretations, new.Interpretations)
	if !reflect.DeepEqual(old.Attribution, new.Attribution) {
		p.Attribution = &new.Attribution
	}
	if !reflect.DeepEqual(old.Scores, new.Scores) {
		p.Scores = &new.Scores
	}
	return p, nil
}

// Apply returns the element that e becomes; e itself stays as it was.
// Version and UpdatedAt are e's (see [ApplyElement]).
// It returns an error that wraps [ErrValue] if the data cannot be stored.
func (p *Patch) Apply(e *Element) (*Element, error) {
	out := *e
	data, err := NormalData(p.Data)
	if err != nil {
		return nil, fmt.Errorf("patch element %s: %w", e.ID, err)
	}
	switch {
	case p.ElementType != nil:
		out.ElementType = *p.ElementType
		if out.Data = data; data == nil {
			out.Data = Data{}
		}
	case len(data) > 0:
		out.Data = maps.Clone(e.Data)
		if out.Data == nil {
			out.Data = Data{}
		}
		maps.Copy(out.Data, data)
	}
	if len(p.Fields) > 0 {
		out.Fields = maps.Clone(e.Fields)
		if out.Fields == nil {
			out.Fields = map[string]Field{}
		}
		for name, f := range p.Fields {
			if f == nil {
				delete(out.Fields, name)
			} else {
				out.Fields[name] = *f
			}
		}
	}
	out.Evidence = extended(e.Evidence, p.Evidence)
	out.Provenance.Entries = extended(e.Provenance.Entries, p.Entries)
	out.Keys = extended(e.Keys, p.Keys)
	set(&out.Confidence, p.Confidence)
	set(&out.Status, p.Status)
	set(&out.Refs, p.Refs)
	set(&out.Terms, p.Terms)
	set(&out.Interpretations, p.Interpretations)
	set(&out.ResolvedInterpretationID, p.ResolvedInterpretationID)
	set(&out.ReplacesID, p.ReplacesID)
	set(&out.ReplacedByID, p.ReplacedByID)
	set(&out.Attribution, p.Attribution)
	set(&out.Scores, p.Scores)
	set(&out.Flags, p.Flags)
	return &out, nil
}

// Changes lists the fields in which new differs from old, sorted by field;
// each is named "type.field" and carries the words that changed it. A list
// is one value; an absent field is null.
func Changes(old, new Data, elementType, reason string) []FieldChange {
	out := []FieldChange{}
	for _, k := range fieldNames(old, new) {
		if sameValue(old[k], new[k]) {
			continue
		}
		out = append(out, FieldChange{Field: elementType + "." + k, OldValue: old[k], NewValue: new[k], Reason: reason})
	}
	return out
}

// fieldNames are the sorted names of the fields of both.
func fieldNames(a, b Data) []string {
	names := slices.AppendSeq(make([]string, 0, len(a)), maps.Keys(a))
	for k := range b {
		if _, ok := a[k]; !ok {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	return names
}

// diffData returns the changed fields. Where the type changes, or a field is
// gone, the type is set and the data are all of new's: they take the place
// of the old.
func diffData(old, new *Element) (map[string]any, *string) {
	whole := old.ElementType != new.ElementType
	for k := range old.Data {
		if _, ok := new.Data[k]; !ok {
			whole = true
		}
	}
	if whole {
		return new.Data, &new.ElementType
	}
	var out map[string]any
	for k, v := range new.Data {
		if was, ok := old.Data[k]; ok && sameValue(was, v) {
			continue
		}
		if out == nil {
			out = map[string]any{}
		}
		out[k] = v
	}
	return out, nil
}

// diffFields returns the changed entries, nil for one that is gone.
func diffFields(old, new map[string]Field) map[string]*Field {
	out := map[string]*Field{}
	for k, f := range new {
		if was, ok := old[k]; !ok || !reflect.DeepEqual(was, f) {
			out[k] = &f
		}
	}
	for k := range old {
		if _, ok := new[k]; !ok {
			out[k] = nil
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// grown returns what new has beyond old; ok is false if new does not begin
// with old.
func grown[T any](old, new []T) (more []T, ok bool) {
	n := len(old)
	if len(new) < n {
		return nil, false
	}
	if n > 0 && &old[0] != &new[0] && !reflect.DeepEqual(old, new[:n]) {
		return nil, false
	}
	if len(new) == n {
		return nil, true
	}
	return new[n:len(new):len(new)], true
}

// extended is list and more behind it. It may use the room behind list: only
// the newest version of an element is ever extended, so what an older one
// holds is never written, and n additions cost n and not n².
func extended[T any](list, more []T) []T {
	if len(more) == 0 {
		return list
	}
	return append(list, more...)
}

func changed[T comparable](old, new T) *T {
	if old == new {
		return nil
	}
	return &new
}

func changedList[T any](old, new []T) *[]T {
	if len(old) == len(new) && (len(old) == 0 || reflect.DeepEqual(old, new)) {
		return nil
	}
	if new == nil {
		new = []T{} // null would read as unchanged
	}
	return &new
}

func set[T any](field *T, to *T) {
	if to != nil {
		*field = *to
	}
}

func samePointer(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}
