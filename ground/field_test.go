package ground_test

import (
	"strings"
	"testing"

	"github.com/speckl/speckl/ground"
)

// TestUnsupported: what a value says and its words do not, and what they do
// though they are written otherwise.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	tests := []struct{ value, support, want string }{
		// numbers
		{"30s", "it times out after 30 seconds", ""},
		{"30s", "it times out after half a minute", ""},
		{"120s", "after two minutes", ""},
		{"2 minutes", "after 120s", ""},
		{"45s", "it times out after 30 seconds", "number 45"},
		{"an hour", "after 60 minutes", ""},
		{"2 hours", "after an hour", "number 2"},
		{"three retries", "we retry 3 times", ""},
		{"3 retries", "we retry three times", ""},
		{"4 retries", "we retry three times", "number 4"},
		{"1598", "it costs 1,598 in all", ""},
		{"1,598,000", "1598000 rows", ""},
		{"3rd attempt", "on the third attempt", "number 3"},
		{"12 apples", "about a dozen apples", "number 12"},
		{"50%", "fifty percent of it", ""},
		{"50%", "50 of them", "number %"},
		{"v2", "the v2 endpoint", ""},
		{"v3", "the v2 endpoint", "number v3"},
		{"٣ أيام", "3 أيام", ""},
		{"at most 5", "no more than five", ""},
		// amounts
		{"$500", "it costs 500 dollars", ""},
		{"500 euros", "it costs €500", ""},
		{"$500", "it costs 500", "amount $"},
		{"500 dollars", "it costs 500", "amount dollars"},
		// dates
		{"2026-03-14", "due on 2026-03-14", ""},
		{"2026-03-14", "due on 14 March", ""},
		{"2026-03-14", "due on March 14, 2026", ""},
		{"2026-03-14", "due 14/3", ""},
		{"2026-03-14", "due on 15 March", "date 2026-03-14"},
		{"2026-03-14", "due on 14 April", "date 2026-03-14"},
		{"2026-03-14", "due on 14 March 2025", "date 2026-03-14"},
		{"2026-03-14", "due soon", "date 2026-03-14"},
		{"ready by Friday", "it is ready by Friday", ""},
		{"ready by Friday", "it is ready by Monday", "date Friday"},
		// names
		{"Ana", "Ana will do it", ""},
		{"Ana", "I will do it", "name Ana"},
		{"Ana Pérez", "Ana will do it", "name Pérez"},
		{"ask Bob", "ask Bob about it", ""},
		{"ask Bob", "ask him about it", "name Bob"},
		{"the Acme contract", "send the Acme contract", ""},
		{"the Zenith contract", "send the Acme contract", "name Zenith"},
		{"Pay now", "the button says pay now", ""},
		{"Send the contract", "I will send the contract", ""},
		{"LOADING", "a loading state", ""},
		{"HalfOpen", "it is half open", ""},
		{"Nguyễn", "anh Nguyễn gửi", ""},
		{"Minh", "anh Nguyễn gửi", "name Minh"},
		{"Émile", "E\u0301mile said so", ""},
		// negations
		{"must not retry", "it must not retry", ""},
		{"must not retry", "it must never retry", ""},
		{"must not retry", "it mustn't retry", ""},
		{"must not retry", "it must retry", "negation must not retry"},
		{"không gửi", "gửi hợp đồng", "negation không gửi"},
		{"no access", "they can't get in", ""},
		// plain words are a value's own
		{"ship it soon", "we want to release it", ""},
		{"", "anything", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range ground.Unsupported(tt.value, []string{tt.support}) {
			got = append(got, string(c.Kind)+" "+c.Text)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%q by %q: %q, want %q", tt.value, tt.support, s, tt.want)
		}
	}
	next := ground.Derivation{Rule: "relative date", Derives: func(v string, s []string) bool { return v == "2026-03-20" && strings.Contains(s[0], "next Friday") }}
	if got := ground.Unsupported("2026-03-20", []string{"by next Friday"}, next); got != nil {
		t.Errorf("derived: %v", got)
	}
	if got := ground.Unsupported("2026-03-21", []string{"by next Friday"}, next); len(got) != 1 {
		t.Errorf("not derived: %v", got)
	}
}
