package speckl

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/speckl/speckl/store"
)

// unanswered are turns that a model was asked about and gave no answer for;
// the rules alone have read them.
type unanswered struct {
	Domain string   `json:"domain"`
	Turns  []string `json:"turns"`
	Reason string   `json:"reason"`
}

// journalToken is where a document keeps what was not answered, so that it
// can be asked again alone.
const journalToken = "journal:unanswered"

// journal keeps what the model gave no answer for, in the transaction that
// reads the turns without it.
func (r *reading) journal() error {
	if r.counsel == nil || len(r.counsel.failed) == 0 {
		return nil
	}
	old, err := journal(r.tx)
	if err != nil {
		return err
	}
	return keepJournal(r.tx, append(old, r.counsel.failed...))
}

// journal is what was not answered so far.
func journal(r store.DraftReader) ([]unanswered, error) {
	body, err := r.Draft(journalToken)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var out []unanswered
	if err := json.Unmarshal(body, &out); err != nil {
		return nil, fmt.Errorf("read the journal of unanswered turns: %w: %w", store.ErrBroken, err)
	}
	return out, nil
}

func keepJournal(tx store.Tx, all []unanswered) error {
	if len(all) == 0 {
		return tx.DropDraft(journalToken)
	}
	body, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("keep the journal of unanswered turns: %w", err)
	}
	return tx.KeepDraft(journalToken, body)
}
