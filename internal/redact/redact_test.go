package redact_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/speckl/speckl/internal/redact"
)

// lines are those of a file of cases: "hide" cases have the private values
// between ⟦ and ⟧.
func lines(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "## ") {
			out = append(out, strings.NewReplacer("¦", "", "⏎", "\n").Replace(line))
		}
	}
	return out
}

// marked splits a "hide" case into its text and the private values in it.
func marked(line string) (text string, secrets []string) {
	for _, part := range strings.Split(line, "⟦")[1:] {
		secret, _, _ := strings.Cut(part, "⟧")
		secrets = append(secrets, secret)
	}
	return strings.NewReplacer("⟦", "", "⟧", "").Replace(line), secrets
}

// TestHidden: what is private leaves nothing behind, and comes back.
func TestHidden(t *testing.T) {
	t.Parallel()
	cases := lines(t, "testdata/hide.txt")
	if len(cases) < 300 {
		t.Errorf("%d cases", len(cases))
	}
	for _, line := range cases {
		text, secrets := marked(line)
		v := redact.New(text)
		hidden := v.Hide(text)
		for _, secret := range secrets {
			if strings.Contains(hidden, secret) {
				t.Errorf("%s\n  is sent as %s", text, hidden)
			}
		}
		if back := v.Reveal(hidden); back != text {
			t.Errorf("%s\n  comes back as %s", text, back)
		}
		if again := v.Hide(hidden); again != hidden {
			t.Errorf("%s\n  hidden twice: %s", hidden, again)
		}
	}
}

// TestKept: what only looks private stays.
func TestKept(t *testing.T) {
	t.Parallel()
	cases := lines(t, "testdata/keep.txt")
	if len(cases) < 300 {
		t.Errorf("%d cases", len(cases))
	}
	for _, text := range cases {
		if hidden := redact.New(text).Hide(text); hidden != text {
			t.Errorf("%s\n  became %s", text, hidden)
		}
	}
}

// invisible are characters that a reader does not see.
var invisible = []string{"\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u200e", "\u202c", "\u034f"}

// wide writes a text in full-width forms.
var wide = func() *strings.Replacer {
	var pairs []string
	for c := '!'; c <= '~'; c++ {
		pairs = append(pairs, string(c), string(c-'!'+0xFF01))
	}
	return strings.NewReplacer(pairs...)
}()

// TestDisguised: invisible characters and full-width forms hide nothing.
func TestDisguised(t *testing.T) {
	t.Parallel()
	cases := lines(t, "testdata/hide.txt")
	seen := strings.NewReplacer(func() (pairs []string) {
		for _, c := range invisible {
			pairs = append(pairs, c, "")
		}
		return pairs
	}()...)
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom(cases).Draw(t, "case")
		_, secrets := marked(line)
		text := line
		for _, secret := range secrets {
			var b strings.Builder
			for _, r := range secret {
				piece := string(r)
				if rapid.IntRange(0, 3).Draw(t, "wide") == 0 && (r >= '0' && r <= '9' || r == '@' || r == '+') {
					piece = wide.Replace(piece)
				}
				b.WriteString(piece)
				if rapid.IntRange(0, 2).Draw(t, "split") == 0 {
					b.WriteString(rapid.SampledFrom(invisible).Draw(t, "invisible"))
				}
			}
			text = strings.Replace(text, "⟦"+secret+"⟧", b.String(), 1)
		}
		v := redact.New(text)
		hidden := v.Hide(text)
		plain := seen.Replace(strings.Map(func(r rune) rune {
			if r >= 0xFF01 && r <= 0xFF5E {
				return r - 0xFF01 + '!'
			}
			return r
		}, hidden))
		for _, secret := range secrets {
			if strings.Contains(plain, seen.Replace(secret)) {
				t.Fatalf("%q\n  is sent as %q", text, hidden)
			}
		}
		if back := v.Reveal(hidden); back != text {
			t.Fatalf("%q\n  comes back as %q", text, back)
		}
	})
}

// TestSame: one value has one placeholder, another value another, and none
// that stands in the text.
func TestSame(t *testing.T) {
	t.Parallel()
	v := redact.New("write to {{EMAIL_1}}", "a@b.example and c@d.example")
	if got := v.Hide("a@b.example, c@d.example, a@b.example, {{EMAIL_1}}"); got != "{{EMAIL_2}}, {{EMAIL_3}}, {{EMAIL_2}}, {{EMAIL_1}}" {
		t.Error(got)
	}
	if got := v.Hide("c@d.example"); got != "{{EMAIL_3}}" {
		t.Error(got)
	}
}

// TestChanged: a placeholder that a model changed a little is known, another
// is not.
func TestChanged(t *testing.T) {
	t.Parallel()
	v := redact.New()
	if got := v.Hide("a@b.example"); got != "{{EMAIL_1}}" {
		t.Fatal(got)
	}
	for _, changed := range []string{
		"{{EMAIL_1}}", "{{email_1}}", "[EMAIL_1]", "{EMAIL_1}", "<EMAIL_1>", "(Email_1)", "EMAIL_1", "email_1", "[EMAIL 1]", "[Email-1]", `\[EMAIL\_1\]`, "【EMAIL_1】", "［EMAIL_1］",
	} {
		if got := v.Reveal("to " + changed + ", now"); got != "to a@b.example, now" {
			t.Errorf("%s: %s", changed, got)
		}
	}
	for _, other := range []string{"{{EMAIL_2}}", "EMAIL_12", "MY_EMAIL_1", "EMAIL_1a", "email 1", "EMAIL_01", "PHONE_1", "EMAIL1"} {
		if got := v.Reveal(other); got != other {
			t.Errorf("%s: %s", other, got)
		}
	}
}

