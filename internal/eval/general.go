package eval

import (
	"slices"
	"strings"
)

// general scores a row of the general domain.
func (r *Report) general(row *Row, live []Element) []Element {
	kept := slices.DeleteFunc(slices.Clone(live), func(e Element) bool { return row.allows(e) })
	for _, p := range r.match(row, "entity", kept, sameAs("name")) {
		r.loose("entity.kind", p[0]["kind"], p[1]["kind"])
	}
	r.match(row, "relationship", kept, func(g Entry, d map[string]any) bool {
		return sameAs("subject", "object")(g, d) && verb(g["verb"]) == verb(d["verb"])
	})
	for _, p := range r.match(row, "property", kept, func(g Entry, d map[string]any) bool {
		return sameAs("subject", "name")(g, d) && (unknown(g["value"]) || unknown(d["value"]) || alike(g["value"], d["value"]))
	}) {
		r.loose("property.value", p[0]["value"], p[1]["value"])
	}
	r.match(row, "constraint", kept, func(g Entry, d map[string]any) bool {
		subject := unknown(g["subject"]) || unknown(d["subject"]) || sameAs("subject")(g, d)
		return subject && alike(g["text"], d["text"])
	})
	return kept
}

// loose counts a field whose values are alike, plurals folded.
func (r *Report) loose(field string, gold, got any) {
	if !unknown(gold) && !unknown(got) && singular(gold) == singular(got) {
		got = gold
	}
	r.value(field, gold, got)
}

// sameAs compares names with their plurals folded.
func sameAs(keys ...string) func(Entry, map[string]any) bool {
	return func(g Entry, d map[string]any) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { return singular(g[k]) != singular(d[k]) })
	}
}

// bases are forms of verbs that no rule gives.
var bases = map[string]string{
	"has": "have", "had": "have", "having": "have", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be",
	"does": "do", "did": "do", "done": "do", "goes": "go", "went": "go", "gone": "go", "sent": "send", "kept": "keep",
	"held": "hold", "took": "take", "taken": "take", "made": "make", "paid": "pay", "given": "give", "gave": "give",
}

// verb is a verb phrase with its words in their base form, loosely; the
// forms of "be" before a participle, and articles, do not matter.
func verb(v any) string {
	var out []string
	for _, w := range strings.Fields(name(v)) {
		if b, ok := bases[w]; ok {
			w = b
		} else {
			w = stem(w)
		}
		if len(w) > 2 && w[len(w)-1] == w[len(w)-2] { // "referred", "refer"
			w = w[:len(w)-1]
		}
		out = append(out, w)
	}
	if len(out) > 1 && out[0] == "be" {
		out = out[1:]
	}
	return strings.Join(out, " ")
}

// other scores a row of any other domain: an element fits a gold entry when
// every field that the entry names is alike.
func (r *Report) other(row *Row, live []Element) []Element {
	kept := slices.DeleteFunc(slices.Clone(live), func(e Element) bool { return row.allows(e) })
	var types []string
	for _, g := range row.Gold {
		types = append(types, g.Type())
	}
	for _, e := range kept {
		types = append(types, e.Type)
	}
	slices.Sort(types)
	for _, t := range slices.Compact(types) {
		r.match(row, t, kept, func(g Entry, d map[string]any) bool {
			for k, want := range g {
				if k != "type" && k != "tentative" && !alike(want, d[k]) {
					return false
				}
			}
			return true
		})
	}
	return kept
}
