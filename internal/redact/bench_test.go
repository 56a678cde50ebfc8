package redact_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/speckl/speckl/internal/redact"
)

// hostile are texts of about n bytes that are made to be costly.
func hostile(n int) map[string]string {
	texts := map[string]string{}
	for name, piece := range map[string]string{
		"at signs": "@", "addresses": "a@b.example ", "endless address": "a@b.", "local parts": "a.b", "quoted": `"@`, "spelled": "a [at] b [dot] ", "spelled plainly": "a at b dot ",
		"digits": "1", "spaced digits": "1 ", "groups": "0912 345 678 ", "dotted": "1.", "plus": "+", "brackets": "(", "area": "(0", "slashes": "0912345678/",
		"labels": "password ", "labels with signs": "password=", "colons": "password: ", "phrases": "passphrase: a ", "quotes": `password: "`, "tokens": "token:", "verbs": "password is ", "phone words": "call ",
		"prefixes": "sk-", "more prefixes": "eyJ.", "blocks": "-----BEGIN PRIVATE KEY-----", "blocks with lines": "-----BEGIN PRIVATE KEY-----\nab\n", "urls": "a://", "urls with colons": "a://b:", "userinfo": "a://b:c@d ",
		"ibans": "GB82 ", "cards": "4111 1111 1111 1111 ", "marks": "EMAIL_1 ", "invisible": "\u200b", "marks on letters": "e\u0301", "han": "密码", "han with signs": "密码是", "wide": "０９１２",
		"secrets": "password: hunter2 hunter2 ", "camel": "aB", "escapes": `\n0912`, "pairs": "AKIA0123456789ABCDEF,",
	} {
		texts[name] = strings.Repeat(piece, n/len(piece))
	}
	return texts
}

// TestHostile: such texts end, and come back.
func TestHostile(t *testing.T) {
	for name, text := range hostile(50_000) {
		t.Run(name, func(t *testing.T) { check(t, text) })
	}
}

// sink keeps what would be optimised away.
var sink string

// BenchmarkHide reports how many times the work of strings.ToUpper it is to
// hide what is private in talk.
func BenchmarkHide(b *testing.B) {
	talk := strings.Repeat(strings.Join(lines(b, "testdata/keep.txt"), "\n")+"\nThe customer waits in the idle state until somebody calls her back, and the order goes on.\n", 20)
	foreign := strings.Repeat("Khách hàng chờ ở trạng thái nghỉ cho tới khi có người gọi lại, rồi đơn hàng đi tiếp. 客户等到有人回电。\n", 2000)
	for _, c := range []struct{ name, text string }{{"cases", talk}, {"foreign", foreign}, {"prose", strings.Repeat("The customer waits in the idle state until somebody comes back, and the work goes on.\n", 5000)}} {
		b.Run(c.name, func(b *testing.B) {
			reference := least(func() { sink = strings.ToUpper(c.text) })
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				redact.New().Hide(c.text)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(reference), "x_upper")
		})
	}
}

// BenchmarkHostile reports what ten times the text costs: about 10 where the
// cost is linear.
func BenchmarkHostile(b *testing.B) {
	small, large := hostile(100_000), hostile(1_000_000)
	for name := range small {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				redact.New().Hide(small[name])
			}
			one := least(func() { redact.New().Hide(small[name]) })
			ten := least(func() { redact.New().Hide(large[name]) })
			b.ReportMetric(float64(ten)/float64(one), "x_for_10x")
		})
	}
}

// least is the shortest time of several runs.
func least(run func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range 3 {
		start := time.Now()
		run()
		best = min(best, time.Since(start))
	}
	return best
}
