package sir

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// testLog makes a sealed log, turn by turn.
type testLog struct {
	t    interface{ Fatal(...any) }
	c    Chain
	doc  *Document
	list []Mutation
}

func newTestLog(t interface{ Fatal(...any) }) *testLog {
	l := &testLog{t: t, doc: NewDocument()}
	l.add(Mutation{Kind: DocumentKind, Body: &Payload{Document: &Header{ID: "doc", Name: "m", Domains: []string{"general"}}}})
	return l
}

// add seals and applies a record of the current version.
func (l *testLog) add(m Mutation) {
	m.DocumentID = "doc"
	if m.Kind != DocumentKind && m.DocVersion == 0 {
		m.DocVersion = l.doc.Header().Version
	}
	if err := l.c.Seal(&m, Salt{byte(l.c.Seq())}); err != nil {
		l.t.Fatal(err)
	}
	if err := l.doc.Apply(&m); err != nil {
		l.t.Fatal(err)
	}
	m.Body = nil
	l.list = append(l.list, m)
}

// turn adds a turn, which begins a version.
func (l *testLog) turn(id string, at int64, name string) *Turn {
	t := &Turn{ID: id, SessionID: "s", Timestamp: &at, Speaker: Human, SpeakerName: &name, Content: "héllo " + id}
	m := TurnMutation("doc", t)
	recorded := at + 1000*int64(len(l.list))
	m.DocVersion, m.RecordedAt, m.Body = l.doc.Header().Version+1, &recorded, &Payload{Turn: t}
	l.add(m)
	return t
}

// create adds an element that rests on the turn.
func (l *testLog) create(id string, t *Turn) *Element {
	e := &Element{
		ID: id, ElementType: "state", Domain: "general", Confidence: 5500, Status: Proposed, Version: 1,
		CreatedAt: t.Timestamp, UpdatedAt: t.Timestamp, Data: Data{"name": id, "timeout": nil},
		Evidence:   []Evidence{{TurnID: t.ID, Bytes: [2]int{1, 3}, Chars: [2]int{1, 2}, Quote: "é", Match: Verbatim}},
		Provenance: Provenance{Entries: []Entry{{TurnID: t.ID, Action: ActionExtracted, Version: 1, Timestamp: t.Timestamp, ConfidenceAtTime: 5500}}},
		Keys:       []string{id},
	}
	l.add(Mutation{Kind: Created, ElementID: id, Version: 1, TurnID: t.ID, At: t.Timestamp, RecordedAt: l.recorded(), Body: &Payload{Element: e}})
	return e
}

// set changes an element's timeout.
func (l *testLog) set(id string, t *Turn, timeout any) {
	old := l.doc.Element(id)
	e := *old
	e.Data = Data{"name": id, "timeout": timeout}
	e.Version, e.UpdatedAt, e.Confidence = old.Version+1, t.Timestamp, old.Confidence+100
	e.Evidence = append(e.Evidence, Evidence{TurnID: t.ID, Bytes: [2]int{1, 3}, Chars: [2]int{1, 2}, Quote: "é", Match: Verbatim})
	e.Provenance.Entries = append(e.Provenance.Entries, Entry{
		TurnID: t.ID, Action: ActionRefined, Version: e.Version, Timestamp: t.Timestamp, ConfidenceAtTime: e.Confidence,
		Diff: &Diff{FromVersion: old.Version, ToVersion: e.Version, TriggerTurnID: t.ID, Changes: Changes(old.Data, e.Data, "state", t.Content)},
	})
	p, err := DiffElements(old, &e)
	if err != nil {
		l.t.Fatal(err)
	}
	l.add(Mutation{Kind: Updated, ElementID: id, Version: e.Version, TurnID: t.ID, At: t.Timestamp, RecordedAt: l.recorded(), Body: &Payload{Patch: &p}})
}

func (l *testLog) recorded() *int64 { return l.list[len(l.list)-1].RecordedAt }

// all yields the records.
func all(list []Mutation) iter.Seq2[Mutation, error] {
	return func(yield func(Mutation, error) bool) {
		for _, m := range list {
			if !yield(m, nil) {
				return
			}
		}
	}
}

// sample is a log of three turns in two sessions' worth of time.
func sample(t interface{ Fatal(...any) }) *testLog {
	l := newTestLog(t)
	one := l.turn("t1", 100, "Ann")
	l.create("a", one)
	two := l.turn("t2", 300, "Bob")
	l.set("a", two, int64(30))
	l.create("b", two)
	three := l.turn("t3", 200, "Ann")
	l.set("a", three, int64(60))
	l.turn("t4", 400, "Ann")
	return l
}

