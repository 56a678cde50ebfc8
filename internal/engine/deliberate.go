package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Debater is one of those who read a turn in mode deliberative.
type Debater struct {
	// ID names it, and for one of [Debaters] the rules that it reads by.
	ID string
	// Synthesizer draws the consensus; where none does, the first one draws
	// it.
	Synthesizer bool
	// Model is the model that speaks for it; empty for one of [Debaters].
	Model string
	// Voice is what that model said about the turn; nil where none was asked.
	Voice *Voice
}

// Debaters are those that need no model: strict takes what is written
// explicitly or sure by its own words, broad all that a rule found, structure
// what fits the document and the rest of the turn.
func Debaters() []Debater { return []Debater{{ID: "strict"}, {ID: "broad"}, {ID: "structure"}} }

// debating is a debater at work. It changes nothing that it is given, for
// all of them look at it at the same time.
type debating interface {
	// propose returns what it thinks of each claim; it would keep those that
	// it supports. nil is no opinion.
	propose(claims []*claim) ([]*opinion, error)
	// critique returns what it thinks of another's proposals, by claim; nil
	// where the other proposes nothing.
	critique(claims []*claim, proposals []*opinion) ([]*opinion, error)
}

// opinion is a debater's stand on a claim; confidence and scores are those of
// one that supports it.
type opinion struct {
	verdict    sir.Verdict
	reason     string
	confidence sir.Confidence
	scores     sir.Scores
}

// proposes reports whether the opinion is a proposal.
func (o *opinion) proposes() bool { return o != nil && o.verdict == sir.Support }

// member is a debater with what it said.
type member struct {
	Debater
	debating
	proposals []*opinion
	critiques [][]*opinion // by whose proposals it is about
}

// agreement is what a claim has that is kept.
type agreement struct {
	agents     []string
	confidence sir.Confidence
	scores     sir.Scores
	text       string
}

// errNoModel: a debater would speak through a model.
var errNoModel = errors.New("it needs a model, and no provider is set")

// deliberate lets debaters propose and criticise each other, and returns the
// groups that their consensus keeps; the others are dropped with what was
// said about them. What a person must settle, a debate does not: statements
// of one turn that contradict each other, and a human's that contradicts the
// document, are kept.
func (s *settling) deliberate(groups [][]*domain.Candidate, debaters []Debater) [][]*domain.Candidate {
	if len(groups) == 0 {
		return groups
	}
	claims := s.claims(groups)
	members := s.debate(claims, debaters)
	if len(members) == 0 { // nobody is left to object: as in the other modes
		return groups
	}
	record := &sir.Deliberation{Synthesizer: synthesizer(members), Debated: []sir.Debated{}}
	for _, m := range members {
		record.Debaters = append(record.Debaters, m.ID)
	}
	s.result.Metadata.Deliberation = record
	s.agreements = map[*domain.Candidate]*agreement{}
	var kept [][]*domain.Candidate
	for i, c := range claims {
		said, a, agreed := s.consensus(members, i, c)
		said.Kept = agreed || len(c.group) > 1 || c.against != nil && s.turn.Speaker == sir.Human
		record.Debated = append(record.Debated, said)
		if !said.Kept {
			s.drop(sir.NoConsensus, c.first().Span, said.Statement+": "+a.text)
			continue
		}
		if len(a.agents) > 0 {
			s.agreements[c.first()] = a
		}
		kept = append(kept, c.group)
	}
	return kept
}

// debate runs both phases, in each all debaters at the same time. One that
// fails is left out with all it said, and named in the result.
func (s *settling) debate(claims []*claim, debaters []Debater) []*member {
	if debaters == nil {
		debaters = Debaters()
	}
	var all []*member
	for _, d := range debaters {
		all = append(all, &member{Debater: d, debating: s.debating(d)})
	}
	all = s.standing(all, together(len(all), func(i int) (err error) {
		all[i].proposals, err = all[i].propose(claims)
		return err
	}))
	return s.standing(all, together(len(all), func(i int) error {
		for j, other := range all {
			var said []*opinion
			if i != j {
				var err error
				if said, err = all[i].critique(claims, other.proposals); err != nil {
					return err
				}
			}
			all[i].critiques = append(all[i].critiques, said)
		}
		return nil
	}))
}

