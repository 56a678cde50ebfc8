package eval

import (
	"maps"
	"slices"
)

// machine scores a row of state-machine and returns the elements that count.
//
// It follows score_passages.py to the letter: a transition that knows
// neither end counts like any other (the README would leave it out).
func (r *Report) machine(row *Row, live []Element) []Element {
	states, pairs := map[string]bool{}, map[ends]bool{}
	var transitions []Entry
	for _, g := range row.Gold {
		switch g.Type() {
		case "state":
			states[name(g["name"])] = true
		case "transition":
			pairs[endsOf(g)] = true
			transitions = append(transitions, g)
		}
	}
	wanted := func(e Element) bool {
		return e.Type == "transition" && pairs[endsOf(e.Data)] || e.Type == "state" && states[name(e.Data["name"])]
	}
	kept := slices.DeleteFunc(slices.Clone(live), func(e Element) bool { return !wanted(e) && row.allows(e) })

	gotPairs, gotStates := map[ends]bool{}, map[string]bool{}
	var left []Element
	for _, e := range kept {
		switch e.Type {
		case "state":
			gotStates[name(e.Data["name"])] = true
		case "transition":
			gotPairs[endsOf(e.Data)] = true
			left = append(left, e)
		}
	}
	r.typ("transition").add(both(pairs, gotPairs), len(gotPairs), len(pairs))
	r.typ("state").add(both(states, gotStates), len(gotStates), len(states))
	found, right := len(left), 0
	for _, g := range transitions {
		i := slices.IndexFunc(left, func(e Element) bool {
			return endsOf(e.Data) == endsOf(g) && alike(e.Data["event"], g["event"])
		})
		if i < 0 {
			if !gotPairs[endsOf(g)] {
				r.wrong(row, "missed", describe(g))
			} else {
				r.wrong(row, "missed", describe(g)+" (the event differs)")
			}
			continue
		}
		right++
		r.rest(g, left[i].Data)
		left = slices.Delete(left, i, i+1)
	}
	r.field("transition.event").add(right, found, len(transitions))
	r.others(row, kept)
	for _, g := range row.Gold {
		if g.Type() == "state" && !gotStates[name(g["name"])] {
			r.wrong(row, "missed", describe(g))
		}
	}
	for _, e := range kept {
		if (e.Type == "state" || e.Type == "transition") && !wanted(e) {
			r.wrong(row, "extra", found1(e))
		}
	}
	return kept
}

// ends are a transition's from and to, as they are compared.
type ends struct{ from, to string }

func endsOf(data map[string]any) ends { return ends{name(data["from"]), name(data["to"])} }

func both[K comparable](a, b map[K]bool) int {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// allows reports whether an element is one of the extras that are as good as
// nothing: compared by type and names only.
func (row *Row) allows(e Element) bool {
	return slices.ContainsFunc(row.May, func(m Entry) bool {
		if m.Type() != e.Type {
			return false
		}
		for k, v := range m {
			if (whole[k] || k == "name" && m.Type() == "state") && name(v) != name(e.Data[k]) {
				return false
			}
		}
		return true
	})
}

// rest compares what else a transition says, where it is otherwise right.
func (r *Report) rest(gold Entry, got map[string]any) {
	for _, k := range []string{"guard", "after"} {
		r.value("transition."+k, gold[k], got[k])
	}
	want, _ := gold["actions"].([]any)
	have, _ := got["actions"].([]any)
	left, right := slices.Clone(have), 0
	for _, w := range want {
		if i := slices.IndexFunc(left, func(h any) bool { return alike(w, h) }); i >= 0 {
			left = slices.Delete(left, i, i+1)
			right++
		}
	}
	r.field("transition.actions").add(right, len(have), len(want))
}

// value counts one field: right where both are known and alike, else found
// and wrong, or missed, or both.
func (r *Report) value(field string, gold, got any) {
	c := r.field(field)
	switch {
	case unknown(gold) && unknown(got):
	case !unknown(gold) && !unknown(got) && alike(gold, got):
		c.TP++
	default:
		if !unknown(got) {
			c.FP++
		}
		if !unknown(gold) {
			c.FN++
		}
	}
}

// machineTypes are the further types and what makes two of them the same.
var machineTypes = map[string]func(gold Entry, got map[string]any) bool{
	"event":     func(g Entry, d map[string]any) bool { return alike(g["name"], d["name"]) },
	"guard":     func(g Entry, d map[string]any) bool { return alike(g["condition"], d["condition"]) },
	"action":    func(g Entry, d map[string]any) bool { return alike(g["name"], d["name"]) && sameName(g, d, "state") },
	"invariant": func(g Entry, d map[string]any) bool { return alike(g["text"], d["text"]) && sameName(g, d, "state") },
	"constraint": func(g Entry, d map[string]any) bool {
		return name(g["kind"]) == name(d["kind"]) && sameName(g, d, "state") && (alike(g["text"], d["text"]) || !unknown(g["event"]) && alike(g["event"], d["event"]))
	},
}

func sameName(g Entry, d map[string]any, key string) bool { return name(g[key]) == name(d[key]) }

func (r *Report) others(row *Row, kept []Element) {
	for _, typ := range slices.Sorted(maps.Keys(machineTypes)) {
		r.match(row, typ, kept, machineTypes[typ])
	}
}

// match counts the elements of a type, each gold entry taking one at most.
func (r *Report) match(row *Row, typ string, kept []Element, same func(Entry, map[string]any) bool) (pairs [][2]map[string]any) {
	var left []Element
	for _, e := range kept {
		if e.Type == typ {
			left = append(left, e)
		}
	}
	found, right, want := len(left), 0, 0
	for _, g := range row.Gold {
		if g.Type() != typ {
			continue
		}
		want++
		i := slices.IndexFunc(left, func(e Element) bool { return same(g, e.Data) })
		if i < 0 {
			r.wrong(row, "missed", describe(g))
			continue
		}
		right++
		pairs = append(pairs, [2]map[string]any{g, left[i].Data})
		left = slices.Delete(left, i, i+1)
	}
	if found+want > 0 {
		r.typ(typ).add(right, found, want)
	}
	for _, e := range left {
		r.wrong(row, "extra", found1(e))
	}
	return pairs
}

func found1(e Element) string {
	d := map[string]any{"type": e.Type}
	for k, v := range e.Data {
		d[k] = v
	}
	return describe(d)
}