func TestFold(t *testing.T) {
	l := sample(t)
	if err := Verify(all(l.list), l.c.Head()); err != nil {
		t.Fatal(err)
	}
	d, err := Fold(all(l.list))
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"header":   {d.Header(), l.doc.Header()},
		"elements": {slices.Collect(d.Elements()), slices.Collect(l.doc.Elements())},
		"turns":    {d.Turns(), l.doc.Turns()},
	} {
		if got, want := canon(t, pair[0]), canon(t, pair[1]); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	if turn, ids := d.LastTurn("general", "human|Ann"); turn != "t3" || !slices.Equal(ids, []string{"a"}) {
		t.Errorf("Ann's last turn is %q %v", turn, ids)
	}
	for e := range d.Elements() {
		if err := e.Check(d.Turn); err != nil {
			t.Error(err)
		}
	}
}

// TestVerifyTampering: whatever byte of whatever record is changed, the link
// is named.
func TestVerifyTampering(t *testing.T) {
	l := sample(t)
	head := l.c.Head()
	rapid.Check(t, func(t *rapid.T) {
		list := slices.Clone(l.list)
		i := rapid.IntRange(0, len(list)-1).Draw(t, "record")
		m := &list[i]
		bit := byte(1) << rapid.IntRange(0, 7).Draw(t, "bit")
		bytesOf := func(b []byte) []byte {
			b = slices.Clone(b)
			b[rapid.IntRange(0, len(b)-1).Draw(t, "byte")] ^= bit
			return b
		}
		textOf := func(s string) string {
			if s == "" {
				return "x"
			}
			return string(bytesOf([]byte(s)))
		}
		timeOf := func(at *int64) *int64 {
			n := int64(bit)
			if at != nil {
				n += *at
			}
			return &n
		}
		fields := []func(){
			func() { m.Seq += int64(bit) },
			func() { m.DocumentID = textOf(m.DocumentID) },
			func() { m.DocVersion += int(bit) },
			func() { m.TurnID = textOf(m.TurnID) },
			func() { m.ElementID = textOf(m.ElementID) },
			func() { m.Kind = MutationKind(textOf(string(m.Kind))) },
			func() { m.Version += int(bit) },
			func() { m.Payload = bytesOf(m.Payload) },
			func() { m.At = timeOf(m.At) },
			func() { m.RecordedAt = timeOf(m.RecordedAt) },
			func() { m.Attribution.Component = textOf(m.Attribution.Component) },
			func() { m.Salt = bytesOf(m.Salt) },
			func() { m.PayloadHash = textOf(m.PayloadHash) },
			func() { m.PrevHash = textOf(m.PrevHash) },
			func() { m.Hash = textOf(m.Hash) },
		}
		fields[rapid.IntRange(0, len(fields)-1).Draw(t, "field")]()
		var broken *ChainError
		// A first record of another document shows in its own hash.
		if err := Verify(all(list), head); !errors.As(err, &broken) || broken.Seq != int64(i+1) || !errors.Is(err, ErrBroken) {
			t.Fatalf("record %d was changed, error is %v", i+1, err)
		}
	})
}

func TestVerifyEnds(t *testing.T) {
	l := sample(t)
	head, n := l.c.Head(), len(l.list)
	swapped := slices.Clone(l.list)
	swapped[3], swapped[4] = swapped[4], swapped[3]
	other := Head{Seq: head.Seq, Hash: l.list[0].Hash}
	for _, c := range []struct {
		name string
		list []Mutation
		head Head
		seq  int64
	}{
		{"cut", l.list[:n-1], head, int64(n)},
		{"longer", l.list, Head{Seq: int64(n - 1), Hash: l.list[n-2].Hash}, int64(n)},
		{"another head", l.list, other, int64(n)},
		{"gap", slices.Delete(slices.Clone(l.list), 2, 3), head, 3},
		{"swapped", swapped, head, 4},
		{"empty", nil, head, 1},
	} {
		var broken *ChainError
		if err := Verify(all(c.list), c.head); !errors.As(err, &broken) || broken.Seq != c.seq {
			t.Errorf("%s: error is %v, want record %d", c.name, err, c.seq)
		}
	}
	if err := Verify(all(nil), Head{}); err != nil {
		t.Errorf("no log: %v", err)
	}
	boom := errors.New("boom")
	err := Verify(func(yield func(Mutation, error) bool) { yield(Mutation{}, boom) }, head)
	if !errors.Is(err, boom) {
		t.Errorf("the log's error became %v", err)
	}
}

