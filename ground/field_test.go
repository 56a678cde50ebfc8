package ground_test

import (
	"strings"
	"testing"

	"github.com/speckl/speckl/ground"
)

// TestUnsupported: what a value says and its words do not, and what they do
// though they are written otherwise. Texts of the support are separated by
// "|"; claims are "kind text", separated by commas.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	tests := []struct{ value, support, want string }{
		// numbers, the same otherwise written
		{"three retries", "we retry 3 times", ""},
		{"3 retries", "we retry three times", ""},
		{"25 users", "twenty-five users", ""},
		{"25 users", "twenty five users", ""},
		{"240 seats", "two hundred and forty seats", ""},
		{"1598", "it costs 1,598 in all", ""},
		{"1,598,000", "1598000 rows", ""},
		{"1500", "1.500 Stück", ""},
		{"2.5", "2,5 Prozent", ""},
		{"10000 rows", "10k rows", ""},
		{"1500000", "1.5 million rows", ""},
		{"2,000", "two thousand", ""},
		{"12 apples", "about a dozen apples", ""},
		{"6 eggs", "half a dozen eggs", ""},
		{"2 attempts", "we try twice", ""},
		{"the 3rd attempt", "on the third attempt", ""},
		{"third attempt", "attempt 3", ""},
		{"50%", "fifty percent of it", ""},
		{"50 percent", "50% of it", ""},
		{"1.50", "it is 1.5", ""},
		{"2026", "on 2026-03-14", ""},
		{"148 over 92", "blood pressure 148/92", ""},
		{"5 to 10 days", "5-10 days", ""},
		{"at most 5", "no more than five", ""},
		{"v2", "the v2 endpoint", ""},
		{"L5", "at L 5", ""},
		{"٣ أيام", "3 أيام", ""},
		{"3 ngày", "ba ngày", ""},
		{"20 台", "准备二十台样机", ""},
		{"3,200元", "每台三千二百元", ""},
		{"drei Versuche", "3 Versuche", ""},
		{"trois nuits", "3 nuits", ""},
		// numbers that nobody said
		{"4 retries", "we retry three times", "number 4"},
		{"four retries", "we retry 3 times", "number four"},
		{"2 hours", "after an hour", "number 2"},
		{"1589", "it costs 1,598 in all", "number 1589"},
		{"15 apples", "about a dozen apples", "number 15"},
		{"50%", "50 of them", "number %"},
		{"60%", "50% of them", "number 60"},
		{"v3", "the v2 endpoint", "number v3"},
		{"1.6", "it is 1.5", "number 1.6"},
		{"-5 degrees", "5 degrees", "number -5"},
		{"3 files and 7 folders", "3 files and some folders", "number 7"},
		{"bốn ngày", "ba ngày", "number bốn"},
		{"30 台", "准备二十台样机", "number 30"},
		{"vier Versuche", "3 Versuche", "number vier"},
		{"a limit of 100", "there is a limit", "number 100"},
		// lengths of time
		{"the cache expires after 120s", "after two minutes", ""},
		{"2 minutes", "after 120s", ""},
		{"120 seconds", "2 min", ""},
		{"30s", "it times out after 30 seconds", ""},
		{"30s", "it times out after half a minute", ""},
		{"30 minutes", "in half an hour", ""},
		{"15 minutes", "a quarter of an hour", ""},
		{"an hour", "after 60 minutes", ""},
		{"90 minutes", "1 hour and 30 minutes", ""},
		{"1.5 hours", "90 minutes", ""},
		{"14 days", "two weeks", ""},
		{"1 day", "24 hours", ""},
		{"500 ms", "half a second", ""},
		{"120s", "set the timeout to 120", ""},
		{"5 phút", "300 giây", ""},
		{"2 Stunden", "120 Minuten", ""},
		{"2 heures", "deux heures", ""},
		{"45s", "it times out after 30 seconds", "number 45"},
		{"30 minutes", "it times out after 30 seconds", "number 30 minutes"},
		{"10 hours", "after 10 minutes", "number 10 hours"},
		{"3 days", "in two days", "number 3"},
		// amounts
		{"$500", "it costs 500 dollars", ""},
		{"500 euros", "it costs €500", ""},
		{"500 €", "it costs 500 EUR", ""},
		{"$1,250", "1250 US dollars", ""},
		{"12,5 triệu đồng", "12.5 triệu đồng", ""},
		{"£20", "twenty quid", ""},
		{"$500", "it costs 500", "amount $"},
		{"500 dollars", "it costs 500", "amount dollars"},
		{"$500", "it costs €500", "amount $"},
		{"500 euros", "500 dollars a month", "amount euros"},
		{"$5,000", "it costs $500", "number 5,000"},
		// dates
		{"2026-03-14", "due on 2026-03-14", ""},
		{"2026-03-14", "due on 14 March", ""},
		{"2026-03-14", "due on March 14th, 2026", ""},
		{"2026-03-14", "due on the 14th of March", ""},
		{"2026-03-14", "due 14/3", ""},
		{"2026-03-14", "14.03.2026", ""},
		{"2026-03-14", "am 14. März 2026", ""},
		{"2026-03-14", "le 14 mars", ""},
		{"2026-03-14", "el 14 de marzo de 2026", ""},
		{"2026-03-14", "ngày 14 tháng 3 năm 2026", ""},
		{"2026-03-14", "2026年3月14日", ""},
		{"14 March", "due on 2026-03-14", ""},
		{"March 14", "14/03/2026", ""},
		{"in March", "due on 2026-03-14", ""},
		{"ready by Friday", "it is ready by Friday", ""},
		{"ready by Fri", "it is ready by Friday", ""},
		{"on Saturday", "on 2026-03-14", ""},
		{"2026-03-15", "due on 14 March", "date 2026-03-15"},
		{"2026-04-14", "due on 14 March", "date 2026-04-14"},
		{"2026-03-14", "due on 14 March 2025", "date 2026-03-14"},
		{"2026-03-14", "due soon", "date 2026-03-14"},
		{"15 March", "due on 14 March", "date 15 March"},
		{"ready by Friday", "it is ready by Monday", "date Friday"},
		{"ready by Friday", "it is ready soon", "date Friday"},
		{"due tomorrow", "it is due", "date tomorrow"},
		{"on Sunday", "on 2026-03-14", "date Sunday"},
		{"2026-03-14", "2026年3月15日", "date 2026-03-14"},
		// names
		{"Ana", "Ana will do it", ""},
		{"Ana", "ana will do it", ""},
		{"Ana", "I will do it|Ana", ""},
		{"Ana Pérez", "Ana Pérez signed it", ""},
		{"Ana Perez", "ana pérez signed it", ""},
		{"A. Pérez", "Ana Pérez signed it", ""},
		{"Ana's laptop", "the laptop of Ana", ""},
		{"ask Bob", "ask Bob about it", ""},
		{"the Acme contract", "send the Acme contract", ""},
		{"Nguyễn", "anh Nguyễn gửi", ""},
		{"Émile", "E\u0301mile said so", ""},
		{"Pay now", "the button says pay now", ""},
		{"Send the contract", "I will send the contract", ""},
		{"Login Page", "on the login page", ""},
		{"HalfOpen", "it is half-open", ""},
		{"LOADING", "a loading state", ""},
		{"USER_LOGIN", "when the user logs in", ""},
		{"openDialog", "open a dialog", ""},
		{"the QA team", "quality assurance signs off", ""},
		{"I will call", "will call", ""},
		{"Das Budget wird erhöht", "das budget steigt, und die Kosten sind nicht klar", ""},
		{"Ana", "I will do it", "name Ana"},
		{"Ana Pérez", "Ana will do it", "name Pérez"},
		{"ask Bob", "ask him about it", "name Bob"},
		{"the Zenith contract", "send the Acme contract", "name Zenith"},
		{"Minh", "anh Nguyễn gửi", "name Minh"},
		{"meet at Globex", "meet at the office", "name Globex"},
		{"ask Bob and Carla", "ask Bob", "name Carla"},
		{"contact IBM about it", "contact them about it", "name IBM"},
		{"deploy to GitHub", "deploy it", "name GitHub"},
		// negations
		{"must not retry", "it must not retry", ""},
		{"must not retry", "it must never retry", ""},
		{"must not retry", "it mustn't retry", ""},
		{"no access", "they can't get in", ""},
		{"not available", "it is unavailable", ""},
		{"does not start", "it fails to start", ""},
		{"works without a network", "no network is needed", ""},
		{"không gửi hợp đồng", "chưa gửi hợp đồng", ""},
		{"不接受分期付款", "他们没有接受分期付款", ""},
		{"show an error", "if it isn't valid, show an error", ""},
		{"staging database", "don't touch the staging database", ""},
		{"disable the flag", "the flag must not be enabled", ""},
		{"retry the upload", "never cache, but retry the upload", ""},
		{"must not retry", "it must retry", "negation not"},
		{"never expires", "it expires", "negation never"},
		{"không gửi hợp đồng", "gửi hợp đồng", "negation không"},
		{"不接受分期付款", "他们接受分期付款", "negation 不"},
		{"nicht starten", "das Gerät soll starten", "negation nicht"},
		{"the client must retry", "the client must not retry", "negation not retry"},
		{"it should restart the primary", "don't restart the primary", "negation don't restart"},
		{"customers can see drafts", "customers never see drafts", "negation never see"},
		// several
		{"Bob pays $40 by Friday", "somebody pays", "amount $, number 40, date Friday"},
		{"Bob pays $40 by Friday", "bob pays forty dollars by friday", ""},
		// plain words are a value's own
		{"ship it soon", "we want to release it", ""},
		{"The export is slow", "exporting takes ages", ""},
		{"", "anything", ""},
		{"…", "anything", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range ground.Unsupported(tt.value, strings.Split(tt.support, "|")) {
			got = append(got, string(c.Kind)+" "+c.Text)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%q by %q: %q, want %q", tt.value, tt.support, s, tt.want)
		}
	}
}

// TestDerived: a rule of the caller supports what it gives, and nothing else.
func TestDerived(t *testing.T) {
	t.Parallel()
	next := ground.Derivation{Rule: "relative date", Derives: func(v string, s []string) bool { return v == "2026-03-20" && strings.Contains(s[0], "next Friday") }}
	if got := ground.Unsupported("2026-03-20", []string{"by next Friday"}, next); got != nil {
		t.Errorf("derived: %v", got)
	}
	if got := ground.Unsupported("2026-03-21", []string{"by next Friday"}, next); len(got) != 1 || got[0].Kind != ground.DateClaim {
		t.Errorf("not derived: %v", got)
	}
}
