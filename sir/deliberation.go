package sir

// Deliberation is what debaters said about a turn's statements before one of
// them entered.
type Deliberation struct {
	// Debaters are the ids of those who took part, in order; one that failed
	// is not among them.
	Debaters []string `json:"debaters"`
	// Synthesizer is who drew the consensus.
	Synthesizer string `json:"synthesizer"`
	// Debated are the turn's statements, in the order of their words.
	Debated []Debated `json:"debated"`
}

// Debated is one statement that was debated.
type Debated struct {
	ElementType string `json:"elementType"`
	// Statement says it in a few words, Text as the turn does.
	Statement string `json:"statement"`
	Text      string `json:"text"`
	// Proposals are of those who would keep it.
	Proposals []Proponent `json:"proposals"`
	// Critiques are what each of the others said to each proposal.
	Critiques []Critique `json:"critiques"`
	// Kept: it was settled; else it is among the dropped.
	Kept bool `json:"kept"`
	// Confidence is the lowest of those who support it; 0 where nobody does.
	Confidence Confidence `json:"confidence"`
}

// Proponent is a debater who proposes a statement.
type Proponent struct {
	Debater    string     `json:"debater"`
	Confidence Confidence `json:"confidence"`
	Reason     string     `json:"reason"`
}

// Critique is what one debater says to another's proposal.
type Critique struct {
	Proposer string  `json:"proposer"`
	Critic   string  `json:"critic"`
	Verdict  Verdict `json:"verdict"`
	Reason   string  `json:"reason"`
}

// Verdict is a debater's stand on a statement.
type Verdict string

// The verdicts.
const (
	Support Verdict = "support"
	Doubt   Verdict = "doubt"
	Oppose  Verdict = "oppose"
)

// Valid reports whether v is one of the three verdicts.
func (v Verdict) Valid() bool { return v == Support || v == Doubt || v == Oppose }