// standing leaves out the members that failed.
func (s *settling) standing(all []*member, errs []error) []*member {
	var out []*member
	failed := map[int]bool{}
	for i, m := range all {
		if errs[i] == nil {
			out = append(out, m)
			continue
		}
		failed[i] = true
		meta := &s.result.Metadata
		meta.Degraded = true
		meta.DegradedReasons = append(meta.DegradedReasons, fmt.Sprintf("debater_failed: %s: %v", m.ID, errs[i]))
	}
	for _, m := range out {
		kept := m.critiques[:0]
		for j, c := range m.critiques {
			if !failed[j] {
				kept = append(kept, c)
			}
		}
		m.critiques = kept
	}
	return out
}

// together runs fn for each of n at the same time, waits for all, and returns
// their errors; a panic is one.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			defer func() {
				if x := recover(); x != nil {
					errs[i] = fmt.Errorf("panic: %v", x)
				}
			}()
			errs[i] = fn(i)
		})
	}
	wg.Wait()
	return errs
}

func synthesizer(members []*member) string {
	for _, m := range members {
		if m.Synthesizer {
			return m.ID
		}
	}
	return members[0].ID
}

// consensus keeps what two support, or one supports and none opposes, as
// sure as the least sure of those who support it.
func (s *settling) consensus(members []*member, i int, c *claim) (sir.Debated, *agreement, bool) {
	said := s.debated(members, i, c)
	a := &agreement{}
	var against []string
	opposed := false
	for _, m := range members {
		stand := m.stand(members, i)
		switch {
		case stand == nil: // it has nothing to say
		case stand.verdict == sir.Support:
			a.agents = append(a.agents, m.ID)
			if m.proposals[i].proposes() && (a.scores.Trigger == "" || stand.confidence < a.confidence) {
				a.confidence, a.scores = stand.confidence, stand.scores
			}
		default:
			opposed = opposed || stand.verdict == sir.Oppose
			against = append(against, fmt.Sprintf("%s %ss it: %s", m.ID, stand.verdict, stand.reason))
		}
	}
	said.Confidence = a.confidence
	a.text = "nobody supports it"
	if len(a.agents) > 0 {
		a.text = "supported by " + listed(a.agents)
	}
	a.text = strings.Join(append([]string{a.text}, against...), "; ")
	return said, a, len(a.agents) > 1 || len(a.agents) == 1 && !opposed
}

// stand is what a member thinks of a claim: what it said itself, else to the
// first who proposed it.
func (m *member) stand(members []*member, i int) *opinion {
	if m.proposals[i] != nil {
		return m.proposals[i]
	}
	for j := range members {
		if members[j] != m && m.critiques[j][i] != nil {
			return m.critiques[j][i]
		}
	}
	return nil
}

// debated records what was said about a claim: the proposals, and to each of
// them a critique of each other member.
func (s *settling) debated(members []*member, i int, c *claim) sir.Debated {
	one := c.first()
	said := sir.Debated{
		ElementType: one.Type, Statement: s.d.Describe(one.Type, one.Data), Text: one.Span.Of(s.turn.Content),
		Proposals: []sir.Proponent{}, Critiques: []sir.Critique{},
	}
	for j, proposer := range members {
		p := proposer.proposals[i]
		if !p.proposes() {
			continue
		}
		said.Proposals = append(said.Proposals, sir.Proponent{Debater: proposer.ID, Confidence: p.confidence, Reason: p.reason})
		for _, critic := range members {
			if critic == proposer || critic.critiques[j][i] == nil {
				continue
			}
			x := critic.critiques[j][i]
			said.Critiques = append(said.Critiques, sir.Critique{Proposer: proposer.ID, Critic: critic.ID, Verdict: x.verdict, Reason: x.reason})
		}
	}
	return said
}

// listed is "a, b and c".
func listed(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// scored is a candidate's confidence: what the debaters agreed on, where
// they did and later stages did not find that it corrects something.
func (s *settling) scored(c *domain.Candidate) (sir.Confidence, sir.Scores) {
	if a := s.agreed; a != nil && a.scores.Trigger == c.Trigger {
		scores := a.scores
		scores.Modifiers = slices.Clip(scores.Modifiers)
		return a.confidence, scores
	}
	return s.d.score(c, s.turn, s.related(c))
}
