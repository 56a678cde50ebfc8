package redact_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/speckl/speckl/internal/redact"
)

// lines are those of a file of cases: "hide" cases have the private value
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
			out = append(out, strings.ReplaceAll(line, "¦", ""))
		}
	}
	return out
}

// TestHidden: what is private leaves nothing behind, and comes back.
func TestHidden(t *testing.T) {
	t.Parallel()
	for _, line := range lines(t, "testdata/hide.txt") {
		text := strings.NewReplacer("⟦", "", "⟧", "").Replace(line)
		v := redact.New(text)
		hidden := v.Hide(text)
		for _, part := range strings.Split(line, "⟦")[1:] {
			secret, _, _ := strings.Cut(part, "⟧")
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
	for _, text := range lines(t, "testdata/keep.txt") {
		if hidden := redact.New(text).Hide(text); hidden != text {
			t.Errorf("%s\n  became %s", text, hidden)
		}
	}
}

// TestSame: one value has one placeholder, another value another, and none
// that stands in the text.
func TestSame(t *testing.T) {
	t.Parallel()
	v := redact.New("write to {{EMAIL_1}}", "a@b.example and c@d.example")
	if got := v.Hide("a@b.example, c@d.example, a@b.example, {{EMAIL_1}}"); got != "{{EMAIL_2}}, {{EMAIL_3}}, {{EMAIL_2}}, {{EMAIL_1}}" {
		t.Error(got)
	}
	for _, changed := range []string{"{{EMAIL_2}}", "{{email_2}}", "[EMAIL_2]", "{EMAIL_2}", "EMAIL_2"} {
		if got := v.Reveal("to " + changed + " now"); got != "to a@b.example now" {
			t.Errorf("%s: %s", changed, got)
		}
	}
	if got := redact.Strip("call +84 90 123 45 67"); strings.Contains(got, "123") {
		t.Error(got)
	}
}

// TestComesBack: whatever a text is, it comes back.
func TestComesBack(t *testing.T) {
	t.Parallel()
	pieces := append(lines(t, "testdata/keep.txt"), "{{EMAIL_1}}", "[PHONE_2]", "EMAIL_1", "{{", "}}", "\n", "é", "不")
	for _, line := range lines(t, "testdata/hide.txt") {
		pieces = append(pieces, strings.NewReplacer("⟦", "", "⟧", "").Replace(line))
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 1, 5).Draw(t, "pieces"), rapid.SampledFrom([]string{" ", "\n", ", "}).Draw(t, "between"))
		v := redact.New(text)
		if back := v.Reveal(v.Hide(text)); back != text {
			t.Fatalf("%q\ncomes back as %q", text, back)
		}
	})
}

// FuzzHide: whatever a text is, it comes back, and spans are whole.
func FuzzHide(f *testing.F) {
	for _, line := range lines(f, "testdata/hide.txt")[:40] {
		f.Add(strings.NewReplacer("⟦", "", "⟧", "").Replace(line))
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := redact.New(text)
		if back := v.Reveal(v.Hide(text)); back != text {
			t.Fatalf("%q comes back as %q", text, back)
		}
	})
}
