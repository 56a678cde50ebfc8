package domain

import (
	"fmt"
	"math"

	"github.com/speckl/speckl/sir"
)

// The numbers that a domain has unless its file says otherwise
// (pipeline.md, "Confidence").

func defaultTriggers() map[string]Trigger {
	return map[string]Trigger{
		TriggerMarker:     {Base: 9800, Cap: 9800},
		TriggerBlock:      {Base: 9500, Cap: 9500},
		TriggerCorrection: {Base: 9500, Cap: 9500},
		TriggerSpecBlock:  {Base: 8000, Cap: 8500},
		TriggerPattern:    {Base: 0, Cap: 9000},
		TriggerModel:      {Base: 7000, Cap: 9000},
	}
}

func defaultModifiers() Modifiers {
	return Modifiers{
		Hedge: -500, Agent: -1000, Consistency: 1500, Repetition: 500, RepetitionMax: 1500,
		Completeness: -500, FieldContext: -1000, Implied: 5500,
	}
}

func defaultThresholds() Thresholds {
	return Thresholds{AutoAccept: 8500, Review: 6000, Candidate: 4000}
}

func confidence(f float64) sir.Confidence { return sir.Confidence(math.Round(f * 10000)) }

// set overrides single modifiers by name.
func (m *Modifiers) set(values map[string]float64) error {
	for name, v := range values {
		c := confidence(v)
		switch name {
		case "hedge":
			m.Hedge = c
		case "agent":
			m.Agent = c
		case "consistency":
			m.Consistency = c
		case "repetition":
			m.Repetition = c
		case "repetitionMax":
			m.RepetitionMax = c
		case "completeness":
			m.Completeness = c
		case "fieldContext":
			m.FieldContext = c
		case "implied":
			m.Implied = c
		default:
			return fmt.Errorf("unknown modifier %q", name)
		}
	}
	return nil
}

// set overrides single thresholds by name.
func (t *Thresholds) set(values map[string]float64) error {
	for name, v := range values {
		if err := t.Set(name, confidence(v)); err != nil {
			return err
		}
	}
	return nil
}

// Set overrides one threshold: autoAccept, review or candidate. It returns
// an error for another name or a value outside 0–1.
func (t *Thresholds) Set(name string, c sir.Confidence) error {
	if c < 0 || c > sir.Certain {
		return fmt.Errorf("threshold %s is %s: want a number between 0 and 1", name, c)
	}
	switch name {
	case "autoAccept":
		t.AutoAccept = c
	case "review":
		t.Review = c
	case "candidate":
		t.Candidate = c
	default:
		return fmt.Errorf("unknown threshold %q: want autoAccept, review or candidate", name)
	}
	return nil
}
