package jsonread

import "strings"

// items is what [Items] takes of the list or object at at.
func (r *reader) items(at int) int {
	if r.src[at] == '[' {
		if !r.isList(at) {
			return at + 1
		}
		end, _ := r.elements(at)
		return end
	}
	r.begin(at)
	lost := len(r.Losses)
	end, st := r.object(at, r.member)
	switch {
	case r.wrapped:
		if st == cut && len(r.Losses) == lost {
			r.lose(CutOff, r.end)
		}
	case st == whole && (!r.opened || r.hollow):
		r.Found = r.Found || r.ends(at, end)
	case st == whole && r.trusted(at):
		r.add(at, end)
	case st == cut && (r.opened || r.find.fresh):
		r.lose(CutOff, at)
	}
	if st == broken || st == deep {
		return r.ruin(at, end, st)
	}
	return end
}

// ruin goes on after the object at at, which could be read up to end.
func (r *reader) ruin(at, end int, st state) int {
	if !r.opened || !r.trusted(at) {
		return end // braces in prose
	}
	if r.wrapped {
		at = end
	}
	reason := Broken
	if st == deep {
		reason = TooDeep
	}
	r.lose(reason, at)
	end, _ = r.skip(end, r.depth)
	return end
}

// isList reports whether the bracket at at opens a list of items: prose has
// brackets, too. A list of anything but objects must be all of its stretch.
func (r *reader) isList(at int) bool {
	first := r.space(at + 1)
	if first >= r.end || r.src[first] == '{' {
		return true
	}
	if r.src[first] == ']' {
		return r.ends(at, first+1)
	}
	if !r.find.first {
		return false
	}
	r.begin(first)
	end, st := r.value(first, element)
	if st == whole {
		_, st = r.next(end, ']')
	}
	return st == cut || st == whole
}

// ends reports whether src[at:end], something empty, is meant as an answer:
// it begins its line or ends it.
func (r *reader) ends(at, end int) bool {
	line, _, _ := strings.Cut(r.src[end:r.end], "\n")
	return r.find.fresh || strings.Trim(line, " \t\r.`") == ""
}

// trusted reports whether an object in prose is meant as JSON: its first key
// has quotes, or it begins its line.
func (r *reader) trusted(at int) bool {
	return r.find.fresh || r.quoted(r.space(at+1))
}

// member reads a member of an object that may hold the items: under one of the
// keys, or first. What follows can't undo that, so that a reply that was cut
// off is read like the whole one.
func (r *reader) member(n int, name string, at int) (int, state) {
	r.opened, r.hollow = true, false
	if at >= r.end {
		return r.end, cut
	}
	known := r.known(name)
	switch c := r.src[at]; {
	case c == '[':
		first := r.space(at + 1)
		if known || n == 0 && first < r.end && r.src[first] == '{' {
			r.wrapped = true
			return r.elements(at)
		}
		r.hollow = n == 0 && first < r.end && r.src[first] == ']'
	case known && c == '{':
		r.wrapped = true
		return r.element(at)
	case known && r.quoted(at):
		r.wrapped = true
		if end, st := r.packed(at, member); end > at {
			return end, st
		}
	case known && strings.HasPrefix(r.src[at:], "null"):
		r.wrapped, r.Found = true, true
	case n == 0 && c == '{':
		return r.object(at, r.inner)
	}
	return r.value(at, member)
}

// inner reads a member of an object that is the first member of another: it
// holds the items only under one of the keys.
func (r *reader) inner(n int, name string, at int) (int, state) {
	if at < r.end && r.src[at] == '[' && r.known(name) {
		r.wrapped = true
		return r.elements(at)
	}
	if n == 0 && at < r.end && r.src[at] == '{' {
		return r.object(at, r.inner)
	}
	return r.value(at, member)
}

func (r *reader) known(name string) bool {
	name = strings.Trim(name, " :\t")
	for _, k := range r.keys {
		if strings.EqualFold(k, name) {
			return true
		}
	}
	return false
}

// elements reads the list at at and adds its elements. It goes on after one
// that is broken.
func (r *reader) elements(at int) (int, state) {
	depth := r.depth
	defer func() { r.depth = depth }()
	r.Found = true
	for at++; ; {
		at = r.space(at)
		if at >= r.end {
			r.lose(CutOff, r.end)
			return r.end, cut
		}
		switch r.src[at] {
		case ',':
			at++
		case ']':
			return at + 1, whole
		case '}':
			then := r.space(at + 1)
			if then >= r.end || r.src[then] != ',' && r.src[then] != ']' {
				return at, whole // the list was left open: the object ends here
			}
			at = then // one brace too many
		default:
			var st state
			if at, st = r.element(at); st == cut {
				return at, cut
			}
		}
	}
}

// element reads one element of a list and adds it. A broken one counts as
// read.
func (r *reader) element(at int) (int, state) {
	depth := r.depth
	defer func() { r.depth = depth }()
	r.begin(at)
	end, st := r.value(at, element)
	switch st {
	case whole:
		r.add(at, end)
		return end, whole
	case cut:
		r.lose(CutOff, at)
		return r.end, cut
	}
	reason := Broken
	if st == deep {
		reason = TooDeep
	}
	// An object that was left open ends where the next begins, or the list.
	leftOpen := r.depth == 1 && r.src[at] == '{' && (r.src[end] == '{' || r.src[end] == ']')
	if !leftOpen {
		var ended bool
		if end, ended = r.skip(end, r.depth); !ended {
			r.lose(CutOff, at)
			return r.end, cut
		}
	}
	r.lose(reason, at)
	return end, whole
}
