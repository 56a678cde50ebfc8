package speckl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// seedChecks are the expectations of the cases, by name. Each returns what
// is wrong, or "".
var seedChecks = map[string]func(r *seedRun, want any) string{
	"elements":  func(r *seedRun, want any) string { return each(r.resolve(want), r.final().elements) },
	"ambiguous": func(r *seedRun, want any) string { return each(readings(want), r.ambiguous()) },
	"found": func(r *seedRun, want any) string {
		return each(want, slices.Concat(r.final().elements, r.final().candidates))
	},
	"absent":                    checkAbsent,
	"all":                       checkAll,
	"none":                      checkNone,
	"counts":                    checkCounts,
	"elementCountAtMost":        checkAtMost,
	"typesOnly":                 checkTypes,
	"results":                   checkResults,
	"summary":                   func(r *seedRun, want any) string { return mismatch(want, r.last().Summary) },
	"dropped":                   func(r *seedRun, want any) string { return each(want, viaJSON(r.t, r.last().Dropped).([]any)) },
	"request":                   checkRequest,
	"metadata":                  func(r *seedRun, want any) string { return mismatch(want, viaJSON(r.t, r.last().Metadata)) },
	"interpretationFields":      checkReadingFields,
	"held":                      checkHeld,
	"provenancePrefixStable":    checkPrefix,
	"query":                     checkQuery,
	"detection":                 checkDetection,
	"confidenceGreaterThanWith": checkGreater,
	"error":                     checkError,
	"unchanged":                 checkUnchanged,
	"unchangedUntilApply":       checkUntilApply,
	"diffShown":                 checkDiffShown,
}

// each wants every record to match a different one.
func each(want any, got []any) string {
	if i := assign(want.([]any), got); i >= 0 {
		best := ""
		for _, g := range got {
			if m := mismatch(want.([]any)[i], g); best == "" || len(m) < len(best) {
				best = m
			}
		}
		return fmt.Sprintf("nothing is %s (nearest: %s)", short(want.([]any)[i]), best)
	}
	return ""
}

// resolve puts numbers for "$greaterThanAfter" and "$equalsAfter": the
// confidence that stood after a turn.
func (r *seedRun) resolve(want any) any {
	for _, w := range want.([]any) {
		if list, ok := w.(map[string]any)["provenance.actions"]; ok {
			w.(map[string]any)["provenance.action"] = list
			delete(w.(map[string]any), "provenance.actions")
		}
		c, _ := w.(map[string]any)["confidence"].(map[string]any)
		for name, as := range map[string]string{"$greaterThanAfter": "$above", "$equalsAfter": "$equal"} {
			turn, ok := c[name].(string)
			if !ok {
				continue
			}
			delete(c, name)
			for _, e := range r.after[turn].elements {
				if v, _ := at(e, "elementType"); v == w.(map[string]any)["elementType"] {
					c[as], _ = at(e, "confidence")
				}
			}
		}
	}
	return want
}

func (r *seedRun) ambiguous() []any {
	var out []any
	for _, e := range r.final().elements {
		if v, _ := at(e, "flags.isAmbiguous"); v == true {
			out = append(out, e)
		}
	}
	return out
}

var transitionText = regexp.MustCompile(`transition (\S+) -> ([^;]+?)(?: on (\S+))?$`)

// readings turns "transition A -> B on E" into data.
func readings(want any) any {
	for _, w := range want.([]any) {
		list, _ := w.(map[string]any)["interpretations"].([]any)
		for i, one := range list {
			text, _ := at(one, "reading")
			m := transitionText.FindStringSubmatch(fmt.Sprint(text))
			if m == nil {
				continue
			}
			data := map[string]any{"from": m[1], "to": m[2]}
			if m[3] != "" {
				data["event"] = map[string]any{"$present": true}
			}
			list[i] = map[string]any{"elementType": "transition", "data": data}
		}
	}
	return want
}

