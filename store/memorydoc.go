package store

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"sync"

	"github.com/speckl/speckl/sir"
)

// memory is one document of a [Memory]: its log as packed rows, the fold over
// it, and the indexes of both.
type memory struct {
	store  *Memory
	ref    Ref
	config Config

	mu      sync.RWMutex // held by Update for writing, by View for reading
	pending sync.Mutex   // guards the fold's lists, which are made on reading

	fold    *sir.Document
	chain   sir.Chain
	rows    arena
	turns   places // where each turn's row is
	ids     idIndex
	names   interned
	terms   termIndex
	cursors []cursor
	points  []point
	salts   cipher.Block
	given   map[int64]sir.Salt // of records that were restored
	erased  map[int64]string   // payload hashes of records that were erased
	drafts  map[string][]byte

	tx    *memoryTx
	begun memoryMark // where the transaction began
	step  memoryMark // where the current Append began
	undo  []func()
	left  []string // names that a rename gives up

	// Room that is used again by each turn.
	row      []byte
	id       []byte
	scratch  sir.Mutation
	recorded int64
	salt     [2]sir.Salt
	spoke    struct{ turnID, key string } // who spoke the turn asked for last
}

// cursor is how many turns are done for a domain.
type cursor struct {
	domain string
	done   int
}

// point is a place from which the log can be read: every 1024th record.
type point struct {
	rows place
	head sir.Head
}

const pointEvery = 1024

// memoryMark is what a rollback goes back to.
type memoryMark struct {
	fold    sir.Mark
	chain   sir.Chain
	rows    place
	turns   int
	points  int
	undo    int
	cursors []cursor
}

func newMemory(s *Memory, ref Ref) *memory {
	d := &memory{
		store:  s,
		ref:    ref,
		config: s.config,
		ids:    idIndex{seed: maphash.MakeSeed()},
		names:  interned{byID: map[string]uint32{}},
		terms:  termIndex{},
		points: []point{{}},
	}
	d.fold = sir.NewDocumentOver(d.speaker)
	d.tx = &memoryTx{reader{memory: d}}
	return d
}

func (d *memory) created() bool { return d.fold.Header().ID != "" }

// begin opens the transaction.
func (d *memory) begin() {
	d.tx.open = true
	d.mark(&d.begun)
}

// end keeps or takes back what the transaction did.
func (d *memory) end(keep bool) {
	if !keep {
		d.rollback(&d.begun)
	}
	for _, name := range d.left {
		if name != d.fold.Header().Name {
			d.store.unclaim(d.ref, name)
		}
	}
	d.left = nil
	d.fold.Keep()
	clear(d.undo)
	d.undo = d.undo[:0]
	d.tx.open = false
}

func (d *memory) mark(m *memoryMark) {
	m.fold, m.chain, m.rows = d.fold.Mark(), d.chain, d.rows.end()
	m.turns, m.points, m.undo = d.turns.n, len(d.points), len(d.undo)
	m.cursors = append(m.cursors[:0], d.cursors...)
}

func (d *memory) rollback(m *memoryMark) {
	d.fold.Rollback(m.fold)
	d.chain = m.chain
	d.spoke.turnID = ""
	for i := len(d.undo) - 1; i >= m.undo; i-- {
		d.undo[i]()
	}
	clear(d.undo[m.undo:])
	d.undo = d.undo[:m.undo]
	for d.turns.n > m.turns {
		d.ids.removeLast(d.ids.hash(d.packedID(d.turns.n - 1)))
		d.turns.n--
	}
	d.rows.cut(m.rows)
	d.points = d.points[:m.points]
	d.cursors = append(d.cursors[:0], m.cursors...)
}

func (d *memory) remember(undo func()) { d.undo = append(d.undo, undo) }

// create opens the log.
func (d *memory) create(h sir.Header) error {
	if err := d.readSecret(); err != nil {
		return err
	}
	h.ID, h.OrganizationID, h.Version = d.ref.Document, d.ref.Organization, 0
	h.Domains = slices.Clone(h.Domains)
	m := sir.Mutation{
		DocumentID: h.ID, Kind: sir.DocumentKind, RecordedAt: d.now(nil), Body: &sir.Payload{Document: &h},
	}
	return d.record(&m)
}

// readSecret makes the secret that the document's salts derive from.
func (d *memory) readSecret() error {
	secret := sha256.Sum256([]byte("speckl salt " + d.ref.Document))
	if d.config.Random != nil {
		if _, err := io.ReadFull(d.config.Random, secret[:16]); err != nil {
			return fmt.Errorf("create document %s: read random: %w", d.ref.Document, err)
		}
	}
	block, err := aes.NewCipher(secret[:16])
	if err != nil {
		return fmt.Errorf("create document %s: %w", d.ref.Document, err)
	}
	d.salts = block
	return nil
}

// name claims a name for the document, in the place of the one it has.
func (d *memory) name(name string) error {
	was := d.fold.Header().Name
	if d.created() && was == name {
		return nil
	}
	if err := d.store.claim(d.ref, name); err != nil {
		return err
	}
	d.remember(func() { d.store.unclaim(d.ref, name) })
	if d.created() { // until the end, so that a rollback finds it
		d.left = append(d.left, was)
	}
	return nil
}

// record applies, seals and stores a record that is not a turn's.
func (d *memory) record(m *sir.Mutation) error {
	m.Seq = 0
	if m.Body != nil { // not what an earlier attempt made of it
		m.Payload = nil
	}
	return d.keep(m)
}

