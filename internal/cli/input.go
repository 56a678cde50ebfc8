package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"
	_ "time/tzdata" // --tz means the same everywhere

	"github.com/spf13/cobra"

	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/transcript"
)

// reading is how conversations are read: the flags that extract, why and
// convert share, and what was skipped.
type reading struct {
	format   string
	tz       string
	maxTurn  size
	maxBytes size
	lenient  bool
	quiet    bool

	markers, cueNouns []string
	skipped           transcript.Report
}

// flags adds the flags to a command.
func (r *reading) flags(a *app, cmd *cobra.Command) {
	r.maxTurn, r.maxBytes = transcript.DefaultMaxTurn, transcript.DefaultMaxBytes
	f := cmd.Flags()
	f.StringVar(&r.format, "format", "", "read as this `FORMAT` (default: detect; see speckl formats)")
	f.StringVar(&r.tz, "tz", "", "`ZONE` of times that name none, such as Europe/Lisbon (default UTC)")
	f.Var(&r.maxTurn, "max-turn", "the largest turn, in bytes or as 4MiB")
	f.Var(&r.maxBytes, "max-bytes", "the largest file, in bytes or as 1GiB")
	f.BoolVar(&r.lenient, "lenient", false, "skip bad records and count them, instead of stopping")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no remarks on stderr, and only what was found on stdout")
	complete(cmd, "format", formatIDs)
}

// minding makes the reader mind the markers and cue nouns of domains.
func (r *reading) minding(domains []*domain.Domain) {
	r.markers, r.cueNouns = slices.Clone(transcript.DefaultMarkers), nil
	for _, d := range domains {
		for _, m := range d.Markers {
			r.markers = append(r.markers, m.Prefix)
		}
		r.cueNouns = append(r.cueNouns, d.Lexicon.CueNouns...)
	}
}

// options are those of one conversation.
func (r *reading) options(name string) (transcript.Options, error) {
	o := transcript.Options{
		Format: r.format, Name: name, Markers: r.markers, CueNouns: r.cueNouns,
		MaxTurn: int(r.maxTurn), MaxBytes: int64(r.maxBytes), Lenient: r.lenient, OnSkip: r.skipped.Add,
	}
	if r.format != "" {
		if _, err := transcript.Lookup(r.format); err != nil {
			return o, err
		}
	}
	if r.tz != "" {
		zone, err := time.LoadLocation(r.tz)
		if err != nil || r.tz == "Local" {
			return o, usagef("unknown zone %q: --tz takes an IANA name such as Europe/Lisbon, or UTC", r.tz)
		}
		o.Zone = zone
	}
	return o, nil
}

// conversation is one file that was opened, or stdin.
type conversation struct {
	name string
	in   io.ReadCloser
	// file is what in reads, where that can be read again; nil for a stream.
	file io.ReadSeeker
}

// open opens the files in order; none is stdin, as "-" is.
func (a *app) open(ctx context.Context, cmd *cobra.Command, files []string) ([]conversation, error) {
	if len(files) == 0 {
		if isTerminal(a.stdin) {
			return nil, usagef("%s: name a file, or pipe a conversation in: see %s --help", cmd.CommandPath(), cmd.CommandPath())
		}
		files = []string{"-"}
	}
	var out []conversation
	seen := map[string]int{}
	metered := meter()
	for _, file := range files {
		c := conversation{name: transcript.StdinName, in: io.NopCloser(newInterruptible(ctx, a.stdin))}
		if file != "-" {
			f, err := openFile(file)
			if err != nil {
				closeAll(out)
				return nil, err
			}
			c = conversation{name: filepath.Base(file), in: f}
			if _, err := f.Seek(0, io.SeekCurrent); err == nil {
				c.file = f
			}
		}
		if seen[c.name]++; seen[c.name] > 1 { // two days' log.txt are two sessions
			c.name = fmt.Sprintf("%s~%d", c.name, seen[c.name])
		}
		c.in = metered(c.in)
		out = append(out, c)
	}
	return out, nil
}

func closeAll(cs []conversation) {
	for _, c := range cs {
		c.in.Close()
	}
}

// openFile opens a file that is no directory.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, inputf("%s: no such file: check the path", path)
		}
		return nil, inputf("open %s: %w", path, errors.Unwrap(err))
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, inputf("%s: is a directory: name the files in it", path)
	}
	return f, nil
}

// turns reads the conversations one after the other; each is closed when it
// is through.
func (r *reading) turns(cs []conversation) (iter.Seq2[sir.Turn, error], error) {
	options := make([]transcript.Options, len(cs))
	for i, c := range cs {
		var err error
		if options[i], err = r.options(c.name); err != nil {
			closeAll(cs)
			return nil, err
		}
	}
	return func(yield func(sir.Turn, error) bool) {
		defer closeAll(cs)
		for i, c := range cs {
			for t, err := range transcript.Read(bufio.NewReaderSize(c.in, 64<<10), options[i]) {
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}, nil
}

// report says on stderr what gave no turn.
func (r *reading) report(a *app) {
	s := &r.skipped
	if s.Bad > 0 {
		fmt.Fprintf(a.stderr, "skipped %s; the first: %s\n", count(s.Bad, "bad record"), first(s, transcript.SkipBad))
	}
	if s.Torn > 0 {
		fmt.Fprintf(a.stderr, "skipped a last line that was cut off: %s\n", first(s, transcript.SkipTorn))
	}
	if s.NoSpeech > 0 && !r.quiet {
		fmt.Fprintf(a.stderr, "left out %s that nobody said\n", count(s.NoSpeech, "record"))
	}
}

func first(r *transcript.Report, kind transcript.SkipKind) string {
	for _, s := range r.First {
		if s.Kind == kind && s.Err != nil {
			return oneLine(s.Err.Error())
		}
	}
	return "(not among the first ten)"
}
