package sir

import "errors"

// The sentinels that errors of this package wrap.
var (
	// ErrStale: a mutation was computed from a version that is not the newest.
	ErrStale = errors.New("computed from an old version")
	// ErrBroken: a record contradicts itself or what stands before it.
	ErrBroken = errors.New("record does not fit")
	// ErrRewritten: a new version of an element lacks history that the old
	// one had.
	ErrRewritten = errors.New("history was rewritten")
	// ErrPoint: the log has no such version, turn or time.
	ErrPoint = errors.New("no such point in the log")
	// ErrValue: a value that data cannot hold.
	ErrValue = errors.New("not a value of data")
)
