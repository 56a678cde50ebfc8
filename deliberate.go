package speckl

import (
	"fmt"
	"slices"

	"github.com/speckl/speckl/internal/engine"
	"github.com/speckl/speckl/llm"
	"github.com/speckl/speckl/sir"
)

// DebaterConfig is one of those who read a turn in mode deliberative. They
// propose independently, each criticises the proposals of all others, and
// what two support, or one supports and none opposes, enters, as sure as the
// least sure of its supporters. What is left out is in the result with what
// was said about it.
//
// "strict", "broad" and "structure" need no model: strict takes what is
// written explicitly or sure by its own words, broad all that a rule found,
// structure what fits the document and the rest of the turn. A debater that
// fails is left out and named in the result, which is degraded then; where
// all fail, the turn is read as in realtime.
type DebaterConfig struct {
	// ID names the debater in results and attributions.
	ID string `json:"id"`
	// Role tells who draws the consensus: the first synthesizer, else the
	// first debater. All propose and criticise. Empty is proposer.
	Role DebaterRole `json:"role"`
	// Model is the model that speaks for it; empty for those that need none.
	Model string `json:"model,omitempty"`
	// Persona is how the model is told to think.
	Persona string `json:"persona,omitempty"`
	// Provider is what answers for Model; nil for those that need none.
	Provider llm.Provider `json:"-"`
}

// DebaterRole is a debater's part.
type DebaterRole string

// The roles.
const (
	Proposer    DebaterRole = "proposer"
	Critic      DebaterRole = "critic"
	Synthesizer DebaterRole = "synthesizer"
)

// Valid reports whether r is one of the three roles.
func (r DebaterRole) Valid() bool { return r == Proposer || r == Critic || r == Synthesizer }

func checkDebaters(all []DebaterConfig) error {
	known := map[string]bool{}
	for i, d := range all {
		switch {
		case d.ID == "":
			return fmt.Errorf("debater %d has no id", i+1)
		case known[d.ID]:
			return fmt.Errorf("two debaters have the id %q", d.ID)
		case d.Role != "" && !d.Role.Valid():
			return fmt.Errorf("debater %q: unknown role %q: want %s, %s or %s", d.ID, d.Role, Proposer, Critic, Synthesizer)
		}
		known[d.ID] = true
	}
	return nil
}

// debaters are the configured ones as the engine takes them.
func debaters(all []DebaterConfig) []engine.Debater {
	var out []engine.Debater
	for _, d := range all {
		out = append(out, engine.Debater{ID: d.ID, Synthesizer: d.Role == Synthesizer, Model: d.Model})
	}
	return out
}

// AutoSwitch is when a reading in realtime or in a batch asks instead of
// guessing. A turn that switches is settled as in interactive mode, which its
// result tells. With any but never, a plain next turn answers an open
// question, whatever the mode.
type AutoSwitch string

// The switches to interactive mode.
const (
	// SwitchNever: only mode interactive asks before something enters.
	SwitchNever AutoSwitch = "never"
	// SwitchOnAmbiguity: where words have several readings.
	SwitchOnAmbiguity AutoSwitch = "on_ambiguity"
	// SwitchOnLowConfidence: also where a statement is too unsure to enter.
	SwitchOnLowConfidence AutoSwitch = "on_low_confidence"
)

// Valid reports whether s is one of the three switches.
func (s AutoSwitch) Valid() bool {
	return s == SwitchNever || s == SwitchOnAmbiguity || s == SwitchOnLowConfidence
}

// heardBy are the debaters with what their models said about a turn.
func (k *counsel) heardBy(all []engine.Debater, domain, turn string) []engine.Debater {
	if k == nil || len(k.voices) == 0 {
		return all
	}
	out := slices.Clone(all)
	for i := range out {
		out[i].Voice = k.voice(domain, turn, out[i].ID)
	}
	return out
}

// manner is how a turn is settled in a mode.
func (c *Client) manner(mode sir.Mode) engine.Manner {
	return engine.Manner{
		Mode: mode, Debaters: c.debaters,
		AskAmbiguous: c.cfg.AutoSwitch == SwitchOnAmbiguity, AskUnsure: c.cfg.AutoSwitch == SwitchOnLowConfidence,
	}
}
