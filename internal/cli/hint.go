package cli

import (
	"slices"
	"strings"
)

// hint says which of the names a mistyped one may mean, and lists them all.
func hint(got string, names []string, what string) string {
	all := what + ": " + strings.Join(names, " ")
	if near := nearest(got, names); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "? (" + all + ")"
	}
	return all
}

// nearest are the names within two edits of got, those that begin with it,
// or those that it begins; the nearest first.
func nearest(got string, names []string) []string {
	type near struct {
		name string
		far  int
	}
	got = strings.ToLower(got)
	var found []near
	for _, n := range names {
		low := strings.ToLower(n)
		d := distance(got, low)
		bare := strings.TrimLeft(got, "-")
		if d <= 2 && d < len(low) || len(bare) >= 2 && (strings.HasPrefix(low, got) || strings.HasPrefix(got, low)) {
			found = append(found, near{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.far - b.far })
	var out []string
	for i, f := range found {
		if i < 3 {
			out = append(out, f.name)
		}
	}
	return out
}

// distance is Levenshtein's, over bytes.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := prev
			if a[i-1] != b[j-1] {
				cost = 1 + min(prev, row[j], row[j-1])
			}
			prev, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
