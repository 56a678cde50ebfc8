package ground_test

import (
	"strings"
	"testing"

	"github.com/speckl/speckl/ground"
)

// retro is a text of our own; none of its words were chosen for a rule.
const retro = `## Retro, Tuesday
Priya: The importer doesn't retry failed rows, so we lost about forty invoices last week.
Tom: I think we should keep the **old parser** until the new one handles “quoted” fields – it might break on Excel exports.
Priya: Agreed. Uploads larger than 25 MB must go through the queue, and nobody may bypass it.
Lena (ops): If the worker dies, the job is retried three times; after that it's marked as failed and Omar gets paged.
Tom: We're going to migrate the staging database on 14 March. It'll cost €1,250 and take at most 90 minutes.
Priya: Customers never see draft invoices. Only admins can delete them.
Tom: The e-mail gateway timed out twice, didn't it? Let's raise the limit from 30 to 45 seconds.
Lena (ops): No. I would rather fix the DNS cache; raising timeouts hides the real problem.
Tom: Okay okay, fix the cache first, then we'll measure again before we decide anything.
`

// TestKindsOfChange: what slips are evidence, and what changes are not.
func TestKindsOfChange(t *testing.T) {
	t.Parallel()
	v, n, ap, al, no := ground.Verbatim, ground.Normalized, ground.Approximate, ground.Altered, ground.None
	tests := []struct {
		change string
		quote  string
		kind   ground.Kind
		span   string // of the source; "" for none, or any
	}{
		// the same text
		{"nothing", "Uploads larger than 25 MB must go through the queue", v, "Uploads larger than 25 MB must go through the queue"},
		{"a line's end inside", "bypass it.\nLena (ops): If", v, "bypass it.\nLena (ops): If"},
		{"case", "uploads LARGER than 25 mb must go", n, "Uploads larger than 25 MB must go"},
		{"white space", "Uploads  larger\nthan 25 MB", n, "Uploads larger than 25 MB"},
		{"straight quotes", `handles "quoted" fields`, n, "handles “quoted” fields"},
		{"a curly apostrophe", "The importer doesn’t retry failed rows", n, "The importer doesn't retry failed rows"},
		{"a dash", "fields - it might break", n, "fields – it might break"},
		{"an em dash", "fields — it might break", n, "fields – it might break"},
		{"markdown left out", "keep the old parser until", n, "keep the **old parser** until"},
		{"markdown put in", "the _staging_ database", n, "the staging database"},
		{"a soft hyphen", "the sta\u00adging database", n, "the staging database"},
		{"a zero-width space", "the sta\u200bging database", n, "the staging database"},
		{"bidirectional marks", "\u202athe staging database\u202c", n, "the staging database"},
		{"full width", "ｔｈｅ ｓｔａｇｉｎｇ database", n, "the staging database"},
		{"a ligature", "\ufb01x the cache \ufb01rst", n, "fix the cache first"},
		{"thousands", "cost €1250", ap, "cost €1,250"},
		// slips
		{"a comma lost", "If the worker dies the job is retried three times", ap, "If the worker dies, the job is retried three times"},
		{"a full stop put in", "Only admins. Can delete them", ap, "Only admins can delete them"},
		{"a filler lost", "Okay fix the cache first", ap, "okay, fix the cache first"},
		{"a filler put in", "so we basically lost about forty invoices last week", ap, "so we lost about forty invoices last week"},
		{"a stance adverb put in", "it honestly is marked as failed and Omar gets paged", ap, ""},
		{"a stutter", "If the the worker dies, the job is retried", ap, "If the worker dies, the job is retried"},
		{"a contraction undone", "The importer does not retry failed rows", ap, "The importer doesn't retry failed rows"},
		{"a contraction made", "after that it is marked as failed", ap, "after that it's marked as failed"},
		{"gonna", "We're gonna migrate the staging database", ap, "We're going to migrate the staging database"},
		{"a number as a word", "the job is retried 3 times", ap, "the job is retried three times"},
		{"a number in digits", "from thirty to 45 seconds", ap, "from 30 to 45 seconds"},
		{"a wrong key", "migrate the stagign database", ap, "migrate the staging database"},
		{"a letter lost", "the importr doesn't retry failed rows", ap, "The importer doesn't retry failed rows"},
		{"a plural lost", "The importer doesn't retry failed row, so", ap, "The importer doesn't retry failed rows, so"},
		{"another tense", "raising timeouts hid the real problem", al, ""},
		{"an ending", "raise timeouts hides the real problem", al, ""},
		{"an inflection", "If the worker died, the job is retried three times", al, ""},
		{"an article lost", "If worker dies, the job is retried", ap, "If the worker dies, the job is retried"},
		{"an article changed", "If a worker dies, the job is retried", ap, "If the worker dies, the job is retried"},
		{"a preposition changed", "migrate the staging database by 14 March", ap, ""},
		{"a word lost", "I would rather fix the cache; raising timeouts hides", al, ""}, // DNS is in capitals, a name
		{"an adjective lost", "hides the problem", ap, "hides the real problem"},
		{"a hyphen lost", "The email gateway timed out twice", ap, "The e-mail gateway timed out twice"},
		{"a hyphen as a space", "The e mail gateway timed out twice", ap, "The e-mail gateway timed out twice"},
		{"an ellipsis behind", "Customers never see draft invoices…", ap, ""},
		{"quotes around", `"Customers never see draft invoices"`, ap, ""},
		// what changes what was said
		{"a digit", "Uploads larger than 35 MB must go through the queue", al, ""},
		{"a number word", "the job is retried two times", al, ""},
		{"a unit", "from 30 to 45 minutes", al, ""},
		{"a currency", "It'll cost $1,250 and take at most 90 minutes", al, ""},
		{"an amount", "It'll cost €1,350 and take at most 90 minutes", al, ""},
		{"a day", "migrate the staging database on 15 March", al, ""},
		{"a month", "migrate the staging database on 14 April", al, ""},
		{"a number put in", "we lost about forty two invoices last week", al, ""},
		{"a number lost", "the job is retried times", al, ""},
		{"a name swapped", "it's marked as failed and Lena gets paged", al, ""},
		{"a name lost", "it's marked as failed and gets paged", al, ""},
		{"a name put in", "it's marked as failed and Omar Diaz gets paged", al, ""},
		{"a negation lost", "The importer does retry failed rows", al, ""},
		{"a negation lost, n't", "The importer retries failed rows, so we lost", al, ""},
		{"a negation put in", "Uploads larger than 25 MB must not go through the queue", al, ""},
		{"never lost", "Customers see draft invoices", al, ""},
		{"never for always", "Customers always see draft invoices", al, ""},
		{"nobody for everybody", "and everybody may bypass it", al, ""},
		{"a hedge lost", "it will break on Excel exports", al, ""},
		{"a hedge put in", "Uploads larger than 25 MB probably must go through the queue", al, ""},
		{"should for must", "Uploads larger than 25 MB should go through the queue", al, ""},
		{"can for must", "Uploads larger than 25 MB can go through the queue", al, ""},
		{"or for and", "must go through the queue, or nobody may bypass it", al, ""},
		{"less for more", "Uploads smaller than 25 MB must go through the queue", al, ""},
		{"least for most", "take at least 90 minutes", al, ""},
		{"after for before", "we'll measure again after we decide anything", al, ""},
		{"to for from", "raise the limit to 30 to 45 seconds", al, ""},
		{"only lost", "admins can delete them", v, "admins can delete them"}, // the very words; what stands before them is not quoted
		{"another noun", "migrate the staging server on 14 March", al, ""},
		{"another verb", "Only admins can restore them", al, ""},
		{"an adjective put in", "migrate the old staging database", al, ""},
		{"a past for a future", "We migrated the staging database on 14 March", al, ""},
		// what is not there
		{"invented", "the board approved the merger on Friday", no, ""},
		{"a frame with other words", "The exporter doesn't compress daily reports", no, ""},
		{"a fragment", "queue, and the whole team celebrated with cake afterwards", no, ""},
		{"a word in a word", "port", no, ""},
		{"nothing", "", no, ""},
		{"marks", "…?!", no, ""},
		{"two places as one", "The importer doesn't retry and Omar gets paged", no, ""},
	}
	source := ground.New(ground.Part{Text: retro})
	for _, tt := range tests {
		m := source.Find(ground.Quote{Text: tt.quote})
		got := ""
		if m.Kind != ground.None {
			got = m.Span.Of(retro)
		}
		if m.Kind != tt.kind || tt.span != "" && got != tt.span {
			t.Errorf("%s: %q: %s %q %+v, want %s %q", tt.change, tt.quote, m.Kind, got, m.Edits, tt.kind, tt.span)
		}
	}
}

