// Package eval scores what was extracted against what people say is in a
// text. [Score] is pure; [Extract] makes a run in the process.
//
// A gold file has a row a line: an id, a text or turns, the gold elements,
// and what would be an invention (must_not). state-machine is scored by the
// rules of the passages' README, as its score_passages.py does; general with
// plurals folded, verbs by their base form and texts by half their content
// words; any other domain with every field that the gold names, loosely.
package eval
