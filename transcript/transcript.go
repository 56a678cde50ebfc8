package transcript

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/speckl/speckl/sir"
)

// Defaults of the limits in [Options].
const (
	DefaultMaxTurn  = 1 << 20
	DefaultMaxBytes = 4 << 30
	DefaultMaxDepth = 200
)

// StdinName is the session of a conversation that comes without a file.
const StdinName = "stdin"

// Options say how a conversation is read. The zero value is useful: the
// format is detected, the session is "stdin", zones are UTC, limits are the
// defaults, and the first bad record stops the reading.
type Options struct {
	// Format forces a format by its id; empty means: detect by content.
	Format string
	// Name is the file's base name, used for the session, for
	// [sir.Source].File and in errors. "" and "-" mean [StdinName]; of a path
	// only the base counts.
	Name string
	// Markers are the registered markers ("spec:", "state:"), which never
	// are names of speakers; nil means [DefaultMarkers].
	Markers []string
	// CueNouns are nouns which end no name ("state", "phase"), in addition
	// to the built-in ones.
	CueNouns []string
	// Zone is where clock times without a zone are; nil means UTC.
	Zone *time.Location
	// MaxTurn is the most bytes of a turn's content; 0 means DefaultMaxTurn.
	MaxTurn int
	// MaxBytes is the most bytes of a file; 0 means DefaultMaxBytes.
	MaxBytes int64
	// MaxDepth is how deep JSON may nest; 0 means DefaultMaxDepth.
	MaxDepth int
	// Lenient skips a bad record and reports it to OnSkip; else it ends the
	// reading with an error. A file above MaxBytes is an error either way.
	Lenient bool
	// OnSkip hears of each record that gave no turn, in file order; nil
	// ignores them. [Report.Add] counts them.
	OnSkip func(Skip)
}

// Format is one shape of conversation that the package reads.
type Format struct {
	// ID is what --format takes: "jsonl".
	ID string
	// Name is for people: "JSONL turns".
	Name string
	// Extensions are usual file endings with the dot; they do not decide.
	Extensions []string
	// Description is one sentence.
	Description string

	reader reader
}

// Formats returns the formats in a fixed order, in a new slice.
func Formats() []Format {
	return []Format{
		jsonlFormat(),
		textFormat(),
		markdownFormat(),
		proseFormat(),
		vttFormat(),
	}
}

// Lookup finds a format by id. It returns an error that wraps
// [ErrUnknownFormat] and names the nearest ids.
func Lookup(id string) (Format, error) {
	formats := Formats()
	for _, f := range formats {
		if f.ID == id {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%w %q: %s", ErrUnknownFormat, id, nearest(id, formats))
}

// Detect names the format of the conversation in r from its first 64 KiB, or
// the one that o.Format forces. The reader it returns gives all of r from the
// beginning. It returns an error that wraps [ErrUnknownFormat] for a forced
// id that does not exist, and r's own errors.
func Detect(r io.Reader, o Options) (Format, io.Reader, error) {
	s, rest, err := takeSample(r)
	if err != nil {
		return Format{}, rest, fmt.Errorf("read %s: %w", o.name(), err)
	}
	f, err := detect(s, o.resolve())
	return f, rest, err
}

// Read reads the conversation in r, turn by turn, in file order. The sequence
// can be ranged over once. An error comes last: an [*Error], which is an
// [ErrBadInput], for what is wrong with the conversation; else r's own, or one
// that wraps [ErrUnknownFormat]. An empty file has no turns and no error.
// Memory stays bounded whatever the size of the file.
func Read(r io.Reader, o Options) iter.Seq2[sir.Turn, error] {
	return func(yield func(sir.Turn, error) bool) {
		s, rest, err := takeSample(r)
		if err != nil {
			yield(sir.Turn{}, fmt.Errorf("read %s: %w", o.name(), err))
			return
		}
		cfg := o.resolve()
		f, err := detect(s, cfg)
		if err != nil {
			yield(sir.Turn{}, err)
			return
		}
		out := newSink(cfg, yield)
		f.reader.read(newInput(rest, s, cfg), out)
	}
}

// reader is the seam for one format: a file with a type that implements it,
// and a line in [Formats].
type reader interface {
	// sniff says how sure it is that s is its format, 0 to 100. The highest
	// wins; of equals the first in [Formats].
	sniff(s *sample, c *config) int
	// read reads all of in and gives turns and bad records to out; it ends
	// when out says so.
	read(in *input, out *sink)
}

// detect chooses the format.
func detect(s *sample, c *config) (Format, error) {
	if c.Format != "" {
		return Lookup(c.Format)
	}
	var best Format
	top := -1
	for _, f := range Formats() {
		if n := f.reader.sniff(s, c); n > top {
			best, top = f, n
		}
	}
	return best, nil
}

// name is the base name that stands in turns and errors.
func (o Options) name() string {
	n := o.Name
	if i := strings.LastIndexAny(n, `/\`); i >= 0 {
		n = n[i+1:]
	}
	if n == "" || n == "-" {
		return StdinName
	}
	return n
}
