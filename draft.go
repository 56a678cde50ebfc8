package speckl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// draft is what a dry run would append, kept beside the document until it is
// applied. It holds the mutations themselves, not only the turns, so that
// what is applied is what was shown, whoever applies it and however his
// client is configured.
type draft struct {
	// Speckl is the format's name and version.
	Speckl   string   `json:"speckl"`
	Document string   `json:"document"`
	Mode     sir.Mode `json:"mode"`
	// Base is the head of the document that the draft was made on.
	Base    sir.Head      `json:"base"`
	Commits []draftCommit `json:"commits"`
	Results []*sir.Result `json:"results"`
}

const draftFormat = "draft/1"

// draftCommit is a [store.Commit] that is not yet sealed.
type draftCommit struct {
	Turn      sir.Turn        `json:"turn"`
	Domain    string          `json:"domain"`
	Mutations []draftMutation `json:"mutations"`
}

type draftMutation struct {
	TurnID    string           `json:"turnId,omitempty"`
	ElementID string           `json:"elementId,omitempty"`
	Kind      sir.MutationKind `json:"kind"`
	Version   int              `json:"version,omitempty"`
	Body      *sir.Payload     `json:"body"`
}

// add keeps what is about to be appended; a nil draft keeps nothing.
func (d *draft) add(c *store.Commit) {
	if d == nil {
		return
	}
	out := draftCommit{Turn: *c.Turn, Domain: c.Domain}
	for i := range c.Mutations {
		m := &c.Mutations[i]
		out.Mutations = append(out.Mutations, draftMutation{m.TurnID, m.ElementID, m.Kind, m.Version, m.Body})
	}
	d.Commits = append(d.Commits, out)
}

// commit is the commit that the draft keeps.
func (d *draftCommit) commit() store.Commit {
	c := store.Commit{Turn: &d.Turn, Domain: d.Domain}
	for _, m := range d.Mutations {
		c.Mutations = append(c.Mutations, sir.Mutation{TurnID: m.TurnID, ElementID: m.ElementID, Kind: m.Kind, Version: m.Version, Body: m.Body})
	}
	return c
}

// encode returns the draft with its token, which is made of all that it
// holds: the document, its head, the turns, and what they would do.
func (d *draft) encode() (body []byte, token string, err error) {
	if body, err = json.Marshal(d); err != nil {
		return nil, "", fmt.Errorf("keep dry run: %w", err)
	}
	return body, tokenOf(body), nil
}

func tokenOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// readDraft decodes what was kept under a token.
// It returns an error that wraps [store.ErrBroken].
func readDraft(body []byte, token string) (*draft, error) {
	d := new(draft)
	if err := json.Unmarshal(body, d); err != nil {
		return nil, fmt.Errorf("read dry run %s: %w: %w", token, store.ErrBroken, err)
	}
	if tokenOf(body) != token || d.Speckl != draftFormat {
		return nil, fmt.Errorf("read dry run %s: %w: it is not what was kept", token, store.ErrBroken)
	}
	return d, nil
}

// errGivenUp ends the transaction of a dry run, so that nothing of it stays.
var errGivenUp = errors.New("a dry run changes nothing")

// dryRun reads turns in a transaction that is given up, and keeps what it
// did as a draft. Where the document moves on in between it begins again.
func (c *Client) dryRun(ctx context.Context, ref store.Ref, turns []sir.Turn, o IngestOptions) ([]*sir.Result, error) {
	buf := c.buffers.Get().(*engine.Buffer)
	defer c.buffers.Put(buf)
	counsel, err := c.consult(ctx, ref, turns, o.Mode)
	if err != nil {
		return nil, err
	}
	for {
		var d *draft
		err := c.cfg.Store.Update(ctx, ref, func(tx store.Tx) (err error) {
			r := &reading{c: c, tx: tx, buf: buf, counsel: counsel, draft: &draft{Speckl: draftFormat, Document: ref.Document, Mode: sir.Batch}}
			if d, err = r.dry(ctx, turns, o); err != nil {
				return err
			}
			return errGivenUp
		})
		if !errors.Is(err, errGivenUp) {
			return nil, err
		}
		if len(d.Commits) == 0 { // all was known: there is nothing to apply
			return d.Results, nil
		}
		body, token, err := d.encode()
		if err != nil {
			return nil, err
		}
		switch err := c.keepDraft(ctx, ref, d, token, body); {
		case errors.Is(err, store.ErrStale):
			continue
		case err != nil:
			return nil, err
		}
		for _, r := range d.Results {
			r.Status, r.Token = sir.ConfirmationNeeded, token
			r.Summary = "Not applied yet. " + r.Summary
		}
		return d.Results, nil
	}
}

