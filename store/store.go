package store

import (
	"context"
	"errors"
	"iter"

	"github.com/speckl/speckl/sir"
)

// The sentinels that errors of a store wrap.
var (
	// ErrNotFound: no such document, turn or element.
	ErrNotFound = errors.New("not found")
	// ErrExists: a document of that id, or of that name, stands already.
	ErrExists = errors.New("document exists")
	// ErrTurn: the turn's id is taken by other words of the same session.
	ErrTurn = errors.New("turn differs from the stored one")
	// ErrDone: the turn was processed for the domain before; the commit is a
	// repetition and changed nothing.
	ErrDone = errors.New("turn is done for this domain")
	// ErrOrder: an earlier turn still waits for the domain.
	ErrOrder = errors.New("an earlier turn is not done for this domain")
	// ErrStale: a mutation was computed from a version that is not the newest.
	ErrStale = sir.ErrStale
	// ErrBroken: a mutation or a stored record contradicts itself.
	ErrBroken = sir.ErrBroken
	// ErrUnlogged: the store keeps no log.
	ErrUnlogged = errors.New("the log is not kept")
	// ErrClosed: the transaction or the store has ended.
	ErrClosed = errors.New("closed")
	// ErrBusy: somebody else has kept the document, or the whole database,
	// locked for too long.
	ErrBusy = errors.New("locked by another process")
	// ErrFull: there is no room for what is to be stored.
	ErrFull = errors.New("no space left")
	// ErrReadOnly: the database may not be written.
	ErrReadOnly = errors.New("read-only database")
	// ErrCorrupt: the file is no database of ours, or it is damaged.
	ErrCorrupt = errors.New("damaged database")
	// ErrNewer: the database was made by a newer version of the program.
	ErrNewer = errors.New("database of a newer version")
	// ErrUnreachable: there is no connection to the database, or it was lost.
	ErrUnreachable = errors.New("database cannot be reached")
)

// Ref names a document of an organisation.
type Ref struct {
	// Organization sees this document and nobody else does.
	Organization string
	// Document is the document's id (see [sir.DocumentID]).
	Document string
}

// RefTo returns the reference to the document of that name.
func RefTo(organization, name string) Ref {
	return Ref{Organization: organization, Document: sir.DocumentID(organization, name)}
}

// Store keeps documents. The facade calls it; engines implement it, and
// storetest.Exercise says what each must hold to. It is safe for concurrent
// use.
type Store interface {
	// Update runs fn in a transaction on one document and commits if fn
	// returns nil. It is the only place where a transaction begins. An error
	// or a panic of fn leaves nothing behind and is passed on. One document
	// is updated by one fn at a time; different documents never wait for each
	// other. The document need not exist: fn creates it. fn must not call
	// the store itself, and may be run again where an engine lost a race.
	Update(ctx context.Context, ref Ref, fn func(Tx) error) error
	// View runs fn on a document that does not change meanwhile.
	// It returns an error that wraps [ErrNotFound] where there is none.
	View(ctx context.Context, ref Ref, fn func(Reader) error) error
	// List yields the headers of the organisation's documents by name.
	List(ctx context.Context, organization string) iter.Seq2[sir.Header, error]
	// Find returns the reference to the organisation's document of that name,
	// or an error that wraps [ErrNotFound].
	Find(ctx context.Context, organization, name string) (Ref, error)
	// Delete removes a document and all that it holds, its log included.
	// It returns an error that wraps [ErrNotFound].
	Delete(ctx context.Context, ref Ref) error
	// Search returns the organisation's elements that have all the words of a
	// query in their data or evidence, the best first. See [Query].
	Search(ctx context.Context, organization string, q Query) ([]Hit, error)
	// Close ends the store: what it holds open is given back. Later calls
	// return an error that wraps [ErrClosed].
	Close() error
}

// Reader reads one document. It ends with the function it was handed to, as
// do its iterators; what they yielded stays good and is read-only.
type Reader interface {
	DocumentReader
	TurnReader
	ElementReader
	DraftReader
}

// DocumentReader reads a document as a whole.
type DocumentReader interface {
	// Header returns the document's header, or [ErrNotFound] before Create.
	Header() (sir.Header, error)
	// Head returns the newest link of the chain; zero before Create.
	Head() (sir.Head, error)
	// Log yields the sealed records whose seq is greater than after, oldest
	// first, with their payloads.
	Log(after int64) iter.Seq2[sir.Mutation, error]
}

// TurnReader reads turns.
type TurnReader interface {
	// Turn returns the turn of that id, or [ErrNotFound].
	Turn(id string) (*sir.Turn, error)
	// Turns yields the turns in the order in which they were committed, acts
	// included, leaving out the first after.
	Turns(after int) iter.Seq2[*sir.Turn, error]
	// Cursor returns how many of the document's turns are done for the
	// domain: Turns(Cursor(domain)) are those that wait. The domain "" counts
	// all turns.
	Cursor(domain string) (int, error)
}