// TestLanguages: scripts without spaces, tone marks, letters with marks,
// other digits.
func TestLanguages(t *testing.T) {
	t.Parallel()
	v, n, ap, al := ground.Verbatim, ground.Normalized, ground.Approximate, ground.Altered
	tests := []struct {
		source, quote string
		kind          ground.Kind
		span          string
	}{
		{"我们决定周五不发布新版本，因为测试还没有完成。", "周五不发布新版本", v, "周五不发布新版本"},
		{"我们决定周五不发布新版本，因为测试还没有完成。", "周五发布新版本", al, ""},
		{"我们决定周五不发布新版本，因为测试还没有完成。", "我们决定了周五不发布新版本", ap, "我们决定周五不发布新版本"},
		{"我们决定周五不发布新版本，因为测试还没有完成。", "因为测试还没有完成", v, "因为测试还没有完成"},
		{"我们决定周五不发布新版本，因为测试还没有完成。", "我们决定周四不发布新版本", al, ""},
		{"价格是１２００元", "价格是1200元", n, "价格是１２００元"},
		{"เราจะส่งรายงานวันศุกร์นี้ครับ", "เราจะส่งรายงานวันศุกร์นี้", v, "เราจะส่งรายงานวันศุกร์นี้"},
		{"เราจะไม่ส่งรายงานวันศุกร์นี้ครับ", "เราจะส่งรายงานวันศุกร์นี้", al, ""},
		{"Chị Lan sẽ gửi hợp đồng vào thứ sáu.", "Chị Lan sẽ gửi hợp đồng", v, "Chị Lan sẽ gửi hợp đồng"},
		{"Chị Lan sẽ gửi hợp đồng vào thứ sáu.", "chị Lan se\u0303 gư\u0309i hợp đồng", n, "Chị Lan sẽ gửi hợp đồng"},
		{"Chị Lan sẽ gửi hợp đồng vào thứ sáu.", "Chị Lan không gửi hợp đồng vào thứ sáu", al, ""},
		{"Nó mua ma của má tôi hôm kia", "Nó mua mạ của má tôi hôm kia", al, ""},
		{"سوف نرسل العقد يوم الجمعة بعد الاجتماع", "سوف نرسل العقد يوم الجمعة", v, "سوف نرسل العقد يوم الجمعة"},
		{"سَوْفَ نُرْسِلُ العقد يوم الجمعة", "سوف نرسل العقد", n, "سَوْفَ نُرْسِلُ العقد"},
		{"لن نرسل العقد يوم الجمعة", "سوف نرسل العقد يوم الجمعة", al, ""},
		{"الدفعة ١٢٥٠ درهم", "الدفعة 1250 درهم", n, "الدفعة ١٢٥٠ درهم"},
		{"Die Straße ist gesperrt", "die STRASSE ist gesperrt", n, "Die Straße ist gesperrt"},
		{"İstanbul'da buluşalım", "i̇stanbul'da buluşalım", n, "İstanbul'da buluşalım"},
		{"Ça marche, on part à huit heures", "ça marche, on part à huit heures", n, "Ça marche, on part à huit heures"},
		{"on part à huit heures", "on ne part pas à huit heures", al, ""},
		{"👍🏽 super, bis morgen 👨‍👩‍👧", "super, bis morgen", v, "super, bis morgen"},
		{"cafe\u0301s close at six", "cafés close at six", n, "cafe\u0301s close at six"},
		{"cafe\u0301 closes", "cafe", ap, "cafe\u0301"},
	}
	for _, tt := range tests {
		m := ground.New(ground.Part{Text: tt.source}).Find(ground.Quote{Text: tt.quote})
		got := ""
		if m.Kind != ground.None {
			got = m.Span.Of(tt.source)
		}
		if m.Kind != tt.kind || tt.span != "" && got != tt.span {
			t.Errorf("%q in %q: %s %q %+v, want %s %q", tt.quote, tt.source, m.Kind, got, m.Edits, tt.kind, tt.span)
		}
	}
}

