package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// settingsFile is read from the working directory, where there is one.
const settingsFile = "speckl.yaml"

// settings are the keys of speckl.yaml, which --set overrides.
type settings struct {
	pairs []string // --set
	// given are the keys that were set, with where.
	given map[string]given
	// thresholds by domain id ("" is all), then by name.
	thresholds map[string]map[string]sir.Confidence
	zone       string
	autoSwitch speckl.AutoSwitch
	minBatch   int
	batch      speckl.BatchOptions
}

// given is a setting's value and where it was set.
type given struct{ value, from string }

// settingKey is what a key's value must be, and what it is where none is set.
type settingKey struct {
	check    func(string) error
	standard string
}

// settingKeys are the keys apart from thresholds and severities. Those that
// no built command uses yet are checked all the same.
var settingKeys = map[string]settingKey{
	"skipLLMWhenPatternConfidenceAbove": {share, "0.8"},
	"maxLLMTokens":                      {whole, "4000"},
	"cacheLLMExtractions":               {truth, "true"},
	"autoSwitchToInteractive":           {oneOf(string(speckl.SwitchNever), string(speckl.SwitchOnAmbiguity), string(speckl.SwitchOnLowConfidence)), string(speckl.SwitchNever)},
	"minBatchSize":                      {whole, "3"},
	"deduplicate":                       {truth, "true"},
	"summarize":                         {truth, "true"},
	"confirmBeforeApply":                {truth, "false"},
	"realtimeLLM":                       {truth, "false"},
	"llmBudget":                         {whole, "0"},
	"llmTimeout":                        {whole, "60"},
	"llmConcurrency":                    {whole, "4"},
	"llmRequestsPerMinute":              {whole, "0"},
	"youngTurns":                        {whole, "20"},
	"tz":                                {anyText, "UTC"},
	"country":                           {country, ""},
}

func (s *settings) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.pairs, "set", nil, "set `KEY=VALUE`, such as thresholds.review=0.5 or thresholds.general.review=0.5; may be repeated (see speckl config)")
}

// load reads speckl.yaml, then SPECKL_SET, then --set.
func (s *settings) load() error {
	s.thresholds, s.given = map[string]map[string]sir.Confidence{}, map[string]given{}
	source, err := os.ReadFile(settingsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return inputf("read %s: %w", settingsFile, err)
	default:
		var tree map[string]any
		if err := yaml.UnmarshalWithOptions(source, &tree, yaml.Strict()); err != nil {
			return inputf("%s: %s", settingsFile, strings.TrimSpace(yaml.FormatError(err, false, false)))
		}
		flat := map[string]string{}
		flatten("", tree, flat)
		for _, key := range sorted(flat) {
			if err := s.set(key, flat[key], settingsFile); err != nil {
				return inputf("%s: %w", settingsFile, err)
			}
		}
	}
	if text := os.Getenv(setVariable); text != "" {
		if err := s.setPairs(strings.Split(text, ","), setVariable); err != nil {
			return err
		}
	}
	return s.setPairs(s.pairs, "--set")
}

// setVariable holds pairs for --set, with commas between them; those of the
// command line are over it, one by one.
const setVariable = "SPECKL_SET"

func (s *settings) setPairs(pairs []string, from string) error {
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return usagef("%s %s: want KEY=VALUE, such as thresholds.review=0.5", from, p)
		}
		if err := s.set(strings.TrimSpace(key), strings.TrimSpace(value), from); err != nil {
			return usagef("%s %s: %w", from, p, err)
		}
	}
	return nil
}

// flatten turns nested keys into dotted ones.
func flatten(prefix string, v any, into map[string]string) {
	if m, ok := v.(map[string]any); ok {
		for k, x := range m {
			flatten(strings.TrimPrefix(prefix+"."+k, "."), x, into)
		}
		return
	}
	into[prefix] = fmt.Sprint(v)
}

func (s *settings) set(key, value, from string) error {
	if err := s.use(key, value); err != nil {
		return err
	}
	s.given[key] = given{value, from}
	return nil
}

func (s *settings) use(key, value string) error {
	if rest, ok := strings.CutPrefix(key, "thresholds."); ok {
		id := ""
		if i := strings.LastIndexByte(rest, '.'); i >= 0 {
			id, rest = rest[:i], rest[i+1:]
		}
		c, err := sir.ParseConfidence(value)
		if err != nil {
			return err
		}
		if err := new(domain.Thresholds).Set(rest, c); err != nil {
			return err
		}
		if s.thresholds[id] == nil {
			s.thresholds[id] = map[string]sir.Confidence{}
		}
		s.thresholds[id][rest] = c
		return nil
	}
	if code, ok := strings.CutPrefix(key, "severities."); ok && code != "" {
		return oneOf("error", "warning", "info")(value)
	}
	known, ok := settingKeys[key]
	if !ok {
		names := append(sorted(settingKeys), "thresholds.autoAccept", "thresholds.review", "thresholds.candidate", "severities.CODE")
		return fmt.Errorf("unknown key %q: %s", key, hint(key, names, "keys"))
	}
	if err := known.check(value); err != nil {
		return err
	}
	switch key {
	case "tz":
		s.zone = value
	case "autoSwitchToInteractive":
		s.autoSwitch = speckl.AutoSwitch(value)
	case "deduplicate":
		s.batch.NoDeduplicate = value == "false"
	case "summarize":
		s.batch.NoSummarize = value == "false"
	case "confirmBeforeApply":
		s.batch.ConfirmBeforeApply = value == "true"
	case "minBatchSize":
		s.minBatch, _ = strconv.Atoi(value) // checked
	}
	return nil
}

func share(v string) error {
	if c, err := sir.ParseConfidence(v); err != nil || c < 0 {
		return fmt.Errorf("%q: want a number between 0 and 1", v)
	}
	return nil
}

func whole(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 0 {
		return fmt.Errorf("%q: want a whole number", v)
	}
	return nil
}

func truth(v string) error { return oneOf("true", "false")(v) }

func anyText(v string) error {
	if v == "" {
		return errors.New("want a value")
	}
	return nil
}

func country(v string) error {
	if len(v) != 2 || strings.ToUpper(v) != v {
		return fmt.Errorf("%q: want a country's two letters, such as PT", v)
	}
	return nil
}

func oneOf(values ...string) func(string) error {
	return func(v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("%q: want %s", v, strings.Join(values, ", "))
		}
		return nil
	}
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