func checkAbsent(r *seedRun, want any) string {
	for _, w := range want.([]any) {
		for _, e := range r.final().elements {
			if mismatch(w, e) == "" {
				return fmt.Sprintf("%s is there: %s", short(w), short(e))
			}
		}
	}
	return ""
}

func checkAll(r *seedRun, want any) string {
	if len(r.final().elements) == 0 {
		return "there are no elements"
	}
	for _, e := range r.final().elements {
		if m := mismatch(want, e); m != "" {
			return m
		}
	}
	return ""
}

func checkNone(r *seedRun, _ any) string {
	if s := r.final(); len(s.elements)+len(s.candidates) > 0 {
		return fmt.Sprintf("there are %d elements and %d candidates", len(s.elements), len(s.candidates))
	}
	return ""
}

// counted counts the live elements by type.
func (r *seedRun) counted() map[string]int {
	out := map[string]int{}
	for _, e := range r.document().Elements {
		if e.Status.Live() {
			out[e.ElementType]++
		}
	}
	return out
}

func checkCounts(r *seedRun, want any) string {
	got := r.counted()
	for typ, n := range want.(map[string]any) {
		if float64(got[typ]) != n {
			return fmt.Sprintf("want %v of %s; got %v", n, typ, got)
		}
	}
	return ""
}

func checkAtMost(r *seedRun, want any) string {
	got := r.counted()
	for typ, n := range want.(map[string]any) {
		if float64(got[typ]) > n.(float64) {
			return fmt.Sprintf("want at most %v of %s; got %v", n, typ, got)
		}
	}
	return ""
}

func checkTypes(r *seedRun, want any) string {
	for _, e := range r.final().elements {
		if typ, _ := at(e, "elementType"); !slices.Contains(want.([]any), typ) {
			return fmt.Sprintf("there is a %s", typ)
		}
	}
	return ""
}

func checkResults(r *seedRun, want any) string {
	for i, w := range want.([]any) {
		if m := mismatch(w, r.result(i)); m != "" {
			return fmt.Sprintf("result %d: %s", i, m)
		}
	}
	return ""
}

// checkReadingFields wants each reading to have the fields; the design's
// elementType and data are the seed's element.
func checkReadingFields(r *seedRun, want any) string {
	for _, e := range r.ambiguous() {
		list, _ := at(e, "interpretations")
		for _, reading := range list.([]any) {
			for _, name := range want.([]any) {
				if name == "element" {
					name = "elementType"
				}
				if v, ok := at(reading, name.(string)); !ok || v == "" {
					return fmt.Sprintf("a reading has no %s: %s", name, short(reading))
				}
			}
		}
	}
	return ""
}

// checkHeld wants revisions that are held with their diff and a reason.
func checkHeld(r *seedRun, want any) string {
	for _, w := range want.([]any) {
		field, _ := at(w, "field")
		held := slices.ContainsFunc(r.final().candidates, func(c any) bool {
			fields, _ := at(c, "diff.changes.field")
			list, _ := fields.([]any)
			reason, _ := at(c, "reason")
			return slices.Contains(list, field) && reason != nil
		})
		if !held {
			return fmt.Sprintf("no revision of %s is held", field)
		}
	}
	return ""
}

// checkPrefix wants every entry to stay byte for byte as it was.
func checkPrefix(r *seedRun, _ any) string {
	was := map[any][]string{}
	for i, s := range r.steps {
		for _, e := range s.elements {
			id, _ := at(e, "id")
			entries, _ := at(e, "provenance")
			var now []string
			for _, entry := range entries.([]any) {
				raw, _ := json.Marshal(entry)
				now = append(now, string(raw))
			}
			if n := len(was[id]); n > len(now) || !slices.Equal(was[id], now[:n]) {
				return fmt.Sprintf("step %d rewrote the history of %s", i, id)
			}
			was[id] = now
		}
	}
	return ""
}