// TestRepeated: hints and the order of quotes choose between occurrences.
func TestRepeated(t *testing.T) {
	t.Parallel()
	s := ground.New(
		ground.Part{ID: "t1", Speaker: "Ann", Text: "Ship it. I said ship it."},
		ground.Part{ID: "t2", Speaker: "Bob", Text: "Fine, ship it."},
	)
	m := s.Find(ground.Quote{Text: "ship it"})
	if m.Part != 0 || m.Span.Start != 16 || !m.Ambiguous || len(m.Others) != 1 {
		t.Errorf("no hint: %+v", m)
	}
	for _, h := range []ground.Hint{{Part: "t2"}, {Speaker: "Bob"}} {
		if m := s.Find(ground.Quote{Text: "ship it", Hint: h}); m.Part != 1 || m.Ambiguous {
			t.Errorf("%+v: %+v", h, m)
		}
	}
	all := s.FindAll([]ground.Quote{{Text: "Fine"}, {Text: "ship it"}})
	if all[1].Part != 1 {
		t.Errorf("order: %+v", all[1])
	}
	if m := s.Find(ground.Quote{Text: "said ship it. Fine, ship"}); m.Kind.Accepted() {
		t.Errorf("across parts: %+v", m)
	}
	many := ground.New(ground.Part{Text: strings.Repeat("ok then. ", 5000)})
	if m := many.Find(ground.Quote{Text: "ok then"}); !m.Ambiguous || len(m.Others) != ground.MaxPlaces {
		t.Errorf("many: %d others", len(m.Others))
	}
}

