package sqlstore

import (
	"fmt"
	"slices"

	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// Append commits a turn or an act; see [store.Tx].
func (t *tx) Append(c store.Commit) (version int, err error) {
	if err := t.ready("append to"); err != nil {
		return 0, err
	}
	if !t.doc.created() {
		return 0, fmt.Errorf("append to document %s: %w", t.ref.Document, store.ErrNotFound)
	}
	if err := store.CheckTurn(c.Turn); err != nil {
		return 0, err
	}
	w, err := t.workOut(&c)
	if err != nil {
		return 0, fmt.Errorf("append turn %q: %w", c.Turn.ID, t.failed("append", err))
	}
	if err := w.write(); err != nil {
		return 0, fmt.Errorf("append turn %q: %w", c.Turn.ID, t.fail("append", err))
	}
	if c.Domain != "" {
		t.doc.cursors[c.Domain] = w.at
	}
	return t.doc.header.Version, nil
}

// work is what a commit will write, worked out beforehand.
type work struct {
	*tx
	turn    *sir.Turn
	at      int // the turn's ordinal
	known   bool
	header  sir.Header
	chain   sir.Chain
	touched map[string]*touched
	order   []string
	count   int // elements
	pending *pendingWork
	records []any // rows of intoMutations
	said    []any // rows of intoSaid
	erased  *erasure
	waiting []*sir.PendingChange // what the commit does to what waits
}

// touched is an element before and after the commit; was is nil for a new
// one, and for one that was erased.
type touched struct {
	n       int
	was, is *sir.Element
	isNew   bool
}

// workOut applies a commit without writing.
func (t *tx) workOut(c *store.Commit) (*work, error) {
	w := &work{
		tx: t, turn: c.Turn, header: t.doc.header, touched: map[string]*touched{}, count: t.doc.elements, pending: t.pendingWork(),
	}
	var err error
	if w.at, w.known, err = t.place(c); err != nil {
		return nil, err
	}
	if w.chain, err = t.link(); err != nil {
		return nil, err
	}
	if !w.known || len(c.Mutations)+len(c.Erase) > 0 {
		w.header.Version++
	}
	if !w.known {
		m := sir.TurnMutation(t.ref.Document, c.Turn)
		m.DocVersion, m.RecordedAt, m.Body = w.header.Version, t.now(), &sir.Payload{Turn: c.Turn}
		if err := w.seal(&w.chain, &m); err != nil {
			return nil, err
		}
		if err := w.record(&m, w.at); err != nil {
			return nil, err
		}
	}
	if err := w.load(c.Mutations); err != nil {
		return nil, err
	}
	for i := range c.Mutations {
		if err := w.mutation(&c.Mutations[i]); err != nil {
			return nil, err
		}
	}
	if len(c.Erase) > 0 {
		return w, w.erase(c.Erase)
	}
	return w, nil
}

// link is the chain at the document's head.
func (t *tx) link() (sir.Chain, error) {
	if t.chain.Seq() == t.doc.head.Seq {
		return t.chain, nil
	}
	t.began = t.doc.head.Seq
	return sir.NewChain(t.doc.head)
}

// place finds where the turn stands, or will stand, and whether it may be
// committed for the domain.
func (t *tx) place(c *store.Commit) (at int, known bool, err error) {
	old, err := t.find(c.Turn.ID)
	switch {
	case isNone(err):
		at = t.doc.turns + 1
	case err != nil:
		return 0, false, err
	case old.turn.IsErased():
		return 0, false, store.ErrDone
	case old.turn.SessionID != c.Turn.SessionID || old.turn.Content != c.Turn.Content:
		return 0, false, store.ErrTurn
	default:
		at, known = old.n, true
	}
	if c.Domain == "" {
		if known {
			return 0, false, store.ErrDone
		}
		return at, known, nil
	}
	done, err := t.done(c.Domain)
	switch {
	case err != nil:
		return 0, false, err
	case at <= done:
		return 0, false, store.ErrDone
	case at > done+1:
		next := 0
		err := t.conn.one(t.ctx, qSaidAfter, t.args(done), &next)
		if err == nil && next < at {
			return 0, false, store.ErrOrder
		}
		if err != nil && !isNone(err) {
			return 0, false, err
		}
	}
	return at, known, nil
}

// load reads the elements that the mutations change.
func (w *work) load(mutations []sir.Mutation) error {
	var ids []string
	for i := range mutations {
		if id := mutations[i].ElementID; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := w.allElements(qElementsByID, w.args(w.conn.many(ids)))
	for _, x := range found {
		w.touched[x.id] = &touched{n: x.n, was: x.element, is: x.element}
	}
	return err
}

// mutation applies and seals one mutation.
func (w *work) mutation(m *sir.Mutation) error {
	turn, err := w.fromTurn(m)
	if err != nil {
		return err
	}
	m.Seq, m.DocumentID, m.DocVersion = 0, w.ref.Document, w.header.Version
	if m.Body != nil { // not what an earlier attempt made of it
		m.Payload = nil
	}
	return w.take(m, turn, w.seal)
}

// take applies a mutation of a turn, and seals it.
func (w *work) take(m *sir.Mutation, turn int, seal func(*sir.Chain, *sir.Mutation) error) error {
	if err := w.apply(m); err != nil {
		return err
	}
	if err := seal(&w.chain, m); err != nil {
		return err
	}
	if err := w.record(m, turn); err != nil {
		return err
	}
	body, err := m.Decoded()
	if err != nil || body == nil || m.ElementID == "" || w.touched[m.ElementID].is == nil {
		return err
	}
	for i, v := range body.Values {
		w.said = append(w.said, w.ref.Organization, w.doc.key, v.Speaker, v.Kind, m.Seq, i,
			w.touched[m.ElementID].is.Domain, turn, m.ElementID, v.Field)
	}
	return nil
}

func (w *work) record(m *sir.Mutation, turn int) error {
	row, err := w.recordRow(m, turn)
	w.records = append(w.records, row...)
	return err
}

// fromTurn fills in what a mutation has from its turn, and returns that
// turn's ordinal.
func (w *work) fromTurn(m *sir.Mutation) (int, error) {
	if m.Kind == sir.TurnKind || m.Kind == sir.Act {
		return 0, fmt.Errorf("take mutation of kind %s: %w: a commit brings its own turn", m.Kind, store.ErrBroken)
	}
	m.RecordedAt = w.now()
	if m.TurnID == "" || m.TurnID == w.turn.ID {
		m.TurnID, m.At = w.turn.ID, w.turn.Timestamp
		return w.at, nil
	}
	old, err := w.find(m.TurnID)
	if isNone(err) {
		return 0, fmt.Errorf("take mutation of turn %q: %w", m.TurnID, store.ErrNotFound)
	}
	if err != nil {
		return 0, err
	}
	m.At = old.turn.Timestamp
	return old.n, nil
}

// apply is the fold of one mutation.
func (w *work) apply(m *sir.Mutation) error {
	body, err := m.Decoded()
	if err != nil {
		return err
	}
	switch m.Kind {
	case sir.Created, sir.Updated, sir.DeprecatedKind, sir.ReplacedKind:
		return w.applyElement(m)
	case sir.PendingKind:
		switch {
		case body == nil:
			return nil
		case body.Pending == nil:
			return misfit(m, "has nothing pending")
		}
		w.waiting = append(w.waiting, body.Pending)
		return w.pending.apply(body.Pending)
	case sir.DocumentKind:
		switch {
		case body == nil || body.Document == nil:
			return misfit(m, "has no header")
		case body.Document.ID != w.ref.Document:
			return misfit(m, "has the header of another document")
		}
		if err := w.isFree(body.Document.Name); err != nil {
			return err
		}
		version := w.header.Version
		w.header = *body.Document
		w.header.Version = version
		return nil
	case sir.Erased:
		return nil // what it names has no payload any more
	}
	return misfit(m, "is of no known kind")
}

func (w *work) applyElement(m *sir.Mutation) error {
	x := w.touched[m.ElementID]
	switch {
	case x == nil:
		next, err := sir.ApplyElement(nil, m)
		if err != nil {
			return err
		}
		w.count++
		w.touched[m.ElementID] = &touched{n: w.count, is: next, isNew: true}
		w.order = append(w.order, m.ElementID)
		return nil
	case x.is == nil && m.Kind != sir.Created:
		return nil // it was erased, and nobody has created it anew
	}
	next, err := sir.ApplyElement(x.is, m)
	if err != nil {
		return err
	}
	x.is = next
	if !slices.Contains(w.order, m.ElementID) {
		w.order = append(w.order, m.ElementID)
	}
	return nil
}

func misfit(m *sir.Mutation, why string) error {
	return fmt.Errorf("apply %s of element %q: %w: it %s", m.Kind, m.ElementID, store.ErrBroken, why)
}

// write stores what was worked out.
func (w *work) write() error {
	if !w.known {
		row, err := w.turnRow(w.at, w.turn)
		if err != nil {
			return err
		}
		if err := w.insert(&intoTurns, row); err != nil {
			return err
		}
		w.doc.turns++
	}
	if err := w.insert(&intoMutations, w.records); err != nil {
		return err
	}
	if err := w.writeElements(); err != nil {
		return err
	}
	if err := w.insert(&intoSaid, w.said); err != nil {
		return err
	}
	if err := w.pending.write(); err != nil {
		return err
	}
	if err := w.writeErasure(); err != nil {
		return err
	}
	w.doc.header, w.doc.head, w.doc.elements = w.header, w.chain.Head(), w.count
	w.tx.chain, w.changed = w.chain, true
	return nil
}