func checkQuery(r *seedRun, want any) string {
	q := want.(map[string]any)
	if q["unconfirmed"] == true {
		found, err := r.client.Query(r.t.Context(), r.name, sir.Filter{Unconfirmed: true})
		if err != nil {
			return err.Error()
		}
		names := strings.Join(lines(found), "\n")
		for key, in := range map[string]bool{"includes": true, "excludes": false} {
			list, _ := q[key].([]any)
			for _, x := range list {
				name, _ := at(x, "name")
				if strings.Contains(names, fmt.Sprintf("name=%s ", name)) != in {
					return fmt.Sprintf("%s %s: got\n%s", key, name, names)
				}
			}
		}
	}
	if n, ok := q["turnsWithMoreThan"].(float64); ok {
		got := []any{}
		for _, c := range sir.TurnsBehind(slices.Values(r.document().Elements), int(n)) {
			got = append(got, c.TurnID)
		}
		return mismatch(q["result"], got)
	}
	if name, ok := at(q, "history.name"); ok {
		versions := []any{}
		for _, entry := range r.one("state " + name.(string)).Provenance.Entries {
			versions = append(versions, float64(entry.Version))
		}
		return mismatch(q["versions"], versions)
	}
	return ""
}

func checkDetection(r *seedRun, want any) string {
	w := maps.Clone(want.(map[string]any))
	if c, _ := w["confidence"].(map[string]any); c["$formula"] == "min(score/20,1)" {
		score, _ := at(r.detection, "scores."+fmt.Sprint(w["domain"]))
		w["confidence"] = min(score.(float64)/20, 1)
	}
	return mismatch(w, r.detection)
}

// checkGreater compares with another conversation: the most confident thing
// that was found.
func checkGreater(r *seedRun, want any) string {
	other := seedCase{Domain: "state-machine"}
	raw, _ := json.Marshal(want)
	if err := json.Unmarshal(raw, &other); err != nil {
		return err.Error()
	}
	best := func(s snapshot) float64 {
		most := 0.0
		for _, e := range slices.Concat(s.elements, s.candidates) {
			v, _ := at(e, "confidence")
			most = max(most, v.(float64))
		}
		return most
	}
	mine, its := best(r.final()), best(runSeedSteps(r.t, &other).final())
	if mine <= its || its == 0 {
		return fmt.Sprintf("got %v against %v", mine, its)
	}
	return ""
}

// checkError wants the last act to be refused in these words; what a command
// ends with, exit 3, stands for bad input.
func checkError(r *seedRun, want any) string {
	w := want.(map[string]any)
	if r.failed == nil {
		return "there was no error"
	}
	if w["exit"] == 3.0 && !errors.Is(r.failed, store.ErrNotFound) {
		return "it is no bad input: " + r.failed.Error()
	}
	return mismatch(w["message"], r.failed.Error())
}

// checkUntilApply wants no element before the last step, and some after it.
func checkUntilApply(r *seedRun, _ any) string {
	n := len(r.steps) - 1
	for _, s := range r.steps[:n] {
		if len(s.elements) > 0 {
			return "something entered before it was applied"
		}
	}
	if len(r.steps[n].elements) == 0 {
		return "nothing was applied"
	}
	return ""
}

// checkDiffShown wants the first result to show what would enter.
func checkDiffShown(r *seedRun, _ any) string {
	if dry := r.results[0]; len(dry.Added) == 0 || dry.Status != "confirmation_needed" {
		return fmt.Sprintf("the dry run shows %d elements, status %q", len(dry.Added), dry.Status)
	}
	return ""
}

func checkUnchanged(r *seedRun, _ any) string {
	if n := len(r.steps); n < 2 || !reflect.DeepEqual(r.steps[n-2], r.steps[n-1]) {
		return "the last step changed the document"
	}
	return ""
}

// checkRequest looks for texts in what would be sent to a model.
func checkRequest(r *seedRun, want any) string {
	for _, text := range want.(map[string]any)["containsAll"].([]any) {
		if !strings.Contains(r.request, text.(string)) {
			return fmt.Sprintf("the request lacks %q", text)
		}
	}
	return ""
}