// TestClinical: cases in the manner of LangExtract's own tests.
func TestClinical(t *testing.T) {
	t.Parallel()
	tests := []struct {
		source, quote string
		kind          ground.Kind
		span          string
	}{
		{"Patient has severe heart problems today.", "heart problem", ground.Approximate, "heart problems"},
		{"Patient has severe heart problems today.", "heart problems", ground.Verbatim, "heart problems"},
		{"Patient has heart problems today.", "patient heart problems today", ground.Approximate, "Patient has heart problems today"},
		{"The iliopsoas and proximal hamstring tendons are intact.", "The iliopsoas tendon is intact", ground.Approximate, "The iliopsoas and proximal hamstring tendons are intact"},
		{"Patient is prescribed Napro | syn and prednisone.", "Napro | syn", ground.Verbatim, "Napro | syn"},
		{"patient is prescribed naprosyn and prednisone.", "PREDNISONE", ground.Normalized, "prednisone"},
		{"Patient was given Ibuprofen 600mg twice daily.", "Ibuprofen 600 mg", ground.Normalized, "Ibuprofen 600mg"},
		{"Patient was given Ibuprofen 600mg twice daily.", "Ibuprofen 400mg", ground.Altered, ""},
		{"Take Ibuprofen. Always take with food.", "take with food", ground.Verbatim, "take with food"},
		{"Patient takes aspirin daily.", "completely different medicine", ground.None, ""},
		{"end", "only matched end", ground.None, ""},
	}
	for _, tt := range tests {
		m := ground.New(ground.Part{Text: tt.source}).Find(ground.Quote{Text: tt.quote})
		got := ""
		if m.Kind.Accepted() {
			got = m.Span.Of(tt.source)
		}
		if m.Kind != tt.kind || got != tt.span {
			t.Errorf("%q in %q: %s %q %+v, want %s %q", tt.quote, tt.source, m.Kind, got, m.Edits, tt.kind, tt.span)
		}
	}
}