// keep is record for a payload that is encoded already, or is to be.
func (d *memory) keep(m *sir.Mutation) error {
	ordinal := d.fold.Ordinal(m.ElementID)
	var was *sir.Element
	if ordinal >= 0 {
		was = d.fold.ElementAt(ordinal)
	}
	if m.Kind == sir.DocumentKind && m.Body != nil && m.Body.Document != nil {
		if err := d.name(m.Body.Document.Name); err != nil {
			return err
		}
	}
	if err := d.fold.Apply(m); err != nil {
		return err
	}
	if !d.config.Unlogged {
		if err := d.sealAs(&d.chain, m, d.saltOf(d.chain.Seq()+1, &d.salt[0])); err != nil {
			return err
		}
	}
	if m.ElementID != "" {
		if ordinal = d.fold.Ordinal(m.ElementID); ordinal >= 0 {
			d.terms.update(ordinal, was, d.fold.ElementAt(ordinal), d.remember)
		}
	}
	if !d.config.Unlogged {
		d.putOther(m)
		d.addPoint()
	}
	return nil
}

// addTurn applies, seals and stores a turn's record. It costs no allocation
// beyond the packed row.
func (d *memory) addTurn(t *sir.Turn, version int) error {
	return d.addTurnAt(t, version, d.now(t.Timestamp))
}

// addTurnAt is addTurn for a turn that was recorded before.
func (d *memory) addTurnAt(t *sir.Turn, version int, recorded *int64) error {
	m := &d.scratch
	*m = sir.TurnMutation(d.ref.Document, t)
	m.DocVersion, m.RecordedAt = version, recorded
	if err := d.fold.Apply(m); err != nil {
		return err
	}
	if !d.config.Unlogged {
		if err := d.sealTurn(m, t); err != nil {
			return err
		}
	}
	packed, isUUID := packID(d.id[:0], t.ID)
	d.id = packed
	if err := d.putTurn(m, t, packed, isUUID); err != nil {
		return err
	}
	d.ids.add(d.ids.hash(packed))
	if !d.config.Unlogged {
		d.addPoint()
	}
	return nil
}

// sealTurn seals the record of a turn without an allocation.
func (d *memory) sealTurn(m *sir.Mutation, t *sir.Turn) error {
	if len(d.erased) > 0 {
		if hash, ok := d.erased[d.chain.Seq()+1]; ok {
			record := *m
			return d.chain.Reseal(&record, nil, hash)
		}
	}
	d.saltOf(d.chain.Seq()+1, &d.salt[0])
	return d.chain.SealTurn(m, t, &d.salt[0])
}

// addPoint remembers every 1024th place of the log.
func (d *memory) addPoint() {
	if d.chain.Seq()%pointEvery == 0 {
		d.points = append(d.points, point{d.rows.end(), d.chain.Head()})
	}
}

// now is the time of recording: the clock's, or without one the turn's own.
func (d *memory) now(at *int64) *int64 {
	if d.config.Now == nil {
		return at
	}
	d.recorded = d.config.Now().UnixMilli()
	return &d.recorded
}

// saltOf derives a record's salt: a block cipher under the document's secret
// gives 16 bytes that nobody can tell from random ones. It works in place;
// in is room for the number.
func (d *memory) saltOf(seq int64, out *sir.Salt) sir.Salt {
	if salt, ok := d.given[seq]; ok {
		*out = salt
		return salt
	}
	in := &d.salt[1]
	binary.BigEndian.PutUint64(in[8:], uint64(seq))
	d.salts.Encrypt(out[:], in[:])
	return *out
}

// find returns the ordinal of a turn.
func (d *memory) find(id string) (ordinal int, ok bool) {
	var room [64]byte
	packed, _ := packID(room[:0], id)
	return d.ids.find(d.ids.hash(packed), func(n int) bool { return bytes.Equal(d.packedID(n), packed) })
}

// packedID is the id in the row of a turn.
func (d *memory) packedID(ordinal int) []byte {
	c := cells{d.rows.at(d.turns.at(ordinal))[1:]}
	if c.uint()&uuidID != 0 {
		return c.bytes(16)
	}
	return c.bytes(int(c.uint()))
}

// isAct reports whether a turn records an act.
func (d *memory) isAct(ordinal int) bool {
	c := cells{d.rows.at(d.turns.at(ordinal))[1:]}
	return c.uint()&isAct != 0
}

// turn unpacks the turn of an ordinal.
func (d *memory) turn(ordinal int) (*sir.Turn, error) {
	t, _, _, err := d.readTurn(&cells{d.rows.at(d.turns.at(ordinal))[1:]})
	return t, err
}

// speaker tells the fold who spoke a turn.
func (d *memory) speaker(turnID string) (key string, ok bool) {
	if d.spoke.turnID == turnID {
		return d.spoke.key, true
	}
	n, ok := d.find(turnID)
	if !ok || d.isAct(n) {
		return "", false
	}
	t, err := d.turn(n)
	if err != nil {
		return "", false
	}
	d.spoke.turnID, d.spoke.key = turnID, t.SpeakerKey()
	return d.spoke.key, true
}

// done is how many turns are done for a domain, acts behind them included.
func (d *memory) done(domain string) int {
	if domain == "" {
		return d.turns.n
	}
	n := 0
	if i := d.cursor(domain); i >= 0 {
		n = d.cursors[i].done
	}
	for n < d.turns.n && d.isAct(n) {
		n++
	}
	return n
}

func (d *memory) cursor(domain string) int {
	return slices.IndexFunc(d.cursors, func(c cursor) bool { return c.domain == domain })
}

func (d *memory) setDone(domain string, n int) {
	if i := d.cursor(domain); i >= 0 {
		d.cursors[i].done = n
	} else {
		d.cursors = append(d.cursors, cursor{domain, n})
	}
}