// TestErased: the chain holds over erased payloads, and what they said is
// gone from the fold.
func TestErased(t *testing.T) {
	l := sample(t)
	var erased Erasure
	for _, m := range l.list {
		if m.TurnID == "t2" {
			erased.Records = append(erased.Records, m.Seq)
		}
	}
	unnamed := &Erasure{Records: erased.Records[1:]}
	for _, seq := range erased.Records {
		l.list[seq-1].Payload, l.list[seq-1].Salt = nil, nil
	}
	short := sample(t)
	for _, seq := range erased.Records {
		short.list[seq-1].Payload, short.list[seq-1].Salt = nil, nil
	}
	short.add(Mutation{Kind: Erased, TurnID: "t2", Body: &Payload{Erased: unnamed}})
	var lost *ChainError
	if err := Verify(all(short.list), short.c.Head()); !errors.As(err, &lost) || lost.Seq != erased.Records[0] {
		t.Errorf("a payload that no record erases: %v", err)
	}
	l.add(Mutation{Kind: Erased, TurnID: "t2", Body: &Payload{Erased: &erased}})
	if err := Verify(all(l.list), l.c.Head()); err != nil {
		t.Fatal(err)
	}
	d, err := Fold(all(l.list))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Turn("t2"); got.Content != "" || *got.Timestamp != 300 {
		t.Errorf("the erased turn is %+v", got)
	}
	if d.Element("b") != nil {
		t.Error("the erased element stands")
	}
	if a := d.Element("a"); a.Version != 3 || a.Data["timeout"] != int64(60) || len(a.Evidence) != 2 {
		t.Errorf("the element that was refined is %+v", a)
	}
	l.list[1].Payload = nil // its salt was left
	var broken *ChainError
	if err := Verify(all(l.list), l.c.Head()); !errors.As(err, &broken) || broken.Seq != 2 {
		t.Errorf("error is %v", err)
	}
}

func TestSealContinues(t *testing.T) {
	l := sample(t)
	var head Head
	for i, m := range l.list {
		again := m
		again.Seq, again.Hash = 0, ""
		next, err := Seal(head, &again, Salt(m.Salt))
		if err != nil || again.Hash != m.Hash || next != (Head{m.Seq, m.Hash}) {
			t.Fatalf("record %d sealed alone: %v, %v", i+1, next, err)
		}
		head = next
	}
	if _, err := NewChain(Head{Seq: 3, Hash: "no"}); !errors.Is(err, ErrBroken) {
		t.Errorf("a head that is none: %v", err)
	}
	if err := new(Chain).Seal(&Mutation{Kind: Created}, Salt{}); !errors.Is(err, ErrBroken) {
		t.Errorf("a record without payload: %v", err)
	}
}

// TestSealTurn: the way without allocation gives the same head.
func TestSealTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := drawTurn(t)
		m := TurnMutation("doc", turn)
		m.DocVersion, m.RecordedAt = 7, turn.Timestamp
		slow, fast, salt := Chain{}, Chain{}, Salt{1, 2, 3}
		if err := fast.SealTurn(&m, turn, &salt); err != nil {
			t.Fatal(err)
		}
		m.Body = &Payload{Turn: turn}
		was := m.Attribution
		if err := slow.Seal(&m, salt); err != nil {
			t.Fatal(err)
		}
		if slow.Head() != fast.Head() || !sameAttribution(was, m.Attribution) {
			t.Fatalf("%v, %v", slow.Head(), fast.Head())
		}
	})
}