// dry reads the turns, and returns the draft of what that did.
func (r *reading) dry(ctx context.Context, turns []sir.Turn, o IngestOptions) (*draft, error) {
	base, err := r.tx.Head()
	if err != nil {
		return nil, err
	}
	r.draft.Base = base
	for len(turns) > 0 {
		n := 0
		for n < len(turns) && r.c.mode(&turns[n], o.Mode) == sir.Batch {
			n++
		}
		if err := r.dryBatch(ctx, turns[:n], o); err != nil {
			return nil, err
		}
		if turns = turns[n:]; len(turns) > 0 { // one that asks for another mode
			if err := r.dryAlone(&turns[0], asked{mode: o.Mode}); err != nil {
				return nil, err
			}
			turns = turns[1:]
		}
	}
	return r.draft, nil
}

// dryBatch reads a run of turns in mode batch.
func (r *reading) dryBatch(ctx context.Context, turns []sir.Turn, o IngestOptions) error {
	if len(turns) == 0 {
		return nil
	}
	header, err := r.tx.Header()
	if err != nil {
		return err
	}
	mine, err := admitted(r.tx, turns)
	if err != nil {
		return err
	}
	fresh, err := mine.fresh(r.tx, header, r.c.cfg.MinBatchSize)
	if err != nil {
		return err
	}
	if !r.c.tooFew(fresh) {
		results, err := r.batch(ctx, turns, o.Batch)
		r.draft.Results = append(r.draft.Results, results...)
		return err
	}
	for i := range turns {
		if err := r.dryAlone(&turns[i], asked{mode: o.Mode, why: r.c.fewNote(fresh)}); err != nil {
			return err
		}
	}
	return nil
}

// dryAlone reads a turn by itself, after those that wait.
func (r *reading) dryAlone(turn *sir.Turn, a asked) error {
	for {
		read, results, err := r.next(turn, a)
		if err != nil {
			return fmt.Errorf("turn %s: %w", turn.ID, err)
		}
		r.draft.Results = append(r.draft.Results, results...)
		if read.ID == turn.ID {
			return nil
		}
	}
}

// keepDraft keeps a draft, if the document is still what it was made on; else
// it returns an error that wraps [store.ErrStale].
func (c *Client) keepDraft(ctx context.Context, ref store.Ref, d *draft, token string, body []byte) error {
	return c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error {
		if err := d.onHead(tx); err != nil {
			return err
		}
		return tx.KeepDraft(token, body)
	})
}

// onHead tells whether the document is still what the draft was made on.
func (d *draft) onHead(r store.Reader) error {
	head, err := r.Head()
	if err == nil && head != d.Base {
		err = fmt.Errorf("the document has moved on since (record %d, now %d): read it again: %w", d.Base.Seq, head.Seq, store.ErrStale)
	}
	return err
}

// Apply appends what a dry run has shown (see
// [BatchOptions].ConfirmBeforeApply) and returns its result, which several
// domains share.
// It returns an error that wraps [store.ErrNotFound] for an unknown document
// or token, one that was applied included, and [store.ErrStale] where the
// document has moved on since; nothing changes then.
func (c *Client) Apply(ctx context.Context, name, token string) (*sir.Result, error) {
	ref, err := c.find(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("apply to %q: %w", name, err)
	}
	var result *sir.Result
	err = c.cfg.Store.Update(ctx, ref, func(tx store.Tx) error { // perhaps run more than once
		body, err := tx.Draft(token)
		if err != nil {
			return fmt.Errorf("dry run %q: %w", token, err)
		}
		d, err := readDraft(body, token)
		if err != nil {
			return err
		}
		result = d.result()
		return d.apply(tx, token)
	})
	if err != nil {
		return nil, fmt.Errorf("apply to %q: %w", name, err)
	}
	return result, nil
}

// apply appends the draft's commits and drops it.
func (d *draft) apply(tx store.Tx, token string) error {
	if err := d.onHead(tx); err != nil {
		return err
	}
	for i := range d.Commits {
		_, err := tx.Append(d.Commits[i].commit())
		switch {
		case errors.Is(err, store.ErrDone) || errors.Is(err, store.ErrOrder):
			// a domain has read on, without effect on the document
			return fmt.Errorf("%w: %w", store.ErrStale, err)
		case err != nil:
			return err
		}
	}
	return tx.DropDraft(token)
}

// result is what applying shows: the only result, or all of them in one.
func (d *draft) result() *sir.Result {
	r := *d.Results[0]
	if len(d.Results) > 1 {
		r = *engine.Joined(d.Results)
	}
	if len(r.Clarifications) > 0 {
		r.Status = sir.ClarificationNeeded
	}
	return &r
}
