package jsonread

// members is what [Object] takes of the list or object at at: an object, or
// what is whole in it.
func (r *reader) members(at int) int {
	if r.src[at] != '{' {
		return at + 1
	}
	r.begin(at)
	end, st := r.object(at, r.note)
	switch {
	case st == whole && !r.opened:
		r.Found = r.Found || r.ends(at, end)
	case st == whole && r.trusted(at):
		r.add(at, end)
	case st != whole && r.trusted(at) && (r.opened || st == cut):
		return r.salvage(at)
	}
	return end
}

// note reads a member as any other, and notes that there is one.
func (r *reader) note(_ int, _ string, at int) (int, state) {
	r.opened = true
	return r.value(at, member)
}

// salvage adds what is whole of the object at at, unless there is an object
// already, and tells what was lost.
func (r *reader) salvage(object int) int {
	out, at := []byte{'{'}, object+1
	found := r.Found
	for {
		if at = r.space(at); at >= r.end {
			r.lose(CutOff, r.end)
			break
		}
		if c := r.src[at]; c == '}' || c == ']' {
			at++
			break
		}
		if r.src[at] == ',' {
			at++
			continue
		}
		text, end, st := r.salvageMember(at)
		if text != nil {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, text...)
		}
		if at = end; st == cut {
			at = r.end
			break
		}
	}
	if r.Found = found; len(out) > 1 && len(r.Items) == 0 {
		r.Items, r.Found = append(r.Items, Item{JSON: append(out, '}'), At: object, Repaired: true}), true
	}
	return at
}

// salvageMember reads the member of an object at at: its key and value, or nil
// if it is lost. A broken one counts as read.
func (r *reader) salvageMember(at int) ([]byte, int, state) {
	r.begin(at)
	_, end, st := r.key(at)
	if st == whole {
		text := r.mended(end)
		if end < r.end && r.src[end] == '[' {
			var list []byte
			list, end, st = r.salvageList(end)
			return append(text, list...), end, st
		}
		r.begin(end)
		if end, st = r.value(end, member); st == whole {
			return append(text, r.mended(end)...), end, whole
		}
	}
	if st == broken || st == deep {
		var ended bool
		if end, ended = r.skip(end, r.depth); ended {
			r.lose(Broken, at)
			return nil, end, whole
		}
	}
	r.lose(CutOff, at)
	return nil, r.end, cut
}

// salvageList reads the list at at: what is whole of it.
func (r *reader) salvageList(at int) ([]byte, int, state) {
	outer := r.Items
	r.Items = nil
	end, st := r.elements(at)
	list := []byte{'['}
	for i, item := range r.Items {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, item.JSON...)
	}
	r.Items = outer
	return append(list, ']'), end, st
}