// ElementReader reads elements and what waits for a person.
type ElementReader interface {
	// Element returns the element of that id, or [ErrNotFound].
	Element(id string) (*sir.Element, error)
	// Elements yields all elements in the order in which they were created.
	Elements() iter.Seq2[*sir.Element, error]
	// Slice returns what was asked for and its neighbours: one step along
	// refs, and the chain of replacedBy. The work depends on what was asked
	// for, not on the size of the document.
	Slice(ask sir.Ask) (*sir.Slice, error)
	// Pending returns what waits for a person, oldest first.
	Pending() (sir.Pending, error)
}

// Reviewing is a reader that can list the live elements that need a person's
// look without reading all of each.
type Reviewing interface {
	// Reviews returns their ids, in any order.
	Reviews() ([]string, error)
}

// Reviews lists the live elements that need a person's look, in any order.
// It returns the reader's error.
func Reviews(r Reader) ([]string, error) {
	if x, ok := r.(Reviewing); ok {
		return x.Reviews()
	}
	var out []string
	for e, err := range r.Elements() {
		if err != nil {
			return nil, err
		}
		if e.Status.Live() && e.Flags.NeedsReview {
			out = append(out, e.ID)
		}
	}
	return out, nil
}

// DraftReader reads what waits to be applied.
type DraftReader interface {
	// Draft returns what was kept under a token, or [ErrNotFound].
	Draft(token string) ([]byte, error)
}

// Tx is a transaction on one document; it reads what it wrote.
type Tx interface {
	Reader
	// Create opens the document's log. The header's ID and OrganizationID are
	// taken from the [Ref]; Version starts at 0.
	// It returns an error that wraps [ErrExists] if the document stands.
	Create(header sir.Header) error
	// Append commits one turn for one domain, or one act, and returns the
	// document's version after it. See [Commit] for the errors.
	Append(c Commit) (version int, err error)
	// Restore appends one record of a log that was exported, the first of
	// which creates the document, whose id must be the [Ref]'s. A record with
	// a Hash keeps its salt, time of recording and hash, which must follow
	// from the record before it; one without is sealed anew, as in Append.
	// It returns an error that wraps [ErrBroken] for a record that does not
	// fit, [ErrExists] or [ErrTurn].
	Restore(m sir.Mutation) error
	// Resume sets how many of the document's turns are done for a domain,
	// after Restore. It returns an error that wraps [ErrBroken] for more than
	// there are.
	Resume(domain string, done int) error
	// KeepDraft keeps something beside the document, not in it, until it is
	// dropped: a batch that a person has yet to see. The same token again
	// takes the place of the former.
	KeepDraft(token string, body []byte) error
	// DropDraft forgets it; an unknown token is no error.
	DropDraft(token string) error
}

// Commit is what one turn does to a document for one domain.
//
// The turn enters the log if it is new, followed by the mutations. The
// document's version grows by one if that adds a record, and every record
// carries it. The domain's cursor moves past the turn.
type Commit struct {
	// Turn is the turn or act. Append returns an error that wraps [ErrTurn]
	// if its id is known with other words. See [Admit].
	Turn *sir.Turn
	// Domain is the domain it was processed for: [ErrDone] if it was before,
	// [ErrOrder] if an earlier turn (acts apart) was not yet. "" moves no
	// cursor: a turn that is only stored, or an act.
	Domain string
	// Mutations are not sealed: Kind, ElementID, Version and Body (or
	// Payload) are set; TurnID may be, and is else Turn's. Append seals them
	// in place and keeps what Body points to, which must not change any more.
	// [ErrStale] or [ErrBroken] if one does not follow from what is stored.
	// One of kind document renames it: [ErrExists] if the name is taken.
	Mutations []sir.Mutation
	// Erase are the numbers of records whose payloads are erased for good:
	// the words of turns, and the elements and what waits that they made. A
	// last record, of kind erased, names them. An element is erased with all
	// its records or not at all: else [ErrBroken], as for a record that does
	// not stand or opens the document. Drafts are dropped.
	Erase []int64
}

// Admit prepares a turn for Append. Where another session of the document
// has the turn's id, it sets turn.ID to "SESSION/ID". It reports whether the
// very turn is known already, a duplicate; one that was erased stays known by
// its id, so that nobody brings its words back unawares.
// It returns an error that wraps [ErrTurn] if the id is known in the same
// session with other words.
func Admit(r TurnReader, turn *sir.Turn) (known bool, err error) {
	known, err = admitAs(r, turn, turn.ID)
	if err == nil || !errors.Is(err, errOtherSession) {
		return known, err
	}
	id := turn.SessionID + "/" + turn.ID
	if known, err = admitAs(r, turn, id); err == nil {
		turn.ID = id
	}
	return known, err
}
