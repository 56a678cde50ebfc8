package speckl_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/speckl/speckl/domain"
)

// This file is the vocabulary in which the seed's cases say what they expect
// (see testdata/README.md): JSON in which objects are partial, keys are
// paths, and objects with one "$…" key are matchers.

// mismatch says where a value is not as wanted; "" where it is.
func mismatch(want, got any) string { return mismatchAt("", want, got) }

func mismatchAt(path string, want, got any) string {
	complain := func(format string, args ...any) string {
		return fmt.Sprintf("%s: %s; got %s", strings.TrimPrefix(path, "."), fmt.Sprintf(format, args...), short(got))
	}
	switch w := want.(type) {
	case map[string]any:
		for key, v := range w {
			if strings.HasPrefix(key, "$") {
				if !matches(key, v, got) {
					return complain("want %s %s", key, short(v))
				}
				continue
			}
			if m := mismatchKey(path, key, v, got); m != "" {
				return m
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(w) {
			return complain("want a list of %d", len(w))
		}
		if strings.HasSuffix(path, ".changes") { // in any order
			if i := assign(w, list); i >= 0 {
				return complain("want %s", short(w[i]))
			}
			return ""
		}
		for i := range w {
			if m := mismatchAt(fmt.Sprintf("%s[%d]", path, i), w[i], list[i]); m != "" {
				return m
			}
		}
		return ""
	}
	if !reflect.DeepEqual(want, got) {
		return complain("want %s", short(want))
	}
	return ""
}

// mismatchKey follows a key: "a|b" is either name, "x>y" compares two paths.
func mismatchKey(path, key string, want, got any) string {
	if left, right, ok := strings.Cut(key, ">"); ok {
		a, _ := at(got, left)
		b, _ := at(got, right)
		x, xok := a.(float64)
		y, yok := b.(float64)
		if !xok || !yok || x > y != (want == true) {
			return fmt.Sprintf("%s: want %s; got %v and %v", path, key, a, b)
		}
		return ""
	}
	var first string
	for _, name := range strings.Split(key, "|") {
		v, ok := at(got, name)
		if !ok {
			v = absent{}
		}
		m := mismatchAt(path+"."+name, want, v)
		if m == "" {
			return ""
		}
		if first == "" {
			first = m
		}
	}
	return first
}

// absent is the value of a key that is not there.
type absent struct{}

func (absent) String() string { return "nothing" }

// at follows a path: names, [i], "length"; a name in a list takes it of each
// item.
func at(v any, path string) (any, bool) {
	for _, step := range strings.Split(strings.ReplaceAll(path, "[", ".["), ".") {
		if step == "" {
			continue
		}
		if i, ok := strings.CutPrefix(step, "["); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(i, "]"))
			list, _ := v.([]any)
			if err != nil || n >= len(list) {
				return nil, false
			}
			v = list[n]
			continue
		}
		switch x := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = x[step]; !ok {
				return nil, false
			}
		case []any:
			v = ofList(x, step)
		default:
			return nil, false
		}
	}
	return v, true
}

// ofList is its "length", its "last", whether it is "increasing", whether
// "anyName" is true, or the values of a name.
func ofList(list []any, step string) any {
	switch step {
	case "length":
		return float64(len(list))
	case "last":
		if len(list) > 0 {
			return list[len(list)-1]
		}
		return nil
	case "increasing":
		return slices.IsSortedFunc(list, func(a, b any) int { return cmp.Compare(a.(float64), b.(float64)) })
	}
	name, anyOf := strings.CutPrefix(step, "any")
	if anyOf {
		step = strings.ToLower(name[:1]) + name[1:]
	}
	var all []any
	for _, item := range list {
		if v, ok := at(item, step); ok {
			all = append(all, v)
		}
	}
	if anyOf {
		return slices.Contains(all, true)
	}
	return all
}

// matches runs one matcher. On a list, matchers of text look for one item
// that matches.
func matches(name string, arg, got any) bool {
	known := got != nil && got != absent{}
	switch name {
	case "$absent":
		return !known
	case "$present":
		return known
	case "$nullOrAbsent":
		return !known || got == ""
	case "$nonEmpty":
		return known && got != "" && !reflect.DeepEqual(got, []any{})
	}
	if list, ok := got.([]any); ok {
		for _, item := range list {
			if matches(name, arg, item) {
				return true
			}
		}
		return false
	}
	if n, ok := got.(float64); ok {
		return matchesNumber(name, arg, n)
	}
	text, ok := got.(string)
	if b, isBool := got.(bool); isBool {
		text, ok = strconv.FormatBool(b), true
	}
	if !ok && known {
		raw, _ := json.Marshal(got)
		text = string(raw)
	}
	return known && matchesText(name, arg, text)
}

func matchesNumber(name string, arg any, n float64) bool {
	num := func(v any) float64 { f, _ := v.(float64); return f }
	pair, _ := arg.([]any)
	switch name {
	case "$approx":
		return math.Abs(n-num(pair[0])) <= num(pair[1])+1e-9
	case "$range":
		return n >= num(pair[0]) && n <= num(pair[1])
	case "$min":
		return n >= num(arg)
	case "$max":
		return n <= num(arg)
	case "$above":
		return n > num(arg)
	case "$equal":
		return n == num(arg)
	case "$in":
		for _, v := range pair {
			if v == n {
				return true
			}
		}
	}
	return false
}

func matchesText(name string, arg any, text string) bool {
	lower := strings.ToLower(text)
	list, _ := arg.([]any)
	one, _ := arg.(string)
	switch name {
	case "$in":
		for _, v := range list {
			if v == text {
				return true
			}
		}
		return false
	case "$contains":
		return strings.Contains(lower, strings.ToLower(one))
	case "$notContains":
		return !strings.Contains(lower, strings.ToLower(one))
	case "$containsAll":
		for _, v := range list {
			if !strings.Contains(lower, strings.ToLower(v.(string))) {
				return false
			}
		}
		return true
	case "$mentions":
		return strings.Contains(" "+domain.FoldText(text)+" ", " "+domain.FoldText(one)+" ")
	case "$words":
		have := strings.Fields(domain.FoldLabel(text))
		for _, v := range list {
			if !slices.Contains(have, domain.FoldLabel(v.(string))) {
				return false
			}
		}
		return true
	case "$regex":
		return regexp.MustCompile(one).MatchString(text)
	case "$duration":
		d, ok := domain.ParseDuration(text)
		return ok && d.Seconds() == arg
	}
	return false
}

func short(v any) string {
	if _, ok := v.(absent); ok {
		return "nothing"
	}
	b, _ := json.Marshal(v)
	if len(b) > 300 {
		b = append(b[:300:300], "…"...)
	}
	return string(b)
}

// assign gives each wanted record a different one that fits, and returns the
// index of a wanted record that got none, or -1.
func assign(want []any, got []any) int {
	taken := make([]int, len(got)) // 1 + index of what took it
	var place func(i int, seen []bool) bool
	place = func(i int, seen []bool) bool {
		for j := range got {
			if seen[j] || mismatch(want[i], got[j]) != "" {
				continue
			}
			seen[j] = true
			if taken[j] == 0 || place(taken[j]-1, seen) {
				taken[j] = i + 1
				return true
			}
		}
		return false
	}
	for i := range want {
		if !place(i, make([]bool, len(got))) {
			return i
		}
	}
	return -1
}
