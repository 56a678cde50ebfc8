package speckl

import (
	"fmt"
	"strings"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// rename gives the document another name; the store refuses one that is
// taken.
func (c *Client) rename(tx store.Tx, turn *sir.Turn, a *Act) (*engine.Outcome, error) {
	header, err := tx.Header()
	if err != nil {
		return nil, err
	}
	out := &engine.Outcome{Result: actResult(header, turn)}
	was := header.Name
	header.Name = strings.TrimSpace(a.Name)
	if header.Name == was {
		return nil, fmt.Errorf("rename: %w: that is its name", ErrAct)
	}
	out.Result.Summary = fmt.Sprintf("Renamed %q to %q.", was, header.Name)
	out.Mutations = []sir.Mutation{{TurnID: turn.ID, Kind: sir.DocumentKind, Body: &sir.Payload{Document: &header}}}
	return out, nil
}