func TestApplyRefuses(t *testing.T) {
	l := sample(t)
	state := canon(t, slices.Collect(l.doc.Elements()))
	version := l.doc.Header().Version
	patch := &Payload{Patch: &Patch{}}
	for _, c := range []struct {
		name string
		m    Mutation
		want error
	}{
		{"another document", Mutation{DocumentID: "x", Kind: Erased}, ErrBroken},
		{"a gap", Mutation{Seq: 99, Kind: Erased}, ErrBroken},
		{"an old version", Mutation{Kind: Erased, DocVersion: version - 1}, ErrBroken},
		{"a version ahead", Mutation{Kind: Erased, DocVersion: version + 2}, ErrBroken},
		{"a known turn", Mutation{Kind: TurnKind, TurnID: "t1", Body: &Payload{Turn: &Turn{ID: "t1"}}}, ErrBroken},
		{"a turn without words", Mutation{Kind: TurnKind, TurnID: "t9", Body: patch}, ErrBroken},
		{"no kind", Mutation{Kind: "x", Body: patch}, ErrBroken},
		{"nothing pending", Mutation{Kind: PendingKind, Body: patch}, ErrBroken},
		{"another header", Mutation{Kind: DocumentKind, Body: &Payload{Document: &Header{ID: "x"}}}, ErrBroken},
		{"no payload", Mutation{Kind: Updated, ElementID: "a", Version: 4}, ErrBroken},
		{"stale", Mutation{Kind: Updated, ElementID: "a", Version: 3, Body: patch}, ErrStale},
		{"skipped", Mutation{Kind: Updated, ElementID: "a", Version: 5, Body: patch}, ErrBroken},
		{"unknown", Mutation{Kind: Updated, ElementID: "z", Version: 2, Body: patch}, ErrBroken},
		{"not deprecated", Mutation{Kind: DeprecatedKind, ElementID: "a", Version: 4, Body: patch}, ErrBroken},
		{"not replaced", Mutation{Kind: ReplacedKind, ElementID: "a", Version: 4, Body: patch}, ErrBroken},
		{"twice", Mutation{Kind: Created, ElementID: "a", Version: 1, Body: &Payload{Element: l.doc.Element("a")}}, ErrBroken},
		{"another element", Mutation{Kind: Created, ElementID: "z", Version: 1, Body: &Payload{Element: &Element{ID: "y", Version: 1, Status: Proposed}}}, ErrBroken},
		{"unreadable", Mutation{Kind: Updated, ElementID: "a", Version: 4, Payload: []byte("{")}, ErrBroken},
	} {
		if c.m.DocumentID == "" {
			c.m.DocumentID = "doc"
		}
		if c.m.DocVersion == 0 {
			c.m.DocVersion = version
		}
		if err := l.doc.Apply(&c.m); !errors.Is(err, c.want) {
			t.Errorf("%s: error is %v, want %v", c.name, err, c.want)
		}
	}
	if got := canon(t, slices.Collect(l.doc.Elements())); got != state {
		t.Errorf("a refused record changed the document: %s", got)
	}
	if err := NewDocument().Apply(&Mutation{Kind: Erased}); !errors.Is(err, ErrBroken) {
		t.Errorf("a record before the document: %v", err)
	}
}

func TestRollback(t *testing.T) {
	l := sample(t)
	look := func() string {
		return fmt.Sprint(l.doc.Header(), l.doc.Seq(), canon(t, slices.Collect(l.doc.Elements())), canon(t, l.doc.Pending()), l.doc.NextClarification())
	}
	was := look()
	mark := l.doc.Mark()
	b := l.doc.Element("b")
	for _, m := range []Mutation{
		{Kind: DocumentKind, Body: &Payload{Document: &Header{ID: "doc", Name: "renamed"}}},
		{Kind: Created, ElementID: "c", Version: 1, TurnID: "t4", Body: &Payload{Element: &Element{ID: "c", Version: 1, Status: Proposed}, Values: []ValueSet{{"human|Ann", "duration", "timeout"}}}},
		{Kind: DeprecatedKind, ElementID: "b", Version: 2, TurnID: "t4", Body: &Payload{Patch: &Patch{Status: changed(b.Status, Deprecated)}}},
		{Kind: PendingKind, Body: &Payload{Pending: &PendingChange{Clarifications: []Clarification{{ID: "q", Number: 4}}, Candidates: []Candidate{{CandidateID: "p"}}}}},
		{Kind: PendingKind, Body: &Payload{Pending: &PendingChange{Closed: []string{"q"}}}},
	} {
		m.DocumentID, m.DocVersion = "doc", l.doc.Header().Version+1
		if err := l.doc.Apply(&m); err != nil {
			t.Fatal(err)
		}
	}
	if look() == was || l.doc.NextClarification() != 5 {
		t.Fatal("nothing happened")
	}
	l.doc.Rollback(mark)
	l.doc.Keep()
	if now := look(); now != was {
		t.Errorf("\n got %s\nwant %s", now, was)
	}
	if turn, _ := l.doc.LastTurn("general", "human|Ann"); turn != "t3" {
		t.Errorf("last turn is %q", turn)
	}
	if _, ok := l.doc.Newest("", ValueKey{"human|Ann", "duration"}); ok {
		t.Error("the value stands")
	}
}
