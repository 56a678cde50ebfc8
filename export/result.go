package export

import (
	"iter"

	"github.com/speckl/speckl/sir"
)

// noiseRun is the longest run of results without effect that is kept as it
// is.
const noiseRun = 20

// ResultOrNoise is one item of a document's results: a result, or a count of
// results that had no effect.
type ResultOrNoise struct {
	// Result is nil where Noise counts.
	Result *sir.Result
	// Noise is how many results without effect stood here.
	Noise int
}

// NoEffect reports whether a result says nothing: no change, nothing flagged,
// asked, dropped or repeated, nothing degraded, and no note.
func NoEffect(r *sir.Result) bool {
	return len(r.Added)+len(r.Refined)+len(r.Deprecated)+len(r.Flagged)+
		len(r.Ambiguities)+len(r.Conflicts)+len(r.Clarifications)+
		len(r.Dropped)+len(r.Duplicates)+len(r.Metadata.Notes) == 0 && !r.Metadata.Degraded
}

// Results gathers the results of a run in bounded memory: runs of more than
// twenty without effect are kept as a count. The zero value is ready.
type Results struct {
	done []ResultOrNoise
	tail folder
}

// Add appends a result, which the caller must not change afterwards.
func (r *Results) Add(res *sir.Result) {
	r.tail.add(ResultOrNoise{Result: res}, func(x ResultOrNoise) bool {
		r.done = append(r.done, x)
		return true
	})
}

// All yields what was added, folded; it may be ranged over more than once.
// Its errors are nil.
func (r *Results) All() iter.Seq2[ResultOrNoise, error] {
	return func(yield func(ResultOrNoise, error) bool) {
		for _, x := range r.done {
			if !yield(x, nil) {
				return
			}
		}
		tail := r.tail // flushing a copy leaves r ready for more
		tail.flush(func(x ResultOrNoise) bool { return yield(x, nil) })
	}
}

// Fold replaces runs of more than twenty results without effect by a count;
// counts that stand in the input already are part of their run.
func Fold(in iter.Seq2[ResultOrNoise, error]) iter.Seq2[ResultOrNoise, error] {
	return func(yield func(ResultOrNoise, error) bool) {
		var f folder
		emit := func(x ResultOrNoise) bool { return yield(x, nil) }
		for x, err := range in {
			if err != nil {
				if f.flush(emit) {
					yield(ResultOrNoise{}, err)
				}
				return
			}
			if !f.add(x, emit) {
				return
			}
		}
		f.flush(emit)
	}
}

// folder holds back a run of results without effect until it is clear
// whether it is long.
type folder struct {
	held  []ResultOrNoise // the run while it is short
	count int             // results in the run
}

// add takes an item and emits what is decided; false ends.
func (f *folder) add(x ResultOrNoise, emit func(ResultOrNoise) bool) bool {
	switch {
	case x.Result == nil:
		f.count += x.Noise
	case NoEffect(x.Result):
		f.count++
	default:
		return f.flush(emit) && emit(x)
	}
	if f.count > noiseRun {
		f.held = nil
	} else {
		f.held = append(f.held, x)
	}
	return true
}

func (f *folder) flush(emit func(ResultOrNoise) bool) bool {
	held, count := f.held, f.count
	f.held, f.count = nil, 0
	if count > noiseRun {
		return emit(ResultOrNoise{Noise: count})
	}
	for _, x := range held {
		if !emit(x) {
			return false
		}
	}
	return true
}