// TestRemembered: a credential that was told once is known where nothing
// announces it, before and after.
func TestRemembered(t *testing.T) {
	t.Parallel()
	before, told := "try hunter2!", "the password is hunter2"
	v := redact.New(before, told)
	if got := v.Hide(before); got != "try {{SECRET_1}}!" {
		t.Error(got)
	}
	if got := v.Hide(told); got != "the password is {{SECRET_1}}" {
		t.Error(got)
	}
}

// TestFind: the kinds, and where they stand.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want redact.Kind
	}{
		{"write to ⟦é.a@b.example⟧", redact.Email},
		{"+ ⟦+84 90 123 45 67⟧ -", redact.Phone},
		{"(⟦0912 345 678⟧)", redact.Phone},
		{"⟦(415) 555-2671 ext. 12⟧.", redact.Phone},
		{"⟦GB82 WEST 1234 5698 7654 32⟧", redact.IBAN},
		{"⟦4111 1111 1111 1111⟧ 12/27", redact.Card},
		{"a ⟦ghp_abcdefghijklmnopqrstuvwxyz0123456789⟧", redact.Key},
		{"password: ⟦hunter2⟧, then", redact.Credential},
		{"x://⟦u:p⟧@h.example", redact.Credential},
		{"⟦0\u200b912 345 678⟧\u200b", redact.Phone},
	} {
		text, secrets := marked(c.text)
		got := redact.Find(text)
		if len(got) != 1 || got[0].Kind != c.want || text[got[0].Start:got[0].End] != secrets[0] {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

// TestStrip: for recordings, the kind alone stays.
func TestStrip(t *testing.T) {
	t.Parallel()
	got := redact.Strip("call +84 90 123 45 67 or a@b.example, password: hunter2")
	if got != "call [PHONE] or [EMAIL], password: [SECRET]" {
		t.Error(got)
	}
	if again := redact.Strip(got); again != got {
		t.Error(again)
	}
}

// TestStripJSON: a recording is JSON, where a line ends with "\\n".
func TestStripJSON(t *testing.T) {
	t.Parallel()
	for _, line := range lines(t, "testdata/hide.txt") {
		text, secrets := marked(line)
		body, err := json.Marshal(map[string]string{"content": "one\n" + text + "\n\ttwo"})
		if err != nil {
			t.Fatal(err)
		}
		stripped := redact.Strip(string(body))
		if !json.Valid([]byte(stripped)) {
			t.Errorf("%s\n  is no JSON any more: %s", body, stripped)
		}
		for _, secret := range secrets {
			if inner, err := json.Marshal(secret); err != nil || strings.Contains(stripped, strings.Trim(string(inner), `"`)) {
				t.Errorf("%s\n  is recorded as %s", text, stripped)
			}
		}
	}
}

// TestScripts: the digits of every script are digits.
func TestScripts(t *testing.T) {
	t.Parallel()
	row := func(zero rune) {
		var b strings.Builder
		for _, d := range "0912345678" {
			b.WriteRune(zero + d - '0')
		}
		if got := redact.Find("= " + b.String()); len(got) != 1 || got[0].Kind != redact.Phone || got[0].End != 2+b.Len() {
			t.Errorf("%s (from %U): %v", &b, zero, got)
		}
	}
	for _, r := range unicode.Nd.R16 {
		for zero := rune(r.Lo); zero < rune(r.Hi); zero += 10 {
			row(zero)
		}
	}
	for _, r := range unicode.Nd.R32 {
		for zero := rune(r.Lo); zero < rune(r.Hi); zero += 10 {
			row(zero)
		}
	}
}

// TestComesBack: whatever a text is, it comes back, hidden once or twice.
func TestComesBack(t *testing.T) {
	t.Parallel()
	pieces := append(lines(t, "testdata/keep.txt"), "{{EMAIL_1}}", "[PHONE_2]", "EMAIL_1", "email 1", "{{", "}}", "\n", "é", "不", "SECRET_1", "\xff", "@", "://", "password: ", `\[KEY\_1\]`)
	for _, line := range lines(t, "testdata/hide.txt") {
		text, secrets := marked(line)
		pieces = append(append(pieces, text), secrets...)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 1, 6).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " ", "\n", ", "}).Draw(t, "between"))
		check(t, text)
	})
}

// check holds what must be true of any text.
func check(t interface{ Fatalf(string, ...any) }, text string) {
	last := 0
	for _, p := range redact.Find(text) {
		if p.Start < last || p.End <= p.Start || p.End > len(text) {
			t.Fatalf("%q: %v after %d", text, p, last)
		}
		if last = p.End; utf8.ValidString(text) && !utf8.ValidString(text[p.Start:p.End]) {
			t.Fatalf("%q: %v cuts a character", text, p)
		}
	}
	for _, v := range []*redact.Vault{redact.New(text), redact.New()} {
		hidden := v.Hide(text)
		if back := v.Reveal(hidden); back != text {
			t.Fatalf("%q\n%q\ncomes back as %q", text, hidden, back)
		}
		again := v.Hide(hidden)
		if back := v.Reveal(again); back != text {
			t.Fatalf("%q\n%q\nhidden twice\n%q\ncomes back as %q", text, hidden, again, back)
		}
	}
}

// FuzzHide: whatever a text is, it comes back, and spans are whole.
func FuzzHide(f *testing.F) {
	for i, line := range lines(f, "testdata/hide.txt") {
		if text, _ := marked(line); i%7 == 0 {
			f.Add(text)
		}
	}
	for _, text := range []string{"{{EMAIL_1}} a@b.example", "[EMAIL_1](a@b.example)", "EMAIL_1a@b.example", "{a@b.example}", "-----BEGIN PRIVATE KEY-----", "\xff@\xff.\xff", "١٢٣\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}
