package cli

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// reads is how turns are read: the mode and what belongs to some modes.
type reads struct {
	mode     string
	debaters string
	dry      bool
}

// modeNames are the modes, the default first.
var modeNames = []string{string(sir.Realtime), string(sir.Batch), string(sir.Interactive), string(sir.Deliberative)}

func (m *reads) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.mode, "mode", modeNames[0], "`MODE` of reading: realtime; batch, which gives net changes; interactive, which asks instead of guessing; or deliberative, where debaters must agree")
	f.StringVar(&m.debaters, "debaters", "", "a `FILE.json` with the list of debaters of mode deliberative")
	complete(cmd, "mode", these(modeNames...))
}

// apply puts the mode into a client's configuration.
func (m *reads) apply(cfg *speckl.Config) error {
	if cfg.Mode = sir.Mode(m.mode); !cfg.Mode.Valid() {
		return usagef("unknown mode %q: %s", m.mode, hint(m.mode, modeNames, "modes"))
	}
	if m.debaters == "" {
		return nil
	}
	var err error
	cfg.Debaters, err = loadDebaters(m.debaters)
	return err
}

// maxDebaters bounds the file of debaters.
const maxDebaters = 1 << 20

func loadDebaters(path string) ([]speckl.DebaterConfig, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, maxDebaters))
	if err != nil {
		return nil, inputf("read %s: %w", path, err)
	}
	var list []speckl.DebaterConfig
	if err := json.Unmarshal(source, &list); err != nil {
		offset := len(source)
		var syntax *json.SyntaxError
		var typed *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			offset = int(syntax.Offset) - 1
		case errors.As(err, &typed):
			offset = int(typed.Offset)
		}
		return nil, inputf(`%s: no list of debaters: %w: want [{"id":"careful","role":"critic"}, …]`, at(path, source, min(max(offset, 0), len(source))), err)
	}
	if len(list) == 0 {
		return nil, inputf("%s: no debaters in it", path)
	}
	if _, err := speckl.Open(speckl.Config{Domains: []*domain.Domain{}, Debaters: list}); err != nil {
		return nil, inputf("%s: %w", path, err)
	}
	return list, nil
}
