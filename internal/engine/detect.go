package engine

import (
	"slices"
	"strings"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/internal/clause"
	"github.com/speckl/speckl/sir"
)

// The points of detection (seed §7.3), in tenths: each marker, pattern and
// keyword counts once a turn.
const (
	markerPoints  sir.Points = 50
	patternPoints sir.Points = 20
	keywordPoints sir.Points = 5
	// least is what a domain needs to be detected, further what another one
	// needs beside the best.
	least   sir.Points = 30
	further sir.Points = 60
	// window is how many turns a score counts.
	window = 20
)

// Fallback is the domain of a conversation that fits none.
const Fallback = "general"

// Points scores one turn for a domain.
func (d *Domain) Points(turn *sir.Turn, buf *Buffer) sir.Points {
	text := clause.Annotate(turn, d.markers, buf.tokens[:0])
	buf.tokens = text.Tokens[:0]
	var points sir.Points
	var markers []string
	for _, b := range text.Blocks {
		if m := strings.ToLower(b.Marker); m != "" && !slices.Contains(markers, m) {
			markers = append(markers, m)
			points += markerPoints
		}
	}
	words := map[uint64]bool{}
	for _, t := range text.Tokens {
		words[t.Hash] = true
	}
	for _, k := range d.Keywords {
		if words[clause.Hash(clause.Fold(k))] {
			points += keywordPoints
		}
	}
	return points + patternPoints*sir.Points(d.distinctRules(turn, buf))
}

// distinctRules counts the rules that found something in the turn. Weak
// rules, and names that only their place makes names ("goes to the shop"),
// say little about what a conversation is about and do not count.
func (d *Domain) distinctRules(turn *sir.Turn, buf *Buffer) int {
	var seen []string
	for _, c := range d.Propose(turn, buf).Candidates {
		if c.Trigger != domain.TriggerMarker && !c.Weak && !c.Plain && len(c.Unproven) == 0 && !slices.Contains(seen, c.Rule) {
			seen = append(seen, c.Rule)
		}
	}
	return len(seen)
}

// Detect chooses the domains of a conversation from its first turns: the
// best by its best window of 20 turns, and others that come near it.
func Detect(domains []*Domain, turns []sir.Turn) (ids []string, found sir.Detection) {
	found = sir.Detection{Domain: Fallback, Confidence: 3000, Scores: map[string]sir.Points{}}
	best := sir.Points(0)
	for _, d := range domains {
		if d.ByNameOnly || d.ID == Fallback {
			continue
		}
		score := d.bestWindow(turns)
		found.Scores[d.ID] = score
		if score >= least && score > best {
			best = score
			found.Domain = d.ID
			found.Confidence = min(sir.Confidence(score)*50, sir.Certain)
		}
	}
	ids = []string{found.Domain}
	for _, d := range domains {
		if s := found.Scores[d.ID]; d.ID != found.Domain && s >= further && 2*s >= best {
			ids = append(ids, d.ID)
		}
	}
	return ids, found
}

func (d *Domain) bestWindow(turns []sir.Turn) sir.Points {
	var buf Buffer
	points := make([]sir.Points, len(turns))
	var sum, best sir.Points
	for i := range turns {
		points[i] = d.Points(&turns[i], &buf)
		sum += points[i]
		if i >= window {
			sum -= points[i-window]
		}
		best = max(best, sum)
	}
	return best
}
